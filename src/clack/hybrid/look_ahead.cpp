// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/look_ahead.hpp"

#include <algorithm>
#include <cmath>

#include "clack/hybrid/admissible_forces.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/instant.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {

std::vector<StateAhead> states_in_step(Integrator& integrator, double t) {
  const HybridTolerances& tol = hybrid_tolerances;
  const double step = integrator.time() - integrator.time_before();
  std::vector<StateAhead> states;
  for (double part = tol.look_ahead_first; part <= tol.look_ahead_last;
       part *= tol.look_ahead_factor) {
    StateAhead& ahead = states.emplace_back();
    ahead.t = t + part * step;
    ahead.y.resize(integrator.state().size());
    integrator.dense(ahead.t, ahead.y);
  }
  return states;
}

std::vector<StateAhead> states_of_lost_margin(const NodeTools& tools, const Instant& instant,
                                              double rate, double force) {
  const HybridTolerances& tol = hybrid_tolerances;
  std::vector<StateAhead> states;
  if (!(rate < 0.0) || !(force > 0.0)) return states;
  ModeDynamics& dynamics = tools.dynamics;
  dynamics.evaluate(instant.t, instant.y.data());
  const int n = dynamics.speeds();
  const Eigen::VectorXd a = dynamics.forces().acceleration;
  const Snapshot& s = dynamics.snapshot();
  Eigen::MatrixXd rows(s.contacts() * (1 + s.tangents()), n);
  rows << s.normal_jacobian(), s.tangent_jacobian();
  rows = rows.cwiseAbs().eval();
  for (double part = tol.far_first; part <= tol.far_last; part *= tol.far_factor) {
    const double h = part * force / -rate;
    Instant far = instant;
    far.t += h;
    double* v = tools.v(far.y);
    Eigen::VectorXd shift(n);
    for (int j = 0; j < n; ++j) {
      shift[j] = h * (v[j] + 0.5 * h * a[j]);
      v[j] += h * a[j];
    }
    // Not so far that contacts would be elsewhere.
    if (!((rows * shift.cwiseAbs()).maxCoeff() <= tol.far_length * instant.scales.length)) break;
    tools.mechanism.displace(far.t, tools.q(far.y), shift.data());
    DriftProjection held = project_drift(tools, far);
    if (held.stop) break;
    states.push_back({far.t, std::move(held.y)});
  }
  return states;
}

namespace {

/// The accelerations of gaps and slips under the accelerations of the mode.
struct ContactAccelerations {
  Eigen::VectorXd gap, slip;
};

ContactAccelerations accelerations_of(const Snapshot& s, const Eigen::VectorXd& a) {
  return {s.normal_jacobian() * a + s.gap_bias(), s.tangent_jacobian() * a + s.slip_bias()};
}

}  // namespace

bool moves_as_decided(const NodeTools& tools, const Instant& instant, const ContactPass& pass) {
  const HybridTolerances& tol = hybrid_tolerances;
  enter_mode(tools, instant);
  tools.dynamics.evaluate(instant.t, instant.y.data());
  const ModeForces& forces = tools.dynamics.forces();
  if (!forces.is_finite) return false;
  const ModeShape& shape = tools.dynamics.shape();
  const double largest =
      std::max(forces.normal_force.size() > 0 ? forces.normal_force.lpNorm<Eigen::Infinity>() : 0.0,
               pass.result.normal_force.lpNorm<Eigen::Infinity>());
  if (!(admissible_margin(forces, shape, shape.static_friction) >= -tol.decided_margin * largest))
    return false;
  const Eigen::VectorXd a = forces.acceleration;
  const ContactAccelerations motion = accelerations_of(tools.snapshot(instant, pass.contacts), a);
  const int k = tools.dynamics.tangents();
  for (int i = 0; i < number_of(pass.contacts); ++i) {
    const ContactStatus status = pass.result.statuses[i];
    const double parting = pass.result.gap_acceleration[i];
    if (status == ContactStatus::open && !(motion.gap[i] >= tol.decided_part * parting))
      return false;
    if (status != ContactStatus::trans) continue;
    const auto decided = pass.result.slip_acceleration.segment(i * k, k);
    const double along = motion.slip.segment(i * k, k).dot(decided);
    if (!(along >= tol.decided_part * decided.squaredNorm())) return false;
  }
  return true;
}

}  // namespace clack
