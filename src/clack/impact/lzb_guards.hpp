// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/lzb_phase.hpp"
#include "clack/integrate/integrator.hpp"
#include "clack/integrate/root.hpp"

namespace clack {

/// A condition that ends a phase: its value is above zero until it happens.
struct LzbGuard {
  enum class Kind {
    turn,     // v_i of an active contact changes its sign
    end,      // an expansion comes to its end
    start,    // an idle contact begins to approach
    stop,     // a slip comes to rest
    reserve,  // a sticking contact needs all its friction
  };
  Kind kind = Kind::turn;
  int contact = 0;
  /// What is added to the value while it has not yet left zero (a contact that begins at rest), so
  /// that it must go clearly the wrong way; 0 once it has risen.
  double shift = 0.0;
};

/// The guards of one phase and where the first of them falls to zero.
class LzbGuards {
 public:
  LzbGuards(const LzbSystem& system, LzbPhase& phase) : system_(system), phase_(phase) {}
  /// Lists the guards of the contacts in their states; y is the start of the phase.
  void begin(const std::vector<LzbContactState>& states, const double* y);
  /// Impact time of the first event inside the last step of the integrator, if there is one.
  std::optional<double> first_event(Integrator& integrator);
  /// The step is over without an event: what has left zero is armed.
  void pass(Integrator& integrator);
  /// Guards whose condition holds at s (inside the last step) or within `together` of it.
  const std::vector<LzbGuard>& events_at(Integrator& integrator, double s);

 private:
  Sample at_instant(const LzbGuard& guard) const;  // where looked at, rate per impact time
  /// The same with the shift, rate per unit of the variable of integration; the end of the root in x.
  Sample sample(const LzbGuard& guard) const;
  void look(const double* y);
  void look_dense(Integrator& integrator, double s);

  const LzbSystem& system_;
  LzbPhase& phase_;
  const std::vector<LzbContactState>* states_ = nullptr;
  std::vector<LzbGuard> guards_, events_;
  std::vector<Sample> before_, after_;
  double looked_at_ = 0.0;
  bool has_looked_ = false;
  Eigen::VectorXd y_, rate_, motion_rate_;
};

}  // namespace clack
