// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Cholesky>
#include <limits>

#include "clack/mechanism/snapshot.hpp"

namespace clack {

/// The mass matrix as nodes and corrections need it, positive definite: M where it is, else
///
///   M + sigma B^T B,     B: rows of the constraints, sigma = trace M / trace B^T B
///
/// which is positive definite exactly where the constraints determine what carries no inertia. On motions that keep the
/// constraints both give the same: B v is what it must be, so the added energy is a constant and only the constraints'
/// own impulses see it.
struct Inertia {
  Eigen::MatrixXd matrix;
  double added = 0.0;  // sigma; 0: M is positive definite
};
Inertia inertia_of(const Snapshot& snapshot);
/// The same for one snapshot after the other: keeps its memory.
class InertiaFinder {
 public:
  /// Valid until the next call.
  const Inertia& at(const Snapshot& snapshot);

 private:
  bool is_positive_definite();

  Inertia inertia_;
  Eigen::MatrixXd scaled_, rows_;
  Eigen::VectorXd scale_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
};

/// The smallest eigenvalue of the mass matrix, and the speed that stands out in its motion. Blocks that are not coupled
/// (free bodies) are looked at one by one.
struct SmallestEigenvalue {
  double value = std::numeric_limits<double>::infinity();
  int speed = -1;
};
SmallestEigenvalue smallest_eigenvalue(const Snapshot& snapshot);

}  // namespace clack
