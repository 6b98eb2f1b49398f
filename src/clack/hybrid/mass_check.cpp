// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/mass_check.hpp"

#include "clack/hybrid/tolerances.hpp"
#include "clack/mechanism/inertia.hpp"

namespace clack {

std::optional<IndefiniteMass> indefinite_mass_at(ModeDynamics& dynamics, double t,
                                                 const double* y) {
  dynamics.evaluate(t, y);
  const Snapshot& s = dynamics.snapshot();
  if (s.speeds() == 0 || !s.mass_matrix().allFinite()) return std::nullopt;
  const SmallestEigenvalue smallest = smallest_eigenvalue(s);
  if (smallest.value > 0.0) return std::nullopt;
  return IndefiniteMass{t, smallest.value, smallest.speed};
}

std::optional<IndefiniteMass> first_indefinite_mass(ModeDynamics& dynamics, Integrator& integrator,
                                                    double until) {
  std::vector<double> y(integrator.state().begin(), integrator.state().end());
  const auto at = [&](double t) {
    integrator.dense(t, y);
    return indefinite_mass_at(dynamics, t, y.data());
  };
  double good = integrator.time_before();
  if (const auto found = at(good)) return found;
  std::optional<IndefiniteMass> found;
  const double begin = good;
  for (int k = 1; k <= hybrid_tolerances.mass_samples && !found; ++k) {
    const double t = begin + (until - begin) * k / hybrid_tolerances.mass_samples;
    found = at(t);
    if (!found) good = t;
  }
  while (found) {
    const double middle = 0.5 * (good + found->t);
    if (!(good < middle && middle < found->t)) break;
    if (const auto nearer = at(middle))
      found = nearer;
    else
      good = middle;
  }
  return found;
}

}  // namespace clack
