#include <algorithm>
#include <cmath>

#include "clack/contact/enumeration_decision.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/execution.hpp"
#include "clack/hybrid/node_trace.hpp"
#include "clack/hybrid/nodes.hpp"

// What happens at an instant (docs/executor.md): impacts until no closed contact
// approaches (impacts.cpp), then the contact node, then the record of the transition.

namespace clack {
namespace {

bool contains(const std::vector<int>& set, int value) {
  return std::find(set.begin(), set.end(), value) != set.end();
}

/// The statuses after the fired guards: reserve used up, slips against the friction; no force,
/// opens.
void yield_to_guards(const std::vector<Guard>& fired, const ModeForces& forces, int k, Mode& mode) {
  for (const Guard& guard : fired) {
    const auto c = static_cast<std::size_t>(guard.contact);
    if (guard.kind == GuardKind::normal_force) mode.statuses[c] = ContactStatus::open;
    if (guard.kind != GuardKind::stick_reserve) continue;
    const Eigen::VectorXd friction = forces.friction_force.segment(guard.local * k, k);
    if (!(friction.norm() > 0.0)) continue;
    mode.statuses[c] = ContactStatus::slip;
    for (int a = 0; a < k; ++a)
      mode.slip_direction[c * static_cast<std::size_t>(k) + static_cast<std::size_t>(a)] =
          -friction[a] / friction.norm();
  }
}

bool is_force_guard(const Guard& guard) {
  return guard.kind == GuardKind::normal_force || guard.kind == GuardKind::stick_reserve ||
         guard.kind == GuardKind::admissible;
}

}  // namespace

RowSelection Execution::rows_of(const ContactSet& contacts) const {
  RowSelection rows = mode_.rows();
  rows.contacts = contacts;
  return rows;
}

bool Execution::is_force_guard_fired(const Cause& cause) const {
  return std::any_of(cause.fired.begin(), cause.fired.end(), is_force_guard);
}

void Execution::resolve_instant(const Cause& cause) {
  if (t_ == last_event_time_ && !cause.is_start) {
    if (++visits_at_instant_ > model_.tolerances.instant_limit)
      throw Stop{fmt::format("t = {:.17g} s: {} node visits at one instant lead nowhere", t_,
                             visits_at_instant_),
                 "the statuses repeat; try another decision, or report the model"};
  } else {
    visits_at_instant_ = 0;
  }
  const Mode before = mode_;
  impacts_at_instant_ = 0;
  impact_speed_ = 0.0;
  impact_contacts_.clear();
  node_iterations_ = 0;
  node_residual_ = 0.0;
  std::fill(is_formula_fired_.begin(), is_formula_fired_.end(), false);

  const bool constraints_changed = switch_constraints_and_zones(cause);
  const ContactSet contacts = touching(cause);
  const bool had_impact = resolve_impacts(contacts, constraints_changed || cause.is_start);
  std::fill(is_released_.begin(), is_released_.end(), false);
  for (const int c : contacts) is_released_[static_cast<std::size_t>(c)] = true;
  decide(persistent(contacts), cause, had_impact);
  for (std::size_t i = 0; i < is_released_.size(); ++i)
    if (mode_.is_closed(static_cast<int>(i))) is_released_[i] = false;
  const double drift = project_drift();
  record_transition(before, cause, had_impact, drift);
  if (!had_impact) return;
  accumulation_.add(t_, impact_contacts_, impact_speed_);
  if (const auto completion = accumulation_.completed(speed_scale_))
    complete_accumulation(*completion);
}

/// Model events, zone borders and known times. True when a constraint was switched on.
bool Execution::switch_constraints_and_zones(const Cause& cause) {
  bool switched_on = false;
  Trace& trace = recorder_.trace();
  const auto log = [&](EventKind kind, const std::string& label) {
    TraceEvent event;
    event.t = t_;
    event.kind = kind;
    event.label = label;
    trace.events.push_back(event);
  };
  for (const Guard& guard : cause.fired) {
    if (guard.kind != GuardKind::formula) continue;
    const auto f = static_cast<std::size_t>(guard.formula);
    is_formula_fired_[f] = true;
    if (f >= model_.events.size()) continue;
    const ModelEvent& event = model_.events[f];
    const bool is_rising = guard.sign < 0.0;
    if ((event.direction == CrossingDirection::rising && !is_rising) ||
        (event.direction == CrossingDirection::falling && is_rising))
      continue;
    log(EventKind::time, event.name);
    for (const Action& action : event.actions) {
      switch (action.kind) {
        case ActionKind::stop:
          stop_requested_ = true;
          break;
        case ActionKind::constraint_on:
          switched_on_[static_cast<std::size_t>(action.constraint)] = true;
          break;
        case ActionKind::constraint_off:
          switched_on_[static_cast<std::size_t>(action.constraint)] = false;
          break;
      }
    }
  }
  mechanism_->formula_motion(t_, q(), v(), formulas_.data());
  std::size_t formula = model_.events.size();
  for (const Contact& c : model_.contacts) formula += c.zones.size();
  for (std::size_t i = 0; i < model_.constraints.size(); ++i) {
    const Constraint& c = model_.constraints[i];
    if (cause.is_time && c.known_from == t_) switched_on_[i] = c.is_active;
    bool is_active = switched_on_[i];
    if (c.active.is_valid()) {
      const FormulaValue& value = formulas_[formula];
      is_active =
          (is_formula_fired_[formula] ? value.rate > 0.0 : value.value > 0.0) && t_ >= c.known_from;
      ++formula;
    }
    if (is_active == mode_.constraints[i]) continue;
    mode_.constraints[i] = is_active;
    switched_on = switched_on || is_active;
    log(is_active ? EventKind::constraint_on : EventKind::constraint_off, c.name);
  }
  const std::vector<int> zones_before = active_zone_;
  update_materials();
  for (std::size_t i = 0; i < active_zone_.size(); ++i)
    if (active_zone_[i] != zones_before[i] && mode_.is_closed(static_cast<int>(i)))
      log(EventKind::zone, model_.contacts[i].name);
  return switched_on;
}

/// Contacts of the mode, those whose gap guard fired, those that reach zero within the time
/// tolerance, and those with zero gap that separate (docs/theories/poisson.md: the impact decides
/// on them).
Execution::ContactSet Execution::touching(const Cause& cause) {
  mechanism_->gap_motion(t_, q(), v(), y_.data() + dynamics_.coordinates(), gap_.data(),
                         gap_rate_.data(), gap_acceleration_.data());
  ContactSet set;
  const Tolerances& tol = model_.tolerances;
  const double window = tol.time * std::max(1.0, std::abs(t_));
  for (int i = 0; i < static_cast<int>(gap_.size()); ++i) {
    const auto s = static_cast<std::size_t>(i);
    bool touches = mode_.is_closed(i);
    for (const Guard& guard : cause.fired)
      touches = touches || (guard.kind == GuardKind::gap && guard.contact == i);
    if (cause.is_start) {
      touches = gap_[s] <= tol.gap * length_scale_;
    } else if (!touches) {
      touches = gap_[s] <= std::max(-gap_rate_[s] * window, tol.rearm_gap);
    }
    if (touches) set.push_back(i);
  }
  return set;
}

/// Of the touching contacts, those that do not separate.
Execution::ContactSet Execution::persistent(const ContactSet& contacts) {
  const Snapshot& s = dynamics_.snapshot_of(rows_of(contacts), t_, y_.data());
  ContactSet set;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (s.gap_rate()[static_cast<Eigen::Index>(i)] <= model_.tolerances.gap_rate * speed_scale_)
      set.push_back(contacts[i]);
  return set;
}

ContactResult Execution::decide_at(const ContactSet& contacts, const Cause& cause, bool had_impact,
                                   double t, const double* y) {
  const Snapshot& s = dynamics_.snapshot_of(rows_of(contacts), t, y);
  const int k = s.tangents();
  Eigen::VectorXd slip = s.slip();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i) * k;
    const auto c = static_cast<std::size_t>(contacts[i]);
    bool is_zero = slip.segment(at, k).norm() <= model_.tolerances.slip * speed_scale_;
    const bool may_know = !had_impact && !cause.is_start;
    if (may_know && mode_.statuses[c] == ContactStatus::stick) is_zero = true;
    if (may_know)
      for (const Guard& guard : cause.fired)
        is_zero = is_zero || (guard.kind == GuardKind::slip && guard.contact == contacts[i] &&
                              (k == 1 || slip.segment(at, k).norm() <=
                                             model_.tolerances.slip_passed * speed_scale_));
    if (is_zero) slip.segment(at, k).setZero();
  }
  contact_problem_ = make_contact_problem(model_, s, contacts, materials_, dynamics_.v(y), slip);
  if (const std::string refusal = decision_->refuses(contact_problem_); !refusal.empty())
    throw Stop{refusal, "choose another --decision"};
  contact_problem_.options.record_path = options_.node_trace;
  return decision_->decide(contact_problem_);
}

