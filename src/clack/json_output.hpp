// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "clack/number_text.hpp"

namespace clack {

/// A double so that reading it back gives the same bits ("%.17g"); JSON has no infinities: null.
inline void append_json_number(std::string& text, double number) {
  if (!std::isfinite(number)) {
    text += "null";
    return;
  }
  const NumberText digits(number);
  text += std::string_view(digits);
  if (std::string_view(digits).find_first_of(".e") == std::string_view::npos) text += ".0";
}

inline nlohmann::ordered_json to_json_list(const Eigen::Ref<const Eigen::VectorXd>& vector) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (Eigen::Index k = 0; k < vector.size(); ++k) list.push_back(vector[k]);
  return list;
}

/// Rows of the matrix, each a list.
inline nlohmann::ordered_json to_json_rows(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (Eigen::Index k = 0; k < matrix.rows(); ++k)
    rows.push_back(to_json_list(matrix.row(k).transpose()));
  return rows;
}

/// Quoted; only what JSON has to escape goes the long way.
inline void append_json_string(std::string& text, const std::string& value) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(value.begin(), value.end(), is_plain))
    text.append(1, '"').append(value).append(1, '"');
  else
    text += nlohmann::ordered_json(value).dump(-1, ' ', false,
                                               nlohmann::ordered_json::error_handler_t::replace);
}

inline void append_json_text(std::string& text, const nlohmann::ordered_json& value, int indent,
                             int depth) {
  if (value.is_number_float()) {
    append_json_number(text, value.get<double>());
    return;
  }
  if (value.is_string()) return append_json_string(text, value.get_ref<const std::string&>());
  if (!value.is_structured() || value.empty()) {
    text += value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return;
  }
  bool on_one_line = indent < 0;
  if (value.is_array() && !on_one_line) {
    on_one_line = true;
    for (const auto& entry : value) on_one_line = on_one_line && !entry.is_structured();
  }
  const auto new_line = [&](int level) {
    if (!on_one_line) text.append(1, '\n').append(indent * level, ' ');
  };
  text += value.is_array() ? '[' : '{';
  bool is_first = true;
  for (const auto& item : value.items()) {
    if (!is_first) text += on_one_line ? ", " : ",";
    is_first = false;
    new_line(depth + 1);
    if (value.is_object()) {
      append_json_string(text, item.key());
      text += ": ";
    }
    append_json_text(text, item.value(), indent, depth + 1);
  }
  new_line(depth);
  text += value.is_array() ? ']' : '}';
}

/// The document as text: doubles with 17 significant digits, integers as integers, keys in their
/// order, lists of plain values on one line. `indent` < 0: everything on one line. No line break at
/// the end.
inline std::string to_json_text(const nlohmann::ordered_json& document, int indent = 2) {
  std::string text;
  append_json_text(text, document, indent, 0);
  return text;
}

}  // namespace clack
