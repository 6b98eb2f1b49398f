// SPDX-License-Identifier: Apache-2.0
#include "clack/energy/restitution_consistency.hpp"

#include "clack/linalg/diagonal_contraction.hpp"
#include "clack/linalg/projector.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

RestitutionConsistency restitution_consistency(const Eigen::Ref<const MatrixXd>& mass_matrix,
                                               const Eigen::Ref<const MatrixXd>& bilateral,
                                               const Eigen::Ref<const MatrixXd>& normal_rows,
                                               const Eigen::Ref<const VectorXd>& restitution,
                                               double rank_cutoff) {
  const ContractionFrame frame = make_contraction_frame(
      constrained_root(mass_matrix, bilateral, normal_rows, rank_cutoff), rank_cutoff);
  RestitutionConsistency out;
  out.rank = frame.rank();
  out.norm = contraction_norm(frame, restitution);
  out.is_consistent = is_contraction(frame, restitution);
  out.t_max = largest_scale(frame, restitution);
  const NearestContraction nearest = nearest_contraction(frame, restitution);
  out.nearest = nearest.e;
  out.squared_distance = nearest.squared_distance;
  out.status = nearest.status;
  return out;
}

RestitutionConsistency restitution_consistency(const ContactSystem& system, double rank_cutoff) {
  VectorXd restitution(system.contacts());
  for (int i = 0; i < system.contacts(); ++i) {
    restitution[i] = system.materials[i].restitution;
  }
  return restitution_consistency(system.mass_matrix, system.bilateral, system.normal_jacobian,
                                 restitution, rank_cutoff);
}

bool are_two_restitutions_consistent(const Eigen::Ref<const Eigen::Matrix2d>& delassus, double e1,
                                     double e2) {
  const double rho_squared = delassus(0, 1) * delassus(1, 0) / (delassus(0, 0) * delassus(1, 1));
  return std::abs(e1 - e2) <= std::sqrt(std::max(0.0, 1.0 - rho_squared)) * (1.0 - e1 * e2);
}

MatrixXd energy_matrix(const Eigen::Ref<const MatrixXd>& mass_matrix,
                       const Eigen::Ref<const MatrixXd>& jacobian,
                       const Eigen::Ref<const VectorXd>& restitution, double rank_cutoff) {
  ProjectorOptions options;
  options.rank_cutoff = rank_cutoff;
  const Projector projector = make_projector(mass_matrix, jacobian, options);
  const MatrixXd Q = constraint_metric(projector, mass_matrix);
  return restitution.asDiagonal() * Q * restitution.asDiagonal() - Q;
}

}  // namespace clack
