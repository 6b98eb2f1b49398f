// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

const std::vector<std::string> sketch_kinds = {"disk", "polygon", "line", "spring", "rod"};

void read_sketch_points(Reading& reading, Sketch& sketch, const yaml::Node& node,
                        const std::string& what, int fewest) {
  const auto& items = reading.list(node, what);
  if (number_of(items) < fewest)
    reading.fail(node, fmt::format("{} has {} points", what, items.size()),
                 fmt::format("give at least {}, as in [[0, 0], [1, 0], [1, 1]]", fewest));
  for (const yaml::Node& item : items)
    sketch.points.push_back(reading.vector(item, what).head<2>());
}

/// World places by formulas: two ends of a spring, two or more joints of a rod.
void read_sketch_ends(Reading& reading, Sketch& sketch, const yaml::Node& node,
                      const yaml::Node& given, const std::string& what) {
  for (const char* key : {"position", "angle"})
    if (const yaml::Node* extra = node.find(key))
      reading.fail(*extra, fmt::format("{} has no {}", what, key), "write its ends as formulas");
  const auto& ends = reading.list(given, what, sketch.kind == Sketch::Kind::spring ? 2 : -1);
  if (ends.size() < 2)
    reading.fail(given, fmt::format("{} has {} ends", what, ends.size()), "give two or more");
  for (const yaml::Node& end : ends) {
    const auto place = reading.vector_formula(end, what, allow_position);
    sketch.ends.push_back({place[0], place[1]});
  }
}

void read_sketch(Reading& reading, Sketch& sketch, const yaml::Node& node,
                 const std::string& thing) {
  std::vector<std::string> keys = sketch_kinds;
  keys.insert(keys.end(), {"position", "angle"});
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
    reading.fail(node, thing + " is nothing", "give a disk, a polygon, a line, a spring or a rod");
  const std::string what = thing + ": " + kind;
  if (kind == "disk") {
    sketch.kind = Sketch::Kind::disk;
    reading.check_keys(*given, what, {"radius"});
    const yaml::Node* radius = given->find("radius");
    if (!radius) reading.fail(*given, what + " needs a radius", "give radius: ... in m");
    sketch.radius = reading.formulas.not_negative(*radius, what + ": radius");
  } else if (kind == "spring" || kind == "rod") {
    sketch.kind = kind == "spring" ? Sketch::Kind::spring : Sketch::Kind::rod;
    read_sketch_ends(reading, sketch, node, *given, what);
  } else {
    sketch.kind = kind == "polygon" ? Sketch::Kind::polygon : Sketch::Kind::line;
    read_sketch_points(reading, sketch, *given, what, kind == "polygon" ? 3 : 2);
  }
  sketch.position = {reading.zero(), reading.zero()};
  sketch.angle = reading.zero();
  if (const yaml::Node* position = node.find("position")) {
    const auto place = reading.vector_formula(*position, thing + ": position", allow_position);
    sketch.position = {place[0], place[1]};
  }
  if (const yaml::Node* angle = node.find("angle"))
    sketch.angle = reading.formulas.formula(*angle, thing + ": angle", allow_position);
}

}  // namespace

void read_draw(Reading& reading, const yaml::Node& draw) {
  if (reading.model.dimension == 3)
    reading.fail(draw, "draw: pictures are planar",
                 "leave the section out");
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
