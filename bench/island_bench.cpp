// SPDX-License-Identifier: Apache-2.0
// The contact solve of a run against `clack solve friction` on the same contacts: 100 spheres in ten
// heaps of ten that do not touch each other (30 contacts each), at rest and with a push that makes
// them roll and slip. Processor time, the best of several; ratios are from one run.
#include <fmt/format.h>

#include <chrono>

#include "clack/complementarity/friction_solver.hpp"
#include "clack/complementarity/settling.hpp"
#include "clack/contact/decision_problem.hpp"
#include "clack/contact/prox_decision.hpp"
#include "clack/contact/sphere_scene.hpp"
#include "clack/index.hpp"

namespace {

using clack::bench::processor_seconds;

/// Tetrahedral heaps of unit spheres, 6 + 3 + 1, on the plane y = 0.
clack::ContactProblem heaps(int count, double push, double mu) {
  clack::testing::SphereScene scene;
  scene.material.dynamic_friction = scene.material.static_friction = mu;
  const double row = std::sqrt(3.0), height = 2.0 * std::sqrt(2.0 / 3.0);
  for (int h = 0; h < count; ++h)
    for (int layer = 0, side = 3; side > 0; ++layer, --side)
      for (int i = 0; i < side; ++i)
        for (int j = 0; i + j < side; ++j)
          scene.spheres.push_back({Eigen::Vector3d(
              100.0 * h + 2.0 * i + j + layer, 1.0 + height * layer, row * j + row / 3.0 * layer)});
  auto problem = scene.start<clack::ContactProblem>();
  const int spheres = clack::number_of(scene.spheres);
  for (int b = 0; b < spheres; ++b) {
    if (scene.spheres[b].centre.y() < 1.5)
      scene.add_contact(problem, fmt::format("floor{}", b), -1, b);
    for (int a = 0; a < b; ++a)
      if ((scene.spheres[b].centre - scene.spheres[a].centre).norm() < 2.001)
        scene.add_contact(problem, fmt::format("{}-{}", a, b), a, b);
  }
  problem.force = Eigen::VectorXd::Zero(6 * spheres);
  for (int k = 0; k < spheres; ++k) {
    problem.force[6 * k + 1] = -9.81;
    problem.force[6 * k] = push * std::sin(1.0 + k);
  }
  return problem;
}

template <class Work>
double best_of(int batches, Work work) {
  double best = 1e300;
  for (int batch = 0; batch < batches; ++batch) {
    const double begin = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - begin);
  }
  return best;
}

}  // namespace

int main() {
  fmt::print("{:>6} {:>5} {:>9} {:>9} {:>11} {:>10} {:>12} {:>12} {:>7}\n", "push N", "mu",
             "contacts", "islands", "decide ms", "solve ms", "residual", "solve's", "ratio");
  for (const auto& [push, mu] : {std::pair(0.0, 1.0), std::pair(0.0, 0.3), std::pair(3.0, 0.3)}) {
    const clack::ContactProblem problem = heaps(10, push, mu);
    const clack::DecisionProblem whole = clack::as_one_island(problem);
    clack::ContactResult decided;
    const double decide = best_of(5, [&] { decided = clack::ProxDecision{}.decide(problem); });
    clack::FrictionResult solved;
    const double solve = best_of(5, [&] { solved = clack::solve_friction(whole.friction); });
    fmt::print("{:>6} {:>5} {:>9} {:>9} {:>11.3f} {:>10.3f} {:>12.1e} {:>12.1e} {:>7.3f}\n", push,
               mu, problem.contacts(), clack::system_islands(problem).size(), 1e3 * decide,
               1e3 * solve, decided.certificate.residual, solved.residual, decide / solve);
  }
}
