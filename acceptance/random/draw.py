# SPDX-License-Identifier: Apache-2.0
"""Mechanisms drawn from a seed: plain model documents, as `clack run` reads them (JSON is YAML)."""
import math
import random

POINT_NAMES = {"box": ["bottom_left", "bottom_right", "top_right", "top_left"]}
JOINTED = 1_000_000  # from this seed on mechanisms have joints by name and surfaces that switch besides
WIDE = 10_000_000  # from this seed on: wide.py


def draw(seed):
    """A model of one to eight bodies; the same seed gives the same one."""
    rng = random.Random(seed)
    if seed >= WIDE:
        from wide import draw_wide
        return draw_wide(rng, seed)
    is_spatial = rng.random() < 0.3
    if seed < JOINTED:
        return (draw_spatial if is_spatial else draw_planar)(rng)
    s = Scales(rng)
    model = (draw_spatial if is_spatial else draw_planar)(rng, s)
    model.pop("constraints", None)
    named_joints(rng, model, 3 if is_spatial else 2)
    switching_surfaces(rng, s, model, 3 if is_spatial else 2)
    return model


class Scales:
    """Lengths, masses and times of a model; most are of the size of a table top, some are extreme."""

    def __init__(self, rng):
        self.length = rng.choice([1.0] * 6 + [1e-3, 1e-2, 1e3])
        self.mass = rng.choice([1.0] * 6 + [1e-4, 1e3])
        self.gravity = 9.81 * rng.choice([1.0] * 5 + [0.1, 10.0])
        self.time = math.sqrt(self.length / self.gravity)
        self.speed = self.length / self.time


def rounded(x):
    return float(f"{x:.5g}")


def coefficients(rng):
    """Friction 0 to 2, restitution 0 to 1; both ends of the ranges often."""
    made = {}
    mu = rng.choice([0.0, rng.uniform(0, 0.3), rng.uniform(0, 1), rng.uniform(0, 2)])
    if mu > 0 and rng.random() < 0.2:
        made["dynamic_friction"] = rounded(mu)
        made["static_friction"] = rounded(mu * rng.uniform(1.0, 1.6))
    elif mu > 0:
        made["friction"] = rounded(mu)
    e = rng.choice([0.0, 0.0, rng.uniform(0, 0.7), rng.uniform(0, 1), 1.0])
    if e > 0:
        made["restitution"] = rounded(e)
    return made


def planar_body(rng, s, x, y):
    """A disk, box or rod whose lowest point is at height y above the floor; (body, half width, height)."""
    size = s.length * rng.uniform(0.05, 0.2)
    mass = s.mass * math.exp(rng.uniform(-1.5, 1.5))
    kind = rng.choice(["disk", "disk", "box", "box", "rod"])
    angle = rng.choice([0.0, 0.0, rng.uniform(-math.pi, math.pi)])
    if kind == "disk":
        body = {"shape": {"disk": {"radius": rounded(size)}}}
        inertia, half_width, height = mass * size * size * rng.choice([0.5, 0.9]), size, 2 * size
        low = rounded(size)
    elif kind == "box":
        w, h = rounded(2 * size * rng.uniform(0.4, 1.0)), rounded(2 * size * rng.uniform(0.4, 1.0))
        body = {"shape": {"box": {"width": w, "height": h}}}
        inertia = mass * (w * w + h * h) / 12
        c, d = abs(math.cos(angle)), abs(math.sin(angle))
        half_width, height = (w * c + h * d) / 2, w * d + h * c
        low = h / 2 if angle == 0 else height / 2
    else:
        half = rounded(size)
        body = {"points": {"left": [-half, 0], "right": [half, 0]}}
        inertia = mass * half * half / 3
        half_width, height = half * abs(math.cos(angle)), 2 * half * abs(math.sin(angle))
        low = height / 2
    body.update({"mass": rounded(mass), "inertia": rounded(inertia),
                 "position": [rounded(x), low if y == 0 else rounded(y + low)]})
    if angle != 0:
        body["angle"] = angle
    if rng.random() < 0.6:
        body["velocity"] = [rounded(s.speed * rng.uniform(-0.7, 0.7)),
                            0 if y == 0 else rounded(s.speed * rng.uniform(-0.7, 0.3))]
        if y != 0 or kind == "disk":
            body["spin"] = rounded(rng.uniform(-3, 3) / s.time)
    return kind, body, half_width, height


