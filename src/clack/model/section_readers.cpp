// SPDX-License-Identifier: Apache-2.0
#include "clack/model/section_readers.hpp"

#include <fmt/format.h>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"

namespace clack {

void Reading::fail(const yaml::Node& node, const std::string& what,
                   const std::string& remedy) const {
  throw ModelError(what, yaml::where(file(), node), remedy);
}

void Reading::check_keys(const yaml::Node& map, const std::string& thing,
                         const std::vector<std::string>& known) const {
  yaml::check_keys(map, thing, known, file());
}

const std::string& Reading::text(const yaml::Node& node, const std::string& what) const {
  if (node.kind != yaml::Kind::text || node.text.empty())
    fail(node, what + ": a text is expected here", "write a name or a text");
  return node.text;
}

bool Reading::boolean(const yaml::Node& node, const std::string& what) const {
  const std::string& value = text(node, what);
  if (value != "true" && value != "false")
    fail(node, fmt::format("{} is {}, must be true or false", what, printable(value, 60)),
         "write true or false");
  return value == "true";
}

const std::string& Reading::choice(const yaml::Node& node, const std::string& what,
                                   const std::vector<std::string>& choices) const {
  const std::string& value = text(node, what);
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
  const std::string nearest = nearest_name(value, std::span<const std::string>(choices));
  fail(node, fmt::format("{} is {}, which is unknown", what, printable(value, 60)),
       (nearest.empty() ? "" : "did you mean " + nearest + "? ") + "choose one of " +
           list_names(choices));
}

const std::vector<yaml::Node>& Reading::list(const yaml::Node& node, const std::string& what,
                                             int count) const {
  if (node.kind != yaml::Kind::list)
    fail(node, what + ": a list is expected here", "write [first, second, ...]");
  if (count >= 0 && number_of(node.items) != count)
    fail(node, fmt::format("{} has {} entries, must have {}", what, node.items.size(), count),
         fmt::format("give {} entries", count));
  return node.items;
}

std::array<Expression, 3> Reading::vector_formula(const yaml::Node& node, const std::string& what,
                                                  unsigned allowed) {
  std::array<Expression, 3> result{zero(), zero(), zero()};
  const auto& items = list(node, what, model.dimension);
  for (std::size_t k = 0; k < items.size(); ++k)
    result[k] = formulas.formula(items[k], fmt::format("{}[{}]", what, k + 1), allowed);
  return result;
}

Eigen::Vector3d Reading::vector(const yaml::Node& node, const std::string& what) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  const auto& items = list(node, what, model.dimension);
  for (std::size_t k = 0; k < items.size(); ++k)
    result[k] = formulas.number(items[k], fmt::format("{}[{}]", what, k + 1));
  return result;
}

int Reading::index(const yaml::Node& node, const std::string& what, const std::string& kind,
                   const std::unordered_map<std::string, int>& table) const {
  const std::string& name = text(node, what);
  if (const auto found = table.find(name); found != table.end()) return found->second;
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [known, position] : table) order.emplace_back(position, known);
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (auto& [position, known] : order) names.push_back(std::move(known));
  const std::string nearest = nearest_name(name, std::span<const std::string>(names));
  constexpr std::size_t most_listed = 20;
  const bool is_long = names.size() > most_listed;
  if (is_long) names.resize(most_listed);
  const std::string known = names.empty()
                                ? "the model has none"
                                : "known are " + list_names(names) + (is_long ? ", ..." : "");
  fail(node, fmt::format("{}: there is no {} {}", what, kind, printable(name, 60)),
       (nearest.empty() ? "" : "did you mean " + nearest + "? ") + known);
}

BodyIndex Reading::body(const yaml::Node& node, const std::string& what) const {
  return BodyIndex(index(node, what, "body", bodies));
}

int Reading::coordinate(const yaml::Node& node, const std::string& what) const {
  return index(node, what, "coordinate", coordinates);
}

Attachment Reading::attachment(const yaml::Node& node, const std::string& what) const {
  const Attachment found = place_on(node, what);
  if (found.shape())
    fail(node, fmt::format("{}: {} is a shape, no point", what, node.text),
         "name the body, or one of its points");
  return found;
}

Attachment Reading::place_on(const yaml::Node& node, const std::string& what) const {
  const std::string& name = text(node, what);
  const std::size_t dot = name.find('.');
  yaml::Node body_node = node;
  body_node.text = name.substr(0, dot);
  Attachment result;
  result.body = body(body_node, what);
  if (dot == std::string::npos) return result;
  const std::string point = name.substr(dot + 1);
  const Body& owner = model.bodies[result.body];
  std::vector<std::string> names;
  for (std::size_t k = 0; k < owner.points.size(); ++k) {
    names.push_back(owner.points[k].name);
    if (owner.points[k].name == point) result.at = NamedPoint{static_cast<int>(k)};
  }
  for (std::size_t k = 0; k < owner.shapes.size(); ++k) {
    names.push_back(owner.shapes[k].name);
    if (owner.shapes[k].name == point) result.at = OneShape{static_cast<int>(k)};
  }
  if (result.point() || result.shape()) return result;
  const std::string nearest = nearest_name(point, std::span<const std::string>(names));
  fail(node, fmt::format("{}: body {} has no point {}", what, owner.name, printable(point, 60)),
       (nearest.empty() ? "" : "did you mean " + owner.name + "." + nearest + "? ") +
           (names.empty()          ? "give it one under points"
            : owner.shapes.empty() ? "its points are " + list_names(names)
                                   : "its points and shapes are " + list_names(names)));
}

double Reading::at_start(Expression formula) const {
  if (const auto constant = symbolic::number_value(formula)) return *constant;
  const std::vector<Expression> symbols = symbolic::symbols_of(formula);
  std::vector<Expression> values, inputs;
  std::vector<double> signals;
  add_input_symbols(model, inputs, signals);
  for (const Expression& symbol : symbols) {
    const std::string name = symbolic::symbol_name(symbol);
    double value = 0.0;  // t
    if (const auto found = coordinates.find(name); found != coordinates.end())
      value = model.coordinates[found->second].start;
    else if (const auto speed = speeds.find(name); speed != speeds.end())
      value = model.speeds[speed->second].start;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i] == symbol) value = signals[i];
    values.push_back(model.graph->number(value));
  }
  const auto value = symbolic::number_value(symbolic::substitute(formula, symbols, values));
  return value ? *value : std::numeric_limits<double>::quiet_NaN();
}

void Reading::check_linear(Expression formula, const yaml::Node& node,
                           const std::string& what) const {
  std::vector<Expression> present;
  for (const Expression& symbol : symbolic::symbols_of(formula))
    if (speeds.contains(symbolic::symbol_name(symbol))) present.push_back(symbol);
  for (const Expression& speed : present) {
    const Expression row = symbolic::derivative(formula, speed);
    for (const Expression& other : present)
      if (symbolic::depends_on(row, other))
        fail(node,
             fmt::format("{} is not linear in the speed {}", what, symbolic::symbol_name(other)),
             "write a sum of speeds with coefficients of coordinates and t");
  }
}

void check_label(const Reading& reading, const std::string& name, const std::string& thing,
                 const yaml::Node& node) {
  bool is_good = !name.empty() && name.size() <= 100;
  for (const char c : name)
    is_good = is_good && c > ' ' && c <= '~' && c != ',' && c != '"' && c != '\'';
  if (!is_good)
    reading.fail(node, fmt::format("{} name {}: this is no name", thing, printable(name, 60)),
                 "use printable characters without spaces, commas and quotes (100 at most)");
}

}  // namespace clack
