// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>

#include "clack/hybrid/build_ahead.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/mode_flow.hpp"
#include "clack/hybrid/mode_plan.hpp"
#include "clack/hybrid/recorder.hpp"

namespace clack {

/// A step that has been taken and searched but not yet gone: the run looks into it.
struct PendingStep {
  StepStatus status = StepStatus::ok;
  std::optional<GuardCrossing> crossing;
  double reached = 0.0;  // s: the crossing, else the end of the step
};

/// A run between two instants as a plain value: it can be kept, copied and given to any `Run` of the
/// same model, which then goes on as this one would have, to the last bit.
struct SavedRun {
  RunState state;
  double view = 0.0;  // s, where the run was looked at
  std::optional<PendingStep> pending;
  IntegratorMemory integrator;
  GuardMemory guards;
  std::vector<double> slip_references, reference_reaction;
  std::optional<SpeedChoice> speeds;  // that are integrated, where not all are
  RecorderMemory record;
};

/// A closed or open contact at the time of a view.
struct ContactView {
  ContactKey contact = {};
  ContactStatus status = ContactStatus::open;
  double gap = 0.0, gap_rate = 0.0;           // m, m/s
  double normal_force = 0.0;                  // N
  std::array<double, 2> friction_force = {};  // N; the plane uses the first
};

/// Forces of the rows of a constraint that is on, N for rows in metres.
struct ConstraintView {
  int constraint = 0;
  std::vector<double> force;
};

/// A run as one looks at it, at its time.
struct RunView {
  double t = 0.0;
  std::vector<double> q, v;
  Mode mode;
  std::vector<ConstraintView> constraints;  // that are on
  std::vector<ContactView> contacts;        // fixed ones, and those of pairs that have touched
};

/// One execution of the hybrid automaton of a model: flow inside a mode, then an instant, and so on
/// (docs/executor.md). It exists from its start, after what happens there.
///
/// The run goes in steps of its integrator, never shorter because somebody looks: advancing to a
/// time inside a step leaves that step pending and reads its dense output. So a run that is cut into
/// pieces, saved, restored and cloned gives the same bits as one that is not.
class Run {
 public:
  /// Throws InputError when model and theory do not go together or the start is impossible.
  explicit Run(const Model& model, const RunOptions& options = {});
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// To a time, or to the end if that is earlier. Nothing happens for times that are over.
  void advance_to(double t);
  /// Through the next instant at which something happens; false when the run is over instead.
  bool advance_to_next_event();
  void advance_to_end();

  /// Something changes from outside at `time()`: an instant of the run, at which its mode ends. Throws InputError when the
  /// run is over.
  void change(const OutsideChange& change);
  /// A run of this model that waits for its state: everything that depends on the model alone is made.
  static std::unique_ptr<Run> waiting(const Model& model, const RunOptions& options);
  /// Makes the programs that a run which waits is likely to need when it takes over one that is in the mode `near`, with the
  /// entries that came.
  void build_ahead(const Mode& near, const Newcomers& newcomers);
  /// Constraints that were announced by the model (`known_from`), built by a worker, and how long simulated time had to wait.
  const std::vector<TraceEmbedding>& embeddings() const { return embeddings_; }
  /// Goes on where a run of a smaller model is, which ends there: this model is that one with further entries at the end of its
  /// lists. Their beginning is a change like others.
  void succeed(Run& other, const OutsideChange& change);
  const RunOptions& options() const { return options_; }

  bool is_over() const { return state_.is_over; }
  /// Why it is over, when it was stopped.
  const std::optional<Stop>& stop() const { return state_.stop; }
  double time() const;
  /// The mode that holds at `time()`.
  const Mode& mode() const { return state_.mode; }
  RunView look();
  /// The energy ledger at `time()`.
  EnergyLedger ledger();
  const std::vector<Signal>& signals() const { return state_.surroundings.signals; }

  /// Throws InputError when the integrator cannot be saved (cvode).
  SavedRun save() const;
  /// Goes on from a saved run of the same model; the trace begins anew there.
  void restore(const SavedRun& saved);
  /// The same with the trace so far.
  SavedRecord save_record() const { return recorder_.save(); }
  void restore(const SavedRun& saved, const SavedRecord& record);
  /// Memory for so many further rows of the trace, so that recording them allocates nothing.
  void reserve_rows(std::size_t rows) { recorder_.reserve(rows); }
  /// A run at the same place with the same trace.
  std::unique_ptr<Run> clone() const;

  /// A sentence for the reader of the results, and the ticks in which the run went.
  void note(const std::string& sentence) { recorder_.note(sentence); }
  void set_realtime(TraceRealtime realtime) { recorder_.set_realtime(std::move(realtime)); }

  /// What has happened so far; complete when the run is over.
  const Trace& trace() const { return recorder_.trace(); }
  Trace take_trace() { return recorder_.take_trace(); }

 private:
  struct Resumed {};
  Run(const Model& model, const RunOptions& options, Resumed);
  void begin();
  void build_before_start();
  void announce();
  void take_announced();
  std::optional<Stop> unbuilt_mode() const;
  void enter_flow();
  PendingStep next_step();
  bool commit();
  void cut();
  std::optional<Stop> extend(const Run& other);
  void commit_step();
  Cause cause_of(const GuardCrossing& crossing);
  void read_forces(Cause& cause);
  void follow_jumps();
  void resolve(const Cause& cause);
  std::optional<CompletionRecord> complete(const Accumulation::Completion& completion);
  bool flows_undisturbed(double t_end);
  void correct_drift();
  void take_given_speeds();
  void check_embedding();
  void reselect_speeds();
  void take_integrator_state();
  void end(std::optional<Stop> stop);
  Stop failure(StepStatus status);
  bool stop_at_indefinite_mass(double until);
  bool stop_when_asked();
  bool stop_outside_domain();

  const Model& model_;
  RunOptions options_;
  Theory theory_;
  std::unique_ptr<Mechanism> mechanism_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Decision> decision_;
  std::unique_ptr<ImpactLaw> law_;
  ModeDynamics dynamics_;
  std::unique_ptr<ModeFlow> integrator_;
  GuardSet guards_;
  Surroundings surroundings_;
  Recorder recorder_;
  NodeTools tools_;
  WatchedForces watched_forces_;
  DriftProjector drift_;

  std::unique_ptr<BuildAhead> announced_;  // by the model (known_from)
  double announced_from_ = 0.0;            // s, where the first of it is known
  std::vector<TraceEmbedding> embeddings_;

  RunState state_;
  double view_ = 0.0;
  std::optional<PendingStep> pending_;
};

}  // namespace clack
