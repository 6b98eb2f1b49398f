# SPDX-License-Identifier: Apache-2.0
"""URDF and MJCF as model files."""
import numpy as np
import pytest

import clack

PENDULUM = """<robot name="pendulum"><link name="world"/>
<link name="bob"><inertial><origin xyz="0 0 {z}"/><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="{type}"><parent link="world"/><child link="bob"/><origin xyz="0 0 1" rpy="{rpy}"/><axis xyz="{axis}"/>
<limit lower="{lower}" upper="{upper}" effort="0" velocity="0"/><dynamics damping="{damping}" friction="{friction}"/></joint></robot>"""


def imported(program, tmp_path, text, *options, name="robot.urdf"):
    (tmp_path / name).write_text(text)
    code, out, err = program("import", tmp_path / name, "-o", tmp_path / "robot.yaml", *options)
    assert code == 0, err
    return clack.load(tmp_path / "robot.yaml"), out


def pendulum(program, tmp_path, **changes):
    values = {"l": 0.5, "type": "revolute", "rpy": "0 0 0", "axis": "0 1 0", "lower": 0.3, "upper": 2, "damping": 0, "friction": 0, **changes}
    values["z"] = -values["l"]
    return imported(program, tmp_path, PENDULUM.format(**values))[0]


def swing(l, angle, until):
    """The physical pendulum by RK4: (I + m l^2) phi'' = -m g l sin(phi), I about y."""
    inertia = 0.2 + 2 * l * l
    y, h = np.array([angle, 0.0]), 1e-4
    f = lambda y: np.array([y[1], -2 * 9.81 * l * np.sin(y[0]) / inertia])
    for _ in range(round(until / h)):
        a = f(y)
        b = f(y + h / 2 * a)
        c = f(y + h / 2 * b)
        d = f(y + h * c)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
    return y


def test_a_hinge_swings_like_the_physical_pendulum(program, tmp_path):
    model = pendulum(program, tmp_path)  # starts at its lower limit, 0.3 rad, and would go on below zero
    run = clack.run(model, until=0.5)
    assert run.status == "done"
    assert run["gap_hinge.lower"].min() > -1e-9  # it rests on the limit: gravity pulls it there
    free = pendulum(program, tmp_path, lower=-2, upper=-0.3)  # from -0.3 towards zero: it starts at the upper limit
    assert clack.run(free, until=0.5).status == "done"


def test_axes_and_angles_are_those_of_the_file(program, tmp_path):
    # about x of a frame that is turned by 90 degrees about z: the motion about the world's y
    for changes in ({}, {"rpy": "0 0 1.5707963267948966", "axis": "1 0 0"}):
        model = pendulum(program, tmp_path, type="continuous", **changes)
        inertia = 0.2 if not changes else 0.1  # about the axis of the bob
        sim = clack.Simulation(model)
        assert sim.q[2] == pytest.approx(0.5)  # 1 m up, 0.5 m down
        sim.set_body_torque("bob", [0, 1.0, 0])
        sim.advance_until(1e-3)
        sim.advance_until(2e-3)
        # constant torque 1 N m on (I + m l^2), gravity of third order in t
        assert sim.v[4] == pytest.approx(2e-3 / (inertia + 2 * 0.25), rel=1e-4)


def test_it_starts_at_the_limit_and_falls_back_to_it(program, tmp_path):
    model = pendulum(program, tmp_path, lower=-1, upper=-0.5)  # starts at -0.5, gravity pulls towards zero: it stays
    run = clack.run(model, until=0.2)
    assert abs(run.q[-1] - run.q[0]).max() < 1e-8
    model = pendulum(program, tmp_path, l=-0.5, lower=0.3, upper=1)  # above the hinge: it falls away from 0.3 to 1
    run = clack.run(model, until=0.2)
    angle, _ = swing(-0.5, 0.3, 0.2)
    turned = 2 * np.arctan2(run["bob.qy"][-1], run["bob.qw"][-1])
    assert turned == pytest.approx(angle, abs=1e-7)


@pytest.mark.parametrize("name,options,until", [("arm.urdf", [], 0.3), ("biped.urdf", ["--ground", "--height", "0.53"], 0.12),
                                                ("hopper.xml", [], 0.3)])
def test_the_robots_run(program, root, tmp_path, name, options, until):
    code, out, err = program("import", root / "examples/robots" / name, "-o", tmp_path / "robot.yaml", *options)
    assert code == 0, err
    run = clack.run(clack.load(tmp_path / "robot.yaml"), until=until)
    assert run.status == "done", run.reason
    assert "imbalance" not in run.flags and run.energy.ledger_error < 1e-6
    if name != "arm.urdf":
        assert run.impacts  # it lands


