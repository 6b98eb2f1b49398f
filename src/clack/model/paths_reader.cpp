// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/geometry/tolerances.hpp"
#include "clack/input_file.hpp"
#include "clack/model/path_patch.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/model/tolerances.hpp"

// `paths: {NAME: {parameter, point, from, to, in, known_from}}` and `surfaces: {NAME: {parameters, ...}}`.

namespace clack {
namespace {

/// The parameters of a path: names that mean something in `point` only.
void read_parameters(Reading& reading, Path& path, const yaml::Node& node,
                     const std::string& thing) {
  const char* key = path.parameters == 1 ? "parameter" : "parameters";
  const yaml::Node* given = node.find(key);
  if (!given)
    reading.fail(
        node, thing + " has no " + key,
        path.parameters == 1
            ? "write {parameter: s, point: [s, s^2], from: -1, to: 1}"
            : "write {parameters: [a, b], point: [a, b, a*b], from: [-1, -1], to: [1, 1]}");
  std::vector<yaml::Node> names;
  if (path.parameters == 1)
    names.push_back(*given);
  else
    names = reading.list(*given, thing + ": parameters", 2);
  for (int k = 0; k < path.parameters; ++k) {
    path.parameter_names[k] = reading.text(names[k], thing + ": " + key);
    const std::string& name = path.parameter_names[k];
    reading.formulas.check_name(name, thing + ": parameter", names[k]);
    if (k == 1 && name == path.parameter_names[0])
      reading.fail(names[k], thing + ": parameters names " + name + " twice",
                   "choose another name");
    path.symbols[k] = reading.model.graph->symbol("path " + path.name + " " + name);
  }
}

void read_range(Reading& reading, Path& path, const yaml::Node& node, const std::string& thing) {
  const auto bounds = [&](const char* key, std::array<double, 2>& to) {
    const yaml::Node* given = node.find(key);
    if (!given)
      reading.fail(node, fmt::format("{} has no {}", thing, key),
                   "give from and to: the range of its parameter");
    if (path.parameters == 1) {
      to[0] = reading.formulas.number(*given, fmt::format("{}: {}", thing, key));
      return;
    }
    const auto& items = reading.list(*given, fmt::format("{}: {}", thing, key), 2);
    for (int k = 0; k < 2; ++k)
      to[k] = reading.formulas.number(items[k], fmt::format("{}: {}", thing, key));
  };
  bounds("from", path.from);
  bounds("to", path.to);
  for (int k = 0; k < path.parameters; ++k)
    if (!(path.from[k] < path.to[k]))
      reading.fail(*node.find("from"),
                   fmt::format("{}: {} goes from {} to {}", thing, path.parameter_names[k],
                               path.from[k], path.to[k]),
                   "from must be less than to; the path is followed from there");
}

void read_frame(Reading& reading, Path& path, const yaml::Node& node, const std::string& thing) {
  path.position = {reading.zero(), reading.zero(), reading.zero()};
  path.angle = reading.zero();
  const yaml::Node* in = node.find("in");
  if (!in) return;
  const FramePose& pose = frame_named(reading, *in, thing + ": in");
  path.position = pose.position;
  path.angle = pose.angle;
  path.rotation = pose.rotation;
}

/// Where formulas are not finite, or the tangent vanishes, there is no closest point to follow.
void check_tangents(Reading& reading, const Path& path, const yaml::Node& node,
                    const std::string& thing) {
  const Patch patch = patch_of(path);
  const Patch::Weakest weakest = patch.weakest();
  if (weakest.tangent > closest_point_tolerances.tangent && std::isfinite(patch.size())) return;
  std::string at = fmt::format("{} = {:.6g}", path.parameter_names[0], weakest.s[0]);
  if (path.parameters == 2)
    at += fmt::format(", {} = {:.6g}", path.parameter_names[1], weakest.s[1]);
  reading.fail(*node.find("point"),
               fmt::format("{}: its tangent vanishes, or is not finite, at {}", thing, at),
               "choose another parameter there, or a range that leaves it out");
}

void read_path(Reading& reading, const yaml::Entry& entry, int parameters) {
  const std::string thing = (parameters == 1 ? "path " : "surface ") + printable(entry.key, 60);
  const yaml::Node& node = entry.value;
  yaml::Node at = node;
  at.place = entry.place;
  check_label(reading, entry.key, parameters == 1 ? "path" : "surface", at);
  const bool is_taken = reading.bodies.contains(entry.key) ||
                        std::ranges::any_of(reading.model.paths, [&](const Path& path) {
                          return path.name == entry.key;
                        });
  if (is_taken) reading.fail(at, thing + ": this name is taken", "choose another name");
  reading.check_keys(
      node, thing,
      {parameters == 1 ? "parameter" : "parameters", "point", "from", "to", "in", "known_from"});
  Path path;
  path.name = entry.key;
  path.parameters = parameters;
  path.line = entry.place.line;
  path.column = entry.place.column;
  read_parameters(reading, path, node, thing);
  read_range(reading, path, node, thing);
  const yaml::Node* point = node.find("point");
  if (!point)
    reading.fail(node, thing + " has no point", "give its points as formulas of the parameter");
  std::vector<std::pair<std::string, Expression>> own;
  for (int k = 0; k < parameters; ++k) own.emplace_back(path.parameter_names[k], path.symbols[k]);
  path.point = {reading.zero(), reading.zero(), reading.zero()};
  const auto& items = reading.list(*point, thing + ": point", reading.model.dimension);
  for (int k = 0; k < reading.model.dimension; ++k)
    path.point[k] = reading.formulas.formula_of(items[k], thing + ": point", own);
  read_frame(reading, path, node, thing);
  if (const yaml::Node* known = node.find("known_from"))
    path.known_from = reading.formulas.not_negative(*known, thing + ": known_from");
  check_tangents(reading, path, node, thing);
  reading.model.paths.push_back(std::move(path));
}

}  // namespace

void read_paths(Reading& reading, const yaml::Node& paths, int parameters) {
  const std::string section = parameters == 1 ? "paths" : "surfaces";
  if (paths.kind != yaml::Kind::map)
    reading.fail(paths, section + ": a map of names and curves is expected here",
                 "write paths: {bowl: {parameter: s, point: [s, s^2], from: -1, to: 1}}");
  if (parameters == 2 && reading.model.dimension == 2)
    reading.fail(paths, "surfaces exist in dimension 3", "write paths, or dimension: 3");
  for (const yaml::Entry& entry : paths.entries) read_path(reading, entry, parameters);
}

void draw_paths(Reading& reading) {
  Model& model = reading.model;
  for (const Path& path : model.paths) {
    const Patch patch = patch_of(path);
    const int lines = path.parameters == 1 ? 1 : 2 * reader_tolerances.surface_lines;
    for (int line = 0; line < lines; ++line) {
      Sketch sketch;
      sketch.name = lines == 1 ? path.name : fmt::format("{}.{}", path.name, line + 1);
      sketch.kind = Sketch::Kind::line;
      sketch.place = {path.line, path.column};
      const int along = line % 2;
      for (int i = 0; i <= reader_tolerances.path_segments; ++i) {
        std::array<double, 2> s = path.from;
        s[along] += patch.range(along) * i / reader_tolerances.path_segments;
        if (path.parameters == 2)
          s[1 - along] +=
              patch.range(1 - along) * (line / 2) / (reader_tolerances.surface_lines - 1);
        sketch.points.push_back(patch.point(s.data()).at);
      }
      sketch.position = path.position;
      sketch.angle = path.angle;
      if (model.dimension == 3) sketch.rotation = rotation_matrix(*model.graph, path.rotation);
      model.sketches.push_back(std::move(sketch));
    }
  }
}

}  // namespace clack
