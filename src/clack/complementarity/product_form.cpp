// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/product_form.hpp"

#include "clack/complementarity/wide.hpp"

namespace clack {

namespace {

using wide::Lane;
using wide::lanes;
using wide::LongLane;
using Step = ProductForm::Step;

constexpr int group = ProductForm::group;
constexpr int smallest_packed = 16;  // smaller columns are never packed
constexpr int packed_share = 3;      // etas with fewer than n/3 entries are packed

template <class AnyLane>
__attribute__((always_inline)) inline void add_lane(double* column, const double* const* e,
                                                    const double* f, Eigen::Index k) {
  AnyLane y, x0, x1, x2, x3;
  wide::load(y, column + k);
  wide::load(x0, e[0] + k);
  wide::load(x1, e[1] + k);
  wide::load(x2, e[2] + k);
  wide::load(x3, e[3] + k);
  y += f[0] * x0;
  y += f[1] * x1;
  y += f[2] * x2;
  y += f[3] * x3;
  wide::store(column + k, y);
}

/// One group: its factors one after the other from the crossings, then all its etas in one pass
/// over the column, then its own rows, which each eta overwrites.
__attribute__((always_inline)) inline void apply_group(const Step& step, const double* dense,
                                                       double* column, Eigen::Index n) {
  double f[group] = {0.0, 0.0, 0.0, 0.0};
  const double* e[group];
  bool is_needed = false;
  for (int p = 0; p < group; ++p) {
    e[p] = dense + step.start + (p < step.count ? p * n : 0);
    if (p >= step.count) continue;
    double factor = column[step.row[p]];
    for (int k = 0; k < p; ++k) factor += f[k] * step.crossing[p][k];
    f[p] = factor;
    is_needed = is_needed || factor != 0.0;
  }
  if (!is_needed) return;
  Eigen::Index k = 0;
  for (; k + 2 * lanes <= n; k += 2 * lanes) add_lane<LongLane>(column, e, f, k);
  for (; k + lanes <= n; k += lanes) add_lane<Lane>(column, e, f, k);
  for (; k < n; ++k)
    column[k] = (((column[k] + f[0] * e[0][k]) + f[1] * e[1][k]) + f[2] * e[2][k]) + f[3] * e[3][k];
  for (int p = 0; p < step.count; ++p) {
    double value = f[p] * step.crossing[p][p];
    for (int later = p + 1; later < step.count; ++later)
      value += f[later] * step.crossing[p][later];
    column[step.row[p]] = value;
  }
}

CLACK_WIDE void apply_steps(const Step* step, const Step* end, const double* dense,
                            const int* packed_row, const double* packed_entry, double* column,
                            Eigen::Index n) {
  for (; step != end; ++step) {
    if (step->packed == 0) {
      apply_group(*step, dense, column, n);
      continue;
    }
    const double factor = column[step->row[0]];
    if (factor == 0.0) continue;
    const int* const row = packed_row + step->start;
    const double* const entry = packed_entry + step->start;
    column[step->row[0]] = 0.0;
    for (int k = 0; k < step->packed; ++k) column[row[k]] += factor * entry[k];
  }
}

CLACK_WIDE int count_entries(const double* column, Eigen::Index n) {
  const Lane one = Lane{} + 1.0;
  Lane sum{};
  Eigen::Index k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane c;
    wide::load(c, column + k);
    sum += c != 0.0 ? one : Lane{};
  }
  int count = 0;
  for (int l = 0; l < lanes; ++l) count += static_cast<int>(sum[l]);
  for (; k < n; ++k) count += column[k] != 0.0;
  return count;
}

CLACK_WIDE void scale(const double* column, double factor, double* result, Eigen::Index n) {
  Eigen::Index k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane c;
    wide::load(c, column + k);
    wide::store(result + k, factor * c);
  }
  for (; k < n; ++k) result[k] = factor * column[k];
}

/// The last step takes one more eta of this row.
bool has_room(const std::vector<Step>& steps, int row) {
  if (steps.empty() || steps.back().packed > 0 || steps.back().count == group) return false;
  for (int k = 0; k < steps.back().count; ++k)
    if (steps.back().row[k] == row) return false;
  return true;
}

}  // namespace

void ProductForm::clear(Eigen::Index size) {
  size_ = size;
  count_ = 0;
  steps_.clear();
  dense_used_ = packed_used_ = 0;
}

void ProductForm::append(const double* column, int row) {
  ++count_;
  const int entries = count_entries(column, size_);
  if (entries == 1 && column[row] == 1.0) return;  // the column itself enters: E = I
  if (size_ >= smallest_packed && packed_share * entries < size_)
    append_packed(column, row, entries);
  else
    append_dense(column, row);
}

void ProductForm::append_packed(const double* column, int row, int entries) {
  const std::size_t n = size_;
  if (packed_row_.size() < packed_used_ + n) {
    packed_row_.resize(2 * packed_row_.size() + n);
    packed_entry_.resize(packed_row_.size());
  }
  Step& step = steps_.emplace_back();
  step.packed = entries;
  step.count = 1;
  step.start = packed_used_;
  step.row[0] = row;
  const double inverse_pivot = 1.0 / column[row];
  std::size_t end = packed_used_;
  for (std::size_t k = 0; k < n; ++k) {  // without branches: zeros are overwritten
    packed_row_[end] = k;
    packed_entry_[end] = -inverse_pivot * column[k];
    end += column[k] != 0.0;
  }
  for (std::size_t k = packed_used_; k < end; ++k)
    if (packed_row_[k] == row) packed_entry_[k] = inverse_pivot;
  packed_used_ = end;
}

void ProductForm::append_dense(const double* column, int row) {
  const std::size_t n = size_;
  if (dense_.size() < dense_used_ + n) dense_.resize(2 * dense_.size() + n);
  if (!has_room(steps_, row)) steps_.emplace_back().start = dense_used_;
  Step& step = steps_.back();
  double* const eta = dense_.data() + dense_used_;
  dense_used_ += n;
  const double inverse_pivot = 1.0 / column[row];
  scale(column, -inverse_pivot, eta, size_);
  eta[row] = inverse_pivot;
  const int k = step.count++;
  step.row[k] = row;
  for (int p = 0; p <= k; ++p) {
    step.crossing[p][k] = eta[step.row[p]];
    step.crossing[k][p] = dense_[step.start + p * n + row];
  }
}

void ProductForm::apply(double* column) const {
  apply_steps(steps_.data(), steps_.data() + steps_.size(), dense_.data(), packed_row_.data(),
              packed_entry_.data(), column, size_);
}

void ProductForm::row_of_inverse(int row, double* inverse_row) const {
  Eigen::Map<Eigen::VectorXd> result(inverse_row, size_);
  result.setZero();
  result[row] = 1.0;
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const Step& step = steps_[s];
    if (step.packed > 0) {
      double product = 0.0;
      for (std::size_t j = step.start; j < step.start + step.packed; ++j)
        product += inverse_row[packed_row_[j]] * packed_entry_[j];
      inverse_row[step.row[0]] = product;
      continue;
    }
    for (int k = step.count; k-- > 0;)
      inverse_row[step.row[k]] = result.dot(
          Eigen::Map<const Eigen::VectorXd>(dense_.data() + step.start + k * size_, size_));
  }
}

}  // namespace clack
