// SPDX-License-Identifier: Apache-2.0
// One impact by law poisson or newton: the claim is under 3 microseconds with two contacts. Law
// energetic beside poisson and a march of 10 000 equal increments on the same problems: one point 2,
// the ball in a corner (two points, three stretches) 20, five balls (four events) 60 microseconds. In
// space: one point 60, three points of a plane with their chain 2000, the sphere in a corner 1000. Law
// lzb: three balls 150, ball in a corner 150, block on four corners 600. history:1 records the inside,
// which costs less than the impact itself. At the end, with libsiconos-kernel-dev installed: lzb beside
// Siconos' multiple-impact law on three balls, error and time; 500 times faster at a smaller error is wanted.
#include <benchmark/benchmark.h>

#include <ctime>

#include "bench/peers/siconos_impact.hpp"
#include "clack/contact/random_system.hpp"
#include "clack/impact/body_impacts.hpp"
#include "clack/impact/energetic.hpp"
#include "clack/impact/lzb.hpp"
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
  if (which == five_balls) return clack::testing::balls_on_strings({1, 1, 1, 1, 1}, 1.304, 0.8);
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

enum BodyScene {
  box_corner,
  plane_of_three,
  sphere_corner,
  three_balls,
  planar_corner,
  four_corners
};
clack::ImpactProblem body_scene(int which) {
  const clack::ContactMaterial rough = clack::testing::material(0.5, 0.35, 0.6);
  switch (which) {
    case box_corner:
      return clack::testing::box({0.3, 0.2, 0.1}, {0.5, 0.4, 0.2}, {1, 0.5, -2}, {1, -2, 0.5},
                                 clack::testing::material(0.6, 0.3, 0.3));
    case plane_of_three:
      return clack::testing::spatial_block(clack::testing::BlockPoints::three, rough);
    case sphere_corner:
      return clack::testing::sphere_in_corner(rough);
    case three_balls:
      return clack::testing::chain({1, 1, 1}, {clack::testing::material(1)});
    case planar_corner:
      return clack::testing::ball_in_corner(clack::testing::material(0.715, 0.35, 0.6));
    default:
      return clack::testing::spatial_block(clack::testing::BlockPoints::four, rough);
  }
}

template <class Law>
void body_impact(benchmark::State& state) {
  clack::ImpactProblem problem = body_scene(static_cast<int>(state.range(0)));
  problem.options.record_history = state.range(1) == 1;
  const Law law;
  for (auto _ : state) benchmark::DoNotOptimize(law.resolve(problem).velocity.data());
}
BENCHMARK_TEMPLATE(body_impact, clack::EnergeticLaw)
    ->ArgNames({"scene", "history"})
    ->ArgsProduct({{box_corner, plane_of_three, sphere_corner}, {0, 1}});
BENCHMARK_TEMPLATE(body_impact, clack::LzbLaw)
    ->ArgNames({"scene", "history"})
    ->ArgsProduct({{three_balls, planar_corner, four_corners}, {0, 1}});

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

#ifdef CLACK_HAS_SICONOS_KERNEL
void print_beside_siconos() {
  const Eigen::Vector3d exact(-0.0709523537, 0.0764030391, 0.9945493146);  // docs/theories/lzb.md
  const clack::ImpactProblem problem = body_scene(three_balls);
  const clack::LzbLaw law;
  constexpr int repetitions = 200;
  Eigen::VectorXd velocity = law.resolve(problem).velocity;
  const std::clock_t begin = std::clock();
  for (int k = 0; k < repetitions; ++k) velocity = law.resolve(problem).velocity;
  const double ours = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / repetitions;
  std::printf("three balls, lzb:                      %9.3g ms, error %.1e\n", 1e3 * ours,
              (velocity - exact).norm());
  for (const double step : {1e-4, 1e-5}) {
    const auto theirs = clack::peers::siconos_three_balls(step);
    const Eigen::Map<const Eigen::Vector3d> speeds(theirs.velocity.data());
    std::printf("three balls, Siconos, step %.0e N s:  %9.3g ms, error %.1e, %.0f times lzb\n",
                step, 1e3 * theirs.seconds, (speeds - exact).norm(), theirs.seconds / ours);
  }
}
#endif

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
#ifdef CLACK_HAS_SICONOS_KERNEL
  print_beside_siconos();
#endif
}
