// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

namespace clack {

/// What keeps a set of contacts at rest, G f = -b. Independent rows: one answer. Dependent rows: the
/// smallest sum |f_i|^2/weight_i (weight_i = friction times normal force: nobody is asked for more
/// of its reserve than the others, as far as that is possible). Takes memory when a set is larger than
/// all before, else none.
class StickForces {
 public:
  /// `tangents` = 1 or 2 rows of G per contact.
  void factor(const Eigen::Ref<const Eigen::MatrixXd>& G, int tangents);
  bool is_hyperstatic() const { return rank_ < size_; }
  /// `weight` one per contact, >= 0; read for dependent rows only.
  void forces(const Eigen::Ref<const Eigen::VectorXd>& b,
              const Eigen::Ref<const Eigen::VectorXd>& weight, Eigen::Ref<Eigen::VectorXd> f);

 private:
  void find_axes();

  int size_ = 0, rank_ = 0, tangents_ = 1;
  // Corners of these are used: G turned to its axes U; G^-1 (independent rows), else A = U^T G over the
  // range, A W and A W A^T.
  Eigen::MatrixXd turned_, axes_, inverse_, weighted_, sum_;
  Eigen::VectorXd right_;
};

/// Friction of contacts at rest whose normal forces are known: a convex question.
///
///   min 1/2 f^T G f + b^T f   with  |f_i| <= radius_i       (the kinetic norm of the acceleration)
///
/// G holds the tangential rows of the contacts (`tangents` = 1 or 2 each), b their slip acceleration
/// without this friction; a = b + G f is unique: where it vanishes the contact sticks, elsewhere
/// f_i = -radius_i a_i/|a_i|. Dependent rows (a block on two corners): b lies in the range of G.
///
/// One contact: closed form in the plane, the one ray of `outgoing_slip` in space. Several: discs in
/// space go to the friction solver of room complementarity; intervals in the plane to active sets here,
/// which take no memory (StickForces).
class KnownNormalFriction {
 public:
  /// False: not answered to its tolerance. `acceleration` is a.
  bool solve(const Eigen::Ref<const Eigen::MatrixXd>& G, const Eigen::Ref<const Eigen::VectorXd>& b,
             const Eigen::Ref<const Eigen::VectorXd>& radius, int tangents,
             Eigen::Ref<Eigen::VectorXd> force, Eigen::Ref<Eigen::VectorXd> acceleration);

 private:
  void solve_one(const Eigen::Ref<const Eigen::MatrixXd>& G,
                 const Eigen::Ref<const Eigen::VectorXd>& b, double radius,
                 Eigen::Ref<Eigen::VectorXd> force);
  bool solve_in_intervals(const Eigen::Ref<const Eigen::MatrixXd>& G,
                          const Eigen::Ref<const Eigen::VectorXd>& b,
                          const Eigen::Ref<const Eigen::VectorXd>& radius,
                          Eigen::Ref<Eigen::VectorXd> force);
  void aim(const Eigen::Ref<const Eigen::MatrixXd>& G, const Eigen::Ref<const Eigen::VectorXd>& b,
           const Eigen::Ref<const Eigen::VectorXd>& radius,
           const Eigen::Ref<Eigen::VectorXd>& force);

  StickForces stick_;
  std::vector<int> free_, bound_;  // contacts inside their intervals, and at their ends
  Eigen::MatrixXd own_;
  Eigen::VectorXd drive_, weight_, aim_;
};

}  // namespace clack
