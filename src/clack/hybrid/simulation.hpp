// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clack/hybrid/run.hpp"

namespace clack {

/// One run that is steered while it goes on: somebody advances it, looks at it and changes what acts on it.
///
///   Simulation simulation(load_model("cart.yaml"));
///   for (int k = 1; k <= 1000; ++k) {
///     simulation.set_input("push", -20.0 * simulation.look().q[0]);
///     simulation.advance_until(k * 1e-3);
///   }
///
/// A change acts at `time()` and is an event of the run: the mode ends there and the integrator begins anew, so that a sampled
/// controller is simulated exactly. What was set holds until it is set again. Advancing in pieces, saving, restoring and
/// cloning change no bit of the motion or of the trace.
///
/// Names that the model does not have, values that are not finite and changes after the end throw InputError, and nothing has
/// happened then. What goes wrong in the run itself ends it (`stop`).
class Simulation {
 public:
  /// Throws InputError when model and theory do not go together or the start is impossible.
  explicit Simulation(Model model, const RunOptions& options = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Going on. Nothing happens for times that are over, or when the run is.
  void advance_until(double t) { run_->advance_to(t); }
  void step(double dt) { advance_until(time() + dt); }
  /// Through the next instant at which something happens; false when the run is over instead.
  bool advance_to_next_event() { return run_->advance_to_next_event(); }
  void advance_to_end() { run_->advance_to_end(); }

  // Looking.
  double time() const { return run_->time(); }
  bool is_over() const { return run_->is_over(); }
  const std::optional<Stop>& stop_reason() const { return run_->stop(); }
  /// State, statuses, gaps and forces at `time()`.
  RunView look() { return run_->look(); }
  /// The energy ledger at `time()`, J.
  EnergyLedger ledger() { return run_->ledger(); }
  /// Rows, events and impacts so far; complete when the run is over.
  const Trace& trace() const { return run_->trace(); }
  Trace take_trace() { return run_->take_trace(); }
  const Model& model() const { return *model_; }
  const std::shared_ptr<const Model>& shared_model() const { return model_; }
  Signal input(std::string_view name) const;

  // Steering.
  void set_input(std::string_view name, double value) { set_input(name, Signal{.value = value}); }
  /// value, rate and acceleration from now on.
  void set_input(std::string_view name, const Signal& signal);
  /// Several at one instant.
  void set_inputs(const std::vector<std::pair<std::string, Signal>>& signals);
  void switch_constraint(std::string_view name, bool is_on);
  /// On a coordinate or speed, in its unit; it holds until it is set again.
  void set_force(std::string_view coordinate, double force);
  /// On the mass centre of a body, in the world: N.
  void set_body_force(std::string_view body, const std::array<double, 3>& force);
  /// N m; the plane uses the last.
  void set_body_torque(std::string_view body, const std::array<double, 3>& torque);
  /// A constraint or a contact that the model did not know, in the keys of model files, as YAML or JSON: it exists from now on.
  void add_constraint(const std::string& name, const std::string& entry);
  void add_contact(const std::string& name, const std::string& entry);
  /// Ends the run here.
  void stop();

  /// Entries that take some time to read, differentiate and compile, ready to be taken in: first the larger model, then a run of
  /// it that waits. Neither step knows the state of this simulation, so that another thread can do them while it goes on.
  ///
  /// A model that grows: as it was read, and what was taken in since. Every larger model is read from both, so that what joints
  /// bring and what came later keep their order.
  struct Growth {
    std::shared_ptr<const Model> first;
    std::vector<ModelAddition> additions;
  };
  struct Prepared {
    std::vector<ModelAddition> additions;
    Growth growth;  // with them
    std::shared_ptr<const Model> model;
    RunOptions options;
    std::unique_ptr<Run> run;
  };
  static Prepared read_additions(const Growth& growth, const RunOptions& options,
                                 std::vector<ModelAddition> additions);
  /// With the programs of the modes that are likely when the run takes over in the mode `near`.
  static void make_run(Prepared& prepared, const Mode& near);
  Growth growth() const { return {first_, additions_}; }
  Prepared prepare(std::vector<ModelAddition> additions) const;
  /// Exists from now on. What was prepared before something else was taken in is prepared again.
  void take_in(Prepared prepared);
  /// Everything that was taken in, in order.
  const std::vector<ModelAddition>& additions() const { return additions_; }

  /// Throws InputError when the integrator cannot be saved (cvode).
  struct Saved;
  Saved save() const;
  /// Goes on from what this simulation, or one of the same model, saved; the trace begins anew there.
  void restore(const Saved& saved);
  /// A run that goes on with the trace that it had: the model as it was at the start, what was taken in since, and where it was.
  static std::unique_ptr<Simulation> resumed(Model model, const RunOptions& options,
                                             const std::vector<ModelAddition>& additions,
                                             const SavedRun& saved, const SavedRecord& record);
  /// The same run with its trace, for looking ahead.
  std::unique_ptr<Simulation> clone() const;

  Run& run() { return *run_; }
  const Run& run() const { return *run_; }

 private:
  struct Empty {};
  explicit Simulation(Empty) {}
  int input_index(std::string_view name) const;
  void set_outside_force(const std::string& input, const Signal& signal,
                         const ModelAddition& addition);

  std::shared_ptr<const Model> first_, model_;  // as it was read, and as it has grown
  std::unique_ptr<Run> run_;
  std::vector<ModelAddition> additions_;
};

struct Simulation::Saved {
  std::shared_ptr<const Model> model;
  std::vector<ModelAddition> additions;
  Arrivals arrived;
  SavedRun run;
};

}  // namespace clack
