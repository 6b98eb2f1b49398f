# SPDX-License-Identifier: Apache-2.0
"""A second opinion on stops that say "no admissible forces": planar scenes, all states of the touching contacts.

    open: N = T = 0, gap'' >= 0     stick: gap'' = slip'' = 0, |T| <= mu_s N     slip: gap'' = 0, T = -+ mu N, +- slip'' >= 0

Each state of all contacts is a question of signs for linear equations, answered by the simplex method. Gaps, rows and
the terms of their second derivatives are those of the referee's scene: nothing of the program is used but the state at
which it stopped."""
import itertools
import math

from checks import free_bodies, materials
from draw import length_of
from referee import Scene
from variants import state_of

NEAR, SLOW, ROUNDING = 1e-6, 1e-6, 1e-7  # parts of length, of speed, of the largest free acceleration
MOST = 6  # contacts: 4^6 states


def is_feasible(rows, variables):
    """Whether sum a_j x_j = b has x >= 0, for rows (a, b): first phase of the simplex method with Bland's rule."""
    table = []
    for k, (a, b) in enumerate(rows):
        sign = -1.0 if b < 0 else 1.0
        table.append([sign * x for x in a] + [1.0 if i == k else 0.0 for i in range(len(rows))] + [sign * b])
    basis = [variables + k for k in range(len(rows))]
    size = max([1e-300] + [abs(row[-1]) for row in table])
    for _ in range(2000):
        cost = [sum(row[j] for row, at in zip(table, basis) if at >= variables) for j in range(variables)]
        entering = next((j for j, c in enumerate(cost) if c > 1e-11), None)
        if entering is None:
            break
        ratios = [(row[-1] / row[entering], basis[k], k) for k, row in enumerate(table) if row[entering] > 1e-11]
        if not ratios:
            break
        _, _, k = min(ratios)
        pivot = table[k][entering]
        table[k] = [x / pivot for x in table[k]]
        for i, row in enumerate(table):
            if i != k and row[entering] != 0.0:
                factor = row[entering]
                table[i] = [x - factor * y for x, y in zip(row, table[k])]
        basis[k] = entering
    return sum(row[-1] for row, at in zip(table, basis) if at >= variables) <= 1e-9 * size


def touching(scene, t, length):
    """(normal row, tangent row, gap'' and slip'' without accelerations, slip, mu_s, mu) of contacts that touch and do not part."""
    found, q, v = [], scene.q, scene.v
    speed = max([1e-300] + [abs(x) for x in v])
    along = lambda row: sum(c * v[i] for i, c in row)
    names = list(scene.model["contacts"])
    owner = []
    for name in names:  # a box brings four corners
        body = scene.model["bodies"][scene.model["contacts"][name]["between"][0].partition(".")[0]]
        is_box = "." not in scene.model["contacts"][name]["between"][0] and "box" in body.get("shape", {})
        owner += [name] * (4 if is_box else 1)
    for name, (body, local, second, _, _, belt) in zip(owner, scene.touching):
        mu, static = materials(scene.model["contacts"][name])
        i = scene.at[body]
        x, y, a = q[i:i + 3]
        if second in scene.at:
            k = scene.at[second]
            dx, dy, other = x - q[k], y - q[k + 1], scene.model["bodies"][second]["shape"]["disk"]["radius"]
            d = math.hypot(dx, dy)
            gap, nx, ny = d - local - other, dx / d, dy / d
            normal = [(i, nx), (i + 1, ny), (k, -nx), (k + 1, -ny)]
            tangent = [(i, ny), (i + 1, -nx), (i + 2, local), (k, -ny), (k + 1, nx), (k + 2, other)]
            across = ny * (v[i] - v[k]) - nx * (v[i + 1] - v[k + 1])
            bias, slip = (across * across / d, 0.0), along(tangent) - belt
            rate = along(normal)
        else:
            nx, ny, at, moves = scene.surface(second, t)
            if isinstance(local, list):
                c, s = math.cos(a), math.sin(a)
                rx, ry = c * local[0] - s * local[1], s * local[0] + c * local[1]
                turn = -v[i + 2] ** 2
            else:
                rx, ry, turn = -local * nx, -local * ny, 0.0
            tx, ty = ny, -nx
            gap = nx * (x + rx - at[0]) + ny * (y + ry - at[1])
            normal = [(i, nx), (i + 1, ny), (i + 2, rx * ny - ry * nx)]
            tangent = [(i, tx), (i + 1, ty), (i + 2, rx * ty - ry * tx)]
            bias = (turn * (rx * nx + ry * ny), turn * (rx * tx + ry * ty))
            rate, slip = along(normal) - nx * moves[0] - ny * moves[1], along(tangent) - tx * moves[0] - ty * moves[1] - belt
        if abs(gap) <= NEAR * length and rate <= SLOW * speed:
            found.append((normal, tangent, bias, 0.0 if abs(slip) <= SLOW * speed else slip, static, mu))
    return found


