// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/lcp_size.hpp"
#include "clack/impact/law.hpp"

namespace clack {

/// Poisson's impact law with Coulomb friction in two phases, planar (docs/theories/poisson.md).
///
/// Compression (A to C), one linear complementarity problem over all touching contacts:
///
///   0 <= L_NC _|_ gdot_NC >= 0,   |L_TC| <= mu L_NC,   gdot_TC > 0 => L_TC = -mu L_NC  (< 0: +)
///
/// Expansion (C to E), a second one of the same matrix:
///
///   e = reversibility * tangential_restitution * restitution
///   L_NE = restitution L_NC + L_NP,   0 <= L_NP _|_ gdot_NE >= 0
///   L_TE = e L_TC + D,   |D| <= mu (L_NE - e L_NC),   gdot_TE > 0 => D = -bound  (< 0: +)
///
/// Each problem has 3 c (option lcp_size: compact) or 5 c unknowns (full); both give the same
/// impulses. The matrix is copositive, so Lemke always solves it; should rounding defeat it, the
/// states of the contacts are enumerated (flag `not-converged` when that fails too). Impulses of
/// hyperstatic contacts: among all that give the same velocities, the admissible ones with the
/// smallest sum of G_kk L_k^2 (flag `hyperstatic`). The external impulse and the bilateral rows act
/// first; impulses use dynamic friction only.
class PoissonLaw final : public ImpactLaw {
 public:
  static ImpactLawPart part();
  explicit PoissonLaw(LcpSize size = LcpSize::compact) : size_(size) {}
  std::string_view name() const override { return "poisson"; }
  ImpactResult resolve(const ImpactProblem& problem) const override;
  std::optional<int> count_solutions(const ImpactProblem& problem) const override;

 private:
  LcpSize size_;
};

/// How many different velocities after the impact the laws above admit, by enumeration of the
/// states of both phases; empty when there are too many contacts to enumerate.
std::optional<int> count_poisson_solutions(const ImpactProblem& problem);

}  // namespace clack
