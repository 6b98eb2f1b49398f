// SPDX-License-Identifier: Apache-2.0
#include "clack/model/svg_path.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

#include "clack/error.hpp"
#include "clack/geometry/outline_edge.hpp"
#include "clack/geometry/tolerances.hpp"
#include "clack/input_file.hpp"
#include "clack/model/flattening.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
constexpr double pi = std::numbers::pi;

/// Centre and angles of SVG's arc (implementation notes of the standard, F.6.5 and F.6.6).
struct EllipticalArc {
  Vector2d centre, radii;
  double tilt = 0.0, begin = 0.0, sweep = 0.0;

  Vector2d operator()(double u) const {
    const double angle = begin + u * sweep, c = std::cos(tilt), s = std::sin(tilt);
    const double x = radii.x() * std::cos(angle), y = radii.y() * std::sin(angle);
    return centre + Vector2d(c * x - s * y, s * x + c * y);
  }
};

EllipticalArc elliptical_arc(const Vector2d& from, const Vector2d& to, Vector2d radii,
                             double degrees, bool is_large, bool is_positive) {
  EllipticalArc arc;
  arc.tilt = degrees * pi / 180.0;
  const double c = std::cos(arc.tilt), s = std::sin(arc.tilt);
  const Vector2d half = 0.5 * (from - to),
                 p(c * half.x() + s * half.y(), -s * half.x() + c * half.y());
  const double needed = std::pow(p.x() / radii.x(), 2) + std::pow(p.y() / radii.y(), 2);
  if (needed > 1.0) radii *= std::sqrt(needed);
  arc.radii = radii;
  const double rx2 = radii.x() * radii.x(), ry2 = radii.y() * radii.y();
  const double below = rx2 * p.y() * p.y() + ry2 * p.x() * p.x();
  double root = below > 0.0 ? std::sqrt(std::max(0.0, rx2 * ry2 / below - 1.0)) : 0.0;
  if (is_large == is_positive) root = -root;
  const Vector2d offset =
      root * Vector2d(radii.x() * p.y() / radii.y(), -radii.y() * p.x() / radii.x());
  arc.centre = 0.5 * (from + to) +
               Vector2d(c * offset.x() - s * offset.y(), s * offset.x() + c * offset.y());
  const auto angle = [&](const Vector2d& v) {
    return std::atan2((v.y() - offset.y()) / radii.y(), (v.x() - offset.x()) / radii.x());
  };
  arc.begin = angle(p);
  arc.sweep = angle(-p) - arc.begin;
  if (is_positive && arc.sweep < 0.0) arc.sweep += 2.0 * pi;
  if (!is_positive && arc.sweep > 0.0) arc.sweep -= 2.0 * pi;
  return arc;
}

void skip_separators(std::string_view& text) {
  while (!text.empty() && std::string_view(" \t\r\n,").find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
}

}  // namespace

bool PlanarMap::keeps_circles() const {
  const Vector2d a = linear.col(0), b = linear.col(1);
  const double size = a.squaredNorm() + b.squaredNorm();
  return std::abs(a.dot(b)) <= outline_tolerances.same_normal * size &&
         std::abs(a.squaredNorm() - b.squaredNorm()) <= outline_tolerances.same_normal * size;
}

void SvgPlace::fail(const std::string& what, const std::string& remedy) const {
  throw ModelError(what, fmt::format("{}:{}:1", path, line), remedy);
}

void SvgPen::add(const Vector2d& to, double bulge) {
  if ((to - at_).norm() == 0.0) return;
  if (loop_.points.empty()) loop_.points.push_back(map_(at_));
  loop_.bulges.push_back(bulge);
  loop_.points.push_back(map_(to));
  at_ = to;
  if (++vertices_ > most_part_vertices)
    place_.fail(fmt::format("more than {} vertices", most_part_vertices),
                "draw fewer, or flatten less finely");
}

void SvgPen::move_to(const Vector2d& to) {
  if (!loop_.points.empty()) {
    const Vector2d end = map_(at_), begin = map_(start_);
    if ((end - begin).norm() > outline_tolerances.joined_ends * (end.norm() + begin.norm()))
      place_.fail(fmt::format("the path does not close: open ends at ({:.6g}, {:.6g}) and ({:.6g}, "
                              "{:.6g}) m",
                              begin.x(), begin.y(), end.x(), end.y()),
                  "end it with Z, or name the closed one by id");
    close();
  }
  start_ = at_ = to;
}

void SvgPen::line_to(const Vector2d& to) { add(to, 0.0); }

void SvgPen::arc_to(Vector2d radii, double degrees, bool is_large, bool is_positive,
                    const Vector2d& to) {
  radii = radii.cwiseAbs();
  if (radii.minCoeff() == 0.0) return line_to(to);
  if ((to - at_).norm() == 0.0) return;
  const EllipticalArc arc = elliptical_arc(at_, to, radii, degrees, is_large, is_positive);
  const bool is_round =
      std::abs(radii.x() - radii.y()) <= outline_tolerances.same_normal * radii.x();
  if (!is_round || !map_.keeps_circles()) return facets("an elliptical arc", arc);
  const double sense = map_.linear.determinant() > 0.0 ? 1.0 : -1.0;
  add(to, sense * std::tan(arc.sweep / 4.0));
}

