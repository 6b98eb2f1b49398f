// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/decision.hpp"

namespace clack {

/// Next statuses by projected Gauss-Seidel sweeps (docs/theories/newton.md), plane and space, island
/// by island.
///
///  1. Rest first: if nothing slips and forces inside the static cones keep everything at rest, that
///     is the answer.
///  2. SORPROX for the contact forces: f_T is projected only where the slip is zero; sliding contacts
///     have
///
///       f_T = -mu f_N slip/|slip|.
///
///     A sliding contact with A_ii - mu B_ii slip/|slip| <= 0 is reported (Painleve); the states of
///     few contacts are then enumerated.
///  3. Where static exceeds dynamic friction: contacts that start to slip are solved again, the
///     fastest first, with dynamic friction.
/// Statuses: stick (no slip, no slip acceleration), trans (no slip, slip acceleration), slip, open.
class ProxDecision final : public Decision {
 public:
  static DecisionPart part();
  std::string_view name() const override { return "prox"; }
  ContactResult decide(const ContactProblem& problem) const override;
};

}  // namespace clack
