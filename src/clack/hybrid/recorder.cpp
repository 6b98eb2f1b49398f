#include "clack/hybrid/recorder.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "clack/hybrid/domain_check.hpp"
#include "clack/hybrid/node_trace.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {

Recorder::Recorder(const Model& model, const Theory& theory, Mechanism& mechanism,
                   ModeDynamics& dynamics, bool with_nodes)
    : model_(model),
      mechanism_(mechanism),
      dynamics_(dynamics),
      with_nodes_(with_nodes),
      possible_(possible_contacts(model)),
      gaps_(model) {
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
  t.csv_columns = t.columns.size();
  for (const char* name : {"kinetic", "potential", "total"}) t.columns.push_back(name);
  for (const Constraint& c : model.constraints) t.constraints.push_back(c.name);
  sample_ = model.run.sample > 0.0 ? model.run.sample : model.run.until / 1000.0;
  zero_.assign(dynamics.speeds(), 0.0);
  state_.resize(dynamics.size());
}

void Recorder::contact_columns() {
  for (const ContactId contact : possible_) {
    const std::string name = name_of(model_, contact);
    trace_.contacts.push_back(name);
    trace_.columns.push_back("gap_" + name);
    trace_.columns.push_back("normal_" + name);
    if (model_.dimension == 2) {
      trace_.columns.push_back("tangent_" + name);
    } else {
      trace_.columns.push_back("tangent1_" + name);
      trace_.columns.push_back("tangent2_" + name);
    }
  }
}

void Recorder::resume(const RecorderMemory& memory, double t, const Mode& mode) {
  memory_ = memory;
  trace_.rows.clear();
  trace_.events.clear();
  trace_.impacts.clear();
  trace_.modes.clear();
  trace_.node_visits.clear();
  trace_.flags.clear();
  trace_.notes.clear();
  enter_mode(t, mode);
}

void Recorder::copy(const Recorder& other) {
  trace_ = other.trace_;
  memory_ = other.memory_;
}

void Recorder::begin(double t, const double* y) {
  const Energies e = mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y));
  memory_ = {};
  memory_.ledger.initial = e.kinetic + e.potential;
  memory_.largest_energy = std::max(std::abs(e.kinetic), std::abs(e.potential));
}

void Recorder::row(double t, const double* y) {
  dynamics_.evaluate(t, y);
  const double *q = dynamics_.q(y), *v = dynamics_.v(y);
  auto& rows = trace_.rows;
  rows.push_back(t);
  rows.insert(rows.end(), q, q + dynamics_.coordinates());
  rows.insert(rows.end(), v, v + dynamics_.speeds());
  gap_motion_of(mechanism_, possible_, t, q, v, zero_.data(), gaps_);
#ifndef NDEBUG
  if (const std::string broken =
          broken_domain(model_, dynamics_, y, possible_, gaps_.of, domain_scales_);
      !broken.empty()) {
    std::fprintf(stderr, "t = %.17g s: outside of Dom(s): %s\n", t, broken.c_str());
    assert(!"the state is in the domain of its location");
  }
#endif
  const ContactSet& closed = dynamics_.rows().contacts;
  const ModeForces& forces = dynamics_.forces();
  if (forces.is_hyperstatic) flag("hyperstatic");
  if (!forces.is_finite) {
    flag("rows-contradict");
    note(
        fmt::format("t = {:.9g} s: rows that depend on each other ask for different accelerations "
                    "(a singular pose); the least-squares answer is used",
                    t));
  }
  const int k = dynamics_.tangents();
  int local = 0;
  for (std::size_t i = 0; i < possible_.size(); ++i) {
    const bool is_closed = local < static_cast<int>(closed.size()) && closed[local] == possible_[i];
    rows.push_back(gaps_.of[i].gap);
    rows.push_back(is_closed ? forces.normal_force[local] : 0.0);
    for (int a = 0; a < k; ++a)
      rows.push_back(is_closed ? forces.friction_force[local * k + a] : 0.0);
    if (is_closed) ++local;
  }
  const Energies e = mechanism_.energies(t, q, v);
  rows.insert(rows.end(), {e.kinetic, e.potential, e.kinetic + e.potential});
}

void Recorder::sample_step(Integrator& integrator, double until) {
  const double t_end = std::min(until, integrator.time());
  for (;; ++memory_.sample_index) {
    const double t = static_cast<double>(memory_.sample_index) * sample_;
    if (!(t < t_end)) return;
    if (!(t > integrator.time_before())) continue;
    integrator.dense(t, state_);
    row(t, state_.data());
  }
}

void Recorder::enter_mode(double t, const Mode& mode) {
  if (!trace_.modes.empty()) trace_.modes.back().end = t;
  std::vector<ContactStatus> statuses;
  for (const ContactId c : possible_) statuses.push_back(mode.status_of(c));
  trace_.modes.push_back({t, t, std::move(statuses), mode.constraints, trace_.row_count()});
}

