// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <random>

#include "clack/complementarity/friction_problem.hpp"
#include "clack/complementarity/settling.hpp"

/// Friction problems for tests.
namespace clack::test {

/// W = G G^T of random G: symmetric, regular for `freedoms` >= d nc; q normal components mostly
/// approaching.
inline FrictionProblem random_friction(int dimension, int contacts, int freedoms, double mu,
                                       std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  const int n = dimension * contacts;
  Eigen::MatrixXd G(n, freedoms);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < freedoms; ++j) G(i, j) = normal(engine);
  Eigen::VectorXd q(n);
  for (int i = 0; i < n; ++i) q(i) = normal(engine);
  for (int i = 0; i < contacts; ++i) q(dimension * i) -= 0.5;
  return make_friction_problem(dimension, Eigen::MatrixXd(G * G.transpose()), q,
                               Eigen::VectorXd::Constant(contacts, mu));
}

/// The contacts of spheres that pile up on a plane, some closed, some about to close, some sliding:
/// the problem of the last of 150 time steps, about two contacts per sphere.
inline FrictionProblem sphere_pile(int spheres) {
  bench::SettlingOptions options;
  options.step_limit = 150;
  bench::Spheres falling = bench::loose_spheres(spheres);
  return bench::settle(falling, options).problem;
}

}  // namespace clack::test
