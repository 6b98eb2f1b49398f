# SPDX-License-Identifier: Apache-2.0
"""Seconds that SymPy needs to form the equations of a free chain of N rods by KanesMethod, then to embed the row of its tip:
recombination with D, gamma, T^T M T and T^T (f - M gamma), and lambdify with cse.

    python3 bench/sympy_recombination.py N
"""
import sys
import time

import sympy as sm
import sympy.physics.mechanics as me


def free_chain(n):
    g = sm.Integer(98) / 10
    q = me.dynamicsymbols(f"q1:{n + 1}")
    u = me.dynamicsymbols(f"u1:{n + 1}")
    world = me.ReferenceFrame("N")
    joint = me.Point("O")
    joint.set_vel(world, 0)
    bodies, loads = [], []
    for k in range(n):
        frame = world.orientnew(f"A{k}", "Axis", [q[k], world.z])
        frame.set_ang_vel(world, u[k] * world.z)
        centre = joint.locatenew(f"G{k}", -frame.y / 2)
        centre.v2pt_theory(joint, world, frame)
        tip = joint.locatenew(f"P{k}", -frame.y)
        tip.v2pt_theory(joint, world, frame)
        inertia = me.inertia(frame, 0, 0, sm.Rational(1, 12))
        bodies.append(me.RigidBody(f"B{k}", centre, frame, 1, (inertia, centre)))
        loads.append((centre, -g * world.y))
        joint = tip
    rates = [a.diff() - b for a, b in zip(q, u)]
    kane = me.KanesMethod(world, q_ind=q, u_ind=u, kd_eqs=rates)
    kane.kanes_equations(bodies, loads)
    return q, u, kane.mass_matrix, kane.forcing


def embed(q, u, mass, force):
    n = len(q)
    row = sm.Matrix([[sm.sin(a) for a in q]])
    pivot = row[n - 1]
    dependence = -row[:, : n - 1] / pivot
    gamma = -sum(sm.cos(a) * b**2 for a, b in zip(q, u)) / pivot
    last = (dependence * sm.Matrix(u[: n - 1]))[0]
    transform = sm.eye(n - 1).col_join(dependence)
    embedded_mass = transform.T * mass * transform
    embedded_force = transform.T * (force - mass[:, n - 1] * gamma)
    embedded_force = embedded_force.subs(u[n - 1], last)
    return sm.lambdify(list(q) + list(u[: n - 1]), [embedded_mass, embedded_force], cse=True)


def main():
    begin = time.process_time()
    equations = free_chain(int(sys.argv[1]))
    formed = time.process_time()
    embed(*equations)
    print(formed - begin, time.process_time() - formed)


main()
