// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "clack/geometry/tolerances.hpp"
#include "clack/mechanism/mechanism.hpp"

// How the coordinates move with the speeds, and where closest points are.

namespace clack {

void Mechanism::coordinate_rates(double t, const double* q, const double* v, double* dqdt) {
  if (!feet_.empty()) {
    coordinate_rates_(load(t, q, v), dqdt);
    feet_.hold(q, dqdt);
  } else if (spatial_) {
    spatial_->coordinate_rates(q, v, dqdt);
  } else if (rates_are_speeds()) {
    std::copy_n(v, speeds_, dqdt);
  } else {
    coordinate_rates_(load(t, q, v), dqdt);
  }
}

void Mechanism::displace(double t, double* q, const double* move) {
  if (spatial_ && feet_.empty()) return spatial_->displace(q, move);
  if (rates_are_speeds()) {
    for (int j = 0; j < speeds_; ++j) q[j] += move[j];
    return;
  }
  const std::vector<double> rest(speeds_, 0.0);
  coordinate_rates(t, q, move, moved_.data());
  coordinate_rates(t, q, rest.data(), resting_.data());
  const int first =
      spatial_ ? spatial_->coordinates() : 0;  // of those that are moved by their rates
  if (spatial_) spatial_->displace(q, move);
  for (int k = first; k < coordinates_; ++k) q[k] += moved_[k] - resting_[k];
  normalise(q);
}

void Mechanism::normalise(double* q) const {
  if (spatial_) return spatial_->normalise(q);
  for (const std::array<int, 4>& quaternion : model_.quaternions) {
    double squared = 0.0;
    for (const int k : quaternion) squared += q[k] * q[k];
    for (const int k : quaternion) q[k] /= std::sqrt(squared);
  }
}

const Feet& Mechanism::feet(double t, const double* q, const double* v) {
  feet_.load(load(t, q, v));
  return feet_;
}

bool Mechanism::is_resting(SourceIndex source, const double* q) const {
  const auto foot = feet_.of_source(source);
  return foot && feet_.rests(*foot, q);
}

void Mechanism::drop_resting(const double* q, ContactSet& contacts) const {
  if (feet_.empty()) return;
  std::erase_if(contacts, [&](const ContactKey& c) { return is_resting(c.source, q); });
}

/// Beyond the end of a path there is no side: what is told is the distance of the end.
void Mechanism::tell_resting(double t, const double* q, const double* v,
                             std::span<const ContactKey> contacts, std::span<GapMotion> motion) {
  if (feet_.empty()) return;
  bool is_loaded = false;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!is_resting(contacts[i].source, q)) continue;
    if (!std::exchange(is_loaded, true)) feet(t, q, v);
    motion[i] = {feet_.distance(*feet_.of_source(contacts[i].source), q), 0.0, 0.0};
  }
}

/// The nearest end of the path.
BorderMotion Mechanism::foot_border(FootIndex foot, const double* q) const {
  BorderMotion border{.margin = feet_.size(foot), .ends_at_border = true};
  border.band = closest_point_tolerances.rounding * feet_.size(foot);
  if (feet_.rests(foot, q)) {
    border.margin = -2.0 * border.band;
    return border;
  }
  const std::vector<double> still(coordinates_, 0.0);
  for (int k = 0; k < feet_.parameters_of(foot); ++k)
    for (const bool is_end : {false, true})
      if (!feet_.is_closed(foot, k))
        border.margin =
            std::min(border.margin, feet_.to_end(foot, k, is_end, q, still.data()).value);
  border.margin = std::max(border.margin, 0.0);  // it rests only once an event says so
  return border;
}

}  // namespace clack
