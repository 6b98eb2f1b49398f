#pragma once
#include "clack/hybrid/domain_check.hpp"
#include "clack/hybrid/dynamics.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// Fills the trace of a run: rows, events, impacts, modes and the energy ledger. It only looks;
/// nothing in the run depends on it.
class Recorder {
 public:
  Recorder(const Model& model, const Theory& theory, Mechanism& mechanism, ModeDynamics& dynamics);

  Trace& trace() { return trace_; }
  double sample_interval() const { return sample_; }

  void begin(double t, const double* y);
  /// Sample rows at multiples of the interval in (after, until] of the integrator's last step.
  void sample_step(Integrator& integrator, double until);
  /// A row at a state of the current mode.
  void row(double t, const double* y);
  void enter_mode(double t, const Mode& mode);
  void add_counts(const IntegratorCounts& counts);
  void impact_work(double change) { trace_.energy.work_of_impacts += change; }
  void correction(double change) { trace_.energy.corrections += change; }
  void flag(const std::string& code);
  void note(const std::string& sentence);
  /// Compares the total energy with the ledger.
  void audit(double t, const double* y);
  void finish(double t, const double* y);

 private:
  const Model& model_;
  Mechanism& mechanism_;
  ModeDynamics& dynamics_;
  Trace trace_;
  double sample_ = 0.0, next_sample_ = 0.0, largest_energy_ = 0.0, largest_imbalance_ = 0.0;
  long sample_index_ = 0;
  std::vector<double> state_, gap_, gap_rate_, gap_acceleration_, zero_;
  DomainScales domain_scales_;  // debug builds
};

/// Period, advance and multiplier of a limit cycle from the last returns to the model's section;
/// empty when the motion is not (nearly) periodic.
std::optional<TraceCycle> find_cycle(const Model& model, const Trace& trace);

}  // namespace clack
