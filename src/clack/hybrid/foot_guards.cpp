// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/tolerances.hpp"
#include "clack/hybrid/guards.hpp"

// Guards of closest points: the limits that mechanism/feet.hpp knows.

namespace clack {

void GuardSet::add_foot_guards(double t, const double* y) {
  if (mechanism_.feet().empty()) return;
  rates_.resize(dynamics_.coordinates());
  const Feet& feet = mechanism_.feet(t, dynamics_.q(y), dynamics_.v(y));
  for (FootIndex foot(0); foot.value < feet.count(); ++foot)
    for (const FootLimit limit : feet.limits(foot, dynamics_.q(y)))
      memory_.guards.push_back({.kind = GuardKind::foot,
                                .contact = {.source = feet.source(foot)},
                                .formula = foot.value,
                                .floor = limit == FootLimit::regular
                                             ? 0.0
                                             : closest_point_tolerances.at_end * feet.size(foot),
                                .border = static_cast<int>(limit)});
}

Sample GuardSet::foot_sample(const Guard& guard, double t, const double* y) {
  mechanism_.coordinate_rates(t, dynamics_.q(y), dynamics_.v(y), rates_.data());
  const Feet::Value at = mechanism_.feet(t, dynamics_.q(y), dynamics_.v(y))
                             .limit(FootIndex(guard.formula), static_cast<FootLimit>(guard.border),
                                    dynamics_.q(y), rates_.data());
  return {at.value, at.rate};
}

}  // namespace clack
