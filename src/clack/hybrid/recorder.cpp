// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/recorder.hpp"

#include <algorithm>
#include <cmath>

#include "clack/contact/report.hpp"
#include "clack/hybrid/domain_check.hpp"
#include "clack/hybrid/node_trace.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"
#include "clack/trace/summary.hpp"

namespace clack {

Recorder::Recorder(const Model& model, const Theory& theory, Mechanism& mechanism,
                   ModeDynamics& dynamics, const RunOptions& options)
    : model_(model),
      mechanism_(mechanism),
      dynamics_(dynamics),
      with_nodes_(options.node_trace),
      with_fine_rows_(options.fine_rows),
      columns_contacts_(number_of(model.contacts) - options.arrived.contacts),
      columns_constraints_(number_of(model.constraints) - options.arrived.constraints),
      columns_inputs_(number_of(model.inputs) - options.arrived.inputs),
      table_(model, columns_contacts_),
      possible_(possible_contacts(model)),
      forces_(model, columns_constraints_) {
  Trace& t = trace_;
  t.model = model.name;
  t.model_file = model.file;
  t.theory = theory.name;
  t.formulation = theory.formulation;
  t.decision = theory.decision;
  t.impact = theory.impact;
  t.integrator = model.run.integrator;
  t.dimension = model.dimension;
  t.tolerance = model.run.tolerance;
  t.until = model.run.until;
  t.resolved_model = model.resolved_yaml;
  t.notes = model.notes;
  t.columns.push_back("t");
  for (const Coordinate& c : model.coordinates) {
    t.coordinates.push_back(c.name);
    t.columns.push_back(c.name);
  }
  for (const Speed& s : model.speeds) {
    t.speeds.push_back(s.name);
    t.columns.push_back(s.name);
  }
  contact_columns();
  for (const std::string& name : force_columns(model, columns_constraints_))
    t.columns.push_back(name);
  for (int i = 0; i < columns_inputs_; ++i) {
    t.inputs.push_back(model.inputs[i].name);
    t.columns.push_back(model.inputs[i].name);
  }
  t.arrived_contacts = options.arrived.contacts;
  t.arrived_constraints = options.arrived.constraints;
  t.csv_columns = t.columns.size();
  for (const char* name : {"kinetic", "potential", "total", "check"}) t.columns.push_back(name);
  for (const Constraint& c : model.constraints) t.constraints.push_back(c.name);
  sample_ = model.run.sample > 0.0 ? model.run.sample : model.run.until / 1000.0;
  state_.resize(dynamics.size());
}

int Recorder::number(const ContactKey& contact) {
  const int found = table_.number(contact);
  if (found < number_of(trace_.contacts)) return found;
  trace_.contacts.push_back(contact_name(model_, contact));
  memory_.touched.push_back(contact);
  return found;
}

std::vector<int> Recorder::numbers(std::span<const ContactKey> contacts) {
  std::vector<int> result;
  for (const ContactKey& contact : contacts) result.push_back(number(contact));
  return result;
}

void Recorder::add_event(const InstantEvent& event) {
  TraceEvent& written = trace_.events.emplace_back();
  written.t = event.t;
  written.kind = event.kind;
  written.contacts = numbers(event.contacts);
  for (const ContactChange& change : event.changes)
    written.changes.push_back({number(change.contact), change.from, change.to});
  for (const FeatureHandOver& feature : event.features)
    written.features.push_back(
        {number(feature.contact), numbers(feature.after), feature.place, feature.turn});
  written.label = event.label;
  written.iterations = event.iterations;
  written.residual = event.residual;
  written.drift = event.drift;
  written.certificate = event.certificate;
  trace_.worst_decision = largest_of(trace_.worst_decision, event.certificate);
}

void Recorder::begin(double t, const double* y) {
  const Energies e = mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y));
  memory_ = {};
  memory_.ledger.begin_with(t, e);
  const double samples = std::min(model_.run.until / sample_, hybrid_tolerances.foreseen_rows);
  trace_.rows.reserve(trace_.columns.size() * static_cast<std::size_t>(samples + 1.0));
}