void SvgPen::cubic_to(const Vector2d& a, const Vector2d& b, const Vector2d& to) {
  const Vector2d from = at_;
  facets("a curve that is no arc", [=](double u) -> Vector2d {
    const double w = 1.0 - u;
    return w * w * w * from + 3.0 * w * w * u * a + 3.0 * w * u * u * b + u * u * u * to;
  });
}

void SvgPen::circle(const Vector2d& centre, double radius) {
  if (map_.keeps_circles()) {
    loops_.push_back({.kind = LoopKind::circle,
                      .points = {map_(centre)},
                      .radius = radius * map_.linear.col(0).norm()});
    return;
  }
  const Vector2d r(radius, 0.0);
  move_to(centre + r);
  arc_to({radius, radius}, 0.0, false, true, centre - r);
  arc_to({radius, radius}, 0.0, false, true, centre + r);
  close();
}

template <class Curve>
void SvgPen::facets(const char* what, const Curve& curve) {
  if (!choice_.flatten)
    place_.fail(
        fmt::format("{} in a drawing without flatten", what),
        "write flatten: d, the largest distance of facets from the curve in m, or draw arcs");
  flatten_curve([&](double u) { return map_(curve(u)); }, *choice_.flatten,
                [&](double u) { add(curve(u), 0.0); });
}

void SvgPen::close() {
  if (loop_.points.empty()) return;
  const Vector2d back = loop_.points.front();
  const bool is_there = (loop_.points.back() - back).norm() <=
                        outline_tolerances.joined_ends * (back.norm() + loop_.points.back().norm());
  if (is_there)
    loop_.points.pop_back();
  else
    loop_.bulges.push_back(0.0);
  if (loop_.points.size() > 1) loops_.push_back(std::move(loop_));
  loop_ = {};
  at_ = start_;
}

std::vector<OutlineLoop> SvgPen::finish() {
  move_to(start_);
  return std::move(loops_);
}

std::optional<double> take_svg_number(std::string_view& text) {
  skip_separators(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

namespace {

/// Path data, command by command.
class SvgPathReader {
 public:
  SvgPathReader(std::string_view data, const SvgPlace& place, SvgPen& pen)
      : text_(data), place_(place), pen_(pen) {}

  void read() {
    char command = 0;
    while (true) {
      skip_separators(text_);
      if (text_.empty()) return;
      const char next = text_.front();
      if (std::isalpha(static_cast<unsigned char>(next))) {
        command = next;
        text_.remove_prefix(1);
      } else if (command == 0 || command == 'Z' || command == 'z') {
        fail();
      }
      is_relative_ = std::islower(static_cast<unsigned char>(command)) != 0;
      step(static_cast<char>(std::toupper(static_cast<unsigned char>(command))));
      if (command == 'M') command = 'L';
      if (command == 'm') command = 'l';
    }
  }

 private:
  [[noreturn]] void fail() const {
    place_.fail(fmt::format("path data at \"{}\" is not understood", printable(text_, 30)),
                "save the drawing as plain SVG");
  }
  double number() {
    const auto value = take_svg_number(text_);
    if (!value) fail();
    return *value;
  }
  bool flag() {
    skip_separators(text_);
    if (text_.empty() || (text_.front() != '0' && text_.front() != '1')) fail();
    const bool is_set = text_.front() == '1';
    text_.remove_prefix(1);
    return is_set;
  }
  Vector2d point() {
    const double x = number(), y = number();
    return is_relative_ ? Vector2d(pen_.at() + Vector2d(x, y)) : Vector2d(x, y);
  }

  void step(char command) {
    const Vector2d from = pen_.at();
    const bool was_cubic = last_ == 'C' || last_ == 'S',
               was_quadratic = last_ == 'Q' || last_ == 'T';
    const Vector2d mirrored = 2.0 * from - control_;
    last_ = command;
    switch (command) {
      case 'M':
        return pen_.move_to(point());
      case 'L':
        return pen_.line_to(point());
      case 'H':
        return pen_.line_to({number() + (is_relative_ ? from.x() : 0.0), from.y()});
      case 'V':
        return pen_.line_to({from.x(), number() + (is_relative_ ? from.y() : 0.0)});
      case 'Z':
        return pen_.close();
      case 'A': {
        const double rx = number(), ry = number(), tilt = number();
        const bool is_large = flag(), is_positive = flag();
        return pen_.arc_to({rx, ry}, tilt, is_large, is_positive, point());
      }
      case 'C':
      case 'S': {
        const Vector2d a = command == 'C' ? point() : was_cubic ? mirrored : from;
        control_ = point();
        return pen_.cubic_to(a, control_, point());
      }
      case 'Q':
      case 'T': {
        control_ = command == 'Q' ? point() : was_quadratic ? mirrored : from;
        const Vector2d to = point();
        return pen_.cubic_to((from + 2.0 * control_) / 3.0, (to + 2.0 * control_) / 3.0, to);
      }
      default:
        fail();
    }
  }

  std::string_view text_;
  const SvgPlace& place_;
  SvgPen& pen_;
  bool is_relative_ = false;
  char last_ = 0;
  Vector2d control_ = Vector2d::Zero();
};

}  // namespace

void draw_svg_path(std::string_view data, const SvgPlace& place, SvgPen& pen) {
  SvgPathReader(data, place, pen).read();
}

}  // namespace clack
