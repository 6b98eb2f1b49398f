# SPDX-License-Identifier: Apache-2.0
"""Runs and what they leave."""
from __future__ import annotations

import html
import json
import os
from functools import cached_property
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _clack
from ._errors import InputError
from ._model import Model, _settings, load
from ._record import Cycle, Energy, Event, Impact


def _event(fields: Dict[str, Any]) -> Event:
    event = Event(fields)
    if "from" in fields:
        event.from_ = fields["from"]
    return event


def _impact(fields: Dict[str, Any]) -> Impact:
    for name in ("v_before", "v_after", "normal_impulse"):
        if name in fields:
            fields[name] = np.array(fields[name], dtype=float)
    return Impact(fields)


class Run:
    """What a run leaves: rows, events, impacts and energy.

    Arrays are views into the memory of the trace: reading them copies nothing, they cannot be written, and they stay valid after
    the run itself is gone.
    """

    def __init__(self, core: "_clack.Trace", model: Optional[Model] = None):
        self._core = core
        self.model = model
        """The model that ran."""

    # Rows

    @cached_property
    def rows(self) -> np.ndarray:
        """All columns: one row per recorded instant."""
        return self._core.rows

    @cached_property
    def columns(self) -> List[str]:
        """Names of the columns of `rows`, in order."""
        return self._core.columns

    def __getitem__(self, name: str) -> np.ndarray:
        """One column: a coordinate, a speed, gap_NAME, normal_NAME, tangent_NAME, force_NAME, kinetic, potential, total, ..."""
        if not isinstance(name, str):
            raise InputError(f"a column is named by a text, not by {type(name).__name__}", "", 'write run["t"]')
        return self.rows[:, self._core.column_index(name)]

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __len__(self) -> int:
        return self.rows.shape[0]

    @property
    def t(self) -> np.ndarray:
        """Time, s."""
        return self.rows[:, 0]

    @property
    def q(self) -> np.ndarray:
        """Coordinates: one column each."""
        return self.rows[:, 1:1 + len(self._core.coordinates)]

    @property
    def v(self) -> np.ndarray:
        """Speeds: one column each."""
        first = 1 + len(self._core.coordinates)
        return self.rows[:, first:first + len(self._core.speeds)]

    def forces(self, name: str) -> np.ndarray:
        """Normal and tangential force of a contact, or the forces of the rows of a constraint, N: one column each."""
        def begins(column: str) -> bool:
            return column in (f"normal_{name}", f"tangent_{name}", f"tangent1_{name}", f"tangent2_{name}", f"force_{name}") or (
                column.startswith(f"force_{name}_") and column[len(f"force_{name}_"):].isdigit())

        places = [k for k, column in enumerate(self.columns) if begins(column)]
        if not places:
            known = [c.split("_", 1)[1] for c in self.columns if c.startswith(("normal_", "force_"))]
            raise InputError(f"the trace has no forces of {name}", "", "known are " + ", ".join(dict.fromkeys(known)) if known
                             else "the model has no contacts and no constraints")
        return self.rows[:, places[0]:places[-1] + 1]

    # What happened

    @cached_property
    def document(self) -> Dict[str, Any]:
        """Everything but the rows, as in events.json."""
        return json.loads(self._core.json())

    @cached_property
    def events(self) -> List[Event]:
        """The transitions, in order."""
        return [_event(dict(e)) for e in self.document["events"]]

    @cached_property
    def impacts(self) -> List[Impact]:
        """The impacts, in order."""
        return [_impact(dict(i)) for i in self.document["impacts"]]

    @cached_property
    def energy(self) -> Energy:
        """The energy ledger of the whole run, J."""
        return Energy(self.document["energy"])

    @cached_property
    def cycle(self) -> Optional[Cycle]:
        """The limit cycle, where the model asks for one and the run has it."""
        found = self.document.get("cycle")
        return Cycle(found) if found else None

    @property
    def flags(self) -> List[str]:
        """What to know before the result is used, as words."""
        return self._core.flags

    @property
    def notes(self) -> List[str]:
        """The same as sentences."""
        return self._core.notes

    @property
    def status(self) -> str:
        """done, or stopped: then `reason` and `remedy` say why and what helps."""
        return self._core.status

    @property
    def reason(self) -> str:
        """Why the run ended early."""
        return self._core.reason

    @property
    def remedy(self) -> str:
        """What helps when it ended early."""
        return self._core.remedy

    @property
    def theory(self) -> str:
        """The theory that was used."""
        return self._core.theory

    @property
    def wall_seconds(self) -> float:
        """Seconds of the clock that the run took."""
        return self._core.wall_seconds

    @property
    def contacts(self) -> List[str]:
        """Names of the contacts, those of pairs in the order of their first touch."""
        return self._core.contacts

    # Where it goes

    def to_csv(self, path: "Union[str, os.PathLike[str], None]" = None) -> Optional[str]:
        """trace.csv, the same bytes as the command line writes; as text without a path."""
        text = self._core.csv()
        if path is None:
            return text.decode()
        with open(path, "wb") as file:
            file.write(text)
        return None

    def save(self, folder: "Union[str, os.PathLike[str]]") -> None:
        """The folder of results that `clack run --out FOLDER` writes."""
        self._core.save(os.fspath(folder))

    def report(self, path: "Union[str, os.PathLike[str], None]" = None) -> Optional[str]:
        """The report with the animation, one file of HTML; as text without a path."""
        page = self._core.report()
        if path is None:
            return page
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        return None

    def to_pandas(self):
        """The rows as a DataFrame (needs pandas)."""
        try:
            import pandas
        except ImportError:
            raise InputError("pandas is not installed", "", "apt-get install python3-pandas, or use run.rows") from None
        return pandas.DataFrame(self.rows, columns=self.columns, copy=False)

    def plot(self, *names: str, ax=None):
        """Columns over time with matplotlib, without names the coordinates; returns the axes."""
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            raise InputError("matplotlib is not installed", "",
                             "apt-get install python3-matplotlib, or run.report(\"x.html\")") from None
        ax = ax if ax is not None else plt.subplots()[1]
        for name in names or self._core.coordinates:
            ax.plot(self.t, self[name], label=name)
        ax.set_xlabel("t (s)")
        ax.legend()
        return ax

    def table(self, most: int = 20) -> List[Event]:
        """The first events."""
        return self.events[:most]

    def _repr_html_(self) -> str:
        """The picture and the table that a notebook shows."""
        escape = html.escape
        lines = [f"<b>{escape(self.document['model'])}</b>, {escape(self.theory)}: {escape(self.status)}",
                 _picture(self.t, [(n, self[n]) for n in self._core.coordinates[:8]]),
                 "<table><tr><th>t (s)</th><th>event</th><th>contacts</th><th></th></tr>"]
        for event in self.table():
            label = event["label"] if "label" in event else ""
            lines.append(f"<tr><td>{event.t:.7f}</td><td>{escape(event.kind)}</td><td>{escape(', '.join(event.contacts))}</td>"
                         f"<td>{escape(label)}</td></tr>")
        if len(self.events) > 20:
            lines.append(f"<tr><td colspan=4>... {len(self.events) - 20} more</td></tr>")
        lines.append("</table>")
        if self.reason:
            lines.append(f"<p>{escape(self.reason)}; {escape(self.remedy)}</p>")
        return "\n".join(lines)

    def __repr__(self) -> str:
        end = self.t[-1] if len(self) else float("nan")
        return f"<clack.Run {self.status} at {end:g} s: {len(self)} rows, {len(self.events)} events, {len(self.impacts)} impacts>"


