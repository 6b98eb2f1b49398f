// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;

constexpr long most_vertices = 200'000;
constexpr std::uintmax_t largest_part_file = std::uintmax_t{16} << 20;  // bytes

/// Points of an outline and where each of them stands, for messages.
struct DrawnPoints {
  std::vector<Vector2d> points;
  std::vector<const yaml::Node*> nodes;  // empty: they stand in no list of the model
};

DrawnPoints read_vertices(Reading& reading, const yaml::Node& node, const std::string& what) {
  DrawnPoints drawn;
  for (const yaml::Node& item : reading.list(node, what)) {
    const std::string vertex = fmt::format("{}: vertex {}", what, drawn.points.size());
    drawn.points.push_back(reading.vector(item, vertex).head<2>());
    drawn.nodes.push_back(&item);
  }
  return drawn;
}

/// curve: {count: n, as: i, points: [[x, y], ...]}, formulas of i = 0 ... n-1.
DrawnPoints read_curve(Reading& reading, const yaml::Node& node, const std::string& what) {
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
  DrawnPoints drawn;
  for (long i = 0; i < count; ++i) {
    symbolic::Names names;
    names.known_names.push_back(index);
    for (const Parameter& p : reading.model.parameters) names.known_names.push_back(p.name);
    names.resolve = [&](std::string_view name) -> Expression {
      if (name == index) return reading.formulas.graph().number(static_cast<double>(i));
      const auto value = reading.formulas.parameter(std::string(name));
      return value ? reading.formulas.graph().number(*value) : Expression{};
    };
    for (const yaml::Node& point : points) {
      const auto& items = reading.list(point, what + ": points", 2);
      const std::string vertex = fmt::format("{}: vertex {}", what, drawn.points.size());
      drawn.points.emplace_back(reading.formulas.evaluate(items[0], vertex, names),
                                reading.formulas.evaluate(items[1], vertex, names));
    }
  }
  return drawn;
}

