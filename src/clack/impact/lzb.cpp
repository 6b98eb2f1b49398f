// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb.hpp"

#include <fmt/format.h>

#include "clack/contact/report.hpp"
#include "clack/impact/approach.hpp"
#include "clack/impact/history.hpp"
#include "clack/impact/lzb_march.hpp"
#include "clack/impact/lzb_tolerances.hpp"
#include "clack/impact/reused_result.hpp"

namespace clack {
namespace {

using Eigen::VectorXd;

/// Memory only: every impact starts afresh.
struct LzbWorkspace {
  Delassus delassus;
  FreeMotion free;
  LzbMarch march;
  VectorXd impulse, start;  // rows of the Delassus matrix; n
};

/// Impulses in N s, ordered as the rows of the Delassus matrix.
void fill_impulses(const LzbSystem& system, const Delassus& delassus, const VectorXd& impulse,
                   VectorXd& out) {
  out.setZero(delassus.rows());
  for (Eigen::Index r = 0; r < impulse.size(); ++r)
    out[system.delassus_row[r]] = impulse[r] * system.impulse_unit();
}

/// `work.impulse` is that of the whole impact up to the end of the engagement.
void write_event(const LzbEngagement& engagement, const LzbSystem& system, const LzbWorkspace& work,
                 ImpactEvent& event) {
  event.contacts.assign(1, engagement.contact);
  event.restitution = system.restitution[engagement.contact];
  event.normal_work = engagement.normal_work * system.energy_unit();
  event.compression_work = engagement.compression_work * system.energy_unit();
  event.terminal_impulse = engagement.impulse * system.impulse_unit();
  event.tangential_work = engagement.tangential_work * system.energy_unit();
  event.velocity = work.free.state;
  event.velocity.noalias() += work.delassus.reduced_rows.transpose() * work.impulse;
  event.energy_after = 0.5 * event.velocity.squaredNorm();
  work.delassus.mass.matrixU().solveInPlace(event.velocity);
}

/// Velocities of all contact rows, also of those without friction, and the kinetic energy.
struct Motion {
  VectorXd contact;
  double kinetic = 0.0;
  Motion(const Delassus& delassus, const FreeMotion& free, const VectorXd& impulse)
      : contact(free.contact + delassus.matrix * impulse),
        kinetic(0.5 * (free.state + delassus.reduced_rows.transpose() * impulse).squaredNorm()) {}
};

InnerStatus inner_status(const LzbSample& sample, int i) {
  if (sample.loads[i] == Load::idle) return InnerStatus::idle;
  return sample.grips[i] == Grip::sticking ? InnerStatus::stick : InnerStatus::slip;
}

/// The samples as rows. `event` counts the engagements that have
/// ended; `work` is that of all normal impulses since the start of the impact.
void write_history(const ImpactProblem& problem, const LzbSystem& system, const Delassus& delassus,
                   const FreeMotion& free, const LzbOutcome& outcome, ImpactHistory& history) {
  HistoryWriter writer(problem, "time", history, Storing::yes);
  const int c = problem.contacts();
  const double start = 0.5 * free.state.squaredNorm();
  const double duration = outcome.samples.empty() ? 1.0 : outcome.samples.back().time;
  VectorXd impulse;
  InnerInstant row;
  row.stored.resize(c);
  row.force.resize(c);
  row.status.resize(c);
  for (const LzbSample& sample : outcome.samples) {
    fill_impulses(system, delassus, sample.impulse, impulse);
    const Motion motion(delassus, free, impulse);
    row.event = sample.ended;
    row.progress = sample.time / duration;
    row.kinetic = motion.kinetic;
    row.work = motion.kinetic - start - sample.tangential_work * system.energy_unit();
    row.normal_impulse = impulse.head(c);
    row.tangent_impulse = impulse.tail(impulse.size() - c);
    row.gap_rate = motion.contact.head(c);
    row.slip = motion.contact.tail(impulse.size() - c);
    for (int i = 0; i < c; ++i) {
      row.status[i] = inner_status(sample, i);
      row.stored[i] = system.stored(i, sample.compression[i]) * system.energy_unit();
      row.force[i] = system.force(i, sample.compression[i]) * system.impulse_unit() * duration;
    }
    writer.add(row);
  }
}

/// What the end of the march says to the user.
void report_end(const ImpactProblem& problem, const LzbOutcome& outcome, ImpactResult& result) {
  switch (outcome.end) {
    case LzbEnd::finished:
      return;
    case LzbEnd::locked:
      add_flag(result.flags, "locked");
      result.notes.emplace_back(
          "sticking contacts hold each other under load: no motion can give the energy back");
      return;
    case LzbEnd::unfinished:
      result.status = SolveStatus::unfinished;
      break;
    case LzbEnd::failed:
      result.status = SolveStatus::not_converged;
      add_flag(result.flags, "not-converged");
      result.notes.push_back(
          fmt::format("the integration inside the impact gave up in phase {}", outcome.phases + 1));
      break;
  }
  std::string left;
  const VectorXd rates = problem.gap_rates(result.velocity);
  for (int i = 0; i < problem.contacts(); ++i)
    if (rates[i] < 0.0)
      left += fmt::format("{}{} {:.3g}", left.empty() ? "" : ", ", problem.names[i], rates[i]);
  result.notes.push_back(fmt::format("{} phases; gap rates left: {} m/s", outcome.phases,
                                     left.empty() ? "none" : left));
}

/// A contact that approaches although no impulse can change that.
std::optional<int> immovable(const Delassus& delassus, const FreeMotion& free, double limit) {
  const int c = delassus.contacts;
  const double largest = delassus.matrix.diagonal().maxCoeff();
  for (int i = 0; i < c; ++i)
    if (free.contact[i] < -limit && !(delassus.matrix(i, i) > lzb_tolerances.immobile * largest))
      return i;
  return {};
}

void report_immovable(const ImpactProblem& problem, const FreeMotion& free, int contact,
                      ImpactResult& result) {
  result.status = SolveStatus::none_exists;
  add_flag(result.flags, "no-solution");
  result.notes.insert(result.notes.begin(),
                      fmt::format("contact {} approaches with {:.6g} m/s and no impulse moves it",
                                  problem.names[contact], -free.contact[contact]));
}

/// The impact of contacts of which some approach by more than `limit`.
void follow(const ImpactProblem& problem, double elasticity, Unloading unloading, double limit,
            LzbWorkspace& work, ImpactResult& result) {
  LzbSystem& system = work.march.system();
  make_lzb_system(problem, work.delassus, work.free, elasticity, unloading, limit, system);
  const double energy = 0.5 * work.free.state.squaredNorm() / system.energy_unit();
  const LzbOutcome& outcome = work.march.march(energy, problem.options.record_history);
  result.events.resize(outcome.engagements.size());
  for (std::size_t k = 0; k < outcome.engagements.size(); ++k) {
    fill_impulses(system, work.delassus, outcome.impulses[k], work.impulse);
    write_event(outcome.engagements[k], system, work, result.events[k]);
  }
  fill_impulses(system, work.delassus, outcome.state.impulse, work.impulse);
  apply_impulses(problem, work.delassus, work.free, work.impulse, result);
  const MarchedWorks works{outcome.normal_work * system.energy_unit(),
                           outcome.state.tangential_work * system.energy_unit()};
  complete_marched_impact(problem, work.start, works, result);
  result.iterations = outcome.phases;
  report_end(problem, outcome, result);
  if (problem.options.record_history)
    write_history(problem, system, work.delassus, work.free, outcome, result.history);
}

}  // namespace

ImpactLawPart LzbLaw::part() {
  ImpactLawPart part;
  part.name = "lzb";
  part.help =
      "stiffness ratios share an impact, energetic restitution and friction per contact; plane and "
      "space";
  part.options = {
      number_option("elasticity", 1.5, {1.0, 4.0},
                    "exponent of the contact springs, F = k d^elasticity: 1 linear, 1.5 Hertz"),
      choice_option("unloading", {"mono", "bi"},
                    "expansion along the loading curve with an early end, or on a softer one")};
  part.passed_over = {"restitution_sequence", "closure", "closure_rows", "hub"};
  part.make = [](const OptionValues& options) {
    return std::make_unique<LzbLaw>(options.number("elasticity"),
                                    options.chosen<Unloading>("unloading"));
  };
  return part;
}

ImpactResult LzbLaw::resolve(const ImpactProblem& problem) const {
  ImpactResult result;
  resolve_into(problem, result);
  return result;
}

void LzbLaw::resolve_into(const ImpactProblem& problem, ImpactResult& result) const {
  static thread_local LzbWorkspace work;
  begin_again(result);
  make_delassus(problem, problem.options.rank_cutoff, work.delassus);
  free_velocity(work.delassus, problem, work.free);
  const int c = problem.contacts();
  const double limit = approach_limit_of(problem, work.free.contact, lzb_tolerances.approach);
  work.impulse.setZero(work.delassus.rows());
  const bool has_jump = problem.bilateral.rows() > 0 || problem.external_impulse.size() > 0;
  work.start = problem.velocity;
  if (has_jump) work.start = motion_under(work.delassus, work.free, work.impulse);
  const bool is_hit = c > 0 && work.free.contact.head(c).minCoeff() < -limit;
  const std::optional<int> stuck =
      is_hit ? immovable(work.delassus, work.free, limit) : std::nullopt;
  if (!is_hit || stuck) {
    result.events.clear();
    apply_impulses(problem, work.delassus, work.free, work.impulse, result);
    if (!has_jump) result.velocity = problem.velocity;  // to the last bit
    complete_marched_impact(problem, work.start, {}, result);
    if (stuck) report_immovable(problem, work.free, *stuck, result);
    return;
  }
  follow(problem, elasticity_, unloading_, limit, work, result);
}

}  // namespace clack
