// SPDX-License-Identifier: Apache-2.0
#include "clack/report/still.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "clack/report/markup.hpp"

namespace clack::report {
namespace {

constexpr int exposures = 5;            // pictures in one
constexpr double faintest = 0.12;       // opacity of the first
constexpr double dot_radius = 2.5;      // px, of what has no extent
constexpr std::size_t looked_at = 200;  // frames that tell how much is covered

using Point = Eigen::Vector2d;

/// From the world to the plane of the picture, and how near something is to the eye.
class StillView {
 public:
  explicit StillView(const Drawing& drawing) : is_planar_(drawing.dimension == 2) {
    const Eigen::Vector3d towards = Eigen::Vector3d(0.55, -1.0, 0.5).normalized();
    right_ = Eigen::Vector3d::UnitZ().cross(towards).normalized();
    up_ = towards.cross(right_);
    towards_ = towards;
  }
  Point operator()(const Eigen::Vector3d& p) const {
    return is_planar_ ? Point(p.x(), p.y()) : Point(right_.dot(p), up_.dot(p));
  }
  double nearness(const DrawnPose& pose) const {
    return is_planar_ ? 0.0 : towards_.dot(Eigen::Vector3d(pose[0], pose[1], pose[2]));
  }
  Eigen::Vector3d moved(const DrawnPose& pose, const Eigen::Vector3d& p) const {
    if (is_planar_)
      return Eigen::Vector3d(pose[0], pose[1], 0.0) +
             Eigen::AngleAxisd(pose[2], Eigen::Vector3d::UnitZ()) * p;
    return Eigen::Vector3d(pose[0], pose[1], pose[2]) +
           Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]) * p;
  }

 private:
  bool is_planar_;
  Eigen::Vector3d right_, up_, towards_;
};

