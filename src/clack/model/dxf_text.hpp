// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <Eigen/Core>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clack/error.hpp"
#include "clack/input_file.hpp"

namespace clack {

struct DxfGroup {
  int code = 0, line = 0;
  std::string_view value;
};

inline std::string_view trimmed_group(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The groups of a DXF file, and what is asked of them.
class DxfText {
 public:
  DxfText(std::string_view text, const std::string& path) : path_(path) { split(text); }

  const std::vector<DxfGroup>& groups() const { return groups_; }
  [[noreturn]] void fail(int line, const std::string& what, const std::string& remedy) const {
    throw ModelError(what, fmt::format("{}:{}:1", path_, line), remedy);
  }

  /// Where a section begins; the number of groups: nowhere.
  std::size_t section(std::string_view name) const {
    std::size_t at = 0;
    while (at < groups_.size() && !(groups_[at].code == 2 && groups_[at].value == name)) ++at;
    return at < groups_.size() ? at + 1 : at;
  }
  std::size_t next_entity(std::size_t at) const {
    for (++at; at < groups_.size() && groups_[at].code != 0;) ++at;
    return at;
  }
  double number(const DxfGroup& group) const {
    double value = 0.0;
    const std::string_view text =
        group.value.starts_with('+') ? group.value.substr(1) : group.value;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
      fail(group.line + 1, fmt::format("\"{}\" is no number", printable(group.value, 40)),
           "save the drawing as ASCII DXF");
    return value;
  }

  double value_of(std::span<const DxfGroup> groups, int code, double missing) const {
    for (const DxfGroup& group : groups)
      if (group.code == code) return number(group);
    return missing;
  }
  Eigen::Vector2d point_of(std::span<const DxfGroup> groups, int code) const {
    return {value_of(groups, code, 0.0), value_of(groups, code + 10, 0.0)};
  }
  static std::string text_of(std::span<const DxfGroup> groups, int code, std::string_view missing) {
    for (const DxfGroup& group : groups)
      if (group.code == code) return std::string(group.value);
    return std::string(missing);
  }

 private:
  void split(std::string_view text) {
    std::vector<std::string_view> pair;
    for (int line = 1; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      pair.push_back(trimmed_group(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (pair.size() < 2) continue;
      DxfGroup group{0, line - 1, pair[1]};
      const auto [stop, problem] =
          std::from_chars(pair[0].data(), pair[0].data() + pair[0].size(), group.code);
      if (problem != std::errc{} || stop != pair[0].data() + pair[0].size())
        fail(line - 1, fmt::format("\"{}\" is no group code", printable(pair[0], 40)),
             "save the drawing as ASCII DXF");
      pair.clear();
      if (group.code != 999) groups_.push_back(group);
    }
  }

  const std::string& path_;
  std::vector<DxfGroup> groups_;
};

}  // namespace clack
