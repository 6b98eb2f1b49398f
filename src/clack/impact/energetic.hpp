// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/energetic_tolerances.hpp"
#include "clack/impact/law.hpp"
#include "clack/impact/planar_closure.hpp"

namespace clack {

struct EnergeticOptions {
  ClosureRule closure = ClosureRule::rigid_body;
  std::vector<std::vector<double>> closure_rows;  // n-1 x 2n over t1 n1 t2 n2 ...; empty: by bodies
  std::vector<double> restitution_sequence;  // per event, the last repeats; empty: the contacts'
  std::string
      hub;  // space: name of the contact that the others are tied to; empty: the first member
  bool simultaneous = true;
  int max_events = energetic_tolerances.plane_events;
};

/// Law `energetic`: simultaneous impacts with friction, one energetic coefficient per event (P4).
///
/// More impulses than equations of motion: rigid-body constraints between the points of a body are
/// carried over to the impulses (planar_closure.hpp), so that all of them follow one normal impulse
/// p. The event is marched exactly in p, with stick and slip at every point (planar_march.hpp), and
/// ends when the normal impulses have given back e^2 of the work they took,
///
///   W_f = (1 - e^2) W_c,     W = sum of integrals v_n dp_n,     e in [-1, 1]
///
/// (P4 4.7 is another work; errata P4 E1). Events follow until no contact approaches: the members
/// of one are the contacts that do not separate and are connected, over moving bodies and through
/// such contacts, with one that approaches; the group with the fastest approach first.
///
/// Never silent: a member that closure asks to pull, or that makes the question contradictory, is
/// left out of its event (flag `points-dropped`, with names); a chain that `max_events` cuts
/// (`chain-cut`); several admissible slip states (`several-slip-states`). The answer depends on the
/// order of the contacts (errata P4 E3).
///
/// In space: spatial_energetic.hpp.
class EnergeticLaw final : public ImpactLaw {
 public:
  static ImpactLawPart part();
  explicit EnergeticLaw(EnergeticOptions options = {});
  std::string_view name() const override { return "energetic"; }
  bool has_history() const override { return true; }
  ImpactResult resolve(const ImpactProblem& problem) const override;
  void resolve_into(const ImpactProblem& problem, ImpactResult& result) const override;
  std::optional<LawRefusal> refusal(const ImpactProblem& problem) const override;

 private:
  EnergeticOptions options_;
};

}  // namespace clack
