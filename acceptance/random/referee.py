# SPDX-License-Identifier: Apache-2.0
"""A referee that shares nothing with the program: Moreau's time-stepping scheme for planar scenes.

    q_m = q + h/2 v,   M (v' - v) = h f(t_m, q_m, v) + sum J^T p   over contacts with gap(q_m) <= 0
    0 <= v_N' + e v_N  complementary to  p_N >= 0,   p_T opposes v_T' within mu p_N,   q' = q_m + h/2 v'

First order in h and blind to what happens inside a step; it speaks only where its own answers with h and h/2 agree."""
import math

from checks import free_bodies, materials
from places import value
from variants import distance, state_of


class Scene:
    def __init__(self, model):
        self.model, self.names = model, free_bodies(model)
        self.at = {name: 3 * i for i, name in enumerate(self.names)}
        self.mass = []
        self.q, self.v = [], []
        for name in self.names:
            body = model["bodies"][name]
            self.mass += [body["mass"], body["mass"], body["inertia"]]
            self.q += [*body["position"], body.get("angle", 0.0)]
            self.v += [*body.get("velocity", [0.0, 0.0]), body.get("spin", 0.0)]
        self.touching = []  # (body, local point or radius, surface or body, mu, e, belt)
        for contact in model["contacts"].values():
            first, second = contact["between"]
            name, _, point = first.partition(".")
            body = model["bodies"][name]
            rest = (second, materials(contact)[0], contact.get("restitution", 0.0), contact.get("surface_velocity", 0.0))
            if point:
                self.touching.append((name, body["points"][point], *rest))
            elif "disk" in body["shape"]:
                self.touching.append((name, body["shape"]["disk"]["radius"], *rest))
            else:
                w, h = body["shape"]["box"]["width"] / 2, body["shape"]["box"]["height"] / 2
                self.touching += [(name, [x, y], *rest) for x, y in ((-w, -h), (w, -h), (w, h), (-w, h))]
        self.rests = [spring.get("rest", math.dist(model["bodies"][spring["between"][0]]["position"],
                                                   model["bodies"][spring["between"][1]]["position"]))
                      for spring in model.get("springs", [])]

    def surface(self, name, t):
        body = self.model["bodies"][name]
        normal = body["shape"]["half-plane"]["normal"]
        size = math.hypot(*normal)
        if "motion" in body:
            p, h = body["motion"]["position"], 1e-6 * self.model["run"]["until"]
            at = [value(x, t) for x in p]
            return normal[0] / size, normal[1] / size, at, [(value(x, t + h) - value(x, t - h)) / (2 * h) for x in p]
        return normal[0] / size, normal[1] / size, body.get("position", [0.0, 0.0]), [0.0, 0.0]

    def forces(self, t, q, v):
        f = []
        g = self.model["gravity"]
        for i in range(0, len(q), 3):
            f += [self.mass[i] * g[0], self.mass[i] * g[1], 0.0]
        for spring, rest in zip(self.model.get("springs", []), self.rests):
            i, peg = self.at[spring["between"][0]], self.model["bodies"][spring["between"][1]]["position"]
            dx, dy = q[i] - peg[0], q[i + 1] - peg[1]
            length = math.hypot(dx, dy)
            rate = (dx * v[i] + dy * v[i + 1]) / length
            pull = -spring["stiffness"] * (length - rest) - spring.get("damping", 0.0) * rate
            f[i] += pull * dx / length
            f[i + 1] += pull * dy / length
        for force in self.model.get("forces", []):
            i = self.at[force["on"]]
            f[i] += switched(force["force"][0], t)
            f[i + 1] += switched(force["force"][1], t)
        for torque in self.model.get("torques", []):
            f[self.at[torque["on"]] + 2] += torque["torque"]
        return f

    def contacts(self, t, q):
        """Rows of closed contacts: [(index, coefficient), ...] along normal and tangent, with surface speeds."""
        closed = []
        for name, local, second, mu, e, belt in self.touching:
            i = self.at[name]
            x, y, a = q[i:i + 3]
            if second in self.at:
                k = self.at[second]
                dx, dy = x - q[k], y - q[k + 1]
                d = math.hypot(dx, dy)
                other = self.model["bodies"][second]["shape"]["disk"]["radius"]
                if d > local + other:
                    continue
                nx, ny = dx / d, dy / d
                normal = [(i, nx), (i + 1, ny), (k, -nx), (k + 1, -ny)]
                tangent = [(i, ny), (i + 1, -nx), (i + 2, local), (k, -ny), (k + 1, nx), (k + 2, other)]
                closed.append((normal, tangent, 0.0, belt, mu, e))
                continue
            nx, ny, at, moves = self.surface(second, t)
            if isinstance(local, list):
                c, s = math.cos(a), math.sin(a)
                rx, ry = c * local[0] - s * local[1], s * local[0] + c * local[1]
            else:
                rx, ry = -local * nx, -local * ny
            if nx * (x + rx - at[0]) + ny * (y + ry - at[1]) > 0:
                continue
            tx, ty = ny, -nx
            normal = [(i, nx), (i + 1, ny), (i + 2, rx * ny - ry * nx)]
            tangent = [(i, tx), (i + 1, ty), (i + 2, rx * ty - ry * tx)]
            closed.append((normal, tangent, nx * moves[0] + ny * moves[1], tx * moves[0] + ty * moves[1] + belt, mu, e))
        return closed

    def step(self, t, h):
        q, v, m = self.q, self.v, self.mass
        middle = [a + 0.5 * h * b for a, b in zip(q, v)]
        f = self.forces(t + 0.5 * h, middle, v)
        new = [b + h * force / mass for b, force, mass in zip(v, f, m)]
        closed = self.contacts(t + 0.5 * h, middle)
        along = lambda row, speed: sum(c * speed[i] for i, c in row)
        mobility = lambda row: sum(c * c / m[i] for i, c in row)

        def push(row, impulse):
            for i, c in row:
                new[i] += c * impulse / m[i]

        parts = [[n, s, un, us, mu, e, mobility(n), mobility(s), along(n, v) - un, 0.0, 0.0]
                 for n, s, un, us, mu, e in closed]
        for _ in range(300):
            change = 0.0
            for part in parts:
                n, s, un, us, mu, e, wn, ws, before, pn, ps = part
                want = max(0.0, pn - (along(n, new) - un + e * before) / wn) if before < 0 else \
                    max(0.0, pn - (along(n, new) - un) / wn)
                push(n, want - pn)
                change = max(change, abs(want - pn) * wn)
                bound = mu * want
                friction = min(bound, max(-bound, ps - (along(s, new) - us) / ws))
                push(s, friction - ps)
                change = max(change, abs(friction - ps) * ws)
                part[9], part[10] = want, friction
            if change <= 1e-12 * (1e-300 + max(abs(x) for x in new)):
                break
        self.v = new
        self.q = [a + 0.5 * h * b for a, b in zip(middle, new)]


