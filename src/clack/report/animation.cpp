// SPDX-License-Identifier: Apache-2.0
#include "clack/report/animation.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "clack/index.hpp"
#include "clack/json_output.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/viewer.hpp"

namespace clack::report {
namespace {

constexpr std::size_t most_names = 400;  // events that can be jumped to

/// Six digits are more than a screen has; what is not finite, or not in single precision, is not drawn.
void put(std::string& text, double number) {
  const float rounded = static_cast<float>(number) + 0.0F;  // no -0
  if (!std::isfinite(rounded)) {
    text += "null";
    return;
  }
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), rounded,
                                 std::chars_format::general, 6);
  text.append(digits.data(), end.ptr);
}

template <class Numbers>
void put_list(std::string& text, const Numbers& numbers, std::size_t count) {
  text += '[';
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) text += ',';
    put(text, numbers[k]);
  }
  text += ']';
}

/// A name between quotes that cannot end the script it stands in.
void put_name(std::string& text, const std::string& name) {
  std::string quoted;
  append_json_string(quoted, name);
  for (const char c : quoted) c == '<' ? text += "\\u003c" : text += c;
}

void put_parts(std::string& text, const Drawing& drawing) {
  text += "\"parts\":[";
  for (std::size_t k = 0; k < drawing.parts.size(); ++k) {
    const DrawnPart& part = drawing.parts[k];
    text += k > 0 ? ",{\"name\":" : "{\"name\":";
    put_name(text, part.name);
    text += fmt::format(",\"kind\":\"{}\",\"radius\":", to_string(part.kind));
    put(text, part.radius);
    text += ",\"points\":[";
    for (std::size_t p = 0; p < part.points.size(); ++p) {
      if (p > 0) text += ',';
      put_list(text, part.points[p], drawing.place_size());
    }
    // A part that never moves has one pose.
    const auto& first = drawing.frames[0].poses[k];
    bool is_still = true;
    for (const DrawnFrame& frame : drawing.frames) is_still = is_still && frame.poses[k] == first;
    text += "],\"poses\":[";
    for (std::size_t f = 0; f < (is_still ? 1 : drawing.frames.size()); ++f) {
      if (f > 0) text += ',';
      put_list(text, drawing.frames[f].poses[k], drawing.pose_size());
    }
    text += "]}";
  }
  text += ']';
}

/// What the viewer knows a link by.
int code_of(DrawnLink link) {
  switch (link) {
    case DrawnLink::rod:
      return 0;
    case DrawnLink::spring:
      return 1;
    case DrawnLink::gap:
      return 2;
  }
  return 0;
}

/// Of a contact at an impact: time, contact, place, normal and friction impulse.
void put_impulses(std::string& text, const Drawing& drawing) {
  text += ",\"impulses\":[";
  for (std::size_t k = 0; k < drawing.impulses.size(); ++k) {
    const DrawnImpulse& impulse = drawing.impulses[k];
    text += fmt::format("{}[{:.10g},{}", k > 0 ? "," : "", impulse.t, impulse.contact);
    for (const auto* triple : {&impulse.point, &impulse.normal_impulse, &impulse.friction_impulse})
      for (std::size_t i = 0; i < drawing.place_size(); ++i) {
        text += ',';
        put(text, (*triple)[i]);
      }
    text += ']';
  }
  text += ']';
}

void put_frames(std::string& text, const Drawing& drawing) {
  text += ",\"t\":[";
  for (std::size_t f = 0; f < drawing.frames.size(); ++f)
    text += fmt::format("{}{:.10g}", f > 0 ? "," : "", drawing.frames[f].t);
  text += "],\"springs\":[";
  for (std::size_t k = 0; k < drawing.links.size(); ++k)
    text += fmt::format("{}{}", k > 0 ? "," : "", code_of(drawing.links[k]));
  text += "],\"links\":[";
  for (std::size_t f = 0; f < drawing.frames.size() && !drawing.links.empty(); ++f) {
    text += f > 0 ? ",[" : "[";
    for (std::size_t s = 0; s < drawing.frames[f].links.size(); ++s) {
      if (s > 0) text += ',';
      const auto& link = drawing.frames[f].links[s];
      if (drawing.dimension == 2)
        put_list(text, std::array{link[0], link[1], link[3], link[4]}, 4);
      else
        put_list(text, link, 6);
    }
    text += ']';
  }
  text += "],\"contacts\":[";
  for (std::size_t f = 0; f < drawing.frames.size(); ++f) {
    text += f > 0 ? ",[" : "[";
    bool is_first = true;
    for (const DrawnContact& c : drawing.frames[f].contacts) {
      if (!is_first) text += ',';
      is_first = false;
      std::vector<double> numbers{double(c.contact), double(c.status == ContactStatus::stick)};
      for (const auto* triple : {&c.point, &c.normal_force, &c.friction_force})
        numbers.insert(numbers.end(), triple->begin(),
                       triple->begin() + static_cast<std::ptrdiff_t>(drawing.place_size()));
      put_list(text, numbers, numbers.size());
    }
    text += ']';
  }
  text += ']';
}

