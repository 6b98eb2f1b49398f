// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/lemke.hpp"

#include <Eigen/LU>

#include "clack/complementarity/equilibration.hpp"
#include "clack/complementarity/lcp_tolerances.hpp"
#include "clack/complementarity/smallest_ratio.hpp"
#include "clack/complementarity/wide_columns.hpp"

namespace clack {

namespace {

using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

}  // namespace

LcpStatus LemkeSolver::solve(const Eigen::Ref<const Eigen::MatrixXd>& M,
                             const Eigen::Ref<const Eigen::VectorXd>& q,
                             const LemkeOptions& options) {
  const Eigen::Index n = q.size();
  resize(n);
  pivots_ = 0;
  const double largest = n > 0 ? q.cwiseAbs().maxCoeff() : 0.0;

  // 1. z = 0 answers q >= 0 (up to the rounding of q).
  if (n == 0 || q.minCoeff() >= -lemke_tolerances.zero_answer * epsilon * largest) {
    std::fill_n(z_.data(), n, 0.0);
    evaluate(M, q);
    return LcpStatus::solved;
  }

  // 2. Scale, pivot, refine; at most two attempts with different ties.
  matrix_ = M.data();
  stride_ = M.outerStride();
  equilibrate(M, row_scale_.data(), column_scale_.data(), column_.data());
  for (Eigen::Index k = 0; k < n; ++k)
    cover_[k] = options.covering == Covering::scaled_rows ? 1.0 : row_scale_[k];
  Vector(scaled_q_.data(), n) = ConstVector(row_scale_.data(), n).cwiseProduct(q);
  const int pivot_limit = options.pivot_limit > 0
                              ? options.pivot_limit
                              : lemke_tolerances.pivots_per_unknown * static_cast<int>(n) +
                                    lemke_tolerances.pivots_in_any_case;
  bool has_answer = false;
  End end = End::limit;
  best_residual_ = std::numeric_limits<double>::infinity();
  for (const double tie_tolerance :
       {options.tie_tolerance, lemke_tolerances.second_tie * options.tie_tolerance}) {
    const End this_end = pivot_to_the_end(options, tie_tolerance, pivot_limit);
    if (this_end == End::artificial_left) {
      refine(M, q);
      keep_if_better();
      has_answer = true;
      if (best_residual_ <= std::min(options.tolerance, lemke_tolerances.solved * rounding_)) break;
    } else if (tie_tolerance == options.tie_tolerance) {
      end = this_end;
    }
    if (pivots_ >= pivot_limit) break;
  }

  // 3. Report.
  if (!has_answer) {
    std::fill_n(z_.data(), n, 0.0);
    evaluate(M, q);
    return end == End::ray ? LcpStatus::ray : LcpStatus::limit;
  }
  z_.swap(best_z_);
  w_.swap(best_w_);
  residual_ = best_residual_;
  return residual_ <= std::max(options.tolerance, lemke_tolerances.solved * rounding_)
             ? LcpStatus::solved
             : LcpStatus::limit;
}

void LemkeSolver::resize(Eigen::Index n) {
  size_ = n;
  const std::size_t count = n;
  if (z_.size() >= count && best_z_.size() >= count) return;
  for (auto* vector : {&z_, &w_, &best_z_, &best_w_, &row_scale_, &column_scale_, &cover_,
                       &scaled_q_, &h_, &g_, &basic_value_, &column_, &entering_})
    vector->resize(count);
  basic_.resize(count);
  tied_.resize(count);
}

LemkeSolver::End LemkeSolver::pivot_to_the_end(const LemkeOptions& options, double tie_tolerance,
                                               int pivot_limit) {
  const int n = size_;
  inverse_.clear(size_);
  entries_of_inversion_ = 0;
  for (int k = 0; k < n; ++k) basic_[k] = k;

  // 1. t enters, the most negative row leaves and is the first dummy: C = I.
  std::copy_n(scaled_q_.data(), n, h_.data());
  std::copy_n(cover_.data(), n, g_.data());
  artificial_row_ = first_leaving_row();
  const double t = -h_[artificial_row_] / g_[artificial_row_];
  wide::combine(h_.data(), t, g_.data(), basic_value_.data(), n);
  basic_value_[artificial_row_] = t;
  int leaving = artificial_row_;
  ++pivots_;

  // 2. The complement of what left enters, until t leaves.
  while (true) {
    if (pivots_ >= pivot_limit) return End::limit;
    if (is_inverse_long() && !reinvert()) return End::limit;
    const int entering = leaving < n ? leaving + n : leaving - n;
    load_column(entering);
    inverse_.apply(column_.data());
    wide::drop_noise(column_.data(), lemke_tolerances.column_noise, n);
    const int place = artificial_row_;
    const double of_t = -column_[place] / g_[place];
    wide::combine(column_.data(), of_t, g_.data(), entering_.data(), n);
    entering_[place] = of_t;
    const int row = leaving_row(options, tie_tolerance);
    if (row < 0) return End::ray;
    ++pivots_;
    if (row == place) {
      artificial_row_ = -1;
      exchange(place, entering);
      return End::artificial_left;
    }
    leaving = basic_[row];
    if (std::abs(column_[place]) >= std::abs(column_[row])) {
      artificial_row_ = row;
      exchange(place, entering);
    } else {
      exchange(row, entering);
    }
  }
}

/// The lexicographically smallest row of [q | I] / d: of equal ratios the last one.
int LemkeSolver::first_leaving_row() const {
  int row = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < size_; ++k) {
    const double ratio = scaled_q_[k] / cover_[k];
    if (ratio > smallest) continue;
    smallest = ratio;
    row = k;
  }
  return row;
}

