# SPDX-License-Identifier: Apache-2.0
"""What must hold at every row of a run, computed anew from coordinates and speeds. Each finding is (kind, sentence)."""
import bisect
import math

from draw import length_of
from places import gap_of, size_of, slip_of, uses_time, value

GAP, FORCE, ENERGY = 1e-7, 1e-6, 1e-6  # parts of the model's length, largest force, energy exchanged
LISTED = {"energy-gain", "ledger-open", "negative-impulse"}  # flags that speak of what a check would find


def free_bodies(model):
    return [n for n, b in model["bodies"].items() if not b.get("fixed") and "motion" not in b]


def materials(contact, t=None, state=None):
    """(dynamic, static) friction: of the zone that holds, or without a state the largest there are."""
    dynamic = contact.get("dynamic_friction", contact.get("friction", 0.0))
    static = contact.get("static_friction", dynamic)
    for zone in contact.get("zones", []):
        if state is None:
            dynamic, static = max(dynamic, zone["friction"]), max(static, zone["friction"])
        elif value(zone["where"], t, state) > 0:
            return zone["friction"], zone["friction"]
    return dynamic, static


def is_driven(model):
    """Whether anything but gravity, springs and friction acts: then energy may rise."""
    return bool(model.get("forces") or model.get("torques") or any("motion" in b for b in model["bodies"].values())
                or any("surface_velocity" in c or uses_time(c.get("gap")) for c in model["contacts"].values()))


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
    if outcome.exit_code == 1 and "not-converged" in outcome.document.get("flags", []):
        return [("gave-up", outcome.document.get("reason", "")[:200])]
    times = [e["t"] for e in outcome.document["events"]]
    return [("order", "events go back in time")] if times != sorted(times) else []


def check_rows(model, outcome):
    """No gap below zero, no force that is not a number, none that pulls or leaves its cone."""
    found, columns = [], {name: i for i, name in enumerate(outcome.columns)}
    at_event = {e["t"] for e in outcome.document["events"]}
    for name, contact in model["contacts"].items():
        length = max(size_of(model, contact), 1e-8 * max((abs(x) for row in outcome.rows for x in row[1:4]), default=0.0))
        gap, normal = columns["gap_" + name], columns["normal_" + name]
        tangents = [columns[k] for k in ("tangent_" + name, "tangent1_" + name, "tangent2_" + name) if k in columns]
        mu = materials(contact)[1]
        largest = max([weight(model)] + [abs(row[normal]) for row in outcome.rows])
        for row in outcome.rows:
            t, n, force = row[0], row[normal], math.hypot(*(row[i] for i in tangents))
            # Computed here, from places; at an event a formula that switches is on either side.
            is_switching = "gap" in contact and t in at_event
            own = None if is_switching else gap_of(model, contact, t, dict(zip(outcome.columns, row)))
            if not all(math.isfinite(x) for x in row):
                return [("not-finite", f"t = {t}")]
            if own is not None and own < -GAP * length:
                found.append(("overlap", f"t = {t}: {name} overlaps by {-own:.3g} m, its gap says {row[gap]:.3g}"))
            elif row[gap] < -GAP * length:
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


def check_slips(model, outcome):
    """Friction opposes the slip with all it has; nothing that sticks slips. Rows at events are between two modes."""
    if model["dimension"] == 3 or not outcome.rows:
        return []
    columns = {name: i for i, name in enumerate(outcome.columns)}
    step = 1e-5 * model["run"]["until"]  # of difference quotients
    events = sorted({e["t"] for e in outcome.document["events"]})
    rounding = 1e-9 * length_of(model) / model["run"]["until"]  # where everything rests
    speed = max((abs(x) for row in outcome.rows for n, x in zip(outcome.columns, row)
                 if n.endswith((".x_dot", ".y_dot"))), default=0.0)
    speed = max(speed, rounding)
    for name, contact in model["contacts"].items():
        normal, tangent = columns["normal_" + name], columns["tangent_" + name]
        largest = max([weight(model)] + [abs(row[normal]) for row in outcome.rows])
        for row in outcome.rows:
            n, force, state = row[normal], row[tangent], dict(zip(outcome.columns, row))
            k = bisect.bisect_left(events, row[0] - 2 * step)
            if n < 1e-3 * largest or (k < len(events) and events[k] <= row[0] + 2 * step):
                continue
            dynamic, _ = materials(contact, row[0], state)
            slip = slip_of(model, contact, row[0], state, step)
            if slip is None:
                break
            if dynamic > 0 and abs(slip) > 1e-5 * speed and abs(force + math.copysign(dynamic * n, slip)) > 1e-4 * largest:
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
