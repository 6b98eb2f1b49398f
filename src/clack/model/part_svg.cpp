// SPDX-License-Identifier: Apache-2.0
// SVG: elements with their attributes; what draws is handed to a pen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/svg_path.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using Attributes = std::map<std::string, std::string, std::less<>>;

constexpr std::size_t deepest_element = 200;

/// A tag of the document: <name a="b">, </name> or <name/>.
struct SvgTag {
  std::string name;
  Attributes attributes;
  bool is_end = false, is_empty = false;
  int line = 1;
};

/// Tags one after another. Comments, declarations and texts are passed over; entities stay as they are.
class SvgTags {
 public:
  SvgTags(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  std::optional<SvgTag> next() {
    while (true) {
      skip_to('<');
      if (at_ >= text_.size()) return std::nullopt;
      if (skip_block("<!--", "-->") || skip_block("<?", "?>") || skip_block("<![CDATA[", "]]>") ||
          skip_block("<!", ">"))
        continue;
      ++at_;
      return tag();
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    SvgPlace{path_, line_}.fail(what, "save the drawing as plain SVG");
  }
  void advance(std::size_t count) {
    for (std::size_t k = 0; k < count && at_ < text_.size(); ++k)
      if (text_[at_++] == '\n') ++line_;
  }
  void skip_to(char c) { advance(std::min(text_.find(c, at_), text_.size()) - at_); }
  bool skip_block(std::string_view begin, std::string_view end) {
    if (!text_.substr(at_).starts_with(begin)) return false;
    const std::size_t stop = text_.find(end, at_ + begin.size());
    if (stop == std::string_view::npos) fail(fmt::format("\"{}\" without an end", begin));
    advance(stop + end.size() - at_);
    return true;
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) advance(1);
  }
  std::string word() {
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n=/>\"'<", at_), text_.size());
    std::string name(text_.substr(at_, end - at_));
    advance(end - at_);
    if (name.empty()) fail("a tag without a name");
    return name;
  }
  SvgTag tag() {
    SvgTag tag;
    tag.line = line_;
    tag.is_end = at_ < text_.size() && text_[at_] == '/';
    if (tag.is_end) advance(1);
    tag.name = word();
    if (const std::size_t colon = tag.name.find(':'); colon != std::string::npos)
      tag.name.erase(0, tag.name.starts_with("svg:") ? colon + 1 : 0);
    while (true) {
      skip_blanks();
      if (at_ >= text_.size()) fail("a tag without an end");
      if (text_[at_] == '>') break;
      if (text_[at_] == '/') {
        tag.is_empty = true;
        advance(1);
        continue;
      }
      const std::string name = word();
      skip_blanks();
      if (at_ >= text_.size() || text_[at_] != '=') fail("an attribute without a value");
      advance(1);
      skip_blanks();
      const char quote = at_ < text_.size() ? text_[at_] : ' ';
      const std::size_t end = text_.find(quote, at_ + 1);
      if ((quote != '"' && quote != '\'') || end == std::string_view::npos)
        fail("an attribute without quotes");
      tag.attributes[name] = text_.substr(at_ + 1, end - at_ - 1);
      advance(end + 1 - at_);
    }
    advance(1);
    return tag;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  int line_ = 1;
};

/// transform="rotate(30) translate(1, 2)".
PlanarMap read_transform(std::string_view text, const SvgPlace& place) {
  const auto refuse = [&] {
    place.fail(fmt::format("transform \"{}\" is not understood", printable(text, 40)),
               "use matrix, translate, scale, rotate, skewX and skewY");
  };
  PlanarMap map;
  while (text.find('(') != std::string_view::npos) {
    const std::size_t open = text.find('('), end = text.find(')');
    if (end == std::string_view::npos || end < open) refuse();
    std::string name(text.substr(0, open));
    std::erase_if(name, [](char c) { return !std::isalpha(static_cast<unsigned char>(c)); });
    std::string_view list = text.substr(open + 1, end - open - 1);
    std::vector<double> v;
    while (const auto number = take_svg_number(list)) v.push_back(*number);
    text.remove_prefix(end + 1);
    PlanarMap step;
    const std::size_t n = v.size();
    const double angle = n > 0 ? v[0] * std::numbers::pi / 180.0 : 0.0;
    if (name == "matrix" && n == 6) {
      step.linear << v[0], v[2], v[1], v[3];
      step.shift = {v[4], v[5]};
    } else if (name == "translate" && (n == 1 || n == 2)) {
      step.shift = {v[0], n == 2 ? v[1] : 0.0};
    } else if (name == "scale" && (n == 1 || n == 2)) {
      step.linear << v[0], 0.0, 0.0, n == 2 ? v[1] : v[0];
    } else if (name == "rotate" && (n == 1 || n == 3)) {
      step.linear << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
      if (n == 3) step.shift = Vector2d(v[1], v[2]) - step.linear * Vector2d(v[1], v[2]);
    } else if (name == "skewX" && n == 1) {
      step.linear(0, 1) = std::tan(angle);
    } else if (name == "skewY" && n == 1) {
      step.linear(1, 0) = std::tan(angle);
    } else {
      refuse();
    }
    map = map.after(step);
  }
  return map;
}

