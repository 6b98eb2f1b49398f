// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "clack/hybrid/dynamics.hpp"
#include "clack/integrate/integrator.hpp"

namespace clack {

/// The integrator as the executor sees it. Executor, guards, recorder and nodes keep full states y = (q, v, works); inside, the
/// speeds are those that the formulation integrates,
///
///   z = (q, w, works),   v = T(q, t) w + e(q, t),      w = v unless the formulation has minimal speeds,
///
/// and state, rate and dense output are handed out as full states. Errors in the dependent speeds then vanish by
/// construction, also between the steps. There may be no speed at all (p = 0).
class ModeFlow final : public Integrator {
 public:
  ModeFlow(std::unique_ptr<Integrator> inner, ModeDynamics& dynamics);

  std::string_view name() const override { return inner_->name(); }
  /// `y` is a full state. The choice of speeds is the formulation's at this time.
  void reset(RightHandSide f, double t, std::span<const double> y, double first_step) override;
  StepStatus step(double t_end) override;
  double time_before() const override { return inner_->time_before(); }
  double time() const override { return inner_->time(); }
  std::span<const double> state_before() const override;
  std::span<const double> state() const override;
  std::span<const double> rate_before() const override;
  std::span<const double> rate() const override;
  void dense(double t, std::span<double> y) override;
  bool is_dense_ready() const override { return inner_->is_dense_ready(); }
  double next_step() const override { return inner_->next_step(); }
  const IntegratorCounts& counts() const override { return inner_->counts(); }
  /// Of the inner integrator; the choice of speeds belongs to the formulation and is kept beside it.
  IntegratorMemory save() const override { return inner_->save(); }
  void restore(RightHandSide f, const IntegratorMemory& memory) override;

 private:
  static void call(void* self, double t, const double* z, double* dzdt);
  void call_program(double t, const double* z, double* dzdt);
  void begin(RightHandSide f);
  void expand(double t, const double* z, double* y);
  void reduce(const double* y, double* z) const;
  void refresh(double t, std::span<const double> z, std::vector<double>& y,
               std::vector<double>& rate);

  std::unique_ptr<Integrator> inner_;
  ModeDynamics& dynamics_;
  RightHandSide full_;
  bool is_minimal_ = false;
  std::vector<int> independent_;
  std::shared_ptr<EmbeddedProgram> program_;  // compiled equations of the mode, where there are
  std::vector<double> z_, y_, dydt_;
  std::vector<double> state_, rate_, state_before_, rate_before_;
  // The state completed last.
  double expanded_time_ = 0.0;
  bool has_expanded_ = false;
  std::vector<double> expanded_z_, expanded_y_;
  long choice_ = -1;  // of speeds, which `program_` belongs to (MinimalSpeeds::choices)
};

}  // namespace clack
