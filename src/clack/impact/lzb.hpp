// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/law.hpp"
#include "clack/impact/lzb_system.hpp"

namespace clack {

/// Multiple impacts with one energetic coefficient per contact (Liu, Zhao and Brogliato, Proc. R.
/// Soc. A 464 (2008) 3193 and 465 (2009) 1), with friction, plane and space (docs/theories/lzb.md).
/// Contacts share an impact in the ratio of the forces of tiny springs. In impact time s:
///
///   lam_i = k_i d_i^eta,   E_i = k_i d_i^(eta+1)/(eta+1)
///   M du/ds = sum_i Jn_i^T lam_i + Jt_i^T f_i,   dd_i/ds = -v_i        (start: d = 0)
///   expansion, mono: dd_i/ds = -v_i until E_i = (1 - e_i^2) E_c,i;  bi: dd_i/ds = -v_i/e_i^2 to d_i = 0
///   dE_i = -v_i dP_i and lam_i ~ k_i^(1/(1+eta)) E_i^(eta/(1+eta)): the published distributing law
///
/// Only ratios of the stiffnesses matter. Friction is a convex question at every instant, because
/// the normal forces are known (lzb_phase.hpp): there is always an answer, and no contact's number
/// matters. Energy never grows: T+ - T- = sum of the works, each e_i^2 of what was taken at most.
/// A chain of more than 2000 phases is unfinished. Joints act through the restricted mass, moving
/// surfaces through relative velocities; external impulses and joints that jump come first.
class LzbLaw final : public ImpactLaw {
 public:
  explicit LzbLaw(double elasticity = 1.5, Unloading unloading = Unloading::mono)
      : elasticity_(elasticity), unloading_(unloading) {}
  static ImpactLawPart part();
  std::string_view name() const override { return "lzb"; }
  bool has_history() const override { return true; }
  ImpactResult resolve(const ImpactProblem& problem) const override;
  void resolve_into(const ImpactProblem& problem, ImpactResult& result) const override;

 private:
  double elasticity_;  // eta, [1, 4]
  Unloading unloading_;
};

}  // namespace clack
