// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/geometry/polyhedron.hpp"
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

Box read_box(Reading& reading, const yaml::Node& node, const std::string& what) {
  std::vector<std::string> keys = {"width", "height"};
  if (reading.model.dimension == 3) keys.push_back("depth");
  reading.check_keys(node, what, keys);
  Box box;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const yaml::Node* size = node.find(keys[k]);
    if (!size) reading.fail(node, what + " needs a " + keys[k], "give " + keys[k] + ": ... in m");
    box.half_extents(k) = reading.formulas.positive(*size, what + ": " + keys[k]) / 2;
  }
  return box;
}

/// disk, sphere: a ball around the body's origin, or an outline around `at` (plane).
Shape read_ball(Reading& reading, const yaml::Node& node, const std::string& what) {
  const bool is_planar = reading.model.dimension == 2;
  reading.check_keys(
      node, what,
      is_planar ? std::vector<std::string>{"radius", "at"} : std::vector<std::string>{"radius"});
  const yaml::Node* radius = node.find("radius");
  if (!radius) reading.fail(node, what + " needs a radius", "give radius: ... in m");
  const double r = reading.formulas.positive(*radius, what + ": radius");
  const yaml::Node* at = node.find("at");
  if (!at) return Ball{r};
  const OutlineLoop circle{.kind = LoopKind::circle,
                           .points = {reading.vector(*at, what + ": at").head<2>()},
                           .radius = r};
  return make_outline(std::span(&circle, 1));
}

/// The outline of a planar shape, by which it meets outlines; a point has none.
std::optional<Outline> outline_of_shape(const Shape& shape) {
  const auto made = [](const OutlineLoop& loop) {
    return std::optional(make_outline(std::span(&loop, 1)));
  };
  return std::visit(
      ShapeCases{[&](const Ball& ball) -> std::optional<Outline> {
                   if (!(ball.radius > 0.0)) return std::nullopt;
                   return made({.kind = LoopKind::circle,
                                .points = {Eigen::Vector2d::Zero()},
                                .radius = ball.radius});
                 },
                 [&](const HalfSpace& half) -> std::optional<Outline> {
                   return made({.kind = LoopKind::line,
                                .points = {half.normal.head<2>()},
                                .offset = half.offset});
                 },
                 [&](const Box& box) -> std::optional<Outline> {
                   const double a = box.half_extents.x(), b = box.half_extents.y();
                   return made({.points = {{-a, -b}, {a, -b}, {a, b}, {-a, b}}});
                 },
                 [](const SmoothShape&) -> std::optional<Outline> { return std::nullopt; },
                 [](const Solid&) -> std::optional<Outline> { return std::nullopt; },
                 [](const Outline& outline) -> std::optional<Outline> { return outline; }},
      shape);
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

/// One shape; `what` opens messages ("body rod").
Shape read_one_shape(Reading& reading, const yaml::Node& node, const std::string& owner) {
  const std::string thing = owner + ": shape";
  const bool is_planar = reading.model.dimension == 2;
  const std::vector<std::string> planar = {"disk",    "half-plane", "line", "box",
                                           "polygon", "polyline",   "point"};
  std::vector<std::string> spatial = {"sphere", "half-space", "box", "hull", "prism"};
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
    reading.fail(
        node, thing + ": one shape is expected here",
        "write shape: {disk: {radius: 0.1}}, or several with names: shapes: {NAME: {...}}");
  const std::string& kind = node.entries[0].key;
  const yaml::Node& size = node.entries[0].value;
  const std::string what = owner + ": " + kind;
  if (kind == "disk" || kind == "sphere") return read_ball(reading, size, what);
  if (kind == "box") return read_box(reading, size, what);
  if (kind == "hull") return read_hull(reading, size, what);
  if (kind == "prism") return read_prism(reading, size, what);
  if (kind == "polygon") return read_outline(reading, size, what, LoopKind::closed);
  if (kind == "polyline") return read_outline(reading, size, what, LoopKind::open);
  if (kind == "point") {
    reading.check_keys(size, what, {});
    return Ball{0.0};
  }
  if (const auto smooth = std::ranges::find(reading.shapes, kind, &SmoothShapeKind::name);
      smooth != reading.shapes.end())
    return read_smooth(reading, *smooth, size, what);
  return read_half_space(reading, size, what);
}

}  // namespace

void read_shape(Reading& reading, Body& body, const yaml::Node& node) {
  body.shape = read_one_shape(reading, node, "body " + body.name);
  if (const Box* box = std::get_if<Box>(&*body.shape))
    add_corners(reading, body, box->half_extents);
  if (const Box* box = std::get_if<Box>(&*body.shape); box && reading.model.dimension == 3)
    body.solid = std::make_shared<const Polyhedron>(polyhedron_of(*box));
  if (const Solid* solid = std::get_if<Solid>(&*body.shape)) {
    body.solid = solid->body;
    for (std::size_t k = 0; k < solid->body->corners.size(); ++k)
      body.points.push_back({fmt::format("corner{}", k + 1), solid->body->corners[k]});
  }
  const bool is_drawn = std::holds_alternative<Outline>(*body.shape);
  if (reading.model.dimension == 2 && !is_drawn) body.outline = outline_of_shape(*body.shape);
}

void read_shapes(Reading& reading, Body& body, const yaml::Node& node) {
  const std::string thing = "body " + body.name + ": shapes";
  if (reading.model.dimension != 2)
    reading.fail(node, thing + ": several shapes on a body exist in dimension 2",
                 "give one shape per body");
  if (node.kind != yaml::Kind::map || node.entries.empty())
    reading.fail(node, thing + ": names with shapes are expected here",
                 "write shapes: {head: {disk: {radius: 0.1}}, rod: {polygon: [...]}}");
  std::vector<const Outline*> parts;
  for (const yaml::Entry& entry : node.entries) {
    yaml::Node at = entry.value;
    at.place = entry.place;
    reading.formulas.check_word(entry.key, thing, at);
    const auto outline = outline_of_shape(
        read_one_shape(reading, entry.value, "body " + body.name + ": " + entry.key));
    if (!outline)
      reading.fail(at, fmt::format("{}: {} is a point", thing, entry.key), "name it under points");
    const int vertices = body.shapes.empty() ? 0
                                             : body.shapes.back().first_vertex +
                                                   body.shapes.back().outline.vertices.size();
    const int edges = body.shapes.empty()
                          ? 0
                          : body.shapes.back().first_edge + body.shapes.back().outline.edges.size();
    body.shapes.push_back({entry.key, *outline, vertices, edges});
  }
  for (const NamedOutline& part : body.shapes) parts.push_back(&part.outline);
  body.shape = joined(parts);
}

}  // namespace clack
