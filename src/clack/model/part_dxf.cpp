// SPDX-License-Identifier: Apache-2.0
// DXF as text: pairs of lines, a group code and a value. Entities of the section ENTITIES that draw outlines, and of the
// blocks that they insert.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "clack/error.hpp"
#include "clack/geometry/tolerances.hpp"
#include "clack/input_file.hpp"
#include "clack/model/dxf_curves.hpp"
#include "clack/model/dxf_text.hpp"
#include "clack/model/flattening.hpp"
#include "clack/model/part_files.hpp"
#include "clack/model/svg_path.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
constexpr double turn_of_degrees = std::numbers::pi / 180.0;
constexpr int deepest_block = 16;  // of blocks in blocks

class DxfReader : DxfText {
 public:
  DxfReader(const std::string& text, const std::string& path, const PartFileChoice& choice)
      : DxfText(text, path), path_(path), choice_(choice), groups_(groups()) {}

  std::vector<OutlineLoop> loops() {
    read_unit();
    read_blocks();
    const std::size_t at = section("ENTITIES");
    if (at == groups_.size())
      throw ModelError("there is no section ENTITIES", path_, "save the drawing as ASCII DXF");
    Placing placing;
    placing.map.linear *= *choice_.unit;
    draw(at, placing);
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
  struct Piece {  // a line, an arc or a flattened curve whose ends look for others
    Vector2d from, to;
    double bulge = 0.0;
    int line = 0;
    std::vector<Vector2d> between = {};  // of a flattened curve
    bool is_used = false;
  };
  /// Where an entity goes: into the part, m, and the layer that those on layer 0 of a block are on.
  struct Placing {
    PlanarMap map;
    std::string layer = "0";
    int depth = 0;
  };
  struct Block {
    std::size_t begin = 0;  // of its entities
    Vector2d base = Vector2d::Zero();
  };
  struct Entity {
    std::string_view kind;
    std::span<const DxfGroup> groups;
    int line = 0;
    PlanarMap map;  // its own coordinates into the part
  };

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

  void read_blocks() {
    for (std::size_t at = section("BLOCKS"); at < groups_.size() && groups_[at].value != "ENDSEC";
         at = next_entity(at)) {
      if (groups_[at].code != 0 || groups_[at].value != "BLOCK") continue;
      const std::size_t end = next_entity(at);
      const auto groups = std::span(groups_).subspan(at + 1, end - at - 1);
      blocks_[text_of(groups, 2, "")] = {end, point_of(groups, 10)};
    }
  }

  /// The entities from a place up to the end of their section or block.
  void draw(std::size_t at, const Placing& placing) {
    while (at < groups_.size() && groups_[at].value != "ENDSEC" && groups_[at].value != "ENDBLK") {
      const std::size_t end = next_entity(at);
      if (groups_[at].code == 0)
        draw_entity({groups_[at].value, std::span(groups_).subspan(at + 1, end - at - 1),
                     groups_[at].line + 1, placing.map},
                    placing);
      at = end;
    }
  }

  void draw_entity(Entity e, const Placing& placing) {
    std::string layer = text_of(e.groups, 8, "0");
    if (layer == "0") layer = placing.layer;
    // Seen from below: x is turned round. Lines, splines and ellipses are in the coordinates of the drawing all the same.
    const bool is_mirrored = value_of(e.groups, 230, 1.0) < 0.0;
    if (is_mirrored && e.kind != "LINE" && e.kind != "SPLINE" && e.kind != "ELLIPSE")
      e.map.linear.col(0) *= -1.0;
    if (e.kind == "INSERT") return insert(e, {e.map, layer, placing.depth + 1});
    ++layers_[layer];
    if (!choice_.layer.empty() && layer != choice_.layer) return;
    has_layer_ = true;
    count(1);
    if (e.kind == "LWPOLYLINE") return read_polyline(e);
    if (e.kind == "LINE")
      pieces_.push_back(
          {e.map(point_of(e.groups, 10)), e.map(point_of(e.groups, 11)), 0.0, e.line});
    else if (e.kind == "CIRCLE")
      read_arc(e, 0.0, 2.0 * std::numbers::pi);
    else if (e.kind == "ARC")
      read_arc(e, turn_of_degrees * value_of(e.groups, 50, 0.0),
               turn_of_degrees * value_of(e.groups, 51, 0.0));
    else if (e.kind == "ELLIPSE")
      read_ellipse(e, is_mirrored ? -1.0 : 1.0);
    else if (e.kind == "SPLINE")
      read_spline(e);
    else if (!is_remark(e.kind))
      fail(e.line, fmt::format("{} is not read", printable(e.kind, 40)),
           "convert it to LWPOLYLINE, LINE, ARC, CIRCLE, ELLIPSE or SPLINE, or choose a layer "
           "without it");
  }

  /// What says something about a drawing and is no outline.
  static bool is_remark(std::string_view kind) {
    static constexpr std::string_view remarks[] = {
        "TEXT",      "MTEXT", "DIMENSION", "ARC_DIMENSION", "LEADER", "MULTILEADER",
        "TOLERANCE", "POINT", "HATCH",     "ATTDEF",        "ATTRIB", "SEQEND",
        "VIEWPORT",  "IMAGE", "WIPEOUT",   "XLINE",         "RAY"};
    return std::ranges::find(remarks, kind) != std::end(remarks);
  }

  /// A block, turned, scaled and moved, perhaps in rows and columns.
  void insert(const Entity& e, const Placing& placing) {
    const std::string name = text_of(e.groups, 2, "");
    const auto block = blocks_.find(name);
    if (block == blocks_.end())
      fail(e.line, fmt::format("INSERT of a block {} that is not in the file", printable(name, 60)),
           "bind the block into the drawing, or choose a layer without it");
    if (placing.depth > deepest_block)
      fail(e.line, fmt::format("blocks in blocks, {} deep", placing.depth),
           "explode them; a block must not insert itself");
    const double angle = turn_of_degrees * value_of(e.groups, 50, 0.0), c = std::cos(angle),
                 s = std::sin(angle);
    Eigen::Matrix2d turn;
    turn << c, -s, s, c;
    const Vector2d scale(value_of(e.groups, 41, 1.0), value_of(e.groups, 42, 1.0));
    const double columns = std::max(1.0, value_of(e.groups, 70, 1.0)),
                 rows = std::max(1.0, value_of(e.groups, 71, 1.0));
    if (!(columns * rows <= static_cast<double>(most_part_vertices)))
      fail(e.line, fmt::format("{:.6g} copies of block {}", columns * rows, printable(name, 60)),
           "draw fewer");
    for (double row = 0.0; row < rows; row += 1.0)
      for (double column = 0.0; column < columns; column += 1.0) {
        count(1);
        const Vector2d shift(column * value_of(e.groups, 44, 0.0),
                             row * value_of(e.groups, 45, 0.0));
        Placing inner = placing;
        PlanarMap own{turn * scale.asDiagonal(), Vector2d::Zero()};
        own.shift = point_of(e.groups, 10) + turn * shift - own.linear * block->second.base;
        inner.map = placing.map.after(own);
        draw(block->second.begin, inner);
      }
  }

  /// Counter-clockwise from one angle to another; a whole circle where they are one.
  void read_arc(const Entity& e, double from, double to) {
    const double radius = value_of(e.groups, 40, 0.0);
    double sweep = std::fmod(to - from, 2.0 * std::numbers::pi);
    if (sweep <= 0.0) sweep += 2.0 * std::numbers::pi;
    if (!(radius > 0.0))
      fail(e.line, e.kind == "CIRCLE" ? "a circle without a radius" : "an arc without a radius",
           "draw it anew");
    draw_arc(e, point_of(e.groups, 10), {radius, 0.0}, {0.0, radius}, from, sweep,
             e.kind == "CIRCLE");
  }

  /// p = centre + cos(a) major + sin(a) minor.
  void draw_arc(const Entity& e, const Vector2d& centre, const Vector2d& major,
                const Vector2d& minor, double from, double sweep, bool is_whole) {
    const auto at = [&](double angle) {
      return e.map(centre + std::cos(angle) * major + std::sin(angle) * minor);
    };
    const PlanarMap axes{e.map.linear * (Eigen::Matrix2d() << major, minor).finished(), {}};
    if (!axes.keeps_circles()) {
      draw_curve(e, [&](double u) { return at(from + u * sweep); });
    } else if (is_whole) {
      loops_.push_back({.kind = LoopKind::circle,
                        .points = {e.map(centre)},
                        .radius = axes.linear.col(0).norm()});
    } else {
      const double sense = axes.linear.determinant() > 0.0 ? 1.0 : -1.0;
      pieces_.push_back({at(from), at(from + sweep), sense * std::tan(sweep / 4.0), e.line});
    }
  }

  void read_ellipse(const Entity& e, double sense) {
    const Vector2d major = point_of(e.groups, 11);
    const double ratio = sense * value_of(e.groups, 40, 1.0), from = value_of(e.groups, 41, 0.0),
                 turn = 2.0 * std::numbers::pi;
    double sweep = std::fmod(value_of(e.groups, 42, turn) - from, turn);
    if (sweep <= 0.0) sweep += turn;
    if (!(major.norm() > 0.0) || ratio == 0.0)
      fail(e.line, "an ellipse without axes", "draw it anew");
    const bool is_whole = turn - sweep < 1e-9;
    draw_arc(e, point_of(e.groups, 10), major, ratio * Vector2d(-major.y(), major.x()), from, sweep,
             is_whole);
  }

  void read_spline(const Entity& e) {
    DxfSpline spline;
    spline.degree = static_cast<int>(std::clamp(value_of(e.groups, 71, 3.0), 0.0, 100.0));
    for (const DxfGroup& group : e.groups) {
      if (group.code == 40) spline.knots.push_back(number(group));
      if (group.code == 41) spline.weights.push_back(number(group));
      if (group.code == 10) spline.points.emplace_back(number(group), 0.0);
      if (group.code == 20 && !spline.points.empty()) spline.points.back().y() = number(group);
    }
    if (!spline.is_sound())
      fail(e.line,
           fmt::format("a SPLINE of degree {} with {} control points, {} knots and {} weights",
                       spline.degree, spline.points.size(), spline.knots.size(),
                       spline.weights.size()),
           "give it control points and ascending knots, one more than points and degree together");
    std::vector<double> knots;  // pieces between them are smooth
    for (const double knot : spline.knots)
      if (knot >= spline.begin() && knot <= spline.end() && (knots.empty() || knot > knots.back()))
        knots.push_back(knot);
    draw_curve(e, [&](double u) {
      const double place = u * static_cast<double>(knots.size() - 1);
      const std::size_t k = std::min(static_cast<std::size_t>(place), knots.size() - 2);
      const double part = place - static_cast<double>(k);
      return e.map(spline.at((1.0 - part) * knots[k] + part * knots[k + 1]));
    });
  }

  template <class Curve>
  void draw_curve(const Entity& e, const Curve& curve) {
    if (!choice_.flatten)
      fail(e.line, fmt::format("{} is no arc, in a drawing without flatten", printable(e.kind, 40)),
           "write flatten: d, the largest distance of facets from the curve in m, or draw arcs");
    Piece piece{curve(0.0), curve(0.0), 0.0, e.line};
    flatten_curve(curve, *choice_.flatten, [&](double u) {
      piece.between.push_back(curve(u));
      count(1);
    });
    piece.to = piece.between.back();
    piece.between.pop_back();
    pieces_.push_back(std::move(piece));
  }

  void read_polyline(const Entity& e) {
    OutlineLoop loop;
    bool is_closed = false;
    for (const DxfGroup& group : e.groups) {
      if (group.code == 70) is_closed = (static_cast<long>(number(group)) & 1) != 0;
      if (group.code == 10) {
        loop.points.emplace_back(number(group), 0.0);
        loop.bulges.push_back(0.0);
      }
      if (loop.points.empty()) continue;
      if (group.code == 20) loop.points.back().y() = number(group);
      if (group.code == 42) loop.bulges.back() = number(group);
    }
    count(loop.points.size());
    if (loop.points.size() < 2) return;
    const bool has_arcs = std::ranges::any_of(loop.bulges, [](double b) { return b != 0.0; });
    if (has_arcs && !e.map.keeps_circles())
      fail(e.line, "arcs of an LWPOLYLINE in a block that is scaled unevenly",
           "explode the block, or scale it evenly");
    const double sense = e.map.linear.determinant() > 0.0 ? 1.0 : -1.0;
    for (Vector2d& point : loop.points) point = e.map(point);
    for (double& bulge : loop.bulges) bulge *= sense;
    if (is_closed) {
      loops_.push_back(std::move(loop));
      return;
    }
    for (std::size_t k = 0; k + 1 < loop.points.size(); ++k)
      pieces_.push_back({loop.points[k], loop.points[k + 1], loop.bulges[k], e.line});
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
      OutlineLoop loop;
      Vector2d end = first.from;
      const auto follow = [&](const Piece& piece, bool is_forward) {
        loop.points.push_back(end);
        loop.points.insert(loop.points.end(), piece.between.begin(), piece.between.end());
        if (!is_forward) std::reverse(loop.points.end() - piece.between.size(), loop.points.end());
        loop.bulges.resize(loop.points.size(), is_forward ? piece.bulge : -piece.bulge);
        end = is_forward ? piece.to : piece.from;
      };
      follow(first, true);
      while ((end - first.from).norm() > near) {
        Piece* const next = next_at(end);
        if (!next) break;
        next->is_used = true;
        follow(*next, (next->from - end).norm() <= near);
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
  const std::vector<DxfGroup>& groups_;
  std::vector<OutlineLoop> loops_;
  std::vector<Piece> pieces_;
  std::map<std::string, int> layers_;
  std::map<std::string, Block> blocks_;
  bool has_layer_ = false;
  long vertices_ = 0;
};

}  // namespace

std::vector<OutlineLoop> read_dxf_part(const std::string& text, const std::string& path,
                                       const PartFileChoice& choice) {
  return DxfReader(text, path, choice).loops();
}

}  // namespace clack
