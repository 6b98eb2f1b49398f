# SPDX-License-Identifier: Apache-2.0
"""Mechanisms of seeds from 10 000 000 on: gaps and motions by formulas that switch, zones, pairs of boxes in space, and
scales that are extreme and mixed. Kinds take turns with the seed."""
import math

from draw import Scales, coefficients, draw_planar, draw_spatial, ground, planar_contacts, place_planar, rounded

KINDS = ["formula-gaps", "planar-motion", "spatial-motion", "spatial-boxes", "extreme", "zones", "formula-gaps", "mixed"]


def draw_wide(rng, seed):
    kind = KINDS[seed % len(KINDS)]
    s = Scales(rng)
    made = {"formula-gaps": formula_gaps, "planar-motion": planar_motion, "spatial-motion": spatial_motion,
            "spatial-boxes": spatial_boxes, "extreme": extreme, "zones": zones, "mixed": mixed}[kind](rng, s)
    made["name"] = kind
    return made


def empty(s, dimension):
    down = [0.0] * (dimension - 1) + [-rounded(s.gravity)]
    return {"clack": 1, "dimension": dimension, "gravity": down, "bodies": {}, "contacts": {}}


def run_of(rng, s, theories=("newton", "poisson")):
    return {"until": rounded(s.time * rng.uniform(2, 7)), "theory": rng.choice(theories)}


# ---- gaps by formulas that switch

def profile(rng, s, at, x):
    """Height of a ground at x: kinked, stepped, or moving; a formula of x and t and its value at the start."""
    k, h = rounded(rng.uniform(-0.8, 0.8)), rounded(s.length * rng.uniform(-0.1, 0.1))
    a = rounded(at + s.length * rng.uniform(-0.3, 0.6))
    b = rounded(a + s.length * rng.uniform(0.1, 0.5))
    when, rise = rounded(s.time * rng.uniform(0.2, 3)), rounded(s.speed * rng.uniform(-0.3, 0.3))
    rate, size = rounded(rng.uniform(1, 6) / s.time), rounded(s.length * rng.uniform(0.01, 0.06))
    hang, climb = lambda u: max(0.0, u), lambda u: k * (u - a) if u < b else k * (b - a)
    kinds = [
        (f"{k}*max(0, {x} - {a})", k * hang(at - a)),
        (f"{abs(k)}*abs({x} - {a})", abs(k) * abs(at - a)),
        (f"piecewise(0, {x} < {a}, {k}*({x} - {a}), {x} < {b}, {k}*({b} - {a}))", 0.0 if at < a else climb(at)),
        (f"if({x} > {a}, {h}, 0)", h if at > a else 0.0),
        (f"{rise}*max(0, t - {when})", 0.0),
        (f"if(t > {when}, {size}*sin({rate}*(t - {when})), 0)", 0.0),
        (f"{size}*abs(sin({rate}*t))", 0.0),
        (f"min({size}, {abs(k)}*abs({x} - {a}))", min(size, abs(k) * abs(at - a))),
    ]
    return rng.choice(kinds)


def formula_gaps(rng, s):
    """Disks on grounds whose height is a formula that switches."""
    model = empty(s, 2)
    x = 0.0
    for i in range(rng.randint(1, 3)):
        name, r = f"b{i}", rounded(s.length * rng.uniform(0.05, 0.15))
        mass = rounded(s.mass * math.exp(rng.uniform(-1, 1)))
        x = rounded(x + 2 * r + s.length * rng.uniform(0.1, 0.5))
        formula, height = profile(rng, s, x, f"{name}.x")
        lift = rng.choice([0.0, s.length * rng.uniform(0.01, 0.3)])
        body = {"mass": mass, "inertia": rounded(0.5 * mass * r * r), "shape": {"disk": {"radius": r}}}
        y = r + height + lift
        body["position"] = [x, y if lift == 0.0 else rounded(y)]
        if rng.random() < 0.8:
            body["velocity"] = [rounded(s.speed * rng.uniform(-0.7, 0.7)), 0.0 if lift == 0.0 else rounded(s.speed * rng.uniform(-0.5, 0.3))]
            body["spin"] = rounded(rng.uniform(-3, 3) / s.time)
        model["bodies"][name] = body
        contact = {"gap": f"{name}.y - {r} - ({formula})", "slip": f"{name}.x_dot + {r}*{name}.angle_dot", **coefficients(rng)}
        if rng.random() < 0.3:
            contact["gap"] = f"min({name}.y - {r} - ({formula}), {name}.x + {rounded(s.length)})"
            contact.update({k: 0.0 for k in ("friction", "dynamic_friction", "static_friction") if k in contact})
        model["contacts"][f"{name}_ground"] = contact
    names = list(model["bodies"])
    for first, second in zip(names, names[1:]):
        model["contacts"][f"{first}_{second}"] = {"between": [first, second], **coefficients(rng)}
    model["run"] = run_of(rng, s)
    return model


