// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <cmath>

namespace clack {

/// Where the projection on Coulomb's cone  K = {r : |r_T| <= mu r_N}  ended.
enum class ConeRegion { inside, polar, surface };

/// Projection of y = (a, t) on K, in this order:
///
///   inside    a >= 0 and |t| <= mu a     P = y
///   polar     a + mu |t| <= 0            P = 0
///   surface   otherwise                  P = (c, mu c t/|t|),  c = (a + mu |t|)/(1 + mu^2)
///
/// (a >= 0 matters for mu = 0, where K is a half line.)
template <int D>
struct ConeProjection {
  Eigen::Matrix<double, D, 1> point;
  ConeRegion region = ConeRegion::inside;
};

template <int D>
ConeProjection<D> project_on_cone(const Eigen::Matrix<double, D, 1>& y, double mu) {
  const double normal = y(0);
  const Eigen::Matrix<double, D - 1, 1> tangent = y.template tail<D - 1>();
  const double length = D == 2 ? std::abs(tangent(0)) : std::hypot(tangent(0), tangent(D - 2));
  if (normal >= 0.0 && length <= mu * normal) return {y, ConeRegion::inside};
  if (normal + mu * length <= 0.0) return {Eigen::Matrix<double, D, 1>::Zero(), ConeRegion::polar};
  const double c = (normal + mu * length) / (1.0 + mu * mu);
  ConeProjection<D> out;
  out.region = ConeRegion::surface;
  out.point(0) = c;
  if (length > 0.0)
    out.point.template tail<D - 1>() = (mu * c / length) * tangent;
  else
    out.point.template tail<D - 1>().setZero();
  return out;
}

/// Length of the tangential part of contact block `x` (normal component first).
template <int D>
double tangential_length(const Eigen::Matrix<double, D, 1>& x) {
  return D == 2 ? std::abs(x(1)) : std::hypot(x(1), x(D - 1));
}

}  // namespace clack
