# SPDX-License-Identifier: Apache-2.0
"""Where bodies are in a row, and gaps and slips of contacts from that alone."""
import math
import re

NAMES = {"sin": math.sin, "if_": lambda c, a, b: a if c else b, "cos": math.cos, "sign": lambda x: (x > 0) - (x < 0),
         "max": max, "min": min, "abs": abs, "pi": math.pi, "__builtins__": {}}


def piecewise(*parts):
    for result, holds in zip(parts[:-1:2], parts[1::2]):
        if holds:
            return result
    return parts[-1]


NAMES["piecewise"] = piecewise


def value(formula, t, state=None):
    """A number or a formula of t and, by their names, of what is in `state`."""
    if not isinstance(formula, str):
        return float(formula)
    names = dict(NAMES, t=t)

    def name(match):
        names[match[1] + "_" + match[2]] = state[match[0]]
        return match[1] + "_" + match[2]

    text = re.sub(r"\b([A-Za-z_]\w*)\.(\w+)", name, formula.replace("if(", "if_("))
    return float(eval(text, names))


def uses_time(formula):
    return isinstance(formula, str) and re.search(r"\bt\b", formula) is not None


def times(a, b):
    """Product of quaternions, scalar first."""
    return [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]]


def about(axis, angle):
    c, s = math.cos(angle / 2), math.sin(angle / 2)
    return [c] + [s if a == axis else 0.0 for a in "xyz"]


def matrix(q):
    n = math.sqrt(sum(x * x for x in q))
    w, x, y, z = (c / n for c in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def applied(m, p):
    return [sum(a * b for a, b in zip(row, p)) for row in m]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def pose(model, name, t, state):
    """(place of the origin, rotation matrix) of a body."""
    body, dimension = model["bodies"][name], model["dimension"]
    if f"{name}.x" in state:
        at = [state[f"{name}.{c}"] for c in "xyz"[:dimension]]
        if dimension == 3:
            return at, matrix([state[f"{name}.{c}"] for c in ("qw", "qx", "qy", "qz")])
        angle = state[f"{name}.angle"]
    elif "motion" in body:
        motion = body["motion"]
        at = [value(x, t) for x in motion["position"]]
        if dimension == 3:
            q = [1.0, 0.0, 0.0, 0.0]
            for axis, turn in motion.get("rotation", []):
                q = times(q, about(axis, value(turn, t)))
            return at, matrix(motion.get("orientation", q))
        angle = value(motion.get("angle", 0), t)
    else:
        at = body.get("position", [0.0] * dimension)
        if dimension == 3:
            return at, matrix(body.get("orientation", [1, 0, 0, 0]))
        angle = body.get("angle", 0.0)
    c, s = math.cos(angle), math.sin(angle)
    return at, [[c, -s], [s, c]]


def plane_of(model, name, t, state):
    """(point, outward normal) of a half-plane or half-space; nothing for other bodies."""
    shape = model["bodies"][name].get("shape", {})
    flat = shape.get("half-plane") or shape.get("half-space")
    if not flat:
        return None
    at, turn = pose(model, name, t, state)
    normal = applied(turn, flat["normal"])
    size = math.sqrt(dot(normal, normal))
    return at, [x / size for x in normal]


def corners(shape):
    box = shape["box"]
    sizes = [box[k] / 2 for k in ("width", "height", "depth") if k in box]
    points = [[]]
    for h in sizes:
        points = [p + [x] for p in points for x in (-h, h)]
    return points


def reach_below(shape, turn, normal):
    """How far a convex shape reaches against a direction from its origin."""
    if "disk" in shape or "sphere" in shape:
        return (shape.get("disk") or shape["sphere"])["radius"]
    if "ellipsoid" in shape:
        local = [dot(column, normal) for column in zip(*turn)]
        return math.sqrt(sum((a * x) ** 2 for a, x in zip(shape["ellipsoid"]["axes"], local)))
    return max(-dot(applied(turn, p), normal) for p in corners(shape))


def boxes_apart(a, b):
    """Largest distance between two boxes along a direction that is normal to a face of one or to an edge of each:
    a bound of their depth where it is negative."""
    (p, m, first), (q, n, second) = a, b
    axes = [list(c) for c in zip(*m)] + [list(c) for c in zip(*n)]
    for u in axes[:3]:
        for w in axes[3:6]:
            axes.append([u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]])
    best = -math.inf
    for axis in axes:
        size = math.sqrt(dot(axis, axis))
        if size < 1e-6:
            continue
        axis = [x / size for x in axis]
        between = abs(dot([y - x for x, y in zip(p, q)], axis))
        best = max(best, between - reach_below(first, m, axis) - reach_below(second, n, axis))
    return best


