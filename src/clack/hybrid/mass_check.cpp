// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/mass_check.hpp"

#include <Eigen/Eigenvalues>

#include "clack/hybrid/tolerances.hpp"

namespace clack {

std::optional<IndefiniteMass> indefinite_mass_at(ModeDynamics& dynamics, double t,
                                                 const double* y) {
  dynamics.evaluate(t, y);
  const Eigen::MatrixXd mass = dynamics.snapshot().mass_matrix();
  if (mass.size() == 0 || !mass.allFinite()) return std::nullopt;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(mass);
  if (solver.eigenvalues()[0] > 0.0) return std::nullopt;
  Eigen::Index speed = 0;
  solver.eigenvectors().col(0).cwiseAbs().maxCoeff(&speed);
  return IndefiniteMass{t, solver.eigenvalues()[0], static_cast<int>(speed)};
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
