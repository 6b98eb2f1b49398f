// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/drawn_parts.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "clack/geometry/polyhedron.hpp"

namespace clack {
namespace {

constexpr double equal_moments = 1e-9;  // relative: rounding of formulas

std::array<double, 3> triple_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

/// The corner of a polyhedron that lies farthest along n.
Eigen::Vector3d farthest(const Polyhedron& body, const Eigen::Vector3d& n) {
  return *std::ranges::max_element(body.corners, {},
                                   [&](const Eigen::Vector3d& corner) { return corner.dot(n); });
}

/// A convex shape by the points whose normals look to the north pole, along rings, to the south pole.
template <class PointOf>
DrawnPart grid_of(const std::string& name, double radius, PointOf&& point_of) {
  DrawnPart part{name, DrawnKind::grid, radius, {}};
  part.points.push_back(triple_of(point_of(Eigen::Vector3d::UnitZ())));
  for (int ring = 1; ring <= drawn_grid.rings; ++ring) {
    const double from_pole = std::numbers::pi * ring / (drawn_grid.rings + 1);
    for (int k = 0; k < drawn_grid.around; ++k) {
      const double around = 2.0 * std::numbers::pi * k / drawn_grid.around;
      part.points.push_back(triple_of(
          point_of(Eigen::Vector3d(std::sin(from_pole) * std::cos(around),
                                   std::sin(from_pole) * std::sin(around), std::cos(from_pole)))));
    }
  }
  part.points.push_back(triple_of(point_of(-Eigen::Vector3d::UnitZ())));
  return part;
}

/// The boundary as one path: arcs in short chords, loops one after another and back (a cut without width), open chains
/// there and back. Half-planes among several shapes are left out.
std::vector<std::array<double, 3>> boundary_points(const Outline& outline) {
  constexpr double chord = 0.05;  // rad, of an arc
  std::vector<std::array<double, 3>> path, loop;
  std::optional<std::array<double, 3>> home;
  const auto add = [&](const Eigen::Vector2d& p) { loop.push_back({p.x(), p.y(), 0.0}); };
  const auto close = [&] {
    const bool is_chain = loop.size() > 1 && loop.front() != loop.back();
    if (is_chain) loop.insert(loop.end(), loop.rbegin() + 1, loop.rend());
    path.insert(path.end(), loop.begin(), loop.end());
    if (!loop.empty() && home) path.push_back(*home);
    if (!home && !loop.empty()) home = loop.front();
    loop.clear();
  };
  OutlineVertexIndex first;
  for (const OutlineEdge& edge : outline.edges) {
    if (edge.is_line()) continue;
    if (loop.empty()) {
      add(edge.start);
      first = edge.from;
    }
    const int pieces = edge.is_straight()
                           ? 1
                           : 1 + static_cast<int>(edge.length / (chord * std::abs(edge.radius)));
    for (int k = 1; k < pieces; ++k) add(edge.point_at(edge.length * k / pieces));
    const bool is_closed = !edge.has_ends() || edge.to == first;
    if (is_closed)
      loop.push_back(loop.front());
    else
      add(outline.vertices[edge.to].point);
    const bool is_end = !is_closed && !outline.vertices[edge.to].after.is_valid();
    if (is_closed || is_end) close();
  }
  if (path.size() > 1 && path.front() == path.back()) path.pop_back();
  return path;
}

DrawnPart shape_of(const std::string& name, const Shape& shape, int dimension) {
  const bool is_planar = dimension == 2;
  const auto made = [&](DrawnKind kind, double radius, std::vector<std::array<double, 3>> points) {
    return DrawnPart{name, kind, radius, std::move(points)};
  };
  return std::visit(
      ShapeCases{
          [&](const Ball& ball) {
            return made(is_planar ? DrawnKind::disk : DrawnKind::sphere, ball.radius, {});
          },
          [&](const HalfSpace& half) {
            return made(DrawnKind::half_plane, 0.0,
                        {triple_of(half.offset * half.normal), triple_of(half.normal)});
          },
          [&](const Box& box) {
            if (!is_planar) return made(DrawnKind::box, 0.0, {triple_of(box.half_extents)});
            const double a = box.half_extents.x(), b = box.half_extents.y();
            return made(DrawnKind::polygon, 0.0, {{-a, -b, 0}, {a, -b, 0}, {a, b, 0}, {-a, b, 0}});
          },
          [&](const Outline& outline) {
            return made(DrawnKind::polygon, 0.0, boundary_points(outline));
          },
          [&](const Solid& solid) {
            return grid_of(name, solid.body->outer_radius,
                           [&](const Eigen::Vector3d& n) { return farthest(*solid.body, n); });
          },
          [&](const SmoothShape& smooth) {
            return grid_of(name, smooth.body->outer_radius(),
                           [&](const Eigen::Vector3d& n) { return smooth.body->point(n); });
          }},
      shape);
}

/// The uniform solid with these principal moments (ascending axes of the body frame, which they must be).
DrawnPart solid_of(const Body& body) {
  DrawnPart part{body.name, DrawnKind::sphere, 0.0, {}};
  const Eigen::Vector3d I = body.inertia.diagonal();
  const bool is_turned = !(body.inertia - Eigen::Matrix3d(I.asDiagonal())).isZero(0.0);
  if (!(body.mass > 0.0) || !(I.maxCoeff() > 0.0)) return part;
  const auto alike = [&](int a, int b) {
    return std::abs(I[a] - I[b]) <= equal_moments * I.maxCoeff();
  };
  if (!is_turned && alike(0, 1) && alike(1, 2)) {
    part.radius = std::sqrt(2.5 * I[0] / body.mass);
    return part;
  }
  if (!is_turned && alike(0, 1)) {  // I_zz = m r^2/2, I_xx = m (r^2/4 + h^2/12)
    part.kind = DrawnKind::cylinder;
    part.radius = std::sqrt(2.0 * I[2] / body.mass);
    const double squared = 12.0 * (I[0] / body.mass - 0.25 * part.radius * part.radius);
    part.points = {{0.0, 0.0, 0.5 * std::sqrt(std::max(0.0, squared))}};
    return part;
  }
  part.kind = DrawnKind::box;  // I_xx = m (y^2 + z^2)/12 and so on
  Eigen::Vector3d half;
  for (int k = 0; k < 3; ++k)
    half[k] = 0.5 * std::sqrt(std::max(0.0, 6.0 * (I.sum() - 2.0 * I[k]) / body.mass));
  part.points = {triple_of(half)};
  return part;
}

}  // namespace

DrawnPart drawn_body(const Body& body, int dimension) {
  if (body.shape) return shape_of(body.name, *body.shape, dimension);
  if (dimension == 3) return solid_of(body);
  DrawnPart part{body.name, DrawnKind::line, 0.0, {}};
  if (body.points.empty()) {
    part.kind = DrawnKind::disk;
    return part;
  }
  if (body.points.size() == 1) part.points.push_back({0.0, 0.0, 0.0});
  for (const BodyPoint& point : body.points) part.points.push_back(triple_of(point.position));
  return part;
}

std::vector<DrawnPart> drawn_points(const Body& body, const DrawnPart& drawn) {
  std::vector<DrawnPart> lines;
  if (drawn.kind == DrawnKind::half_plane) return lines;
  for (const BodyPoint& point : body.points) {
    const Eigen::Vector3d& p = point.position;
    bool is_inside = p.norm() <= drawn.radius;
    if (drawn.kind == DrawnKind::box) {
      is_inside = true;
      for (int k = 0; k < 3; ++k)
        is_inside = is_inside && std::abs(p[k]) <= (1.0 + equal_moments) * drawn.points[0][k];
    }
    if (is_inside) continue;
    lines.push_back(
        {body.name + "." + point.name, DrawnKind::line, 0.0, {{0, 0, 0}, triple_of(p)}});
  }
  return lines;
}

DrawnPart drawn_sketch(const Sketch& sketch) {
  using Kind = Sketch::Kind;
  DrawnPart part{sketch.name, DrawnKind::line, sketch.radius, {}};
  for (const Eigen::Vector3d& point : sketch.points) part.points.push_back(triple_of(point));
  if (sketch.kind == Kind::disk) part.kind = DrawnKind::disk;
  if (sketch.kind == Kind::sphere) part.kind = DrawnKind::sphere;
  if (sketch.kind == Kind::polygon) part.kind = DrawnKind::polygon;
  if (sketch.kind == Kind::box) {
    part.kind = DrawnKind::box;
    part.points = {triple_of(sketch.half_extents)};
  }
  return part;
}

}  // namespace clack
