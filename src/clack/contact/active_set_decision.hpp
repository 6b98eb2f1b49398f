// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/decision.hpp"

namespace clack {

/// Decision `active-set`, frictionless (docs/theories/projection.md): the acceleration
/// nearest to the free one,
///
///   min 1/2 (a - a_free)^T M (a - a_free)   with   J_b a = -bias_b,   J_N a + gap_bias >= 0,
///
/// found with active sets on closed-form projections. Accelerations are unique, also for dependent
/// rows; forces then are the smallest in norm among the admissible ones and flagged `hyperstatic`.
/// Contradicting rows have no solution.
class ActiveSetDecision final : public Decision {
 public:
  static DecisionPart part();
  std::string_view name() const override { return "active-set"; }
  ContactResult decide(const ContactProblem& problem) const override;
};

}  // namespace clack
