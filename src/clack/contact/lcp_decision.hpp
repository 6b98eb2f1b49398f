// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/decision.hpp"
#include "clack/contact/lcp_size.hpp"

namespace clack {

/// Next statuses by a linear complementarity problem (docs/theories/poisson.md), in the plane.
///
///  1. Rest first: if nothing slips and some forces inside the cones keep everything at rest, that
///     is the answer (the smallest such forces).
///  2. Lemke on the problem of size c + 2 h or c + 4 h (option lcp_size; h contacts may stick),
///     with static friction at the contacts that may stick.
///  3. Of the contacts that start slipping where static exceeds dynamic friction, the fastest is
///     solved again as sliding with dynamic friction, until no more of them appear.
///  4. Hyperstatic forces are replaced by the smallest admissible ones (flag `hyperstatic`);
///     accelerations do not change.
///  5. A ray, or a sliding contact with negative mobility (Painleve), goes to the enumeration of
///     contact states: flags `no-solution` or `several-solutions`, with the numbers.
class LcpDecision final : public Decision {
 public:
  static DecisionPart part();
  explicit LcpDecision(LcpSize size = LcpSize::compact) : size_(size) {}
  std::string_view name() const override { return "lcp"; }
  ContactResult decide(const ContactProblem& problem) const override;

 private:
  LcpSize size_;
};

}  // namespace clack
