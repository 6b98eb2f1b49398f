// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "clack/formulation/mode_rows.hpp"

namespace clack {

enum class NullspaceMethod { qr, svd };

/// Formulation `nullspace` (P2, design II): R (n x p) spans the motions that the rows allow, B R = 0, from a
/// decomposition of B^T at every evaluation; it is never differentiated, and its signs and basis do not matter.
///
///   B a = -bias (smallest a),   R^T M R y = R^T (f - M a),   u' = a + R y,   B^T x = M u' - f (smallest x)
///
/// Sliding friction is not an equality: it is refused. M may be singular where the rows determine what carries no
/// inertia.
class NullspaceFormulation final : public Formulation {
 public:
  static FormulationPart part();
  explicit NullspaceFormulation(NullspaceMethod method) : method_(method) {}
  std::string_view name() const override { return "nullspace"; }
  void enter(const ModeShape& shape) override;
  void solve(const Snapshot& snapshot, ModeForces& forces) override;

 private:
  void decompose();

  NullspaceMethod method_;
  double cutoff_ = 0.0;
  int rank_ = 0;
  ModeRows mode_;
  Eigen::MatrixXd unit_rows_, mass_, motions_, row_inverse_;  // R; (B^T)^+ scaled
  Eigen::VectorXd lengths_, right_, acceleration_, force_, x_;
  Eigen::MatrixXd null_forces_;
};

}  // namespace clack
