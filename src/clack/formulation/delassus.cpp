// SPDX-License-Identifier: Apache-2.0
// Hot loops over small matrices: worth the compiler's effort.
#pragma GCC optimize("O3")
#include "clack/formulation/delassus.hpp"

#include <array>
#include <cmath>

#include "clack/formulation/small_product.hpp"
#include "clack/formulation/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {

FormulationPart DelassusFormulation::part() {
  FormulationPart part;
  part.name = "delassus";
  part.help = "small dense system of closed contacts and joints; smallest forces when hyperstatic";
  part.needs.positive_mass = true;
  part.make = [](const OptionValues&) { return std::make_unique<DelassusFormulation>(); };
  return part;
}

void DelassusFormulation::enter(const ModeShape& shape) {
  shape_ = shape;
  n_ = shape.speeds;
  k_ = shape.tangents;
  c_ = number_of(shape.statuses);
  b_ = shape.constraint_rows;
  stick_at_.assign(c_, -1);
  u_ = c_;
  for (int i = 0; i < c_; ++i)
    if (shape.statuses[i] == ContactStatus::stick) {
      stick_at_[i] = u_;
      u_ += k_;
    }
  u_ += b_;
  cutoff_ = shape.rank_cutoff > 0.0 ? shape.rank_cutoff : mobility_rank_cutoff;
  const std::size_t n = n_, u = u_;
  cholesky_.resize(n * n);
  rows_.assign(u * n, 0.0);
  columns_.assign(u * n, 0.0);
  mobility_.assign(u * n, 0.0);
  bias_.assign(u, 0.0);
  free_.assign(n, 0.0);
  acceleration_.assign(n, 0.0);
  x_.assign(u, 0.0);
  rhs_.assign(u, 0.0);
  residual_.assign(u, 0.0);
  correction_.assign(u, 0.0);
  lu_.assign(u * u, 0.0);
  scale_.assign(u, 1.0);
  pivot_.assign(u, 0);
  first_.assign(n, 0);
  support_.assign(n, 0);
  direction_ = shape.slip_direction;
  dense_.setZero(u_, u_);
  last_mass_.resize(n * n);
  last_rows_.resize((c_ + c_ * k_ + b_) * n);
  has_last_ = false;
  answers_.clear();
  slides_ = false;
  for (int i = 0; i < c_; ++i) slides_ = slides_ || (stick_at_[i] < 0 && shape.friction[i] > 0.0);
  turns_ = k_ == 2 && slides_;  // in space the direction of friction turns with the slip
}

/// False when the mass matrix differs from that of the last call; it is kept for the next one.
bool DelassusFormulation::keep_mass(const Snapshot& s) {
  if (has_last_ && s.has_constant_mass()) return true;
  const double* M = s.mass();
  bool is_same = has_last_;
  for (int i = 0; i < n_; ++i) {
    const int begin = i * n_ + s.mass_begin(i), end = i * n_ + i + 1;
    is_same = is_same && std::equal(M + begin, M + end, last_mass_.begin() + begin);
    if (!is_same) std::copy(M + begin, M + end, last_mass_.begin() + begin);
  }
  return is_same;
}

bool DelassusFormulation::keep_rows(const Snapshot& s) {
  if (has_last_ && s.has_constant_rows()) return true;
  const double* rows = s.data() + s.at_normal();
  if (has_last_ && std::equal(last_rows_.begin(), last_rows_.end(), rows)) return true;
  std::copy_n(rows, last_rows_.size(), last_rows_.begin());
  return false;
}

/// Mechanisms with constant mass and rows (small angles, free flight) keep their factors.
void DelassusFormulation::renew(const Snapshot& s) {
  const bool is_first = !has_last_;
  const bool is_mass_kept = keep_mass(s), are_rows_kept = keep_rows(s);
  has_last_ = true;
  if (!is_mass_kept) is_mass_positive_ = factor_mass(s);
  if (is_mass_kept && are_rows_kept && !turns_) return;
  gather_rows(s);
  form_matrix();
  if (is_first && s.has_constant_rows() && !turns_) store_answers();
}

/// The columns of (h, bias) -> (dv/dt, x).
void DelassusFormulation::store_answers() {
  const int size = n_ + u_, pairs = (size + 1) / 2;
  if (pairs >= number_of(multiply_pairs) || !is_mass_positive_ || !(is_regular_ || u_ == 0)) return;
  multiply_ = multiply_pairs[pairs];
  answer_rows_ = 2 * pairs;
  std::vector<double>& columns = answers_;
  columns.assign(answer_rows_ * size, 0.0);
  ModeForces ignored;
  for (int j = 0; j < size; ++j) {
    std::fill(free_.begin(), free_.end(), 0.0);
    std::fill(bias_.begin(), bias_.end(), 0.0);
    (j < n_ ? free_[j] : bias_[j - n_]) = 1.0;
    answer(ignored);
    std::copy(acceleration_.begin(), acceleration_.end(), columns.begin() + j * answer_rows_);
    std::copy(x_.begin(), x_.end(), columns.begin() + j * answer_rows_ + n_);
  }
}

