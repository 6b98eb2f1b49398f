# SPDX-License-Identifier: Apache-2.0
"""The same mechanism said otherwise: turned, mirrored, shifted, in other units, in another order; other parts."""
import copy
import math

from checks import free_bodies

UNCERTAIN = {"hyperstatic", "not-unique", "several-solutions", "no-solution", "tie-broken", "not-converged",
             "chain-completed", "chatter-completed", "rows-contradict", "rank-near-cutoff"}


def mirrored(model):
    """x to -x."""
    m = copy.deepcopy(model)
    negate = lambda f: f"-({f})" if isinstance(f, str) else -f
    m["gravity"][0] = -m["gravity"][0]
    for body in m["bodies"].values():
        for key in ("position", "velocity"):
            if key in body:
                body[key][0] = negate(body[key][0])
        for key in ("angle", "spin"):
            if key in body:
                body[key] = -body[key]
        if "motion" in body:
            body["motion"]["position"][0] = negate(body["motion"]["position"][0])
            body["motion"]["angle"] = negate(body["motion"].get("angle", 0))
        for point in body.get("points", {}).values():
            point[0] = -point[0]
        if "half-plane" in body.get("shape", {}):
            body["shape"]["half-plane"]["normal"][0] *= -1
    for contact in m["contacts"].values():
        if "surface_velocity" in contact:
            contact["surface_velocity"] = negate(contact["surface_velocity"])
    for force in m.get("forces", []):
        force["force"][0] = negate(force["force"][0])
    for torque in m.get("torques", []):
        torque["torque"] = -torque["torque"]
    return m, lambda name, x: x if name.endswith((".y", ".y_dot")) else -x


def shifted(model, by=3.7):
    """The origin elsewhere."""
    m = copy.deepcopy(model)
    size = by * max(abs(p) for n in free_bodies(m) for p in m["bodies"][n]["position"])
    for body in m["bodies"].values():
        if "motion" in body:
            body["motion"]["position"][0] = f"{body['motion']['position'][0]} + {size!r}"
        else:
            body.setdefault("position", [0, 0])
            body["position"] = [body["position"][0] + size, body["position"][1]]
    return m, lambda name, x: x - size if name.endswith(".x") else x


def in_other_units(model, length=7.0, mass=0.3):
    """Lengths and masses multiplied, time kept: forces by both."""
    m = copy.deepcopy(model)
    times = lambda f, k: f"{k!r}*({f})" if isinstance(f, str) else k * f
    m["gravity"] = [length * g for g in m["gravity"]]
    for body in m["bodies"].values():
        for key in ("position", "velocity"):
            if key in body:
                body[key] = [length * p for p in body[key]]
        if "mass" in body:
            body["mass"] *= mass
            body["inertia"] *= mass * length * length
        if "motion" in body:
            body["motion"]["position"] = [times(p, length) for p in body["motion"]["position"]]
        for point in body.get("points", {}).values():
            point[:] = [length * c for c in point]
        for shape in body.get("shape", {}).values():
            for key in ("radius", "width", "height"):
                if key in shape:
                    shape[key] *= length
    for spring in m.get("springs", []):
        spring["stiffness"] *= mass
        if "damping" in spring:
            spring["damping"] *= mass
    for force in m.get("forces", []):
        force["force"] = [times(f, length * mass) for f in force["force"]]
    for torque in m.get("torques", []):
        torque["torque"] *= mass * length * length
    for contact in m["contacts"].values():
        if "surface_velocity" in contact:
            contact["surface_velocity"] = times(contact["surface_velocity"], length)
    return m, lambda name, x: x if "angle" in name else x / length


def turned(model, angle=0.7):
    """The whole scene turned about the origin."""
    m = copy.deepcopy(model)
    c, s = math.cos(angle), math.sin(angle)

    def turn(p):
        if any(isinstance(x, str) for x in p):
            return [f"({c!r})*({p[0]}) - ({s!r})*({p[1]})", f"({s!r})*({p[0]}) + ({c!r})*({p[1]})"]
        return [c * p[0] - s * p[1], s * p[0] + c * p[1]]

    m["gravity"] = turn(m["gravity"])
    for body in m["bodies"].values():
        for key in ("position", "velocity"):
            if key in body:
                body[key] = turn(body[key])
        if "motion" in body:
            body["motion"]["position"] = turn(body["motion"]["position"])
            if body["motion"].get("angle", 0) != 0:  # its shape turns with it
                body["motion"]["angle"] = f"{angle!r} + {body['motion']['angle']}"
                continue
        if "half-plane" in body.get("shape", {}):
            body["shape"]["half-plane"]["normal"] = turn(body["shape"]["half-plane"]["normal"])
        elif "mass" in body:
            body["angle"] = body.get("angle", 0.0) + angle
    for force in m.get("forces", []):
        force["force"] = turn(force["force"])
    return m, ("turned", angle)