/// One jump of the speeds; contacts outside its islands have no impulse.
void Recorder::impact(double t, const ImpactPass& pass) {
  memory_.ledger.work_of_impacts += pass.energy_after - pass.energy_before;
  if (pass.kind == ImpactKind::chain_completion) return;
  TraceImpact impact;
  const int k = dynamics_.tangents();
  impact.t = t;
  impact.contacts = pass.contacts;
  impact.v_before = pass.v_before;
  impact.v_after = pass.v_after;
  impact.energy_before = pass.energy_before;
  impact.energy_after = pass.energy_after;
  impact.normal_impulse.assign(pass.contacts.size(), 0.0);
  impact.tangent_impulse.assign(pass.contacts.size(), std::vector<double>(k, 0.0));
  for (int p = 0; p < static_cast<int>(pass.part.size()); ++p) {
    impact.normal_impulse[pass.part[p]] = pass.result.normal_impulse[p];
    for (int a = 0; a < k; ++a)
      impact.tangent_impulse[pass.part[p]][a] = pass.result.tangent_impulse[p * k + a];
  }
  impact.normal_work = pass.result.normal_work;
  impact.tangential_work = pass.result.tangential_work;
  impact.certificate = pass.result.certificate;
  impact.iterations = pass.result.iterations;
  impact.flags = pass.result.flags;
  trace_.impacts.push_back(std::move(impact));
}

void Recorder::passes(double t, const NodePasses& passes) {
  for (const NodePass& pass : passes) {
    if (const auto* contact = std::get_if<ContactPass>(&pass)) {
      if (with_nodes_)
        log_contact_node(trace_, t, contact->contacts, contact->problem, contact->result,
                         trace_.decision);
      continue;
    }
    const auto& jump = std::get<ImpactPass>(pass);
    if (with_nodes_ && jump.kind == ImpactKind::law)
      log_impact_node(trace_, t, jump.contacts, jump.problem, trace_.impact);
    else if (with_nodes_)
      log_closed_form_node(trace_, t, jump.contacts);
    if (jump.has_jumped()) impact(t, jump);
  }
}

template <class Record>
void Recorder::write(Record& record) {
  passes(record.t, record.passes);
  for (TraceEvent& event : record.events) trace_.events.push_back(std::move(event));
  for (const std::string& code : record.flags) flag(code);
  for (const std::string& sentence : record.notes) note(sentence);
  for (const double change : record.corrections) memory_.ledger.corrections += change;
}

void Recorder::instant(InstantRecord&& record) {
  write(record);
  if (record.stop) return;
  audit(record.t, record.y.data());
  enter_mode(record.t, record.after);
  if (!record.completion) return;
  write(*record.completion);
  if (!record.completion->stop) enter_mode(record.completion->limit_time, record.completion->after);
}

void Recorder::drift(const DriftProjection& drift) {
  memory_.ledger.corrections += drift.energy_change;
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
  if (static_cast<int>(trace_.notes.size()) < hybrid_tolerances.kept_notes &&
      std::find(trace_.notes.begin(), trace_.notes.end(), sentence) == trace_.notes.end())
    trace_.notes.push_back(sentence);
}

void Recorder::audit(double t, const double* y) {
  const Energies e = mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y));
  const double total = e.kinetic + e.potential;
  const EnergyLedger& ledger = memory_.ledger;
  const double expected = ledger.initial + dynamics_.contact_work(y) + dynamics_.applied_work(y) +
                          ledger.work_of_impacts + ledger.corrections;
  memory_.largest_energy =
      std::max({memory_.largest_energy, std::abs(e.kinetic), std::abs(total - ledger.initial)});
  memory_.largest_imbalance = std::max(memory_.largest_imbalance, std::abs(total - expected));
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
  audit(t, y);
  trace.final_time = t;
  trace.final_q.assign(dynamics_.q(y), dynamics_.q(y) + dynamics_.coordinates());
  trace.final_v.assign(dynamics_.v(y), dynamics_.v(y) + dynamics_.speeds());
  if (!trace.modes.empty()) trace.modes.back().end = t;
  const Energies e = mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y));
  EnergyLedger& ledger = memory_.ledger;
  ledger.final = e.kinetic + e.potential;
  ledger.work_of_friction = dynamics_.contact_work(y);
  ledger.work_of_forces = dynamics_.applied_work(y);
  ledger.dissipated = -(ledger.work_of_friction + ledger.work_of_impacts);
  ledger.ledger_error = memory_.largest_energy > 0.0
                            ? memory_.largest_imbalance / memory_.largest_energy
                            : memory_.largest_imbalance;
  trace.energy = ledger;
  trace.counts = memory_.counts;
  trace.counts.events = static_cast<long>(trace.events.size());
  trace.counts.impacts = static_cast<long>(trace.impacts.size());
  if (model_.cycle) trace.cycle = find_cycle(model_, trace);
}

}  // namespace clack
