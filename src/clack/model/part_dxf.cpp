// SPDX-License-Identifier: Apache-2.0
// DXF as text: pairs of lines, a group code and a value. Entities of the section ENTITIES that draw outlines.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include "clack/error.hpp"
#include "clack/geometry/tolerances.hpp"
#include "clack/input_file.hpp"
#include "clack/model/part_files.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
constexpr double turn_of_degrees = std::numbers::pi / 180.0;

struct DxfGroup {
  int code = 0, line = 0;
  std::string_view value;
};

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

class DxfReader {
 public:
  DxfReader(const std::string& text, const std::string& path, const PartFileChoice& choice)
      : path_(path), choice_(choice) {
    split(text);
  }

  std::vector<OutlineLoop> loops() {
    read_unit();
    std::size_t at = 0;
    while (at < groups_.size() && !(groups_[at].code == 2 && groups_[at].value == "ENTITIES")) ++at;
    if (at == groups_.size())
      throw ModelError("there is no section ENTITIES", path_, "save the drawing as ASCII DXF");
    for (++at; at < groups_.size() && groups_[at].value != "ENDSEC";) {
      std::size_t end = at + 1;
      while (end < groups_.size() && groups_[end].code != 0) ++end;
      if (groups_[at].code == 0) read_entity(at, end);
      at = end;
    }
    if (!choice_.layer.empty() && !has_layer_) {
      std::string known;
      for (const auto& [name, count] : layers_) known += (known.empty() ? "" : ", ") + name;
      throw ModelError(fmt::format("there is nothing on layer {}", printable(choice_.layer, 60)),
                       path_, "the layers with entities are " + printable(known));
    }
    join();
    return std::move(loops_);
  }

 private:
  struct Piece {  // a line or an arc whose ends look for others
    Vector2d from, to;
    double bulge = 0.0;
    int line = 0;
    bool is_used = false;
  };

  [[noreturn]] void fail(int line, const std::string& what, const std::string& remedy) const {
    throw ModelError(what, fmt::format("{}:{}:1", path_, line), remedy);
  }

