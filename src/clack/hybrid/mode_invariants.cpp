// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/mode_invariants.hpp"

#include <algorithm>
#include <cmath>

#include "clack/index.hpp"
#include "clack/linalg/pivoted_columns.hpp"

namespace clack {

/// The rows that carry the others, rising.
std::vector<ModeInvariants::Row> ModeInvariants::independent(const std::vector<Row>& rows) const {
  const Snapshot& s = dynamics_.snapshot();
  const int n = s.speeds();
  Eigen::MatrixXd scaled(number_of(rows), n);
  for (int i = 0; i < number_of(rows); ++i)
    for (int j = 0; j < n; ++j)
      scaled(i, j) = s.data()[s.at_normal() + rows[i].row * n + j] * std::sqrt(squared_scale_[j]);
  if (rows.empty()) return rows;
  std::vector<int> kept = independent_rows(scaled).independent;
  std::ranges::sort(kept);
  std::vector<Row> result;
  for (const int i : kept) result.push_back(rows[i]);
  return result;
}

Invariants ModeInvariants::begin(double t, const double* y) {
  dynamics_.evaluate(t, y);
  const Snapshot& s = dynamics_.snapshot();
  const int n = s.speeds(), c = s.contacts(), k = s.tangents(), b = s.constraint_rows();
  speeds_.resize(n);
  squared_scale_.assign(n, 1.0);
  for (int j = 0; j < n; ++j)
    if (const double mass = s.mass_matrix()(j, j); mass > 0.0) squared_scale_[j] = 1.0 / mass;
  // Rows lie in the buffer in this order: normals, tangents, constraints.
  std::vector<Row> positions, rates;
  const auto at = [](auto offset) { return static_cast<int>(offset); };
  for (int i = 0; i < c; ++i) {
    positions.push_back({i, at(s.at_gap()) + i});
    rates.push_back({i, at(s.at_gap()) + c + i});
  }
  for (int i = 0; i < c; ++i)
    for (int a = i * k; a < (i + 1) * k && dynamics_.is_stick()[i]; ++a)
      rates.push_back({c + a, at(s.at_slip()) + a});
  const std::vector<bool> is_configuration = dynamics_.configuration_rows();
  for (int r = 0; r < b; ++r) {
    if (is_configuration[r]) positions.push_back({c + c * k + r, at(s.at_value()) + r});
    rates.push_back({c + c * k + r, at(s.at_value()) + b + r});
  }
  positions_ = independent(positions);
  rates_ = independent(rates);
  return {number_of(positions_) + number_of(rates_), &ModeInvariants::values,
          &ModeInvariants::directions, this};
}

void ModeInvariants::values(void* self, double t, const double* y, double* g) {
  auto& own = *static_cast<ModeInvariants*>(self);
  own.dynamics_.evaluate(t, y);
  const double* data = own.dynamics_.snapshot().data();
  for (const auto* rows : {&own.positions_, &own.rates_})
    for (const Row& row : *rows) *g++ = data[row.value];
}

void ModeInvariants::directions(void* self, double t, const double* y, const double* mu,
                                double* dy) {
  auto& own = *static_cast<ModeInvariants*>(self);
  own.dynamics_.evaluate(t, y);
  const Snapshot& s = own.dynamics_.snapshot();
  const int n = s.speeds(), nq = own.dynamics_.coordinates();
  const auto pull_back = [&](const std::vector<Row>& rows, const double* forces, double* out) {
    std::fill_n(out, n, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double* row = s.data() + s.at_normal() + rows[i].row * n;
      for (int j = 0; j < n; ++j) out[j] += own.squared_scale_[j] * row[j] * forces[i];
    }
  };
  pull_back(own.positions_, mu, own.speeds_.data());
  own.dynamics_.coordinate_displacement(t, y, own.speeds_.data(), dy);
  pull_back(own.rates_, mu + own.positions_.size(), dy + nq);
  std::fill_n(dy + nq + n, ModeDynamics::work_count, 0.0);
}

}  // namespace clack