/// The column of a variable in  w - M z = q, scaled.
void LemkeSolver::load_column(int variable) {
  const int n = size_;
  double* const column = column_.data();
  if (variable < n) {
    std::fill_n(column, n, 0.0);
    column[variable] = 1.0;
  } else {
    const int k = variable - n;
    wide::scale_column(-column_scale_[k], row_scale_.data(), matrix_ + k * stride_, column, n);
  }
}

/// The ratio test on x_B / column. Rows that would keep less than the tie tolerance are tied; t
/// leaves first among them, otherwise the lexicographic rule decides. -1: no positive entry.
int LemkeSolver::leaving_row(const LemkeOptions& options, double tie_tolerance) {
  const RatioTest test = ratio_test(basic_value_.data(), entering_.data(), size_,
                                    options.pivot_tolerance, tie_tolerance, tied_.data());
  if (test.ties <= 1) return test.row;
  for (int k = 0; k < test.ties; ++k)
    if (tied_[k] == artificial_row_) return artificial_row_;
  return lexicographic_minimum(test.ties);
}

/// Of the first `count` tied rows the lexicographically smallest  (row of B^-1) / (pivot entry);
/// row i of B^-1 is (row i) - (g_i/g_p) (row p) of C^-1.
int LemkeSolver::lexicographic_minimum(int count) {
  const std::size_t n = size_;
  if (tied_rows_.size() < 3 * n) tied_rows_.resize(3 * n);
  double* const of_place = tied_rows_.data();
  double* smallest = of_place + n;
  double* other = smallest + n;
  inverse_.row_of_inverse(artificial_row_, of_place);
  const auto form_row = [&](int row, double* result) {
    inverse_.row_of_inverse(row, result);
    wide::combine(result, -g_[row] / g_[artificial_row_], of_place, result, size_);
    Vector(result, size_) /= entering_[row];
  };
  int chosen = tied_[0];
  form_row(chosen, smallest);
  for (int k = 1; k < count; ++k) {
    const int row = tied_[k];
    form_row(row, other);
    const double noise = lemke_tolerances.lexicographic_noise *
                         std::max(Vector(smallest, size_).cwiseAbs().maxCoeff(),
                                  Vector(other, size_).cwiseAbs().maxCoeff());
    for (std::size_t j = 0; j < n; ++j) {
      if (std::abs(other[j] - smallest[j]) <= noise) continue;
      if (other[j] < smallest[j]) {
        std::swap(smallest, other);
        chosen = row;
      }
      break;
    }
  }
  return chosen;
}

/// `variable`, whose column C^-1 a is in column_, takes the place `row` of C; then t and x_B for
/// the present place of t.
void LemkeSolver::exchange(int row, int variable) {
  const double* const u = column_.data();
  const double a = h_[row] / u[row], b = g_[row] / u[row];
  double t = 0.0;
  if (const int place = artificial_row_; place >= 0)
    t = place == row ? -a / b : -(h_[place] - a * u[place]) / (g_[place] - b * u[place]);
  wide::advance(a, b, t, u, h_.data(), g_.data(), basic_value_.data(), size_);
  h_[row] = a;
  g_[row] = b;
  basic_value_[row] = a + t * b;
  if (artificial_row_ >= 0) basic_value_[artificial_row_] = t;
  inverse_.append(u, row);
  basic_[row] = variable;
}

/// The etas have several times the entries that those of a fresh inversion had.
bool LemkeSolver::is_inverse_long() const {
  const std::size_t n = size_;
  return inverse_.entries() > 2 * entries_of_inversion_ + n * (n + 20);
}

/// Builds the etas of C afresh: slack columns are free of charge, the others choose the largest
/// entry among the rows that are left. False when C is numerically singular.
bool LemkeSolver::reinvert() {
  const int n = size_;
  const int dummy = basic_[artificial_row_];
  structural_.clear();
  is_taken_.assign(n, 0);
  for (int k = 0; k < n; ++k) {
    if (basic_[k] < n)
      is_taken_[basic_[k]] = 1;
    else
      structural_.push_back(basic_[k]);
  }
  std::sort(structural_.begin(), structural_.end(), std::greater<>());
  inverse_.clear(size_);
  for (int k = 0; k < n; ++k) basic_[k] = k;
  for (const int variable : structural_) {
    load_column(variable);
    inverse_.apply(column_.data());
    wide::drop_noise(column_.data(), lemke_tolerances.column_noise, n);
    int row = -1;
    for (int k = 0; k < n; ++k)
      if (!is_taken_[k] && (row < 0 || std::abs(column_[k]) > std::abs(column_[row]))) row = k;
    if (row < 0 || !(std::abs(column_[row]) > 0.0)) return false;
    is_taken_[row] = 1;
    inverse_.append(column_.data(), row);
    basic_[row] = variable;
  }
  entries_of_inversion_ = inverse_.entries();
  artificial_row_ =
      static_cast<int>(std::find(basic_.begin(), basic_.begin() + n, dummy) - basic_.begin());
  std::copy_n(scaled_q_.data(), n, h_.data());
  std::copy_n(cover_.data(), n, g_.data());
  inverse_.apply(h_.data());
  inverse_.apply(g_.data());
  const double t = -h_[artificial_row_] / g_[artificial_row_];
  wide::combine(h_.data(), t, g_.data(), basic_value_.data(), n);
  basic_value_[artificial_row_] = t;
  return true;
}

