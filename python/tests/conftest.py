# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def root():
    """The folder of the sources."""
    return ROOT


@pytest.fixture
def woodpecker():
    return ROOT / "models/woodpecker/three-dof.yaml"


@pytest.fixture
def program():
    """Runs the command line: (exit code, stdout, stderr)."""
    def call(*arguments, cwd=ROOT):
        done = subprocess.run([os.environ["CLACK_PROGRAM"], *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout, done.stderr
    return call
