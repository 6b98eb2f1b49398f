# SPDX-License-Identifier: Apache-2.0
"""Small objects with fields."""
from __future__ import annotations

from typing import Any, Dict, Iterator

import numpy as np


class Record:
    """Named fields, read as attributes or by name: `event.t`, `event["t"]`."""

    def __init__(self, fields: Dict[str, Any]):
        self.__dict__.update(fields)

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __contains__(self, name: object) -> bool:
        return name in self.__dict__

    def __iter__(self) -> Iterator[str]:
        return iter(self.__dict__)

    def keys(self):
        """The names of the fields."""
        return self.__dict__.keys()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and repr(self) == repr(other)

    def __repr__(self) -> str:
        return type(self).__name__ + "(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"


class Event(Record):
    """A transition of the automaton: t, kind, contacts, label, from, to, ... as in events.json ("from" by `event["from"]`)."""


class Impact(Record):
    """An impact: t, contacts, v_before, v_after, impulses, energy_before, energy_after, works, certificate, flags, ..."""


class Energy(Record):
    """The energy ledger of a run, J."""


class Cycle(Record):
    """A limit cycle: period, drop per period, multiplier."""


class Answer(Record):
    """The answer to a single question; vectors and matrices are arrays."""


def arrays(value: Any) -> Any:
    """Lists of numbers and of rows of numbers as arrays, dictionaries as records, in a JSON document."""
    if isinstance(value, dict):
        return Answer({k: arrays(v) for k, v in value.items()})
    if isinstance(value, list):
        if value and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in value):
            return np.array(value, dtype=float)
        if value and all(isinstance(x, list) for x in value):
            try:
                return np.array(value, dtype=float)
            except (TypeError, ValueError):
                return [arrays(x) for x in value]
        return [arrays(x) for x in value]
    return value