def place_planar(rng, s, model):
    """Bodies in columns above the floor, none over another; names with what they are."""
    kinds, x = {}, 0.0
    count = rng.randint(1, 8) if rng.random() < 0.4 else rng.randint(1, 3)
    column_height = 0.0
    for i in range(count):
        name = f"b{i}"
        touches = column_height == 0.0 and rng.random() < 0.35
        y = 0.0 if touches else column_height + s.length * rng.uniform(0.01, 0.3)
        kind, body, half_width, height = planar_body(rng, s, 0.0, y)
        if column_height == 0.0:
            x += half_width + s.length * rng.uniform(0.01, 0.2)
        body["position"][0] = rounded(x)
        kinds[name] = kind
        model["bodies"][name] = body
        if kind == "disk" and rng.random() < 0.3:
            column_height = y + height
        else:
            column_height = 0.0
            x += 0.25 * s.length
    return kinds, x


def ground(rng, s, model, width):
    """Half-planes: a floor, sometimes walls; sometimes it moves or its surface does."""
    surfaces = ["floor"]
    floor = {"fixed": True}
    if rng.random() < 0.12:
        amplitude, rate = rounded(s.length * rng.uniform(0.005, 0.05)), rounded(rng.uniform(1, 8) / s.time)
        floor = {"motion": {"position": [f"{amplitude}*sin({rate}*t)", 0], "angle": 0}}
        if rng.random() < 0.5:
            floor["motion"]["position"] = [0, f"{amplitude}*(1 - cos({rate}*t))"]
    model["bodies"]["floor"] = {**floor, "shape": {"half-plane": {"normal": [0, 1]}}}
    if rng.random() < 0.4:
        for name, x, n in (("left", -0.3 * s.length, 1), ("right", width + 0.3 * s.length, -1)):
            model["bodies"][name] = {"fixed": True, "position": [rounded(x), 0],
                                     "shape": {"half-plane": {"normal": [n, 0]}}}
            surfaces.append(name)
    return surfaces


def planar_contacts(rng, s, model, kinds, surfaces):
    contacts = model["contacts"]
    names = list(kinds)
    for name in names:
        for surface in surfaces:
            ends = [f"{name}.left", f"{name}.right"] if kinds[name] == "rod" else [name]
            for end in ends:
                contact = {"between": [end, surface], **coefficients(rng)}
                if surface == "floor" and rng.random() < 0.08:
                    contact["surface_velocity"] = rounded(s.speed * rng.uniform(-0.5, 0.5))
                contacts[f"{end.replace('.', '_')}_{surface}"] = contact
    for i, first in enumerate(names):
        for second in names[i + 1:]:
            if kinds[first] == kinds[second] == "disk":
                contacts[f"{first}_{second}"] = {"between": [first, second], **coefficients(rng)}


def anchor(rng, s, model, name, spatial=False):
    body = model["bodies"][name]
    at = [rounded(p + s.length * rng.uniform(-0.3, 0.3)) for p in body["position"]]
    at[-1] = rounded(body["position"][-1] + 0.4 * s.length)
    model["bodies"][f"peg_{name}"] = {"fixed": True, "position": at}
    return f"peg_{name}"


def applied(rng, s, model, names, spatial=False):
    """Springs, dampers, forces that may switch, torques."""
    for name in names:
        body = model["bodies"][name]
        weight = body["mass"] * s.gravity
        if rng.random() < 0.15:
            spring = {"between": [name, anchor(rng, s, model, name)],
                      "stiffness": rounded(weight / s.length * rng.uniform(1, 30))}
            if rng.random() < 0.5:
                spring["damping"] = rounded(spring["stiffness"] * s.time * rng.uniform(0, 0.3))
            model.setdefault("springs", []).append(spring)
        if rng.random() < 0.15:
            push, at = rounded(weight * rng.uniform(-1, 1)), rounded(s.time * rng.uniform(0.3, 3))
            formula = rng.choice([f"{push}", f"{push}*sin({rounded(3 / s.time)}*t)",
                                  f"if(t > {at}, {push}, 0)", f"{push}*sign(sin({rounded(2 / s.time)}*t))",
                                  f"{push}*max(0, 1 - t/{at})"])
            force = [formula, 0] if not spatial else [formula, 0, 0]
            model.setdefault("forces", []).append({"on": name, "force": force})
        if rng.random() < 0.08 and not spatial:
            torque = rounded(weight * 0.05 * s.length * rng.uniform(-1, 1))
            model.setdefault("torques", []).append({"on": name, "torque": torque})