class SvgReader {
 public:
  SvgReader(const std::string& text, const std::string& path, const PartFileChoice& choice)
      : tags_(text, path), path_(path), choice_(choice) {}

  std::vector<OutlineLoop> loops() {
    bool has_root = false;
    while (const auto tag = tags_.next()) {
      const SvgPlace place{path_, tag->line};
      if (tag->is_end) {
        if (stack_.empty() || stack_.back().name != tag->name)
          place.fail(fmt::format("</{}> closes nothing", printable(tag->name, 40)),
                     "save the drawing as plain SVG");
        stack_.pop_back();
        continue;
      }
      if (!has_root && tag->name != "svg")
        place.fail("this is no SVG drawing", "save the drawing as plain SVG");
      has_root = true;
      open(*tag, place);
      if (tag->is_empty) stack_.pop_back();
    }
    if (!has_root || !stack_.empty())
      throw ModelError("the SVG drawing ends too early", path_, "save it again");
    if (!choice_.id.empty() && !has_id_)
      throw ModelError(fmt::format("there is no element with the id {}", printable(choice_.id, 60)),
                       path_, "check the id in the drawing");
    return std::move(loops_);
  }

 private:
  struct Element {
    std::string name;
    PlanarMap map;
    bool is_chosen = false, is_hidden = false;
  };

  void open(const SvgTag& tag, const SvgPlace& place) {
    if (stack_.size() > deepest_element)
      place.fail("elements within elements beyond 200", "save the drawing as plain SVG");
    Element element{tag.name, {}, choice_.id.empty(), false};
    if (stack_.empty())
      element.map = root_map(tag, place);
    else
      element = {tag.name, stack_.back().map, stack_.back().is_chosen, stack_.back().is_hidden};
    for (const char* hidden : {"defs", "clipPath", "mask", "symbol", "marker", "pattern"})
      element.is_hidden |= tag.name == hidden;
    if (const auto found = tag.attributes.find("id");
        found != tag.attributes.end() && !choice_.id.empty() && found->second == choice_.id)
      element.is_chosen = has_id_ = true;
    if (const auto found = tag.attributes.find("transform"); found != tag.attributes.end())
      element.map = element.map.after(read_transform(found->second, place));
    if (element.is_chosen && !element.is_hidden) draw(tag, element.map, place);
    stack_.push_back(std::move(element));
  }

  /// From user units to m, y turned up.
  PlanarMap root_map(const SvgTag& tag, const SvgPlace& place) const {
    double unit = choice_.unit.value_or(0.0);
    if (!choice_.unit) {
      const auto width = tag.attributes.find("width"), box = tag.attributes.find("viewBox");
      std::string_view text = width == tag.attributes.end() ? std::string_view() : width->second;
      const auto length = take_svg_number(text);
      static const std::map<std::string_view, double> metres{
          {"mm", 1e-3}, {"cm", 1e-2}, {"in", 0.0254}, {"m", 1.0}};
      const auto known = metres.find(text);
      double wide = 0.0;
      if (box != tag.attributes.end()) {
        std::string_view list = box->second;
        for (int k = 0; k < 3; ++k) wide = take_svg_number(list).value_or(0.0);
      }
      if (length && known != metres.end() && wide > 0.0) unit = *length * known->second / wide;
    }
    if (!(unit > 0.0))
      place.fail("the drawing does not say its unit (width in mm and viewBox)",
                 "write unit: mm (or m, inch) beside file");
    PlanarMap map;
    map.linear << unit, 0.0, 0.0, -unit;
    return map;
  }

