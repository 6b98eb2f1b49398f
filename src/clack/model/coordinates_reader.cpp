// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/model/tolerances.hpp"

namespace clack {

void read_coordinates(Reading& reading, const yaml::Node* coordinates, const yaml::Node* speeds,
                      const yaml::Node* kinematics) {
  Model& model = reading.model;
  std::vector<const yaml::Node*> starts, rates;
  if (coordinates && coordinates->kind != yaml::Kind::map)
    reading.fail(*coordinates, "coordinates: a map of names and start values is expected here",
                 "write coordinates: {q1: 0, q2: 0.5}");
  static const std::vector<yaml::Entry> none;
  for (const yaml::Entry& entry : coordinates ? coordinates->entries : none) {
    yaml::Node at = entry.value;
    at.place = entry.place;
    reading.formulas.check_name(entry.key, "coordinate", at, true);
    const yaml::Node* start = &entry.value;
    const yaml::Node* rate = nullptr;
    std::string rate_name = entry.key + "_dot";
    if (entry.value.kind == yaml::Kind::map && !entry.value.find("guess")) {
      reading.check_keys(entry.value, "coordinate " + entry.key,
                         {"start", "rate", "speed", "guess", "unit"});
      start = entry.value.find("start");
      rate = entry.value.find("rate");
      if (const yaml::Node* name = entry.value.find("speed"))
        rate_name = reading.text(*name, "coordinate " + entry.key + ": speed");
    }
    const Expression symbol = model.graph->symbol(entry.key);
    reading.coordinates[entry.key] = number_of(model.coordinates);
    model.coordinates.push_back({entry.key, symbol, 0.0});
    reading.formulas.add_symbol(entry.key, symbol, allow_coordinates);
    reading.formulas.check_name(rate_name, "speed", at, true);
    reading.rate_names.push_back(rate_name);
    starts.push_back(start);
    rates.push_back(rate);
  }
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::string thing = "coordinate " + model.coordinates[k].name;
    if (starts[k] && starts[k]->kind != yaml::Kind::null)
      model.coordinates[k].start =
          reading.start_value(*starts[k], thing + ": start", model.coordinates[k].is_guessed);
    bool is_guessed = false;
    reading.rate_starts.push_back(
        rates[k] ? reading.start_value(*rates[k], thing + ": rate", is_guessed) : 0.0);
    reading.has_rate_guess.push_back(is_guessed || (model.coordinates[k].is_guessed && !rates[k]));
  }
  read_speeds(reading, speeds, kinematics);
  take_rate_starts(reading, rates);
}

