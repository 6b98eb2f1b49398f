// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace clack {

/// An axis-parallel box in the frame of its body.
template <int D>
struct TreeBox {
  using Vector = Eigen::Matrix<double, D, 1>;
  Vector centre = Vector::Zero(), half = Vector::Zero();
};

/// Where a rigid body is: x_world = position + rotation x_body.
template <int D>
struct RigidPose {
  Eigen::Matrix<double, D, 1> position = Eigen::Matrix<double, D, 1>::Zero();
  Eigen::Matrix<double, D, D> rotation = Eigen::Matrix<double, D, D>::Identity();
};

/// A binary tree of boxes around consecutive elements (edges of an outline, faces of a solid), built once in the body's
/// frame (polygon-contact 2.8): a node holds the elements [first, last), split in the middle until `leaf_size` are left.
/// The nodes lie in one array, the two children of a node beside each other.
template <int D>
class BoxTree {
 public:
  using Vector = Eigen::Matrix<double, D, 1>;
  struct Node {
    TreeBox<D> box;
    int first = 0, last = 0;
    int child = -1;  // the first of two; -1: a leaf
    bool is_leaf() const { return child < 0; }
  };

  BoxTree() = default;
  /// `lows[k]`, `highs[k]`: the corners of the box around element k.
  BoxTree(const std::vector<Vector>& lows, const std::vector<Vector>& highs, int leaf_size) {
    if (lows.empty()) return;
    nodes_.reserve(2 * lows.size());
    nodes_.push_back(node_of(lows, highs, 0, static_cast<int>(lows.size())));
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
      const int first = nodes_[at].first, last = nodes_[at].last, middle = (first + last) / 2;
      if (last - first <= leaf_size) continue;
      nodes_[at].child = static_cast<int>(nodes_.size());
      nodes_.push_back(node_of(lows, highs, first, middle));
      nodes_.push_back(node_of(lows, highs, middle, last));
    }
  }

  bool empty() const { return nodes_.empty(); }
  int size() const { return static_cast<int>(nodes_.size()); }
  const Node& operator[](int node) const { return nodes_[node]; }

 private:
  static Node node_of(const std::vector<Vector>& lows, const std::vector<Vector>& highs, int first,
                      int last) {
    Vector low = lows[first], high = highs[first];
    for (int k = first + 1; k < last; ++k) {
      low = low.cwiseMin(lows[k]);
      high = high.cwiseMax(highs[k]);
    }
    Node node{{0.5 * (low + high), 0.5 * (high - low)}, first, last, -1};
    for (int k = 0; k < D; ++k)  // unbounded: around the origin as well as around any point
      if (!std::isfinite(node.box.half[k])) node.box.centre[k] = 0.0;
    return node;
  }

  std::vector<Node> nodes_;
};

/// The second body seen from the first; common to all box tests of a query.
template <int D>
struct RelativePose {
  using Vector = Eigen::Matrix<double, D, 1>;
  using Matrix = Eigen::Matrix<double, D, D>;
  Matrix turn, extent;  // R1^T R2, and its absolute values a little enlarged (rounding)
  Vector offset;        // R1^T (x2 - x1)

  RelativePose(const RigidPose<D>& first, const RigidPose<D>& second)
      : turn(first.rotation.transpose() * second.rotation),
        extent(turn.cwiseAbs().array() + 4 * std::numeric_limits<double>::epsilon()),
        offset(first.rotation.transpose() * (second.position - first.position)) {}

  /// How far two boxes are apart along the normals of their faces, at least; negative where the shadows on all of them
  /// overlap. Never more than the distance of the boxes; in the plane positive exactly when they are apart.
  double separation(const TreeBox<D>& a, const TreeBox<D>& b) const {
    const Vector between = turn * b.centre + offset - a.centre;
    const double first = (between.cwiseAbs() - a.half - extent * b.half).maxCoeff();
    const double second =
        ((turn.transpose() * between).cwiseAbs() - b.half - extent.transpose() * a.half).maxCoeff();
    return std::max(first, second);
  }
};

/// What a query needs besides its answer; kept by the caller, so that queries do not allocate. Counts are those of the
/// last query.
struct TreeWorkspace {
  std::vector<std::pair<int, int>> stack;
  long box_tests = 0, pair_tests = 0;
};

/// Calls `visit(a, b)` for all pairs of leaves whose boxes are not farther apart than `reach()`, a function that may
/// become smaller on the way. The larger box is opened first.
template <int D, class Reach, class Visit>
void visit_leaf_pairs(const BoxTree<D>& a, const BoxTree<D>& b, const RelativePose<D>& relative,
                      TreeWorkspace& work, Reach&& reach, Visit&& visit) {
  work.stack.clear();
  if (!a.empty() && !b.empty()) work.stack.emplace_back(0, 0);
  while (!work.stack.empty()) {
    const auto [i, j] = work.stack.back();
    work.stack.pop_back();
    const auto &first = a[i], &second = b[j];
    ++work.box_tests;
    if (relative.separation(first.box, second.box) > reach()) continue;
    if (first.is_leaf() && second.is_leaf()) {
      visit(first, second);
      continue;
    }
    const bool opens_first =
        second.is_leaf() ||
        (!first.is_leaf() && first.box.half.squaredNorm() >= second.box.half.squaredNorm());
    for (const int k : {1, 0}) {
      if (opens_first)
        work.stack.emplace_back(first.child + k, j);
      else
        work.stack.emplace_back(i, second.child + k);
    }
  }
}

/// Distance of a point (body frame) from a box.
template <int D>
double distance_to(const TreeBox<D>& box, const Eigen::Matrix<double, D, 1>& point) {
  return ((point - box.centre).cwiseAbs() - box.half).cwiseMax(0.0).norm();
}

}  // namespace clack
