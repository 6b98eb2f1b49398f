// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/outline_neighbours.hpp"

#include <algorithm>
#include <numeric>

#include "clack/index.hpp"

namespace clack {

OutlineNeighbours::OutlineNeighbours(const std::vector<OutlineSource>& outlines)
    : is_trivial_(outlines.size() <= few) {
  for (const OutlineSource& source : outlines)
    largest_radius_ = std::max({largest_radius_, source.first->radius, source.second->radius});
  near_.resize(outlines.size());
  std::iota(near_.begin(), near_.end(), 0);
  if (is_trivial_) return;
  for (const OutlineSource& source : outlines)
    for (const BodyIndex body : {source.first_body, source.second_body}) bodies_.push_back(body);
  std::ranges::sort(bodies_);
  bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
  radius_.resize(bodies_.size(), 0.0);
  const auto place_of = [&](BodyIndex body) {
    return static_cast<int>(std::ranges::lower_bound(bodies_, body) - bodies_.begin());
  };
  for (int k = 0; k < number_of(outlines); ++k) {
    const int a = place_of(outlines[k].first_body), b = place_of(outlines[k].second_body);
    radius_[a] = std::max(radius_[a], outlines[k].first->radius);
    radius_[b] = std::max(radius_[b], outlines[k].second->radius);
    pairs_.push_back({std::min(a, b), std::max(a, b), k});
  }
  std::ranges::sort(pairs_);
  boxes_.resize(bodies_.size());
  order_.resize(bodies_.size());
  std::iota(order_.begin(), order_.end(), 0);
}

void OutlineNeighbours::place(std::size_t k, const Eigen::Vector2d& low,
                              const Eigen::Vector2d& high) {
  boxes_[k].low = low.array() - radius_[k];
  boxes_[k].high = high.array() + radius_[k];
}

const std::vector<int>& OutlineNeighbours::find(double margin) {
  if (is_trivial_) return near_;
  near_.clear();
  Eigen::Vector2d least = boxes_[0].low, most = boxes_[0].low;
  for (const Extent& box : boxes_) {
    least = least.cwiseMin(box.low);
    most = most.cwiseMax(box.low);
  }
  const int axis = most.x() - least.x() >= most.y() - least.y() ? 0 : 1, other = 1 - axis;
  const auto low = [&](int i) { return boxes_[i].low[axis]; };
  // Nearly sorted from the call before: insertion.
  for (std::size_t i = 1; i < order_.size(); ++i)
    for (std::size_t j = i; j > 0 && low(order_[j]) < low(order_[j - 1]); --j)
      std::swap(order_[j], order_[j - 1]);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const int a = order_[i];
    const double high = boxes_[a].high[axis] + margin;
    for (std::size_t j = i + 1; j < order_.size() && !(low(order_[j]) > high); ++j) {
      const int b = order_[j];
      if (boxes_[a].low[other] > boxes_[b].high[other] + margin ||
          boxes_[b].low[other] > boxes_[a].high[other] + margin)
        continue;
      const PairOf wanted{std::min(a, b), std::max(a, b), -1};
      for (auto pair = std::ranges::lower_bound(pairs_, wanted);
           pair != pairs_.end() && pair->first == wanted.first && pair->second == wanted.second;
           ++pair)
        near_.push_back(pair->place);
    }
  }
  std::ranges::sort(near_);
  return near_;
}

}  // namespace clack
