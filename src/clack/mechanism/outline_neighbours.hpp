// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/mechanism/outline_motion.hpp"

namespace clack {

/// Which pairs of outlines can be near: a box around every body, as wide as its radius, over a stretch of time or at an
/// instant. Boxes are sorted along the axis of their widest spread (sweep and prune), so that bodies that are far apart
/// cost n log n, not the number of their pairs.
class OutlineNeighbours {
 public:
  explicit OutlineNeighbours(const std::vector<OutlineSource>& outlines);

  /// So few pairs that looking at all of them costs less than telling.
  bool is_trivial() const { return is_trivial_; }
  double largest_radius() const { return largest_radius_; }  // of all bodies, m
  /// Bodies of pairs, each once.
  const std::vector<BodyIndex>& bodies() const { return bodies_; }
  /// Where the origin of bodies()[k] is, from `low` to `high`.
  void place(std::size_t k, const Eigen::Vector2d& low, const Eigen::Vector2d& high);
  /// The pairs whose boxes overlap when grown by `margin` (m), as places in the list given, ascending. Bodies that were
  /// not placed since the last call are where they were.
  const std::vector<int>& find(double margin);

 private:
  struct Extent {
    Eigen::Vector2d low = Eigen::Vector2d::Zero(), high = Eigen::Vector2d::Zero();
  };
  struct PairOf {
    int first = -1, second = -1, place = -1;  // boxes, first < second
    friend auto operator<=>(const PairOf&, const PairOf&) = default;
  };
  static constexpr std::size_t few = 12;

  bool is_trivial_ = true;
  double largest_radius_ = 0.0;
  std::vector<BodyIndex> bodies_;
  std::vector<double> radius_;
  std::vector<Extent> boxes_;
  std::vector<PairOf> pairs_;  // ascending
  std::vector<int> order_, near_;
};

}  // namespace clack
