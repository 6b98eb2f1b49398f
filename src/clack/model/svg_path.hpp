// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "clack/model/part_files.hpp"

namespace clack {

/// A map of the plane, x -> linear x + shift.
struct PlanarMap {
  Eigen::Matrix2d linear = Eigen::Matrix2d::Identity();
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();

  Eigen::Vector2d operator()(const Eigen::Vector2d& p) const { return linear * p + shift; }
  PlanarMap after(const PlanarMap& inner) const {
    return {linear * inner.linear, linear * inner.shift + shift};
  }
  /// Keeps circles: all lengths grow alike.
  bool keeps_circles() const;
};

/// Where in a drawing something stands, for messages.
struct SvgPlace {
  const std::string& path;
  int line = 0;
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;
};

/// Loops under construction: points of the drawing on one side, m (mapped) on the other.
class SvgPen {
 public:
  SvgPen(const PlanarMap& map, const PartFileChoice& choice, const SvgPlace& place)
      : map_(map), choice_(choice), place_(place) {}

  const Eigen::Vector2d& at() const { return at_; }
  void move_to(const Eigen::Vector2d& to);
  void line_to(const Eigen::Vector2d& to);
  /// SVG's elliptical arc; an arc of a circle stays one.
  void arc_to(Eigen::Vector2d radii, double degrees, bool is_large, bool is_positive,
              const Eigen::Vector2d& to);
  void cubic_to(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& to);
  void circle(const Eigen::Vector2d& centre, double radius);
  void close();
  /// The loops; one that is still open is refused.
  std::vector<OutlineLoop> finish();

 private:
  template <class Curve>
  void facets(const char* what, const Curve& curve);
  void add(const Eigen::Vector2d& to, double bulge);

  PlanarMap map_;
  const PartFileChoice& choice_;
  SvgPlace place_;
  Eigen::Vector2d start_ = Eigen::Vector2d::Zero(), at_ = Eigen::Vector2d::Zero();
  OutlineLoop loop_;
  std::vector<OutlineLoop> loops_;
  long vertices_ = 0;
};

/// Path data: M L H V A Z C Q S T, absolute and relative.
void draw_svg_path(std::string_view data, const SvgPlace& place, SvgPen& pen);
/// The next number of a list; nothing at its end.
std::optional<double> take_svg_number(std::string_view& text);

}  // namespace clack
