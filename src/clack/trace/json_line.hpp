// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "clack/json_output.hpp"

namespace clack {

inline void append_json(std::string& text, double number) { append_json_number(text, number); }
inline void append_json(std::string& text, std::integral auto number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}
inline void append_json(std::string& text, const std::string& value) {
  append_json_string(text, value);
}
inline void append_json(std::string& text, std::string_view value) {
  append_json_string(text, std::string(value));
}
template <class T>
void append_json(std::string& text, const std::vector<T>& list) {
  text += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += ", ";
    append_json(text, list[i]);
  }
  text += ']';
}

/// One object written at once, key by key, on one line: the text of `to_json_text(object, -1)` without the tree. Whatever a
/// function `write(std::string&)` appends may be a value.
class JsonLine {
 public:
  explicit JsonLine(std::string& text) : text_(text) { text_ += '{'; }
  ~JsonLine() { text_ += '}'; }
  JsonLine(const JsonLine&) = delete;
  JsonLine& operator=(const JsonLine&) = delete;

  template <class Value>
  void put(std::string_view key, const Value& value) {
    if (!is_first_) text_ += ", ";
    is_first_ = false;
    append_json(text_, key);
    text_ += ": ";
    if constexpr (std::invocable<Value, std::string&>)
      value(text_);
    else
      append_json(text_, value);
  }

 private:
  std::string& text_;
  bool is_first_ = true;
};

}  // namespace clack
