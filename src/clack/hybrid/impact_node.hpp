// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/nodes.hpp"

namespace clack {

/// How speeds jumped: by the impact law, by the plastic end of a chain that does not end by itself,
/// or without approach (Painleve).
enum class ImpactKind { law, chain_completion, tangential };

/// Works of the impulses of one jump, J. With u the velocity of the surfaces and rates of driven joints:
///   normal, tangential  impulse . (rate - u), relative to the surfaces: heat;    drives  impulse . u
struct ImpactWorks {
  double normal = 0.0, tangential = 0.0, drives = 0.0;
};

/// One jump of the speeds with the question it answers.
struct ImpactPass {
  ImpactKind kind = ImpactKind::law;
  ContactSet contacts;           // that touch
  std::vector<int> constraints;  // that are on
  /// Local indices of those that the impact was asked about, ascending; none that a constant force presses, which has no
  /// impulse.
  std::vector<int> part;
  ImpactProblem
      problem;  // of all contacts that touch; of mechanisms of many speeds: of those in `part` (law only)
  ImpactResult result;  // of those in `part`
  std::vector<double> v_before, v_after;
  double energy_before = 0.0, energy_after = 0.0;  // kinetic, J
  ImpactWorks works;
  ContactSet took_part;  // approached, or took an impulse

  bool has_jumped() const { return !v_after.empty(); }  // false: the law had no answer
};

/// Impacts at one instant until nothing approaches.
struct ImpactChain {
  std::vector<ImpactPass> passes;
  double approach_speed = 0.0;      // the largest one, in parts of its contact's speed scale
  std::vector<double> speed_scale;  // per touching contact, grown by its speeds, m/s
  Scales scales;                    // after, with these speeds
  bool is_unfinished = false;       // the law came to its own cap in the last pass
  std::vector<double> y;            // after
  std::vector<std::string> flags, notes;
  std::optional<Stop> stop;

  bool had_impact() const { return !passes.empty(); }
};

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