def test_nothing_is_dropped_in_silence(program, root, tmp_path):
    _, out, _ = program("import", root / "examples/robots/arm.urdf", "-o", tmp_path / "a.yaml")
    for word in ("visual of link turret", "limits of effort and velocity of joint quill", "collisions of link tool", "flange is part of fore"):
        assert word in out, word
    _, out, _ = program("import", root / "examples/robots/hopper.xml", "-o", tmp_path / "h.yaml")
    assert "section actuator" in out and "light of body world" in out


def test_urdf_and_mjcf_give_the_same_motion(program, tmp_path):
    urdf = pendulum(program, tmp_path, type="continuous", damping=0.1, axis="0 1 0")
    first = clack.run(urdf, until=0.3)
    mjcf, _ = imported(program, tmp_path, """<mujoco model="pendulum"><worldbody><body name="bob" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping="0.1"/>
      <inertial pos="0 0 -0.5" mass="2" diaginertia="0.1 0.2 0.3"/></body></worldbody></mujoco>""", name="p.xml")
    assert clack.run(mjcf, until=0.3).to_csv() == first.to_csv()


def test_friction_holds_a_torque_up_to_its_size(program, tmp_path):
    model = pendulum(program, tmp_path, type="continuous", axis="0 0 1", friction=0.05)  # upright: no weight about the axis
    sim = clack.Simulation(model)
    sim.set_body_torque("bob", [0, 0, 0.04])
    sim.advance_until(0.4)
    angle = 7  # behind the seven coordinates of the body
    assert abs(sim.q[angle]) < 1e-20 and sim.statuses["hinge.friction"] == "stick"
    sim.set_body_torque("bob", [0, 0, 0.11])
    sim.advance_until(0.9)  # (0.11 - 0.05)/0.3 rad/s2 for 0.5 s
    assert sim.q[angle] == pytest.approx(0.025, abs=1e-10)
    mjcf, _ = imported(program, tmp_path, """<mujoco><worldbody><body name="bob" pos="0 0 1"><joint name="hinge" axis="0 0 1" frictionloss="0.05"/>
      <inertial pos="0 0 -0.5" mass="2" diaginertia="0.1 0.2 0.3"/></body></worldbody></mujoco>""", name="p.xml")
    assert clack.Simulation(mjcf).statuses["hinge.friction"] == "stick"


def test_several_joints_of_a_body_follow_one_another(program, tmp_path):
    model, out = imported(program, tmp_path, """<mujoco><worldbody><body name="bob"><joint name="x" axis="1 0 0" damping="0.1" range="-90 90"/>
      <joint name="y" axis="0 1 0"/><inertial pos="0.3 0.1 -0.5" mass="2" diaginertia="0.1 0.2 0.3"/></body></worldbody></mujoco>""", name="p.xml")
    assert "body bob has several joints" in out
    run = clack.run(model, until=1)
    assert run.status == "done", run.reason
    assert run.energy.ledger_error < 1e-7 and abs(run["x.angle"][-1]) > 0.1 and abs(run["y.angle"][-1]) > 0.1


def test_a_planar_joint_keeps_its_plane(program, tmp_path):
    text = """<robot name="puck"><link name="world"/><link name="puck"><inertial><mass value="1"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="table" type="planar"><parent link="world"/><child link="puck"/><origin rpy="0.5 0 0"/><axis xyz="0 0 1"/></joint></robot>"""
    model, _ = imported(program, tmp_path, text)
    run = clack.run(model, until=1)
    normal = np.array([0, -np.sin(0.5), np.cos(0.5)])
    assert abs(run.q[:, :3] @ normal).max() < 1e-9
    assert np.linalg.norm(run.q[-1, :3]) == pytest.approx(9.81 * np.sin(0.5) / 2, rel=1e-8)


@pytest.mark.parametrize("text", ["", "hello", "<robot", "<robot name='x'/>", "<mujoco/>", "<mujoco><worldbody><body><joint axis='0 0 0'/></body></worldbody></mujoco>",
                                  "<mujoco><worldbody><body><joint/><geom size='a'/></body></worldbody></mujoco>",
                                  "<robot name='x'><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>"])
def test_bad_files_are_refused(program, tmp_path, text):
    (tmp_path / "bad.xml").write_text(text)
    code, _, err = program("import", tmp_path / "bad.xml", "-o", tmp_path / "x.yaml")
    assert code == 2 and err.startswith("error: ") and "\nhelp: " in err
    assert not (tmp_path / "x.yaml").exists()
