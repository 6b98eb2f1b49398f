// SPDX-License-Identifier: Apache-2.0
// One impact by law poisson or newton: the claim is under 3 microseconds with two contacts. Law
// energetic beside poisson and a march of 10 000 equal increments on the same problems: one point 2,
// the ball in a corner (two points, three stretches) 20, five balls (four events) 60 microseconds.
#include <benchmark/benchmark.h>

#include "clack/contact/random_system.hpp"
#include "clack/impact/energetic.hpp"
#include "clack/impact/newton.hpp"
#include "clack/impact/planar_scene.hpp"
#include "clack/impact/poisson.hpp"

namespace {

/// `contacts` corners of a planar body (three speeds), all approaching and sliding.
clack::ImpactProblem approaching(int contacts) {
  clack::testing::RandomSystem random(11);
  auto problem =
      random.system<clack::ImpactProblem>(contacts < 3 ? 3 : 2 * contacts, contacts, 2, 0.4);
  for (int i = 0; i < contacts; ++i)
    if (problem.normal_jacobian.row(i).dot(problem.velocity) > 0.0)
      problem.normal_jacobian.row(i) *= -1.0;
  return problem;
}

template <class Law>
void impact(benchmark::State& state) {
  const clack::ImpactProblem problem = approaching(state.range(0));
  const Law law;
  for (auto _ : state) benchmark::DoNotOptimize(law.resolve(problem).velocity.data());
}
BENCHMARK_TEMPLATE(impact, clack::PoissonLaw)->Arg(1)->Arg(2)->Arg(4)->Arg(8);
BENCHMARK_TEMPLATE(impact, clack::NewtonLaw)->Arg(1)->Arg(2)->Arg(4)->Arg(8);

enum Scene { one_point, corner, five_balls };
clack::ImpactProblem scene(int which) {
  if (which == five_balls)
    return clack::testing::balls_on_strings({1, 1, 1, 1, 1}, 1.304, 0.8);
  clack::ImpactProblem problem = clack::testing::ball_in_corner(0.715);
  if (which == corner) return problem;
  problem.normal_jacobian.conservativeResize(1, 3);
  problem.tangent_jacobian.conservativeResize(1, 3);
  problem.normal_surface_velocity.conservativeResize(1);
  problem.tangent_surface_velocity.conservativeResize(1);
  problem.materials.resize(1);
  problem.names.resize(1);
  problem.geometry.resize(1);
  return problem;
}

template <class Law>
void multiple_impact(benchmark::State& state) {
  clack::ImpactProblem problem = scene(static_cast<int>(state.range(0)));
  problem.options.record_history = state.range(1) == 1;
  const Law law;
  for (auto _ : state) benchmark::DoNotOptimize(law.resolve(problem).velocity.data());
}
BENCHMARK_TEMPLATE(multiple_impact, clack::EnergeticLaw)
    ->ArgNames({"scene", "history"})
    ->ArgsProduct({{one_point, corner, five_balls}, {0, 1}});
BENCHMARK_TEMPLATE(multiple_impact, clack::PoissonLaw)
    ->ArgNames({"scene", "history"})
    ->ArgsProduct({{one_point, corner, five_balls}, {0}});

/// The ball in a corner in 10 000 equal increments, states chosen anew at each (P4, B.24 and B.27).
void small_steps(benchmark::State& state) {
  constexpr int steps = 10'000;
  constexpr double R = 0.5, mu = 0.35, dp = 9.51503339955 / steps;
  for (auto _ : state) {
    Eigen::Vector3d v(8.0, -4.43, 0.0);
    bool sticks = false;
    for (int k = 0; k < steps; ++k) {
      const double s = v[0] + R * v[2] > 0.0 ? 1.0 : -1.0;
      sticks = sticks || (k > 0 && v[1] + R * v[2] >= 0.0);
      const double C = sticks ? (4.0 - 5.0 * s * mu) / 3.0 : (1.0 - s * mu) / (1.0 + mu);
      const double t = sticks ? (2.0 * s * mu - 1.0) / 3.0 : mu * C;
      v += dp * Eigen::Vector3d(-s * mu - C, 1.0 + t, (t - s * mu) * 2.0 / R);
    }
    benchmark::DoNotOptimize(v.data());
  }
}
BENCHMARK(small_steps);

}  // namespace

BENCHMARK_MAIN();
