# SPDX-License-Identifier: Apache-2.0
"""Runs the program on a model document and reads what it leaves."""
import csv
import json
import os
import resource
import shutil
import subprocess
import tempfile

SECONDS = 30  # of processor time; longer counts as a hang


class Outcome:
    """How a run ended: `exit_code` (None: hang, negative: signal), document, rows by column name."""

    def __init__(self):
        self.exit_code, self.errors, self.document = None, "", {}
        self.columns, self.rows, self.contact_rows = [], [], []

    @property
    def status(self):
        return self.document.get("status", "")

    def column(self, name):
        at = self.columns.index(name)
        return [row[at] for row in self.rows]


def read_table(path):
    if not os.path.exists(path):
        return [], []
    with open(path, newline="") as file:
        lines = list(csv.reader(file))
    return lines[0], lines[1:]


def numbers(fields):
    return [float(f) if f else float("nan") for f in fields]


def run(program, model, options=(), seconds=SECONDS, rows=True):
    outcome = Outcome()
    folder = tempfile.mkdtemp(prefix="clack-random-")
    try:
        path = os.path.join(folder, "model.yaml")
        with open(path, "w") as file:
            json.dump(model, file)

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        try:
            done = subprocess.run([program, "run", path, "--out", os.path.join(folder, "out"), *options],
                                  capture_output=True, text=True, preexec_fn=limit, timeout=20 * seconds,
                                  errors="replace")
        except subprocess.TimeoutExpired:
            return outcome
        outcome.errors = done.stderr.strip()
        if done.returncode in (-24, -9):  # SIGXCPU
            return outcome
        outcome.exit_code = done.returncode
        out = os.path.join(folder, "out")
        if os.path.exists(os.path.join(out, "events.json")):
            with open(os.path.join(out, "events.json")) as file:
                outcome.document = json.load(file)
        if rows:
            outcome.columns, lines = read_table(os.path.join(out, "trace.csv"))
            outcome.rows = [numbers(line) for line in lines]
            head, lines = read_table(os.path.join(out, "contacts.csv"))
            outcome.contact_rows = [dict(zip(head, line)) for line in lines]
        return outcome
    finally:
        shutil.rmtree(folder, ignore_errors=True)