Mode Execution::mode_after(const ContactSet& contacts, const ContactResult& result) const {
  Mode next = mode_;
  const int k = dynamics_.tangents();
  std::fill(next.statuses.begin(), next.statuses.end(), ContactStatus::open);
  std::fill(next.slip_direction.begin(), next.slip_direction.end(), 0.0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto c = static_cast<std::size_t>(contacts[i]);
    const ContactStatus status = result.statuses[i];
    next.statuses[c] = status == ContactStatus::trans ? ContactStatus::slip : status;
    if (next.statuses[c] != ContactStatus::slip) continue;
    // Friction opposes the slip; without a force the slip acceleration tells the direction.
    Eigen::VectorXd direction = -result.friction_force.segment(static_cast<Eigen::Index>(i) * k, k);
    if (direction.norm() == 0.0)
      direction = result.slip_acceleration.segment(static_cast<Eigen::Index>(i) * k, k);
    if (direction.norm() > 0.0) direction /= direction.norm();
    for (int a = 0; a < k; ++a)
      next.slip_direction[c * static_cast<std::size_t>(k) + static_cast<std::size_t>(a)] =
          direction[a];
  }
  return next;
}

/// The contact node. Where a force guard fell to zero the instant is degenerate (the mode just left
/// still solves it to rounding), so the node looks a little ahead along the motion of the old mode
/// and takes the first statuses that differ.
void Execution::decide(const ContactSet& contacts, const Cause& cause, bool had_impact) {
  Mode next = mode_;
  if (contacts.empty()) {
    std::fill(next.statuses.begin(), next.statuses.end(), ContactStatus::open);
    mode_ = next;
    return;
  }
  ContactResult result = decide_at(contacts, cause, had_impact, t_, y_.data());
  if (!had_impact && is_force_guard_fired(cause) && has_answer(result.status)) {
    for (double part = 1e-6; part <= 0.011; part *= 100.0) {
      const double ahead = t_ + part * cause.step;
      integrator_->dense(ahead, ahead_);
      ContactResult candidate = decide_at(contacts, cause, had_impact, ahead, ahead_.data());
      if (!has_answer(candidate.status)) {
        result = std::move(candidate);
        break;
      }
      const Mode tried = mode_after(contacts, candidate);
      if (tried.statuses == mode_.statuses &&
          (dynamics_.tangents() == 2 || tried.slip_direction == mode_.slip_direction))
        continue;
      result = std::move(candidate);
      break;
    }
  }
  if (options_.node_trace)
    log_contact_node(recorder_.trace(), t_, contacts, result);
  node_iterations_ += result.iterations;
  node_residual_ = std::max(node_residual_, result.certificate.residual);
  if (result.status != SolveStatus::solved) {
    handle_no_decision(contacts, result, cause);
    return;
  }
  for (const std::string& code : result.flags) recorder_.flag(code);
  for (const std::string& note : result.notes)
    recorder_.note(fmt::format("t = {:.9g} s: {}", t_, note));
  const Mode before = mode_;
  mode_ = mode_after(contacts, result);
  // Where the node keeps finding the mode whose force guard has fallen to zero, the instant is a
  // tie to rounding and the guard decides.
  const bool is_tie = visits_at_instant_ >= model_.tolerances.tie_patience;
  if (had_impact || !is_tie || mode_.statuses != before.statuses) return;
  dynamics_.evaluate(t_, y_.data());
  yield_to_guards(cause.fired, dynamics_.forces(), dynamics_.tangents(), mode_);
  if (mode_.statuses != before.statuses) recorder_.flag("tie-broken");
}

