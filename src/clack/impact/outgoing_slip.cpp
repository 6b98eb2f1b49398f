// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/outgoing_slip.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace clack {

std::optional<OutgoingSlip> outgoing_slip(const Eigen::Matrix2d& tangential,
                                          const Eigen::Vector2d& drive, double friction) {
  const double size = drive.norm();
  if (!(size > 0.0)) return std::nullopt;
  if (friction == 0.0) return OutgoingSlip{drive / size, size};
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes;
  axes.computeDirect(tangential);
  Eigen::Vector2d part = axes.eigenvectors().transpose() * drive;
  Eigen::Vector2d weight = friction * axes.eigenvalues();
  // A contact that joints let move along one line only: nothing drives it across.
  constexpr double flat = 1e-14;
  if (weight[0] <= flat * weight[1]) part[0] = 0.0, weight[0] = weight[1];
  const auto excess = [&](double k) {  // |e(k)|^2 - 1 and its derivative
    const double x = part[0] / (weight[0] + k), y = part[1] / (weight[1] + k);
    return Eigen::Vector2d(x * x + y * y - 1.0,
                           -2.0 * (x * x / (weight[0] + k) + y * y / (weight[1] + k)));
  };
  if (!(excess(0.0)[0] > 0.0)) return std::nullopt;
  // |e(k)|^2 is convex and falls: Newton's method from the left rises to the root and never passes
  // it; in 1/|e| it is nearly exact at once.
  double k = 0.0;
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector2d at = excess(k);
    const double norm = std::sqrt(at[0] + 1.0);
    // 1/|e| = 1 by Newton: (1/|e|)' = -|e|'/|e|^2, |e|' = at[1]/(2 |e|)
    const double step = (1.0 - 1.0 / norm) * norm * norm * norm / (-0.5 * at[1]);
    if (!(step > 0.0) || k + step == k) break;
    k += step;
  }
  OutgoingSlip slip;
  slip.direction =
      axes.eigenvectors() * Eigen::Vector2d(part[0] / (weight[0] + k), part[1] / (weight[1] + k));
  slip.direction.normalize();
  slip.acceleration = k;
  return slip;
}

}  // namespace clack
