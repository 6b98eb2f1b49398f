// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

HalfSpace read_half_space(Reading& reading, const yaml::Node& node, const std::string& what) {
  reading.check_keys(node, what, {"normal", "point"});
  HalfSpace half_space;
  const yaml::Node* normal = node.find("normal");
  if (!normal)
    reading.fail(node, what + " needs a normal",
                 "give normal: [0, 1], pointing out of the material");
  const Eigen::Vector3d direction = reading.vector(*normal, what + ": normal");
  if (!(direction.norm() > 0.0))
    reading.fail(*normal, what + ": normal is zero", "give a direction, e.g. [0, 1]");
  half_space.normal = direction.normalized();
  if (const yaml::Node* point = node.find("point"))
    half_space.offset = half_space.normal.dot(reading.vector(*point, what + ": point"));
  return half_space;
}

/// The corners, in this order: around the box counter-clockwise from the lower left; in
/// space the lower four (z < 0) first.
void add_corners(const Reading& reading, Body& body, const Eigen::Vector3d& half) {
  const std::array<std::array<double, 2>, 4> around{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  if (reading.model.dimension == 2) {
    const std::array<const char*, 4> names{"bottom_left", "bottom_right", "top_right", "top_left"};
    for (std::size_t k = 0; k < 4; ++k)
      body.points.push_back({names[k], {around[k][0] * half(0), around[k][1] * half(1), 0.0}});
    return;
  }
  for (std::size_t k = 0; k < 8; ++k)
    body.points.push_back(
        {fmt::format("corner{}", k + 1),
         {around[k % 4][0] * half(0), around[k % 4][1] * half(1), (k < 4 ? -1 : 1) * half(2)}});
}

Box read_box(Reading& reading, Body& body, const yaml::Node& node, const std::string& what) {
  std::vector<std::string> keys = {"width", "height"};
  if (reading.model.dimension == 3) keys.push_back("depth");
  reading.check_keys(node, what, keys);
  Box box;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const yaml::Node* size = node.find(keys[k]);
    if (!size) reading.fail(node, what + " needs a " + keys[k], "give " + keys[k] + ": ... in m");
    box.half_extents(k) = reading.formulas.positive(*size, what + ": " + keys[k]) / 2;
  }
  add_corners(reading, body, box.half_extents);
  return box;
}

Ball read_ball(Reading& reading, const yaml::Node& node, const std::string& what) {
  reading.check_keys(node, what, {"radius"});
  const yaml::Node* radius = node.find("radius");
  if (!radius) reading.fail(node, what + " needs a radius", "give radius: ... in m");
  return {reading.formulas.positive(*radius, what + ": radius")};
}

SmoothShape read_smooth(Reading& reading, const SmoothShapeKind& kind, const yaml::Node& node,
                        const std::string& what) {
  std::vector<std::string> keys;
  for (const ShapeSize& size : kind.sizes) keys.emplace_back(size.key);
  reading.check_keys(node, what, keys);
  std::vector<double> lengths;
  for (const ShapeSize& size : kind.sizes) {
    const yaml::Node* given = node.find(std::string(size.key));
    const char* pattern = size.count == 1 ? "give {}: ... in m, {}" : "give {}: [...] in m, {}";
    if (!given)
      reading.fail(node, fmt::format("{} needs {}", what, size.key),
                   fmt::format(fmt::runtime(pattern), size.key, size.help));
    const std::string name = fmt::format("{}: {}", what, size.key);
    if (size.count == 1) {
      lengths.push_back(reading.formulas.positive(*given, name));
      continue;
    }
    const auto& items = reading.list(*given, name, size.count);
    for (std::size_t k = 0; k < items.size(); ++k)
      lengths.push_back(reading.formulas.positive(items[k], fmt::format("{}[{}]", name, k + 1)));
  }
  return kind.make(lengths);
}

std::string enumerated(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + names[k];
  return text;
}

}  // namespace

void read_shape(Reading& reading, Body& body, const yaml::Node& node) {
  const std::string thing = "body " + body.name + ": shape";
  const bool is_planar = reading.model.dimension == 2;
  const std::vector<std::string> planar = {"disk", "half-plane", "line", "box", "polygon", "point"};
  std::vector<std::string> spatial = {"sphere", "half-space", "box"};
  for (const SmoothShapeKind& smooth : reading.shapes) spatial.emplace_back(smooth.name);
  spatial.push_back("point");
  if (node.kind == yaml::Kind::map && node.entries.size() == 1) {
    const std::string& name = node.entries[0].key;
    const auto& elsewhere = is_planar ? spatial : planar;
    const auto& here = is_planar ? planar : spatial;
    const bool is_elsewhere =
        std::find(elsewhere.begin(), elsewhere.end(), name) != elsewhere.end();
    if (is_elsewhere && std::find(here.begin(), here.end(), name) == here.end())
      reading.fail(
          node,
          fmt::format("{}: there is no {} in dimension {}", thing, name, reading.model.dimension),
          "use " + enumerated(here));
  }
  reading.check_keys(node, thing, is_planar ? planar : spatial);
  if (node.entries.size() != 1)
    reading.fail(node, thing + ": one shape is expected here",
                 "write shape: {disk: {radius: 0.1}}");
  const std::string& kind = node.entries[0].key;
  const yaml::Node& size = node.entries[0].value;
  const std::string what = "body " + body.name + ": " + kind;
  if (kind == "disk" || kind == "sphere") {
    body.shape = read_ball(reading, size, what);
  } else if (kind == "box") {
    body.shape = read_box(reading, body, size, what);
  } else if (kind == "polygon") {
    body.shape = read_outline(reading, size, what);
  } else if (kind == "point") {
    reading.check_keys(size, what, {});
    body.shape = Ball{0.0};
  } else if (const auto smooth = std::ranges::find(reading.shapes, kind, &SmoothShapeKind::name);
             smooth != reading.shapes.end()) {
    body.shape = read_smooth(reading, *smooth, size, what);
  } else {
    body.shape = read_half_space(reading, size, what);
  }
}

}  // namespace clack
