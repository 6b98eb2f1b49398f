// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "clack/symbolic/expression.hpp"

namespace clack::symbolic {

/// Where and why a formula could not be read; `position` counts bytes from 0.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::size_t position, std::string what, std::string remedy)
      : std::runtime_error(what), position_(position), remedy_(std::move(remedy)) {}
  std::size_t position() const { return position_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::size_t position_;
  std::string remedy_;
};

/// Bounds that stop formula bombs.
struct ParseLimits {
  std::size_t length = 100'000;   // bytes
  std::size_t depth = 200;        // nested parentheses, calls, unary signs and powers
  std::size_t nodes = 1'000'000;  // nodes of the graph afterwards
};

/// What an identifier means; an invalid Expression means unknown (an error that quotes the nearest
/// of `known_names`).
struct Names {
  std::function<Expression(std::string_view)> resolve;
  std::vector<std::string> known_names;
};

/// Grammar: numbers, identifiers (letters, digits, _ and ., not starting with a digit), + - * / ^
/// (right associative, binds tighter than unary minus), parentheses, the functions of
/// expression.hpp, comparisons < <= > >= == != and  and or not,  if(c, a, b),  piecewise(value,
/// condition, ..., otherwise), pi.
Expression parse(Graph& graph, std::string_view text, const Names& names,
                 const ParseLimits& limits = {});

}  // namespace clack::symbolic
