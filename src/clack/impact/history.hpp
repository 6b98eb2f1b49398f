// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "clack/contact/problem.hpp"

namespace clack {

/// What a contact does inside an impact, as its history says it.
enum class InnerStatus { idle = 0, stick = 1, slip = 2 };

/// One instant inside an impact.
struct InnerInstant {
  int event = 0;
  double progress = 0.0;            // the column after `event`
  double work = 0.0;                // J, of the normal impulses since the start of the event
  double kinetic = 0.0;             // J
  Eigen::VectorXd normal_impulse;   // c, N s, since the start of the impact
  Eigen::VectorXd tangent_impulse;  // c (d-1)
  Eigen::VectorXd gap_rate, slip;   // c, c (d-1), m/s, relative to moving surfaces
  std::vector<InnerStatus> status;  // c
  Eigen::VectorXd stored = {};  // c, J: energy in contacts that are springs; empty: they are none
  Eigen::VectorXd force = {};   // c, N s: normal impulse per unit of `progress`, likewise
};

/// Whether contacts store energy inside the impact: then there are columns stored_NAME and force_NAME.
enum class Storing { no, yes };

/// Writes the history of an impact. Columns (docs/problems.md):
///
///   event, impulse | time, work, kinetic,
///   per contact  normal_impulse_NAME, tangent_impulse_NAME, gap_rate_NAME, slip_NAME, status_NAME
///   (space: tangent_impulse1_NAME, tangent_impulse2_NAME, slip1_NAME, slip2_NAME; law lzb: stored_NAME, force_NAME)
///
/// The end of one stretch and the start of the next are both rows; a stretch has at least
/// `rows_per_stretch` rows.
class HistoryWriter {
 public:
  static constexpr int rows_per_stretch = 16;
  /// `progress` names the second column.
  HistoryWriter(const ImpactProblem& problem, std::string_view progress, ImpactHistory& history,
                Storing storing = Storing::no);
  void add(const InnerInstant& instant);
  /// The next row itself, to be filled in the order of the columns (laws whose rows are polynomials).
  double* next_row() { return history_.rows.add(history_.columns.size()); }

 private:
  int contacts_, tangents_;
  ImpactHistory& history_;
};

}  // namespace clack