def joints(rng, model, names):
    """Pins between neighbours, or of a body to the world, at a point where both are at the start."""
    for first, second in zip(names, names[1:] + [None]):
        if rng.random() > 0.12 or "angle" in model["bodies"][first]:
            continue
        a = model["bodies"][first]["position"]
        for body in (first, second):
            if body:
                model["bodies"][body].pop("velocity", None)
                model["bodies"][body].pop("spin", None)
        if second is None:
            arm = 0.1
            rows = [f"{first}.x + {arm}*sin({first}.angle) - {a[0]}", f"{first}.y - {arm}*cos({first}.angle) - ({a[1] - arm!r})"]
        else:
            b = model["bodies"][second]["position"]
            if "angle" in model["bodies"][second]:
                continue
            d = [b[0] - a[0], b[1] - a[1]]
            rows = [f"{first}.x + {d[0]!r}*cos({first}.angle) - ({d[1]!r})*sin({first}.angle) - {second}.x",
                    f"{first}.y + {d[0]!r}*sin({first}.angle) + ({d[1]!r})*cos({first}.angle) - {second}.y"]
        model.setdefault("constraints", {})[f"pin_{first}"] = {"configuration": rows}


def named_joints(rng, model, dimension):
    """Pins, balls, strings and rails between neighbours or to the ground, at rest at the start."""
    names = [n for n, b in model["bodies"].items() if "mass" in b]
    for first, second in zip(names, names[1:] + [None]):
        pair = [model["bodies"][n] for n in (first, second) if n]
        if rng.random() > 0.4 or any("angle" in b or "orientation" in b for b in pair):
            continue
        for body in pair:
            body.pop("velocity", None)
            body.pop("spin", None)
        a = pair[0]["position"]
        b = pair[1]["position"] if second else [x + 0.1 * rng.uniform(-1, 1) for x in a]
        other = second or [rounded(x) for x in b]
        b = pair[1]["position"] if second else other
        kinds = {2: ["pin", "pin", "distance", "slider"], 3: ["ball", "ball", "distance"]}[dimension]
        kind, name = rng.choice(kinds), f"joint_{first}"
        made = model.setdefault("joints", {})
        if kind == "distance":
            made[name] = {"distance": [first, other]}
        elif kind == "slider":
            made[name] = {"slider": [first, [rounded(x) for x in a]], "axis": rng.choice([[1, 0], [0, 1]])}
        else:
            pair[0].setdefault("points", {})["hinge"] = [y - x for x, y in zip(a, b)]
            made[name] = {kind: [f"{first}.hinge", other]}


def switching_surfaces(rng, s, model, dimension):
    """Belts that start, stop and turn round at an instant."""
    for contact in model["contacts"].values():
        if dimension == 3 or contact["between"][1] != "floor" or rng.random() > 0.25:
            continue
        speed, at = rounded(s.speed * rng.uniform(-0.5, 0.5)), rounded(s.time * rng.uniform(0.3, 3))
        contact["surface_velocity"] = rng.choice([f"if(t > {at}, {speed}, 0)", f"if(t > {at}, 0, {speed})",
                                                  f"{speed}*sign(sin({rounded(2 / s.time)}*t))"])


def draw_planar(rng, s=None):
    s = s or Scales(rng)
    model = {"clack": 1, "dimension": 2, "gravity": [0, -rounded(s.gravity)], "bodies": {}, "contacts": {}}
    if rng.random() < 0.15:
        slope = rng.uniform(-0.6, 0.6)
        model["gravity"] = [rounded(s.gravity * math.sin(slope)), rounded(-s.gravity * math.cos(slope))]
    kinds, width = place_planar(rng, s, model)
    names = list(kinds)
    surfaces = ground(rng, s, model, width)
    planar_contacts(rng, s, model, kinds, surfaces)
    applied(rng, s, model, names)
    if s.length == 1.0 and rng.random() < 0.3:
        joints(rng, model, names)
    model["run"] = {"until": rounded(s.time * rng.uniform(2, 8)), "theory": rng.choice(["newton", "poisson"])}
    return model


