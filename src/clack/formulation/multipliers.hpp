// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/QR>

#include "clack/formulation/mode_rows.hpp"

namespace clack {

/// Formulation `multipliers`: the saddle-point system as a whole (P2, design I), with Baumgarte's stabilisation
///
///   [M -F^T] [u']   [ f                                     ]
///   [B   0 ] [x ] = [-bias - 2 alpha (B u + C) - beta^2 value]
///
/// alpha = beta = 0 is the plain index-1 form, whose drift grows with the square of the time. M may be singular
/// where the rows determine what carries no inertia. Dependent rows: forces of minimum norm (a complete orthogonal
/// decomposition; accelerations are unique).
class MultipliersFormulation final : public Formulation {
 public:
  static FormulationPart part();
  MultipliersFormulation(double alpha, double beta) : alpha_(alpha), beta_(beta) {}
  std::string_view name() const override { return "multipliers"; }
  void enter(const ModeShape& shape) override;
  void solve(const Snapshot& snapshot, ModeForces& forces) override;

 private:
  double alpha_, beta_;
  double cutoff_ = 0.0;
  ModeRows mode_;
  Eigen::MatrixXd saddle_;
  Eigen::VectorXd right_, unknowns_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> orthogonal_;
};

}  // namespace clack
