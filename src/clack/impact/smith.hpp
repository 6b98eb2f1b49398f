// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/law.hpp"

namespace clack {

/// Newton's restitution with Smith's friction, plane and space (Gillespie, Patoglu, Hussein and Westervelt;
/// docs/theories/smith.md, corrected). One contact at a time, the one that approaches fastest first, until none
/// approaches; `strike` (smith_contact.hpp) is what happens to one. Joints are kept by every impulse, moving
/// surfaces are what speeds are measured against, and a joint that is violated before is put right first, plastically
/// (nothing touches: that is the whole impact).
///
/// Every struck contact is an event of the result; its works are those of an impulse that grows in proportion:
///   normal_work = nu v_n (1 - eps) / 2,   compression_work = nu v_n / (2 (1 + eps)).
/// Flags: `stick-discarded` (a stick would have added energy), `no-solution` (g_nn <= mu |g_tn|, with the
/// numbers), `not-converged` (contacts still approach after smith_tolerances.stages).
class SmithLaw final : public ImpactLaw {
 public:
  static ImpactLawPart part();
  explicit SmithLaw(bool has_stick_branch = true) : has_stick_branch_(has_stick_branch) {}
  std::string_view name() const override { return "smith"; }
  ImpactResult resolve(const ImpactProblem& problem) const override;

 private:
  bool has_stick_branch_;
};

}  // namespace clack
