// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace clack {

/// A smooth, strictly convex body in space, in its own frame, in m. It is told by its support function
///
///   h(n) = max n . x over the body,   |n| = 1,
///
/// of which distances, witnesses and curvatures follow (spatial_distance.hpp): nothing else in the program knows the
/// shapes of this kind by name.
class SmoothBody {
 public:
  virtual ~SmoothBody() = default;
  /// The point of the surface whose outward normal is n: the gradient of h.
  virtual Eigen::Vector3d point(const Eigen::Vector3d& n) const = 0;
  /// The second derivative of h, m: its eigenvalues on the tangent plane are the radii of curvature.
  virtual Eigen::Matrix3d bend(const Eigen::Vector3d& n) const = 0;
  /// Radii of balls around the origin: one that holds the body, one that it holds.
  virtual double outer_radius() const = 0;
  virtual double inner_radius() const = 0;
};

/// A value: bodies never change, so copies share one.
struct SmoothShape {
  std::shared_ptr<const SmoothBody> body;
};

/// One key of a shape in a model file: so many positive lengths in m (more than one are written as a list).
struct ShapeSize {
  std::string_view key;
  int count = 1;
  std::string_view help;  // "the semi-axes"
};

/// A shape that can be asked for in a model file. `make` gets the lengths in the order of `sizes`, one after the other.
struct SmoothShapeKind {
  std::string_view name, help;
  std::vector<ShapeSize> sizes;
  std::function<SmoothShape(const std::vector<double>&)> make;
};
using SmoothShapes = std::vector<SmoothShapeKind>;

/// The shapes of this kind that exist (smooth_shapes.cpp, one line each). A plain value: a test adds one to a copy.
SmoothShapes smooth_shapes();

}  // namespace clack
