// SPDX-License-Identifier: Apache-2.0
// Cost of a step, of dense output and of event location. Run: build/.../integrate_bench
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <string>

#include "clack/integrate/integrator.hpp"
#include "clack/integrate/root_finding.hpp"

namespace {

using clack::RightHandSide;
using clack::Sample;
using clack::StepStatus;

/// Three oscillators, six numbers: about the size of a small mechanism.
const RightHandSide oscillators{[](void*, double, const double* y, double* rate) {
                                  for (int i = 0; i < 3; ++i) {
                                    rate[i] = y[i + 3];
                                    rate[i + 3] = -(1.0 + 2.0 * i) * y[i] - 0.01 * y[i + 3];
                                  }
                                },
                                nullptr};
const std::array<double, 6> oscillators_start = {1.0, 0.5, 0.2, 0.0, 0.0, 0.0};

const RightHandSide kepler{[](void*, double, const double* y, double* rate) {
                             const double square = y[0] * y[0] + y[1] * y[1];
                             const double cube = square * std::sqrt(square);
                             rate[0] = y[2];
                             rate[1] = y[3];
                             rate[2] = -y[0] / cube;
                             rate[3] = -y[1] / cube;
                           },
                           nullptr};
const std::array<double, 4> kepler_start = {0.5, 0.0, 0.0, 1.7320508075688772};

/// Time per step and counts for 100 time units at tolerance 1e-9.
void run(benchmark::State& state, const char* name, RightHandSide f, std::span<const double> start,
         bool with_dense) {
  auto integrator = clack::make_integrator(
      name, {.relative_tolerance = 1e-9, .absolute_tolerance = 1e-9, .fixed_step = 0.01});
  std::array<double, 8> y{};
  long steps = 0, evaluations = 0, rejected = 0;
  for (auto _ : state) {
    integrator->reset(f, 0.0, start, 0.0);
    while (integrator->time() < 100.0) {
      if (integrator->step(100.0) != StepStatus::ok) return state.SkipWithError("step failed");
      if (with_dense) integrator->dense(integrator->time(), y);
    }
    steps += integrator->counts().accepted;
    rejected += integrator->counts().rejected;
    evaluations += integrator->counts().evaluations;
  }
  const double runs = static_cast<double>(state.iterations());
  state.counters["steps"] = static_cast<double>(steps) / runs;
  state.counters["rejected"] = static_cast<double>(rejected) / runs;
  state.counters["evaluations"] = static_cast<double>(evaluations) / runs;
  state.counters["per_step"] = benchmark::Counter(
      static_cast<double>(steps), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(run, oscillators_dop853, "dop853", oscillators, oscillators_start, false);
BENCHMARK_CAPTURE(run, oscillators_dop853_dense, "dop853", oscillators, oscillators_start, true);
BENCHMARK_CAPTURE(run, oscillators_dopri5, "dopri5", oscillators, oscillators_start, false);
BENCHMARK_CAPTURE(run, oscillators_rk4, "rk4", oscillators, oscillators_start, false);
BENCHMARK_CAPTURE(run, oscillators_cvode, "cvode", oscillators, oscillators_start, false);
BENCHMARK_CAPTURE(run, kepler_dop853, "dop853", kepler, kepler_start, false);
BENCHMARK_CAPTURE(run, kepler_dopri5, "dopri5", kepler, kepler_start, false);
BENCHMARK_CAPTURE(run, kepler_cvode, "cvode", kepler, kepler_start, false);

void certificate(benchmark::State& state) {
  Sample a{1.0, -0.3}, b{0.9, 0.2};
  for (auto _ : state) {
    benchmark::DoNotOptimize(a);
    benchmark::DoNotOptimize(clack::certainly_positive(a, 1.0, b, 1.1, 0.4));
  }
}
BENCHMARK(certificate);

void falling_root(benchmark::State& state) {
  long samples = 0;
  const auto f = [&](double t) { return ++samples, Sample{std::cos(t), -std::sin(t)}; };
  for (auto _ : state)
    benchmark::DoNotOptimize(clack::first_falling_root(f, 1.0, f(1.0), 1.7, f(1.7), {}));
  state.counters["samples"] =
      static_cast<double>(samples) / static_cast<double>(state.iterations());
}
BENCHMARK(falling_root);

void graze(benchmark::State& state) {
  long samples = 0;
  const auto f = [&](double t) {
    return ++samples, Sample{(t - 1.0) * (t - 1.0) - 1e-9, 2.0 * (t - 1.0)};
  };
  for (auto _ : state)
    benchmark::DoNotOptimize(clack::first_falling_root(f, 0.1, f(0.1), 2.2, f(2.2), {}));
  state.counters["samples"] =
      static_cast<double>(samples) / static_cast<double>(state.iterations());
}
BENCHMARK(graze);

}  // namespace

BENCHMARK_MAIN();
