// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/contact_node.hpp"

#include <algorithm>
#include <cmath>

#include "clack/contact/circumstances.hpp"
#include "clack/contact/enumeration_decision.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/look_ahead.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// The contact node at one instant: who asks, and what is known of the mode that ended.
struct Question {
  const NodeTools& tools;
  const Instant& before;
  ContactSet contacts;
  const Cause& cause;
  bool had_impact = false;
  std::optional<Instant> moved = {};  // by settled rates or a tangential impact

  const Instant& instant() const { return moved ? *moved : before; }
};

/// The speeds whose difference a slip is: it is not known better than they are.
double slip_terms(const Snapshot& s, const double* v, int contact) {
  double largest = 0.0;
  for (int a = 0; a < s.tangents(); ++a) {
    double sum = 0.0;
    for (int j = 0; j < s.speeds(); ++j)
      sum += std::abs(s.tangent_jacobian()(contact * s.tangents() + a, j) * v[j]);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Which slips are zero: those below the tolerance of the speeds that they are made of, of contacts that stuck until now,
/// and where a slip guard has just found the zero.
std::vector<bool> vanished_slips(const Question& ask, const Snapshot& s, const double* v) {
  const Tolerances& tol = ask.tools.model.tolerances;
  const int k = s.tangents();
  const bool may_know = !ask.had_impact && !ask.cause.is_start;
  std::vector<bool> zero;
  for (int i = 0; i < number_of(ask.contacts); ++i) {
    const ContactKey contact = ask.contacts[i];
    const double slip = s.slip().segment(i * k, k).norm();
    const double scale = std::max(ask.instant().scales.speed_of(contact), slip_terms(s, v, i));
    const double none = frozen_slip(ask.tools, scale);
    const double passed = std::max(tol.slip_passed * scale, 3.0 * none);
    bool is_zero = slip <= none;
    if (may_know) {
      is_zero = is_zero || ask.instant().mode.status_of(contact) == ContactStatus::stick;
      is_zero = is_zero || (ask.cause.has_fired(GuardKind::slip, contact) && slip <= passed);
    }
    zero.push_back(is_zero);
  }
  return zero;
}

/// Slips as the node is to believe them: exactly zero where they have vanished.
Eigen::VectorXd believed_slip(const Question& ask, const Snapshot& s, const double* v) {
  const std::vector<bool> zero = vanished_slips(ask, s, v);
  Eigen::VectorXd slip = s.slip();
  for (int i = 0; i < number_of(ask.contacts); ++i)
    if (zero[i]) slip.segment(i * s.tangents(), s.tangents()).setZero();
  return slip;
}

/// Rates and slips that count as zero and are more than rounding.
struct Unsettled {
  std::vector<bool> is_zero;  // per contact: its slip counts as zero
  std::vector<bool> is_held;  // and it has stuck until now, or sticks to rounding
  bool is_settled = true;
};

Unsettled unsettled_rates(const Question& ask, const Snapshot& s) {
  const Tolerances& tol = ask.tools.model.tolerances;
  const double* v = ask.tools.v(ask.instant().y);
  const std::vector<bool> vanished = vanished_slips(ask, s, v);
  Unsettled found;
  for (int i = 0; i < s.contacts(); ++i) {
    const double scale =
        std::max(ask.instant().scales.speed_of(ask.contacts[i]), slip_terms(s, v, i));
    const double slip = s.slip().segment(i * s.tangents(), s.tangents()).norm();
    const double rounding = hybrid_tolerances.rate_rounding * scale;
    const bool is_zero = slip <= tol.slip * scale || (s.tangents() == 2 && vanished[i]);
    const bool has_stuck =
        !ask.had_impact && ask.instant().mode.status_of(ask.contacts[i]) == ContactStatus::stick;
    found.is_zero.push_back(is_zero);
    found.is_held.push_back(is_zero && (has_stuck || slip <= tol.gap_rate * scale));
    found.is_settled =
        found.is_settled && std::abs(s.gap_rate()[i]) <= rounding && (!is_zero || slip <= rounding);
  }
  return found;
}

/// Where rates and slips within their tolerances are more than rounding, the speeds are changed so that they are zero: the
/// accelerations of rows that depend on each other agree only then. In space so are all slips that the node believes to
/// be zero: others of the body are as small, and friction is to point where they point after the change. The node must
/// be asked about the state in which all of them are zero. The change of energy, J; nothing otherwise.
std::optional<double> settle_rates(Question& ask) {
  const NodeTools& tools = ask.tools;
  if (ask.contacts.empty()) return std::nullopt;
  const double before = tools.total_energy(ask.instant().t, ask.instant().y);
  for (int pass = 0; pass < hybrid_tolerances.settling_passes; ++pass) {
    const Snapshot& s = tools.snapshot(ask.instant(), ask.contacts);
    const Unsettled found = unsettled_rates(ask, s);
    if (found.is_settled) break;
    Eigen::VectorXd change = velocity_correction(s, found.is_zero);
    if (s.tangents() == 2 && !is_as_small_as_rates(s, found.is_zero, change))
      change = velocity_correction(s, found.is_held);
    if (!ask.moved) ask.moved = ask.before;
    for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(ask.moved->y)[j] += change[j];
    if (s.tangents() == 1) break;
  }
  if (!ask.moved) return std::nullopt;
  return tools.total_energy(ask.moved->t, ask.moved->y) - before;
}

struct Answer {
  ContactPass pass;
  std::string refusal;
};

Answer ask_at(const Question& ask, double t, const std::vector<double>& y) {
  const NodeTools& tools = ask.tools;
  const Snapshot& s = tools.dynamics.snapshot_of(ask.instant().mode, ask.contacts, t, y.data());
  Answer answer;
  answer.pass.t = t;
  answer.pass.contacts = ask.contacts;
  answer.pass.problem = make_contact_problem(
      tools.model, s,
      {ask.contacts, tools.surroundings.materials(ask.instant().surroundings, ask.contacts),
       geometry_of(tools.mechanism, ask.contacts, t, tools.q(y), tools.v(y))},
      tools.v(y), believed_slip(ask, s, tools.v(y)));
  answer.pass.problem.options.threads = tools.threads;
  answer.pass.problem.options.record_path = tools.records_paths;
  answer.refusal =
      tools.parts.decisions.refusal(tools.theory.decision, circumstances_of(answer.pass.problem));
  if (answer.refusal.empty()) answer.pass.result = tools.decision.decide(answer.pass.problem);
  return answer;
}

/// A state ahead with the change of speeds that has settled the instant: what is zero here is zero there.
std::vector<double> settled_ahead(const Question& ask, const StateAhead& ahead) {
  std::vector<double> y = ahead.y;
  if (!ask.moved) return y;
  const NodeTools& tools = ask.tools;
  for (int j = 0; j < tools.dynamics.speeds(); ++j)
    tools.v(y)[j] += tools.v(ask.moved->y)[j] - tools.v(ask.before.y)[j];
  return y;
}

/// The answer at the instant or, after a force guard, the first one ahead that leaves the mode for one that moves as the
/// answer says; where none does so, the first that leaves it. A look ahead that fails takes nothing away from the answer of the instant; only where none of them
/// leaves the mode is a proof that no forces exist there the answer.
Answer first_answer(const Question& ask) {
  Answer answer = ask_at(ask, ask.instant().t, ask.instant().y);
  if (!answer.refusal.empty() || ask.had_impact || !ask.cause.is_force_guard_fired() ||
      !has_answer(answer.pass.result.status))
    return answer;
  const int k = ask.tools.dynamics.tangents();
  std::optional<Answer> proof, doubtful;
  for (const StateAhead& ahead : ask.cause.ahead) {
    std::vector<double> y = settled_ahead(ask, ahead);
    Answer candidate = ask_at(ask, ahead.t, y);
    if (!candidate.refusal.empty()) return candidate;
    if (!has_answer(candidate.pass.result.status)) {
      const bool is_proof = candidate.pass.result.status == SolveStatus::none_exists;
      if (is_proof && !proof) proof = std::move(candidate);
      continue;
    }
    const Mode tried =
        mode_after(ask.instant().mode, ask.contacts, candidate.pass.problem, candidate.pass.result);
    const bool is_same = k == 2 ? has_same_statuses(tried, ask.instant().mode)
                                : tried.closed == ask.instant().mode.closed;
    if (is_same) continue;
    Instant there = ask.instant();
    there.t = ahead.t;
    there.y = std::move(y);
    there.mode = tried;
    if (moves_as_decided(ask.tools, there, candidate.pass)) return candidate;
    if (!doubtful) doubtful = std::move(candidate);
  }
  if (doubtful) return std::move(*doubtful);
  if (!proof) return answer;
  const Mode kept =
      mode_after(ask.instant().mode, ask.contacts, answer.pass.problem, answer.pass.result);
  return has_same_statuses(kept, ask.instant().mode) ? std::move(*proof) : std::move(answer);
}

/// The statuses after the fired guards: reserve used up, slips against the friction; no force,
/// opens.
Mode yield_to_guards(const Cause& cause, int k, Mode mode) {
  for (const Guard& guard : cause.fired) {
    if (guard.kind == GuardKind::normal_force)
      std::erase_if(mode.closed,
                    [&](const ClosedContact& c) { return c.contact == guard.contact; });
    if (guard.kind != GuardKind::stick_reserve) continue;
    const Eigen::VectorXd friction = cause.friction_force.segment(guard.local * k, k);
    if (!(friction.norm() > 0.0)) continue;
    for (ClosedContact& c : mode.closed) {
      if (c.contact != guard.contact) continue;
      c.status = ContactStatus::slip;
      for (int a = 0; a < k; ++a) c.slip_direction[a] = -friction[a] / friction.norm();
    }
  }
  return mode;
}

/// Of several solutions, the one whose normal forces are nearest to those just before (zero for
/// contacts that were open).
ContactResult most_continuous(const ContactPass& pass, const Cause& cause) {
  if (pass.problem.dimension != 2) return pass.result;
  const auto distance = [&](const ContactResult& candidate) {
    double sum = 0.0;
    for (int i = 0; i < number_of(pass.contacts); ++i)
      sum += std::abs(candidate.normal_force[i] - cause.normal_force_of(pass.contacts[i]));
    return sum;
  };
  ContactResult best = pass.result;
  for (const ContactResult& candidate : all_contact_solutions(pass.problem))
    if (distance(candidate) < distance(best)) best = candidate;
  return best;
}

std::string trouble_of(const Question& ask, const ContactResult& result) {
  std::string reason = fmt::format("t = {:.9g} s, contacts", ask.instant().t) +
                       names_of(ask.tools.model, ask.contacts);
  if (result.status == SolveStatus::not_converged)
    reason += fmt::format(": decision {} did not converge (residual {:.3g})",
                          ask.tools.decision.name(), result.certificate.residual);
  else
    reason += result.status == SolveStatus::none_exists
                  ? ": no admissible forces"
                  : fmt::format(": several solutions ({})", *result.solutions);
  for (const std::string& note : result.notes) reason += "; " + note;
  return reason;
}

/// Painleve, no forces or several: follows the policy. A decision that gave up is neither, and no policy is for it. True when a tangential impact has changed
/// the speeds and the node is to be asked again.
bool follow_policy(Question& ask, const ContactPass& pass, StatusDecision& decision) {
  const ContactResult& result = pass.result;
  const bool is_none = result.status == SolveStatus::none_exists;
  const bool has_failed = result.status == SolveStatus::not_converged;
  decision.flags.push_back(has_failed ? "not-converged"
                           : is_none  ? "no-solution"
                                      : "several-solutions");
  const std::string reason = trouble_of(ask, result);
  decision.notes.push_back(reason);
  if (has_failed) {
    decision.stop = Stop{reason, "choose another --decision, or change the friction a little"};
    return false;
  }
  switch (ask.tools.model.policies.painleve) {
    case PainlevePolicy::stop:
      decision.stop =
          Stop{reason, is_none ? "set policies: painleve: tangential-impact, or lower the friction"
                               : "set policies: painleve: continuous-force, or lower the friction"};
      return false;
    case PainlevePolicy::continuous_force:
      if (is_none)
        decision.stop =
            Stop{reason, "no force exists here; set policies: painleve: tangential-impact"};
      else
        decision.mode = mode_after(ask.instant().mode, ask.contacts, pass.problem,
                                   most_continuous(pass, ask.cause));
      return false;
    case PainlevePolicy::tangential_impact:
      if (is_none) break;
      decision.mode = mode_after(ask.instant().mode, ask.contacts, pass.problem, result);
      return false;
  }
  TangentialImpact impact = tangential_impact(ask.tools, ask.instant(), ask.contacts);
  decision.stop = impact.stop;
  if (impact.stop) return false;
  decision.passes.emplace_back(std::move(impact.pass));
  decision.notes.push_back(
      fmt::format("t = {:.9g} s: resolved as a tangential impact", ask.instant().t));
  ask.moved = ask.instant();
  ask.moved->y = decision.y = std::move(impact.y);
  ask.contacts = persistent(ask.tools, ask.instant(), ask.contacts);
  ask.had_impact = true;
  return true;
}

/// Asks once; true when the node is to be asked again.
bool decide_once(Question& ask, StatusDecision& decision) {
  decision.mode = ask.instant().mode;
  if (ask.contacts.empty()) {
    decision.mode.closed.clear();
    return false;
  }
  Answer answer = first_answer(ask);
  if (!answer.refusal.empty()) {
    decision.stop =
        Stop{answer.refusal, "choose another --decision; clack parts shows what each needs"};
    return false;
  }
  const ContactResult& result = answer.pass.result;
  for (const std::string& code : result.flags) decision.flags.push_back(code);
  if (result.status != SolveStatus::solved) {
    decision.passes.emplace_back(answer.pass);
    return follow_policy(ask, answer.pass, decision);
  }
  for (const std::string& note : result.notes)
    decision.notes.push_back(fmt::format("t = {:.9g} s: {}", ask.instant().t, note));
  const int k = ask.tools.dynamics.tangents();
  decision.mode = mode_after(ask.instant().mode, ask.contacts, answer.pass.problem, result);
  decision.passes.emplace_back(std::move(answer.pass));
  // Where the node keeps finding the mode whose force guard has fallen to zero, the instant is a
  // tie to rounding and the guard decides.
  const bool is_tie = ask.instant().visits >= ask.tools.model.tolerances.tie_patience;
  if (ask.had_impact || !is_tie || !has_same_statuses(decision.mode, ask.instant().mode))
    return false;
  decision.mode = yield_to_guards(ask.cause, k, std::move(decision.mode));
  if (!has_same_statuses(decision.mode, ask.instant().mode)) decision.flags.push_back("tie-broken");
  return false;
}

}  // namespace

double frozen_slip(const NodeTools& tools, double speed) {
  const double tolerance = tools.model.tolerances.slip * speed;
  if (tools.dynamics.tangents() == 1) return tolerance;
  return std::max(tolerance, hybrid_tolerances.frozen_slip * tools.model.run.tolerance);
}

ContactSet persistent(const NodeTools& tools, const Instant& instant, const ContactSet& contacts) {
  const Snapshot& s = tools.snapshot(instant, contacts);
  ContactSet set;
  for (int i = 0; i < number_of(contacts); ++i)
    if (s.gap_rate()[i] <= tools.model.tolerances.gap_rate * instant.scales.speed_of(contacts[i]))
      set.push_back(contacts[i]);
  return set;
}

Mode mode_after(const Mode& before, const ContactSet& contacts, const ContactProblem& problem,
                const ContactResult& result) {
  const int k = problem.dimension - 1;
  const Eigen::VectorXd slips = problem.slips(problem.velocity);
  Mode next{{}, before.constraints};
  for (int i = 0; i < number_of(contacts); ++i) {
    ContactStatus status = result.statuses[i];
    if (status == ContactStatus::open) continue;
    const bool is_free_to_slide = problem.materials[i].static_friction == 0.0;
    const bool slides = status == ContactStatus::slip;  // and does not only begin to
    if (status == ContactStatus::trans || is_free_to_slide) status = ContactStatus::slip;
    ClosedContact closed{contacts[i], status, {}};
    if (status == ContactStatus::slip && !is_free_to_slide) {
      // Friction opposes the slip. Where a force is missing, or is rounding of either sign, a slip has its own direction,
      // and one that only begins that of its acceleration.
      const auto slip = slips.segment(i * k, k);
      Eigen::VectorXd direction = -result.friction_force.segment(i * k, k);
      if (slides && slip.norm() > 0.0 && !(direction.dot(slip) > 0.0)) direction = slip;
      if (direction.norm() == 0.0) direction = result.slip_acceleration.segment(i * k, k);
      if (direction.norm() > 0.0) direction /= direction.norm();
      for (int a = 0; a < k; ++a) closed.slip_direction[a] = direction[a];
    }
    next.closed.push_back(closed);
  }
  return next;
}

StatusDecision visit_contact_node(const NodeTools& tools, const Instant& instant,
                                  const ContactSet& contacts, const Cause& cause, bool had_impact) {
  Question ask{tools, instant, contacts, cause, had_impact};
  StatusDecision decision;
  decision.correction = settle_rates(ask).value_or(0.0);
  decision.y = ask.instant().y;
  while (decide_once(ask, decision)) {
  }
  return decision;
}

}  // namespace clack
