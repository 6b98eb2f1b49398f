// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <random>

#include "clack/complementarity/lcp.hpp"

namespace clack {

/// Seeded planar friction impact for tests and benchmarks: `contacts` contacts between random pairs
/// of contacts/2 + 1 free bodies and the ground, random masses, contact directions, arms and
/// speeds. Four unknowns per contact, in the order  normal impulses | forward, backward friction of
/// contact 1, 2, ... | slip bounds:
///
///       |  N      N D     0 |         | J_N v |
///   M = |  D N    D D     E |     q = | J_D v |     N = J_N M^-1 J_N^T, rows of J_D are +-J_T,
///       |  mu    -E^T     0 |         |   0   |     E sums the two directions of a contact
///
/// M is copositive and q leaves no ray: Lemke ends at a solution.
inline Lcp random_friction_lcp(int contacts, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0), both(-1.0, 1.0);
  std::normal_distribution<double> normal;
  const int bodies = contacts / 2 + 1;
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(3 * contacts, 3 * bodies);  // normal, forward, backward
  const auto pick = [&] { return static_cast<int>(unit(random) * (bodies + 1)) - 1; };
  for (int c = 0; c < contacts; ++c) {
    const double angle = M_PI * both(random);
    const Eigen::Vector2d n(std::cos(angle), std::sin(angle)), t(n.y(), -n.x());
    const int first = static_cast<int>(unit(random) * bodies);
    const int second = pick();
    for (const auto& [body, sign] : {std::pair{first, 1.0}, std::pair{second, -1.0}}) {
      if (body < 0 || (sign < 0.0 && body == first)) continue;  // the ground
      const Eigen::Vector2d arm(both(random), both(random));
      const auto row = [&](const Eigen::Vector2d& d) {
        return Eigen::RowVector3d(d.x(), d.y(), arm.x() * d.y() - arm.y() * d.x());
      };
      J.block<1, 3>(c, 3 * body) += sign * row(n);
      J.block<1, 3>(contacts + 2 * c, 3 * body) += sign * row(t);
      J.block<1, 3>(contacts + 2 * c + 1, 3 * body) -= sign * row(t);
    }
  }
  Eigen::VectorXd inverse_mass(3 * bodies), speed(3 * bodies);
  for (int b = 0; b < bodies; ++b) {
    const double mass = std::exp(both(random));
    inverse_mass.segment<3>(3 * b) << 1.0 / mass, 1.0 / mass, (2.0 + unit(random)) / mass;
  }
  for (int k = 0; k < speed.size(); ++k) speed[k] = normal(random);
  Lcp problem;
  problem.M = Eigen::MatrixXd::Zero(4 * contacts, 4 * contacts);
  problem.q = Eigen::VectorXd::Zero(4 * contacts);
  problem.M.topLeftCorner(3 * contacts, 3 * contacts) =
      J * inverse_mass.asDiagonal() * J.transpose();
  problem.q.head(3 * contacts) = J * speed;
  const double friction = 0.2 + 0.4 * unit(random);
  for (int c = 0; c < contacts; ++c) {
    const int bound = 3 * contacts + c;
    problem.M(bound, c) = friction;
    for (const int d : {contacts + 2 * c, contacts + 2 * c + 1}) {
      problem.M(bound, d) = -1.0;
      problem.M(d, bound) = 1.0;
    }
  }
  return problem;
}

}  // namespace clack
