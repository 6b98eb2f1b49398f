#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs over the executor, as ratios within one run (scripts/bench python).

  clack.run       the whole call over the time that the executor takes inside of the same call; at most 1.05 is wanted
  step(1e-3)      the whole run in steps of a millisecond, over clack.run; at most 3
  columns         asking for a column of a trace of 10^6 rows over asking for one of 10^3; about 1: a view, whatever its length

Each figure is the median of rounds that go by turns, the first by the clock, the others in processor time, so that a machine
with other work to do tells nearly the same.
"""
import pathlib
import statistics
import time

import clack

root = pathlib.Path(__file__).resolve().parent.parent
woodpecker = clack.load(root / "models/woodpecker/three-dof.yaml")
until, step, rounds = 3.0, 1e-3, 41
three_seconds = clack.load(root / "models/woodpecker/three-dof.yaml", settings={"run.until": until})


def seconds(action, clock=time.process_time):
    begin = clock()
    result = action()
    return clock() - begin, result


def steps():
    sim = clack.Simulation(three_seconds)
    for _ in range(round(until / step)):
        sim.step(step)
    return sim


over_executor, over_run, whole = [], [], []
for _ in range(rounds):
    by_the_clock, run = seconds(lambda: clack.run(woodpecker, until=until), time.perf_counter)
    over_executor.append(by_the_clock / run.wall_seconds)
    one, run = seconds(lambda: clack.run(woodpecker, until=until))
    many, sim = seconds(steps)
    assert abs(sim.time - until) < 1e-9
    over_run.append(many / one)
    whole.append(one)
print(f"clack.run, {until:g} s of the woodpecker: {1e3 * statistics.median(whole):.2f} ms")
print(f"  over the executor alone {statistics.median(over_executor):.3f} (1.05 wanted)")
print(f"  loop of step({step:g}) over clack.run {statistics.median(over_run):.2f} (3 wanted)")

ball = clack.load(root / "models/bouncing-ball/bouncing-ball.yaml")
asked = {}
for rows in (1_000, 1_000_000):
    run = clack.run(ball, until=2, sample=2 / rows)
    times = [seconds(lambda: (run["y"], run.t, run.q))[0] for _ in range(2001)]
    asked[len(run)] = statistics.median(times)
for rows, taken in asked.items():
    print(f"three columns of {rows} rows as arrays: {1e6 * taken:.1f} us")
small, large = asked.values()
print(f"  ratio {large / small:.2f} (O(1): about 1 wanted)")
