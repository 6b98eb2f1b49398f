// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/nodes.hpp"

namespace clack {

/// Joints and gaps as they must be where a mode begins: at zero, to the tolerance `penetration`. Where a constraint or a
/// branch of a formula is switched, and at the start, they may not be.

/// A constraint of a mode that does not hold.
struct Violation {
  int constraint = 0;     // of the model
  double value = 0.0;     // largest among its rows
  double distance = 0.0;  // to first order: |value| over the sum of |d value / d coordinate|
};

/// Active configuration constraints that are violated by more than the tolerance.
std::vector<Violation> violated_constraints(const NodeTools& tools, const Instant& instant);
/// "constraint k is violated by 4.4, constraint ..."
std::string describe(const Model& model, const std::vector<Violation>& violations);

/// Moves the state onto its constraints (and the given contacts) by Newton steps of the smallest correction in the
/// kinetic metric. Speeds are left alone.
struct Placement {
  std::vector<double> y;  // after
  double distance = 0.0;  // largest change of a coordinate
  bool has_succeeded = false;
};
Placement placed_on_constraints(const NodeTools& tools, const Instant& instant,
                                const ContactSet& contacts);

/// Moves the state onto constraints that are violated, and says by how much; a stop when that fails.
std::optional<Stop> project_start(const NodeTools& tools, Instant& instant,
                                  const std::vector<Violation>& violations,
                                  const ContactSet& contacts, std::vector<std::string>& notes);

/// After `cause` ("a formula has switched"): nothing where all gaps and joints have stayed, else why the run cannot go on.
/// A closed gap that has opened is no obstacle: the contact is open then.
std::optional<Stop> position_jump(const NodeTools& tools, const Instant& instant,
                                  const ContactSet& contacts, const char* cause);

}  // namespace clack
