// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb.hpp"

#include <fmt/format.h>

#include "clack/contact/report.hpp"
#include "clack/impact/lzb_march.hpp"
#include "clack/impact/lzb_tolerances.hpp"

namespace clack {
namespace {

using Eigen::VectorXd;

/// Impulses in N s, ordered as the rows of the Delassus matrix.
VectorXd impulses_of(const LzbSystem& system, const Delassus& delassus, const VectorXd& impulse) {
  VectorXd out = VectorXd::Zero(delassus.rows());
  for (Eigen::Index r = 0; r < impulse.size(); ++r)
    out[system.delassus_row[r]] = impulse[r] * system.impulse_unit();
  return out;
}

ImpactEvent event_of(const LzbEngagement& engagement, const LzbSystem& system,
                     const Delassus& delassus, const FreeMotion& free) {
  ImpactEvent event;
  event.contacts = {engagement.contact};
  event.restitution = system.restitution[engagement.contact];
  event.normal_work = engagement.normal_work * system.energy_unit();
  event.compression_work = engagement.compression_work * system.energy_unit();
  event.terminal_impulse = engagement.impulse * system.impulse_unit();
  event.velocity =
      motion_under(delassus, free, impulses_of(system, delassus, engagement.impulses));
  return event;
}

}  // namespace

ImpactLawPart LzbLaw::part() {
  ImpactLawPart part;
  part.name = "lzb";
  part.help =
      "compliance ratios share the impact, energetic restitution and friction per contact; plane "
      "and space";
  part.options = {
      number_option("elasticity", 1.5, {1.0, 4.0},
                    "exponent of the contact springs, F = k d^elasticity: 1 linear, 1.5 Hertz"),
      choice_option("unloading", {"mono", "bi"},
                    "expansion along the loading curve with an early end, or on a softer one")};
  part.make = [](const OptionValues& options) {
    return std::make_unique<LzbLaw>(options.number("elasticity"),
                                    options.chosen<Unloading>("unloading"));
  };
  return part;
}

ImpactResult LzbLaw::resolve(const ImpactProblem& problem) const {
  const Delassus delassus = make_delassus(problem, problem.options.rank_cutoff);
  const FreeMotion free = free_velocity(delassus, problem);
  const int c = problem.contacts();
  const double limit = lzb_tolerances.approach * largest_contact_speed(free.contact);
  ImpactResult result;
  VectorXd impulse = VectorXd::Zero(delassus.rows());
  if (c > 0 && free.contact.head(c).minCoeff() < -limit) {
    const LzbSystem system =
        make_lzb_system(problem, delassus, free, elasticity_, unloading_, limit);
    const double energy = 0.5 * free.state.squaredNorm() / system.energy_unit();
    const LzbOutcome outcome = march_lzb(system, energy, problem.options.record_history);
    impulse = impulses_of(system, delassus, outcome.state.impulse);
    result.iterations = outcome.phases;
    for (const LzbEngagement& engagement : outcome.engagements)
      result.events.push_back(event_of(engagement, system, delassus, free));
    apply_impulses(problem, delassus, free, impulse, result);
    complete_impact(problem, free.contact, {}, result);
    result.normal_work = outcome.normal_work * system.energy_unit();
    result.tangential_work = outcome.state.tangential_work * system.energy_unit();
    if (outcome.end != LzbEnd::finished) {
      result.status = SolveStatus::not_converged;
      result.notes.push_back("unfinished");
    }
    result.certificate.residual = static_cast<double>(outcome.evaluations);
    return result;
  }
  apply_impulses(problem, delassus, free, impulse, result);
  complete_impact(problem, free.contact, {}, result);
  return result;
}

}  // namespace clack
