// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/formulation/formulation.hpp"

namespace clack {

/// Rows of a mode and the columns in which their forces act; unknowns in the order normal forces, friction of sticking
/// contacts, constraint forces (m of them):
///
///   rows B u' + bias = 0,    M u' = f + F^T x
///   B = [J_N; J_T sticking; J_C],   F = [J_N - mu e . J_T slipping; J_T sticking; J_C]
///
/// e is the unit direction of slip: in the plane the mode's, in space that of the slip itself above its floor.
class ModeRows {
 public:
  void enter(const ModeShape& shape);
  void gather(const Snapshot& snapshot);

  int speeds() const { return n_; }
  int count() const { return m_; }
  bool slides() const { return slides_; }  // some contact slides with friction: F differs from B
  const Eigen::MatrixXd& rows() const { return rows_; }        // B, m x n
  const Eigen::MatrixXd& columns() const { return columns_; }  // F, m x n
  const Eigen::VectorXd& bias() const { return bias_; }
  const Eigen::VectorXd& rate() const { return rate_; }    // B u + C
  const Eigen::VectorXd& value() const { return value_; }  // of configurations and gaps; else 0
  const Eigen::MatrixXd& mass() const { return mass_; }
  const Eigen::VectorXd& force() const { return force_; }
  /// 1/sqrt(M_jj), the unit in which speeds are counted; 1 where a speed carries no inertia.
  const Eigen::VectorXd& scale() const { return scale_; }
  /// Accelerations and the unknowns x as forces of contacts and constraints.
  void scatter(const Eigen::VectorXd& acceleration, const Eigen::VectorXd& x,
               ModeForces& forces) const;

 private:
  void gather_contact(const Snapshot& snapshot, int contact);

  ModeShape shape_;
  int n_ = 0, k_ = 1, c_ = 0, b_ = 0, m_ = 0;
  bool slides_ = false;
  std::vector<int> stick_at_;  // per contact: its first tangent row, or -1
  Eigen::MatrixXd rows_, columns_, mass_;
  Eigen::VectorXd bias_, rate_, value_, force_, scale_;
  std::vector<double> direction_;
};

}  // namespace clack
