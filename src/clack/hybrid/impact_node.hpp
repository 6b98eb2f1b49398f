// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/nodes.hpp"

namespace clack {

/// How speeds jumped: by the impact law, by the plastic end of a chain that does not end by itself,
/// or without approach (Painleve).
enum class ImpactKind { law, chain_completion, tangential };

/// One jump of the speeds with the question it answers.
struct ImpactPass {
  ImpactKind kind = ImpactKind::law;
  ContactSet contacts;    // that touch
  std::vector<int> part;  // local indices of those that the impact was asked about, ascending
  ImpactProblem problem;  // of all contacts that touch (law only)
  ImpactResult result;    // of those in `part`
  std::vector<double> v_before, v_after;
  double energy_before = 0.0, energy_after = 0.0;  // kinetic, J
  ContactSet took_part;                            // approached, or took an impulse

  bool has_jumped() const { return !v_after.empty(); }  // false: the law had no answer
};

/// Impacts at one instant until nothing approaches.
struct ImpactChain {
  std::vector<ImpactPass> passes;
  double approach_speed = 0.0;  // the largest one, m/s
  double speed_scale = 0.0;     // grown by the contacts' speeds
  std::vector<double> y;        // after
  std::vector<std::string> flags, notes;
  std::optional<Stop> stop;

  bool had_impact() const { return !passes.empty(); }
};

/// The contacts of outlines among those that touch, made anew from geometry: which edges a corner is about to leave
/// depends on the speeds, which impacts change.
OutlineClosing with_outline_contacts(const NodeTools& tools, const Instant& instant, bool is_start,
                                     ContactSet contacts);

/// The impact node (docs/executor.md): the law is applied to the touching contacts until none
/// approaches. `may_jump`: joints may be violated in speed (the start, a constraint switched on).
ImpactChain visit_impact_node(const NodeTools& tools, const Instant& instant,
                              const ContactSet& contacts, bool may_jump);

/// An impact without approach (tangential shock): impulses that end the slip of every contact that
/// keeps touching.
///   J_N v+ = 0,  J_T v+ = 0  with  |L_T| <= mu L_N        (Painleve's no-solution case;
///   docs/theories/poisson.md)
struct TangentialImpact {
  ImpactPass pass;
  std::vector<double> y;     // after
  std::optional<Stop> stop;  // the impulses would leave their cones
};
TangentialImpact tangential_impact(const NodeTools& tools, const Instant& instant,
                                   const ContactSet& contacts);

}  // namespace clack
