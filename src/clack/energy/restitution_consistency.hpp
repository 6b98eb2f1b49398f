// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "clack/contact/problem.hpp"
#include "clack/linalg/semidefinite_program.hpp"

namespace clack {

/// Whether restitutions E = diag(e) of Newton's law A_u v+ = -E A_u v- (all touching contacts, as
/// equalities) can raise the kinetic energy of some impact, with the bilateral rows held:
///
///   T+ <= T- for every v-   <=>   sigma_max(K(E)) <= 1,   K(E) = L^-1 U^T E U L
///   D_eff = A_u M_b^+ A_u^T,  U basis of its range,  U^T D_eff U = L L^T   (P3, eq. 56, restricted)
///
/// t_max = 1/sigma_max is the largest factor for which t E is consistent. A moving surface does not
/// enter: the statement is about relative speeds.
struct [[nodiscard]] RestitutionConsistency {
  bool is_consistent = true;
  double norm = 0.0;              // sigma_max(K(E))
  std::optional<double> t_max;    // nothing: unbounded (E = 0)
  Eigen::VectorXd nearest;        // c: the nearest consistent restitutions in [0, 1]
  double squared_distance = 0.0;  // |nearest - e|^2
  SdpStatus status = SdpStatus::solved;
  int rank = 0;  // of D_eff
};
RestitutionConsistency restitution_consistency(const ContactSystem& system,
                                               double rank_cutoff = 0.0);

/// The same for any rows: `restitution` one per row of `normal_rows`.
RestitutionConsistency restitution_consistency(const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix,
                                               const Eigen::Ref<const Eigen::MatrixXd>& bilateral,
                                               const Eigen::Ref<const Eigen::MatrixXd>& normal_rows,
                                               const Eigen::Ref<const Eigen::VectorXd>& restitution,
                                               double rank_cutoff = 0.0);

/// Two contacts, closed form: consistent <=> |e1 - e2| <= sqrt(1 - rho^2) (1 - e1 e2), rho^2 =
/// D12^2/(D11 D22). So e1 = 1 next to e2 < 1 is inconsistent as soon as the contacts are coupled at
/// all. Needs independent rows (rho^2 < 1).
bool are_two_restitutions_consistent(const Eigen::Ref<const Eigen::Matrix2d>& delassus, double e1,
                                     double e2);

/// E Q E - Q, Q = (A M^-1 A^T)^+: T+ - T- = 1/2 phid^T (E Q E - Q) phid for phid = A v-  (P3, eq.
/// 53 and 54).
Eigen::MatrixXd energy_matrix(const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix,
                              const Eigen::Ref<const Eigen::MatrixXd>& jacobian,
                              const Eigen::Ref<const Eigen::VectorXd>& restitution,
                              double rank_cutoff = 0.0);

}  // namespace clack
