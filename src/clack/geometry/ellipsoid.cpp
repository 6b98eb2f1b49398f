// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/ellipsoid.hpp"

#include <cmath>

namespace clack {

SmoothShapeKind Ellipsoid::kind() {
  return {.name = "ellipsoid",
          .help = "x^2/a^2 + y^2/b^2 + z^2/c^2 <= 1",
          .sizes = {{"axes", 3, "the semi-axes"}},
          .make = [](const std::vector<double>& axes) -> SmoothShape {
            return Ellipsoid(Eigen::Vector3d(axes.data()));
          }};
}

Eigen::Vector3d Ellipsoid::point(const Eigen::Vector3d& n) const {
  const Eigen::Vector3d a = semi_axes.cwiseAbs2().cwiseProduct(n);
  return a / std::sqrt(n.dot(a));
}

Eigen::Matrix3d Ellipsoid::bend(const Eigen::Vector3d& n) const {
  const Eigen::Vector3d a = semi_axes.cwiseAbs2().cwiseProduct(n);
  const double s = std::sqrt(n.dot(a));
  Eigen::Matrix3d bend = -a * a.transpose() / (s * s * s);
  bend.diagonal() += semi_axes.cwiseAbs2() / s;
  return bend;
}

}  // namespace clack
