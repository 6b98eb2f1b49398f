// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/fine_rows.hpp"

#include <algorithm>

namespace clack {
namespace {

constexpr int places_per_step =
    4;  // a step of eighth order turns a curve by less than a right angle or so
constexpr std::size_t most_fine_numbers = 1'500'000;  // 12 MB

}  // namespace

void FineRows::add(double t, const double* y, const ModeDynamics& dynamics,
                   std::vector<double>& rows) {
  if (seen_++ % stride_ != 0) return;
  const std::size_t width = 1 + dynamics.coordinates() + dynamics.speeds();
  if (rows.size() + width > most_fine_numbers) {
    std::size_t kept = 0;
    for (std::size_t from = 0; from < rows.size(); from += 2 * width, kept += width)
      std::copy_n(rows.begin() + from, width, rows.begin() + kept);
    rows.resize(kept);
    stride_ *= 2;
  }
  rows.push_back(t);
  rows.insert(rows.end(), dynamics.q(y), dynamics.q(y) + dynamics.coordinates());
  rows.insert(rows.end(), dynamics.v(y), dynamics.v(y) + dynamics.speeds());
}

void FineRows::reserve(std::size_t steps, const ModeDynamics& dynamics, std::vector<double>& rows) {
  const std::size_t width = 1 + dynamics.coordinates() + dynamics.speeds();
  rows.reserve(std::min(most_fine_numbers, rows.size() + steps * places_per_step * width));
  state_.resize(dynamics.size());
}

void FineRows::step(Integrator& integrator, double until, int samples, const ModeDynamics& dynamics,
                    std::vector<double>& rows) {
  if (samples >= places_per_step) return;
  const double begin = integrator.time_before(), end = std::min(until, integrator.time());
  if (!integrator.is_dense_ready()) {
    if (end == integrator.time()) add(end, integrator.state().data(), dynamics, rows);
    return;
  }
  state_.resize(dynamics.size());
  for (int k = 1; k <= places_per_step; ++k) {
    const double t = begin + (end - begin) * k / places_per_step;
    integrator.dense(t, state_);
    add(t, state_.data(), dynamics, rows);
  }
}

}  // namespace clack
