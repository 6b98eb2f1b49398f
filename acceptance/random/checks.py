# SPDX-License-Identifier: Apache-2.0
"""What must hold at every row of a run, computed anew from coordinates and speeds. Each finding is (kind, sentence)."""
import math

from draw import length_of

NAMES = {"sin": math.sin, "if_": lambda c, a, b: a if c else b, "cos": math.cos, "sign": lambda x: (x > 0) - (x < 0), "max": max, "min": min, "pi": math.pi,
         "__builtins__": {}}
GAP, FORCE, ENERGY = 1e-7, 1e-6, 1e-6  # parts of the model's length, largest force, energy exchanged
LISTED = {"energy-gain", "ledger-open", "negative-impulse"}  # flags that speak of what a check would find


def value(formula, t):
    return float(formula) if not isinstance(formula, str) else float(eval(formula.replace("if(", "if_("), dict(NAMES, t=t)))


def free_bodies(model):
    return [n for n, b in model["bodies"].items() if not b.get("fixed") and "motion" not in b]


def materials(contact):
    dynamic = contact.get("dynamic_friction", contact.get("friction", 0.0))
    return dynamic, contact.get("static_friction", dynamic)


def is_driven(model):
    """Whether anything but gravity, springs and friction acts: then energy may rise."""
    return bool(model.get("forces") or model.get("torques") or any("motion" in b for b in model["bodies"].values())
                or any("surface_velocity" in c for c in model["contacts"].values()))


def check(model, outcome):
    if outcome.exit_code is None:
        return [("hang", "more than the allowed processor time")]
    if outcome.exit_code not in (0, 1):
        return [("crash" if outcome.exit_code != 2 else "refused", outcome.errors.replace("\n", " ")[:300])]
    flags = set(outcome.document.get("flags", []))
    found = check_end(model, outcome)
    found += check_rows(model, outcome)
    found += check_slips(model, outcome)
    found += check_energy(model, outcome)
    return [f for f in found if not (f[0] in ("energy", "ledger", "impact-gains") and flags & LISTED)]


def check_end(model, outcome):
    until, t = model["run"]["until"], outcome.document["final"]["t"]
    if outcome.status == "done" and t != until:
        return [("end", f"done at {t}, until {until}")]
    if t > until:
        return [("end", f"t = {t} is after until {until}")]
    times = [e["t"] for e in outcome.document["events"]]
    return [("order", "events go back in time")] if times != sorted(times) else []


def check_rows(model, outcome):
    """No gap below zero, no force that is not a number, none that pulls or leaves its cone."""
    found, length = [], length_of(model)
    columns = {name: i for i, name in enumerate(outcome.columns)}
    for name, contact in model["contacts"].items():
        gap, normal = columns["gap_" + name], columns["normal_" + name]
        tangents = [columns[k] for k in ("tangent_" + name, "tangent1_" + name, "tangent2_" + name) if k in columns]
        mu = materials(contact)[1]
        largest = max([weight(model)] + [abs(row[normal]) for row in outcome.rows])
        for row in outcome.rows:
            t, n, force = row[0], row[normal], math.hypot(*(row[i] for i in tangents))
            if not all(math.isfinite(x) for x in row):
                return [("not-finite", f"t = {t}")]
            if row[gap] < -GAP * length:
                found.append(("penetration", f"t = {t}: {name} overlaps by {-row[gap]:.3g} m"))
            elif n < -FORCE * largest:
                found.append(("pulls", f"t = {t}: {name} pulls with {-n:.3g} N of {largest:.3g}"))
            elif force > mu * n + FORCE * largest * (1 + mu):
                found.append(("cone", f"t = {t}: {name}: {force:.6g} N of at most {mu * n:.6g}"))
            elif n > FORCE * largest and row[gap] > GAP * length:
                found.append(("gap", f"t = {t}: {name} pushes with {n:.3g} N at a gap of {row[gap]:.3g} m"))
            else:
                continue
            break
    for row in outcome.contact_rows:
        mu = max(materials(c)[1] for n, c in model["contacts"].items() if row["contact"].startswith(n + "."))
        n = float(row["normal"])
        force = math.hypot(*(float(row[k]) for k in ("tangent", "tangent1", "tangent2") if k in row))
        if n < 0 and -n > FORCE * weight(model):
            return found + [("pulls", f"t = {row['t']}: {row['contact']} pulls with {-n:.3g} N")]
        if force > mu * n + FORCE * weight(model) * (1 + mu):
            return found + [("cone", f"t = {row['t']}: {row['contact']}: {force:.6g} N of at most {mu * n:.6g}")]
    return found


def weight(model):
    g = math.hypot(*model["gravity"])
    return g * sum(b.get("mass", 0.0) for b in model["bodies"].values()) or 1.0


def planar_point_velocity(model, row, columns, body, point):
    if body in free_bodies(model):
        x, y = row[columns[body + ".x"]], row[columns[body + ".y"]]
        w = row[columns[body + ".angle_dot"]]
        return (row[columns[body + ".x_dot"]] - w * (point[1] - y), row[columns[body + ".y_dot"]] + w * (point[0] - x))
    motion = model["bodies"][body].get("motion")
    if not motion:
        return 0.0, 0.0
    h = 1e-5 * model["run"]["until"]
    return tuple((value(p, row[0] + h) - value(p, row[0] - h)) / (2 * h) for p in motion["position"])


