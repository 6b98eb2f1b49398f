# SPDX-License-Identifier: Apache-2.0
"""The same mechanism in space said otherwise: turned, mirrored, shifted, in other units, in another order."""
import copy
import math

from places import applied, matrix, times

TURN = [("z", 0.7), ("x", -0.4)]  # one after the other, about axes as already turned


def negated(f):
    return f"-({f})" if isinstance(f, str) else -f


def reoriented(state, how):
    """A state whose vectors go through `how(kind, [x, y, z])`, kinds: place, speed, spin; quaternions through kind turn."""
    made = dict(state)
    for body in {name.partition(".")[0] for name in state}:
        for kind, keys in (("place", ("x", "y", "z")), ("speed", ("vx", "vy", "vz")), ("spin", ("wx", "wy", "wz")),
                           ("turn", ("qw", "qx", "qy", "qz"))):
            names = [f"{body}.{key}" for key in keys]
            if names[0] not in state:
                continue
            out = how(kind, [state[n] for n in names])
            made.update(zip(names, out))
    return made


def mirrored(model):
    """x to -x: a spin is negated along y and z, an orientation likewise."""
    m = copy.deepcopy(model)
    m["gravity"][0] = -m["gravity"][0]
    for body in m["bodies"].values():
        for key in ("position", "velocity"):
            if key in body:
                body[key][0] = -body[key][0]
        if "spin" in body:
            body["spin"][1:] = [-x for x in body["spin"][1:]]
        if "orientation" in body:
            body["orientation"][2:] = [-x for x in body["orientation"][2:]]
        if "motion" in body:
            body["motion"]["position"][0] = negated(body["motion"]["position"][0])
            body["motion"]["rotation"] = [[a, f if a == "x" else negated(f)] for a, f in body["motion"].get("rotation", [])]
    for force in m.get("forces", []):
        force["force"][0] = negated(force["force"][0])

    def how(kind, v):
        return {"place": [-v[0], *v[1:]], "speed": [-v[0], *v[1:]], "spin": [v[0], *(-x for x in v[1:])],
                "turn": [*v[:2], *(-x for x in v[2:])]}[kind]

    return m, {"state": lambda state: reoriented(state, how)}


def shifted(model, by=3.7):
    m = copy.deepcopy(model)
    size = by * max(abs(p) for b in m["bodies"].values() for p in b.get("position", [0]))
    for body in m["bodies"].values():
        if "motion" in body:
            body["motion"]["position"][0] = f"{body['motion']['position'][0]} + {size!r}"
        else:
            body.setdefault("position", [0, 0, 0])
            body["position"] = [body["position"][0] + size, *body["position"][1:]]
    return m, lambda name, x: x - size if name.endswith(".x") else x


def in_other_units(model, length=7.0, mass=0.3):
    """Lengths and masses multiplied, time kept: forces by both."""
    m = copy.deepcopy(model)
    scaled = lambda f, k: f"{k!r}*({f})" if isinstance(f, str) else k * f
    m["gravity"] = [length * g for g in m["gravity"]]
    for body in m["bodies"].values():
        for key in ("position", "velocity"):
            if key in body:
                body[key] = [length * p for p in body[key]]
        if "mass" in body:
            body["mass"] *= mass
            inertia = body["inertia"]
            body["inertia"] = [x * mass * length**2 for x in inertia] if isinstance(inertia, list) else inertia * mass * length**2
        if "motion" in body:
            body["motion"]["position"] = [scaled(p, length) for p in body["motion"]["position"]]
        for shape in body.get("shape", {}).values():
            for key in ("radius", "width", "height", "depth"):
                if key in shape:
                    shape[key] *= length
            if "axes" in shape:
                shape["axes"] = [length * a for a in shape["axes"]]
    for spring in m.get("springs", []):
        spring["stiffness"] *= mass
        if "damping" in spring:
            spring["damping"] *= mass
    for force in m.get("forces", []):
        force["force"] = [scaled(f, length * mass) for f in force["force"]]
    return m, lambda name, x: x if name.partition(".")[2][0] in "qw" else x / length


def turned(model):
    """The whole scene turned about the origin."""
    m = copy.deepcopy(model)
    q = [1.0, 0.0, 0.0, 0.0]
    for axis, angle in TURN:
        q = times(q, [math.cos(angle / 2)] + [math.sin(angle / 2) if a == axis else 0.0 for a in "xyz"])
    rows = matrix(q)

    def turn(p):
        if any(isinstance(x, str) for x in p):
            return [" + ".join(f"({c!r})*({x})" for c, x in zip(row, p)) for row in rows]
        return applied(rows, p)

    m["gravity"] = turn(m["gravity"])
    for body in m["bodies"].values():
        for key in ("position", "velocity", "spin"):
            if key in body:
                body[key] = turn(body[key])
        if "motion" in body:
            body["motion"]["position"] = turn(body["motion"]["position"])
            body["motion"]["rotation"] = [list(pair) for pair in TURN] + body["motion"].get("rotation", [])
        elif "half-space" in body.get("shape", {}):
            body["shape"]["half-space"]["normal"] = turn(body["shape"]["half-space"]["normal"])
        elif "shape" in body:
            body["orientation"] = times(q, body.get("orientation", [1.0, 0.0, 0.0, 0.0]))
    for force in m.get("forces", []):
        force["force"] = turn(force["force"])
    back = list(zip(*rows))

    def how(kind, v):
        return times([q[0], -q[1], -q[2], -q[3]], v) if kind == "turn" else applied(back, v)

    return m, {"state": lambda state: reoriented(state, how)}


def reordered(model):
    m = copy.deepcopy(model)
    for key in ("bodies", "contacts"):
        m[key] = dict(reversed(list(m[key].items())))
    return m, lambda name, x: x


VARIANTS = {"mirrored": mirrored, "shifted": shifted, "other-units": in_other_units, "turned": turned, "reordered": reordered}