/// Of several solutions, the one whose normal forces are nearest to those just before (zero for
/// contacts that were open).
ContactResult Execution::most_continuous(const ContactSet& contacts,
                                         const ContactResult& found) const {
  if (contact_problem_.dimension != 2) return found;
  const auto distance = [&](const ContactResult& candidate) {
    double sum = 0.0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const double before = last_normal_force_[static_cast<std::size_t>(contacts[i])];
      sum += std::abs(candidate.normal_force[static_cast<Eigen::Index>(i)] - before);
    }
    return sum;
  };
  ContactResult best = found;
  for (const ContactResult& candidate : all_contact_solutions(contact_problem_))
    if (distance(candidate) < distance(best)) best = candidate;
  return best;
}

/// Painleve: no forces, or several. A decision that gave up is neither: no policy is for it.
void Execution::handle_no_decision(const ContactSet& contacts, const ContactResult& result,
                                   const Cause& cause) {
  const bool is_none = result.status == SolveStatus::none_exists;
  const bool has_failed = result.status == SolveStatus::not_converged;
  for (const std::string& code : result.flags) recorder_.flag(code);
  recorder_.flag(has_failed ? "not-converged" : is_none ? "no-solution" : "several-solutions");
  std::string reason = fmt::format("t = {:.9g} s, contacts", t_);
  for (const int c : contacts) reason += " " + model_.contacts[static_cast<std::size_t>(c)].name;
  reason += has_failed ? fmt::format(": decision {} did not converge (residual {:.3g})",
                                     decision_->name(), result.certificate.residual)
            : is_none  ? ": no admissible forces"
                       : fmt::format(": several solutions ({})", *result.solutions);
  for (const std::string& note : result.notes) reason += "; " + note;
  recorder_.note(reason);
  if (has_failed) throw Stop{reason, "choose another --decision, or change the friction a little"};
  switch (model_.policies.painleve) {
    case PainlevePolicy::stop:
      throw Stop{reason, is_none
                             ? "set policies: painleve: tangential-impact, or lower the friction"
                             : "set policies: painleve: continuous-force, or lower the friction"};
    case PainlevePolicy::continuous_force:
      if (is_none)
        throw Stop{reason, "no force exists here; set policies: painleve: tangential-impact"};
      mode_ = mode_after(contacts, most_continuous(contacts, result));
      return;
    case PainlevePolicy::tangential_impact:
      if (!is_none) {
        mode_ = mode_after(contacts, result);
        return;
      }
      tangential_impact(contacts);
      decide(persistent(contacts), cause, true);
      return;
  }
}

