// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

namespace clack {

/// Which speeds follow from which: B u + C = 0 is solved for the dependent ones (P2, section 3; guide to the choice in
/// docs/theories/embedding.md).
struct SpeedChoice {
  std::vector<int> dependent;    // r of them, in the order of the pivots
  std::vector<int> independent;  // the others, rising
  std::vector<int>
      rows;  // r independent rows, in the order in which the dependent speeds are eliminated
  std::vector<int> dropped;     // rows that depend on those, rising
  double smallest_pivot = 1.0;  // of those taken, relative to the largest
  double next_pivot = 0.0;      // the largest that was not, relative to the largest
  int rank() const { return static_cast<int>(dependent.size()); }
};

/// By QR with column pivoting of B S at unit row lengths, S = diag(scale): speeds are counted in units of kinetic energy, so
/// that the choice does not depend on radians and metres. Pivots below `cutoff` of the largest count as zero.
SpeedChoice choose_speeds(const Eigen::MatrixXd& rows, const Eigen::VectorXd& scale, double cutoff);

/// Puts the rows of a choice in the order of partial pivoting: row k then gives dependent speed k.
void order_rows(const Eigen::MatrixXd& rows, SpeedChoice& choice);

}  // namespace clack
