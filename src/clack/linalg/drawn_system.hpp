// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rapidcheck.h>

#include <Eigen/QR>

#include "clack/linalg/projector.hpp"
#include "clack/linalg/random_matrix.hpp"

namespace clack {

/// For tests: a constrained system of which RapidCheck draws the sizes (so that they shrink) and a
/// seed: 1 to 10 speeds, rank 0 to n, up to three dependent rows more.
///
/// Masses have eigenvalues in [0.3, 10], rows have singular values in [0.3, 3] (the rest are zero).
/// Everything drawn is of order one and well-conditioned: what an identity loses beyond a few
/// hundred rounding errors is then lost by the algorithm, not by the data.
struct DrawnSystem {
  Eigen::MatrixXd M, A, Adot;  // Adot: its rows depend on each other as those of A do
  Eigen::VectorXd v, force, impulse, restitution;
  int rank = 0;
  Projector p;
};

inline Eigen::MatrixXd random_orthogonal(std::mt19937_64& random, int size) {
  return random_matrix(random, size, size).householderQr().householderQ();
}

inline Eigen::VectorXd random_between(std::mt19937_64& random, int size, double low, double high) {
  std::uniform_real_distribution<double> uniform(low, high);
  return Eigen::VectorXd::NullaryExpr(size, [&] { return uniform(random); });
}

inline Eigen::MatrixXd random_mass(std::mt19937_64& random, int n) {
  const Eigen::MatrixXd turn = random_orthogonal(random, n);
  const Eigen::MatrixXd M =
      turn * random_between(random, n, 0.3, 10.0).asDiagonal() * turn.transpose();
  return 0.5 * (M + M.transpose());
}

inline Eigen::MatrixXd random_rows(std::mt19937_64& random, int m, int n, int rank) {
  if (rank == 0) return Eigen::MatrixXd::Zero(m, n);
  return random_orthogonal(random, m).leftCols(rank) *
         random_between(random, rank, 0.3, 3.0).asDiagonal() *
         random_orthogonal(random, n).leftCols(rank).transpose();
}

inline DrawnSystem draw_system() {
  const int n = *rc::gen::inRange(1, 11);
  const int rank = *rc::gen::inRange(0, n + 1);
  const int m = rank + *rc::gen::inRange(0, 4);
  std::mt19937_64 random(*rc::gen::arbitrary<unsigned>());
  DrawnSystem s;
  s.rank = rank;
  s.M = random_mass(random, n);
  s.A = random_rows(random, m, n, rank);
  s.Adot = s.A * random_matrix(random, n, n);
  s.v = random_matrix(random, n, 1);
  s.force = random_matrix(random, n, 1);
  s.impulse = random_matrix(random, n, 1);
  s.restitution = random_between(random, m, 0.0, 1.0);
  s.p = make_projector(s.M, s.A);
  return s;
}

/// |a - b| relative to the larger of the two and of `size`, the natural size of what enters (1 for
/// products of drawn matrices: an identity that says "zero" is measured against that).
inline double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b,
                                  double size = 1.0) {
  const auto largest = [](const Eigen::MatrixXd& x) {
    return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
  };
  return largest(a - b) / std::max({size, largest(a), largest(b)});
}

inline constexpr double identity_tolerance = 1e-11;

inline void assert_same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double size = 1.0) {
  RC_ASSERT(relative_difference(a, b, size) <= identity_tolerance);
}

}  // namespace clack