void Recorder::row(double t, const double* y) {
  last_row(t, y);
  if (broken_) return;
  std::string what =
      broken_domain(model_, dynamics_, y, possible_, gaps_.of, memory_.domain_scales);
  if (what.empty())
    what = left_feature(mechanism_, dynamics_.rows().contacts, t, dynamics_.q(y), dynamics_.v(y),
                        memory_.domain_scales);
  if (what.empty()) what = overlap_;
  if (what.empty()) return;
  broken_ = BrokenRow{t, what};
  note(broken_->text());
  flag("outside-domain");
}

void Recorder::last_row(double t, const double* y) {
  dynamics_.evaluate_shown(t, y);
  const double *q = dynamics_.q(y), *v = dynamics_.v(y);
  auto& rows = trace_.rows;
  rows.push_back(t);
  rows.insert(rows.end(), q, q + dynamics_.coordinates());
  rows.insert(rows.end(), v, v + dynamics_.speeds());
  gap_motion_of(mechanism_, possible_, t, q, v, nullptr, gaps_);
  const ContactSet& closed = dynamics_.rows().contacts;
  const ModeForces& forces = dynamics_.forces();
  if (forces.is_hyperstatic) flag("hyperstatic");
  if (forces.is_hyperstatic && forces.null_accelerations.cols() > 0) {
    const bool is_new = std::ranges::find(trace_.flags, "motion-not-unique") == trace_.flags.end();
    if (is_new)
      note(
          fmt::format("t = {:.9g} s: sliding contacts are redundant, so that neither forces nor "
                      "motion are unique from here on; the smallest admissible forces are used",
                      t));
    flag("motion-not-unique");
  }
  if (!forces.is_finite) {
    flag("rows-contradict");
    note(
        fmt::format("t = {:.9g} s: rows that depend on each other ask for different accelerations "
                    "(a singular pose); the least-squares answer is used",
                    t));
  }
  const int k = dynamics_.tangents();
  int local = 0;
  const std::size_t first_column = rows.size();
  rows.resize(first_column + groups_.size() * (2 + k));
  double* column = rows.data() + first_column;
  for (const ColumnGroup& group : groups_) {
    double normal = 0.0;
    std::array<double, 2> tangent{};
    const double gap = gap_of_group(group, t, q, v);
    for (int first = local; local < number_of(closed) && closed[local].source < group.last;
         ++local) {
      const bool is_first = local == first;  // a sum of one keeps its sign also where it is zero
      normal = is_first ? forces.normal_force[local] : normal + forces.normal_force[local];
      for (int a = 0; a < k; ++a) {
        const double force = forces.friction_force[local * k + a];
        tangent[a] = is_first ? force : tangent[a] + force;
      }
    }
    *column++ = gap;
    *column++ = normal;
    column = std::copy_n(tangent.begin(), k, column);
  }
  forces_.append(dynamics_, mechanism_.signals(), t, y, rows);
  for (int i = 0; i < columns_inputs_; ++i) rows.push_back(mechanism_.signals()[i].at(t));
  if (!trace_.pairs.empty() || columns_contacts_ < number_of(model_.contacts))
    contact_rows(t, q, v);
  if (columns_constraints_ < number_of(model_.constraints)) constraint_rows(t);
  const Energies e = mechanism_.energies(t, q, v);
  rows.insert(rows.end(), {e.kinetic, e.potential, e.kinetic + e.potential,
                           memory_.ledger.check(e, dynamics_.works(y))});
}