# ---- prescribed motions

def course(rng, s):
    """A place as a formula of t that begins at zero, with kinks in its rate."""
    size, rate = rounded(s.length * rng.uniform(0.01, 0.06)), rounded(rng.uniform(1, 6) / s.time)
    when, speed = rounded(s.time * rng.uniform(0.2, 3)), rounded(s.speed * rng.uniform(-0.3, 0.3))
    return rng.choice([f"{size}*sin({rate}*t)", f"{speed}*max(0, t - {when})", f"{size}*abs(sin({rate}*t))",
                       f"if(t > {when}, {size}*sin({rate}*(t - {when})), 0)", f"{speed}*min(t, {when})",
                       f"piecewise(0, t < {when}, {speed}*(t - {when}), t < {2 * when}, {speed}*{when})"])


def turning(rng, s):
    size, rate = rounded(rng.uniform(0.05, 0.5)), rounded(rng.uniform(0.5, 3) / s.time)
    when = rounded(s.time * rng.uniform(0.2, 3))
    return rng.choice([f"{size}*sin({rate}*t)", f"{rounded(0.2 * rate)}*max(0, t - {when})", f"{size}*(1 - cos({rate}*t))",
                       f"if(t > {when}, {size}*sin({rate}*(t - {when})), 0)"])


def planar_motion(rng, s):
    """Bodies on a floor that moves and tilts."""
    model = empty(s, 2)
    kinds, width = place_planar(rng, s, model)
    surfaces = ground(rng, s, model, width)
    place = [course(rng, s) if rng.random() < 0.5 else 0 for _ in range(2)]
    angle = turning(rng, s) if rng.random() < 0.4 else 0
    model["bodies"]["floor"] = {"motion": {"position": place, "angle": angle}, "shape": {"half-plane": {"normal": [0, 1]}}}
    planar_contacts(rng, s, model, kinds, surfaces)
    model["run"] = run_of(rng, s)
    return model


def spatial_motion(rng, s):
    """Spheres, boxes and ellipsoids on a floor that moves and turns."""
    model = draw_spatial(rng, s)
    place = [course(rng, s) if rng.random() < 0.4 else 0 for _ in range(3)]
    motion = {"position": place}
    if rng.random() < 0.6:
        motion["rotation"] = [[rng.choice("xyz"), turning(rng, s)] for _ in range(rng.randint(1, 2))]
    model["bodies"]["floor"] = {"motion": motion, "shape": {"half-space": {"normal": [0, 0, 1]}}}
    return model


# ---- boxes on boxes

def spatial_box(rng, s, size):
    mass = s.mass * math.exp(rng.uniform(-1, 1))
    a, b, c = (rounded(2 * size * rng.uniform(0.4, 1)) for _ in range(3))
    inertia = [rounded(mass * q / 12) for q in (b * b + c * c, a * a + c * c, a * a + b * b)]
    return {"mass": rounded(mass), "inertia": inertia, "shape": {"box": {"width": a, "height": b, "depth": c}}}, c


def spatial_boxes(rng, s):
    """A box, or a sphere, on or above another one; the lower one lies on a floor, is fixed or moves."""
    model = empty(s, 3)
    size = s.length * rng.uniform(0.1, 0.2)
    lower, height = spatial_box(rng, s, size)
    foundation = rng.choice(["floor", "fixed", "moves"])
    if foundation == "floor":
        model["bodies"]["floor"] = {"fixed": True, "shape": {"half-space": {"normal": [0, 0, 1]}}}
        lower["position"] = [0, 0, height / 2]
    elif foundation == "fixed":
        lower = {"fixed": True, "position": [0, 0, height / 2], "shape": lower["shape"]}
    else:
        place = [course(rng, s) if rng.random() < 0.5 else 0 for _ in range(2)]
        lower = {"motion": {"position": [*place, height / 2], "rotation": [["z", turning(rng, s)]]}, "shape": lower["shape"]}
    model["bodies"]["lower"] = lower
    top, kind = height, rng.choice(["box", "box", "sphere"])
    upper, thick = spatial_box(rng, s, 0.7 * size)
    if kind == "sphere":
        r = rounded(0.5 * size)
        upper = {"mass": upper["mass"], "inertia": rounded(0.4 * upper["mass"] * r * r), "shape": {"sphere": {"radius": r}}}
        thick = 2 * r
    touches = rng.random() < 0.4
    at = [rounded(size * rng.uniform(-0.6, 0.6)) for _ in range(2)]
    if touches:
        upper["position"] = [*at, top + thick / 2]
        if rng.random() < 0.5:
            upper["velocity"] = [rounded(s.speed * rng.uniform(-0.4, 0.4)) for _ in range(2)] + [0]
    else:
        upper["position"] = [*at, rounded(top + 1.3 * size + s.length * rng.uniform(0, 0.2))]
        upper["velocity"] = [rounded(s.speed * rng.uniform(-0.3, 0.3)) for _ in range(3)]
        upper["orientation"] = [rounded(rng.gauss(0, 1)) for _ in range(4)]
        upper["spin"] = [rounded(rng.uniform(-2, 2) / s.time) for _ in range(3)]
    model["bodies"]["upper"] = upper
    model["contacts"]["pair"] = {"between": ["upper", "lower"], **coefficients(rng)}
    if foundation == "floor":
        for name in ("lower", "upper"):
            model["contacts"][f"{name}_floor"] = {"between": [name, "floor"], **coefficients(rng)}
    model["run"] = {"until": rounded(s.time * rng.uniform(1, 3)), "theory": "newton"}
    return model