/// Rows R, force columns F and biases of the unknowns, in the order normal, sticking friction,
/// constraints.
void DelassusFormulation::gather_rows(const Snapshot& s) {
  const double* normal = s.data() + s.at_normal();
  const double* tangent = s.data() + s.at_tangent();
  for (int i = 0; i < c_; ++i) {
    std::copy_n(normal + i * n_, n_, &rows_[i * n_]);
    std::copy_n(normal + i * n_, n_, &columns_[i * n_]);
    const int at = stick_at_[i];
    if (at >= 0) {
      std::copy_n(tangent + i * k_ * n_, k_ * n_, &rows_[at * n_]);
      std::copy_n(tangent + i * k_ * n_, k_ * n_, &columns_[at * n_]);
      continue;
    }
    const double mu = shape_.friction[i];
    if (mu == 0.0) continue;
    double* direction = &direction_[i * k_];
    if (k_ == 2) {  // in space the direction turns with the slip
      const double x = s.slip()[2 * i], y = s.slip()[2 * i + 1], speed = std::hypot(x, y);
      const bool is_moving = speed > shape_.slip_floor && speed > 0.0;
      direction[0] = is_moving ? x / speed : shape_.slip_direction[2 * i];
      direction[1] = is_moving ? y / speed : shape_.slip_direction[2 * i + 1];
    }
    for (int a = 0; a < k_; ++a)
      for (int j = 0; j < n_; ++j)
        columns_[i * n_ + j] -= mu * direction[a] * tangent[(i * k_ + a) * n_ + j];
  }
  const int first = u_ - b_;
  std::copy_n(s.data() + s.at_constraint(), b_ * n_, rows_.data() + first * n_);
  std::copy_n(s.data() + s.at_constraint(), b_ * n_, columns_.data() + first * n_);
}

void DelassusFormulation::gather_biases(const Snapshot& s) {
  const double* gap_bias = s.gap_bias().data();
  const double* slip_bias = s.slip_bias().data();
  for (int i = 0; i < c_; ++i) {
    bias_[i] = gap_bias[i];
    const int at = stick_at_[i];
    if (at < 0) continue;
    for (int a = 0; a < k_; ++a) bias_[at + a] = slip_bias[i * k_ + a];
  }
  const double* constraint_bias = s.constraint_bias().data();
  for (int r = 0; r < b_; ++r) bias_[u_ - b_ + r] = constraint_bias[r];
}

/// A = R M^-1 F^T as it is (dense_) and scaled to a unit diagonal, factored (lu_).
void DelassusFormulation::form_matrix() {
  std::copy(columns_.begin(), columns_.end(), mobility_.begin());
  for (int r = 0; r < u_; ++r) solve_mass(mobility_.data() + r * n_);
  for (int r = 0; r < u_; ++r) {
    const double* row = rows_.data() + r * n_;
    int entries = 0;  // where the row is not zero: a contact moves two bodies only
    for (int j = 0; j < n_; ++j)
      if (row[j] != 0.0) support_[entries++] = j;
    for (int s = 0; s < u_; ++s) {
      const double* column = mobility_.data() + s * n_;
      double entry = 0.0;
      for (int e = 0; e < entries; ++e) entry += row[support_[e]] * column[support_[e]];
      dense_(r, s) = entry;
    }
  }
  for (int r = 0; r < u_; ++r)
    scale_[r] =
        1.0 / std::sqrt(std::max(std::abs(dense_(r, r)), formulation_tolerances.smallest_mobility));
  for (int r = 0; r < u_; ++r)
    for (int s = 0; s < u_; ++s) lu_[r * u_ + s] = dense_(r, s) * scale_[r] * scale_[s];
  const bool is_locked = u_ >= n_ && u_ > 0;
  is_regular_ = !is_locked && solve_regular();
  if (!is_regular_ && u_ > 0) factor_hyperstatic();
}

/// Cholesky factor of M, lower, row by row, inside the envelope of M (free bodies: blocks); the
/// diagonal holds reciprocals.
bool DelassusFormulation::factor_mass(const Snapshot& s) {
  const double* M = s.mass();
  double* L = cholesky_.data();
  for (int i = 0; i < n_; ++i) {
    int first = s.mass_begin(i);
    while (first < i && M[i * n_ + first] == 0.0) ++first;
    first_[i] = first;
    for (int j = first; j <= i; ++j) {
      double sum = M[i * n_ + j];
      for (int m = std::max(first, first_[j]); m < j; ++m) sum -= L[i * n_ + m] * L[j * n_ + m];
      if (i != j) {
        L[i * n_ + j] = sum * L[j * n_ + j];
      } else {
        if (!(sum > 0.0)) return false;
        L[i * n_ + i] = 1.0 / std::sqrt(sum);
      }
    }
  }
  return true;
}