def gap_of(model, contact, t, state):
    """The gap of a contact from places alone; nothing where this page does not know the pair."""
    if "gap" in contact:
        return value(contact["gap"], t, state)
    first, second = contact["between"]
    name, _, point = first.partition(".")
    at, turn = pose(model, name, t, state)
    body, other = model["bodies"][name], model["bodies"][second]
    plane = plane_of(model, second, t, state)
    if plane:
        reach = 0.0
        if point:
            at = [x + d for x, d in zip(at, applied(turn, body["points"][point]))]
        else:
            reach = reach_below(body["shape"], turn, plane[1])
        return dot([x - y for x, y in zip(at, plane[0])], plane[1]) - reach
    place, turned = pose(model, second, t, state)
    round_ones = [s.get("disk") or s.get("sphere") for s in (body["shape"], other.get("shape", {}))]
    if all(round_ones):
        return math.dist(at, place) - sum(r["radius"] for r in round_ones)
    if "box" in other.get("shape", {}) and model["dimension"] == 3:
        if "box" in body["shape"]:
            return boxes_apart((at, turn, body["shape"]), (place, turned, other["shape"]))
        if round_ones[0]:
            local = applied(list(zip(*turned)), [x - y for x, y in zip(at, place)])
            halves = [other["shape"]["box"][k] / 2 for k in ("width", "height", "depth")]
            outside = [max(abs(x) - h, 0.0) for x, h in zip(local, halves)]
            inside = max(abs(x) - h for x, h in zip(local, halves))
            return (math.sqrt(dot(outside, outside)) if inside > 0 else inside) - round_ones[0]["radius"]
    return None


def size_of(model, contact):
    """Size of the smaller of the two bodies, m."""
    sizes = []
    names = [n.partition(".")[0] for n in contact["between"]] if "between" in contact else \
        [n for n in model["bodies"] if f"{n}." in contact["gap"]]
    for name in names:
        body = model["bodies"][name]
        for shape in body.get("shape", {}).values():
            own = [v for k, v in shape.items() if k in ("radius", "width", "height", "depth")] + list(shape.get("axes", []))
            sizes += [max(own)] if own else []
        sizes += [math.hypot(*p) for p in body.get("points", {}).values()]
    return min(sizes) if sizes else 1.0


def slip_of(model, contact, t, state, step):
    """Slip of a planar contact of a disk, point or formula; nothing for others. `step`: of difference quotients, s."""
    if "gap" in contact:
        return value(contact["slip"], t, state) if "slip" in contact else None
    first, second = contact["between"]
    name, _, point = first.partition(".")
    if model["dimension"] == 3 or (not point and "disk" not in model["bodies"][name].get("shape", {})):
        return None
    at, turn = pose(model, name, t, state)
    plane = plane_of(model, second, t, state)
    if plane:
        normal = plane[1]
    elif "disk" in model["bodies"][second].get("shape", {}):
        d = [x - y for x, y in zip(at, pose(model, second, t, state)[0])]
        normal = [x / math.hypot(*d) for x in d]
    else:
        return None
    if point:
        place = [x + d for x, d in zip(at, applied(turn, model["bodies"][name]["points"][point]))]
    else:
        place = [x - model["bodies"][name]["shape"]["disk"]["radius"] * n for x, n in zip(at, normal)]
    u, w = (point_velocity(model, b, place, t, state, step) for b in (name, second))
    tangent = (normal[1], -normal[0])
    return tangent[0] * (u[0] - w[0]) + tangent[1] * (u[1] - w[1]) - value(contact.get("surface_velocity", 0.0), t)


def point_velocity(model, name, place, t, state, step):
    if f"{name}.x" in state:
        spin, (x, y) = state[f"{name}.angle_dot"], (state[f"{name}.x"], state[f"{name}.y"])
        return state[f"{name}.x_dot"] - spin * (place[1] - y), state[f"{name}.y_dot"] + spin * (place[0] - x)
    if "motion" not in model["bodies"][name]:
        return 0.0, 0.0
    (a, m), (b, n) = (pose(model, name, t + h, state) for h in (-step, step))
    at, turn = pose(model, name, t, state)
    local = applied(list(zip(*turn)), [x - y for x, y in zip(place, at)])
    before, after = ([x + d for x, d in zip(o, applied(r, local))] for o, r in ((a, m), (b, n)))
    return tuple((y - x) / (2 * step) for x, y in zip(before, after))
