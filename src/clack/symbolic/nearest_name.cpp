// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace clack::symbolic {
namespace {

constexpr std::size_t longest_compared = 64;

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other; a
/// change of case counts half.
double edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<double> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0.0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = static_cast<double>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char p = a[i - 1], q = b[j - 1];
      const double replace = p == q ? 0.0 : lower(p) == lower(q) ? 0.5 : 1.0;
      row[j] = std::min({above[j - 1] + replace, above[j] + 1.0, row[j - 1] + 1.0});
      if (i > 1 && j > 1 && p == b[j - 2] && a[i - 2] == q)
        row[j] = std::min(row[j], before[j - 2] + 1.0);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string nearest;
  if (name.size() > longest_compared) return nearest;
  double smallest = std::max(1.0, static_cast<double>(name.size()) / 3.0) + 0.25;
  for (const std::string& candidate : candidates) {
    const auto difference = candidate.size() > name.size() ? candidate.size() - name.size()
                                                           : name.size() - candidate.size();
    if (static_cast<double>(difference) >= smallest) continue;
    if (const double distance = edit_distance(name, candidate); distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace clack::symbolic