void Recorder::sample_step(Integrator& integrator, double until) {
  const double t_end = std::min(until, integrator.time());
  int samples = 0;
  for (;; ++memory_.sample_index) {
    const double t = static_cast<double>(memory_.sample_index) * sample_;
    if (!(t < t_end)) break;
    if (!(t > integrator.time_before())) continue;
    integrator.dense(t, state_);
    row(t, state_.data());
    if (broken_) return;
    ++samples;
  }
  if (with_fine_rows_) fine_rows_.step(integrator, until, samples, dynamics_, trace_.fine_rows);
}

void Recorder::enter_mode(double t, const Mode& mode) {
  if (!trace_.modes.empty()) trace_.modes.back().end = t;
  std::vector<TraceStatus> closed;
  for (const ClosedContact& c : mode.closed) closed.push_back({number(c.contact), c.status});
  std::ranges::sort(closed, {}, &TraceStatus::contact);
  std::vector<double> signals;
  for (const Signal& s : mechanism_.signals())
    signals.insert(signals.end(), {s.value, s.rate, s.acceleration, s.since});
  trace_.modes.push_back(
      {t, t, std::move(closed), mode.constraints, std::move(signals), trace_.row_count()});
}

/// One jump of the speeds; contacts outside its islands have no impulse.
void Recorder::impact(double t, const ImpactPass& pass) {
  memory_.ledger.impact(pass);
  if (pass.kind == ImpactKind::chain_completion) return;
  TraceImpact impact;
  const int k = dynamics_.tangents();
  impact.t = t;
  impact.contacts = numbers(pass.contacts);
  impact.v_before = pass.v_before;
  impact.v_after = pass.v_after;
  impact.energy_before = pass.energy_before;
  impact.energy_after = pass.energy_after;
  impact.normal_impulse.assign(pass.contacts.size(), 0.0);
  impact.tangent_impulse.assign(pass.contacts.size(), std::vector<double>(k, 0.0));
  for (int p = 0; p < number_of(pass.part); ++p) {
    impact.normal_impulse[pass.part[p]] = pass.result.normal_impulse[p];
    for (int a = 0; a < k; ++a)
      impact.tangent_impulse[pass.part[p]][a] = pass.result.tangent_impulse[p * k + a];
  }
  impact.constraint_impulses =
      constraint_impulses(model_, pass.constraints, pass.result.bilateral_impulse);
  impact.normal_work = pass.result.normal_work;
  impact.tangential_work = pass.result.tangential_work;
  impact.joint_work = pass.result.joint_work;
  impact.events = pass.result.events;
  for (ImpactEvent& event : impact.events)
    for (int& contact : event.contacts) contact = impact.contacts[pass.part[contact]];
  impact.history = pass.result.history;
  impact.certificate = pass.result.certificate;
  impact.iterations = pass.result.iterations;
  impact.flags = pass.result.flags;
  trace_.worst_impact = largest_of(trace_.worst_impact, impact.certificate);
  trace_.impacts.push_back(std::move(impact));
}

void Recorder::passes(double t, const NodePasses& passes) {
  for (const NodePass& pass : passes) {
    if (const auto* contact = std::get_if<ContactPass>(&pass)) {
      if (with_nodes_) log_contact_node(trace_, t, numbers(contact->contacts), contact->result);
      continue;
    }
    const auto& jump = std::get<ImpactPass>(pass);
    if (with_nodes_ && jump.kind == ImpactKind::law)
      log_impact_node(trace_, t, numbers(jump.contacts), jump.part, jump.result.path);
    else if (with_nodes_)
      log_closed_form_node(trace_, t, numbers(jump.contacts));
    if (jump.has_jumped()) impact(t, jump);
  }
}

/// The impacts that no event has yet go to the impact event among those from `first` on, else to the first of them.
void Recorder::give_impacts(std::size_t first) {
  if (first == trace_.events.size() || given_impacts_ == trace_.impacts.size()) return;
  const auto begin = trace_.events.begin() + static_cast<std::ptrdiff_t>(first);
  const auto found = std::find_if(begin, trace_.events.end(), [](const TraceEvent& event) {
    return event.kind == EventKind::impact;
  });
  TraceEvent& event = found == trace_.events.end() ? *begin : *found;
  event.first_impact = given_impacts_;
  event.impacts = trace_.impacts.size() - given_impacts_;
  given_impacts_ = trace_.impacts.size();
}

