# SPDX-License-Identifier: Apache-2.0
import random

import numpy as np
import pytest

import clack

PENDULUM = {
    "clack": 1,
    "parameters": {"m": 1, "l": 1, "g": 9.81},
    "inputs": {"torque": 0},
    "coordinates": {"phi": 0.2},
    "mass_matrix": [["m*l^2"]],
    "force": ["m*g*l*sin(phi) + torque"],
    "run": {"until": 10},
}


def test_a_sampled_controller_is_an_event_per_change():
    sim = clack.Simulation(clack.Model.from_dict(PENDULUM))
    for k in range(1, 301):
        phi, rate = sim.q[0], sim.v[0]
        sim.set_input("torque", -30 * phi - 6 * rate)
        sim.advance_until(0.01 * k)
    assert abs(sim.q[0]) < 1e-4 and sim.time == 3.0
    assert sim.input("torque") != 0 and sim.event_count >= 299
    assert abs(sim.energy.check) < 1e-8


# A woodpecker, a rocking block, and bodies in space.
CUT = ["models/woodpecker/three-dof.yaml", "models/rocking-block/planar.yaml", "models/corner/sphere.yaml"]


@pytest.mark.parametrize("which", range(3))
def test_cut_saved_restored_and_cloned_runs_have_equal_bits(root, which):
    model = clack.load(root / CUT[which])
    until = min(model.until, 0.5)
    whole = clack.Simulation(model)
    whole.advance_until(until)
    expected = whole.run().to_csv(), whole.state
    chance = random.Random(which)
    times = sorted(chance.uniform(0, until) for _ in range(1000))
    cut = clack.Simulation(model)
    kept = clack.Simulation(model)  # goes on from saved states only
    for t in times:
        cut.advance_until(t)
        kept.restore(cut.save())
        cut = cut.clone()
    cut.advance_until(until)
    kept.advance_until(until)
    assert cut.run().to_csv() == expected[0]
    assert np.array_equal(cut.q, expected[1][0]) and np.array_equal(kept.q, expected[1][0]) and np.array_equal(kept.v, expected[1][1])


def test_looking_and_statuses(woodpecker):
    sim = clack.Simulation(clack.load(woodpecker))
    assert sim.statuses["lower"] == "slip" and sim.look().contacts["lower"].normal_force > 0
    assert sim.forces("lower")[0] == sim.look().contacts["lower"].normal_force
    assert sim.advance_to_next_event() and sim.time == pytest.approx(0.0216363, abs=1e-6)
    assert sim.events[-1].kind == "stick" and not sim.is_over and sim.stop_reason is None
    sim.stop()
    assert sim.is_over


def test_mistakes_leave_the_simulation_as_it_was():
    sim = clack.Simulation(clack.Model.from_dict(PENDULUM))
    other = clack.Simulation(clack.Model.from_dict({**PENDULUM, "coordinates": {"phi": 0.2, "x": 0},
                                                    "mass_matrix": [[1, 0], [0, 1]], "force": ["torque", 0]}))
    for wrong in (lambda: sim.set_input("tork", 1), lambda: sim.set_input("torque", float("nan")), lambda: sim.advance_until(float("nan")),
                  lambda: sim.step(float("inf")), lambda: sim.restore(7), lambda: sim.restore(other.save()), lambda: sim.switch_constraint("x", True),
                  lambda: sim.set_force("nobody", 1), lambda: sim.forces("nobody"), lambda: sim.set_body_force("nobody", [1, 2])):
        with pytest.raises(clack.InputError):
            wrong()
    sim.step(0.1)
    assert sim.time == 0.1


def test_forces_hold_until_they_are_set_again():
    sim = clack.Simulation(clack.Model.from_dict({"clack": 1, "bodies": {"puck": {"mass": 2, "inertia": 1, "position": [0, 0]}}, "run": {"until": 9}}))
    sim.set_body_force("puck", [4, 0])
    sim.set_body_torque("puck", 3)
    sim.advance_until(1)
    sim.set_body_force("puck", [0, 0])
    sim.advance_until(2)
    assert sim.v == pytest.approx([2, 0, 6]) and sim.q[0] == pytest.approx(3)


def test_a_loop_of_steps_costs_little_more_than_the_run(woodpecker):
    import time
    model = clack.load(woodpecker)

    def seconds(action):
        best = np.inf
        for _ in range(5):
            begin = time.process_time()
            action()
            best = min(best, time.process_time() - begin)
        return best

    def steps():
        sim = clack.Simulation(model)
        for _ in range(500):
            sim.step(1e-3)

    assert seconds(steps) < 3 * seconds(lambda: clack.run(model, until=0.5))  # 1.3 was measured
