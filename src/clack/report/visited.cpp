// SPDX-License-Identifier: Apache-2.0
#include "clack/report/visited.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "clack/index.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/plot.hpp"
#include "clack/report/tables.hpp"

namespace clack::report {
namespace {

constexpr std::size_t most_lines = 4;  // of the words in a box
constexpr int most_columns = 5;        // what is farther away stands in the last one
constexpr double box_width = 168.0, line_height = 14.0, column_gap = 58.0, row_gap = 30.0;

/// Constraints that are both on and off somewhere in the run.
std::vector<std::size_t> changing_constraints(const Trace& trace) {
  std::vector<std::size_t> changing;
  for (std::size_t c = 0; c < trace.constraints.size(); ++c) {
    std::set<bool> seen;
    for (const TraceMode& mode : trace.modes)
      if (c < mode.constraints.size()) seen.insert(mode.constraints[c]);
    if (seen.size() > 1) changing.push_back(c);
  }
  return changing;
}

std::string cut(const std::string& text, std::size_t letters) {
  if (text.size() <= letters) return text;
  std::size_t end = letters - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

std::vector<std::string> words_of(const Trace& trace, const TraceMode& mode,
                                  const std::vector<std::size_t>& changing) {
  std::vector<std::string> lines;
  for (const TraceStatus& closed : mode.closed)
    lines.push_back(cut(trace.contacts.at(closed.contact), 18) + " " +
                    std::string(to_string(closed.status)));
  for (const std::size_t c : changing)
    if (c < mode.constraints.size() && mode.constraints[c])
      lines.push_back(cut(trace.constraints[c], 18) + " on");
  if (lines.empty()) return {"all open"};
  if (lines.size() > most_lines) {
    const std::size_t more = lines.size() - (most_lines - 1);
    lines.resize(most_lines - 1);
    lines.push_back(fmt::format("and {} more", more));
  }
  return lines;
}

struct DrawnBox {
  int column = 0;
  double x = 0.0, y = 0.0, height = 0.0, order = 0.0;
};

/// Columns by the number of passes from the first location, over the ones that are shown.
class Layout {
 public:
  Layout(const VisitedAutomaton& automaton, const std::vector<int>& shown) : automaton_(automaton) {
    for (const int id : shown) boxes_[id] = {};
    count_columns(shown.front());
    for (auto& [id, box] : boxes_) {
      box.height =
          line_height * static_cast<double>(automaton.locations[id].lines.size() + 1) + 14.0;
      box.order = id;
    }
    for (int sweep = 0; sweep < 4; ++sweep) place();
    place();
  }
  const std::map<int, DrawnBox>& boxes() const { return boxes_; }
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  void count_columns(int first) {
    std::vector<int> front{first};
    std::set<int> reached{first};
    for (int column = 0; !front.empty(); ++column) {
      std::vector<int> next;
      for (const int id : front) boxes_[id].column = std::min(column, most_columns - 1);
      for (const auto& [pass, count] : automaton_.passes)
        if (std::ranges::find(front, pass.first) != front.end() && boxes_.contains(pass.second) &&
            reached.insert(pass.second).second)
          next.push_back(pass.second);
      front = next;
    }
    for (auto& [id, box] : boxes_)  // reached only through what is not shown
      if (!reached.contains(id)) box.column = most_columns - 1;
  }
  /// Stacks the boxes of each column by their order, then orders them by the mean height of their neighbours.
  void place() {
    height_ = width_ = 0.0;
    for (int column = 0; column < most_columns; ++column) {
      std::vector<int> ids;
      for (const auto& [id, box] : boxes_)
        if (box.column == column) ids.push_back(id);
      std::ranges::stable_sort(ids, {}, [&](int id) { return boxes_[id].order; });
      double y = 8.0;
      for (const int id : ids) {
        DrawnBox& box = boxes_[id];
        box.x = 8.0 + column * (box_width + column_gap);
        box.y = y;
        y += box.height + row_gap;
        width_ = std::max(width_, box.x + box_width + 40.0);
        height_ = std::max(height_, y);
      }
    }
    for (auto& [id, box] : boxes_) {
      double sum = box.y, count = 1.0;
      for (const auto& [pass, passes] : automaton_.passes) {
        const int other = pass.first == id ? pass.second : pass.second == id ? pass.first : id;
        if (other == id || !boxes_.contains(other)) continue;
        sum += boxes_[other].y;
        count += 1.0;
      }
      box.order = sum / count;
    }
  }

  const VisitedAutomaton& automaton_;
  std::map<int, DrawnBox> boxes_;
  double width_ = 0.0, height_ = 0.0;
};

std::string draw_way(const DrawnBox& a, const DrawnBox& b, int from, int to, long count) {
  const double ya = a.y + a.height / 2, yb = b.y + b.height / 2;
  double x0 = a.x + box_width, x1 = b.x, c0 = x0 + column_gap * 0.6, c1 = x1 - column_gap * 0.6;
  double y0 = ya - 5.0, y1 = yb - 5.0;
  if (a.column == b.column) {  // beside the column
    x1 = b.x + box_width;
    c0 = c1 = x0 + column_gap * 0.7 + 0.04 * std::abs(yb - ya);
    y0 = ya + (yb > ya ? 8.0 : -8.0);
    y1 = yb + (yb > ya ? -8.0 : 8.0);
  } else if (a.column > b.column) {  // back
    x0 = a.x;
    x1 = b.x + box_width;
    c0 = x0 - column_gap * 0.6;
    c1 = x1 + column_gap * 0.6;
    y0 = ya + 7.0;
    y1 = yb + 7.0;
  }
  const double lx = 0.125 * x0 + 0.375 * c0 + 0.375 * c1 + 0.125 * x1,
               ly = 0.5 * (y0 + y1) + (a.column > b.column ? 12.0 : -4.0);
  return fmt::format(
      "<g class=\"way\" data-way=\"{}-{}\"><path d=\"M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} "
      "{:.1f} "
      "{:.1f}\" style=\"stroke-width:{:.1f}\"/><path class=\"tip\" d=\"M{:.1f} {:.1f}l{:.0f} "
      "-4v8z\"/>"
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g>",
      from, to, x0, y0, c0, y0, c1, y1, x1, y1, 1.0 + 0.4 * std::log10(static_cast<double>(count)),
      x1, y1, a.column < b.column ? -7.0 : 7.0, lx, ly, count);
}

std::string draw_box(const VisitedLocation& location, const DrawnBox& box, int id, long again) {
  std::string svg = fmt::format(
      "<g class=\"location\" data-location=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
      "height=\"{:.1f}\" rx=\"8\"/>",
      id, box.x, box.y, box_width, box.height);
  double y = box.y + 18.0;
  for (const std::string& line : location.lines) {
    svg += fmt::format("<text class=\"what\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", box.x + 10.0, y,
                       escape(line));
    y += line_height;
  }
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}×, {} s{}</text></g>", box.x + 10.0, y,
                     location.visits, pretty(location.dwell, 4),
                     again > 0 ? fmt::format(", ↻ {}", again) : "");
  return svg;
}

}  // namespace