void DelassusFormulation::solve_mass(double* x) const {
  const double* L = cholesky_.data();
  for (int i = 0; i < n_; ++i) {
    double sum = x[i];
    for (int m = first_[i]; m < i; ++m) sum -= L[i * n_ + m] * x[m];
    x[i] = sum * L[i * n_ + i];
  }
  for (int i = n_ - 1; i >= 0; --i) {
    const double value = x[i] * L[i * n_ + i];
    x[i] = value;
    for (int m = first_[i]; m < i; ++m) x[m] -= L[i * n_ + m] * value;
  }
}

/// LU with partial pivoting of the scaled A in place; x from rhs. False when a pivot is small: rounding
/// is divided by it, so that a rank cannot be read off those that follow. The orthogonal
/// decomposition judges then.
bool DelassusFormulation::solve_regular() {
  double* A = lu_.data();
  for (int p = 0; p < u_; ++p) {
    int best = p;
    for (int r = p + 1; r < u_; ++r)
      if (std::abs(A[r * u_ + p]) > std::abs(A[best * u_ + p])) best = r;
    pivot_[p] = best;
    if (best != p) std::swap_ranges(A + p * u_, A + (p + 1) * u_, A + best * u_);
    if (!(std::abs(A[p * u_ + p]) > std::max(cutoff_, formulation_tolerances.clear_pivot)))
      return false;
    const double inverse = 1.0 / A[p * u_ + p];
    for (int r = p + 1; r < u_; ++r) {
      const double factor = A[r * u_ + p] * inverse;
      A[r * u_ + p] = factor;
      if (factor != 0.0)
        for (int m = p + 1; m < u_; ++m) A[r * u_ + m] -= factor * A[p * u_ + m];
    }
  }
  return true;
}

/// x (scaled) := LU \ rhs, in place.
static void substitute_lu(const double* A, const int* pivot, int u, double* x) {
  for (int p = 0; p < u; ++p) {
    if (pivot[p] != p) std::swap(x[p], x[pivot[p]]);
    for (int m = 0; m < p; ++m) x[p] -= A[p * u + m] * x[m];
  }
  for (int p = u - 1; p >= 0; --p) {
    for (int m = p + 1; m < u; ++m) x[p] -= A[p * u + m] * x[m];
    x[p] /= A[p * u + p];
  }
}

/// Minimum-norm forces and the distributions that change no acceleration.
void DelassusFormulation::solve_hyperstatic(ModeForces& forces) {
  const Eigen::Map<const Eigen::VectorXd> x(x_.data(), u_), rhs(rhs_.data(), u_);
  solve_smallest(rhs_, x_);
  forces.is_hyperstatic = orthogonal_.rank() < u_;
  forces.null_forces = null_forces_;
  forces.null_accelerations = null_accelerations_;
  double left = 0.0, size = 0.0;
  for (int i = 0; i < u_; ++i) {
    const double r = dense_.row(i).dot(x) - rhs[i];
    left = std::max(left, std::abs(r));
    size = std::max(size, std::abs(rhs[i]));
  }
  forces.is_finite = forces.is_finite && left <= formulation_tolerances.unreachable * size;
}

/// A P = Q [T 0; 0 0] Z: the last columns of P Z^T span the forces that change no acceleration.
void DelassusFormulation::factor_hyperstatic() {
  if (orthogonal_.rows() != u_)
    orthogonal_ = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(u_, u_);
  orthogonal_.setThreshold(cutoff_);
  orthogonal_.compute(dense_);
  null_forces_ = orthogonal_.colsPermutation() *
                 orthogonal_.matrixZ().transpose().rightCols(u_ - orthogonal_.rank());
  if (u_ <= formulation_tolerances.largest_kept_inverse)
    pseudo_inverse_ = orthogonal_.pseudoInverse();
  null_accelerations_.resize(n_, 0);
  if (!slides_ || null_forces_.cols() == 0) return;
  const Eigen::Map<const Snapshot::Matrix> mobility(mobility_.data(), u_, n_);
  null_accelerations_.noalias() = mobility.transpose() * null_forces_;
  const double largest = mobility.cwiseAbs().maxCoeff();
  if (null_accelerations_.cwiseAbs().maxCoeff() <= formulation_tolerances.silent * largest)
    null_accelerations_.resize(n_, 0);
}