void put_events(std::string& text, const Trace& trace) {
  text += ",\"events\":[";
  const std::size_t shown = std::min(trace.events.size(), most_names);
  for (std::size_t k = 0; k < shown; ++k) {
    text += fmt::format("{}[{:.10g},", k > 0 ? "," : "", trace.events[k].t);
    put_name(text, std::string(to_string(trace.events[k].kind)));
    text += ']';
  }
  text += ']';
}

}  // namespace

std::string pictures_script(const Trace& trace, const Drawing& drawing, const std::string& id) {
  std::string data =
      fmt::format("{{\"dimension\":{},\"around\":{},", drawing.dimension, drawn_grid.around);
  if (trace.cycle)
    data += fmt::format("\"cycle\":[{:.10g},{:.10g}],", trace.cycle->begin, trace.cycle->end);
  put_parts(data, drawing);
  put_frames(data, drawing);
  put_impulses(data, drawing);
  put_events(data, trace);
  return "<script type=\"application/json\" id=\"" + id + "\">" + data + "}</script>\n";
}

std::string animation_controls() {
  return "<div class=\"controls\">"
         "<button id=\"play\" type=\"button\">Play</button>"
         "<button id=\"back\" type=\"button\" title=\"previous event\">&#9664;|</button>"
         "<button id=\"on\" type=\"button\" title=\"next event\">|&#9654;</button>"
         "<input id=\"scrub\" type=\"range\" min=\"0\" max=\"1000\" value=\"0\" "
         "aria-label=\"time\"/><output id=\"clock\"></output>"
         "<label>speed <select id=\"speed\"></select></label>"
         "<label>follow <select id=\"follow\"><option "
         "value=\"-1\">nothing</option></select></label>"
         "<label>loop <select id=\"loop\"><option value=\"run\">the run</option><option "
         "value=\"once\">not</option></select></label>"
         "<label><input id=\"arrows\" type=\"checkbox\" checked=\"checked\"/> forces</label>"
         "<label><input id=\"trails\" type=\"checkbox\"/> trails</label></div>";
}

std::string animation_help(int dimension) {
  return std::string("<p class=\"soft hint\">") +
         (dimension == 2 ? "Drag to move" : "Drag to turn, with the right button to move") +
         ", wheel to zoom, double-click to see everything. Keys: space plays, left and right go "
         "from event to event, + and - "
         "zoom, " +
         (dimension == 2 ? "up and down move" : "up, down and shift with left, right turn") +
         (dimension == 2
              ? ". Closed contacts are dots (sticking) or rings (slipping)"
              : ". Closed contacts are dots, dark where they stick and light where they slip,") +
         " with the normal and the friction force on the first body; at an impact and shortly "
         "after it double arrows are its impulses.</p>\n";
}

std::string space_element(int dimension) {
  if (dimension != 3) return "";
  if (space_code().empty())
    return "<p class=\"soft\">This program was built without npm, so the part that draws in space "
           "(three.js) is missing. "
           "The plots follow; a program built with npm draws the same run.</p>\n";
  return "<script type=\"text/plain\" id=\"space-code\">" + std::string(space_code()) +
         "</script>\n";
}

std::string animation_section(const Trace& trace, const Drawing& drawing) {
  if (drawing.empty()) return "";
  const std::string head = "<section id=\"motion-picture\"><h2>The motion</h2>\n";
  if (drawing.dimension == 3 && space_code().empty())
    return head + space_element(drawing.dimension) + "</section>\n";
  return head +
         "<div class=\"card\"><canvas id=\"stage\" class=\"stage\" data-pictures=\"pictures\" "
         "tabindex=\"0\" "
         "role=\"img\" aria-label=\"animation of the mechanism\"></canvas>\n" +
         animation_controls() + "</div>\n" + animation_help(drawing.dimension) +
         pictures_script(trace, drawing, "pictures") + space_element(drawing.dimension) +
         "</section>\n";
}

std::string_view animation_css() {
  return R"(canvas.stage{display:block;width:100%;height:420px;touch-action:none;cursor:grab}
.controls{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center;margin-top:10px;font-size:13.5px}
.controls button,.controls select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:3px 10px}
.controls input[type=range]{flex:1 1 200px}.controls output{min-width:11ch;font-variant-numeric:tabular-nums}
.hint{margin-top:8px}
@media print{.controls,.hint{display:none}}
)";
}

}  // namespace clack::report