/// Brings gaps, joints and their rates back to zero; returns the size of the correction in m.
double Execution::project_drift() {
  const RowSelection rows = mode_.rows();
  if (rows.contacts.empty() && rows.constraints.empty()) return 0.0;
  std::vector<bool> is_stick;
  for (const int c : rows.contacts) {
    const auto i = static_cast<std::size_t>(c);
    is_stick.push_back(mode_.statuses[i] == ContactStatus::stick &&
                       materials_[i].static_friction > 0.0);
  }
  const double energy_before = total_energy();
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon();
  double largest = 0.0;
  for (int pass = 0; pass < 3; ++pass) {
    const Snapshot& s = dynamics_.snapshot_of(rows, t_, y_.data());
    const Drift drift = drift_of(s, is_stick);
    if (drift.position <= rounding * length_scale_) break;
    largest = std::max(largest, drift.position);
    const Eigen::VectorXd change = position_correction(s);
    mechanism_->displace(q(), change.data());
  }
  for (int pass = 0; pass < 2; ++pass) {
    const Snapshot& s = dynamics_.snapshot_of(rows, t_, y_.data());
    const Drift drift = drift_of(s, is_stick);
    if (drift.velocity == 0.0) break;
    const Eigen::VectorXd change = velocity_correction(s, is_stick);
    for (int j = 0; j < dynamics_.speeds(); ++j) v()[j] += change[j];
  }
  recorder_.correction(total_energy() - energy_before);
  if (largest > 1e3 * model_.tolerances.drift * length_scale_) recorder_.flag("drift-corrected");
  return largest;
}

