// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clack/model/addition.hpp"
#include "clack/model/signal.hpp"

namespace clack {

/// One line from outside: a JSON object with the time `t` at which it acts, and one of
///
///   "input": {NAME: value | [value, rate, acceleration], ...}    "on": CONSTRAINT    "off": CONSTRAINT    "stop": true
///   "constraint": {NAME: {...}}    "contact": {NAME: {...}}      entries in the keys of model files, by formulas
struct InputLine {
  std::optional<double> t;  // s
  std::vector<std::pair<std::string, Signal>> inputs;
  std::vector<ModelAddition> additions;
  std::string on, off;
  bool is_stop = false;
  std::string content;  // what follows "t" in the line, without the braces
  std::string where;    // for messages

  /// The line with the time at which it acted.
  std::string at(double acted) const;
};

/// Throws InputError with `where` (FILE:LINE) for what is no such line; names are not looked at.
InputLine parse_input_line(const std::string& text, const std::string& where);

/// The lines of a file, rising in `t`; empty ones are passed over. Throws InputError with the number of the line.
std::vector<InputLine> parse_input_file(const std::string& text, const std::string& file);

}  // namespace clack
