// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/closed_form_impact.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ClosedFormImpact project_impact(const Eigen::Ref<const MatrixXd>& mass_matrix,
                                const Eigen::Ref<const MatrixXd>& jacobian,
                                const Eigen::Ref<const VectorXd>& velocity_before,
                                const Eigen::Ref<const VectorXd>& wanted,
                                const Eigen::Ref<const VectorXd>& external_impulse,
                                const ProjectorOptions& options) {
  ClosedFormImpact out;
  out.projector = make_projector(mass_matrix, jacobian, options);
  VectorXd target = out.projector.pseudo_inverse * wanted;
  // Once more on what is left: rows of very different length lose digits in A+ (nothing for least
  // squares, where A+ annihilates the rest).
  if (jacobian.rows() > 0) target += out.projector.pseudo_inverse * (wanted - jacobian * target);
  VectorXd change = out.projector.impact_projector * (target - velocity_before);
  if (external_impulse.size() > 0) change += out.projector.feasible_mobility * external_impulse;
  out.velocity = velocity_before + change;
  out.generalised_impulse = mass_matrix * change;
  if (external_impulse.size() > 0) out.generalised_impulse -= external_impulse;
  out.row_impulses = out.projector.pseudo_inverse.transpose() * out.generalised_impulse;
  if (jacobian.rows() > 0) {
    out.unreachable = unreachable_part(out.projector, jacobian, wanted).lpNorm<Eigen::Infinity>();
  }
  return out;
}

}  // namespace clack
