// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <list>
#include <variant>

#include "clack/hybrid/impact_node.hpp"

namespace clack {

/// One answer of the decision with the question it answers; t may lie a little ahead of the
/// instant.
struct ContactPass {
  double t = 0.0;
  ContactSet contacts;  // that touch and do not separate
  ContactProblem problem;
  ContactResult result;
};

/// What the nodes of an instant solved, in order. A list: passes are large and stay where they are.
using NodePass = std::variant<ImpactPass, ContactPass>;
using NodePasses = std::list<NodePass>;

/// What the contact node of an instant came to.
struct StatusDecision {
  NodePasses passes;      // the decision's answers, with a tangential impact between two
  Mode mode;              // that follows
  std::vector<double> y;  // changed by settled rates or a tangential impact only
  double correction =
      0.0;  // of the energy, where rates and slips within their tolerances were set to zero, J
  std::vector<std::string> flags, notes;
  std::optional<Stop> stop;
};

/// Slips below this (m/s) are zero to the nodes, where contacts move at `speed`, and their friction keeps the direction it began with.
///
/// Near zero slip the direction of friction in space is infinitely stiff: a turn by an angle takes a
/// change of speed of the size of the slip itself. Below what the integrator resolves it is noise.
/// Frozen over a time of slip / acceleration it moves nothing by more than the error that is allowed
/// anyway.
double frozen_slip(const NodeTools& tools, double speed);

/// Of the touching contacts, those that do not separate.
ContactSet persistent(const NodeTools& tools, const Instant& instant, const ContactSet& contacts);

/// The contact node (docs/executor.md): the next statuses of contacts that touch and do not
/// separate. Where a force guard fell to zero the instant is degenerate (the mode just left still
/// solves it to rounding), so the node looks a little ahead along the motion of the old mode and
/// takes the first statuses that differ. Without a solution, or with several, the policy `painleve`
/// decides.
StatusDecision visit_contact_node(const NodeTools& tools, const Instant& instant,
                                  const ContactSet& contacts, const Cause& cause, bool had_impact);

/// The mode in which the contacts of an answer have its statuses and all others are open.
/// Without friction nothing sticks: such a contact slips, in no direction.
Mode mode_after(const Mode& before, const ContactSet& contacts, const ContactProblem& problem,
                const ContactResult& result);

}  // namespace clack
