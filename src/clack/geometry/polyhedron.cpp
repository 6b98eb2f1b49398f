// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/polyhedron.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <map>

namespace clack {
namespace {

using Eigen::Vector3d;

/// Newell's normal: exact for faces parallel to the axes, the best plane for others.
Vector3d normal_of(const std::vector<Vector3d>& corners, const std::vector<int>& face) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d& origin = corners[face[0]];
  for (std::size_t k = 1; k + 1 < face.size(); ++k)
    sum += (corners[face[k]] - origin).cross(corners[face[k + 1]] - origin);
  return sum.normalized();
}

Vector3d middle_of(const std::vector<Vector3d>& corners, const std::vector<int>& face) {
  Vector3d sum = Vector3d::Zero();
  for (const int c : face) sum += corners[c];
  return sum / static_cast<double>(face.size());
}

/// Sorted so that halves of the list are halves in space, again and again.
void sort_in_space(const std::vector<Vector3d>& corners, std::span<std::vector<int>> faces) {
  if (faces.size() <= 2) return;
  Vector3d low = middle_of(corners, faces[0]), high = low;
  for (const std::vector<int>& face : faces) {
    low = low.cwiseMin(middle_of(corners, face));
    high = high.cwiseMax(middle_of(corners, face));
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  std::ranges::stable_sort(
      faces, {}, [&](const std::vector<int>& face) { return middle_of(corners, face)[axis]; });
  const std::size_t half = faces.size() / 2;
  sort_in_space(corners, faces.first(half));
  sort_in_space(corners, faces.subspan(half));
}

void add_faces(Polyhedron& body, std::vector<std::vector<int>>& faces) {
  sort_in_space(body.corners, faces);
  for (std::vector<int>& list : faces) {
    PolyhedronFace& face = body.faces.emplace_back();
    face.normal = normal_of(body.corners, list);
    face.offset = face.normal.dot(body.corners[list[0]]);
    for (const int c : list)  // the outermost: no corner is above its face
      face.offset = std::max(face.offset, face.normal.dot(body.corners[c]));
    for (std::size_t k = 0; k < list.size(); ++k) {
      const Vector3d along = body.corners[list[(k + 1) % list.size()]] - body.corners[list[k]];
      face.across.push_back(along.cross(face.normal).normalized());
    }
    face.corners = std::move(list);
  }
}

struct EdgeUse {
  int face = -1, place = -1;
};

/// Edge lists of a box, in the order of edge_of: four along x, then y, then z, each counter-clockwise from (-, -).
constexpr std::array<std::pair<int, int>, 12> box_edges{{{0, 1},
                                                         {3, 2},
                                                         {7, 6},
                                                         {4, 5},
                                                         {0, 3},
                                                         {4, 7},
                                                         {5, 6},
                                                         {1, 2},
                                                         {0, 4},
                                                         {1, 5},
                                                         {2, 6},
                                                         {3, 7}}};

/// In the given order and directions; none given: ascending (from, to).
void add_edges(Polyhedron& body, std::span<const std::pair<int, int>> order) {
  std::map<std::pair<int, int>, EdgeUse> uses;  // by the face that runs along it that way
  for (int f = 0; f < static_cast<int>(body.faces.size()); ++f) {
    const std::vector<int>& list = body.faces[f].corners;
    for (int k = 0; k < static_cast<int>(list.size()); ++k)
      uses[{list[k], list[(k + 1) % list.size()]}] = {f, k};
  }
  std::vector<std::pair<int, int>> ascending;
  for (const auto& [ends, use] : uses)
    if (ends.first < ends.second) ascending.push_back(ends);
  if (order.empty()) order = ascending;
  body.edges_of_face.resize(body.faces.size());
  body.edges_of_corner.resize(body.corners.size());
  for (const auto& [from, to] : order) {
    const EdgeUse left = uses.at({from, to}), right = uses.at({to, from});
    PolyhedronEdge edge{from, to, left.face, right.face, {}};
    const Vector3d &a = body.corners[from], &b = body.corners[to];
    edge.side.centre = 0.5 * (a + b);
    edge.side.direction = (b - a).normalized();
    edge.side.half_length = 0.5 * (b - a).norm();
    edge.side.first_face = body.faces[left.face].across[left.place];
    edge.side.second_face = body.faces[right.face].across[right.place];
    const int index = static_cast<int>(body.edges.size());
    for (const int f : {edge.left, edge.right}) body.edges_of_face[f].push_back(index);
    for (const int c : {edge.from, edge.to}) body.edges_of_corner[c].push_back(index);
    body.edges.push_back(edge);
  }
}

void add_corner_sides(Polyhedron& body) {
  for (int c = 0; c < static_cast<int>(body.corners.size()); ++c) {
    CornerSide& side = body.corner_sides.emplace_back(CornerSide{body.corners[c], {}});
    for (const int e : body.edges_of_corner[c])
      side.edges.push_back(body.edges[e].from == c ? body.edges[e].side.direction
                                                   : Vector3d(-body.edges[e].side.direction));
  }
}

void measure(Polyhedron& body) {
  Vector3d low = body.corners[0], high = low, middle = Vector3d::Zero();
  for (const Vector3d& c : body.corners) {
    low = low.cwiseMin(c);
    high = high.cwiseMax(c);
    middle += c / static_cast<double>(body.corners.size());
    body.outer_radius = std::max(body.outer_radius, c.norm());
  }
  body.size = 0.5 * (high - low).maxCoeff();
  double inner = std::numeric_limits<double>::infinity();
  body.depth = inner;
  for (const PolyhedronFace& face : body.faces) {
    inner = std::min(inner, face.offset);
    body.depth = std::min(body.depth, face.offset - face.normal.dot(middle));
  }
  body.inner_radius = std::max(0.0, inner);
  for (PolyhedronEdge& edge : body.edges) edge.side.depth = body.depth;
}

}  // namespace

Polyhedron make_polyhedron(std::vector<Vector3d> corners, std::vector<std::vector<int>> faces,
                           int leaf_size, std::span<const std::pair<int, int>> edges) {
  Polyhedron body;
  body.corners = std::move(corners);
  add_faces(body, faces);
  add_edges(body, edges);
  add_corner_sides(body);
  measure(body);
  std::vector<Vector3d> lows, highs;
  for (const PolyhedronFace& face : body.faces) {
    Vector3d low = body.corners[face.corners[0]], high = low;
    for (const int c : face.corners) {
      low = low.cwiseMin(body.corners[c]);
      high = high.cwiseMax(body.corners[c]);
    }
    lows.push_back(low);
    highs.push_back(high);
  }
  body.tree = BoxTree<3>(lows, highs, leaf_size);
  return body;
}

Polyhedron polyhedron_of(const Box& box) {
  const double a = box.half_extents.x(), b = box.half_extents.y(), c = box.half_extents.z();
  return make_polyhedron(
      {{-a, -b, -c},
       {a, -b, -c},
       {a, b, -c},
       {-a, b, -c},
       {-a, -b, c},
       {a, -b, c},
       {a, b, c},
       {-a, b, c}},
      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}, 1,
      box_edges);  // two faces of a box fill it, and so would their leaf
}

