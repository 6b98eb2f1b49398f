// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/geometry/smooth_shape.hpp"

namespace clack {

/// x^T A^-1 x <= 1 with A = diag(a^2), a the semi-axes:
///
///   h(n) = s = sqrt(n^T A n),   x(n) = A n / s,   h'' = A/s - (A n)(A n)^T / s^3
class Ellipsoid final : public SmoothBody {
 public:
  static SmoothShapeKind kind();
  explicit Ellipsoid(const Eigen::Vector3d& axes = Eigen::Vector3d::Zero()) : semi_axes(axes) {}
  operator SmoothShape() const { return {std::make_shared<Ellipsoid>(*this)}; }

  Eigen::Vector3d point(const Eigen::Vector3d& n) const override;
  Eigen::Matrix3d bend(const Eigen::Vector3d& n) const override;
  double outer_radius() const override { return semi_axes.maxCoeff(); }
  double inner_radius() const override { return semi_axes.minCoeff(); }

  Eigen::Vector3d semi_axes;
};

}  // namespace clack
