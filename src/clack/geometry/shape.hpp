// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <memory>
#include <string_view>
#include <variant>

#include "clack/geometry/outline.hpp"
#include "clack/geometry/smooth_shape.hpp"

namespace clack {

/// Shapes in the frame of their body, in m. In the plane the third component is unused (0).
struct Ball {  // disk in the plane, sphere in space
  double radius = 0.0;
};
/// Material where normal . x <= offset; normal is a unit vector pointing out of the material.
struct HalfSpace {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();
  double offset = 0.0;
};
struct Box {
  Eigen::Vector3d half_extents = Eigen::Vector3d::Zero();
};
struct Polyhedron;
/// A convex body with plane faces, space only (polyhedron.hpp). A value: bodies never change, so copies share one.
struct Solid {
  std::shared_ptr<const Polyhedron> body;
};
/// SmoothShape: ellipsoids and what else is told by its support function (smooth_shape.hpp), space only.
/// Outline: a planar body as it is drawn (outline.hpp).
using Shape = std::variant<Ball, HalfSpace, Box, SmoothShape, Outline, Solid>;

/// Cases for std::visit over shapes: a shape that is forgotten in one of them does not compile.
template <class... Cases>
struct ShapeCases : Cases... {
  using Cases::operator()...;
};

}  // namespace clack
