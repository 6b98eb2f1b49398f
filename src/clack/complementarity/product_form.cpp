#include "clack/complementarity/product_form.hpp"

#include "clack/complementarity/wide.hpp"

namespace clack {

namespace {

using wide::Lane;
using wide::lanes;

constexpr int smallest_grouped = 16;  // smaller columns are added one by one
constexpr int group = 4;              // etas added in one pass over the column

/// Etas whose factors are known but whose columns are not yet added.
struct Pending {
  int count = 0;
  double factor[group];
  const double* eta[group];
  int row[group];

  /// What stands in row `k` once all pending etas are applied to `value`, in the same order of
  /// rounding.
  double value_of(double value, int k) const {
    for (int p = 0; p < count; ++p) {
      if (row[p] == k) value = 0.0;
      value += factor[p] * eta[p][k];
    }
    return value;
  }
};

/// column += the four pending etas, row by row in their order.
CLACK_WIDE void add_four(double* column, const Pending& pending, Eigen::Index n) {
  const double f0 = pending.factor[0], f1 = pending.factor[1], f2 = pending.factor[2],
               f3 = pending.factor[3];
  const double *e0 = pending.eta[0], *e1 = pending.eta[1], *e2 = pending.eta[2],
               *e3 = pending.eta[3];
  Eigen::Index k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane y, x0, x1, x2, x3;
    wide::load(y, column + k);
    wide::load(x0, e0 + k);
    wide::load(x1, e1 + k);
    wide::load(x2, e2 + k);
    wide::load(x3, e3 + k);
    y += f0 * x0;
    y += f1 * x1;
    y += f2 * x2;
    y += f3 * x3;
    wide::store(column + k, y);
  }
  for (; k < n; ++k)
    column[k] = (((column[k] + f0 * e0[k]) + f1 * e1[k]) + f2 * e2[k]) + f3 * e3[k];
}

void flush(double* column, Pending& pending, Eigen::Index n) {
  if (pending.count == 0) return;
  double in_row[group];
  for (int p = 0; p < pending.count; ++p)
    in_row[p] = pending.value_of(column[pending.row[p]], pending.row[p]);
  for (int p = pending.count; p < group; ++p) {
    pending.factor[p] = 0.0;
    pending.eta[p] = pending.eta[0];
  }
  add_four(column, pending, n);
  for (int p = 0; p < pending.count; ++p) column[pending.row[p]] = in_row[p];
  pending.count = 0;
}

}  // namespace

void ProductForm::clear(Eigen::Index size) {
  size_ = size;
  etas_.clear();
  rows_.clear();
}

const double* ProductForm::append(const double* column, int row) {
  const auto n = static_cast<std::size_t>(size_);
  const std::size_t start = etas_.size();
  etas_.resize(start + n);
  double* const eta = etas_.data() + start;
  const double inverse_pivot = 1.0 / column[row];
  for (std::size_t k = 0; k < n; ++k) eta[k] = -inverse_pivot * column[k];
  eta[row] = inverse_pivot;
  rows_.push_back(row);
  return eta;
}

void ProductForm::apply(double* column) const {
  const double* eta = etas_.data();
  if (size_ < smallest_grouped) {
    for (const int row : rows_) {
      const double factor = column[row];
      if (factor != 0.0) {
        column[row] = 0.0;
        for (Eigen::Index k = 0; k < size_; ++k) column[k] += factor * eta[k];
      }
      eta += size_;
    }
    return;
  }
  Pending pending;
  for (const int row : rows_) {
    const double factor = pending.value_of(column[row], row);
    if (factor != 0.0) {
      pending.factor[pending.count] = factor;
      pending.eta[pending.count] = eta;
      pending.row[pending.count] = row;
      if (++pending.count == group) flush(column, pending, size_);
    }
    eta += size_;
  }
  flush(column, pending, size_);
}

void ProductForm::row_of_inverse(int row, double* inverse_row) const {
  Eigen::Map<Eigen::VectorXd> result(inverse_row, size_);
  result.setZero();
  result[row] = 1.0;
  for (std::size_t k = rows_.size(); k-- > 0;)
    result[rows_[k]] =
        result.dot(Eigen::Map<const Eigen::VectorXd>(etas_.data() + k * size_, size_));
}

}  // namespace clack
