#include "clack/hybrid/recorder.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>

#include "clack/hybrid/domain_check.hpp"

namespace clack {

Recorder::Recorder(const Model& model, const Theory& theory, Mechanism& mechanism,
                   ModeDynamics& dynamics)
    : model_(model), mechanism_(mechanism), dynamics_(dynamics) {
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
  for (const Contact& c : model.contacts) {
    t.contacts.push_back(c.name);
    t.columns.push_back("gap_" + c.name);
    t.columns.push_back("normal_" + c.name);
    if (model.dimension == 2) {
      t.columns.push_back("tangent_" + c.name);
    } else {
      t.columns.push_back("tangent1_" + c.name);
      t.columns.push_back("tangent2_" + c.name);
    }
  }
  t.csv_columns = t.columns.size();
  for (const char* name : {"kinetic", "potential", "total"}) t.columns.push_back(name);
  for (const Constraint& c : model.constraints) t.constraints.push_back(c.name);
  sample_ = model.run.sample > 0.0 ? model.run.sample : model.run.until / 1000.0;
  const auto contacts = model.contacts.size();
  gap_.resize(contacts);
  gap_rate_.resize(contacts);
  gap_acceleration_.resize(contacts);
  zero_.assign(static_cast<std::size_t>(dynamics.speeds()), 0.0);
  state_.resize(static_cast<std::size_t>(dynamics.size()));
}

void Recorder::begin(double t, const double* y) {
  const Energies e = mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y));
  trace_.energy.initial = e.kinetic + e.potential;
  largest_energy_ = std::max(std::abs(e.kinetic), std::abs(e.potential));
  sample_index_ = 1;
  next_sample_ = sample_;
}

void Recorder::row(double t, const double* y) {
  dynamics_.evaluate(t, y);
  const double *q = dynamics_.q(y), *v = dynamics_.v(y);
  auto& rows = trace_.rows;
  rows.push_back(t);
  rows.insert(rows.end(), q, q + dynamics_.coordinates());
  rows.insert(rows.end(), v, v + dynamics_.speeds());
  if (!gap_.empty())
    mechanism_.gap_motion(t, q, v, zero_.data(), gap_.data(), gap_rate_.data(),
                          gap_acceleration_.data());
#ifndef NDEBUG
  if (const std::string broken =
          broken_domain(model_, dynamics_, y, gap_, gap_rate_, domain_scales_);
      !broken.empty()) {
    std::fprintf(stderr, "t = %.17g s: outside of Dom(s): %s\n", t, broken.c_str());
    assert(!"the state is in the domain of its location");
  }
#endif
  const RowSelection& selected = dynamics_.rows();
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
  std::size_t local = 0;
  for (std::size_t i = 0; i < gap_.size(); ++i) {
    const bool is_closed =
        local < selected.contacts.size() && selected.contacts[local] == static_cast<int>(i);
    const auto l = static_cast<Eigen::Index>(local);
    rows.push_back(gap_[i]);
    rows.push_back(is_closed ? forces.normal_force[l] : 0.0);
    for (int a = 0; a < k; ++a) rows.push_back(is_closed ? forces.friction_force[l * k + a] : 0.0);
    if (is_closed) ++local;
  }
  const Energies e = mechanism_.energies(t, q, v);
  rows.insert(rows.end(), {e.kinetic, e.potential, e.kinetic + e.potential});
}

void Recorder::sample_step(Integrator& integrator, double until) {
  const double t_end = std::min(until, integrator.time());
  while (next_sample_ < t_end) {
    if (next_sample_ > integrator.time_before()) {
      integrator.dense(next_sample_, {state_.data(), state_.size()});
      row(next_sample_, state_.data());
    }
    next_sample_ = static_cast<double>(++sample_index_) * sample_;
  }
}

void Recorder::enter_mode(double t, const Mode& mode) {
  if (!trace_.modes.empty()) trace_.modes.back().end = t;
  trace_.modes.push_back({t, t, mode.statuses, mode.constraints, trace_.row_count()});
}

void Recorder::add_counts(const IntegratorCounts& counts) {
  trace_.counts.steps += counts.accepted;
  trace_.counts.evaluations += counts.evaluations;
}

void Recorder::flag(const std::string& code) {
  if (std::find(trace_.flags.begin(), trace_.flags.end(), code) == trace_.flags.end())
    trace_.flags.push_back(code);
}

void Recorder::note(const std::string& sentence) {
  constexpr std::size_t most = 100;
  if (trace_.notes.size() < most &&
      std::find(trace_.notes.begin(), trace_.notes.end(), sentence) == trace_.notes.end())
    trace_.notes.push_back(sentence);
}

void Recorder::audit(double t, const double* y) {
  const Energies e = mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y));
  const double total = e.kinetic + e.potential;
  const EnergyLedger& ledger = trace_.energy;
  const double expected = ledger.initial + dynamics_.contact_work(y) + dynamics_.applied_work(y) +
                          ledger.work_of_impacts + ledger.corrections;
  largest_energy_ =
      std::max({largest_energy_, std::abs(e.kinetic), std::abs(total - ledger.initial)});
  largest_imbalance_ = std::max(largest_imbalance_, std::abs(total - expected));
}

void Recorder::finish(double t, const double* y) {
  audit(t, y);
  Trace& trace = trace_;
  trace.final_time = t;
  trace.final_q.assign(dynamics_.q(y), dynamics_.q(y) + dynamics_.coordinates());
  trace.final_v.assign(dynamics_.v(y), dynamics_.v(y) + dynamics_.speeds());
  if (!trace.modes.empty()) trace.modes.back().end = t;
  const Energies e = mechanism_.energies(t, dynamics_.q(y), dynamics_.v(y));
  EnergyLedger& ledger = trace.energy;
  ledger.final = e.kinetic + e.potential;
  ledger.work_of_friction = dynamics_.contact_work(y);
  ledger.work_of_forces = dynamics_.applied_work(y);
  ledger.dissipated = -(ledger.work_of_friction + ledger.work_of_impacts);
  ledger.ledger_error =
      largest_energy_ > 0.0 ? largest_imbalance_ / largest_energy_ : largest_imbalance_;
  trace.counts.events = static_cast<long>(trace.events.size());
  trace.counts.impacts = static_cast<long>(trace.impacts.size());
}

}  // namespace clack
