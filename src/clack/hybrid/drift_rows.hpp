// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Cholesky>
#include <vector>

#include "clack/linalg/smallest_solution.hpp"
#include "clack/mechanism/inertia.hpp"

namespace clack {

/// Rows R that are to be zero, and the smallest change in the kinetic metric that makes them so, to first order:
///
///   -M^-1 R^T (R M^-1 R^T)^+ values
///
/// Rows are made dimensionless through the mass, K = R L^-T with M = L L^T. Keeps its memory.
class DriftRows {
 public:
  /// Gaps and constraints; their values.
  void take_positions(const Snapshot& snapshot);
  /// Gaps, slips of the contacts that stick (`is_stick`), constraints; their rates.
  void take_rates(const Snapshot& snapshot, const std::vector<bool>& is_stick);
  /// The rates alone, at other speeds: rows and masses are those taken last.
  void take_rate_values(const Snapshot& snapshot, const std::vector<bool>& is_stick);
  /// n numbers, in speeds; valid until the next call.
  const Eigen::VectorXd& correction();
  /// What the rows still miss after the last correction, where they contradict each other: the largest, in units of kinetic
  /// energy (the smallest change of speed that one row alone would ask for), and of all before, likewise.
  struct Missed {
    double left = 0.0, before = 0.0;  // sqrt(J)
  };
  Missed missed() const;

 private:
  void take(const Snapshot& snapshot);
  void resize(Eigen::Index count, Eigen::Index speeds);

  Eigen::MatrixXd rows_, turned_, scaled_;
  Eigen::VectorXd values_, correction_;
  InertiaFinder inertia_;
  Eigen::LLT<Eigen::MatrixXd> mass_;
  SmallestSolution smallest_;
};

}  // namespace clack