def slip_of(model, row, columns, contact):
    """Slip of a disk or rod end on a half-plane, or of two disks; None where contacts.csv has it."""
    first, second = contact["between"]
    body, _, point_name = first.partition(".")
    shape = model["bodies"][body].get("shape", {})
    if "box" in shape:
        return None
    x, y = row[columns[body + ".x"]], row[columns[body + ".y"]]
    other = model["bodies"][second]
    if "half-plane" in other["shape"]:
        normal = other["shape"]["half-plane"]["normal"]
        size = math.hypot(*normal)
        normal = [c / size for c in normal]
    else:
        d = (x - row[columns[second + ".x"]], y - row[columns[second + ".y"]])
        size = math.hypot(*d)
        normal = [c / size for c in d]
    if point_name:
        a, p = row[columns[body + ".angle"]], model["bodies"][body]["points"][point_name]
        point = (x + p[0] * math.cos(a) - p[1] * math.sin(a), y + p[0] * math.sin(a) + p[1] * math.cos(a))
    else:
        r = shape["disk"]["radius"]
        point = (x - r * normal[0], y - r * normal[1])
    tangent = (normal[1], -normal[0])
    u, w = (planar_point_velocity(model, row, columns, b, point) for b in (body, second))
    return tangent[0] * (u[0] - w[0]) + tangent[1] * (u[1] - w[1]) - value(contact.get("surface_velocity", 0.0), row[0])


def check_slips(model, outcome):
    """Friction opposes the slip with all it has; nothing that sticks slips. Rows at events are between two modes."""
    if model["dimension"] == 3 or not outcome.rows:
        return []
    columns = {name: i for i, name in enumerate(outcome.columns)}
    at_event = {e["t"] for e in outcome.document["events"]}
    rounding = 1e-9 * length_of(model) / model["run"]["until"]  # where everything rests
    speed = max((abs(x) for row in outcome.rows for n, x in zip(outcome.columns, row)
                 if n.endswith((".x_dot", ".y_dot"))), default=0.0)
    speed = max(speed, rounding)
    for name, contact in model["contacts"].items():
        if slip_of(model, outcome.rows[0], columns, contact) is None:
            continue
        dynamic, static = materials(contact)
        normal, tangent = columns["normal_" + name], columns["tangent_" + name]
        largest = max([weight(model)] + [abs(row[normal]) for row in outcome.rows])
        for row in outcome.rows:
            n, force = row[normal], row[tangent]
            if row[0] in at_event or n < 1e-3 * largest or dynamic == 0:
                continue
            slip = slip_of(model, row, columns, contact)
            if abs(slip) > 1e-5 * speed and abs(force + math.copysign(dynamic * n, slip)) > 1e-4 * largest:
                return [("slip", f"t = {row[0]}: {name} slips with {slip:.3g} m/s, friction {force:.6g} N, normal {n:.6g} N")]
    return []


def energy_of(model, row, columns):
    """Kinetic, potential of gravity and of springs, J; planar."""
    kinetic = potential = 0.0
    for name in free_bodies(model):
        body = model["bodies"][name]
        get = lambda key: row[columns[name + key]]
        kinetic += body["mass"] / 2 * (get(".x_dot") ** 2 + get(".y_dot") ** 2) + body["inertia"] / 2 * get(".angle_dot") ** 2
        potential -= body["mass"] * (model["gravity"][0] * get(".x") + model["gravity"][1] * get(".y"))
    for spring in model.get("springs", []):
        first, second = spring["between"]
        anchor = model["bodies"][second]["position"]
        start = model["bodies"][first]["position"]
        rest = spring.get("rest", math.dist(start, anchor))
        stretch = math.dist((row[columns[first + ".x"]], row[columns[first + ".y"]]), anchor) - rest
        potential += spring["stiffness"] / 2 * stretch * stretch
    return kinetic, potential


def check_energy(model, outcome):
    """The ledger closes, friction and impacts take, and nothing rises that nothing drives."""
    energy, found = outcome.document["energy"], []
    scale = max(energy.get("exchanged", 0.0), weight(model) * length_of(model))
    if not energy["ledger_error"] <= 1e-5:
        found.append(("ledger", f"ledger error {energy['ledger_error']:.3g}"))
    if energy["work_of_friction"] > ENERGY * scale:
        found.append(("friction-gains", f"friction adds {energy['work_of_friction']:.3g} J"))
    for impact in outcome.document["impacts"]:
        if not is_driven(model) and impact["energy_after"] > impact["energy_before"] + ENERGY * scale:
            found.append(("impact-gains", f"t = {impact['t']}: {impact['energy_before']} to {impact['energy_after']} J"))
            break
    if model["dimension"] == 3 or is_driven(model):
        return found
    columns = {name: i for i, name in enumerate(outcome.columns)}
    lowest = math.inf
    for row in outcome.rows:
        total = sum(energy_of(model, row, columns))
        if total > lowest + ENERGY * scale:
            return found + [("energy", f"t = {row[0]}: energy rises by {total - lowest:.3g} J of {scale:.3g}")]
        lowest = min(lowest, total)
    return found
