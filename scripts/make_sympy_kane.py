#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes acceptance/data/sympy_kane.json: mass matrices and forces of gallery models by SymPy's KanesMethod.

    scripts/make_sympy_kane.py [MODEL...]        needs python3-sympy (written with 1.11.1 and 1.14); the bicycle takes minutes

Each model is derived here once more, from frames, points and bodies, in the coordinates and speeds of its file and with the
numbers of its parameters; constraints are left out (their rows are linear algebra that other tests hold). States are random.
"""
import json
import math
import random
import sys
from pathlib import Path

import sympy as sm
from sympy.physics import mechanics as me

OUT = Path(__file__).resolve().parent.parent / "acceptance" / "data" / "sympy_kane.json"


def coordinates(names):
    return me.dynamicsymbols(names), me.dynamicsymbols([n + "_dot" for n in names])


def chain(n):
    """Uniform rods, absolute angles from the downward vertical; lengths and masses 1, g 9.8 as in models/chain."""
    q, u = coordinates([f"q{i + 1}" for i in range(n)])
    N = me.ReferenceFrame("N")
    end = me.Point("O")
    end.set_vel(N, 0)
    bodies, loads = [], []
    for i in range(n):
        A = N.orientnew(f"A{i}", "Axis", [q[i], N.z])
        A.set_ang_vel(N, u[i] * N.z)
        centre = end.locatenew(f"C{i}", -A.y / 2)
        centre.v2pt_theory(end, N, A)
        tip = end.locatenew(f"T{i}", -A.y)
        tip.v2pt_theory(end, N, A)
        bodies.append(me.RigidBody(f"B{i}", centre, A, 1, (me.inertia(A, 0, 0, sm.Rational(1, 12)), centre)))
        loads.append((centre, -sm.Float("9.8") * N.y))
        end = tip
    return q, u, [u[i] - q[i].diff() for i in range(n)], N, bodies, loads


def conveyor():
    q, u = coordinates(["q1", "q2"])
    N = me.ReferenceFrame("N")
    O = me.Point("O")
    O.set_vel(N, 0)
    bodies, loads, end = [], [], O
    for i in range(2):
        A = N.orientnew(f"A{i}", "Axis", [q[i], N.z])
        A.set_ang_vel(N, u[i] * N.z)
        tip = end.locatenew(f"T{i}", -A.y)
        tip.v2pt_theory(end, N, A)
        bodies.append(me.Particle(f"P{i}", tip, 1))
        loads.append((tip, -sm.Float("9.8") * N.y))
        end = tip
    return q, u, [u[i] - q[i].diff() for i in range(2)], N, bodies, loads


def sleigh():
    q = me.dynamicsymbols(["x", "y", "th"])
    u = me.dynamicsymbols(["u1", "u2", "u3"])
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q[2], N.z])
    A.set_ang_vel(N, u[2] * N.z)
    G = me.Point("G")
    G.set_vel(N, u[0] * A.x + u[1] * A.y)
    body = me.RigidBody("S", G, A, 1, (me.inertia(A, 0, 0, sm.Float("0.3")), G))
    kd = [u[0] - (sm.cos(q[2]) * q[0].diff() + sm.sin(q[2]) * q[1].diff()),
          u[1] - (-sm.sin(q[2]) * q[0].diff() + sm.cos(q[2]) * q[1].diff()), u[2] - q[2].diff()]
    return q, u, kd, N, [body], []


def top():
    m, J1, J3, l, g = 1, sm.Float("0.06"), sm.Float("0.02"), sm.Float("0.2"), sm.Float("9.81")
    q = me.dynamicsymbols(["ph", "th", "ps"])
    u = me.dynamicsymbols(["u1", "u2", "u3"])
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q[0], N.z])
    B = A.orientnew("B", "Axis", [q[1], A.x])
    C = B.orientnew("C", "Axis", [q[2], B.z])
    C.set_ang_vel(N, u[0] * B.x + u[1] * B.y + u[2] * B.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    G = O.locatenew("G", l * B.z)
    G.set_vel(N, me.cross(C.ang_vel_in(N), l * B.z))
    central = J1 - m * l**2
    body = me.RigidBody("T", G, C, m, (me.inertia(C, central, central, J3), G))
    kd = [u[0] - q[1].diff(), u[1] - q[0].diff() * sm.sin(q[1]), u[2] - q[2].diff() - q[0].diff() * sm.cos(q[1])]
    return q, u, kd, N, [body], [(G, -m * g * N.z)]


def bicycle():
    F = sm.Float
    w, c, lam, rR, rF, g = F("1.02"), F("0.08"), sm.pi / 10, F("0.3"), F("0.35"), F("9.81")
    q, u = coordinates(["x", "y", "z", "yaw", "lean", "pitch", "steer", "rear_turn", "front_turn"])
    N = me.ReferenceFrame("N")
    rates = dict(zip([x.diff() for x in q], u))

    def turned(frame, name, angle, rate, axis):
        new = frame.orientnew(name, "Axis", [angle, axis])
        new.set_ang_vel(frame, rate * axis)
        return new

    yaw = turned(N, "yaw", q[3], u[3], N.z)
    lean = turned(yaw, "lean", q[4], u[4], yaw.x)
    main = turned(lean, "main", q[5], u[5], lean.y)
    tilt = turned(main, "tilt", -lam, 0, main.y)
    fork = turned(tilt, "fork", q[6], u[6], tilt.z)
    head = turned(fork, "head", lam, 0, fork.y)
    rear = turned(lean, "rear", q[7], u[7], lean.y)
    front = turned(head, "front", q[8], u[8], head.y)
    P = me.Point("P")
    P.set_vel(N, u[0] * N.x + u[1] * N.y + u[2] * N.z)
    B = P.locatenew("B", F("0.3") * main.x + (F("0.9") - rR) * main.z)
    B.v2pt_theory(P, N, main)
    H0 = P.locatenew("H0", (w + c) * main.x - rR * main.z)
    H0.v2pt_theory(P, N, main)
    H = H0.locatenew("H", (F("0.9") - w - c) * head.x + F("0.7") * head.z)
    H.v2pt_theory(H0, N, head)
    W = H0.locatenew("W", -c * head.x + rF * head.z)
    W.v2pt_theory(H0, N, head)
    bodies = [
        me.RigidBody("R", P, rear, 2, (me.inertia(rear, F("0.0603"), F("0.12"), F("0.0603")), P)),
        me.RigidBody("B", B, main, 85, (me.inertia(main, F("9.2"), 11, F("2.8"), 0, 0, F("-2.4")), B)),
        me.RigidBody("H", H, head, 4,
                     (me.inertia(head, F("0.05892"), F("0.06"), F("0.00708"), 0, 0, F("0.00756")), H)),
        me.RigidBody("F", W, front, 3, (me.inertia(front, F("0.1405"), F("0.28"), F("0.1405")), W))]
    loads = [(body.masscenter, -body.mass * g * N.z) for body in bodies]
    del rates
    return q, u, [u[i] - q[i].diff() for i in range(9)], N, bodies, loads


def disk_ramp():
    """Example 1: along the ramp, turning against it, height above it."""
    q, u = coordinates(["q1", "q2", "q3"])
    N = me.ReferenceFrame("N")
    ramp = N.orientnew("R", "Axis", [sm.pi / 12, N.z])
    A = N.orientnew("A", "Axis", [-q[1], N.z])
    A.set_ang_vel(N, -u[1] * N.z)
    G = me.Point("G")
    G.set_vel(N, u[0] * ramp.x + u[2] * ramp.y)
    body = me.RigidBody("D", G, A, 1, (me.inertia(A, 0, 0, sm.Float("0.5")), G))
    return q, u, [u[i] - q[i].diff() for i in range(3)], N, [body], [(G, -sm.Float("9.8") * N.y)]


def fence():
    """Example 2: the place of the foot, q4, carries no inertia."""
    q, u = coordinates(["q1", "q2", "q3", "q4"])
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q[2], N.z])
    A.set_ang_vel(N, u[2] * N.z)
    G = me.Point("G")
    G.set_vel(N, u[0] * N.x + u[1] * N.y)
    body = me.RigidBody("D", G, A, 1, (me.inertia(A, 0, 0, sm.Float("0.125")), G))
    return q, u, [u[i] - q[i].diff() for i in range(4)], N, [body], [(G, -sm.Float("9.8") * N.y)]


def rolling_disk():
    """A free body: velocity of the centre and angular velocity in the world, a unit quaternion."""
    m, r, g = 2, sm.Float("0.5"), sm.Float("9.81")
    q = me.dynamicsymbols(["x", "y", "z", "qw", "qx", "qy", "qz"])
    u = me.dynamicsymbols(["vx", "vy", "vz", "wx", "wy", "wz"])
    N = me.ReferenceFrame("N")
    A = N.orientnew("A", "Quaternion", q[3:])
    A.set_ang_vel(N, u[3] * N.x + u[4] * N.y + u[5] * N.z)
    G = me.Point("G")
    G.set_vel(N, u[0] * N.x + u[1] * N.y + u[2] * N.z)
    body = me.RigidBody("D", G, A, m, (me.inertia(A, m * r**2 / 4, m * r**2 / 4, m * r**2 / 2), G))
    w, p = sm.Matrix(u[3:]), sm.Matrix(q[4:])
    turn = [-w.dot(p) / 2] + list((q[3] * w + w.cross(p)) / 2)
    kd = [u[i] - q[i].diff() for i in range(3)] + [turn[i] - q[3 + i].diff() for i in range(4)]
    return q, u, kd, N, [body], [(G, -m * g * N.z)]


QUATERNIONS = {"rolling/disk-3d.yaml": 3}  # where a unit quaternion begins among the coordinates
MODELS = {"disk-ramp/disk-ramp.yaml": disk_ramp, "fence/fence.yaml": fence, "rolling/disk-3d.yaml": rolling_disk,
          **{f"chain/chain-{n}.yaml": (lambda n=n: chain(n)) for n in (6, 8, 10)},
          "conveyor/conveyor.yaml": conveyor, "chain/chain-2.yaml": lambda: chain(2), "chain/chain-4.yaml": lambda: chain(4),
          "sleigh/body-speeds.yaml": sleigh, "top/top.yaml": top, "bicycle/whipple.yaml": bicycle}


def values(name):
    derive, quaternion = MODELS[name], QUATERNIONS.get(name)
    q, u, kd, N, bodies, loads = derive()
    kane = me.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=kd)
    kane.kanes_equations(bodies, loads or None)
    symbols = list(q) + list(u)
    plain = [sm.Symbol(f"s{i}") for i in range(len(symbols))]
    M = sm.lambdify(plain, kane.mass_matrix.xreplace(dict(zip(symbols, plain))), modules=["math", "sympy"], cse=True)
    f = sm.lambdify(plain, kane.forcing.xreplace(dict(zip(symbols, plain))), modules=["math", "sympy"], cse=True)
    rng = random.Random(12)
    states = []
    for _ in range(3):
        at = [round(rng.uniform(0.2, 1.2), 6) for _ in q] + [round(rng.uniform(-1.5, 1.5), 6) for _ in u]
        if quaternion is not None:
            size = math.sqrt(sum(x * x for x in at[quaternion:quaternion + 4]))
            at[quaternion:quaternion + 4] = [x / size for x in at[quaternion:quaternion + 4]]
        states.append({"q": at[:len(q)], "v": at[len(q):],
                       "mass_matrix": [[float(x) for x in row] for row in M(*at).tolist()],
                       "force": [float(row[0]) for row in f(*at).tolist()]})
    return states


def main():
    wanted = sys.argv[1:] or list(MODELS)
    document = json.loads(OUT.read_text()) if OUT.exists() else {}
    document["sympy"] = sm.__version__
    for name in wanted:
        document[name] = values(name)
        OUT.parent.mkdir(exist_ok=True)
        OUT.write_text(json.dumps(document, indent=1) + "\n")
        print(name, flush=True)


if __name__ == "__main__":
    main()
