// SPDX-License-Identifier: Apache-2.0
// clack distance with hulls: {"A": {"hull": [[x, y, z], ...]}, "B": ..., "poseA": [x, y, z, qw, qx, qy, qz], "skin": s}
#include "distance_solids.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "clack/error.hpp"
#include "clack/geometry/solid_distance.hpp"
#include "clack/json_input.hpp"
#include "clack/json_output.hpp"

namespace clack::command {
namespace {

using nlohmann::ordered_json;

Polyhedron read_hull(const nlohmann::json& document, const char* key, const std::string& file) {
  const nlohmann::json& shape = get_value(document, key, "", file);
  static constexpr std::array<std::string_view, 1> known{"hull"};
  if (!shape.is_object())
    throw InputError(
        fmt::format("{} is {}, the other body is a hull in space", key, json_excerpt(shape)), file,
        "give both as {\"hull\": [[x, y, z], ...]}");
  check_keys(shape, key, known, file);
  const Eigen::MatrixXd rows = get_matrix(shape, "hull", -1, 3, key, file);
  std::vector<Eigen::Vector3d> points;
  for (Eigen::Index k = 0; k < rows.rows(); ++k) points.emplace_back(rows.row(k).transpose());
  Hull hull = convex_hull(points);
  if (!hull.body)
    throw InputError(fmt::format("hull {}: {}", key, hull.fault.what), file, hull.fault.remedy);
  for (std::size_t k = 0; k < points.size(); ++k)
    if (hull.corner_of_point[k] < 0)
      throw InputError(fmt::format("hull {}: point {} is no corner", key, k), file,
                       "remove it: it is inside, on a face, on an edge or given twice");
  return std::move(*hull.body);
}

Pose read_pose(const nlohmann::json& document, const char* key, const std::string& file) {
  Pose pose;
  if (!document.contains(key)) return pose;
  const Eigen::VectorXd numbers = get_vector(document, key, -1, "", file);
  if (numbers.size() != 3 && numbers.size() != 7)
    throw InputError(fmt::format("{} has {} numbers", key, numbers.size()), file,
                     "write [x, y, z] or [x, y, z, qw, qx, qy, qz]");
  pose.position = numbers.head<3>();
  if (numbers.size() == 3) return pose;
  const Eigen::Vector4d q = numbers.tail<4>();
  if (!(q.norm() > 0.0))
    throw InputError(fmt::format("{}: the quaternion is zero", key), file,
                     "no turn is [1, 0, 0, 0]");
  pose.rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  return pose;
}

/// The corner, or the edge by its two corners, of one of the bodies at its witness.
ordered_json feature_json(const Polyhedron& body, const SolidContact& contact, bool is_first) {
  const int index = is_first ? contact.first : contact.second;
  if (contact.owner == SolidOwner::edges)
    return {{"edge", {body.edges[index].from, body.edges[index].to}}};
  const bool is_corner = is_first == (contact.owner == SolidOwner::first_corner);
  return is_corner ? ordered_json{{"corner", index}} : ordered_json{{"body", true}};
}

std::string_view feature_name(Feature feature) {
  switch (feature) {
    case Feature::smooth:
      return "smooth";
    case Feature::face:
      return "face";
    case Feature::edge:
      return "edge";
    case Feature::corner:
      return "corner";
  }
  return "";
}

}  // namespace

bool asks_for_solids(const nlohmann::json& document) {
  if (!document.is_object()) return false;
  return std::ranges::any_of(std::array{"A", "B"}, [&](const char* key) {
    return document.contains(key) && document[key].is_object() && document[key].contains("hull");
  });
}

void print_solid_distance(const nlohmann::json& document, const std::string& file, bool is_json) {
  static constexpr std::array<std::string_view, 5> known{"A", "B", "poseA", "poseB", "skin"};
  for (const char* key : {"T", "velA", "velB", "accA", "accB"})
    if (document.contains(key))
      throw InputError(fmt::format("{} is given for hulls in space", key), file,
                       "write a model and use clack run: motions in space are runs");
  check_keys(document, "", known, file);
  const Polyhedron a = read_hull(document, "A", file), b = read_hull(document, "B", file);
  const Pose pa = read_pose(document, "poseA", file), pb = read_pose(document, "poseB", file);
  const double skin = get_number_or(document, "skin", 0.0, "", file);
  if (skin < 0.0)
    throw InputError(fmt::format("skin is {:.6g}, must not be negative", skin), file,
                     "give a length in m");
  const SolidPair pair{a, b};
  SolidWorkspace work;
  const NearestFeatures nearest = nearest_features(pair, pa, pb, work);
  const double overlap = solid_overlap(pair, pa, pb, 0.0);
  const SpatialDistance d = distance_of(pair, nearest.contact, pa, pb);
  const char* status = overlap > 0.0 ? "overlap" : "disjoint";
  if (!is_json) {
    if (overlap > 0.0)
      fmt::print("overlap: {:.12g} m part the bodies along the normal of a face\n", overlap);
    else
      fmt::print(
          "disjoint: gap {:.12g} m, {} of A at ({:.9g}, {:.9g}, {:.9g}), {} of B at ({:.9g}, "
          "{:.9g}, {:.9g})\n",
          d.distance, feature_name(d.first.feature), d.first.point.x(), d.first.point.y(),
          d.first.point.z(), feature_name(d.second.feature), d.second.point.x(), d.second.point.y(),
          d.second.point.z());
    return;
  }
  ordered_json answer{{"status", status}};
  answer["gap"] = overlap > 0.0 ? ordered_json() : ordered_json(d.distance);
  if (overlap > 0.0) answer["overlap"] = overlap;
  answer["A"] = feature_json(a, nearest.contact, true);
  answer["A"]["feature"] = feature_name(d.first.feature);
  answer["A"]["point"] = to_json_list(d.first.point);
  answer["B"] = feature_json(b, nearest.contact, false);
  answer["B"]["feature"] = feature_name(d.second.feature);
  answer["B"]["point"] = to_json_list(d.second.point);
  answer["normal"] = to_json_list(d.normal);
  std::vector<SolidContact> near;
  contacts_within(pair, pa, pb, skin, work, near);
  answer["within"] = near.size();
  answer["box_tests"] = work.tree.box_tests;
  fmt::print("{}\n", to_json_text(answer));
}

}  // namespace clack::command
