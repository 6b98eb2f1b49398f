// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clack {

/// Letters to insert, delete, replace or swap with their neighbour to turn `a` into `b` (optimal
/// string alignment); upper and lower case count as the same letter.
inline int edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  const std::size_t columns = b.size() + 1;
  std::vector<int> before_last(columns), last(columns), row(columns);
  for (std::size_t j = 0; j < columns; ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < columns; ++j) {
      const int replaced = last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

/// The known name that a mistyped one most likely means: the smallest edit distance, at most a
/// third of the longer name (at least 1); the first of equals. Empty when nothing is near.
template <class Name>
std::string nearest_name_of(std::string_view wrong, std::span<const Name> known) {
  constexpr std::size_t longest_name = 64;  // longer words are no typing mistakes
  if (wrong.size() > longest_name) return {};
  std::string nearest;
  int smallest = 0;
  for (const Name& name : known) {
    const std::string_view candidate(name);
    const int distance = edit_distance(wrong, candidate);
    const int longer = static_cast<int>(std::max(wrong.size(), candidate.size()));
    if (distance > std::max(1, longer / 3) || distance >= longer) continue;
    if (nearest.empty() || distance < smallest) {
      nearest = candidate;
      smallest = distance;
    }
  }
  return nearest;
}

inline std::string nearest_name(std::string_view wrong, std::span<const std::string> known) {
  return nearest_name_of<std::string>(wrong, known);
}

inline std::string nearest_name(std::string_view wrong, std::span<const std::string_view> known) {
  return nearest_name_of<std::string_view>(wrong, known);
}

/// "a, b, c": for help lines that list what is known.
template <class Names>
std::string list_names(const Names& names) {
  std::string text;
  for (const auto& name : names) {
    if (!text.empty()) text += ", ";
    text += std::string_view(name);
  }
  return text;
}

}  // namespace clack