def reordered(model):
    m = copy.deepcopy(model)
    for key in ("bodies", "contacts"):
        m[key] = dict(reversed(list(m[key].items())))
    return m, lambda name, x: x


def state_of(outcome):
    d = outcome.document
    return dict(zip(d["coordinates"] + d["speeds"], d["final"]["q"] + d["final"]["v"]))


def back(state, how):
    """The state of a variant, said as in the model."""
    if isinstance(how, dict):  # in space: a function of the whole state
        return how["state"](state)
    if callable(how):
        return {name: how(name, x) for name, x in state.items()}
    angle = how[1]
    c, s = math.cos(angle), math.sin(angle)
    made = {}
    for name, x in state.items():
        if name.endswith((".x", ".x_dot")):
            made[name] = c * x + s * state[name.replace(".x", ".y")]
        elif name.endswith((".y", ".y_dot")):
            made[name] = c * x - s * state[name.replace(".y", ".x")]
        else:
            made[name] = x - angle if name.endswith(".angle") else x
    return made


def distance(model, a, b):
    """Largest difference of two final states, in lengths of the model and radians; speeds by its time."""
    from draw import length_of
    length, until = length_of(model), model["run"]["until"]
    worst = 0.0
    for name in a:
        key = name.partition(".")[2]
        scale = 1.0 if "angle" in key or key[0] in "qw" else length
        if key.endswith("_dot") or key[0] in "vw":
            scale = scale / until * 10
        worst = max(worst, abs(a[name] - b[name]) / scale)
    return worst


VARIANTS = {"mirrored": mirrored, "shifted": shifted, "other-units": in_other_units, "turned": turned,
            "reordered": reordered}
PARTS = {"formulation-projection": ["--formulation", "projection"], "enumeration": ["--decision", "enumeration"],
         "prox": ["--decision", "prox"], "nullspace": ["--formulation", "nullspace"], "multipliers": ["--formulation", "multipliers"],
         "embedding": ["--formulation", "embedding"]}
LAWS = ["newton", "poisson", "energetic", "smith", "projection", "lzb"]  # agree where one smooth contact hits at a time
CONTROLS = [["--integrator", "dopri5"], ["--tolerance", "1e-11"]]  # what the model itself amplifies shows here


def is_smooth(model, outcome):
    """No friction, and never two contacts in one impact: then all coefficients of restitution are the same."""
    from checks import materials
    return all(materials(c)[1] == 0 for c in model["contacts"].values()) and \
        all(len(impact["contacts"]) == 1 for impact in outcome.document["impacts"])


def ways_for(model, outcome, seed):
    """Which variants are tried follows the seed; those that the model has a meaning in."""
    has_formulas = any("gap" in c or "zones" in c for c in model["contacts"].values())
    if model["dimension"] == 3:
        from variants_in_space import VARIANTS as said
    else:
        said = VARIANTS
    ways = ["reordered"] if has_formulas else list(said)
    ways += list(PARTS)
    chosen = [ways[(seed + k) % len(ways)] for k in (0, 3)]
    if is_smooth(model, outcome):
        chosen.append("law-" + LAWS[seed % len(LAWS)])
    return chosen


def varied(model, name):
    """(model, how its state is said back, options) of a variant."""
    if name in PARTS:
        return model, (lambda _, x: x), PARTS[name]
    if name.startswith("law-"):
        return model, (lambda _, x: x), ["--impact", name[4:]]
    if model["dimension"] == 3:
        from variants_in_space import VARIANTS as said
        return *said[name](model), []
    return *VARIANTS[name](model), []


def check_variants(program, model, outcome, run, chosen):
    """Variants must end where the model does; where loose ends (other integrators, tolerances) differ no verdict."""
    if outcome.exit_code != 0 or UNCERTAIN & set(outcome.document["flags"]) or \
            "constraints" in model or "joints" in model or len(outcome.document["events"]) > 400:
        return []
    base, spread = state_of(outcome), 0.0
    for control in CONTROLS:
        other = run(program, model, control, rows=False)
        if other.exit_code is None:
            return [("hang", " ".join(control))]
        if other.exit_code != 0:
            return [("control", f"{' '.join(control)}: {other.errors[:200]}")] if other.exit_code != 1 else []
        spread = max(spread, distance(model, base, state_of(other)))
    if spread > 1e-6:
        return []
    found = []
    for name in chosen:
        said_otherwise, how, options = varied(model, name)
        other = run(program, said_otherwise, options, rows=False)
        if other.exit_code is None:
            found.append(("hang", name))
        elif other.exit_code != 0:
            is_part = name in PARTS or name.startswith("law-")
            if not (is_part and (other.exit_code == 2 or " has no sliding friction" in other.errors)):
                found.append((name, other.errors[:300].replace("\n", " ")))
        else:
            d = distance(model, base, back(state_of(other), how))
            if d > max(1e-4, 1e3 * spread):
                found.append((name, f"ends {d:.3g} away from the model (controls within {spread:.1g})"))
    return found
