#include "clack/symbolic/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace clack::symbolic {
namespace {

constexpr std::size_t longest_compared = 64;

/// Insertions, deletions and replacements that turn one word into the other (case counts half).
double edit_distance(std::string_view a, std::string_view b) {
  std::vector<double> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    double diagonal = row[0];
    row[0] += 1.0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
      const double replace = a[i] == b[j] ? 0.0 : lower(a[i]) == lower(b[j]) ? 0.5 : 1.0;
      const double best = std::min({diagonal + replace, row[j] + 1.0, row[j + 1] + 1.0});
      diagonal = row[j + 1];
      row[j + 1] = best;
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
