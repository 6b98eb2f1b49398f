// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/signal_change.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "clack/mechanism/inertia.hpp"

namespace clack {
namespace {

Eigen::VectorXd smooth_force_with(const NodeTools& tools, const Instant& instant,
                                  const std::vector<Signal>& signals) {
  tools.mechanism.set_signals(signals);
  return tools.snapshot(instant, {}).smooth_force();
}

}  // namespace

std::optional<Stop> follow_signals(const NodeTools& tools, Instant& instant,
                                   const std::vector<Signal>& before) {
  const std::vector<Signal>& now = instant.surroundings.signals;
  const Eigen::VectorXd force = smooth_force_with(tools, instant, now);
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(force.size());
  for (std::size_t k = 0; k < now.size(); ++k) {
    const double jump = now[k].at(instant.t) - before[k].at(instant.t);
    const double kick = now[k].rate_at(instant.t) - before[k].rate_at(instant.t);
    if (jump == 0.0 && kick == 0.0) continue;
    std::vector<Signal> pushed = now;
    pushed[k].acceleration += 1.0;
    const Eigen::VectorXd inertia = smooth_force_with(tools, instant, pushed) - force;
    if (inertia.isZero(0.0)) continue;
    const double allowed = tools.model.tolerances.penetration *
                           std::max(instant.scales.length, std::abs(before[k].at(instant.t)));
    if (!(std::abs(jump) <= allowed)) {
      tools.mechanism.set_signals(now);
      return Stop{fmt::format("t = {:.9g} s: input {} jumps by {:.6g}, and bodies move with it",
                              instant.t, tools.model.inputs[k].name, jump),
                  "let its value go on from where it is and give it a rate: [value, rate, "
                  "acceleration]"};
    }
    impulse += kick * inertia;
  }
  tools.mechanism.set_signals(now);
  if (impulse.isZero(0.0)) return std::nullopt;
  const Eigen::VectorXd change =
      inertia_of(tools.snapshot(instant, {})).matrix.llt().solve(impulse);
  for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(instant.y)[j] += change[j];
  return std::nullopt;
}

}  // namespace clack