def states_of(contact):
    """The states that a contact may have, as ways to push: (columns of N and T in units of its unknowns, what must hold)."""
    slip, static, mu = contact[3], contact[4], contact[5]
    if slip != 0.0:
        return ["open", "slip+" if slip > 0 else "slip-"]
    return ["open", "slip+"] if static == 0.0 else ["open", "stick", "slip+", "slip-"]


def forces_exist(scene, contacts, t):
    """A state of all contacts that has forces, as a text; nothing where none has."""
    m, f = scene.mass, scene.forces(t, scene.q, scene.v)
    free = [a / b for a, b in zip(f, m)]
    couple = lambda r, s: sum(c * d / m[i] for i, c in r for j, d in s if i == j)
    rows = [r for c in contacts for r in (c[0], c[1])]
    at_rest = [sum(x * free[i] for i, x in r) + contacts[k // 2][2][k % 2] for k, r in enumerate(rows)]
    size = max([1e-300] + [abs(x) for x in free] + [abs(x) for x in at_rest])
    W = [[couple(r, s) for s in rows] for r in rows]
    for word in itertools.product(*map(states_of, contacts)):
        columns, holds = [], []  # unknowns >= 0 as forces per row; (row index, kind)
        for k, (state, contact) in enumerate(zip(word, contacts)):
            slides_freely = contact[3] == 0.0 and contact[4] == 0.0
            if state == "open":
                holds.append((2 * k, ">="))
                continue
            holds.append((2 * k, "="))
            if state == "stick":  # the two edges of the cone
                columns += [{2 * k: 1.0, 2 * k + 1: contact[4]}, {2 * k: 1.0, 2 * k + 1: -contact[4]}]
                holds.append((2 * k + 1, "="))
            else:
                sign = 1.0 if state == "slip+" else -1.0
                columns.append({2 * k: 1.0, 2 * k + 1: -sign * contact[5]})
                if contact[3] == 0.0 and not slides_freely:
                    holds.append((2 * k + 1, ">=" if sign > 0 else "<="))
        equations, slacks = [], 2 * len(holds)
        for n, (r, kind) in enumerate(holds):  # rounding: every equation may be missed by a little
            a = [sum(W[r][i] * x for i, x in column.items()) for column in columns] + [0.0] * (slacks + 2 * len(holds))
            first, room = len(columns) + 2 * n, len(columns) + slacks + 2 * n
            if kind == ">=":
                a[first] = -size
            elif kind == "<=":
                a[first] = size
            a[room], a[room + 1] = size, -size
            equations.append((a, -at_rest[r]))
        total = len(columns) + slacks + 2 * len(holds)
        for n in range(len(holds)):  # and by no more
            for side in (0, 1):
                a = [0.0] * total
                a[len(columns) + slacks + 2 * n + side] = 1.0
                equations.append((a, ROUNDING))
        # room <= ROUNDING needs a slack of its own
        wide = [(a + [1.0 if j == k - len(holds) else 0.0 for j in range(2 * len(holds))], b)
                for k, (a, b) in enumerate(equations)]
        if is_feasible(wide, total + 2 * len(holds)):
            return ", ".join(word)
    return ""


def check_no_forces(model, outcome):
    """("confirmed" | "refuted" | "not checked", sentence) for a run that stopped for want of forces."""
    if model["dimension"] != 2 or "constraints" in model or "joints" in model or \
            any("gap" in c or "zones" in c for c in model["contacts"].values()):
        return "not checked", "in space, with joints, zones or gaps by formulas"
    scene, state, t = Scene(model), state_of(outcome), outcome.document["final"]["t"]
    for i, name in enumerate(free_bodies(model)):
        for j, key in enumerate((".x", ".y", ".angle")):
            scene.q[3 * i + j], scene.v[3 * i + j] = state[name + key], state[name + key + "_dot"]
    contacts = touching(scene, t, length_of(model))
    if not 0 < len(contacts) <= MOST or any("motion" in b for b in model["bodies"].values()):
        return "not checked", f"{len(contacts)} contacts, or a surface that moves"
    word = forces_exist(scene, contacts, t)
    return ("refuted", f"t = {t}: forces exist for {word}") if word else ("confirmed", f"none of the states of {len(contacts)} contacts")
