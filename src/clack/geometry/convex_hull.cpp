// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "clack/geometry/polyhedron.hpp"
#include "clack/geometry/tolerances.hpp"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

// The facets are found by qhull, as triangles; those in one plane are joined here, so that what counts as one face is
// said in one place (geometry/tolerances.hpp).

namespace clack {
namespace {

using Eigen::Vector3d;
using Triangle = std::array<int, 3>;

/// qhull's facets, counter-clockwise seen from outside; empty: it found none.
std::vector<Triangle> triangles_of(std::span<const Vector3d> points) {
  std::vector<double> coordinates;
  for (const Vector3d& p : points) coordinates.insert(coordinates.end(), p.data(), p.data() + 3);
  qhT context;
  qhT* qh = &context;
  qh_zero(qh, nullptr);
  char command[] = "qhull Qt Pp";
  std::FILE* silent = std::tmpfile();  // what it has to say about bad points
  const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False,
                                  command, nullptr, silent);
  std::vector<Triangle> triangles;
  if (!failed) {
    facetT* facet;
    FORALLfacets {
      Triangle corners{};
      int k = 0;
      vertexT *vertex, **vertexp;
      FOREACHvertex_(facet->vertices) if (k < 3) corners[k++] = qh_pointid(qh, vertex->point);
      const Vector3d &a = points[corners[0]], &b = points[corners[1]], &c = points[corners[2]];
      if ((b - a).cross(c - a).dot(Vector3d(facet->normal[0], facet->normal[1], facet->normal[2])) <
          0.0)
        std::swap(corners[1], corners[2]);
      triangles.push_back(corners);
    }
  }
  qh_freeqhull(qh, !qh_ALL);
  int current = 0, total = 0;
  qh_memfreeshort(qh, &current, &total);
  if (silent) std::fclose(silent);
  return triangles;
}

/// The boundary of triangles in one plane, counter-clockwise.
std::vector<int> boundary_of(const std::vector<Triangle>& triangles) {
  std::set<std::pair<int, int>> steps;
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      if (!steps.erase({b, a})) steps.insert({a, b});
    }
  std::map<int, int> next(steps.begin(), steps.end());
  std::vector<int> loop;
  for (int at = next.begin()->first; loop.size() < next.size(); at = next.at(at)) {
    loop.push_back(at);
    if (!next.contains(next.at(at))) return {};
  }
  return loop;
}

/// Triangles in groups that lie in one plane with their neighbours.
std::vector<std::vector<Triangle>> planes_of(std::span<const Vector3d> points,
                                             const std::vector<Triangle>& triangles, double size) {
  const double near = geometry_tolerances.same_plane * size;
  std::vector<int> group(triangles.size());
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int k) {
    while (group[k] != k) k = group[k];
    return k;
  };
  const auto height = [&](const Triangle& t, int p) {
    const Vector3d n = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
    return n.norm() > 0.0 ? std::abs(n.normalized().dot(points[p] - points[t[0]])) : 0.0;
  };
  std::map<std::pair<int, int>, int> beside;
  for (int f = 0; f < static_cast<int>(triangles.size()); ++f)
    for (int k = 0; k < 3; ++k) beside[{triangles[f][k], triangles[f][(k + 1) % 3]}] = f;
  for (const auto& [step, f] : beside) {
    const auto other = beside.find({step.second, step.first});
    if (other == beside.end()) continue;
    const Triangle &a = triangles[f], &b = triangles[other->second];
    const auto is_flat = [&](const Triangle& t, const Triangle& u) {
      return std::ranges::all_of(u, [&](int p) { return height(t, p) <= near; });
    };
    if (is_flat(a, b) && is_flat(b, a)) {
      const std::pair<int, int> low_high = std::minmax({root(f), root(other->second)});
      group[low_high.second] = low_high.first;
    }
  }
  std::map<int, std::vector<Triangle>> found;
  for (int f = 0; f < static_cast<int>(triangles.size()); ++f)
    found[root(f)].push_back(triangles[f]);
  std::vector<std::vector<Triangle>> planes;
  for (auto& [first, some] : found) planes.push_back(std::move(some));
  return planes;
}

/// Corners where fewer than three faces meet lie on an edge.
void drop_straight_corners(std::vector<std::vector<int>>& faces) {
  std::map<int, int> count;
  for (const std::vector<int>& face : faces)
    for (const int c : face) ++count[c];
  for (std::vector<int>& face : faces) std::erase_if(face, [&](int c) { return count.at(c) < 3; });
}

HullFault flat_fault(std::size_t points) {
  return {fmt::format("the {} points lie in a plane", points), "give points that enclose a volume"};
}

}  // namespace

Hull convex_hull(std::span<const Vector3d> points) {
  Hull hull;
  hull.corner_of_point.assign(points.size(), -1);
  if (points.size() < 4) {
    hull.fault = {fmt::format("{} points, a solid needs 4", points.size()),
                  "give at least four points that are not in a plane"};
    return hull;
  }
  Vector3d low = points[0], high = low;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (!points[k].allFinite()) {
      hull.fault = {fmt::format("point {} is not finite", k + 1), "give numbers in m"};
      return hull;
    }
    low = low.cwiseMin(points[k]);
    high = high.cwiseMax(points[k]);
  }
  const double size = (high - low).maxCoeff();
  const std::vector<Triangle> triangles =
      size > 0.0 ? triangles_of(points) : std::vector<Triangle>{};
  hull.fault = flat_fault(points.size());
  if (triangles.empty()) return hull;
  std::vector<std::vector<int>> faces;
  for (const std::vector<Triangle>& plane : planes_of(points, triangles, size)) {
    faces.push_back(boundary_of(plane));
    if (faces.back().size() < 3) return hull;
  }
  drop_straight_corners(faces);
  if (faces.size() < 4 || std::ranges::any_of(faces, [](const auto& f) { return f.size() < 3; }))
    return hull;
  std::set<int> used;
  for (const std::vector<int>& face : faces) used.insert(face.begin(), face.end());
  std::vector<Vector3d> corners;
  for (const int p : used) {
    hull.corner_of_point[p] = static_cast<int>(corners.size());
    corners.push_back(points[p]);
  }
  for (std::vector<int>& face : faces)
    for (int& c : face) c = hull.corner_of_point[c];
  Polyhedron body = make_polyhedron(std::move(corners), std::move(faces));
  const double volume = volume_moments(body).volume;
  if (!(volume > geometry_tolerances.smallest_volume * size * size * size)) return hull;
  hull.body = std::move(body);
  hull.fault = {};
  return hull;
}

}  // namespace clack
