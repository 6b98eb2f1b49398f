# SPDX-License-Identifier: Apache-2.0
import gc
import resource
import threading

import numpy as np
import pytest

import clack

def gallery(root):
    return sorted(p for p in (root / "models").rglob("*.yaml"))


def test_columns_are_views_of_one_memory(woodpecker):
    run = clack.run(clack.load(woodpecker), until=0.3)
    assert run.t.base is not None and not run.t.flags.owndata and not run.rows.flags.writeable
    assert np.shares_memory(run.rows, run["phi_S"]) and np.shares_memory(run.rows, run.q) and np.shares_memory(run.rows, run.v)
    assert run.forces("lower").shape == (len(run), 2) and np.shares_memory(run.rows, run.forces("lower"))
    assert np.array_equal(run.forces("lower")[:, 0], run["normal_lower"])
    assert run.q.shape == (len(run), 3) and np.array_equal(run.q[:, 2], run["phi_S"])
    with pytest.raises(ValueError):
        run.t[0] = 1.0


def test_views_outlive_their_run(woodpecker):
    run = clack.run(clack.load(woodpecker), until=0.3)
    kept = run["phi_S"]
    expected = kept.copy()
    del run
    gc.collect()
    clack.run(clack.load(woodpecker), until=0.3)
    assert np.array_equal(kept, expected)


def test_events_impacts_energy_are_those_of_the_command_line(woodpecker, program, tmp_path):
    run = clack.run(clack.load(woodpecker), until=0.3)
    code, _, _ = program("run", woodpecker, "--until", "0.3", "--out", tmp_path / "out")
    assert code == 0
    run.save(tmp_path / "mine")
    for name in ("trace.csv", "events.json", "model.yaml", "report.html"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "mine" / name).read_bytes(), name
    assert run.events[0].kind == "start" and run.events[-1].kind == "end" and run.events[0].from_["lower"] == "open"
    assert [i.t for i in run.impacts] == [e.t for e in run.events if e.kind == "impact"]
    assert run.impacts[0].v_before.shape == (3,)
    assert run.energy.dissipated > 0 and run.energy["dissipated"] == run.energy.dissipated
    assert run.status == "done" and run.flags == []


def test_the_cycle_of_the_woodpecker(woodpecker):
    run = clack.run(clack.load(woodpecker), until=3)
    assert run.cycle.period == pytest.approx(0.146, abs=2e-3)


@pytest.mark.parametrize("part", range(4))
def test_trace_csv_has_the_same_bytes_as_from_the_command_line(root, program, tmp_path, part):
    compared = 0
    for path in gallery(root)[part::4]:
        code, _, text = program("run", path, "--out", tmp_path / "out")  # each to its own end
        if code == 2:  # a model that is refused is refused here as well
            with pytest.raises(clack.InputError) as refused:
                clack.run(path)
            assert str(refused.value) == text.strip()
            continue
        run = clack.run(path)
        assert (run.status == "done") == (code == 0), path
        assert run.to_csv().encode() == (tmp_path / "out" / "trace.csv").read_bytes(), path
        compared += 1
    assert compared >= 10


def test_settings_are_those_of_the_command_line(woodpecker, program, tmp_path):
    run = clack.run(clack.load(woodpecker, mu=0.25), until=0.2, theory="newton", tolerance=1e-8)
    assert run.theory == "newton"
    program("run", woodpecker, "--until", "0.2", "--theory", "newton", "--tolerance", "1e-8", "--set", "mu=0.25", "--out", tmp_path)
    assert run.to_csv().encode() == (tmp_path / "trace.csv").read_bytes()
    assert clack.load(woodpecker, settings={"phi_S_0": -0.2}).with_settings(mu="1/4").parameters["mu"] == 0.25


def test_the_same_settings_again_read_no_model_again(woodpecker):
    model = clack.load(woodpecker)
    first, again, other = (clack.run(model, until=0.3, mu=mu) for mu in (0.3, 0.3, 0.2))
    assert again.model is first.model and other.model is not first.model
    assert other.model.parameters["mu"] == 0.2 and first.model.parameters["mu"] == 0.3
    assert np.array_equal(first.q, again.q)


def test_threads_give_equal_bits(woodpecker):
    model = clack.load(woodpecker)
    expected = clack.run(model, until=0.3).to_csv()
    found = []
    threads = [threading.Thread(target=lambda: found.append(clack.run(model, until=0.3).to_csv())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_runs_in_a_loop_do_not_grow_memory(root):
    model = clack.load(root / "models/bouncing-ball/bouncing-ball.yaml", settings={"run.until": 0.01})

    def go(count):
        for _ in range(count):
            run = clack.run(model)
            assert run.t[-1] == 0.01 and len(run.events) >= 2
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # kB

    first = go(500)
    assert go(10000) - first < 4000  # a leak of one trace per run, 1000 rows of 10 numbers, would be 200 MB


def test_reading_a_million_rows_costs_nothing(woodpecker):
    import time
    run = clack.run(clack.load(woodpecker), until=0.2, settings={"run.sample": 2e-7})
    assert len(run) > 1e6
    run.rows, run.columns  # made once
    begin = time.perf_counter()
    for _ in range(1000):
        run.t, run["phi_S"], run.q
    assert time.perf_counter() - begin < 1.0  # three copies of a million numbers, 1000 times, would be seconds


def test_pandas_plots_and_notebooks(woodpecker, tmp_path):
    run = clack.run(clack.load(woodpecker), until=0.2)
    page = run._repr_html_()
    assert "<svg" in page and "detach" in page
    run.report(tmp_path / "x.html")
    assert (tmp_path / "x.html").read_text() == run.report()
    try:
        import pandas  # noqa: F401
    except ImportError:
        with pytest.raises(clack.InputError):
            run.to_pandas()
    else:
        frame = run.to_pandas()
        assert list(frame.columns) == run.columns and np.array_equal(frame["phi_S"], run["phi_S"])
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        with pytest.raises(clack.InputError):
            run.plot()
    else:
        assert len(run.plot("phi_S", "y_M").lines) == 2
