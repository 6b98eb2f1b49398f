// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "clack/model/yaml_document.hpp"
#include "clack/symbolic/expression.hpp"
#include "clack/symbolic/parser.hpp"

namespace clack {

/// What a formula at a given place may speak of, besides parameters and pi.
enum Allowed : unsigned {
  allow_constants = 0,
  allow_time = 1,
  allow_coordinates = 2,
  allow_speeds = 4,
  allow_forces = 8,
  allow_position = allow_time | allow_coordinates,
  allow_state = allow_position | allow_speeds,
  allow_switch = allow_state | allow_forces,  // what switches constraints and fires events
};

/// Turns texts of the model file into expressions. Parameters become numbers; the symbols that
/// remain are t, coordinates and speeds. Every mistake is a ModelError at the character where it
/// stands; `what` names the thing that is being read ("contact beak: restitution") and opens the
/// message.
class FormulaReader {
 public:
  FormulaReader(symbolic::Graph& graph, std::string file);

  const std::string& file() const { return file_; }
  symbolic::Graph& graph() const { return graph_; }

  /// Letters, digits and _ (also . when `is_dotted`), no function or reserved word.
  void check_word(const std::string& name, const std::string& thing, const yaml::Node& node,
                  bool is_dotted = false) const;
  /// A name for formulas: such a word, not used before.
  void check_name(const std::string& name, const std::string& thing, const yaml::Node& node,
                  bool is_dotted = false) const;
  void add_parameter(const std::string& name, double value);
  void add_symbol(const std::string& name, Expression symbol, Allowed kind);
  /// Names that were symbols while their formulas were unknown: replaced in all that was read.
  void replace(const std::vector<Expression>& symbols, const std::vector<Expression>& formulas);
  std::optional<double> parameter(const std::string& name) const;
  bool knows(const std::string& name) const { return meanings_.contains(name); }

  Expression formula(const yaml::Node& node, const std::string& what, unsigned allowed);
  /// A formula of parameters and of names that exist in it only.
  Expression formula_of(const yaml::Node& node, const std::string& what,
                        const std::vector<std::pair<std::string, Expression>>& own);
  /// A formula of parameters that gives a finite number.
  double number(const yaml::Node& node, const std::string& what);
  double number_in(const yaml::Node& node, const std::string& what, double low, double high,
                   const std::string& remedy);
  double positive(const yaml::Node& node, const std::string& what);
  double not_negative(const yaml::Node& node, const std::string& what);
  /// A whole number in [low, high].
  long integer(const yaml::Node& node, const std::string& what, long low, long high);

  /// The value of a formula with other names in scope (parameters while they are being defined,
  /// loop indices).
  double evaluate(const yaml::Node& node, const std::string& what, const symbolic::Names& names);

  /// Every formula read so far that is not a constant, with its name: checked once the start state
  /// is known.
  struct Read {
    Expression formula;
    std::string what;
    std::string where;
  };
  const std::vector<Read>& formulas() const { return read_; }

 private:
  struct Meaning {
    Expression value;
    unsigned kind = allow_constants;
  };
  Expression parse(const yaml::Node& node, const std::string& what, const symbolic::Names& names);
  symbolic::Names names_for(unsigned allowed);

  symbolic::Graph& graph_;
  std::string file_;
  std::unordered_map<std::string, Meaning> meanings_;
  std::vector<std::string> order_;  // of the names in meanings_
  std::string forbidden_;           // a known name that stood where it may not
  unsigned forbidden_kind_ = 0;
  std::vector<Read> read_;
};

/// Words a name may not be: functions, constants and operators of formulas.
const std::vector<std::string>& reserved_words();

}  // namespace clack
