// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "clack/error.hpp"
#include "clack/geometry/outline_offset.hpp"
#include "clack/geometry/polyhedron.hpp"
#include "clack/input_file.hpp"
#include "clack/model/part_files.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

constexpr long most_vertices = most_part_vertices;
constexpr std::uintmax_t largest_part_file = std::uintmax_t{16} << 20;  // bytes

/// Loops of an outline and where each vertex stands, for messages.
struct DrawnLoops {
  std::vector<OutlineLoop> loops;
  std::vector<std::vector<const yaml::Node*>> nodes;  // empty: they stand in no list of the model
};

/// [x, y] or [x, y, bulge].
void read_vertex(Reading& reading, const yaml::Node& item, const std::string& what,
                 const symbolic::Names* names, OutlineLoop& loop) {
  const auto& numbers = reading.list(item, what);
  if (numbers.size() != 2 && numbers.size() != 3)
    reading.fail(item, fmt::format("{} has {} entries", what, numbers.size()),
                 "write [x, y], or [x, y, bulge] where an arc begins");
  const auto value = [&](std::size_t k) {
    return names ? reading.formulas.evaluate(numbers[k], what, *names)
                 : reading.formulas.number(numbers[k], what);
  };
  loop.points.emplace_back(value(0), value(1));
  loop.bulges.push_back(numbers.size() == 3 ? value(2) : 0.0);
}

void read_vertices(Reading& reading, const yaml::Node& node, const std::string& what, LoopKind kind,
                   DrawnLoops& drawn) {
  OutlineLoop loop{.kind = kind, .points = {}};
  std::vector<const yaml::Node*> nodes;
  for (const yaml::Node& item : reading.list(node, what)) {
    read_vertex(reading, item, fmt::format("{}: vertex {}", what, loop.points.size()), nullptr,
                loop);
    nodes.push_back(&item);
  }
  drawn.loops.push_back(std::move(loop));
  drawn.nodes.push_back(std::move(nodes));
}

/// curve: {count: n, as: i, points: [[x, y], ...]}, formulas of i = 0 ... n-1.
void read_curve(Reading& reading, const yaml::Node& node, const std::string& what, LoopKind kind,
                DrawnLoops& drawn) {
  reading.check_keys(node, what, {"count", "as", "points"});
  for (const char* key : {"count", "as", "points"})
    if (!node.find(key))
      reading.fail(node, fmt::format("{} needs {}", what, key),
                   "write curve: {count: n, as: i, points: [[cos(2*pi*i/n), sin(2*pi*i/n)]]}");
  const long count =
      reading.formulas.integer(*node.find("count"), what + ": count", 1, most_vertices);
  const std::string index = reading.text(*node.find("as"), what + ": as");
  reading.formulas.check_word(index, what + ": as", *node.find("as"));
  const auto& points = reading.list(*node.find("points"), what + ": points");
  if (static_cast<long>(points.size()) * count > most_vertices)
    reading.fail(node, fmt::format("{} makes more than {} vertices", what, most_vertices),
                 "draw fewer");
  OutlineLoop loop{.kind = kind, .points = {}};
  for (long i = 0; i < count; ++i) {
    symbolic::Names names;
    names.known_names.push_back(index);
    for (const Parameter& p : reading.model.parameters) names.known_names.push_back(p.name);
    names.resolve = [&](std::string_view name) -> Expression {
      if (name == index) return reading.formulas.graph().number(static_cast<double>(i));
      const auto value = reading.formulas.parameter(std::string(name));
      return value ? reading.formulas.graph().number(*value) : Expression{};
    };
    for (const yaml::Node& point : points)
      read_vertex(reading, point, fmt::format("{}: vertex {}", what, loop.points.size()), &names,
                  loop);
  }
  drawn.loops.push_back(std::move(loop));
  drawn.nodes.emplace_back();
}

/// The text of a drawing beside the model file.
std::string part_text(Reading& reading, const yaml::Node& node, const std::filesystem::path& path,
                      const std::string& what) {
  const std::string file = fmt::format("{}: file {}", what, printable(node.text, 60));
  std::error_code problem;
  if (std::filesystem::is_regular_file(path, problem) &&
      std::filesystem::file_size(path, problem) > largest_part_file)
    reading.fail(node, file + " is larger than 16 MB", "draw fewer vertices");
  std::string text;
  try {
    text = read_input_file(path.string());
  } catch (const InputError& e) {
    reading.fail(node, fmt::format("{}: {}", file, e.what()), e.remedy());
  }
  if (text.empty()) reading.fail(node, file + " is empty", "draw the part in it");
  if (text.find('\0') != std::string::npos || text.starts_with("AutoCAD Binary DXF"))
    reading.fail(node, file + " is no text", "save it as text: CSV, SVG or ASCII DXF");
  return text;
}

