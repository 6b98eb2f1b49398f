// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <random>

#include "clack/contact/problem.hpp"

/// Random contact systems for tests: seeded, so every run sees the same ones.
namespace clack::testing {

struct RandomSystem {
  std::mt19937_64 engine;
  explicit RandomSystem(unsigned seed) : engine(seed) {}

  double uniform(double low, double high) {
    // Built from the engine's bits: the same numbers with every standard library.
    const double unit = static_cast<double>(engine() >> 11) * 0x1.0p-53;
    return low + (high - low) * unit;
  }
  Eigen::MatrixXd matrix(int rows, int columns) {
    Eigen::MatrixXd m(rows, columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) m(i, j) = uniform(-1.0, 1.0);
    return m;
  }
  Eigen::VectorXd vector(int size) { return matrix(size, 1); }

  /// n speeds, c contacts in `dimension`; friction up to `friction`, restitution in [0, 1].
  template <class Problem>
  Problem system(int n, int c, int dimension, double friction) {
    Problem problem;
    problem.dimension = dimension;
    const Eigen::MatrixXd root = matrix(n, n) + 1.2 * Eigen::MatrixXd::Identity(n, n);
    problem.mass_matrix = root * root.transpose() + 0.2 * Eigen::MatrixXd::Identity(n, n);
    problem.velocity = 2.0 * vector(n);
    problem.bilateral.resize(0, n);
    problem.normal_jacobian = matrix(c, n);
    problem.tangent_jacobian = matrix(c * (dimension - 1), n);
    problem.normal_surface_velocity = Eigen::VectorXd::Zero(c);
    problem.tangent_surface_velocity = Eigen::VectorXd::Zero(c * (dimension - 1));
    for (int i = 0; i < c; ++i) {
      ContactMaterial material;
      material.dynamic_friction = material.static_friction = uniform(0.0, friction);
      material.restitution = uniform(0.0, 1.0);
      problem.materials.push_back(material);
      problem.names.push_back("c" + std::to_string(i + 1));
    }
    return problem;
  }
};

}  // namespace clack::testing