def draw_spatial(rng, s=None):
    s = s or Scales(rng)
    model = {"clack": 1, "dimension": 3, "gravity": [0, 0, -rounded(s.gravity)], "bodies": {}, "contacts": {}}
    if rng.random() < 0.15:
        model["gravity"][0] = rounded(0.4 * s.gravity * rng.uniform(-1, 1))
    names, kinds, x = [], {}, 0.0
    for i in range(rng.randint(1, 5) if rng.random() < 0.3 else rng.randint(1, 2)):
        name, size = f"b{i}", rounded(s.length * rng.uniform(0.05, 0.2))
        mass = s.mass * math.exp(rng.uniform(-1.5, 1.5))
        kind = rng.choice(["sphere", "sphere", "box", "ellipsoid"])
        touches = rng.random() < 0.35
        body = {"mass": rounded(mass)}
        if kind == "sphere":
            body.update({"inertia": rounded(0.4 * mass * size * size), "shape": {"sphere": {"radius": size}}})
            low = size
        elif kind == "box":
            a, b, c = (rounded(2 * size * rng.uniform(0.5, 1)) for _ in range(3))
            body["shape"] = {"box": {"width": a, "height": b, "depth": c}}
            body["inertia"] = [rounded(mass * q / 12) for q in (b * b + c * c, a * a + c * c, a * a + b * b)]
            low = c / 2
        else:
            a, b, c = (rounded(size * rng.uniform(0.5, 1)) for _ in range(3))
            body["shape"] = {"ellipsoid": {"axes": [a, b, c]}}
            body["inertia"] = [rounded(mass * q / 5) for q in (b * b + c * c, a * a + c * c, a * a + b * b)]
            low = c
        if not touches and kind != "sphere" and rng.random() < 0.7:
            body["orientation"] = [rounded(rng.gauss(0, 1)) for _ in range(4)]
            low = 2 * size
        lift = 0 if touches else s.length * rng.uniform(0.02, 0.3)
        x += 2 * size + s.length * rng.uniform(0.02, 0.2)
        body["position"] = [rounded(x), rounded(0.05 * s.length * rng.uniform(-1, 1)),
                            low if touches else rounded(low + lift)]
        x += 2 * size
        if rng.random() < 0.7:
            body["velocity"] = [rounded(s.speed * rng.uniform(-0.7, 0.7)) for _ in range(2)]
            body["velocity"].append(0 if touches else rounded(s.speed * rng.uniform(-0.7, 0.3)))
            if not touches or kind == "sphere":
                body["spin"] = [rounded(rng.uniform(-3, 3) / s.time) for _ in range(3)]
        model["bodies"][name], kinds[name] = body, kind
        names.append(name)
    model["bodies"]["floor"] = {"fixed": True, "shape": {"half-space": {"normal": [0, 0, 1]}}}
    for name in names:
        model["contacts"][f"{name}_floor"] = {"between": [name, "floor"], **coefficients(rng)}
    for i, first in enumerate(names):
        for second in names[i + 1:]:
            if kinds[first] == kinds[second] == "sphere":
                model["contacts"][f"{first}_{second}"] = {"between": [first, second], **coefficients(rng)}
    applied(rng, s, model, names, spatial=True)
    model["run"] = {"until": rounded(s.time * rng.uniform(2, 6)), "theory": "newton"}
    return model


def length_of(model):
    """Size of the largest body, m."""
    largest = 0.0
    for body in model["bodies"].values():
        for shape in body.get("shape", {}).values():
            largest = max([largest] + [v for k, v in shape.items() if k in ("radius", "width", "height", "depth")])
            largest = max([largest] + list(shape.get("axes", [])))
        for point in body.get("points", {}).values():
            largest = max([largest] + [abs(c) for c in point])
    return largest or 1.0