void read_part_file(Reading& reading, const yaml::Node& polygon, const yaml::Node& node,
                    const std::string& what, LoopKind kind, DrawnLoops& drawn) {
  const std::string name = reading.text(node, what + ": file");
  const std::filesystem::path path = std::filesystem::path(reading.file()).parent_path() / name;
  const std::string ending = path.extension().string();
  if (ending != ".csv" && ending != ".svg" && ending != ".dxf")
    reading.fail(
        node, fmt::format("{}: file {} is no .csv, .svg or .dxf file", what, printable(name, 60)),
        "give a file of lines x, y with the ending .csv, or a drawing .svg or .dxf");
  PartFileChoice choice;
  if (const yaml::Node* given = polygon.find("unit")) {
    const std::string& chosen = reading.choice(*given, what + ": unit", {"m", "mm", "inch"});
    choice.unit = chosen == "mm" ? 1e-3 : chosen == "inch" ? 0.0254 : 1.0;
  }
  const auto belongs = [&](const char* key, std::string_view owner) {
    const yaml::Node* given = polygon.find(key);
    if (given && owner.find(ending) == std::string_view::npos)
      reading.fail(*given, fmt::format("{}: {} belongs to {} files", what, key, owner),
                   "remove it");
    return given;
  };
  if (const yaml::Node* layer = belongs("layer", ".dxf"))
    choice.layer = reading.text(*layer, what + ": layer");
  if (const yaml::Node* id = belongs("id", ".svg")) choice.id = reading.text(*id, what + ": id");
  if (const yaml::Node* flatten = belongs("flatten", ".svg and .dxf"))
    choice.flatten = reading.formulas.positive(*flatten, what + ": flatten");
  const std::string text = part_text(reading, node, path, what);
  const auto read = ending == ".csv"   ? read_csv_part
                    : ending == ".svg" ? read_svg_part
                                       : read_dxf_part;
  std::vector<OutlineLoop> loops = read(text, path.string(), choice);
  const bool is_drawing = ending != ".csv";
  if (is_drawing && kind == LoopKind::open)
    reading.fail(node, what + ": a polyline is no closed loop of a drawing",
                 "give a .csv file, or write polygon");
  if (is_drawing) loops = sorted_loops(std::move(loops), path.string());
  for (OutlineLoop& loop : loops) {
    if (kind == LoopKind::open) loop.kind = kind;
    drawn.loops.push_back(std::move(loop));
    drawn.nodes.emplace_back();
  }
}

/// vertices, curve or file: one of them; holes.
void read_long_form(Reading& reading, const yaml::Node& node, const std::string& what,
                    LoopKind kind, DrawnLoops& drawn) {
  std::vector<std::string> keys = {"vertices", "curve", "file",    "unit",
                                   "layer",    "id",    "flatten", "offset"};
  if (kind == LoopKind::closed) keys.insert(keys.end(), {"holes", "orient"});
  reading.check_keys(node, what, keys);
  const yaml::Node *vertices = node.find("vertices"), *curve = node.find("curve"),
                   *file = node.find("file");
  if ((vertices != nullptr) + (curve != nullptr) + (file != nullptr) != 1)
    reading.fail(node, what + " needs one of vertices, curve and file",
                 "write polygon: {vertices: [[0, 0], [1, 0], [0, 1]]}");
  for (const char* key : {"unit", "layer", "id", "flatten"})
    if (const yaml::Node* given = node.find(key); given && !file)
      reading.fail(*given, fmt::format("{}: {} belongs to file", what, key), "write lengths in m");
  if (vertices) read_vertices(reading, *vertices, what, kind, drawn);
  if (curve) read_curve(reading, *curve, what + ": curve", kind, drawn);
  if (file) read_part_file(reading, node, *file, what, kind, drawn);
  if (const yaml::Node* holes = node.find("holes"))
    for (const yaml::Node& hole : reading.list(*holes, what + ": holes"))
      read_vertices(reading, hole, fmt::format("{}: hole {}", what, drawn.loops.size() - 1),
                    LoopKind::closed, drawn);
}

[[noreturn]] void refuse(Reading& reading, const yaml::Node& node, const DrawnLoops& drawn,
                         const std::string& what, const OutlineFault& fault) {
  const yaml::Node* at = &node;
  int vertex = fault.vertex;
  for (std::size_t k = fault.loop; k < drawn.nodes.size() && vertex >= 0; ++k) {
    const int count = number_of(drawn.nodes[k]);  // edges of later loops count on
    if (vertex < count) at = drawn.nodes[k][vertex];
    vertex = vertex < count ? -1 : vertex - number_of(drawn.loops[k].points);
  }
  reading.fail(*at, what + ": " + fault.what, fault.remedy);
}

}  // namespace

