// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include "clack/formulation/formulation.hpp"
#include "clack/linalg/projector.hpp"

namespace clack {

/// Motion under the equalities  A dv/dt + bias = 0  by oblique projection (P3, eq. 13 and 14,
/// corrected; bias = A' v):
///
///   dv/dt  = M_o^+ force - S A+ b          b = bias + 2 a (A v) + a^2 phi,  a > 0: stabilises drift
///   f      = M dv/dt - force = A^T lambda  unique
///   lambda = (A+)^T f                      minimum norm
///
/// -A+ A' v stands for the paper's Omega v: both agree for admissible v, and it still enforces the
/// constraints when v has drifted. `unreachable` = |(I - A A+) b|_inf: not small means that
/// dependent rows ask for different accelerations, the rank is about to change (singular
/// configuration), and the answer is the least-squares one.
struct [[nodiscard]] ConstrainedMotion {
  Eigen::VectorXd acceleration;      // n
  Eigen::VectorXd constraint_force;  // n, generalised: f
  Eigen::VectorXd multipliers;       // m: lambda
  double unreachable = 0.0;
};
struct Stabilisation {
  double rate = 0.0;          // a, 1/s
  Eigen::VectorXd row_rate;   // m: A v
  Eigen::VectorXd row_value;  // m: phi (empty: 0)
};
ConstrainedMotion project_motion(const Projector& projector,
                                 const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix,
                                 const Eigen::Ref<const Eigen::MatrixXd>& jacobian,
                                 const Eigen::Ref<const Eigen::VectorXd>& force,
                                 const Eigen::Ref<const Eigen::VectorXd>& bias,
                                 const Stabilisation& stabilisation = {});

/// Default rank cut-off inside a mode, between two edges (measured, docs/theories/projection.md):
/// below 3e-6 what integration leaves between dependent rows is taken for a constraint of its own
/// near a pose where the rank drops, and the mechanism stops or turns off there; above 3e-5 a
/// direction that carries load is dropped too far from the pose. Rows meant to be independent must
/// differ by more than this.
inline constexpr double motion_rank_cutoff = 1e-5;

/// Formulation `projection`: the same inside a mode, with all workspaces sized on entry. Rows:
/// normals, tangents of sticking contacts, constraints; they may be dependent or vanish. With rows
/// at unit length  A = U1 D V1^T,  P = I - V1 V1^T:
///
///   target = -V1 D^-1 U1^T bias,   M_c = P M P + nu (I - P)
///   dv/dt  = target + M_c^-1 P (force - M target)
///
/// Speeds are counted in units of 1/sqrt(M_jj), so that the rank does not depend on the units of
/// coordinates or on the size of the mechanism. Singular values below `rank_cutoff` of the mode
/// (0: motion_rank_cutoff) times the largest count as zero, and so does a row shorter than that
/// part of the longest it has been since the mode was entered: at unit length it would keep a
/// direction that is mere drift (a slider-crank with equal links at its dead centre). Sliding
/// friction is not an equality: it is refused.
class ProjectionFormulation final : public Formulation {
 public:
  static FormulationPart part();
  std::string_view name() const override { return "projection"; }
  void enter(const ModeShape& shape) override;
  void solve(const Snapshot& snapshot, ModeForces& forces) override;

 private:
  void gather_mass(const Snapshot& snapshot);
  void gather_rows(const Snapshot& snapshot);
  int decompose();
  bool accelerate(int rank);
  void distribute(int rank, ModeForces& forces);
  void orthonormal_null_forces(int rank, Eigen::MatrixXd& null_forces);
  void scatter(ModeForces& forces) const;

  ModeShape shape_;
  int n_ = 0, k_ = 1, c_ = 0, b_ = 0, m_ = 0;
  double cutoff_ = 0.0;
  std::vector<int> stick_at_;  // per contact: its first tangent row, or -1
  Eigen::MatrixXd rows_, unit_rows_, row_space_, feasible_, product_, constraint_inertia_, mass_;
  Eigen::VectorXd scale_, smooth_force_, bias_, lengths_, unit_bias_, target_, acceleration_, work_,
      force_, multipliers_, small_, silent_,
      longest_yet_;  // length of each row at its longest since the mode was entered
  Eigen::JacobiSVD<Eigen::MatrixXd> svd_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace clack
