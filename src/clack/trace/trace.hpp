// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clack/complementarity/contact_status.hpp"
#include "clack/contact/problem.hpp"

namespace clack {

/// start, impact, close, detach, stick, slip, slip-reversal, feature, zeno, time, zone, constraint-on, constraint-off,
/// reselect, end.
enum class EventKind {
  start,
  impact,
  close,
  detach,
  stick,
  slip,
  slip_reversal,
  feature,
  zeno,
  time,
  zone,
  constraint_on,
  constraint_off,
  reselect,
  end
};
std::string_view to_string(EventKind kind);

struct StatusChange {
  int contact = 0;
  ContactStatus from = ContactStatus::open, to = ContactStatus::open;
};

/// A contact that came to the end of its feature, and the contacts that continue it (none: it lets go there).
struct FeatureChange {
  int contact = 0;
  std::vector<int> after;
  /// Outlines: the place on the edge, m, and the turning angle of the corner there.
  std::optional<double> place, turn;
};

/// One transition of the automaton: at `t`, from one mode to the next. Contacts are numbered as in Trace::contacts.
struct TraceEvent {
  double t = 0.0;
  EventKind kind = EventKind::start;
  std::vector<int> contacts;             // that took part
  std::vector<StatusChange> changes;     // at least the contacts that change
  std::vector<FeatureChange> features;   // kind feature
  std::string label;                     // zone, constraint or model event, where the kind has one
  std::vector<std::string> independent;  // kind reselect: names of the speeds that are integrated
  int iterations = 0;                    // of the node's solver
  double residual = 0.0;                 // largest of the solvers at this instant, unit-free
  double drift = 0.0;                    // size of the correction that projected drift out, m
  Certificate certificate = {};          // of the decision: accelerations and forces
  std::size_t first_impact = 0, impacts = 0;  // of Trace::impacts, chained at this instant
};

/// Impulses of the rows of one constraint, N s for rows in metres.
struct ConstraintImpulse {
  int constraint = 0;  // of Trace::constraints
  std::vector<double> rows;
};

struct TraceImpact {
  double t = 0.0;
  std::vector<int> contacts;
  std::vector<double> v_before, v_after;               // all speeds
  std::vector<double> normal_impulse;                  // per contact of `contacts`, N s
  std::vector<std::vector<double>> tangent_impulse;    // per contact, one or two components
  std::vector<ConstraintImpulse> constraint_impulses;  // of those that are on
  double energy_before = 0.0, energy_after = 0.0;      // kinetic, J
  double normal_work = 0.0, tangential_work = 0.0;     // J
  double joint_work = 0.0;                             // J
  std::vector<ImpactEvent>
      events;             // stages, where the law has them; contacts as in Trace::contacts
  ImpactHistory history;  // of the first impacts, where the law follows their inside
  Certificate certificate;
  int iterations = 0;
  std::vector<std::string> flags;
};

/// A closed contact of a mode.
struct TraceStatus {
  int contact = 0;
  ContactStatus status = ContactStatus::stick;
};

/// Time spent in one mode: its closed contacts (ascending; all others are open) and activity of all constraints.
struct TraceMode {
  double begin = 0.0, end = 0.0;
  std::vector<TraceStatus> closed;
  std::vector<bool> constraints;
  std::vector<double>
      signals;  // of the inputs: value, rate, acceleration and the time they hold from, each
  std::size_t first_row =
      0;  // of the trace, recorded in this mode; its rows end where the next mode's begin

