// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/drift_rows.hpp"
#include "clack/hybrid/nodes.hpp"
#include "clack/mechanism/snapshot.hpp"

namespace clack {

/// Rows that a closed mode holds at zero, and how far they have drifted.
struct Drift {
  double position = 0.0;  // largest |gap| or |constraint|, m
  double velocity = 0.0;  // largest |rate|, m/s
};

/// `is_stick[i]`: the slip of contact i of the snapshot is held at zero too.
Drift drift_of(const Snapshot& snapshot, const std::vector<bool>& is_stick);

/// The same in parts of what is tolerated (Tolerances::drift of each contact's scales, above rounding).
struct DriftExcess {
  double position = 0.0, velocity = 0.0;
  double largest() const { return std::max(position, velocity); }
};
DriftExcess drift_excess(const Snapshot& snapshot, const ContactSet& contacts,
                         const std::vector<bool>& is_stick, const Tolerances& tolerances,
                         const Scales& scales);

/// Smallest change of position in the kinetic metric that brings gaps and constraints to zero to
/// first order:
///   dq = -M^-1 R^T (R M^-1 R^T)^+ value.        Returns dq in speeds (see Mechanism::displace).
Eigen::VectorXd position_correction(const Snapshot& snapshot);

/// Smallest change of speed in the kinetic metric (a plastic impact) that brings the rates of all
/// rows to zero.
Eigen::VectorXd velocity_correction(const Snapshot& snapshot, const std::vector<bool>& is_stick);

/// Whether a change of speeds is of the size of the rates that it takes away, in units of kinetic energy. It is much larger
/// where rows nearly depend on each other: a slip that is zero for an instant, in a motion that goes on, is taken away by
/// stopping that motion only.
bool is_as_small_as_rates(const Snapshot& snapshot, const std::vector<bool>& is_zero,
                          const Eigen::VectorXd& change);

/// Gaps, joints and their rates of a mode brought back to zero.
struct DriftProjection {
  std::vector<double> y;       // after
  double size = 0.0;           // largest drift of a position, m
  double energy_change = 0.0;  // J
  bool is_large = false;       // flag drift-corrected
  std::optional<Stop> stop;  // it is no drift: positions do not come together, or speeds would jump
};
DriftProjection project_drift(const NodeTools& tools, const Instant& instant);

/// The same for one instant of a mode after the other: keeps its memory.
class DriftProjector {
 public:
  /// Valid until the next call.
  const DriftProjection& project(const NodeTools& tools, const Instant& instant);

 private:
  const Snapshot& snapshot(const NodeTools& tools, const Instant& instant) const;
  void begin(const NodeTools& tools, const Instant& instant);
  void move(const NodeTools& tools, const Instant& instant);
  void slow(const NodeTools& tools, const Instant& instant);
  std::optional<Stop> stop(const NodeTools& tools, const Instant& instant) const;

  DriftProjection result_;
  RowSelection rows_;           // of the mode
  std::vector<bool> is_stick_;  // per closed contact
  DriftRows positions_, rates_;
  bool has_moved_ = false;
  DriftExcess excess_;  // before
  double jump_ = 0.0;   // the largest rate that is taken away, in parts of what it is made of
  DriftRows::Missed missed_;
};

}  // namespace clack
