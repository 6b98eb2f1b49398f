# SPDX-License-Identifier: Apache-2.0
"""Runs that are steered while they go on."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _clack
from ._errors import InputError
from ._model import Model, load
from ._record import Answer, Energy, Event
from ._run import Run, _event


class Simulation:
    """One run that is held: advance it, look at it, change what acts on it.

        sim = clack.Simulation(model)
        while not sim.is_over:
            sim.set_input("push", -20 * sim.q[0])
            sim.step(1e-3)

    A change acts at `time` and is an event of the run, so that a sampled controller is simulated exactly; it holds until the next
    one. Advancing in pieces, saving, restoring and cloning change no bit of the motion.
    """

    def __init__(self, model: "Union[Model, str, os.PathLike[str]]", *, progress: Optional[Callable[[float], Any]] = None,
                 project: bool = False):
        self.model = model if isinstance(model, Model) else load(model)
        self._core = _clack.Simulation(self.model._core, progress, project)

    # Going on

    def advance_until(self, t: float) -> None:
        """To a time; nothing happens for times that are over."""
        self._core.advance_until(float(t))

    def step(self, dt: float) -> None:
        """So many seconds further."""
        self._core.step(dt)

    def advance_to_next_event(self) -> bool:
        """Through the next instant at which something happens; False when the run is over instead."""
        return self._core.advance_to_next_event()

    def advance_to_end(self) -> None:
        """To the end of the model's run."""
        self._core.advance_to_end()

    # Looking

    @property
    def time(self) -> float:
        """s."""
        return self._core.time

    @property
    def is_over(self) -> bool:
        """At its end, or stopped."""
        return self._core.is_over

    @property
    def stop_reason(self) -> Optional[Tuple[str, str]]:
        """Why it was stopped and what helps; None while it was not."""
        return self._core.stop_reason

    @property
    def state(self) -> Tuple[np.ndarray, np.ndarray]:
        """Coordinates and speeds."""
        return self._core.state()

    @property
    def q(self) -> np.ndarray:
        """Coordinates."""
        return self._core.state()[0]

    @property
    def v(self) -> np.ndarray:
        """Speeds."""
        return self._core.state()[1]

    def look(self) -> Answer:
        """t, q, v; per contact status, gap, gap_rate, normal_force, friction_force; per active constraint its forces."""
        found = self._core.look()
        found["contacts"] = {name: Answer(entry) for name, entry in found["contacts"].items()}
        return Answer(found)

    def forces(self, name: str) -> np.ndarray:
        """Normal and tangential force of a contact, or the forces of a constraint, N; zero while it does not act."""
        found = self._core.look()
        if name in found["contacts"]:
            entry = found["contacts"][name]
            return np.append(entry["normal_force"], entry["friction_force"])
        if name in found["constraints"]:
            return found["constraints"][name]
        if name in self.model.constraints:
            return np.zeros(1)
        if name in self.model.contacts:
            return np.zeros(self.model.dimension)
        raise InputError(f"the model has no contact or constraint {name}", self.model.file,
                         "known are " + ", ".join(self.model.contacts + self.model.constraints))

    @property
    def statuses(self) -> Dict[str, str]:
        """open, stick or slip per contact."""
        return {name: entry["status"] for name, entry in self._core.look()["contacts"].items()}

    @property
    def energy(self) -> Energy:
        """The energy ledger at `time`, J."""
        return Energy(self._core.ledger())

    @property
    def events(self) -> List[Event]:
        """Events so far."""
        return [_event(e) for e in json.loads(self._core.json())["events"]]

    @property
    def event_count(self) -> int:
        """How many there are."""
        return self._core.event_count()

    def run(self) -> Run:
        """What it leaves so far, as a copy that stays as it is."""
        return Run(self._core.trace(), self.model)

    # Steering

    def set_input(self, name: str, value: float, rate: float = 0.0, acceleration: float = 0.0) -> None:
        """An input of the model from now on: value, rate, acceleration."""
        self._core.set_input(name, value, rate, acceleration)

    def set_inputs(self, values: Mapping[str, float]) -> None:
        """Several at one instant."""
        self._core.set_inputs(dict(values))

    def input(self, name: str) -> float:
        """The value an input was set to."""
        return self._core.input(name)

    def switch_constraint(self, name: str, is_on: bool) -> None:
        """On or off."""
        self._core.switch_constraint(name, bool(is_on))

    def set_force(self, coordinate: str, force: float) -> None:
        """On a coordinate or speed, in its unit."""
        self._core.set_force(coordinate, force)

    def set_body_force(self, body: str, force: Sequence[float]) -> None:
        """On the mass centre of a body, in the world, N: two components in the plane, three in space."""
        self._core.set_body_force(body, self._components(force, f"the force on body {body}"))

    def set_body_torque(self, body: str, torque: "Union[float, Sequence[float]]") -> None:
        """N m: a number in the plane, three in space."""
        if self.model.dimension == 2 and np.ndim(torque) == 0:
            torque = [0.0, 0.0, float(torque)]
        self._core.set_body_torque(body, self._components(torque, f"the torque on body {body}", 3))

    def add_constraint(self, name: str, entry: Mapping[str, Any]) -> None:
        """A constraint that the model did not know, in the keys of model files; it exists from now on."""
        self._core.add_constraint(name, json.dumps(entry))

    def add_contact(self, name: str, entry: Mapping[str, Any]) -> None:
        """The same for a contact."""
        self._core.add_contact(name, json.dumps(entry))

    def stop(self) -> None:
        """Ends the run here."""
        self._core.stop()

    # Keeping

    def save(self) -> "_clack.Saved":
        """The whole state; going on from it gives the same bits as not having stopped."""
        return self._core.save()

    def restore(self, saved: "_clack.Saved") -> None:
        """Goes on from what this simulation, or one of the same model, saved; the trace begins anew there."""
        if not isinstance(saved, _clack.Saved):
            raise InputError(f"a {type(saved).__name__} is no saved state", "", "give what save() returned")
        self._core.restore(saved)

    def clone(self) -> "Simulation":
        """The same run with its trace, for looking ahead."""
        other = Simulation.__new__(Simulation)
        other.model, other._core = self.model, self._core.clone()
        return other

    def __repr__(self) -> str:
        return f"<clack.Simulation of {self.model.name!r} at {self.time:g} s{', over' if self.is_over else ''}>"

    def _components(self, given: Sequence[float], what: str, count: int = 0) -> List[float]:
        values = [float(x) for x in np.ravel(np.asarray(given, dtype=float))]
        if len(values) != (count or self.model.dimension) and len(values) != 3:
            raise InputError(f"{what} has {len(values)} components, must have {count or self.model.dimension}", "",
                             "give one per direction")
        return values + [0.0] * (3 - len(values))