template <class Record>
void Recorder::write(Record& record) {
  passes(record.t, record.passes);
  const std::size_t first_event = trace_.events.size();
  for (const InstantEvent& event : record.events) add_event(event);
  give_impacts(first_event);
  for (const std::string& code : record.flags) flag(code);
  for (const std::string& sentence : record.notes) note(sentence);
  for (const double change : record.corrections) memory_.ledger.correct(change);
}

void Recorder::instant(InstantRecord&& record) {
  write(record);
  if (record.work_of_inputs != 0.0) memory_.ledger.drive(record.work_of_inputs);
  memory_.ledger.slide_over_corner(record.taken_by_corners);
  if (record.stop) return;
  audit(record.t, record.y.data());
  enter_mode(record.t, record.after);
  if (!record.completion) return;
  write(*record.completion);
  if (!record.completion->stop) enter_mode(record.completion->limit_time, record.completion->after);
}

void Recorder::reselect(double t, std::vector<std::string> independent) {
  TraceEvent& event = trace_.events.emplace_back();
  event.t = t;
  event.kind = EventKind::reselect;
  event.independent = std::move(independent);
}

void Recorder::drift(const DriftProjection& drift) {
  memory_.ledger.correct(drift.energy_change);
  if (drift.is_large) flag("drift-corrected");
}

void Recorder::add_counts(const IntegratorCounts& counts) {
  memory_.counts.steps += counts.accepted;
  memory_.counts.evaluations += counts.evaluations;
}

void Recorder::flag(const std::string& code) {
  if (std::find(trace_.flags.begin(), trace_.flags.end(), code) == trace_.flags.end())
    trace_.flags.push_back(code);
}

void Recorder::note(const std::string& sentence) {
  if (number_of(trace_.notes) < hybrid_tolerances.kept_notes &&
      std::find(trace_.notes.begin(), trace_.notes.end(), sentence) == trace_.notes.end())
    trace_.notes.push_back(sentence);
}

void Recorder::audit(double t, const double* y) {
  memory_.ledger.balance(t, mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y)),
                         dynamics_.works(y));
}

EnergyLedger Recorder::ledger(double t, const double* y) const {
  const Energies e = mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y));
  return memory_.ledger.closed(e, dynamics_.works(y), ledger_limit(model_));
}

void Recorder::finish(double t, const double* y, const std::optional<Stop>& stop) {
  Trace& trace = trace_;
  if (stop) {
    trace.status = RunStatus::stopped;
    trace.reason = stop->reason;
    trace.remedy = stop->remedy;
    if (trace.row_count() == 0) row(t, y);  // it stopped at the start: the start is what there is
  }
  TraceEvent& end = trace.events.emplace_back();
  end.t = t;
  end.kind = EventKind::end;
  give_impacts(trace.events.size() - 1);
  audit(t, y);
  trace.final_time = t;
  trace.final_q.assign(dynamics_.q(y), dynamics_.q(y) + dynamics_.coordinates());
  trace.final_v.assign(dynamics_.v(y), dynamics_.v(y) + dynamics_.speeds());
  if (!trace.modes.empty()) trace.modes.back().end = t;
  trace.energy = ledger(t, y);
  if (trace.energy.open) {
    flag("ledger-open");
    note(open_ledger_text(trace.energy));
  }
  if (!stop) add_jams(t, y);
  trace.counts = memory_.counts;
  trace.counts.events = static_cast<long>(trace.events.size());
  trace.counts.impacts = static_cast<long>(trace.impacts.size());
  if (model_.cycle) trace.cycle = find_cycle(model_, trace);
}

}  // namespace clack
