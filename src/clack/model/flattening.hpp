// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "clack/geometry/outline_edge.hpp"

namespace clack {

/// A curve of u in [0, 1] as facets: pieces are halved until their chords are within `distance` of the curve at the
/// quarters, 24 times at most. add(u) is told where each facet ends; curve(u) is a point.
template <class Curve, class Add>
void flatten_curve(const Curve& curve, double distance, Add&& add) {
  struct Piece {
    double from, to;
    int depth;
  };
  std::vector<Piece> stack{{0.5, 1.0, 1}, {0.0, 0.5, 1}};
  while (!stack.empty()) {
    const Piece piece = stack.back();
    stack.pop_back();
    const Eigen::Vector2d p = curve(piece.from), r = curve(piece.to);
    double off = 0.0;
    for (const double u : {0.25, 0.5, 0.75}) {
      const Eigen::Vector2d way = curve(piece.from + u * (piece.to - piece.from)) - p;
      const double chord = (r - p).norm();
      off = std::max(off, chord > 0.0 ? std::abs(cross2((r - p) / chord, way)) : way.norm());
    }
    if (off > distance && piece.depth < 24) {
      const double middle = 0.5 * (piece.from + piece.to);
      stack.push_back({middle, piece.to, piece.depth + 1});
      stack.push_back({piece.from, middle, piece.depth + 1});
      continue;
    }
    add(piece.to);
  }
}

}  // namespace clack
