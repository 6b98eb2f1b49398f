// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/decision.hpp"

namespace clack {

/// Next statuses by trying every word over {open, stick, slip} (docs/theories/poisson.md), in the
/// plane (at most 4^c small linear systems, c up to FrictionTolerances::planar_contacts) and in space
/// (c up to spatial_contacts; slip directions by root finding, complementarity/contact_words.hpp):
/// a second opinion that shares no step with sweeps and Lemke.
///
/// `solutions` counts different accelerations (0, proved: flag `no-solution`; above 1:
/// `several-solutions`). Choice among several: rest if nothing slips and rest is admissible; else
/// most contacts sticking; else the smallest contact forces in the kinetic metric, so that a
/// contact rather opens than is held by a force that only sustains itself.
class EnumerationDecision final : public Decision {
 public:
  static DecisionPart part();
  std::string_view name() const override { return "enumeration"; }
  ContactResult decide(const ContactProblem& problem) const override;
};

/// Every solution with different accelerations, in the order of preference above.
std::vector<ContactResult> all_contact_solutions(const ContactProblem& problem);

}  // namespace clack
