// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

const std::vector<std::string> sketch_kinds = {"disk", "polygon", "line", "spring",
                                               "rod",  "sphere",  "box",  "contact"};

void read_sketch_points(Reading& reading, Sketch& sketch, const yaml::Node& node,
                        const std::string& what, int fewest) {
  const auto& items = reading.list(node, what);
  if (number_of(items) < fewest)
    reading.fail(node, fmt::format("{} has {} points", what, items.size()),
                 fmt::format("give at least {}, as in [[0, 0], [1, 0], [1, 1]]", fewest));
  for (const yaml::Node& item : items) sketch.points.push_back(reading.vector(item, what));
}

/// World places by formulas: two ends of a spring, two or more joints of a rod.
void read_sketch_ends(Reading& reading, Sketch& sketch, const yaml::Node& node,
                      const yaml::Node& given, const std::string& what) {
  for (const char* key : {"position", "angle", "rotation", "orientation"})
    if (const yaml::Node* extra = node.find(key))
      reading.fail(*extra, fmt::format("{} has no {}", what, key), "write its ends as formulas");
  const auto& ends = reading.list(given, what, sketch.kind == Sketch::Kind::spring ? 2 : -1);
  if (ends.size() < 2)
    reading.fail(given, fmt::format("{} has {} ends", what, ends.size()), "give two or more");
  for (const yaml::Node& end : ends)
    sketch.ends.push_back(reading.vector_formula(end, what, allow_position));
}

double read_sketch_radius(Reading& reading, const yaml::Node& given, const std::string& what) {
  reading.check_keys(given, what, {"radius"});
  const yaml::Node* radius = given.find("radius");
  if (!radius) reading.fail(given, what + " needs a radius", "give radius: ... in m");
  return reading.formulas.not_negative(*radius, what + ": radius");
}

Eigen::Vector3d read_sketch_box(Reading& reading, const yaml::Node& given,
                                const std::string& what) {
  const std::vector<std::string> keys = {"width", "height", "depth"};
  reading.check_keys(given, what, keys);
  Eigen::Vector3d half;
  for (int k = 0; k < 3; ++k) {
    const yaml::Node* edge = given.find(keys[k]);
    if (!edge) reading.fail(given, what + " needs " + keys[k], "give width, height and depth in m");
    half[k] = 0.5 * reading.formulas.not_negative(*edge, what + ": " + keys[k]);
  }
  return half;
}

/// Where the frame of a sketch is, and how it is turned.
void read_sketch_pose(Reading& reading, Sketch& sketch, const yaml::Node& node,
                      const std::string& thing) {
  sketch.position = {reading.zero(), reading.zero(), reading.zero()};
  sketch.angle = reading.zero();
  if (const yaml::Node* position = node.find("position"))
    sketch.position = reading.vector_formula(*position, thing + ": position", allow_position);
  if (const yaml::Node* angle = node.find("angle"))
    sketch.angle = reading.formulas.formula(*angle, thing + ": angle", allow_position);
  if (reading.model.dimension == 3)
    sketch.rotation =
        rotation_matrix(*reading.model.graph, read_rotation(reading, node, thing, allow_position));
}

/// Where a contact that is given by formulas acts: place and normal (of length 1) into the first body; in the plane the
/// tangent along which its slip counts, by default the normal turned by -90 degrees.
void read_sketch_contact(Reading& reading, Sketch& sketch, const yaml::Node& node,
                         const yaml::Node& given, const std::string& what) {
  sketch.contact = reading.text(given, what);
  const int contact = reading.index(given, what, "contact", reading.contacts);
  if (reading.model.contacts[SourceIndex(contact)].between())
    reading.fail(given, what + ": this contact is drawn where its bodies touch",
                 "name one that is given by a gap formula");
  const yaml::Node *position = node.find("position"), *normal = node.find("normal"),
                   *tangent = node.find("tangent");
  if (!position || !normal)
    reading.fail(node, what + " needs position and normal",
                 "write {contact: NAME, position: [x, y], normal: [0, 1]}");
  sketch.ends.push_back(reading.vector_formula(*position, what + ": position", allow_position));
  sketch.ends.push_back(reading.vector_formula(*normal, what + ": normal", allow_position));
  if (reading.model.dimension == 3) return;
  const auto [x, y, z] = sketch.ends.back();
  sketch.ends.push_back(tangent
                            ? reading.vector_formula(*tangent, what + ": tangent", allow_position)
                            : std::array{y, -x, z});
}

void read_sketch(Reading& reading, Sketch& sketch, const yaml::Node& node,
                 const std::string& thing) {
  const bool is_planar = reading.model.dimension == 2;
  std::vector<std::string> keys = sketch_kinds;
  keys.push_back("position");
  if (is_planar)
    keys.push_back("angle");
  else
    keys.insert(keys.end(), {"rotation", "orientation"});
  if (node.find("contact"))
    keys = is_planar ? std::vector<std::string>{"contact", "position", "normal", "tangent"}
                     : std::vector<std::string>{"contact", "position", "normal"};
  reading.check_keys(node, thing, keys);
  const yaml::Node* given = nullptr;
  std::string kind;
  for (const std::string& name : sketch_kinds) {
    const yaml::Node* found = node.find(name);
    if (!found) continue;
    if (given) reading.fail(*found, thing + " is two things", "give " + kind + " or " + name);
    given = found;
    kind = name;
  }
  if (!given)
    reading.fail(node, thing + " is nothing",
                 is_planar ? "give a disk, a polygon, a line, a spring or a rod"
                           : "give a sphere, a box, a disk, a polygon, a line, a spring or a rod");
  const std::string what = thing + ": " + kind;
  if (is_planar && (kind == "sphere" || kind == "box"))
    reading.fail(*given, what + " has no meaning in dimension 2", "give a disk or a polygon");
  using Kind = Sketch::Kind;
  if (kind == "contact") {
    sketch.kind = Kind::contact;
    return read_sketch_contact(reading, sketch, node, *given, what);
  }
  if (kind == "disk" || kind == "sphere") {
    sketch.kind = kind == "disk" ? Kind::disk : Kind::sphere;
    sketch.radius = read_sketch_radius(reading, *given, what);
  } else if (kind == "box") {
    sketch.kind = Kind::box;
    sketch.half_extents = read_sketch_box(reading, *given, what);
  } else if (kind == "spring" || kind == "rod") {
    sketch.kind = kind == "spring" ? Kind::spring : Kind::rod;
    read_sketch_ends(reading, sketch, node, *given, what);
  } else {
    sketch.kind = kind == "polygon" ? Kind::polygon : Kind::line;
    read_sketch_points(reading, sketch, *given, what, kind == "polygon" ? 3 : 2);
  }
  read_sketch_pose(reading, sketch, node, thing);
}

}  // namespace

void read_draw(Reading& reading, const yaml::Node& draw) {
  if (draw.kind != yaml::Kind::map)
    reading.fail(draw, "draw: names with shapes are expected here",
                 "write draw: {bob: {disk: {radius: 0.1}, position: [x, y]}}");
  for (const auto& entry : draw.entries) {
    Sketch sketch;
    sketch.name = entry.key;
    sketch.place = entry.value.place;
    const std::string thing = "draw " + entry.key;
    reading.formulas.check_word(entry.key, thing, entry.value, true);
    read_sketch(reading, sketch, entry.value, thing);
    reading.model.sketches.push_back(std::move(sketch));
  }
}

}  // namespace clack
