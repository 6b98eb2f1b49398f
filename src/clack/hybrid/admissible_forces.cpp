// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/admissible_forces.hpp"

#include <numbers>

#include "clack/complementarity/lemke.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// Linear conditions  value_j + slope_j . z >= 0  that admissible forces satisfy.
struct ForceConditions {
  std::vector<double> values;
  std::vector<Eigen::VectorXd> slopes;
};

ForceConditions conditions_of(const ModeForces& forces, const ModeShape& shape,
                              std::span<const double> static_friction) {
  const int c = number_of(shape.statuses), k = shape.tangents;
  ForceConditions conditions;
  int unknown = c;  // unknowns: normals, then the friction of sticking contacts
  for (int i = 0; i < c; ++i) {
    const Eigen::VectorXd normal = forces.null_forces.row(i);
    conditions.values.push_back(forces.normal_force[i]);
    conditions.slopes.push_back(normal);
    if (shape.statuses[i] != ContactStatus::stick) continue;
    const double mu = static_friction[i];
    const int sides = k == 1 ? 2 : hybrid_tolerances.cone_sides;
    for (int side = 0; side < sides; ++side) {
      const double angle = 2.0 * std::numbers::pi * side / sides;
      // mu N - d . T >= 0: in the plane the interval itself; in space the polygon around the
      // circle, so that outside of it no forces exist and the contact node must find other
      // statuses.
      double value = mu * forces.normal_force[i];
      Eigen::VectorXd slope = mu * normal;
      for (int a = 0; a < k; ++a) {
        const double d =
            a == 0 ? (k == 1 ? (side == 0 ? 1.0 : -1.0) : std::cos(angle)) : std::sin(angle);
        value -= d * forces.friction_force[i * k + a];
        slope -= d * forces.null_forces.row(unknown + a).transpose();
      }
      conditions.values.push_back(value);
      conditions.slopes.push_back(slope);
    }
    unknown += k;
  }
  return conditions;
}

/// max_z min_j (value_j + slope_j . z) as a linear program in (z+, z-, s+, s-), solved with its
/// dual as one LCP.
double largest_minimum(const ForceConditions& conditions) {
  const int m = number_of(conditions.values);
  const int p = number_of(conditions.slopes.front());
  const int x = 2 * p + 2, n = x + m;
  double lowest = conditions.values[0], scale = 0.0;
  for (const double value : conditions.values) {
    lowest = std::min(lowest, value);
    scale = std::max(scale, std::abs(value));
  }
  if (p == 0 || scale == 0.0) return lowest;
  Lcp lcp{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
  for (int j = 0; j < m; ++j) {
    Eigen::VectorXd row(x);
    row << conditions.slopes[j], -conditions.slopes[j], -1.0, 1.0;
    lcp.M.block(x + j, 0, 1, x) = row.transpose();
    lcp.M.block(0, x + j, x, 1) = -row;
    lcp.q[x + j] = conditions.values[j] / scale;
  }
  lcp.q[2 * p] = -1.0;
  lcp.q[2 * p + 1] = 1.0;
  const LcpResult result = lemke(lcp);
  if (result.status != LcpStatus::solved) return lowest;
  return scale * (result.z[2 * p] - result.z[2 * p + 1]);
}

}  // namespace

double stick_reserve(const ModeForces& forces, int tangents, int contact, double static_friction) {
  const double tangential =
      tangents == 1 ? std::abs(forces.friction_force[contact])
                    : forces.friction_force.segment(contact * tangents, tangents).norm();
  return static_friction * forces.normal_force[contact] - tangential;
}

double admissible_margin(const ModeForces& forces, const ModeShape& shape,
                         std::span<const double> static_friction) {
  double margin = std::numeric_limits<double>::infinity();  // of the forces as they are
  for (int i = 0; i < number_of(shape.statuses); ++i) {
    margin = std::min(margin, forces.normal_force[i]);
    if (shape.statuses[i] == ContactStatus::stick)
      margin = std::min(margin, stick_reserve(forces, shape.tangents, i, static_friction[i]));
  }
  if (margin > 0.0 || !forces.is_hyperstatic || shape.statuses.empty()) return margin;
  return largest_minimum(conditions_of(forces, shape, static_friction));
}

}  // namespace clack
