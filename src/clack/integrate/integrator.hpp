// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "clack/parts/part.hpp"

namespace clack {

/// dy/dt = f(t, y), as a plain function with its context so that calls cost nothing extra.
struct RightHandSide {
  void (*call)(void* context, double t, const double* y, double* dydt) = nullptr;
  void* context = nullptr;
  void operator()(double t, const double* y, double* dydt) const { call(context, t, y, dydt); }
};

struct IntegratorOptions {
  double relative_tolerance = 1e-9;
  double absolute_tolerance = 1e-9;  // per component, in its own unit
  double fixed_step = 0.0;           // rk4 only
  double largest_step = 0.0;         // 0: none
  long step_limit = 10'000'000;      // accepted plus rejected, per reset
};

enum class StepStatus { ok, step_too_small, not_finite, limit };

struct IntegratorCounts {
  long accepted = 0, rejected = 0, evaluations = 0;
};

/// Everything that the rest of an integration depends on, with the dense output of the last step.
struct IntegratorMemory {
  int dimension = 0;
  double time = 0.0, time_before = 0.0, next_step = 0.0;
  double error_before = 0.0;  // of the step control, 1 = the tolerance
  bool was_rejected = false, is_dense_ready = false, is_start_finite = true;
  std::vector<double> rows;  // states, rates and stages, as the method keeps them
  IntegratorCounts counts;
};

/// One step at a time, with dense output over the last step. After the first call to `reset` with a
/// given dimension nothing is allocated.
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual std::string_view name() const = 0;
  /// Start at (t, y). `first_step` 0: chosen by the integrator; otherwise an upper bound for the
  /// first step.
  virtual void reset(RightHandSide f, double t, std::span<const double> y, double first_step) = 0;
  /// One accepted step that does not go beyond t_end (hits it exactly when it would come close).
  virtual StepStatus step(double t_end) = 0;
  /// Whether a reset loses what makes its steps long (multistep methods begin again with tiny ones).
  virtual bool has_history() const { return false; }
  virtual double time_before() const = 0;  // the last step is [time_before, time]
  virtual double time() const = 0;
  virtual std::span<const double> state_before() const = 0;
  virtual std::span<const double> state() const = 0;
  virtual std::span<const double> rate_before() const = 0;  // f at the start of the last step
  virtual std::span<const double> rate() const = 0;         // f at its end
  /// State at t inside the last step by the method's native dense output. The first call after a
  /// step may evaluate f (DOP853: three more stages); later ones do not.
  virtual void dense(double t, std::span<double> y) = 0;
  /// Whether `dense` would evaluate nothing: whoever only looks asks then only.
  virtual bool is_dense_ready() const { return true; }
  virtual double next_step() const = 0;  // what the step control would try next
  /// After a reset: a first step better than the one that was chosen, to be tried; the step control
  /// judges it like any other. Methods that keep their own counsel (rk4, CVODE) pass it over.
  virtual void suggest_step(double) {}
  virtual const IntegratorCounts& counts() const = 0;
  /// A copy from which an integrator of the same method and options goes on to the last bit.
  /// `restore` does not evaluate f. CVODE keeps its history to itself: it throws InputError.
  virtual IntegratorMemory save() const = 0;
  virtual void restore(RightHandSide f, const IntegratorMemory& memory) = 0;
};

/// An integrator's entry: name, options, maker.
using IntegratorPart = Part<Integrator, IntegratorOptions>;
using IntegratorRegistry = Registry<Integrator, IntegratorOptions>;
IntegratorRegistry integrators();

/// By name; throws InputError naming the known ones.
std::unique_ptr<Integrator> make_integrator(std::string_view name,
                                            const IntegratorOptions& options);
std::vector<std::string_view> integrator_names();

}  // namespace clack
