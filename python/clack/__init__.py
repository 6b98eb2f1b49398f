# SPDX-License-Identifier: Apache-2.0
"""Clack: mechanisms that hit, stick, slip, jam and let go, event by event.

    import clack
    run = clack.run(clack.load("woodpecker.yaml", mu=0.25), until=3, theory="newton")
    run.t, run["phi_S"], run.events, run.energy
    run.report("woodpecker.html")
"""
from . import _clack
from ._clack import Saved
from ._errors import InputError, ModelError, NoAnswer
from ._model import Model, load
from ._questions import contact, impact, projector, solve_friction, solve_lcp
from ._record import Answer, Cycle, Energy, Event, Impact, Record
from ._run import Run, run
from ._simulation import Simulation

__version__ = _clack.version
__all__ = [
    "Answer", "Cycle", "Energy", "Event", "Impact", "InputError", "Model", "ModelError", "NoAnswer", "Record", "Run", "Saved",
    "Simulation", "contact", "impact", "load", "projector", "run", "solve_friction", "solve_lcp",
]
Saved.__doc__ = "The whole state of a Simulation (`save`, `restore`): `model`, its name, and `time`, s."
