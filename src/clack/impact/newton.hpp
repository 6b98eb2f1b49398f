// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/law.hpp"

namespace clack {

/// Newton's impact law with Coulomb friction, plane and space (docs/theories/newton.md, corrected).
/// With e_N = restitution, e_T = tangential_restitution and the velocities g- before the impact:
///
///   xi_N = g_N+ + e_N g_N-,   xi_T = g_T+ + e_T g_T-,   xi = G L + b
///   0 <= L_N _|_ xi_N >= 0,   L_T = proj_{|.| <= mu L_N} (L_T - r xi_T)
///
/// for all touching contacts at once, b = (1 + e) g- when nothing else acts. Friction opposes xi_T,
/// not the slip. Contacts that do not approach have a part in it too (they may be pressed
/// together), with e_N = 0 while they separate: otherwise the law would let them penetrate at e_N
/// times their speed. Energy cannot grow when all e_N and e_T are equal; otherwise it can, and then
/// the result says so (flag `energy-gain`, is_consistent = false). Nothing is clamped. The external
/// impulse and the bilateral rows act first; dynamic friction only.
class NewtonLaw final : public ImpactLaw {
 public:
  static ImpactLawPart part();
  std::string_view name() const override { return "newton"; }
  ImpactResult resolve(const ImpactProblem& problem) const override;
};

}  // namespace clack