Outline read_outline(Reading& reading, const yaml::Node& node, const std::string& what,
                     LoopKind kind) {
  const bool is_long = node.kind == yaml::Kind::map;
  DrawnLoops drawn;
  if (is_long)
    read_long_form(reading, node, what, kind, drawn);
  else
    read_vertices(reading, node, what, kind, drawn);
  const yaml::Node *orient = is_long ? node.find("orient") : nullptr,
                   *offset = is_long ? node.find("offset") : nullptr;
  const bool may_turn = orient ? reading.boolean(*orient, what + ": orient")
                               : is_long && node.find("file") != nullptr;
  std::optional<OutlineFault> fault = outline_fault(drawn.loops);
  for (std::size_t k = 0; k < drawn.loops.size() && fault && fault->is_clockwise && may_turn; ++k) {
    drawn.loops[fault->loop] = reversed(drawn.loops[fault->loop]);
    std::reverse(drawn.nodes[fault->loop].begin(), drawn.nodes[fault->loop].end());
    fault = outline_fault(drawn.loops);
  }
  if (fault) refuse(reading, node, drawn, what, *fault);
  if (!offset) return make_outline(drawn.loops);
  const OffsetLoops moved =
      offset_loops(drawn.loops, reading.formulas.number(*offset, what + ": offset"));
  if (moved.fault) refuse(reading, *offset, drawn, what, *moved.fault);
  if (auto collision = outline_fault(moved.loops))
    reading.fail(*offset, fmt::format("{}: with its offset {}", what, collision->what),
                 "take a smaller offset");
  return make_outline(moved.loops);
}

/// Mass and inertia from the outline: by `density`, or by `mass` with `inertia: shape`.
bool takes_mass_from_shape(const yaml::Node& node) {
  const yaml::Node* inertia = node.find("inertia");
  return node.find("density") || (inertia && inertia->text == "shape");
}

void read_mass_from_shape(Reading& reading, Body& body, const yaml::Node& node,
                          const std::string& thing) {
  const yaml::Node *density = node.find("density"), *mass = node.find("mass"),
                   *inertia = node.find("inertia");
  const yaml::Node& asks = density ? *density : *inertia;
  const Outline* outline = body.shape ? std::get_if<Outline>(&*body.shape) : nullptr;
  if (!outline && !body.solid)
    reading.fail(asks, thing + ": only a polygon gives its body a mass centre and an inertia",
                 "give shape: {polygon: ...}, in space a box, hull or prism, or mass and inertia "
                 "as numbers");
  const AreaMoments moments = outline ? area_moments(*outline) : AreaMoments{};
  if (outline && (!(moments.area > 0.0) || !outline->is_bounded))
    reading.fail(asks, thing + ": its shapes enclose no area",
                 "give mass and inertia as numbers: polylines and half-planes have none");
  if (density && (mass || inertia))
    reading.fail(asks, thing + ": density gives mass and inertia, which are given too",
                 "keep density, or mass with inertia: shape");
  if (!density && !mass) reading.fail(asks, thing + ": inertia without mass", "give mass: ...");
  const double per_size = density ? reading.formulas.positive(*density, thing + ": density") : 0.0;
  const double given = density ? 0.0 : reading.formulas.positive(*mass, thing + ": mass");
  if (!outline)
    return take_mass_of_solid(body,
                              density ? per_size * volume_moments(*body.solid).volume : given);
  body.mass = density ? per_size * moments.area : given;
  body.inertia(2, 2) = body.mass / moments.area * moments.second_moment;
}

/// The frame of the drawing becomes the parallel one at the mass centre.
void move_to_mass_centre(Body& body) {
  if (body.solid) {
    if (!std::holds_alternative<Solid>(*body.shape)) return;  // a box has it in its middle
    const Eigen::Vector3d centre = volume_moments(*body.solid).centroid;
    for (BodyPoint& point : body.points) point.position -= centre;
    body.solid = std::make_shared<const Polyhedron>(moved(*body.solid, -centre));
    body.shape = Solid{body.solid};
    return;
  }
  const Outline& drawn = std::get<Outline>(*body.shape);
  const Eigen::Vector2d centre = area_moments(drawn).centroid;
  for (NamedOutline& part : body.shapes) part.outline = moved(part.outline, -centre);
  body.shape = moved(drawn, -centre);
  for (BodyPoint& point : body.points) point.position.head<2>() -= centre;
}

}  // namespace clack