  static double length_of(const SvgTag& tag, const char* key, const SvgPlace& place) {
    const auto found = tag.attributes.find(key);
    if (found == tag.attributes.end()) return 0.0;
    std::string_view text = found->second;
    const auto value = take_svg_number(text);
    if (!value || !text.empty())
      place.fail(fmt::format("{}=\"{}\" is no number", key, printable(found->second, 40)),
                 "write lengths in user units");
    return *value;
  }

  void draw(const SvgTag& tag, const PlanarMap& map, const SvgPlace& place) {
    SvgPen pen(map, choice_, place);
    const auto of = [&](const char* key) { return length_of(tag, key, place); };
    const auto text_of = [&](const char* key) -> std::string_view {
      const auto found = tag.attributes.find(key);
      return found == tag.attributes.end() ? std::string_view() : found->second;
    };
    if (tag.name == "path") {
      draw_svg_path(text_of("d"), place, pen);
    } else if (tag.name == "polygon") {
      draw_polygon(text_of("points"), place, pen);
    } else if (tag.name == "rect") {
      draw_rectangle({of("x"), of("y")}, {of("width"), of("height")}, {of("rx"), of("ry")}, pen);
    } else if (tag.name == "circle" && of("r") > 0.0) {
      pen.circle({of("cx"), of("cy")}, of("r"));
    } else if (tag.name == "ellipse" && of("rx") > 0.0 && of("ry") > 0.0) {
      const Vector2d centre(of("cx"), of("cy")), radii(of("rx"), of("ry")), r(radii.x(), 0.0);
      pen.move_to(centre + r);
      pen.arc_to(radii, 0.0, false, true, centre - r);
      pen.arc_to(radii, 0.0, false, true, centre + r);
      pen.close();
    } else if (tag.name == "use" || tag.name == "polyline" || tag.name == "line") {
      place.fail(fmt::format("<{}> is no closed outline", tag.name),
                 "draw paths, polygons, rects and circles, or name one by id");
    } else {
      return;
    }
    for (OutlineLoop& loop : pen.finish()) loops_.push_back(std::move(loop));
  }

  static void draw_polygon(std::string_view list, const SvgPlace& place, SvgPen& pen) {
    bool is_first = true;
    while (const auto x = take_svg_number(list)) {
      const auto y = take_svg_number(list);
      if (!y) place.fail("points with an odd number of numbers", "write points=\"x,y x,y ...\"");
      if (is_first)
        pen.move_to({*x, *y});
      else
        pen.line_to({*x, *y});
      is_first = false;
    }
    pen.close();
  }

  static void draw_rectangle(const Vector2d& corner, const Vector2d& size, Vector2d round,
                             SvgPen& pen) {
    if (round.x() == 0.0) round.x() = round.y();
    if (round.y() == 0.0) round.y() = round.x();
    round = round.cwiseMin(0.5 * size).cwiseMax(0.0);
    const Vector2d end = corner + size;
    pen.move_to({corner.x() + round.x(), corner.y()});
    pen.line_to({end.x() - round.x(), corner.y()});
    pen.arc_to(round, 0.0, false, true, {end.x(), corner.y() + round.y()});
    pen.line_to({end.x(), end.y() - round.y()});
    pen.arc_to(round, 0.0, false, true, {end.x() - round.x(), end.y()});
    pen.line_to({corner.x() + round.x(), end.y()});
    pen.arc_to(round, 0.0, false, true, {corner.x(), end.y() - round.y()});
    pen.line_to({corner.x(), corner.y() + round.y()});
    pen.arc_to(round, 0.0, false, true, {corner.x() + round.x(), corner.y()});
    pen.close();
  }

  SvgTags tags_;
  const std::string& path_;
  const PartFileChoice& choice_;
  std::vector<Element> stack_;
  std::vector<OutlineLoop> loops_;
  bool has_id_ = false;
};

}  // namespace

std::vector<OutlineLoop> read_svg_part(const std::string& text, const std::string& path,
                                       const PartFileChoice& choice) {
  return SvgReader(text, path, choice).loops();
}

}  // namespace clack
