// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cmath>

#include "clack/index.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// A made-up trace for tests of writers and reports: three coordinates, three contacts and the
/// sequence of events of a toy that falls down a pole, repeated. It obeys no equation of motion;
/// its shape is that of a real run (two rows at every event, chained order, one cycle).
class ExampleTrace {
 public:
  static constexpr double period = 0.145976065;  // s
  static constexpr double drop = 0.019445379;    // m

  static Trace make(int periods = 3, int rows_per_period = 40) {
    ExampleTrace example;
    return example.build(periods, rows_per_period);
  }

 private:
  struct Step {
    double t;  // s, in a period
    EventKind kind;
    int contact;
    ContactStatus from, to;
  };
  using enum ContactStatus;

  static const std::array<Step, 9>& steps() {
    static const std::array<Step, 9> list = {{{0.0, EventKind::impact, 1, open, open},
                                              {0.002728734, EventKind::impact, 1, open, slip},
                                              {0.048848856, EventKind::stick, 1, slip, stick},
                                              {0.088442263, EventKind::slip, 1, stick, slip},
                                              {0.094263020, EventKind::detach, 1, slip, open},
                                              {0.105152088, EventKind::impact, 2, open, open},
                                              {0.108253442, EventKind::impact, 0, open, open},
                                              {0.108832964, EventKind::impact, 2, open, slip},
                                              {0.110687654, EventKind::detach, 2, slip, open}}};
    return list;
  }

  Trace build(int periods, int rows_per_period) {
    name_things();
    trace_.until = periods * period;
    trace_.events.push_back(bare(0.0, EventKind::start));
    for (int k = 0; k < periods; ++k) add_period(k, rows_per_period);
    add_row(trace_.until);
    trace_.events.push_back(bare(trace_.until, EventKind::end));
    trace_.modes.push_back({mode_begin_, trace_.until, closed(), {}, {}});
    finish(periods);
    return trace_;
  }

  std::vector<TraceStatus> closed() const {
    std::vector<TraceStatus> list;
    for (int c = 0; c < number_of(statuses_); ++c)
      if (statuses_[c] != ContactStatus::open) list.push_back({c, statuses_[c]});
    return list;
  }

  void name_things() {
    trace_.model = "a toy <that> falls & knocks";
    trace_.model_file = "toy.yaml";
    trace_.theory = "poisson";
    trace_.formulation = "delassus";
    trace_.decision = "lcp";
    trace_.impact = "poisson";
    trace_.integrator = "dop853";
    trace_.tolerance = 1e-9;
    trace_.coordinates = {"y_M", "phi_M", "phi_S"};
    trace_.speeds = {"y_M_dot", "phi_M_dot", "phi_S_dot"};
    trace_.contacts = {"beak", "lower", "upper"};
    trace_.columns = {"t", "y_M", "phi_M", "phi_S", "y_M_dot", "phi_M_dot", "phi_S_dot"};
    for (const std::string& contact : trace_.contacts)
      for (const char* what : {"gap_", "normal_", "tangent_"})
        trace_.columns.push_back(what + contact);
    trace_.csv_columns = trace_.columns.size();
    for (const char* energy : {"kinetic", "potential", "total", "check"})
      trace_.columns.push_back(energy);
    statuses_.assign(3, open);
  }

  void add_row(double t) {
    const double turn = 2.0 * M_PI / period, angle = turn * t;
    const double fall = -drop * t / period;
    std::vector<double> row = {t, fall + 0.002 * std::sin(angle),
                               0.103448 * std::tanh(3.0 * std::sin(angle)),
                               -0.2 + 0.3 * std::cos(angle) + 0.02 * std::cos(3.0 * angle)};
    row.push_back(-drop / period + 0.002 * turn * std::cos(angle));
    const double steep = std::tanh(3.0 * std::sin(angle));
    row.push_back(0.103448 * 3.0 * turn * std::cos(angle) * (1.0 - steep * steep));
    row.push_back(-0.3 * turn * std::sin(angle) - 0.06 * turn * std::sin(3.0 * angle));
    for (std::size_t k = 0; k < 3; ++k) {
      const bool is_open = statuses_[k] == open;
      row.push_back(is_open ? 0.004 * (1.0 + std::sin(angle + static_cast<double>(k))) : 0.0);
      row.push_back(is_open ? 0.0 : 0.3 + 0.2 * std::sin(3.0 * angle));
      row.push_back(is_open ? 0.0 : 0.05 + 0.02 * std::cos(2.0 * angle));
    }
    const double kinetic = 2e-4 * (1.1 + std::sin(2.0 * angle)), potential = 0.045 * fall;
    row.insert(row.end(), {kinetic, potential, kinetic + potential, 1e-17 * std::sin(angle)});
    trace_.rows.insert(trace_.rows.end(), row.begin(), row.end());
  }