/// Corners of the convex hull, counter-clockwise (Andrew's chain).
std::vector<Point> hull_of(std::vector<Point> points) {
  std::ranges::sort(points, [](const Point& a, const Point& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  if (points.size() < 3) return points;
  std::vector<Point> hull;
  const auto side = [&](const auto& range) {
    const std::size_t begin = hull.size();
    for (const Point& p : range) {
      while (hull.size() >= begin + 2) {
        const Point a = hull[hull.size() - 2], b = hull.back();
        if ((b - a).x() * (p - a).y() - (b - a).y() * (p - a).x() > 0.0) break;
        hull.pop_back();
      }
      hull.push_back(p);
    }
    hull.pop_back();
  };
  side(points);
  std::ranges::reverse(points);
  side(points);
  return hull;
}

/// The points whose hull is the outline of a solid part.
std::vector<Eigen::Vector3d> corners_of(const DrawnPart& part) {
  std::vector<Eigen::Vector3d> corners;
  const auto ring = [&](double z) {
    for (int k = 0; k < 32; ++k) {
      const double a = 2.0 * std::numbers::pi * k / 32;
      corners.emplace_back(part.radius * std::cos(a), part.radius * std::sin(a), z);
    }
  };
  if (part.kind == DrawnKind::box) {
    const auto& h = part.points[0];
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double z : {-1.0, 1.0}) corners.emplace_back(x * h[0], y * h[1], z * h[2]);
  } else if (part.kind == DrawnKind::cylinder) {
    ring(-part.points[0][2]);
    ring(part.points[0][2]);
  } else if (part.kind == DrawnKind::disk) {
    ring(0.0);
  } else {
    for (const auto& p : part.points) corners.emplace_back(p[0], p[1], p[2]);
  }
  return corners;
}

class Still {
 public:
  Still(const Drawing& drawing, double width, double height)
      : drawing_(drawing), view_(drawing), width_(width), height_(height) {
    const std::size_t step = std::max<std::size_t>(1, drawing.frames.size() / looked_at);
    for (std::size_t f = 0; f < drawing.frames.size(); f += step) cover(drawing.frames[f]);
    if (!(low_.x() <= high_.x())) low_ = Point(-1, -1), high_ = Point(1, 1);
    const Point size = (high_ - low_).cwiseMax(1e-9);
    scale_ = 0.86 * std::min(width / size.x(), height / size.y());
  }

  std::string svg() const {
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot still\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" aria-label=\"picture of the motion\">",
        width_, height_);
    const std::size_t last = drawing_.frames.size() - 1;
    for (int k = 0; k < exposures; ++k) {
      const double part = (k + 1.0) / exposures;
      svg +=
          fmt::format("<g opacity=\"{:.2f}\">", faintest + (1.0 - faintest) * std::pow(part, 2.0));
      svg += picture(drawing_.frames[static_cast<std::size_t>(part * static_cast<double>(last))],
                     k + 1 == exposures);
      svg += "</g>";
    }
    return svg + "</svg>";
  }

 private:
  void take(const Point& p, double r) {
    if (!p.allFinite()) return;
    low_ = low_.cwiseMin(p - Point(r, r));
    high_ = high_.cwiseMax(p + Point(r, r));
  }
  void cover(const DrawnFrame& frame) {
    for (std::size_t k = 0; k < drawing_.parts.size(); ++k) {
      const DrawnPart& part = drawing_.parts[k];
      if (part.kind == DrawnKind::half_plane) continue;
      take(view_(view_.moved(frame.poses[k], Eigen::Vector3d::Zero())), part.radius);
      if (part.kind == DrawnKind::sphere || part.kind == DrawnKind::disk) continue;
      for (const Eigen::Vector3d& p : corners_of(part))
        take(view_(view_.moved(frame.poses[k], p)), 0.0);
    }
    for (const auto& link : frame.links) {
      take(view_({link[0], link[1], link[2]}), 0.0);
      take(view_({link[3], link[4], link[5]}), 0.0);
    }
  }
  Point screen(const Point& p) const {
    const Point middle = 0.5 * (low_ + high_);
    return {width_ / 2 + scale_ * (p.x() - middle.x()),
            height_ / 2 - scale_ * (p.y() - middle.y())};
  }
  Point seen(const DrawnPose& pose, const Eigen::Vector3d& p) const {
    return screen(view_(view_.moved(pose, p)));
  }

  std::string path(const std::vector<Point>& points, bool is_closed, int colour) const {
    std::string d;
    for (const Point& p : points)
      d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? 'M' : 'L', p.x(), p.y());
    return fmt::format(
        "<path class=\"s{}\" style=\"fill:{};fill-opacity:.2;stroke-width:1.3\" d=\"{}{}\"/>",
        colour, is_closed ? fmt::format("var(--c{})", colour) : "none", d, is_closed ? "z" : "");
  }
  std::string circle(const Point& at, double radius, int colour) const {
    return fmt::format(
        "<circle class=\"s{0}\" style=\"fill:var(--c{0});fill-opacity:.2;stroke-width:1.3\" "
        "cx=\"{1:.1f}\" "
        "cy=\"{2:.1f}\" r=\"{3:.1f}\"/>",
        colour, at.x(), at.y(), std::max(radius * scale_, dot_radius));
  }
  /// The border of a half-plane, or of a floor in space where it cuts the picture's middle.
  std::string border(const DrawnPart& part, const DrawnPose& pose) const {
    const Eigen::Vector3d foot(part.points[0][0], part.points[0][1], part.points[0][2]),
        n(part.points[1][0], part.points[1][1], part.points[1][2]);
    if (drawing_.dimension == 3) return "";
    const Point a = seen(pose, foot), b = seen(pose, foot + Eigen::Vector3d(-n.y(), n.x(), 0.0));
    const Point along = (b - a).normalized() * (width_ + height_);
    return fmt::format(
        "<path class=\"s7\" style=\"fill:none;stroke-width:1.6\" d=\"M{:.1f} {:.1f}L{:.1f} "
        "{:.1f}\"/>",
        (a - along).x(), (a - along).y(), (a + along).x(), (a + along).y());
  }
  std::string one(std::size_t k, const DrawnFrame& frame) const {
    const DrawnPart& part = drawing_.parts[k];
    const DrawnPose& pose = frame.poses[k];
    const int colour = static_cast<int>(k % 6);
    for (std::size_t i = 0; i < drawing_.pose_size(); ++i)
      if (!std::isfinite(pose[i])) return "";
    const bool is_round =
        part.kind == DrawnKind::sphere || (part.kind == DrawnKind::disk && drawing_.dimension == 2);
    if (is_round) return circle(seen(pose, Eigen::Vector3d::Zero()), part.radius, colour);
    if (part.kind == DrawnKind::half_plane) return border(part, pose);
    std::vector<Point> points;
    for (const Eigen::Vector3d& p : corners_of(part)) points.push_back(seen(pose, p));
    const bool is_drawn = part.kind == DrawnKind::line || part.kind == DrawnKind::polygon;
    return path(is_drawn ? points : hull_of(points), part.kind != DrawnKind::line, colour);
  }
  std::string picture(const DrawnFrame& frame, bool is_last) const {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < drawing_.parts.size(); ++k) order.push_back(k);
    std::ranges::stable_sort(order, {},
                             [&](std::size_t k) { return view_.nearness(frame.poses[k]); });
    std::string svg;
    for (const std::size_t k : order)
      if (is_last || drawing_.frames[0].poses[k] != drawing_.frames.back().poses[k])
        svg += one(k, frame);
    for (const auto& link : frame.links) {
      const Point a = screen(view_({link[0], link[1], link[2]})),
                  b = screen(view_({link[3], link[4], link[5]}));
      svg +=
          fmt::format("<path class=\"s7\" style=\"fill:none\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>",
                      a.x(), a.y(), b.x(), b.y());
    }
    return svg;
  }

  const Drawing& drawing_;
  StillView view_;
  double width_, height_, scale_ = 1.0;
  Point low_ = Point::Constant(std::numeric_limits<double>::infinity()), high_ = -low_;
};

}  // namespace

std::string still_svg(const Drawing& drawing, double width, double height) {
  if (drawing.empty()) return "";
  return Still(drawing, width, height).svg();
}

}  // namespace clack::report