# ---- scales

class ExtremeScales(Scales):
    def __init__(self, rng):
        self.length = 10.0 ** rng.choice([-6, -5, -4, 4, 5, 6, 0])
        self.mass = 10.0 ** rng.choice([-9, -6, -3, 0, 5, 8])
        self.gravity = 10.0 ** rng.choice([-3, -1, 1, 1, 3, 5])
        self.time = math.sqrt(self.length / self.gravity)
        self.speed = self.length / self.time


def extreme(rng, s):
    """Everything small, large, light, heavy, slow or fast."""
    s = ExtremeScales(rng)
    return draw_spatial(rng, s) if rng.random() < 0.3 else draw_planar(rng, s)


def mixed(rng, s):
    """Grains beside blocks: masses by the cube of sizes that differ by up to a thousand; a wall far away; an origin far away."""
    model = empty(s, 2)
    x, places = 0.0, rng.randint(2, 4)
    for i in range(places):
        name, r = f"b{i}", rounded(s.length * 10.0 ** rng.uniform(-3, 0))
        x = rounded(x + 2.5 * r)
        mass = rounded(s.mass * (r / s.length) ** rng.choice([2, 3]))
        lift = rng.choice([0.0, r * rng.uniform(0.1, 3)])
        speed = math.sqrt(r * s.gravity)
        model["bodies"][name] = {"mass": mass, "inertia": rounded(0.5 * mass * r * r), "shape": {"disk": {"radius": r}},
                                 "position": [x, r if lift == 0.0 else rounded(r + lift)],
                                 "velocity": [rounded(speed * rng.uniform(-0.7, 0.7)), 0.0 if lift == 0.0 else rounded(-speed * rng.uniform(0, 0.5))],
                                 "spin": rounded(rng.uniform(-3, 3) * speed / r)}
        x = rounded(x + 1.5 * r)
    names = list(model["bodies"])
    model["bodies"]["floor"] = {"fixed": True, "shape": {"half-plane": {"normal": [0, 1]}}}
    surfaces = ["floor"]
    if rng.random() < 0.4:
        model["bodies"]["far"] = {"fixed": True, "position": [-rounded(10.0 ** rng.uniform(1, 6) * s.length), 0], "shape": {"half-plane": {"normal": [1, 0]}}}
        surfaces.append("far")
    planar_contacts(rng, s, model, {n: "disk" for n in names}, surfaces)
    model["run"] = {"until": rounded(s.time * rng.uniform(0.3, 2)), "theory": rng.choice(["newton", "poisson"])}
    return model


# ---- zones

def zones(rng, s):
    """Grounds with strips of other friction and restitution."""
    model = draw_planar(rng, s)
    for contact in model["contacts"].values():
        first, second = contact["between"]
        body = model["bodies"][first.partition(".")[0]]
        if second != "floor" or "velocity" not in body or rng.random() < 0.3:
            continue
        at, name = body["position"][0], first.partition(".")[0]
        edge = rounded(at + s.length * rng.uniform(-0.3, 0.3))
        where = rng.choice([f"{name}.x - {edge}", f"{edge} - {name}.x", f"{rounded(0.1 * s.length)} - abs({name}.x - {edge})",
                            f"sin({rounded(8 / s.length)}*{name}.x)", f"t - {rounded(s.time * rng.uniform(0.2, 2))}"])
        contact["zones"] = [{"where": where, "friction": rng.choice([0.0, rounded(rng.uniform(0, 1.5))]),
                             "restitution": rng.choice([0.0, rounded(rng.uniform(0, 1))])}]
    return model
