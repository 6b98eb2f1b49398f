// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

namespace clack {

/// How the rank of a Jacobian is decided.
struct ProjectorOptions {
  /// A singular value below cut-off times the largest one counts as zero; 0: max(m, n) eps 8.
  double rank_cutoff = 0.0;
  /// A smallest kept or largest dropped singular value within this factor of the cut-off is
  /// reported.
  double warning_factor = 1e3;
};

/// The oblique projector of a constrained system, for any m x n Jacobian A: dependent rows, zero
/// rows, m > n, no rows (rank 0) and a fully locked system (rank n) included.
///
///   P     = I - A+ A = V2 V2^T    orthogonal, onto the admissible speeds N(A)
///   M_o   = P M P
///   M_c   = P M P + nu (I - P)    nu = trace(P M P)/(n - r): positive definite, best conditioned
///   M_o^+ = M_c^-1 P              mobility of the admissible speeds
///   S     = I - M_o^+ M           S^2 = S, oblique, onto M^-1 range(A^T)
///   R     = I - 2 S               R^2 = I, the reflection of a full rebound
///
/// (P3, eq. 5 to 11 and 29.) nu lies between the smallest and the largest nonzero eigenvalue of M_o,
/// where cond(M_c) is smallest.
///
/// The rank is decided on rows scaled to unit length, so it does not change when a row is
/// multiplied by a number; a row shorter than the cut-off times the longest is a zero row: it is
/// left out and noted.
struct Projector {
  int rank = 0;
  double cutoff = 0.0;              // relative, as used
  Eigen::VectorXd singular_values;  // min(m, n), of A with its rows at unit length, falling
  std::vector<int> zero_rows;       // left out
  bool is_near_cutoff = false;  // some singular value lies within `warning_factor` of the cut-off
  double nearest_ratio = 0.0;   // that one's ratio to the largest (0 when none is near)

  Eigen::MatrixXd row_basis;           // n x r, orthonormal basis V1 of range(A^T)
  Eigen::MatrixXd null_basis;          // n x (n-r), orthonormal basis V2 of N(A)
  Eigen::MatrixXd pseudo_inverse;      // n x m: A+, of A as given; zero columns for zero rows
  Eigen::MatrixXd feasible_projector;  // n x n: P
  Eigen::MatrixXd feasible_inertia;    // n x n: M_o
  Eigen::MatrixXd constraint_inertia;  // n x n: M_c
  double virtual_mass = 0.0;           // nu
  Eigen::MatrixXd feasible_mobility;   // n x n: M_o^+
  Eigen::MatrixXd impact_projector;    // n x n: S

  std::vector<std::string> notes;  // nearness to the cut-off
};

/// `mass_matrix` n x n symmetric positive definite, `jacobian` m x n (m may be 0). Throws
/// InputError naming the smallest eigenvalue when the mass matrix is not symmetric positive
/// definite.
[[nodiscard]] Projector make_projector(const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix,
                                       const Eigen::Ref<const Eigen::MatrixXd>& jacobian,
                                       const ProjectorOptions& options = {});

/// R = I - 2 S, the reflection across N(A) in the kinetic metric.
[[nodiscard]] Eigen::MatrixXd reflection(const Projector& projector);

/// Condition number of M_c (ratio of its extreme eigenvalues).
[[nodiscard]] double constraint_inertia_condition(const Projector& projector);

/// Q = (S A+)^T M (S A+), m x m, equal to the pseudo-inverse of A M^-1 A^T also for dependent rows.
[[nodiscard]] Eigen::MatrixXd constraint_metric(
    const Projector& projector, const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix);

/// The part of `target` (m) that no velocity can satisfy: (I - A A+) target. Zero for independent
/// rows.
[[nodiscard]] Eigen::VectorXd unreachable_part(const Projector& projector,
                                               const Eigen::Ref<const Eigen::MatrixXd>& jacobian,
                                               const Eigen::Ref<const Eigen::VectorXd>& target);

/// Throws InputError when the matrix is not square, finite, symmetric (to 1e-9 of its largest
/// entry) and positive definite; the message names the smallest eigenvalue.
void require_mass_matrix(const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix);

}  // namespace clack