VisitedAutomaton visited_automaton(const Trace& trace) {
  VisitedAutomaton automaton;
  const std::vector<std::size_t> changing = changing_constraints(trace);
  std::map<std::vector<int>, int> known;
  int before = -1;
  for (const TraceMode& mode : trace.modes) {
    std::vector<int> key;
    for (const TraceStatus& closed : mode.closed)
      key.insert(key.end(), {closed.contact, static_cast<int>(closed.status)});
    for (const std::size_t c : changing)
      key.push_back(c < mode.constraints.size() && mode.constraints[c] ? -2 : -1);
    const auto [place, is_new] = known.emplace(key, number_of(automaton.locations));
    if (is_new) automaton.locations.push_back({words_of(trace, mode, changing)});
    const int id = place->second;
    VisitedLocation& location = automaton.locations[id];
    location.visits += id == before ? 0 : 1;
    location.dwell += mode.end - mode.begin;
    if (before >= 0) ++automaton.passes[{before, id}];
    automaton.of_mode.push_back(id);
    before = id;
  }
  return automaton;
}

std::string draw_automaton(const VisitedAutomaton& automaton, std::size_t most) {
  if (automaton.locations.empty()) return "";
  std::vector<int> shown(automaton.locations.size());
  std::iota(shown.begin(), shown.end(), 0);
  std::ranges::stable_sort(shown.begin() + 1, shown.end(), std::greater{},
                           [&](int id) { return automaton.locations[id].visits; });
  if (shown.size() > most) shown.resize(most);
  std::ranges::sort(shown);
  const Layout layout(automaton, shown);
  const auto& boxes = layout.boxes();
  std::string svg = fmt::format(
      "<svg class=\"plot automaton\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" aria-label=\"the locations visited\">",
      layout.width(), layout.height());
  for (const auto& [pass, count] : automaton.passes)
    if (pass.first != pass.second && boxes.contains(pass.first) && boxes.contains(pass.second))
      svg += draw_way(boxes.at(pass.first), boxes.at(pass.second), pass.first, pass.second, count);
  for (const auto& [id, box] : boxes) {
    const auto again = automaton.passes.find({id, id});
    svg += draw_box(automaton.locations[id], box, id,
                    again == automaton.passes.end() ? 0 : again->second);
  }
  return svg + "</svg>";
}

}  // namespace clack::report
