// SPDX-License-Identifier: Apache-2.0
#include "clack/model/formula_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

namespace {

const std::string formula_remedy = "write a number or a formula such as  m*length^2/12";

/// Plain numbers need no parser; thousands of them stand in large files.
std::optional<double> plain_number(const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool is_digits = text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  if (error != std::errc{} || stop != end || !is_digits || !std::isfinite(value)) return {};
  return value;
}

std::string kind_text(const std::string& name, unsigned kind) {
  if (kind & allow_forces) return "a force";
  if (kind & allow_speeds) return "a speed";
  if (kind & allow_coordinates) return "a coordinate";
  return name == "t" ? "the time" : "an input";
}

std::string allowed_text(unsigned allowed) {
  std::string text = "parameters and pi";
  if (allowed & allow_time) text += ", t, inputs";
  if (allowed & allow_coordinates) text += ", coordinates";
  if (allowed & allow_speeds) text += ", speeds";
  return text;
}

/// The value of a formula without symbols; what the graph does not fold (1/0) is computed.
std::optional<double> constant_value(Expression formula) {
  if (const auto value = symbolic::number_value(formula)) return value;
  if (!symbolic::symbols_of(formula).empty()) return {};
  double value = 0.0;
  const std::array<Expression, 1> output{formula};
  symbolic::Program({}, output, symbolic::Backend::tape)(nullptr, &value);
  return value;
}

}  // namespace

const std::vector<std::string>& reserved_words() {
  static const std::vector<std::string> words = {
      "t",   "pi",  "sin",  "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt",     "exp",
      "log", "abs", "sign", "min", "max", "if",   "and",  "or",   "not",   "piecewise"};
  return words;
}

FormulaReader::FormulaReader(symbolic::Graph& graph, std::string file)
    : graph_(graph), file_(std::move(file)) {
  add_symbol("t", graph.symbol("t"), allow_time);
}

void FormulaReader::check_word(const std::string& name, const std::string& thing,
                               const yaml::Node& node, bool is_dotted) const {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw ModelError(fmt::format("{} {}: {}", thing, printable(name, 60), what),
                     yaml::where(file_, node), remedy);
  };
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  bool is_good =
      !name.empty() && is_letter(name.front()) && name.back() != '.' && name.size() <= 100;
  for (const char c : name)
    is_good = is_good && (is_letter(c) || (c >= '0' && c <= '9') || (is_dotted && c == '.'));
  if (!is_good)
    refuse("this is no name", "use letters, digits and _, starting with a letter (100 at most)");
  const auto& words = reserved_words();
  if (std::find(words.begin(), words.end(), name) != words.end())
    refuse("this word has a meaning in formulas", "choose another name");
}

void FormulaReader::check_name(const std::string& name, const std::string& thing,
                               const yaml::Node& node, bool is_dotted) const {
  check_word(name, thing, node, is_dotted);
  if (meanings_.contains(name))
    throw ModelError(fmt::format("{} {}: this name is taken", thing, name),
                     yaml::where(file_, node), "choose another name");
}

void FormulaReader::add_parameter(const std::string& name, double value) {
  meanings_[name] = {graph_.number(value), allow_constants};
  order_.push_back(name);
}

void FormulaReader::add_symbol(const std::string& name, Expression symbol, Allowed kind) {
  if (meanings_.insert_or_assign(name, Meaning{symbol, kind}).second) order_.push_back(name);
}

void FormulaReader::replace(const std::vector<Expression>& symbols,
                            const std::vector<Expression>& formulas) {
  for (Read& read : read_) read.formula = symbolic::substitute(read.formula, symbols, formulas);
}

std::optional<double> FormulaReader::parameter(const std::string& name) const {
  const auto found = meanings_.find(name);
  if (found == meanings_.end() || found->second.kind != allow_constants) return {};
  return symbolic::number_value(found->second.value);
}

symbolic::Names FormulaReader::names_for(unsigned allowed) {
  symbolic::Names names;
  names.resolve = [this, allowed](std::string_view name) -> Expression {
    const auto found = meanings_.find(std::string(name));
    if (found == meanings_.end()) return {};
    if ((found->second.kind & ~allowed) == 0) return found->second.value;
    forbidden_ = name;
    forbidden_kind_ = found->second.kind;
    return {};
  };
  return names;
}

