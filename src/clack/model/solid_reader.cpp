// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>

#include "clack/geometry/polyhedron.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

constexpr std::size_t most_points = 2000;  // a convex part with more corners is a smooth one

/// A point that is no corner is a mistake: its name would mean nothing.
Solid hull_of(Reading& reading, const yaml::Node& node, const std::string& what,
              const std::vector<Eigen::Vector3d>& points,
              const std::function<const yaml::Node&(std::size_t)>& place) {
  if (points.size() > most_points)
    reading.fail(node,
                 fmt::format("{}: {} points, {} are the most", what, points.size(), most_points),
                 "give a few hundred corners, or a smooth shape such as an ellipsoid");
  Hull hull = convex_hull(points);
  if (!hull.body)
    reading.fail(node, fmt::format("{}: {}", what, hull.fault.what), hull.fault.remedy);
  for (std::size_t k = 0; k < points.size(); ++k)
    if (hull.corner_of_point[k] < 0)
      reading.fail(place(k),
                   fmt::format("{}: point {} ({:.9g}, {:.9g}, {:.9g}) is no corner of the hull",
                               what, k + 1, points[k].x(), points[k].y(), points[k].z()),
                   "remove it: it is inside, on a face, on an edge or given twice");
  return {std::make_shared<const Polyhedron>(std::move(*hull.body))};
}

const yaml::Node& needed(Reading& reading, const yaml::Node& node, const std::string& what,
                         const char* key, const char* example) {
  const yaml::Node* found = node.find(key);
  if (!found) reading.fail(node, fmt::format("{} needs {}", what, key), example);
  return *found;
}

}  // namespace

Solid read_hull(Reading& reading, const yaml::Node& node, const std::string& what) {
  reading.check_keys(node, what, {"points"});
  const yaml::Node& list =
      needed(reading, node, what, "points", "write points: [[0, 0, 0], [1, 0, 0], ...] in m");
  const auto& items = reading.list(list, what + ": points");
  std::vector<Eigen::Vector3d> points;
  for (const yaml::Node& item : items)
    points.push_back(reading.vector(item, fmt::format("{}: point {}", what, points.size() + 1)));
  return hull_of(reading, list, what, points,
                 [&](std::size_t k) -> const yaml::Node& { return items[k]; });
}

Solid read_prism(Reading& reading, const yaml::Node& node, const std::string& what) {
  reading.check_keys(node, what, {"polygon", "depth"});
  const yaml::Node& list =
      needed(reading, node, what, "polygon", "write polygon: [[0, 0], [1, 0], ...] in m");
  const double half =
      0.5 * reading.formulas.positive(needed(reading, node, what, "depth", "give depth: ... in m"),
                                      what + ": depth");
  const auto& items = reading.list(list, what + ": polygon");
  std::vector<Eigen::Vector3d> points;
  for (const double z : {-half, half})
    for (std::size_t k = 0; k < items.size(); ++k) {
      const std::string corner = fmt::format("{}: polygon: corner {}", what, k + 1);
      const auto& pair = reading.list(items[k], corner, 2);
      points.push_back(
          {reading.formulas.number(pair[0], corner), reading.formulas.number(pair[1], corner), z});
    }
  return hull_of(reading, list, what, points,
                 [&](std::size_t k) -> const yaml::Node& { return items[k % items.size()]; });
}

void take_mass_of_solid(Body& body, double mass) {
  const VolumeMoments moments = volume_moments(*body.solid);
  body.mass = mass;
  body.inertia = mass / moments.volume * moments.inertia;
}

}  // namespace clack