void read_starts(Reading& reading, const yaml::Node& starts) {
  Model& model = reading.model;
  if (starts.kind != yaml::Kind::map)
    reading.fail(starts, "starts: a map of names and start values is expected here",
                 "write starts: {q1: 0.1, q1_dot: -1}");
  std::unordered_map<std::string, int> known = reading.coordinates;
  for (const auto& [name, index] : reading.speeds)
    known[name] = index + number_of(model.coordinates);
  const int rates = number_of(model.coordinates) + number_of(model.speeds);
  for (int k = 0; k < number_of(reading.definitions); ++k) known[reading.rate_names[k]] = rates + k;
  for (const yaml::Entry& entry : starts.entries) {
    const double value = reading.formulas.number(entry.value, "start of " + entry.key);
    yaml::Node name = yaml::text_node(entry.key);
    name.place = entry.place;
    name.origin = entry.value.origin;
    const int index = reading.index(name, "starts", "coordinate or speed", known);
    const int n = number_of(model.coordinates);
    if (index < n) {
      model.coordinates[index].start = value;
      model.coordinates[index].is_guessed = false;
    } else if (index < rates) {
      model.speeds[index - n].start = value;
      model.speeds[index - n].is_guessed = false;
      if (index - n < number_of(reading.definitions))
        reading.definitions[index - n].has_start = true;
    } else {
      reading.rate_overrides.emplace_back(index - rates, value);
    }
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
  const auto is_on_coordinates = [](const yaml::Node& forces) {
    return std::ranges::all_of(forces.items,
                               [](const yaml::Node& f) { return f.find("coordinate"); });
  };
  for (const std::string key : {"gravity", "springs", "dampers", "forces", "torques"})
    if (const yaml::Node* other = root.find(key);
        other && !(key == "forces" && is_on_coordinates(*other)))
      reading.fail(*other, fmt::format("{} has no meaning beside mass_matrix and force", key),
                   "write it into the formulas of force");
  for (const Body& body : model.bodies)
    if (body.mass > 0.0 || body.kind == BodyKind::free)
      throw ModelError("body " + body.name + ": a body with mass beside mass_matrix",
                       model.where(body.place), "remove its mass; mass_matrix holds all of it");
  const int n = number_of(model.speeds);
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

namespace {

/// Positive definite at the start; with constraints, which may carry massless coordinates, not
/// negative.
void check_definite(Reading& reading, const Eigen::MatrixXd& matrix, const yaml::Node& node,
                    const std::string& thing, bool has_constraints, const std::string& remedy) {
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
  const double smallest = values(0), largest = values(values.size() - 1);
  constexpr double rounding = reader_tolerances.semidefinite;
  const bool is_good =
      has_constraints
          ? smallest >= -rounding * largest
          : smallest > 0.0 && Eigen::LLT<Eigen::MatrixXd>(matrix).info() == Eigen::Success;
  if (!is_good)
    reading.fail(
        node,
        fmt::format("{} is not positive definite at the start: its smallest eigenvalue is {}",
                    thing, smallest),
        remedy);
}

/// Mass matrix of the placed bodies over the model's own coordinates: sum of m J_v^T J_v + I J_w^T
/// J_w.
Eigen::MatrixXd placed_mass_matrix(const Reading& reading, Eigen::Index n) {
  const Model& model = reading.model;
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (const Body& body : model.bodies) {
    if (body.kind != BodyKind::placed || body.mass == 0.0) continue;
    const auto add = [&](Expression formula, double weight) {
      Eigen::VectorXd row = Eigen::VectorXd::Zero(n);
      for (const Expression& symbol : symbolic::symbols_of(formula)) {
        const auto found = reading.coordinates.find(symbolic::symbol_name(symbol));
        if (found != reading.coordinates.end() && found->second < n)
          row(found->second) = reading.at_start(symbolic::derivative(formula, symbol));
      }
      matrix += weight * row * row.transpose();
    };
    for (const Expression& position : body.position) add(position, body.mass);
    add(body.angle, body.inertia(2, 2));
  }
  return matrix;
}

}  // namespace

void check_placed_masses(Reading& reading, const yaml::Node& root) {
  const yaml::Node* coordinates = root.find("coordinates");
  constexpr Eigen::Index largest_check = 300;
  if (!coordinates || !reading.model.mass_matrix.empty()) return;
  // Turning in space and speeds of one's own choice: the start of a run looks at the whole matrix.
  for (const Body& body : reading.model.bodies)
    if (reading.model.dimension == 3 && body.kind == BodyKind::placed && !body.inertia.isZero(0.0))
      return;
  if (!reading.definitions.empty() || root.find("kinematics")) return;
  const int n = number_of(coordinates->entries);
  if (n == 0 || n > largest_check) return;
  const Eigen::MatrixXd matrix = placed_mass_matrix(reading, n);
  const bool has_constraints = reading.has_rows;
  if (!matrix.allFinite()) return;  // the formulas themselves are reported
  for (Eigen::Index i = 0; i < n && !has_constraints; ++i)
    if (matrix(i, i) == 0.0)
      reading.fail(coordinates->entries[i].value,
                   fmt::format("coordinate {}: no body with mass moves with it",
                               coordinates->entries[i].key),
                   "let the position or angle of a body with mass or inertia depend on it");
  check_definite(reading, matrix, *coordinates, "the mass matrix", has_constraints,
                 "give the bodies masses and inertias that every coordinate moves");
}

void check_mass_matrix(Reading& reading, const yaml::Node& root) {
  const Model& model = reading.model;
  const int n = number_of(model.mass_matrix);
  if (n == 0) return;
  const yaml::Node& node = *root.find("mass_matrix");
  Eigen::MatrixXd start(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const std::size_t row = i, column = j;
      start(i, j) = reading.at_start(model.mass_matrix[row][column]);
      if (!std::isfinite(start(i, j)))
        reading.fail(node.items[row].items[column],
                     fmt::format("mass_matrix row {} column {} is {} at the start, must be finite",
                                 i + 1, j + 1, start(i, j)),
                     "check the formula at the start values");
    }
  constexpr double rounding = reader_tolerances.symmetry;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(start(i, j) - start(j, i)) >
          rounding * std::sqrt(std::abs(start(i, i) * start(j, j))))
        reading.fail(
            node.items[i].items[j],
            fmt::format("mass_matrix is not symmetric: row {} column {} is {}, mirrored it is {}",
                        i + 1, j + 1, start(i, j), start(j, i)),
            "make the two entries the same formula");
  check_definite(reading, start, node, "mass_matrix", reading.has_rows,
                 "check masses, inertias and signs");
}

}  // namespace clack
