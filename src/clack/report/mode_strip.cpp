// SPDX-License-Identifier: Apache-2.0
#include "clack/report/mode_strip.hpp"

#include <fmt/format.h>

#include <utility>

#include "clack/report/markup.hpp"
#include "clack/report/measures.hpp"
#include "clack/report/plot.hpp"

namespace clack::report {
namespace {

constexpr double units = 100.0, line = 26.0, strip = 12.0, head = 28.0, foot = 34.0;

struct Strip {
  std::string name;
  std::vector<char> cells;      // per half pixel: o(pen), s(tick), l (slip), n (constraint on)
  std::vector<double> impacts;  // times
};

/// Times spent in the statuses inside one half pixel.
struct Share {
  double stick = 0.0, slip = 0.0, on = 0.0;
  char letter() const {
    if (on > 0.0) return 'n';
    if (stick <= 0.0 && slip <= 0.0) return 'o';
    return stick > slip ? 's' : 'l';
  }
};

class Builder {
 public:
  Builder(const Trace& trace, double field_width)
      : trace_(trace), cells_(static_cast<std::size_t>(std::max(1.0, 2.0 * field_width))) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const TraceMode& mode : trace.modes) {
      low = std::min(low, mode.begin);
      high = std::max(high, mode.end);
    }
    range_ = range_of(std::array{low, high});
  }

  const Range& range() const { return range_; }

  template <class Add>
  std::vector<char> cells(const Add& add) const {
    std::vector<Share> shares(cells_);
    const double cell = range_.size() / static_cast<double>(cells_);
    for (const TraceMode& mode : trace_.modes) {
      if (!(mode.end > mode.begin)) continue;
      const auto index = [&](double t) {
        return std::min(cells_ - 1,
                        static_cast<std::size_t>(std::max(0.0, (t - range_.low) / cell)));
      };
      for (std::size_t k = index(mode.begin); k <= index(mode.end); ++k) {
        const double begin = range_.low + cell * static_cast<double>(k);
        const double time = std::min(mode.end, begin + cell) - std::max(mode.begin, begin);
        if (time > 0.0) add(mode, time, shares[k]);
      }
    }
    std::vector<char> letters;
    for (const Share& share : shares) letters.push_back(share.letter());
    return letters;
  }

  Strip contact(std::size_t index) const {
    Strip result{trace_.contacts[index], {}, {}};
    result.cells = cells([index](const TraceMode& mode, double time, Share& share) {
      const ContactStatus status = mode.status_of(index);
      if (status == ContactStatus::stick) share.stick += time;
      if (status == ContactStatus::slip || status == ContactStatus::trans) share.slip += time;
    });
    for (const TraceImpact& impact : trace_.impacts)
      for (const int contact : impact.contacts)
        if (std::cmp_equal(contact, index)) result.impacts.push_back(impact.t);
    return result;
  }

  Strip constraint(std::size_t index) const {
    Strip result{trace_.constraints[index], {}, {}};
    result.cells = cells([index](const TraceMode& mode, double time, Share& share) {
      if (index < mode.constraints.size() && mode.constraints[index]) share.on += time;
    });
    return result;
  }

 private:
  const Trace& trace_;
  std::size_t cells_;
  Range range_;
};

std::string_view class_of(char letter) {
  switch (letter) {
    case 's':
      return "stick";
    case 'l':
      return "slip";
    case 'n':
      return "on";
    default:
      return "open";
  }
}

std::string draw_cells(const Strip& of, double top, double width) {
  const double cell = width * units / static_cast<double>(of.cells.size());
  std::string svg =
      fmt::format("<rect class=\"open\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\"/>",
                  top * units, width * units, strip * units);
  for (std::size_t begin = 0; begin < of.cells.size();) {
    std::size_t end = begin;
    while (end < of.cells.size() && of.cells[end] == of.cells[begin]) ++end;
    if (of.cells[begin] != 'o')
      svg += fmt::format(
          "<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\"/>",
          class_of(of.cells[begin]), static_cast<double>(begin) * cell, top * units,
          static_cast<double>(end - begin) * cell, strip * units);
    begin = end;
  }
  return svg;
}