/// w, the residual and the rounding floor for the present z.
void LemkeSolver::evaluate(const Eigen::Ref<const Eigen::MatrixXd>& M,
                           const Eigen::Ref<const Eigen::VectorXd>& q) {
  Vector w(w_.data(), size_);
  Vector magnitude(column_.data(), size_);
  w = q;
  magnitude = q.cwiseAbs();
  for (Eigen::Index k = 0; k < size_; ++k) {
    if (z_[k] == 0.0) continue;
    wide::add_column(z_[k], M.col(k).data(), w_.data(), column_.data(), size_);
  }
  residual_ = 0.0;
  rounding_ = 0.0;
  if (size_ == 0) return;
  const double largest = q.cwiseAbs().maxCoeff();
  const double unit = largest > 0.0 ? largest : 1.0;
  residual_ = Vector(z_.data(), size_).cwiseMin(w).cwiseAbs().maxCoeff() / unit;
  rounding_ = epsilon * magnitude.maxCoeff() / unit;
}

/// Iterative refinement of the basic z by the etas: what w has in the rows where it should vanish
/// is pushed through B^-1. Keeps the best; falls back on an LU factorisation.
void LemkeSolver::refine(const Eigen::Ref<const Eigen::MatrixXd>& M,
                         const Eigen::Ref<const Eigen::VectorXd>& q) {
  const int n = size_;
  const auto take_basic_values = [&] {
    std::fill_n(z_.data(), n, 0.0);
    for (int k = 0; k < n; ++k)
      if (basic_[k] >= n) z_[basic_[k] - n] = column_scale_[basic_[k] - n] * basic_value_[k];
    for (int k = 0; k < n; ++k) z_[k] = std::max(z_[k], 0.0);
    evaluate(M, q);
  };
  double last_residual = std::numeric_limits<double>::infinity();
  for (int k = 0; k < lemke_tolerances.corrections; ++k) {
    take_basic_values();
    if (residual_ <= lemke_tolerances.refined * rounding_) return;
    if (residual_ > lemke_tolerances.correction_gain * last_residual) break;
    last_residual = residual_;
    double* const correction = column_.data();
    for (int i = 0; i < n; ++i) correction[i] = row_scale_[i] * w_[i];
    for (int i = 0; i < n; ++i)
      if (basic_[i] < n) correction[basic_[i]] = 0.0;
    inverse_.apply(correction);
    Vector(basic_value_.data(), n) += Vector(correction, n);
  }
  take_basic_values();
  if (residual_ <= lemke_tolerances.poorly_refined * rounding_) return;
  keep_if_better();
  solve_basic_block(M, q);
}

/// M_aa z_a = -q_a, a = the basic z.
void LemkeSolver::solve_basic_block(const Eigen::Ref<const Eigen::MatrixXd>& M,
                                    const Eigen::Ref<const Eigen::VectorXd>& q) {
  std::vector<Eigen::Index> active;
  for (Eigen::Index k = 0; k < size_; ++k)
    if (basic_[k] >= size_) active.push_back(basic_[k] - size_);
  std::sort(active.begin(), active.end());
  const Eigen::PartialPivLU<Eigen::MatrixXd> factors(M(active, active).eval());
  const Eigen::VectorXd rhs = -q(active);
  Eigen::VectorXd values = factors.solve(rhs);
  values += factors.solve(rhs - M(active, active) * values);
  std::fill_n(z_.data(), size_, 0.0);
  for (std::size_t k = 0; k < active.size(); ++k)
    if (values[k] > 0.0) z_[active[k]] = values[k];
  evaluate(M, q);
}

void LemkeSolver::keep_if_better() {
  if (!(residual_ < best_residual_)) return;
  best_residual_ = residual_;
  std::copy_n(z_.data(), size_, best_z_.data());
  std::copy_n(w_.data(), size_, best_w_.data());
}

LcpResult lemke(const Lcp& problem, const LemkeOptions& options) {
  check_lcp(problem);
  LemkeSolver solver;
  LcpResult result;
  result.status = solver.solve(problem.M, problem.q, options);
  result.z = solver.z();
  result.w = solver.w();
  result.residual = solver.residual();
  result.pivots = solver.pivots();
  return result;
}

}  // namespace clack