/// Moves on by a time so short that a parabola is exact to rounding; not at all when another
/// contact would close meanwhile.
void Execution::advance_briefly(double duration) {
  const Eigen::VectorXd& a = dynamics_.forces().acceleration;
  mechanism_->gap_motion(t_, q(), v(), a.data(), gap_.data(), gap_rate_.data(),
                         gap_acceleration_.data());
  for (std::size_t i = 0; i < gap_.size(); ++i) {
    const double later =
        gap_[i] + duration * (gap_rate_[i] + 0.5 * duration * gap_acceleration_[i]);
    if (!mode_.is_closed(static_cast<int>(i)) && !is_released_[i] && later <= 0.0) return;
  }
  const int n = dynamics_.speeds();
  Eigen::VectorXd move(n);
  for (int j = 0; j < n; ++j) move[j] = duration * (v()[j] + 0.5 * duration * a[j]);
  mechanism_->displace(q(), move.data());
  for (int j = 0; j < n; ++j) v()[j] += duration * a[j];
  t_ += duration;
}

/// Closes accumulating contacts at the accumulation time (Zeno).
void Execution::complete_accumulation(const Accumulation::Completion& completion) {
  const Mode before = mode_;
  const double energy_before = total_energy();
  ContactSet contacts = completion.contacts;
  for (int i = 0; i < static_cast<int>(mode_.statuses.size()); ++i)
    if (mode_.is_closed(i) && !contains(contacts, i)) contacts.push_back(i);
  std::sort(contacts.begin(), contacts.end());
  const std::vector<bool> no_stick(contacts.size(), false);
  {
    const Snapshot& s = dynamics_.snapshot_of(rows_of(contacts), t_, y_.data());
    const Eigen::VectorXd shift = position_correction(s), change = velocity_correction(s, no_stick);
    mechanism_->displace(q(), shift.data());
    for (int j = 0; j < dynamics_.speeds(); ++j) v()[j] += change[j];
  }
  for (const int c : contacts) is_released_[static_cast<std::size_t>(c)] = true;
  decide(persistent(contacts), Cause{}, true);
  enter_mode(mode_);
  dynamics_.evaluate(t_, y_.data());
  advance_briefly(completion.time - t_);
  const double drift = project_drift();
  recorder_.correction(total_energy() - energy_before);
  for (std::size_t i = 0; i < is_released_.size(); ++i)
    if (mode_.is_closed(static_cast<int>(i))) is_released_[i] = false;
  if (completion.ratio < 1.0) {
    recorder_.flag("zeno-completed");
  } else {
    recorder_.flag("chatter-completed");
    recorder_.note(fmt::format(
        "t = {:.9g} s: {} impacts below {:.3g} m/s did not fade; their contacts were closed", t_,
        model_.tolerances.chatter, model_.tolerances.zeno_speed * speed_scale_));
  }
  TraceEvent event;
  event.t = t_;
  event.kind = EventKind::zeno;
  event.contacts = completion.contacts;
  event.drift = drift;
  for (std::size_t i = 0; i < mode_.statuses.size(); ++i)
    if (mode_.statuses[i] != before.statuses[i])
      event.changes.push_back({static_cast<int>(i), before.statuses[i], mode_.statuses[i]});
  recorder_.trace().events.push_back(std::move(event));
  recorder_.enter_mode(t_, mode_);
  accumulation_.collapse(completion);
}