Expression FormulaReader::parse(const yaml::Node& node, const std::string& what,
                                const symbolic::Names& names) {
  if (node.kind != yaml::Kind::text)
    throw ModelError(fmt::format("{}: a number or a formula is expected here", what),
                     yaml::where(file_, node), formula_remedy);
  if (const auto value = plain_number(node.text)) return graph_.number(*value);
  try {
    return symbolic::parse(graph_, node.text, names);
  } catch (const symbolic::ParseError& e) {
    yaml::Node at = node;
    const bool is_one_line = node.text.find('\n') == std::string::npos;
    if (is_one_line && at.place.line > 0)
      at.place.column += static_cast<int>(e.position()) + (node.is_quoted ? 1 : 0);
    throw ModelError(fmt::format("{}: {}", what, printable(e.what())), yaml::where(file_, at),
                     e.remedy().empty() ? formula_remedy : e.remedy());
  }
}

Expression FormulaReader::formula(const yaml::Node& node, const std::string& what,
                                  unsigned allowed) {
  forbidden_.clear();
  symbolic::Names names = names_for(allowed);
  Expression result;
  try {
    result = parse(node, what, names);
  } catch (const ModelError& e) {
    if (!forbidden_.empty())
      throw ModelError(
          fmt::format("{}: {} is {}, which may not stand here", what, printable(forbidden_, 60),
                      kind_text(forbidden_, forbidden_kind_)),
          e.where(), "this formula may use " + allowed_text(allowed));
    // Only now list the known names: the second attempt fails in the same way and quotes the
    // nearest.
    for (const std::string& name : order_)
      if ((meanings_.at(name).kind & ~allowed) == 0) names.known_names.push_back(name);
    result = parse(node, what, names);
  }
  if (const auto value = constant_value(result)) {
    if (!std::isfinite(*value))
      throw ModelError(fmt::format("{} is {}, must be finite", what, *value),
                       yaml::where(file_, node), "check for divisions by zero and overflow");
  } else {
    read_.push_back({result, what, yaml::where(file_, node)});
  }
  return result;
}

Expression FormulaReader::formula_of(const yaml::Node& node, const std::string& what,
                                     const std::vector<std::pair<std::string, Expression>>& own) {
  symbolic::Names names;
  names.resolve = [this, &own](std::string_view name) -> Expression {
    for (const auto& [known, symbol] : own)
      if (known == name) return symbol;
    const auto value = parameter(std::string(name));
    return value ? graph_.number(*value) : Expression{};
  };
  for (const auto& [known, symbol] : own) names.known_names.push_back(known);
  for (const std::string& name : order_)
    if (meanings_.at(name).kind == allow_constants) names.known_names.push_back(name);
  return parse(node, what, names);
}

double FormulaReader::evaluate(const yaml::Node& node, const std::string& what,
                               const symbolic::Names& names) {
  const auto value = constant_value(parse(node, what, names));
  if (!value || !std::isfinite(*value))
    throw ModelError(
        fmt::format("{} is {}, must be finite", what, value ? fmt::to_string(*value) : "no number"),
        yaml::where(file_, node), "check for divisions by zero and overflow");
  return *value;
}

double FormulaReader::number(const yaml::Node& node, const std::string& what) {
  const auto value = constant_value(formula(node, what, allow_constants));
  if (!value)
    throw ModelError(fmt::format("{} is no number", what), yaml::where(file_, node),
                     formula_remedy);
  return *value;
}

double FormulaReader::number_in(const yaml::Node& node, const std::string& what, double low,
                                double high, const std::string& remedy) {
  const double value = number(node, what);
  if (value < low || value > high)
    throw ModelError(fmt::format("{} is {}, must be in [{}, {}]", what, value, low, high),
                     yaml::where(file_, node), remedy);
  return value;
}

double FormulaReader::positive(const yaml::Node& node, const std::string& what) {
  const double value = number(node, what);
  if (value <= 0.0)
    throw ModelError(fmt::format("{} is {}, must be positive", what, value),
                     yaml::where(file_, node), "give a number greater than 0 (SI units)");
  return value;
}

double FormulaReader::not_negative(const yaml::Node& node, const std::string& what) {
  const double value = number(node, what);
  if (value < 0.0)
    throw ModelError(fmt::format("{} is {}, must not be negative", what, value),
                     yaml::where(file_, node), "give 0 or a positive number (SI units)");
  return value;
}

long FormulaReader::integer(const yaml::Node& node, const std::string& what, long low, long high) {
  const double value = number(node, what);
  if (value != std::floor(value) || value < static_cast<double>(low) ||
      value > static_cast<double>(high))
    throw ModelError(
        fmt::format("{} is {}, must be a whole number in [{}, {}]", what, value, low, high),
        yaml::where(file_, node), "give a whole number in this range");
  return static_cast<long>(value);
}

}  // namespace clack
