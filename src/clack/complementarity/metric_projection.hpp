// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "clack/complementarity/force_distribution.hpp"

namespace clack {

/// The nearest admissible motion in the kinetic metric:
///
///   min 1/2 (x - x0)^T M (x - x0)    with    A_b x = w_b,   A_u x >= w_u
///
/// equivalently  M (x - x0) = A_b^T y_b + A_u^T y_u,   0 <= y_u  _|_  A_u x - w_u >= 0.
/// x is unique, also for dependent rows; the multipliers are not.
struct MetricProjectionProblem {
  Eigen::MatrixXd mass_matrix;        // n x n, symmetric positive definite: M
  Eigen::VectorXd point;              // n: x0
  Eigen::MatrixXd equality_rows;      // b x n: A_b, may be dependent
  Eigen::VectorXd equality_values;    // b: w_b
  Eigen::MatrixXd inequality_rows;    // c x n: A_u, may be dependent
  Eigen::VectorXd inequality_values;  // c: w_u
  double rank_cutoff = 0.0;           // see ProjectorOptions
};

enum class MetricProjectionStatus { solved, contradictory, limit };
std::string_view to_string(MetricProjectionStatus status);

struct [[nodiscard]] MetricProjectionResult {
  MetricProjectionStatus status = MetricProjectionStatus::limit;
  Eigen::VectorXd point;                   // n: x
  Eigen::VectorXd generalised_multiplier;  // n: M (x - x0), unique
  Eigen::VectorXd equality_multipliers;    // b
  Eigen::VectorXd
      inequality_multipliers;   // c, >= 0; with y_b the smallest in norm among the admissible ones
  std::vector<int> closed;      // inequality rows with zero slack
  bool is_unique = true;        // false: the multipliers are not (dependent rows)
  bool is_near_cutoff = false;  // a rank decision was close
  bool used_quadratic_program = false;  // the active sets came back to one another
  int sets = 0;                         // active sets tried
  std::vector<std::string> notes;
};

/// Active set on closed-form projections, starting with every row:
///  1. project on the rows of the set; dependent rows that ask for different values: the row that is
///     exceeded most leaves;
///  2. a negative multiplier leaves (dependent rows: only when no non-negative multipliers give the
///     same force);
///  3. the most violated row outside enters;
///  4. sets are remembered; after a repeat the smallest index is chosen, after a second one the
///     quadratic program is solved as a least distance problem (which also decides contradictions).
MetricProjectionResult project_in_metric(const MetricProjectionProblem& problem,
                                         const MetricProjectionTolerances& tolerances = {});

/// The same by the quadratic program at once (least distance programming); for cross-checks.
MetricProjectionResult project_by_least_distance(const MetricProjectionProblem& problem,
                                                 const MetricProjectionTolerances& tolerances = {});

}  // namespace clack
