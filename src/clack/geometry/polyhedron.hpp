// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clack/geometry/box_tree.hpp"
#include "clack/geometry/spatial_distance.hpp"

namespace clack {

struct PolyhedronFace {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  // outward; n . x = offset on the face
  double offset = 0.0;
  std::vector<int> corners;  // counter-clockwise, seen from outside
  std::vector<Eigen::Vector3d>
      across;  // edge k, from corner k to the next: across it in the face, out of it
};

struct PolyhedronEdge {
  int from = 0, to = 0;     // corners
  int left = 0, right = 0;  // faces; `left` runs along the edge as it is
  EdgeSide side;
};

/// A convex body with plane faces, in the frame of its body, m. What is told of edges and corners are the cones in which
/// the normal of a touch must lie:
///
///   corner c, edges d_j leaving it:        -n in the cone of its outward normals  <=>  n . d_j >= 0
///   edge, a_i in face i across it, outwards:  n in the cone of its two normals    <=>  n . a_i >= 0
struct Polyhedron {
  std::vector<Eigen::Vector3d> corners;
  std::vector<CornerSide> corner_sides;
  std::vector<PolyhedronFace>
      faces;  // neighbours in space are neighbours here: the tree cuts the list in halves
  std::vector<PolyhedronEdge> edges;
  BoxTree<3> tree;  // of the faces
  std::vector<std::vector<int>> edges_of_face, edges_of_corner;
  double size = 0.0;                              // half of the longest side of the box around it
  double depth = 0.0;                             // of its middle below the nearest face
  double outer_radius = 0.0, inner_radius = 0.0;  // of balls around the origin of the body
};

/// Of a solid of unit mass per volume, by tetrahedra over the triangles (a, b, c) of the faces from a corner:
///
///   V = sum a . (b x c)/6,   centroid = sum V_k (a + b + c)/4 / V
///   covariance = sum V_k/20 (s s^T + a a^T + b b^T + c c^T),   s = a + b + c;   inertia = tr(C) - C about the centroid
struct VolumeMoments {
  double volume = 0.0;                                 // m3
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();  // m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   // m5, about the centroid
};
VolumeMoments volume_moments(const Polyhedron& body);

struct HullFault {
  std::string what, remedy;
};
/// The convex hull of the points, or what is wrong with them. Faces in one plane (to 1e-10 of the size) are one face;
/// points inside, on faces or on edges are no corners. The corners keep the order of the points.
struct Hull {
  std::optional<Polyhedron> body;
  HullFault fault;
  std::vector<int> corner_of_point;  // -1: no corner
};
Hull convex_hull(std::span<const Eigen::Vector3d> points);
/// A box, its corners in the order of model files: around it counter-clockwise from (-, -), the lower four first; its edges
/// in that of edge_of.
Polyhedron polyhedron_of(const Box& box);
Polyhedron moved(const Polyhedron& body, const Eigen::Vector3d& by);

/// A convex body from its corners and faces (counter-clockwise lists of corners). `edges`: their order and directions,
/// from corner to corner; none: ascending.
inline constexpr int polyhedron_leaf = 2;  // faces
Polyhedron make_polyhedron(std::vector<Eigen::Vector3d> corners,
                           std::vector<std::vector<int>> faces, int leaf_size = polyhedron_leaf,
                           std::span<const std::pair<int, int>> edges = {});

}  // namespace clack