def _picture(t: np.ndarray, curves: Sequence) -> str:
    """The curves over time as SVG, each scaled to its own range, at most 600 points each."""
    width, height, colours = 640, 200, ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#17becf")
    if len(t) < 2:
        return ""
    places = np.unique(np.linspace(0, len(t) - 1, min(len(t), 600)).astype(int))
    x = (t[places] - t[0]) / max(t[-1] - t[0], 1e-300) * (width - 10) + 5
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">']
    for k, (name, values) in enumerate(curves):
        low, high = float(np.min(values)), float(np.max(values))
        y = height - 10 - (values[places] - low) / (high - low if high > low else 1.0) * (height - 30)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
        colour = colours[k % len(colours)]
        parts.append(f'<polyline fill="none" stroke="{colour}" points="{points}"/>'
                     f'<text x="{5 + 80 * k}" y="12" font-size="11" fill="{colour}">{html.escape(name)}</text>')
    return "".join(parts) + "</svg>"


def run(model: "Union[Model, str, os.PathLike[str]]", *, progress: Optional[Callable[[float], Any]] = None,
        project: bool = False, threads: int = 1, histories: int = 20, node_trace: bool = False,
        settings: Optional[Mapping[str, Any]] = None, **values: Any) -> Run:
    """Runs a model from its start to its end, event by event.

    `until=3, theory="newton", tolerance=1e-10, painleve="tangential-impact"` are settings of the run and policies,
    `mu=0.3` a parameter or start value. `progress(t)` is called now and then. Physical and numerical endings are in the result
    (`status`, `reason`, `remedy`); mistakes raise InputError. Ctrl-C ends the run and raises KeyboardInterrupt. The interpreter's
    lock is given away, so that runs in threads go on side by side.
    """
    if not isinstance(model, Model):
        if not isinstance(model, (str, os.PathLike)):
            raise InputError(f"a {type(model).__name__} is no model", "", "give clack.load(FILE), Model.from_dict({...}) or a path")
        model = load(model)
    wanted = _settings(settings, full=False) + _settings(values, full=True)
    if wanted:
        model = model._run_with(wanted)
    return Run(_clack.run(model._core, progress, bool(project), int(threads), int(histories), bool(node_trace)), model)