  void split(std::string_view text) {
    std::vector<std::string_view> pair;
    for (int line = 1; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      pair.push_back(trimmed(text.substr(0, end)));
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

  /// The file's $INSUNITS, or `unit`.
  void read_unit() {
    for (std::size_t k = 0; k + 1 < groups_.size() && !choice_.unit; ++k) {
      if (groups_[k].code != 9 || groups_[k].value != "$INSUNITS") continue;
      static const std::map<int, double> metres{{1, 0.0254}, {2, 0.3048}, {4, 1e-3}, {5, 1e-2},
                                                {6, 1.0},    {13, 1e-6},  {14, 1e-1}};
      const auto known = metres.find(static_cast<int>(number(groups_[k + 1])));
      if (known != metres.end()) choice_.unit = known->second;
    }
    if (!choice_.unit)
      throw ModelError("the drawing does not say its unit ($INSUNITS)", path_,
                       "write unit: mm (or m, inch) beside file");
  }

  std::span<const DxfGroup> entity(std::size_t begin, std::size_t end) const {
    return std::span(groups_).subspan(begin + 1, end - begin - 1);
  }
  double value_of(std::span<const DxfGroup> groups, int code, double missing) const {
    for (const DxfGroup& group : groups)
      if (group.code == code) return number(group);
    return missing;
  }

  void read_entity(std::size_t begin, std::size_t end) {
    const std::string_view kind = groups_[begin].value;
    const std::span<const DxfGroup> groups = entity(begin, end);
    const int line = groups_[begin].line + 1;
    std::string layer = "0";
    for (const DxfGroup& group : groups)
      if (group.code == 8) layer = group.value;
    ++layers_[layer];
    if (!choice_.layer.empty() && layer != choice_.layer) return;
    has_layer_ = true;
    const double scale = *choice_.unit;
    const Vector2d centre = scale * Vector2d(value_of(groups, 10, 0.0), value_of(groups, 20, 0.0));
    if (kind == "LWPOLYLINE") return read_polyline(groups, line);
    if (kind == "LINE") {
      const Vector2d to = scale * Vector2d(value_of(groups, 11, 0.0), value_of(groups, 21, 0.0));
      pieces_.push_back({centre, to, 0.0, line});
    } else if (kind == "CIRCLE") {
      const double radius = scale * value_of(groups, 40, 0.0);
      if (!(radius > 0.0)) fail(line, "a circle without a radius", "draw it anew");
      loops_.push_back({.kind = LoopKind::circle, .points = {centre}, .radius = radius});
    } else if (kind == "ARC") {
      const double radius = scale * value_of(groups, 40, 0.0),
                   from = turn_of_degrees * value_of(groups, 50, 0.0);
      double sweep =
          std::fmod(turn_of_degrees * value_of(groups, 51, 0.0) - from, 2.0 * std::numbers::pi);
      if (sweep <= 0.0) sweep += 2.0 * std::numbers::pi;
      if (!(radius > 0.0)) fail(line, "an arc without a radius", "draw it anew");
      const auto at = [&](double angle) -> Vector2d {
        return centre + radius * Vector2d(std::cos(angle), std::sin(angle));
      };
      pieces_.push_back({at(from), at(from + sweep), std::tan(sweep / 4.0), line});
    } else if (kind == "SPLINE" || kind == "ELLIPSE" || kind == "POLYLINE" || kind == "INSERT") {
      fail(line, fmt::format("{} is neither a line nor an arc", kind),
           "explode blocks and convert it to LWPOLYLINE, LINE, ARC and CIRCLE, or choose a layer "
           "without it");
    }
  }

  void read_polyline(std::span<const DxfGroup> groups, int line) {
    OutlineLoop loop;
    bool is_closed = false;
    for (const DxfGroup& group : groups) {
      if (group.code == 70) is_closed = (static_cast<long>(number(group)) & 1) != 0;
      if (group.code == 10) {
        loop.points.emplace_back(*choice_.unit * number(group), 0.0);
        loop.bulges.push_back(0.0);
      }
      if (loop.points.empty()) continue;
      if (group.code == 20) loop.points.back().y() = *choice_.unit * number(group);
      if (group.code == 42) loop.bulges.back() = number(group);
    }
    count(loop.points.size());
    if (loop.points.size() < 2) return;
    if (is_closed) {
      loops_.push_back(std::move(loop));
      return;
    }
    for (std::size_t k = 0; k + 1 < loop.points.size(); ++k)
      pieces_.push_back({loop.points[k], loop.points[k + 1], loop.bulges[k], line});
  }

  void count(std::size_t more) {
    vertices_ += static_cast<long>(more);
    if (vertices_ > most_part_vertices)
      throw ModelError(fmt::format("more than {} vertices", most_part_vertices), path_,
                       "draw fewer");
  }

  /// Lines and arcs end to end; ends meet within 1e-6 of the drawing.
  void join() {
    count(pieces_.size());
    double size = 0.0;
    for (const Piece& p : pieces_) size = std::max({size, p.from.norm(), p.to.norm()});
    const double near = outline_tolerances.joined_ends * size;
    std::multimap<double, std::size_t> by_x;  // ends by their x
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      by_x.emplace(pieces_[k].from.x(), k);
      by_x.emplace(pieces_[k].to.x(), k);
    }
    const auto next_at = [&](const Vector2d& end) -> Piece* {
      Piece* best = nullptr;
      for (auto it = by_x.lower_bound(end.x() - near);
           it != by_x.end() && it->first <= end.x() + near; ++it) {
        Piece& p = pieces_[it->second];
        const bool meets = (p.from - end).norm() <= near || (p.to - end).norm() <= near;
        if (!p.is_used && meets && (!best || &p < best)) best = &p;
      }
      return best;
    };
    for (Piece& first : pieces_) {
      if (first.is_used) continue;
      first.is_used = true;
      OutlineLoop loop{.points = {first.from}, .bulges = {first.bulge}};
      Vector2d end = first.to;
      while (Piece* next = next_at(end)) {
        next->is_used = true;
        const bool is_forward = (next->from - end).norm() <= near;
        loop.points.push_back(end);
        loop.bulges.push_back(is_forward ? next->bulge : -next->bulge);
        end = is_forward ? next->to : next->from;
      }
      if (!((end - first.from).norm() <= near) || loop.points.size() < 2)
        fail(first.line,
             fmt::format("the loop that begins here does not close: open ends at ({:.6g}, {:.6g}) "
                         "and ({:.6g}, {:.6g}) m",
                         first.from.x(), first.from.y(), end.x(), end.y()),
             "close it, or put it on a layer of its own");
      loops_.push_back(std::move(loop));
    }
  }

  const std::string& path_;
  PartFileChoice choice_;
  std::vector<DxfGroup> groups_;
  std::vector<OutlineLoop> loops_;
  std::vector<Piece> pieces_;
  std::map<std::string, int> layers_;
  bool has_layer_ = false;
  long vertices_ = 0;
};

}  // namespace

std::vector<OutlineLoop> read_dxf_part(const std::string& text, const std::string& path,
                                       const PartFileChoice& choice) {
  return DxfReader(text, path, choice).loops();
}

}  // namespace clack
