// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <vector>

#include "clack/hybrid/guards.hpp"
#include "clack/hybrid/nodes.hpp"
#include "clack/hybrid/recorder.hpp"
#include "clack/hybrid/run_state.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {

/// Some contact pulls, or sticks outside its cone, by more than rounding of the forces.
inline bool breaks(ModeDynamics& dynamics, const GuardSet& guards, double t, const double* y) {
  dynamics.evaluate_shown(t, y);
  const ModeForces& forces = dynamics.forces();
  const int k = dynamics.tangents();
  double largest = 0.0, worst = 0.0;
  for (const double force : dynamics.snapshot().smooth_force())
    largest = std::max(largest, std::abs(force));
  for (int i = 0; i < forces.normal_force.size(); ++i) {
    const double normal = forces.normal_force[i];
    largest = std::max(largest, std::abs(normal));
    worst = std::max(worst, -normal);
    if (dynamics.shape().statuses[i] != ContactStatus::stick) continue;
    const double mu = guards.memory().static_friction[i];
    worst = std::max(worst, forces.friction_force.segment(i * k, k).norm() - mu * normal);
  }
  return worst > hybrid_tolerances.domain * largest;
}

/// The row before an event that a crossing inside the integrator's last step leads to. A rounding behind the border of a
/// feature the forces are those of the next one, on which a contact may pull: the row shows the last ones in front of it. A
/// mode that lasts no time is one instant with the event before: forces that it never could have have no row.
inline void record_end_of_mode(const NodeTools& tools, Integrator& integrator,
                               const GuardSet& guards, const GuardCrossing& crossing,
                               const RunState& state, Recorder& recorder) {
  const double t = state.t;
  const Guard& guard = guards.guards()[crossing.guard];
  const bool may_jump = guard.kind == GuardKind::border || guard.kind == GuardKind::normal_force;
  const double instant = tools.model.tolerances.time * std::max(1.0, std::abs(t));
  const bool is_instant = t - state.last_event_time <= instant;
  if (!(may_jump || is_instant) || !breaks(tools.dynamics, guards, t, state.y.data()))
    return recorder.last_row(t, state.y.data());
  if (is_instant) return;
  std::vector<double> before = state.y;
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  for (double back = rounding; back <= hybrid_tolerances.looks_back * rounding; back *= 2.0) {
    integrator.dense(t - back * t, before);
    tools.mechanism.normalise(before.data());
    if (!breaks(tools.dynamics, guards, t, before.data())) break;
  }
  recorder.last_row(t, before.data());
}

}  // namespace clack