  ContactStatus status_of(int contact) const {
    for (const TraceStatus& c : closed)
      if (c.contact == contact) return c.status;
    return ContactStatus::open;
  }
};

/// One closed contact of a pair of shapes at the time of a row (a line of contacts.csv).
struct ContactRow {
  double t = 0.0;
  int contact = 0;
  ContactStatus status = ContactStatus::stick;
  double gap = 0.0, normal = 0.0;           // m, N
  std::array<double, 2> tangent{}, slip{};  // N, m/s; plane: the first
  std::array<double, 3> point{},
      direction{};  // of the contact and its normal, world; plane: the first two
};

/// One row of a constraint that came from outside, at the time of a row of the trace (a line of constraints.csv).
struct ConstraintRecord {
  double t = 0.0;
  int constraint = 0, row = 0;      // of Trace::constraints; from 0
  double value = 0.0, force = 0.0;  // of its formula; 0 while it is off
};

/// A constraint or contact that came from outside while the run went on.
struct TraceEmbedding {
  std::vector<std::string> rows;
  double known_at = 0.0, ready_at = 0.0;  // s, simulated
  double blocked_seconds = 0.0;           // of the clock
};

/// Ticks against the clock; not in the files, like wall time.
struct TraceRealtime {
  double rate = 0.0;  // Hz; 0: an ordinary run that was paced
  long ticks = 0, overruns = 0;
  double late_max = 0.0;                               // s, of the clock
  double p50 = 0.0, p99 = 0.0, p999 = 0.0, max = 0.0;  // s, of the clock, of the work of one tick
  std::vector<TraceEmbedding> embeddings;
};

/// Why bodies are held.
enum class JamCause {
  friction,  // without it they would move
  shape,     // they would stay without friction, too
};
std::string_view to_string(JamCause cause);

/// Bodies that are held at rest for good, from `t` on, by sticking contacts that push on one of them from at least two
/// directions.
struct TraceJam {
  double t = 0.0;
  std::vector<std::string> bodies;
  std::vector<int> contacts;  // that push
  JamCause by = JamCause::friction;
  std::optional<double>
      load_factor;  // largest multiple of the load that is held; nothing: there is no largest
};

/// A ledger that does not close to `limit` (part of the energy exchanged), J and s.
struct OpenLedger {
  double begin = 0.0,
         end = 0.0;     // s, of the interval between two events in which the imbalance changed most
  double change = 0.0;  // of the imbalance there
  double corrections = 0.0;  // sum of their sizes in the whole run
  double limit = 0.0;
};

/// The energy ledger, J.
///   total(t) - initial = forces + drives + friction + impacts + corners + corrections + imbalance
struct EnergyLedger {
  double initial = 0.0, final = 0.0;    // kinetic plus potential
  double work_of_forces = 0.0;          // applied forces and dampers: all that has no potential
  double work_of_drives = 0.0;          // prescribed motion, driven joints, moving surfaces
  double work_of_friction = 0.0;        // <= 0: friction force times slip
  double work_of_impacts = 0.0;         // <= 0 unless a law gains energy; the sum of the next two
  double work_of_normal_impacts = 0.0;  // relative to the surfaces
  double work_of_tangential_impacts = 0.0;
  double work_of_corners =
      0.0;                    // <= 0: of contacts that slide over corners (policies: smooth_below)
  double corrections = 0.0;   // drift projection and completed accumulations
  double dissipated = 0.0;    // -(friction + impacts + corners)
  double exchanged = 0.0;     // largest energy or work: what errors are compared with
  double ledger_error = 0.0;  // largest imbalance relative to that
  double check = 0.0;         // largest imbalance of all rows: of the column `check`
  std::optional<OpenLedger> open = {};
};

struct TraceCycle {
  double period = 0.0, drop = 0.0, multiplier = 0.0;
  double begin = 0.0, end = 0.0;  // the last period, s
};

struct TraceCounts {
  long steps = 0, evaluations = 0, events = 0, impacts = 0;
};

enum class RunStatus { done, stopped };
std::string_view to_string(RunStatus status);

/// One visited non-dynamical location of a computation node (only with --node-trace).
struct NodeVisit {
  double t = 0.0;
  std::string node, location;      // I{ab,bc} or C{ab}; en, 1, 2, ..., ex
  std::vector<int> contacts = {};  // of the node
  std::size_t mode = 0;            // index of the mode that follows
};

/// What a run leaves: plain data. Reports and viewers read traces, never the simulator.
struct Trace {
  std::string model, model_file, theory, formulation, decision, impact, integrator;
  int dimension = 2;
  double tolerance = 0.0, until = 0.0;
  RunStatus status = RunStatus::done;
  std::string reason, remedy;  // why it stopped, and what to do
  std::vector<std::string> coordinates, speeds, constraints;
  /// The contacts that the model fixes, in its order, then those of pairs, in the order of their first touch.
  std::vector<std::string> contacts;
  std::vector<std::string> pairs;  // entries that make contacts while running
  /// Rows at multiples of the sample interval and, before and after, at every event.
  /// Columns: t, coordinates, speeds, per entry of `contacts:` gap, normal force, tangential force(s) (pairs: the gap
  /// of the two bodies, sums of the forces), forces of the constraints, inputs, then kinetic, potential, total energy and
  /// the imbalance of the ledger, `check` (these are not in trace.csv).
  std::vector<std::string> columns;
  std::size_t csv_columns = 0;                        // how many of them trace.csv has
  std::vector<double> rows;                           // row-major, columns.size() per row
  std::vector<std::string> inputs;                    // signals from outside
  int arrived_contacts = 0, arrived_constraints = 0;  // that came while the run went on
  /// t, coordinates, speeds between the rows: several places inside every step of the integrator, all of them or, in
  /// long runs, evenly some of them. For drawing only; in no file.
  std::vector<double> fine_rows;
  std::vector<ContactRow> contact_rows;  // of pairs and of contacts that came from outside
  std::vector<ConstraintRecord> constraint_rows;
  std::vector<TraceEvent> events;
  std::vector<TraceImpact> impacts;
  std::vector<TraceMode> modes;
  std::vector<TraceJam> jams;
  std::vector<NodeVisit> node_visits;
  double final_time = 0.0;
  std::vector<double> final_q, final_v;
  EnergyLedger energy;
  Certificate worst_impact, worst_decision;  // the largest violation of each law in the run
  std::optional<TraceCycle> cycle;
  TraceCounts counts;
  std::vector<std::string> flags, notes;
  std::string resolved_model;  // yaml
  double wall_seconds = 0.0;   // not written to files
  std::optional<TraceRealtime> realtime;

  std::size_t fine_width() const { return 1 + coordinates.size() + speeds.size(); }
  std::size_t row_count() const { return columns.empty() ? 0 : rows.size() / columns.size(); }
};

/// What all impacts chained at an event's instant come to.
struct ImpactSum {
  double normal_impulse = 0.0;  // N s, of all contacts
  double energy_change = 0.0;   // kinetic, J
};
ImpactSum impact_sum(const Trace& trace, const TraceEvent& event);

}  // namespace clack
