# SPDX-License-Identifier: Apache-2.0
"""Models: read from files, built from dictionaries."""
from __future__ import annotations

import os
from typing import Any, Dict, List, Mapping, Optional, Tuple

from . import _clack
from ._errors import InputError


def _formula(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    try:
        return repr(float(value))
    except (TypeError, ValueError):
        raise InputError(f"{name} is of type {type(value).__name__}", "", "give a number or a formula as text") from None


def _settings(*groups: Optional[Mapping[str, Any]], full: bool = False) -> List[Tuple[str, str]]:
    found: Dict[str, str] = {}
    for group in groups:
        for name, value in (group or {}).items():
            found[_clack.full_name(name) if full else name] = _formula(name, value)
    return list(found.items())


class Model:
    """A mechanism: validated, constant data, which any number of runs and threads may share.

    Made by `clack.load`, `Model.from_text` and `Model.from_dict`.
    """

    def __init__(self, core: "_clack.Model"):
        self._core = core
        self._last: "Tuple[List[Tuple[str, str]], Optional[Model]]" = ([], None)

    @staticmethod
    def from_dict(data: Mapping[str, Any], name: str = "model", *, settings: Optional[Mapping[str, Any]] = None,
                  **values: Any) -> "Model":
        """A model from a dictionary in the keys of model files.

        Numbers, texts (names and formulas), booleans, lists, arrays and dictionaries. It is checked like a file, with the same
        sentences; the place of a mistake is the way to the value. `name` stands where messages would name the file.
        """
        if not isinstance(data, dict):
            raise InputError(f"the data of a model are of type {type(data).__name__}", name, "give a dict")
        return Model(_clack.Model.from_data(data, name, _settings(settings, values)))

    @staticmethod
    def from_text(text: str, name: str = "model", *, settings: Optional[Mapping[str, Any]] = None, **values: Any) -> "Model":
        """A model from the text of a model file."""
        return Model(_clack.Model.from_text(text, name, _settings(settings, values)))

    def with_settings(self, settings: Optional[Mapping[str, Any]] = None, **values: Any) -> "Model":
        """The same model with other parameters and start values, read again from where it came."""
        return Model(self._core.with_settings(_settings(settings, values)))

    def _run_with(self, settings: List[Tuple[str, str]]) -> "Model":
        """With the settings of a run. The last one is kept: loops run the same model again and again."""
        known, model = self._last
        if model is None or known != settings:
            model = Model(self._core.with_settings(settings))
            self._last = (settings, model)
        return model

    @property
    def name(self) -> str:
        """Its name."""
        return self._core.name

    @property
    def file(self) -> str:
        """The file it was read from, or the name that stands for it."""
        return self._core.file

    @property
    def about(self) -> str:
        """A sentence about it."""
        return self._core.about

    @property
    def dimension(self) -> int:
        """2: in the plane, 3: in space."""
        return self._core.dimension

    @property
    def until(self) -> float:
        """The end of its runs, s."""
        return self._core.until

    @property
    def parameters(self) -> Dict[str, float]:
        """Its parameters, as numbers."""
        return self._core.parameters

    @property
    def coordinates(self) -> List[str]:
        """Names of the coordinates, in the order of q."""
        return self._core.coordinates

    @property
    def speeds(self) -> List[str]:
        """Names of the speeds, in the order of v."""
        return self._core.speeds

    @property
    def bodies(self) -> List[str]:
        """Names of the bodies."""
        return self._core.bodies

    @property
    def contacts(self) -> List[str]:
        """Names of the entries of `contacts`, and of the limits of joints."""
        return self._core.contacts

    @property
    def constraints(self) -> List[str]:
        """Names of the constraints, those of joints after the others."""
        return self._core.constraints

    @property
    def inputs(self) -> List[str]:
        """Names of the signals from outside."""
        return self._core.inputs

    @property
    def notes(self) -> List[str]:
        """Sentences about settings that gave way."""
        return self._core.notes

    @property
    def yaml(self) -> str:
        """The model file with all settings applied."""
        return self._core.yaml

    def __repr__(self) -> str:
        return f"<clack.Model {self.name!r}: {len(self.coordinates)} coordinates, {len(self.contacts)} contacts>"


def load(path: "str | os.PathLike[str]", *, settings: Optional[Mapping[str, Any]] = None, **values: Any) -> Model:
    """Reads a model file; `mu=0.25` sets a parameter or a start value (`phi_0=0.1`), like `--set` on the command line.

    Names that are no Python words go into `settings`: `settings={"rod.x_0": 0.1, "run.tolerance": 1e-10}`.
    """
    return Model(_clack.Model.load(os.fspath(path), _settings(settings, values)))
