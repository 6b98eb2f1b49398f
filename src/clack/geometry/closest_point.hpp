// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <array>
#include <functional>
#include <vector>

namespace clack {

/// A point of a parametric curve or surface with its derivatives.
struct PatchPoint {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  std::array<Eigen::Vector3d, 2> first{};   // S_1, S_2
  std::array<Eigen::Vector3d, 3> second{};  // S_11, S_12, S_22
};

/// A parametric curve (one parameter) or surface (two) over a range, twice differentiable there, with points of it that searches
/// begin from.
class Patch {
 public:
  using Evaluate = std::function<void(const double* s, PatchPoint& point)>;
  Patch(int parameters, const std::array<double, 2>& from, const std::array<double, 2>& to,
        Evaluate evaluate);

  int parameters() const { return parameters_; }
  double from(int k) const { return from_[k]; }
  double to(int k) const { return to_[k]; }
  double range(int k) const { return to_[k] - from_[k]; }
  PatchPoint point(const double* s) const;
  /// Diagonal of the box around the samples, m.
  double size() const { return size_; }
  /// Mean length per unit of the parameter, m.
  double stretch(int k) const { return stretch_[k]; }
  /// It comes back to where it began when the parameter has gone through its range, along the same tangent.
  bool is_closed(int k) const { return is_closed_[k]; }
  /// Parameters of the sample with the shortest tangent (surfaces: the least area), and that length in parts of the size.
  struct Weakest {
    std::array<double, 2> s{};
    double tangent = 0.0;
  };
  Weakest weakest() const;

 private:
  friend class FootSearch;
  int nodes(int k) const { return k < parameters_ ? nodes_ : 1; }
  std::array<double, 2> sample_at(int i, int j) const;
  void examine();

  int parameters_ = 1, nodes_ = 0;
  std::array<double, 2> from_{}, to_{}, stretch_{};
  std::array<bool, 2> is_closed_{};
  double size_ = 0.0;
  Evaluate evaluate_;
  std::vector<Eigen::Vector3d> samples_;
};

/// A point of a patch whose distance to a given point is smallest in its neighbourhood. At an end the distance may fall
/// beyond it; `outward` tells how fast: the largest of -(c - S) . S_i/|S_i| towards the outside, less than zero.
struct PatchFoot {
  std::array<double, 2> s{};
  double distance = 0.0;  // m
  bool is_at_end = false;
  double outward = 0.0;  // m: > 0 at an end: how far the point is beyond it along the tangent
};

/// All of them that the samples show, the nearest first: around each sample that is no farther than its neighbours, Newton's
/// method on |c - S|^2 inside the range, with the first fundamental form in place of H where that is not positive and with
/// shorter steps where the distance would grow. Two minima between three neighbouring samples are found as one: the nearer to
/// the sample.
class FootSearch {
 public:
  explicit FootSearch(const Patch& patch) : patch_(patch) {}
  std::vector<PatchFoot> minima(const Eigen::Vector3d& centre) const;
  /// Descends from a place.
  PatchFoot descend(const Eigen::Vector3d& centre, std::array<double, 2> s) const;
  bool is_same(const PatchFoot& a, const PatchFoot& b) const;

 private:
  PatchFoot foot_at(const Eigen::Vector3d& centre, const std::array<double, 2>& s,
                    const PatchPoint& point) const;
  const Patch& patch_;
};

/// H = S_i . S_j - (c - S) . S_ij  at a place; `regularity` = det H/det(S_i . S_j): 1 at the surface, zero at a centre of
/// curvature (curves: 1 - curvature * distance).
struct FootForm {
  Eigen::Matrix2d H = Eigen::Matrix2d::Identity(), metric = Eigen::Matrix2d::Identity();
  Eigen::Vector2d F = Eigen::Vector2d::Zero();
  double regularity = 1.0;
};
FootForm foot_form(int parameters, const PatchPoint& point, const Eigen::Vector3d& centre);

}  // namespace clack
