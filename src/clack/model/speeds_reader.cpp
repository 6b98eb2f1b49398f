// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/model/tolerances.hpp"
#include "clack/nearest_name.hpp"
#include "clack/symbolic/linear_solution.hpp"

// Speeds of the user's choice: definitions u = Y q' + Z, or q' = W u + X under `kinematics`.

namespace clack {
namespace {

void add_own_speed(Reading& reading, const yaml::Entry& entry) {
  Model& model = reading.model;
  yaml::Node at = entry.value;
  at.place = entry.place;
  reading.formulas.check_name(entry.key, "speed", at, true);
  const Expression symbol = model.graph->symbol(entry.key);
  reading.speeds[entry.key] = number_of(model.speeds);
  model.speeds.push_back({entry.key, symbol, 0.0});
  reading.formulas.add_symbol(entry.key, symbol, allow_speeds);
}

/// Start values of speeds that exist already: `speeds: {q1_dot: 0.5}`.
void read_rate_starts(Reading& reading, const yaml::Node& speeds) {
  Model& model = reading.model;
  for (const yaml::Entry& entry : speeds.entries) {
    yaml::Node name = yaml::text_node(entry.key);
    name.place = entry.place;
    const bool is_coordinate = reading.coordinates.contains(entry.key);
    const int index = is_coordinate ? reading.coordinates[entry.key]
                                    : reading.index(name, "speeds", "speed", reading.speeds);
    Speed& speed = model.speeds[index];
    speed.start =
        reading.start_value(entry.value, "speed " + entry.key + ": start", speed.is_guessed);
  }
}

/// Names of the speeds whose definitions depend on each other at the start.
std::string dependent_speeds(const Reading& reading, const Eigen::MatrixXd& Y) {
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(Y.transpose());
  const Eigen::VectorXd combination = lu.kernel().col(0);
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < combination.size(); ++i)
    if (std::abs(combination[i]) > reader_tolerances.definition * combination.cwiseAbs().maxCoeff())
      names.push_back(reading.model.speeds[i].name);
  return list_names(names);
}

/// q' = Y^-1 (u - Z), with the determinants of Y written out: no pivot that may vanish later.
void invert_definitions(Reading& reading, const yaml::Node& speeds,
                        const std::vector<Expression>& rates) {
  Model& model = reading.model;
  const int n = number_of(rates);
  std::vector<std::vector<Expression>> Y;
  std::vector<Expression> right;
  Eigen::MatrixXd at_start(n, n);
  const std::vector<Expression> none(n, reading.zero());
  for (int i = 0; i < n; ++i) {
    const Expression is = reading.definitions[i].formula;
    auto& row = Y.emplace_back();
    for (int j = 0; j < n; ++j) {
      row.push_back(symbolic::derivative(is, rates[j]));
      for (const Expression& other : rates)
        if (symbolic::depends_on(row.back(), other))
          reading.fail(speeds.entries[i].value,
                       fmt::format("speed {}: is is not linear in the rate {}",
                                   model.speeds[i].name, symbolic::symbol_name(other)),
                       "write a sum of rates with coefficients of coordinates and t");
      at_start(i, j) = reading.at_start(row.back());
    }
    right.push_back(model.speeds[i].symbol - symbolic::substitute(is, rates, none));
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(at_start);
  if (at_start.allFinite() && !lu.isInvertible())
    reading.fail(speeds,
                 "speeds: at the start the definitions of " + dependent_speeds(reading, at_start) +
                     " depend on each other",
                 "define as many independent combinations of the rates as there are coordinates");
  const auto solved = symbolic::solve_linear(*model.graph, Y, right);
  if (!solved)
    reading.fail(speeds,
                 fmt::format("speeds: more than {} definitions hang together",
                             symbolic::largest_linear_block),
                 "give q' = W u + X under kinematics");
  model.rates = *solved;
}

void read_definitions(Reading& reading, const yaml::Node& speeds) {
  Model& model = reading.model;
  const int n = number_of(model.coordinates);
  if (number_of(speeds.entries) != n)
    reading.fail(speeds,
                 fmt::format("speeds: {} definitions for {} coordinates", speeds.entries.size(), n),
                 "give one definition per coordinate");
  std::vector<Expression> rates;
  for (const std::string& name : reading.rate_names) {
    rates.push_back(model.graph->symbol(name));
    reading.formulas.add_symbol(name, rates.back(), allow_speeds);
  }
  for (const yaml::Entry& entry : speeds.entries) {
    const std::string thing = "speed " + printable(entry.key, 60);
    const yaml::Node* is = entry.value.find("is");
    if (!is)
      reading.fail(entry.value, thing + " has no definition", "write {is: FORMULA, start: 0}");
    reading.check_keys(entry.value, thing, {"is", "start"});
    reading.definitions.push_back({reading.formulas.formula(*is, thing + ": is", allow_state)});
  }
  for (const yaml::Entry& entry : speeds.entries) add_own_speed(reading, entry);
  invert_definitions(reading, speeds, rates);
  reading.formulas.replace(rates, model.rates);
  for (int k = 0; k < n; ++k)
    reading.formulas.add_symbol(reading.rate_names[k], model.rates[k], allow_speeds);
  for (int i = 0; i < n; ++i) {
    const yaml::Node* start = speeds.entries[i].value.find("start");
    if (!start) continue;
    reading.definitions[i].has_start = true;
    Speed& speed = model.speeds[i];
    speed.start = reading.start_value(*start, "speed " + speed.name + ": start", speed.is_guessed);
  }
}

void read_kinematics(Reading& reading, const yaml::Node* speeds, const yaml::Node& kinematics) {
  Model& model = reading.model;
  if (kinematics.kind != yaml::Kind::map)
    reading.fail(kinematics, "kinematics: a map of coordinates and their rates is expected here",
                 "write kinematics: {q1: u1, q2: u2/cos(q1)}");
  if (!speeds || speeds->entries.empty())
    reading.fail(kinematics, "kinematics needs speeds", "name them: speeds: {u1: 0, u2: 0.5}");
  if (speeds->entries.size() > model.coordinates.size())
    reading.fail(*speeds,
                 fmt::format("speeds: {} speeds for {} coordinates", speeds->entries.size(),
                             model.coordinates.size()),
                 "there are at most as many speeds as coordinates");
  for (const yaml::Entry& entry : speeds->entries) {
    add_own_speed(reading, entry);
    Speed& speed = model.speeds.back();
    if (entry.value.kind != yaml::Kind::null)
      speed.start =
          reading.start_value(entry.value, "speed " + speed.name + ": start", speed.is_guessed);
  }
  std::vector<std::string> names;
  for (const Coordinate& c : model.coordinates) names.push_back(c.name);
  reading.check_keys(kinematics, "kinematics", names);
  for (int k = 0; k < number_of(model.coordinates); ++k) {
    const std::string what = "kinematics: " + model.coordinates[k].name;
    const yaml::Node* rate = kinematics.find(model.coordinates[k].name);
    if (!rate) reading.fail(kinematics, what + " is missing", "give the rate of every coordinate");
    model.rates.push_back(reading.formulas.formula(*rate, what, allow_state));
    reading.check_linear(model.rates.back(), *rate, what);
  }
  for (int k = 0; k < number_of(model.coordinates); ++k)
    reading.formulas.add_symbol(reading.rate_names[k], model.rates[k], allow_speeds);
}

}  // namespace

void take_rate_starts(Reading& reading, const std::vector<const yaml::Node*>& given) {
  Model& model = reading.model;
  const bool are_speeds = !model.speeds.empty() && reading.speeds.contains(reading.rate_names[0]);
  for (int k = 0; k < number_of(given); ++k) {
    if (are_speeds && given[k]) model.speeds[k].start = reading.rate_starts[k];
    if (are_speeds && reading.has_rate_guess[k]) model.speeds[k].is_guessed = true;
    if (are_speeds || !given[k]) continue;
    const std::string thing = "coordinate " + model.coordinates[k].name + ": rate";
    if (reading.definitions.empty())
      reading.fail(*given[k], thing + " has no meaning beside kinematics",
                   "give the start of the speeds");
    if (reading.has_rate_guess[k])
      reading.fail(*given[k], thing + ": a guess belongs to the speeds that are integrated",
                   "write speeds: {u: {is: FORMULA, start: {guess: 0}}}");
  }
}

double Reading::start_value(const yaml::Node& node, const std::string& what, bool& is_guessed) {
  is_guessed = node.kind == yaml::Kind::map;
  if (!is_guessed) return formulas.number(node, what);
  check_keys(node, what, {"guess"});
  const yaml::Node* guess = node.find("guess");
  if (!guess) fail(node, what + ": a number is expected here", "give a formula, or {guess: 0.5}");
  return formulas.number(*guess, what + ": guess");
}

void read_speeds(Reading& reading, const yaml::Node* speeds, const yaml::Node* kinematics) {
  if (speeds && speeds->kind != yaml::Kind::map)
    reading.fail(*speeds, "speeds: a map of names and start values is expected here",
                 "write speeds: {q1_dot: 0.5}");
  if (kinematics) return read_kinematics(reading, speeds, *kinematics);
  const bool has_definitions =
      speeds && std::any_of(speeds->entries.begin(), speeds->entries.end(),
                            [](const yaml::Entry& entry) { return entry.value.find("is"); });
  if (has_definitions) return read_definitions(reading, *speeds);
  Model& model = reading.model;
  for (int k = 0; k < number_of(model.coordinates); ++k) {
    const std::string& name = reading.rate_names[k];
    const Expression symbol = model.graph->symbol(name);
    reading.speeds[name] = k;
    model.speeds.push_back({name, symbol, 0.0});
    model.rates.push_back(symbol);
    reading.formulas.add_symbol(name, symbol, allow_speeds);
  }
  if (speeds) read_rate_starts(reading, *speeds);
}

void complete_rates(Reading& reading) {
  Model& model = reading.model;
  for (const Body& body : model.bodies) {
    if (body.kind != BodyKind::free) continue;
    const auto u = [&](int k) { return model.speeds[body.first_speed + k].symbol; };
    for (int k = 0; k < 3; ++k) model.rates.push_back(u(k));
    if (model.dimension == 2) continue;
    // Unit quaternion: (qw, qv)' = (-w . qv, qw w + w x qv)/2, w in the world frame.
    const auto q = [&](int k) { return model.coordinates[body.first_coordinate + 3 + k].symbol; };
    const auto w = [&](int k) { return u(2 + k); };  // w(1), w(2), w(3)
    model.rates.push_back(-0.5 * (w(1) * q(1) + w(2) * q(2) + w(3) * q(3)));
    model.rates.push_back(0.5 * (w(1) * q(0) + w(2) * q(3) - w(3) * q(2)));
    model.rates.push_back(0.5 * (w(2) * q(0) + w(3) * q(1) - w(1) * q(3)));
    model.rates.push_back(0.5 * (w(3) * q(0) + w(1) * q(2) - w(2) * q(1)));
  }
}

void finish_speeds(Reading& reading) {
  Model& model = reading.model;
  if (reading.definitions.empty()) return;
  std::vector<Expression> names;
  for (const std::string& name : reading.rate_names) names.push_back(model.graph->symbol(name));
  const auto define = [&](const std::vector<double>& rates, bool is_all) {
    std::vector<Expression> values;
    for (const double rate : rates) values.push_back(model.graph->number(rate));
    for (int i = 0; i < number_of(reading.definitions); ++i)
      if (is_all || !reading.definitions[i].has_start)
        model.speeds[i].start =
            reading.at_start(symbolic::substitute(reading.definitions[i].formula, names, values));
  };
  define(reading.rate_starts, false);
  if (reading.rate_overrides.empty()) return;
  std::vector<double> rates;
  for (int k = 0; k < number_of(names); ++k) rates.push_back(reading.at_start(model.rates[k]));
  for (const auto& [k, value] : reading.rate_overrides) rates[k] = value;
  define(rates, true);
}

}  // namespace clack
