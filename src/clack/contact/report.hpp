// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/delassus.hpp"
#include "clack/contact/problem.hpp"

namespace clack {

/// What a law makes complementary, for the certificate: normal impulse i times normal motion i, and
/// friction against the tangential motion that decides its direction. Several pairs: one per phase.
struct ComplementarityPair {
  Eigen::VectorXd normal_impulse, normal_motion;    // c
  Eigen::VectorXd tangent_impulse, tangent_motion;  // c (d-1); friction opposes this motion
  Eigen::VectorXd tangent_bound;                    // c: largest |tangent impulse|
};

/// Fills everything of an ImpactResult that follows from `velocity` and the impulses: statuses, energies, works, certificate and the flag `energy-gain`.
///
///   work of the impulses of one kind = sum impulse . (J v_before + J v_after) / 2
///     (exact for the whole impact: the works of all impulses add up to the change of energy)
///   gain = sum impulse . (relative velocity without the contacts + relative velocity after) / 2
///     = kinetic energy the contacts themselves added; moving surfaces, external impulses and
///       bilateral rows are not held against the law.
/// `free_motion` are the contact rows without contact impulses (FreeMotion::contact).
void complete_impact(const ImpactProblem& problem, const Eigen::VectorXd& free_motion,
                     const std::vector<ComplementarityPair>& pairs, ImpactResult& result);

/// The same when nothing but the contacts acts: the free motion is the one before.
void complete_impact(const ImpactProblem& problem, const std::vector<ComplementarityPair>& pairs,
                     ImpactResult& result);

/// Works that a law integrated along its march, in the motion relative to the surfaces, J.
struct MarchedWorks {
  double normal = 0.0, tangential = 0.0;
};

/// The same for laws that follow the impact from `free_velocity` (after joints that jump and external
/// impulses): works are those the law integrated, cones are static. Moving surfaces and joints add
/// what they put in, so that
///
///   energy_after - energy_before = normal_work + tangential_work + joint_work
///
/// holds exactly when the law integrated its works right.
void complete_marched_impact(const ImpactProblem& problem, const Eigen::VectorXd& free_velocity,
                             const MarchedWorks& works, ImpactResult& result);

/// v, impulses and the bilateral impulse from contact impulses ordered as the rows of G.
void apply_impulses(const ImpactProblem& problem, const Delassus& delassus, const FreeMotion& free,
                    const Eigen::VectorXd& impulse, ImpactResult& result);

/// Slip direction of the closed contacts of a ContactProblem, and which of them take part.
struct ContactStates {
  std::vector<bool> is_separating;  // gap rate > 0: open, no force
  std::vector<bool> is_slipping;    // |slip| above the slip tolerance
  Eigen::VectorXd direction;        // c (d-1): slip / |slip| where slipping, else 0
  bool is_at_rest = true;           // nothing slips
};
ContactStates contact_states(const ContactProblem& problem);
/// The same into existing ones, whose memory is used again.
void contact_states(const ContactProblem& problem, ContactStates& states);

/// Fills everything of a ContactResult that follows from the contact forces (ordered as the rows of
/// G): acceleration, bilateral force, gap and slip accelerations, statuses, certificate.
/// Tie rule: no force and no gap acceleration stays closed. A contact without friction never
/// becomes `trans`: it slips when its slip is not zero, else it is called sticking.
void complete_contact(const ContactProblem& problem, const Delassus& delassus,
                      const FreeMotion& free, const ContactStates& states,
                      const Eigen::VectorXd& force, ContactResult& result);

/// The larger violation of each law.
Certificate largest_of(const Certificate& a, const Certificate& b);

void add_flag(std::vector<std::string>& flags, std::string_view flag);

}  // namespace clack
