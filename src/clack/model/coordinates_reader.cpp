#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {

void read_coordinates(Reading& reading, const yaml::Node* coordinates, const yaml::Node* speeds) {
  Model& model = reading.model;
  std::vector<const yaml::Node*> starts, rates;
  if (coordinates) {
    if (coordinates->kind != yaml::Kind::map)
      reading.fail(*coordinates, "coordinates: a map of names and start values is expected here",
                   "write coordinates: {q1: 0, q2: 0.5}");
    for (const yaml::Entry& entry : coordinates->entries) {
      yaml::Node at = entry.value;
      at.place = entry.place;
      reading.formulas.check_name(entry.key, "coordinate", at, true);
      const yaml::Node* start = &entry.value;
      const yaml::Node* rate = nullptr;
      std::string speed_name = entry.key + "_dot";
      if (entry.value.kind == yaml::Kind::map) {
        reading.check_keys(entry.value, "coordinate " + entry.key, {"start", "rate", "speed"});
        start = entry.value.find("start");
        rate = entry.value.find("rate");
        if (const yaml::Node* name = entry.value.find("speed"))
          speed_name = reading.text(*name, "coordinate " + entry.key + ": speed");
      }
      const Expression symbol = model.graph->symbol(entry.key);
      reading.coordinates[entry.key] = static_cast<int>(model.coordinates.size());
      model.coordinates.push_back({entry.key, symbol, 0.0});
      reading.formulas.add_symbol(entry.key, symbol, allow_coordinates);
      reading.formulas.check_name(speed_name, "speed", at, true);
      const Expression speed = model.graph->symbol(speed_name);
      reading.speeds[speed_name] = static_cast<int>(model.speeds.size());
      model.speeds.push_back({speed_name, speed, 0.0});
      reading.formulas.add_symbol(speed_name, speed, allow_speeds);
      starts.push_back(start);
      rates.push_back(rate);
    }
  }
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::string thing = "coordinate " + model.coordinates[k].name;
    if (starts[k] && starts[k]->kind != yaml::Kind::null)
      model.coordinates[k].start = reading.formulas.number(*starts[k], thing + ": start");
    if (rates[k]) model.speeds[k].start = reading.formulas.number(*rates[k], thing + ": rate");
  }
  if (!speeds) return;
  if (speeds->kind != yaml::Kind::map)
    reading.fail(*speeds, "speeds: a map of names and start values is expected here",
                 "write speeds: {q1_dot: 0.5}");
  for (const yaml::Entry& entry : speeds->entries) {
    yaml::Node name = yaml::text_node(entry.key);
    name.place = entry.place;
    const bool is_coordinate = reading.coordinates.contains(entry.key);
    std::vector<std::string> names;
    for (const Speed& speed : model.speeds) names.push_back(speed.name);
    const int index = is_coordinate ? reading.coordinates[entry.key]
                                    : reading.index(name, "speeds", "speed", reading.speeds, names);
    model.speeds[static_cast<std::size_t>(index)].start =
        reading.formulas.number(entry.value, "speed " + entry.key + ": start");
  }
}

void read_starts(Reading& reading, const yaml::Node& starts) {
  Model& model = reading.model;
  if (starts.kind != yaml::Kind::map)
    reading.fail(starts, "starts: a map of names and start values is expected here",
                 "write starts: {q1: 0.1, q1_dot: -1}");
  std::vector<std::string> names;
  for (const Coordinate& coordinate : model.coordinates) names.push_back(coordinate.name);
  for (const Speed& speed : model.speeds) names.push_back(speed.name);
  for (const yaml::Entry& entry : starts.entries) {
    const double value = reading.formulas.number(entry.value, "start of " + entry.key);
    if (const auto found = reading.coordinates.find(entry.key);
        found != reading.coordinates.end()) {
      model.coordinates[static_cast<std::size_t>(found->second)].start = value;
      continue;
    }
    yaml::Node name = yaml::text_node(entry.key);
    name.place = entry.place;
    name.origin = entry.value.origin;
    const int speed = reading.index(name, "starts", "coordinate or speed", reading.speeds, names);
    model.speeds[static_cast<std::size_t>(speed)].start = value;
  }
}

void read_mass_matrix(Reading& reading, const yaml::Node& root) {
  Model& model = reading.model;
  const yaml::Node* matrix = root.find("mass_matrix");
  const yaml::Node* force = root.find("force");
  if (!matrix && !force) return;
  if (!matrix || !force)
    reading.fail(matrix ? *matrix : *force, "mass_matrix and force belong together",
                 "give both, or describe the masses by bodies");
  if (model.coordinates.empty())
    reading.fail(*matrix, "mass_matrix: the model has no coordinates",
                 "name them under coordinates");
  for (const char* key : {"gravity", "springs", "dampers", "forces", "torques"})
    if (const yaml::Node* other = root.find(key))
      reading.fail(*other, fmt::format("{} has no meaning beside mass_matrix and force", key),
                   "write it into the formulas of force");
  for (const Body& body : model.bodies)
    if (body.mass > 0.0 || body.kind == BodyKind::free)
      throw ModelError("body " + body.name + ": a body with mass beside mass_matrix",
                       model.where(body.place), "remove its mass; mass_matrix holds all of it");
  const int n = static_cast<int>(model.speeds.size());
  const auto& rows = reading.list(*matrix, "mass_matrix", n);
  for (const yaml::Node& row : rows) {
    const std::string what = fmt::format("mass_matrix row {}", model.mass_matrix.size() + 1);
    std::vector<Expression> entries;
    for (const yaml::Node& entry : reading.list(row, what, n))
      entries.push_back(reading.formulas.formula(
          entry, fmt::format("{} column {}", what, entries.size() + 1), allow_position));
    model.mass_matrix.push_back(std::move(entries));
  }
  for (const yaml::Node& entry : reading.list(*force, "force", n))
    model.force.push_back(reading.formulas.formula(
        entry, fmt::format("force[{}]", model.force.size() + 1), allow_state));
}

void check_mass_matrix(Reading& reading, const yaml::Node& root) {
  const Model& model = reading.model;
  const auto n = static_cast<Eigen::Index>(model.mass_matrix.size());
  if (n == 0) return;
  const yaml::Node& node = *root.find("mass_matrix");
  Eigen::MatrixXd start(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
      start(i, j) = reading.at_start(model.mass_matrix[row][column]);
      if (!std::isfinite(start(i, j)))
        reading.fail(node.items[row].items[column],
                     fmt::format("mass_matrix row {} column {} is {} at the start, must be finite",
                                 i + 1, j + 1, start(i, j)),
                     "check the formula at the start values");
    }
  constexpr double rounding = 1e-12;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(start(i, j) - start(j, i)) >
          rounding * std::sqrt(std::abs(start(i, i) * start(j, j))))
        reading.fail(
            node.items[static_cast<std::size_t>(i)].items[static_cast<std::size_t>(j)],
            fmt::format("mass_matrix is not symmetric: row {} column {} is {}, mirrored it is {}",
                        i + 1, j + 1, start(i, j), start(j, i)),
            "make the two entries the same formula");
  const double smallest =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(start, Eigen::EigenvaluesOnly)
          .eigenvalues()(0);
  if (Eigen::LLT<Eigen::MatrixXd>(start).info() != Eigen::Success || !(smallest > 0.0))
    reading.fail(
        node,
        fmt::format(
            "mass_matrix is not positive definite at the start: its smallest eigenvalue is {}",
            smallest),
        "check masses, inertias and signs");
}

}  // namespace clack