/// At most one mark per pixel.
std::string draw_impacts(const Strip& of, double top, double width, const Range& range) {
  std::string svg;
  long last = -1;
  for (const double t : of.impacts) {
    const double x = width * (t - range.low) / range.size();
    if (std::lround(x) == last) continue;
    last = std::lround(x);
    svg +=
        fmt::format("<rect class=\"hit\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"150\" height=\"500\"/>",
                    (x - measures.impact_left) * units, (top - measures.impact_rise) * units);
  }
  return svg;
}

std::string draw_key(double left, bool has_constraints) {
  std::string svg = "<text class=\"title\" x=\"2\" y=\"14\">mode</text>";
  double x = std::max(left, measures.strip_key_begin);
  const auto add = [&](std::string_view name, std::string_view text, double height) {
    svg += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\"/><text "
        "x=\"{:.1f}\" "
        "y=\"14\">{}</text>",
        name, x, measures.strip_middle - 0.5 * height, name == "hit" ? 2 : 14, height,
        x + (name == "hit" ? measures.strip_impact_text : measures.strip_key_text), text);
    x += measures.strip_key_space + text_width(std::string(text));
  };
  add("open", "open", measures.strip_key_height);
  add("stick", "stick", measures.strip_key_height);
  add("slip", "slip", measures.strip_key_height);
  add("hit", "impact", measures.strip_key_height);
  if (has_constraints) add("on", "constraint on", measures.strip_key_height);
  return svg;
}

/// Contacts that were closed for some time, or hit.
std::vector<bool> ever_touched(const Trace& trace) {
  std::vector<bool> touched(trace.contacts.size(), false);
  for (const TraceMode& mode : trace.modes)
    if (mode.end > mode.begin)
      for (const TraceStatus& closed : mode.closed) touched.at(closed.contact) = true;
  for (const TraceImpact& impact : trace.impacts)
    for (const int contact : impact.contacts) touched.at(contact) = true;
  return touched;
}

std::string draw(const std::vector<Strip>& strips, const Range& range, double left, double width,
                 bool has_constraints) {
  const double field = width - left - measures.right_margin,
               height = line * static_cast<double>(strips.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot linked strip\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" aria-label=\"the mode over time\">",
      width, head + height + foot);
  svg += draw_key(left, has_constraints);
  svg += fmt::format("<text class=\"read\" x=\"{:.1f}\" y=\"14\" text-anchor=\"end\"></text>",
                     width - measures.right_margin);
  std::string inside;
  for (std::size_t k = 0; k < strips.size(); ++k) {
    const double top = line * static_cast<double>(k) + measures.strip_middle;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                       left - measures.strip_name_distance, head + top + measures.strip_name_drop,
                       escape(strips[k].name));
    inside += draw_cells(strips[k], top, field) + draw_impacts(strips[k], top, field, range);
  }
  svg += "<svg " + field_attributes(left, head, field, height, range, {0.0, 1.0}) + ">" + inside +
         "</svg>";
  return svg + x_marks(range, left, field, head + height + measures.x_label_drop, "t in s") +
         "</svg>";
}

}  // namespace

ModeStrip draw_mode_strip(const Trace& trace, double width, std::size_t most_strips) {
  ModeStrip result;
  double left = measures.strip_names;
  for (const auto* names : {&trace.contacts, &trace.constraints})
    for (const std::string& name : *names)
      left = std::max(left, text_width(name) + measures.strip_name_space);
  left = std::min(left, measures.most_for_names * width);
  const Builder builder(trace, width - left - measures.right_margin);
  const std::vector<bool> touched = ever_touched(trace);
  std::vector<Strip> strips;
  for (std::size_t k = 0; k < trace.contacts.size(); ++k) {
    if (!touched[k])
      result.untouched.push_back(trace.contacts[k]);
    else if (strips.size() < most_strips)
      strips.push_back(builder.contact(k)), result.contacts.push_back(static_cast<int>(k));
    else
      ++result.left_out;
  }
  for (std::size_t k = 0; k < std::min(trace.constraints.size(), most_strips); ++k)
    strips.push_back(builder.constraint(k)), result.constraints.push_back(static_cast<int>(k));
  if (!strips.empty() && !trace.modes.empty())
    result.svg = draw(strips, builder.range(), left, width, !trace.constraints.empty());
  return result;
}

}  // namespace clack::report