/// In the plane the sign of the slip changed; in space the slip vanished and began again against
/// the friction just before (it may also turn round slowly, which is no event).
bool Execution::is_slip_reversed(const Mode& before, const Cause& cause, int contact) const {
  const int k = dynamics_.tangents();
  const auto at = static_cast<std::size_t>(contact * k);
  if (k == 1) return before.slip_direction[at] * mode_.slip_direction[at] < 0.0;
  for (const Guard& guard : cause.fired) {
    if (guard.kind != GuardKind::slip || guard.contact != contact) continue;
    return mode_.slip_direction[at] * cause.slip_before[0] +
               mode_.slip_direction[at + 1] * cause.slip_before[1] <
           0.0;
  }
  return false;
}

void Execution::record_transition(const Mode& before, const Cause& cause, bool had_impact,
                                  double drift) {
  Trace& trace = recorder_.trace();
  const auto add = [&](EventKind kind, std::vector<int> contacts,
                       std::vector<StatusChange> changes) {
    TraceEvent event;
    event.t = t_;
    event.kind = kind;
    event.contacts = std::move(contacts);
    event.changes = std::move(changes);
    event.iterations = node_iterations_;
    event.residual = node_residual_;
    event.drift = drift;
    trace.events.push_back(std::move(event));
  };
  std::map<EventKind, std::pair<std::vector<int>, std::vector<StatusChange>>> by_kind;
  std::vector<StatusChange> all;
  for (std::size_t i = 0; i < mode_.statuses.size(); ++i) {
    const ContactStatus from = before.statuses[i], to = mode_.statuses[i];
    const bool is_reversal = from == ContactStatus::slip && to == ContactStatus::slip &&
                             is_slip_reversed(before, cause, static_cast<int>(i));
    if (from == to && !is_reversal) continue;
    const StatusChange change{static_cast<int>(i), from, to};
    all.push_back(change);
    const EventKind kind = is_reversal                   ? EventKind::slip_reversal
                           : to == ContactStatus::open   ? EventKind::detach
                           : from == ContactStatus::open ? EventKind::close
                           : to == ContactStatus::stick  ? EventKind::stick
                                                         : EventKind::slip;
    by_kind[kind].first.push_back(static_cast<int>(i));
    by_kind[kind].second.push_back(change);
  }
  if (cause.is_start) {
    std::vector<int> contacts;
    for (const StatusChange& c : all) contacts.push_back(c.contact);
    add(EventKind::start, std::move(contacts), all);
  }
  if (impacts_at_instant_ > 0) {
    std::sort(impact_contacts_.begin(), impact_contacts_.end());
    for (const int c :
         impact_contacts_)  // an impacting contact is listed also when it lifts off at once
      if (std::none_of(all.begin(), all.end(),
                       [&](const StatusChange& s) { return s.contact == c; }))
        all.push_back({c, before.statuses[static_cast<std::size_t>(c)],
                       mode_.statuses[static_cast<std::size_t>(c)]});
    add(EventKind::impact, impact_contacts_, all);
  } else if (!cause.is_start) {
    for (auto& [kind, what] : by_kind) add(kind, what.first, what.second);
    if (by_kind.empty() && is_force_guard_fired(cause))
      add(EventKind::reselect, {cause.fired[0].contact}, {});
  }
  recorder_.audit(t_, y_.data());
  recorder_.enter_mode(t_, mode_);
  (void)had_impact;
}

}  // namespace clack
