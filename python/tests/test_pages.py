# SPDX-License-Identifier: Apache-2.0
"""The blocks of the page about Python, and the examples, run."""
import re
import runpy

import clack


def test_the_page_about_python(root, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").symlink_to(root / "models")
    page = (root / "docs/tasks/use-from-python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(blocks) >= 6
    names = {}
    for block in blocks:
        exec(compile(block, "use-from-python.md", "exec"), names)
    shown = capsys.readouterr().out
    assert "error: " in shown and "help: " in shown and "stick" in shown
    assert (tmp_path / "woodpecker.html").stat().st_size > 10000
    assert (tmp_path / "out/woodpecker/trace.csv").read_text() == names["table"]


def test_the_environment_for_reinforcement_learning(root, capsys):
    runpy.run_path(str(root / "examples/python/pole_environment.py"), run_name="__main__")
    assert "stood for 500 steps" in capsys.readouterr().out
    environment = runpy.run_path(str(root / "examples/python/pole_environment.py"))["PoleEnvironment"](seed=3)
    first, _ = environment.reset(seed=5)
    trace = [environment.step(0.3)[0] for _ in range(20)]
    again, _ = environment.reset(seed=5)
    assert (first == again).all() and all((a == environment.step(0.3)[0]).all() for a in trace)
    assert clack.__version__
