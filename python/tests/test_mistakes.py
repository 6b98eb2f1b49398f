# SPDX-License-Identifier: Apache-2.0
"""Errors have the two lines of the command line; nothing that is given crashes."""
import inspect
import os
import signal
import threading

import numpy as np
import pytest

import clack

BALL = {
    "clack": 1,
    "gravity": [0, -9.81],
    "bodies": {
        "ball": {"mass": 1, "inertia": 0.1, "position": [0, 1.1], "shape": {"disk": {"radius": 0.1}}},
        "floor": {"fixed": True, "shape": {"half-plane": {"normal": np.array([0, 1])}}},
    },
    "contacts": {"floor": {"between": ["ball", "floor"], "restitution": np.float64(0.5)}},
    "run": {"until": 1.0},
}


def test_a_model_from_a_dictionary_is_the_model_of_the_file(root):
    run = clack.run(clack.Model.from_dict(BALL))
    assert run.impacts[0].t == pytest.approx((2 / 9.81) ** 0.5, abs=1e-9)
    import json
    plain = json.loads(json.dumps(BALL, default=lambda x: x.tolist()))
    text = clack.Model.from_text(json.dumps(plain))
    assert clack.run(text).to_csv() == run.to_csv()


def test_the_same_two_lines_as_the_command_line(program, tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("clack: 1\nbodies:\n  ball: {mass: -1}\n")
    code, _, text = program("run", file)
    assert code == 2
    with pytest.raises(clack.ModelError) as error:
        clack.load(file)
    assert str(error.value) == text.strip()
    assert error.value.where.startswith(str(file) + ":3:") and error.value.remedy
    code, _, text = program("run", tmp_path / "none.yaml")
    with pytest.raises(clack.InputError) as error:
        clack.load(tmp_path / "none.yaml")
    assert str(error.value) == text.strip()


def test_the_place_in_a_dictionary_is_the_way_to_it():
    wrong = {**BALL, "contacts": {"floor": {"between": ["ball", "floor"], "restitution": 1.4}}}
    with pytest.raises(clack.ModelError) as error:
        clack.Model.from_dict(wrong)
    assert error.value.where == "contacts.floor.restitution" and "1.4" in error.value.what
    with pytest.raises(clack.ModelError) as error:
        clack.Model.from_dict({**BALL, "conacts": {}})
    assert "contacts" in error.value.remedy


@pytest.mark.parametrize("value", [object(), {1: 2}, float("nan"), 1j, b"x", lambda: 1])
def test_values_that_no_model_has(value):
    with pytest.raises(clack.InputError):
        clack.Model.from_dict({**BALL, "gravity": [0, value]})


def test_a_dictionary_that_contains_itself():
    data = dict(BALL)
    data["bodies"] = data
    with pytest.raises(clack.InputError):
        clack.Model.from_dict(data)


def test_wrong_names(woodpecker):
    with pytest.raises(clack.ModelError):
        clack.load(woodpecker, mo=0.3)
    run = clack.run(clack.load(woodpecker), until=0.1)
    with pytest.raises(clack.InputError) as error:
        run["phi_X"]
    assert "phi_" in error.value.remedy
    for wrong in (lambda: run.forces("nobody"), lambda: run[3], lambda: clack.run(7), lambda: clack.run(clack.load(woodpecker), theory="none")):
        with pytest.raises(clack.InputError):
            wrong()


def test_wrong_shapes_and_numbers():
    I = np.eye(2)
    for wrong in (
        lambda: clack.solve_lcp(I, [1, 2, 3]), lambda: clack.solve_lcp([1, 2], [1, 2]), lambda: clack.solve_lcp(I, [np.nan, 1]),
        lambda: clack.solve_lcp(I, [1, 2], solver="none"), lambda: clack.solve_lcp("x", [1]),
        lambda: clack.solve_friction(I, [1, 2, 3], [0.3], dimension=2), lambda: clack.solve_friction(I, [1, np.inf], [0.3], dimension=2),
        lambda: clack.solve_friction(I, [1, 2], [-1], dimension=2), lambda: clack.projector(I, np.ones((1, 3))),
        lambda: clack.projector(-I, np.ones((1, 2))), lambda: clack.projector(I, [[np.nan, 1]]),
        lambda: clack.impact(I, [0, -1, 0], []), lambda: clack.impact(I, [0, np.nan], []), lambda: clack.impact(I, [0, -1], [{"norml_row": [0, 1]}]),
        lambda: clack.impact(I, [0, -1], [3]), lambda: clack.impact(I, [0, -1], [{"normal_row": [0, 1]}], law="none"),
        lambda: clack.contact(I, [0, 0], [0], []),
    ):
        with pytest.raises(clack.InputError):
            wrong()


def test_single_questions():
    after = clack.impact(np.diag([1, 1, 0.5]), [4, -1, 0],
                         [{"normal_row": [0, 1, 0], "tangent_rows": [[1, 0, 1]], "dynamic_friction": 0.2, "restitution": 0.5}])
    assert after.velocity[1] == pytest.approx(0.5) and isinstance(after.velocity, np.ndarray)
    now = clack.contact(np.eye(2), [0, 0], [1, -9.81], [{"normal_row": [0, 1], "tangent_rows": [[1, 0]], "dynamic_friction": 0.5}])
    assert now.contacts[0].status == "stick"
    assert np.allclose(clack.solve_lcp([[2, 1], [1, 2]], [-5, -6]).z, [4 / 3, 7 / 3])
    assert np.allclose(clack.solve_friction(np.eye(2), [-1, 2], [0.3], dimension=2).reaction, [1, -0.3])
    found = clack.projector(np.diag([1.0, 3.0]), [[1, 1]])
    assert found.rank == 1 and np.allclose(found.S @ found.S, found.S)


def test_an_exception_in_a_callback_ends_the_run(woodpecker):
    def refuse(t):
        raise ZeroDivisionError("in the callback")

    with pytest.raises(ZeroDivisionError):
        clack.run(clack.load(woodpecker), until=3, progress=refuse)
    assert clack.run(clack.load(woodpecker), until=0.1).status == "done"


def test_ctrl_c_stops_a_long_run(woodpecker):
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        clack.run(clack.load(woodpecker), until=1e5)


def test_everything_has_a_docstring_and_the_stub_names_everything(root):
    for name in clack.__all__:
        thing = getattr(clack, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__ != "clack._clack":
            for member, value in vars(thing).items():
                if not member.startswith("_") and (callable(value) or isinstance(value, (property, staticmethod))):
                    assert inspect.getdoc(getattr(thing, member)), f"{name}.{member}"
    stub = (root / "python/clack/_clack.pyi").read_text()
    core = clack._clack
    for name in dir(core):
        if name.startswith("_"):
            continue
        assert name in stub, name
        if inspect.isclass(getattr(core, name)):
            for member in vars(getattr(core, name)):
                assert member.startswith("_") or f" {member}" in stub, f"{name}.{member}"