def switched(formula, t):
    text = str(formula)
    if text.startswith("if(t > "):
        at, push, rest = text[7:-1].split(",")
        return float(push) if t > float(at) else float(rest)
    return value(formula, t)


def play(model, steps):
    scene, h = Scene(model), model["run"]["until"] / steps
    for k in range(steps):
        scene.step(k * h, h)
    state = {}
    for i, name in enumerate(scene.names):
        for j, key in enumerate((".x", ".y", ".angle")):
            state[name + key], state[name + key + "_dot"] = scene.q[3 * i + j], scene.v[3 * i + j]
    return state


def knows(model):
    """Newton's law, one coefficient of friction, no joints, floors that do not turn."""
    if any("gap" in c or "zones" in c for c in model["contacts"].values()) or \
            any(b["motion"].get("angle", 0) != 0 for b in model["bodies"].values() if "motion" in b):
        return False
    return model["dimension"] == 2 and "constraints" not in model and "joints" not in model and model["run"]["theory"] == "newton" and \
        not any("static_friction" in c or isinstance(c.get("surface_velocity"), str) for c in model["contacts"].values()) and len(free_bodies(model)) <= 4


def check_referee(model, outcome, steps=1500):
    """Positions only: speeds between two impacts of an accumulation depend on the step."""
    if outcome.exit_code != 0 or not knows(model):
        return []
    places = lambda state: {k: x for k, x in state.items() if not k.endswith("_dot")}
    coarse, fine = places(play(model, steps)), places(play(model, 2 * steps))
    spread = distance(model, coarse, fine)
    if spread > 0.05:
        return []
    finest = places(play(model, 4 * steps))
    if distance(model, fine, finest) > 0.7 * spread + 1e-6:  # not converging: chaotic, or luck
        return []
    d = distance(model, finest, places(state_of(outcome)))
    if d > 10 * spread + 0.02:
        return [("referee", f"ends {d:.3g} away from time-stepping, which agrees with itself to {spread:.2g}")]
    return []
