// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

namespace clack {

/// Thresholds, relative to  s = sqrt(x0^T M x0) + largest w_i / sqrt(a_i M^-1 a_i^T)  (root of an
/// energy) and on rows scaled to a_i M^-1 a_i^T = 1, so that neither units nor masses nor the
/// scaling of a row matter.
struct MetricProjectionTolerances {
  double multiplier = 1e-11;    // above -this it is not negative: ten times rounding of a solve
  double slack = 1e-11;         // above -this it is not a violation
  double contradiction = 1e-9;  // dependent equalities that miss by more contradict each other
  double same_point = 1e-6;     // both methods agree: the set found by least distance is right
  double silent = 1e-10;        // part of unit multipliers: what moves less is rounding
  int sets_per_row = 10;        // active sets before least distance, which also has
  int sets_in_any_case = 20;    // these
};

/// Multipliers y = (y_b, y_u) of a force  rows^T y = force, the first `equalities` of any sign: the
/// smallest in norm among those with y_u >= 0; when there are none, the smallest in norm. Entries
/// negative by rounding only are zero.
struct [[nodiscard]] Distribution {
  Eigen::VectorXd multipliers;
  bool is_unique = true;      // independent rows, zero rows apart
  bool is_admissible = true;  // y_u >= 0
  bool is_near_cutoff = false;
  std::vector<std::string> notes;  // of the rank decision
};
/// `scale` as above: entries count as negative when y_i sqrt(a_i M^-1 a_i^T) <
/// -tolerances.multiplier * scale.
Distribution distribute_force(const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix,
                              const Eigen::Ref<const Eigen::MatrixXd>& rows, int equalities,
                              const Eigen::Ref<const Eigen::VectorXd>& force, double scale,
                              double rank_cutoff = 0.0,
                              const MetricProjectionTolerances& tolerances = {});

}  // namespace clack