/// x of the smallest norm, least squares where the right-hand side cannot be reached.
void DelassusFormulation::solve_smallest(const std::vector<double>& right, std::vector<double>& x) {
  Eigen::Map<Eigen::VectorXd> found(x.data(), u_);
  const Eigen::Map<const Eigen::VectorXd> rhs(right.data(), u_);
  if (u_ <= formulation_tolerances.largest_kept_inverse)
    found.noalias() = pseudo_inverse_.lazyProduct(rhs);
  else
    found = orthogonal_.solve(rhs);
}

void DelassusFormulation::accelerate() {
  std::copy(free_.begin(), free_.end(), acceleration_.begin());
  for (int r = 0; r < u_; ++r)
    for (int j = 0; j < n_; ++j) acceleration_[j] += mobility_[r * n_ + j] * x_[r];
}

/// One correction of R a + bias = 0, so that a locked mechanism at rest stays at rest to the square
/// of rounding.
void DelassusFormulation::refine() {
  Eigen::Map<Eigen::VectorXd> a(acceleration_.data(), n_);
  const Eigen::Map<const Snapshot::Matrix> rows(rows_.data(), u_, n_),
      mobility(mobility_.data(), u_, n_);
  const Eigen::Map<const Eigen::VectorXd> bias(bias_.data(), u_);
  for (int pass = 0; pass < 2; ++pass) {
    Eigen::Map<Eigen::VectorXd> r(residual_.data(), u_);
    r.noalias() = rows * a;
    r = -(r + bias);
    solve_smallest(residual_, correction_);
    const Eigen::Map<const Eigen::VectorXd> correction(correction_.data(), u_);
    a.noalias() += mobility.transpose() * correction;
  }
}

/// dv/dt and x from h (in free_) and bias.
void DelassusFormulation::answer(ModeForces& forces) {
  solve_mass(free_.data());
  for (int r = 0; r < u_; ++r) {
    const double* row = rows_.data() + r * n_;
    double sum = bias_[r];
    for (int j = 0; j < n_; ++j) sum += row[j] * free_[j];
    rhs_[r] = -sum;
  }
  if (is_regular_) {
    for (std::size_t r = 0; r < x_.size(); ++r) x_[r] = rhs_[r] * scale_[r];
    substitute_lu(lu_.data(), pivot_.data(), u_, x_.data());
    for (std::size_t r = 0; r < x_.size(); ++r) x_[r] *= scale_[r];
    accelerate();
  } else if (u_ > 0) {
    solve_hyperstatic(forces);
    accelerate();
    if (u_ >= n_) refine();
  } else {
    accelerate();
  }
}

void DelassusFormulation::solve(const Snapshot& snapshot, ModeForces& forces) {
  const bool is_all_kept = !answers_.empty() && snapshot.has_constant_rows();
  if (!is_all_kept) renew(snapshot);
  gather_biases(snapshot);
  forces.is_hyperstatic = false;
  if (forces.null_accelerations.cols() > 0) forces.null_accelerations.resize(n_, 0);
  forces.is_finite = is_mass_positive_;
  const double* force = snapshot.data() + snapshot.at_force();
  if (answers_.empty()) {
    std::copy_n(force, n_, free_.data());
    answer(forces);
  } else {
    std::array<double, 2 * multiply_pairs.size()> given, found;
    std::copy_n(force, n_, given.data());
    std::copy_n(bias_.data(), u_, given.data() + n_);
    multiply_(answers_.data(), given.data(), n_ + u_, found.data());
    std::copy_n(found.data(), n_, acceleration_.data());
    std::copy_n(found.data() + n_, u_, x_.data());
  }
  scatter(forces);
}

void DelassusFormulation::scatter(ModeForces& forces) const {
  if (forces.acceleration.size() != n_) forces.acceleration.resize(n_);
  if (forces.normal_force.size() != c_) forces.normal_force.resize(c_);
  if (forces.friction_force.size() != c_ * k_) forces.friction_force.resize(c_ * k_);
  if (forces.constraint_force.size() != b_) forces.constraint_force.resize(b_);
  if (forces.sliding_friction.size() != c_ * k_) forces.sliding_friction.resize(c_ * k_);
  for (int j = 0; j < n_; ++j) forces.acceleration[j] = acceleration_[j];
  for (int i = 0; i < c_; ++i) {
    const double normal = x_[i];
    forces.normal_force[i] = normal;
    const int at = stick_at_[i];
    const double mu = shape_.friction[i];
    for (int a = 0; a < k_; ++a) {
      const int row = i * k_ + a;
      forces.sliding_friction[row] = at >= 0 ? 0.0 : -mu * direction_[row];
      forces.friction_force[row] = at >= 0 ? x_[at + a] : -mu * normal * direction_[row];
    }
  }
  for (int r = 0; r < b_; ++r) forces.constraint_force[r] = x_[u_ - b_ + r];
}

}  // namespace clack
