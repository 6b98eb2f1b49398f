// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>

namespace clack {

/// Friction of contacts at rest whose normal forces are known: a convex question.
///
///   min 1/2 f^T G f + b^T f   with  |f_i| <= radius_i       (the kinetic norm of the acceleration)
///
/// G holds the tangential rows of the contacts (`tangents` = 1 or 2 each), b their slip acceleration
/// without this friction; a = b + G f is unique: where it vanishes the contact sticks, elsewhere
/// f_i = -radius_i a_i/|a_i|. Dependent rows (a block on two corners): b lies in the range of G.
struct KnownNormalFriction {
  Eigen::VectorXd force;         // f
  Eigen::VectorXd acceleration;  // a = b + G f
  bool is_converged = true;
};
KnownNormalFriction friction_under_known_normals(const Eigen::MatrixXd& G, const Eigen::VectorXd& b,
                                                 const Eigen::VectorXd& radius, int tangents);

/// What keeps a set of contacts at rest, G f = -b. Independent rows: one answer. Dependent rows: the
/// smallest sum |f_i|^2/weight_i (weight_i = friction times normal force: nobody is asked for more
/// of its reserve than the others, as far as that is possible). Takes no memory in `forces`.
class StickForces {
 public:
  StickForces() = default;
  explicit StickForces(const Eigen::MatrixXd& G, int tangents);
  bool is_hyperstatic() const { return rank_ < size_; }
  int rank() const { return rank_; }
  /// `weight` one per contact, >= 0; read for dependent rows only.
  void forces(const Eigen::Ref<const Eigen::VectorXd>& b,
              const Eigen::Ref<const Eigen::VectorXd>& weight, Eigen::Ref<Eigen::VectorXd> f);

 private:
  int size_ = 0, rank_ = 0, tangents_ = 1;
  Eigen::MatrixXd inverse_;         // G^-1 (independent rows)
  Eigen::MatrixXd basis_, rows_;    // U (size x r) of the range of G; A = U^T G
  Eigen::MatrixXd weighted_, sum_;  // A W (r x size), A W A^T
  Eigen::VectorXd right_;           // r
};

}  // namespace clack
