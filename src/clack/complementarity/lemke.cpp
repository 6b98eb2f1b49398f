#include "clack/complementarity/lemke.hpp"

#include <Eigen/LU>

#include "clack/complementarity/equilibration.hpp"
#include "clack/complementarity/smallest_ratio.hpp"

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
  if (n == 0 || q.minCoeff() >= -4.0 * epsilon * largest) {
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
  const int pivot_limit =
      options.pivot_limit > 0 ? options.pivot_limit : 50 * static_cast<int>(n) + 1000;
  bool has_answer = false;
  End end = End::limit;
  best_residual_ = std::numeric_limits<double>::infinity();
  for (const double tie_tolerance : {options.tie_tolerance, 1e-4 * options.tie_tolerance}) {
    const End this_end = pivot_to_the_end(options, tie_tolerance, pivot_limit);
    if (this_end == End::artificial_left) {
      refine(M, q);
      keep_if_better();
      has_answer = true;
      if (best_residual_ <= std::min(options.tolerance, 64.0 * rounding_)) break;
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
  return residual_ <= options.tolerance ? LcpStatus::solved : LcpStatus::limit;
}

void LemkeSolver::resize(Eigen::Index n) {
  size_ = n;
  const auto count = static_cast<std::size_t>(n);
  if (z_.size() >= count && best_z_.size() >= count) return;
  for (auto* vector : {&z_, &w_, &best_z_, &best_w_, &row_scale_, &column_scale_, &cover_,
                       &scaled_q_, &basic_value_, &column_})
    vector->resize(count);
  basic_.resize(count);
  tied_.resize(count);
}

LemkeSolver::End LemkeSolver::pivot_to_the_end(const LemkeOptions& options, double tie_tolerance,
                                               int pivot_limit) {
  const int n = static_cast<int>(size_);
  const int artificial = 2 * n;
  inverse_.clear(size_);
  etas_of_inversion_ = 0;
  std::copy_n(scaled_q_.data(), n, basic_value_.data());
  for (int k = 0; k < n; ++k) basic_[k] = k;

  // 1. t enters, the most negative row leaves.
  artificial_row_ = first_leaving_row();
  int leaving = artificial_row_;
  load_column(artificial);
  pivot(artificial_row_, artificial);
  ++pivots_;

  // 2. The complement of what left enters, until t leaves.
  while (true) {
    if (pivots_ >= pivot_limit) return End::limit;
    if (inverse_.count() > etas_of_inversion_ + n / 2 + 100 && !reinvert()) return End::limit;
    const int entering = leaving < n ? leaving + n : leaving - n;
    load_column(entering);
    inverse_.apply(column_.data());
    const int row = leaving_row(options, tie_tolerance);
    if (row < 0) return End::ray;
    leaving = basic_[row];
    pivot(row, entering);
    ++pivots_;
    if (leaving == artificial) return End::artificial_left;
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

/// The column of a variable in  w - M z - d t = q, scaled.
void LemkeSolver::load_column(int variable) {
  const int n = static_cast<int>(size_);
  double* const column = column_.data();
  if (variable < n) {
    std::fill_n(column, n, 0.0);
    column[variable] = 1.0;
  } else if (variable < 2 * n) {
    const double* const entries = matrix_ + (variable - n) * stride_;
    const double factor = -column_scale_[variable - n];
    for (int k = 0; k < n; ++k) column[k] = factor * row_scale_[k] * entries[k];
  } else {
    for (int k = 0; k < n; ++k) column[k] = -cover_[k];
  }
}

/// The ratio test on x_B / column. Rows that would keep less than the tie tolerance are tied; t
/// leaves first among them, otherwise the lexicographic rule decides. -1: no positive entry.
int LemkeSolver::leaving_row(const LemkeOptions& options, double tie_tolerance) {
  const RatioTest test = ratio_test(basic_value_.data(), column_.data(), static_cast<int>(size_),
                                    options.pivot_tolerance, tie_tolerance, tied_.data());
  if (test.ties <= 1) return test.row;
  for (int k = 0; k < test.ties; ++k)
    if (tied_[k] == artificial_row_) return artificial_row_;
  return lexicographic_minimum(test.ties);
}

/// Of the first `count` tied rows the lexicographically smallest  (row of B^-1) / (pivot entry).
int LemkeSolver::lexicographic_minimum(int count) {
  const auto n = static_cast<std::size_t>(size_);
  if (tied_rows_.size() < 2 * n) tied_rows_.resize(2 * n);
  double* smallest = tied_rows_.data();
  double* other = smallest + n;
  int chosen = tied_[0];
  inverse_.row_of_inverse(chosen, smallest);
  Vector(smallest, size_) /= column_[chosen];
  for (int k = 1; k < count; ++k) {
    const int row = tied_[k];
    inverse_.row_of_inverse(row, other);
    Vector(other, size_) /= column_[row];
    const double noise = 1e-11 * std::max(Vector(smallest, size_).cwiseAbs().maxCoeff(),
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

/// `variable`, whose column B^-1 a is in column_, becomes basic in `row`.
void LemkeSolver::pivot(int row, int variable) {
  const double* const eta = inverse_.append(column_.data(), row);
  const double value = basic_value_[row];
  basic_value_[row] = 0.0;
  Vector(basic_value_.data(), size_) += value * ConstVector(eta, size_);
  if (artificial_row_ == row && variable < 2 * size_) artificial_row_ = -1;
  basic_[row] = variable;
}

/// Builds the etas of the present basis afresh: slack columns are free of charge, the others choose
/// the largest entry among the rows that are left. False when the basis is numerically singular.
bool LemkeSolver::reinvert() {
  const int n = static_cast<int>(size_);
  std::vector<int> structural;
  std::vector<char> is_taken(static_cast<std::size_t>(n), 0);
  for (const int variable : std::span(basic_).first(static_cast<std::size_t>(n)))
    if (variable < n)
      is_taken[variable] = 1;
    else
      structural.push_back(variable);
  std::sort(structural.begin(), structural.end());
  inverse_.clear(size_);
  for (int k = 0; k < n; ++k) basic_[k] = k;
  std::copy_n(scaled_q_.data(), n, basic_value_.data());
  artificial_row_ = -1;
  for (const int variable : structural) {
    load_column(variable);
    inverse_.apply(column_.data());
    int row = -1;
    for (int k = 0; k < n; ++k)
      if (!is_taken[k] && (row < 0 || std::abs(column_[k]) > std::abs(column_[row]))) row = k;
    if (row < 0 || !(std::abs(column_[row]) > 0.0)) return false;
    is_taken[row] = 1;
    pivot(row, variable);
    if (variable == 2 * n) artificial_row_ = row;
  }
  etas_of_inversion_ = inverse_.count();
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
    w += z_[k] * M.col(k);
    magnitude += std::abs(z_[k]) * M.col(k).cwiseAbs();
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
  const int n = static_cast<int>(size_);
  const auto take_basic_values = [&] {
    std::fill_n(z_.data(), n, 0.0);
    for (int k = 0; k < n; ++k)
      if (basic_[k] >= n) z_[basic_[k] - n] = column_scale_[basic_[k] - n] * basic_value_[k];
    for (int k = 0; k < n; ++k) z_[k] = std::max(z_[k], 0.0);
    evaluate(M, q);
  };
  constexpr int most_corrections = 3;
  double last_residual = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_corrections; ++k) {
    take_basic_values();
    if (residual_ <= 2.0 * rounding_) return;
    if (residual_ > 0.5 * last_residual) break;
    last_residual = residual_;
    double* const correction = column_.data();
    for (int i = 0; i < n; ++i) correction[i] = row_scale_[i] * w_[i];
    for (int i = 0; i < n; ++i)
      if (basic_[i] < n) correction[basic_[i]] = 0.0;
    inverse_.apply(correction);
    Vector(basic_value_.data(), n) += Vector(correction, n);
  }
  take_basic_values();
  if (residual_ <= 16.0 * rounding_) return;
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