  void add_period(int number, int rows_per_period) {
    const double begin = number * period;
    std::size_t next = 0;
    for (int k = 0; k <= rows_per_period; ++k) {
      const double in_period = period * k / rows_per_period;
      while (next < steps().size() && steps()[next].t <= in_period)
        add_event(begin, steps()[next++]);
      if (k < rows_per_period) add_row(begin + in_period);
    }
  }

  static TraceEvent bare(double t, EventKind kind) {
    TraceEvent event;
    event.t = t;
    event.kind = kind;
    return event;
  }

  void add_event(double begin, const Step& step) {
    const double t = begin + step.t;
    add_row(t);
    TraceEvent event = bare(t, step.kind);
    event.contacts = {step.contact};
    event.changes = {{step.contact, step.from, step.to}};
    event.iterations = 3;
    event.residual = 2e-16;
    event.first_impact = trace_.impacts.size();
    event.impacts = step.kind == EventKind::impact ? 1U : 0U;
    trace_.events.push_back(std::move(event));
    if (step.kind == EventKind::impact) add_impact(t, step);
    if (t > mode_begin_) trace_.modes.push_back({mode_begin_, t, closed(), {}, {}});
    mode_begin_ = t;
    statuses_[step.contact] = step.to;
    add_row(t);
  }

  void add_impact(double t, const Step& step) {
    TraceImpact impact;
    impact.t = t;
    impact.contacts = {step.contact};
    impact.v_before = {-0.3, 11.4, 16.911177};
    impact.v_after = {-0.2, 5.7, -8.455589};
    impact.normal_impulse = {1.2845e-3};
    impact.tangent_impulse = {{-2.1e-4}};
    impact.energy_before = 6.1e-4;
    impact.energy_after = 2.7e-4;
    impact.normal_work = -3.0e-4;
    impact.tangential_work = -4.0e-5;
    impact.iterations = 4;
    if (step.contact == 0) impact.flags = {"not-unique"};
    trace_.impacts.push_back(impact);
  }

  void finish(int periods) {
    trace_.final_time = trace_.until;
    const std::size_t last = trace_.rows.size() - trace_.columns.size();
    for (std::size_t k = 1; k <= 3; ++k) trace_.final_q.push_back(trace_.rows[last + k]);
    for (std::size_t k = 4; k <= 6; ++k) trace_.final_v.push_back(trace_.rows[last + k]);
    trace_.energy.initial = 2.2e-4;
    trace_.energy.final = -0.0021;
    trace_.energy.work_of_friction = -4e-4;
    trace_.energy.work_of_impacts = trace_.energy.work_of_normal_impacts = -1.92e-3;
    trace_.energy.dissipated = 2.32e-3;
    trace_.energy.ledger_error = 3.1e-13;
    if (periods >= 2)
      trace_.cycle = TraceCycle{period, drop, -0.83916, (periods - 1) * period, periods * period};
    trace_.counts = {1200L * periods, 14000L * periods, static_cast<long>(trace_.events.size()),
                     static_cast<long>(trace_.impacts.size())};
    trace_.flags = {"not-unique"};
    trace_.notes = {"forces at <beak> & lower are the choice of smallest norm"};
    trace_.resolved_model = "clack: 1\nname: a toy\n";
    trace_.wall_seconds = 8.2e-4;
  }

  Trace trace_;
  std::vector<ContactStatus> statuses_;
  double mode_begin_ = 0.0;
};

}  // namespace clack
