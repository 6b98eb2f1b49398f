# SPDX-License-Identifier: Apache-2.0
"""Single questions, without a model: one impact, one contact decision, one LCP, one friction problem, one projector."""
from __future__ import annotations

import json
from typing import Any, Mapping, Optional, Sequence

from . import _clack
from ._record import Answer, arrays


def _problem(M: Any, v: Any, contacts: Sequence[Mapping[str, Any]], more: Mapping[str, Any]) -> dict:
    document = {"dimension": 2, "mass_matrix": M, "velocity": v,
                "contacts": [{"name": f"contact{k + 1}", **c} if isinstance(c, Mapping) else c for k, c in enumerate(contacts)]}
    document.update(more)
    return document


def impact(M: Any, v: Any, contacts: Sequence[Mapping[str, Any]], law: str = "poisson", **more: Any) -> Answer:
    """Speeds after one impact, by a law: newton, poisson, smith, projection, energetic, lzb.

    `M` is the mass matrix, `v` the speeds before. A contact is a dictionary: normal_row, tangent_rows, dynamic_friction,
    restitution, name, ... `more` are further keys of the problem (dimension=3, bilateral=..., options={...}). The answer has the
    fields of `clack impact --json`: velocity, contacts, energy_before, energy_after, flags, ...
    """
    return arrays(json.loads(_clack.impact(_problem(M, v, contacts, more), law)))


def contact(M: Any, v: Any, force: Any, contacts: Sequence[Mapping[str, Any]], decision: str = "lcp", **more: Any) -> Answer:
    """Accelerations, forces and next statuses of closed contacts, by a decision: lcp, prox, enumeration, active-set.

    `force` is the smooth force; contacts may have gap_bias and slip_bias. The fields of `clack contact --json`.
    """
    return arrays(json.loads(_clack.contact(_problem(M, v, contacts, {"force": force, **more}), decision)))


def solve_lcp(M: Any, q: Any, solver: str = "lemke", tolerance: float = 1e-10, limit: int = 0) -> Answer:
    """z >= 0 with w = M z + q >= 0 and z.w = 0: status (solved, ray, unsolvable, limit), z, w, residual, pivots, solutions.

    solver="enumeration" finds every solution.
    """
    return Answer(_clack.solve_lcp(M, q, solver, tolerance, limit))


def solve_friction(W: Any, q: Any, mu: Any, dimension: int = 3, solver: str = "automatic", tolerance: float = 1e-8) -> Answer:
    """Reactions r with u = W r + q that obey Coulomb's law; per contact the normal component first.

    status (solved, unsolvable, limit), reaction, velocity, residual, worst_contact, iterations, flags, solutions.
    """
    return Answer(_clack.solve_friction(W, q, mu, dimension, solver, tolerance))


def projector(M: Any, A: Any, rank_cutoff: Optional[float] = None) -> Answer:
    """The oblique projector of the rows A: rank, P (onto the admissible speeds), S = I - (P M P)^+ M, pseudo_inverse, mobility,
    constraint_inertia, condition, singular_values, notes."""
    return Answer(_clack.projector(M, A, rank_cutoff or 0.0))
