// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/linalg/projector.hpp"

namespace clack {

/// Closed-form impact by oblique projection (P3, eq. 27 and 45; corrections in
/// docs/theories/projection.md):
///
///   v+  = (I - S) v- + S A+ w + M_o^+ i_u              w = wanted A v+;  Newton's law: w = -E A v-
///   i_f = M (v+ - v-) - i_u = A^T i_lambda             unique
///   i_lambda = (A+)^T i_f                              minimum norm; unique for independent rows
///
/// For w = -E A v- this is
///
///   v+ = v- - S (I + A+ E A) v- + M_o^+ i_u,   with one global e:  v- - (1 + e) S v- + M_o^+ i_u.
///
/// All rows are equalities: impulses may come out negative. Dependent rows
/// that cannot all have what they want share the error in least squares; `unreachable` is its
/// largest entry.
struct [[nodiscard]] ClosedFormImpact {
  Projector projector;
  Eigen::VectorXd velocity;             // n
  Eigen::VectorXd generalised_impulse;  // n, N s: i_f
  Eigen::VectorXd row_impulses;         // m: i_lambda
  double unreachable = 0.0;             // m/s: |(I - A A+) w|_inf
};
/// `jacobian` m x n, `wanted` m, `external_impulse` n or empty.
ClosedFormImpact project_impact(const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix,
                                const Eigen::Ref<const Eigen::MatrixXd>& jacobian,
                                const Eigen::Ref<const Eigen::VectorXd>& velocity_before,
                                const Eigen::Ref<const Eigen::VectorXd>& wanted,
                                const Eigen::Ref<const Eigen::VectorXd>& external_impulse,
                                const ProjectorOptions& options = {});

}  // namespace clack
