// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/part_files.hpp"

namespace clack {
namespace {

/// A number at the beginning of a text, which is taken from it; separators and blanks go first.
std::optional<double> take_number(std::string_view& text) {
  while (!text.empty() && std::string_view(" \t,;").find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

/// Numbers are separated by a comma, a semicolon or blanks; empty lines and those that begin with # are passed over, and
/// the first line may be a title.
std::vector<OutlineLoop> read_csv_part(const std::string& text, const std::string& path,
                                       const PartFileChoice& choice) {
  OutlineLoop loop;
  const double unit = choice.unit.value_or(1.0);
  std::string_view rest = text;
  bool may_be_title = true;
  for (int line_number = 1; !rest.empty(); ++line_number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    std::string_view numbers = line;
    const auto x = take_number(numbers), y = take_number(numbers);
    const bool is_title = may_be_title && !x;
    may_be_title = false;
    if (is_title) continue;
    const auto bulge = x && y && !numbers.empty() ? take_number(numbers) : std::optional(0.0);
    if (!x || !y || !bulge || !numbers.empty())
      throw ModelError(fmt::format("line \"{}\" is no point", printable(line, 40)),
                       fmt::format("{}:{}:1", path, line_number),
                       "write x, y on every line (x, y, bulge where an arc begins)");
    loop.points.emplace_back(unit * *x, unit * *y);
    loop.bulges.push_back(*bulge);
    if (static_cast<long>(loop.points.size()) > most_part_vertices)
      throw ModelError(fmt::format("more than {} vertices", most_part_vertices), path,
                       "draw fewer");
  }
  if (loop.points.empty())
    throw ModelError("the file has no points", path, "write x, y on every line");
  return {loop};
}

std::vector<OutlineLoop> sorted_loops(std::vector<OutlineLoop> loops, const std::string& path) {
  if (loops.empty())
    throw ModelError("there is no closed outline in the drawing", path,
                     "draw closed loops of lines and arcs");
  std::vector<std::pair<double, std::size_t>> areas;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const std::span<const OutlineLoop> one(&loops[k], 1);
    const auto fault = outline_fault(one);
    if (fault && !fault->is_clockwise)
      throw ModelError(fmt::format("loop {} of {}: {}", k + 1, loops.size(), fault->what), path,
                       fault->remedy);
    if (fault) loops[k] = reversed(loops[k]);
    areas.emplace_back(-area_moments(make_outline(one)).area, k);
  }
  std::sort(areas.begin(), areas.end());
  std::vector<OutlineLoop> sorted;
  for (const auto& [area, k] : areas)
    sorted.push_back(sorted.empty() ? loops[k] : reversed(loops[k]));
  if (const auto fault = outline_fault(sorted))
    throw ModelError(fmt::format("{} loops, of which the largest is the outline and the others "
                                 "are holes: {}",
                                 sorted.size(), fault->what),
                     path, "keep one part per drawing, or name it by layer or id");
  return sorted;
}

}  // namespace clack