Polyhedron moved(const Polyhedron& body, const Vector3d& by) {
  std::vector<Vector3d> corners = body.corners;
  for (Vector3d& c : corners) c += by;
  std::vector<std::vector<int>> faces;
  for (const PolyhedronFace& face : body.faces) faces.push_back(face.corners);
  return make_polyhedron(std::move(corners), std::move(faces));
}

VolumeMoments volume_moments(const Polyhedron& body) {
  VolumeMoments moments;
  const Vector3d origin = body.corners[0];
  Vector3d first = Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const PolyhedronFace& face : body.faces)
    for (std::size_t k = 1; k + 1 < face.corners.size(); ++k) {
      const Vector3d a = body.corners[face.corners[0]] - origin,
                     b = body.corners[face.corners[k]] - origin,
                     c = body.corners[face.corners[k + 1]] - origin, s = a + b + c;
      const double volume = a.dot(b.cross(c)) / 6.0;
      moments.volume += volume;
      first += 0.25 * volume * s;
      second += volume / 20.0 *
                (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
  const Vector3d centre = first / moments.volume;
  const Eigen::Matrix3d covariance = second - moments.volume * centre * centre.transpose();
  moments.centroid = origin + centre;
  moments.inertia = covariance.trace() * Eigen::Matrix3d::Identity() - covariance;
  return moments;
}

}  // namespace clack