/// A number at the beginning of a text, which is taken from it; separators and blanks go first.
std::optional<double> take_number(std::string_view& text) {
  while (!text.empty() && std::string_view(" \t,;").find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// Two numbers per line, separated by a comma, a semicolon or blanks; empty lines and those that begin with # are
/// passed over, and the first line may be a title.
std::vector<Vector2d> read_csv(const std::string& text, const std::string& path, double unit) {
  std::vector<Vector2d> points;
  std::string_view rest = text;
  bool may_be_title = true;
  for (int line_number = 1; !rest.empty(); ++line_number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    std::string_view numbers = line;
    const auto x = take_number(numbers), y = take_number(numbers);
    const bool is_title = may_be_title && !x;
    may_be_title = false;
    if (is_title) continue;
    if (!x || !y || !numbers.empty())
      throw ModelError(fmt::format("line \"{}\" is no point", printable(line, 40)),
                       fmt::format("{}:{}:1", path, line_number), "write x, y on every line");
    points.emplace_back(unit * *x, unit * *y);
    if (static_cast<long>(points.size()) > most_vertices)
      throw ModelError(fmt::format("more than {} vertices", most_vertices), path, "draw fewer");
  }
  return points;
}

DrawnPoints read_part_file(Reading& reading, const yaml::Node& polygon, const yaml::Node& node,
                           const std::string& what) {
  const std::string name = reading.text(node, what + ": file");
  const std::filesystem::path path = std::filesystem::path(reading.file()).parent_path() / name;
  if (path.extension() != ".csv")
    reading.fail(node, fmt::format("{}: file {} is no .csv file", what, printable(name, 60)),
                 "give a file of lines x, y with the ending .csv");
  double unit = 1.0;
  if (const yaml::Node* given = polygon.find("unit")) {
    const std::string& chosen = reading.choice(*given, what + ": unit", {"m", "mm", "inch"});
    unit = chosen == "mm" ? 1e-3 : chosen == "inch" ? 0.0254 : 1.0;
  }
  std::error_code problem;
  if (std::filesystem::is_regular_file(path, problem) &&
      std::filesystem::file_size(path, problem) > largest_part_file)
    reading.fail(node, fmt::format("{}: file {} is larger than 16 MB", what, printable(name, 60)),
                 "draw fewer vertices");
  std::string text;
  try {
    text = read_input_file(path.string());
  } catch (const InputError& e) {
    reading.fail(node, fmt::format("{}: file {}: {}", what, printable(name, 60), e.what()),
                 e.remedy());
  }
  if (text.find('\0') != std::string::npos)
    reading.fail(node, fmt::format("{}: file {} is no text", what, printable(name, 60)),
                 "give a file of lines x, y");
  DrawnPoints drawn{read_csv(text, path.string(), unit), {}};
  if (drawn.points.empty())
    reading.fail(node, fmt::format("{}: file {} has no points", what, printable(name, 60)),
                 "write x, y on every line");
  return drawn;
}

/// vertices, curve or file: one of them.
DrawnPoints read_long_form(Reading& reading, const yaml::Node& node, const std::string& what) {
  reading.check_keys(node, what, {"vertices", "curve", "file", "unit", "orient"});
  const yaml::Node *vertices = node.find("vertices"), *curve = node.find("curve"),
                   *file = node.find("file");
  if ((vertices != nullptr) + (curve != nullptr) + (file != nullptr) != 1)
    reading.fail(node, what + " needs one of vertices, curve and file",
                 "write polygon: {vertices: [[0, 0], [1, 0], [0, 1]]}");
  if (const yaml::Node* unit = node.find("unit"); unit && !file)
    reading.fail(*unit, what + ": unit belongs to file", "write lengths in m");
  if (vertices) return read_vertices(reading, *vertices, what);
  if (curve) return read_curve(reading, *curve, what + ": curve");
  return read_part_file(reading, node, *file, what);
}

}  // namespace

Outline read_outline(Reading& reading, const yaml::Node& node, const std::string& what) {
  const bool is_long = node.kind == yaml::Kind::map;
  DrawnPoints drawn =
      is_long ? read_long_form(reading, node, what) : read_vertices(reading, node, what);
  const yaml::Node* orient = is_long ? node.find("orient") : nullptr;
  const bool may_turn = orient ? reading.boolean(*orient, what + ": orient")
                               : is_long && node.find("file") != nullptr;
  std::optional<OutlineFault> fault = outline_fault(drawn.points);
  if (fault && fault->is_clockwise && may_turn) {
    std::reverse(drawn.points.begin(), drawn.points.end());
    fault.reset();
  }
  if (fault) {
    const bool has_place =
        fault->vertex >= 0 && fault->vertex < static_cast<int>(drawn.nodes.size());
    reading.fail(has_place ? *drawn.nodes[fault->vertex] : node, what + ": " + fault->what,
                 fault->remedy);
  }
  return make_outline(drawn.points);
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
  if (!outline)
    reading.fail(asks, thing + ": only a polygon gives its body a mass centre and an inertia",
                 "give shape: {polygon: ...}, or mass and inertia as numbers");
  if (density && (mass || inertia))
    reading.fail(asks, thing + ": density gives mass and inertia, which are given too",
                 "keep density, or mass with inertia: shape");
  if (!density && !mass) reading.fail(asks, thing + ": inertia without mass", "give mass: ...");
  const AreaMoments moments = area_moments(*outline);
  body.mass = density ? reading.formulas.positive(*density, thing + ": density") * moments.area
                      : reading.formulas.positive(*mass, thing + ": mass");
  body.inertia(2, 2) = body.mass / moments.area * moments.second_moment;
}

/// The frame of the drawing becomes the parallel one at the mass centre.
void move_to_mass_centre(Body& body) {
  const Outline& drawn = std::get<Outline>(*body.shape);
  const Eigen::Vector2d centre = area_moments(drawn).centroid;
  std::vector<Eigen::Vector2d> points;
  for (const OutlineVertex& vertex : drawn.vertices) points.push_back(vertex.point - centre);
  body.shape = make_outline(points);
  for (BodyPoint& point : body.points) point.position.head<2>() -= centre;
}

}  // namespace clack
