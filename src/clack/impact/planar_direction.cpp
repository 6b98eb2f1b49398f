// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/planar_direction.hpp"

#include <Eigen/LU>

#include "clack/impact/energetic_tolerances.hpp"

namespace clack {
namespace {

/// Equations A z = b for z = (normals but the reference's, tangents of sticking members).
template <int Most>
class DirectionEquations {
 public:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, Most, Most>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, Most, 1>;

  DirectionEquations(const DirectionQuestion& question, int sticking)
      : question_(question),
        normals_(static_cast<int>(question.members.size()) - 1),
        matrix_(Matrix::Zero(question.closure->count + sticking, normals_ + sticking)),
        right_(Vector::Zero(question.closure->count + sticking)) {
    for (int k = 0; k < question.closure->count; ++k) add_closure(k);
    for (int i = 0; i <= normals_; ++i)
      if (question.states[i] == SlipState::stick) add_stick(i);
  }

  bool solve() {
    if (matrix_.cols() == 0) {
      answer_.resize(0);
      return rows_ == 0 ||
             right_.head(rows_).template lpNorm<Eigen::Infinity>() <= energetic_tolerances.residual;
    }
    Eigen::FullPivLU<Matrix> factors;
    factors.setThreshold(energetic_tolerances.rank);
    const Matrix used = matrix_.topRows(rows_);
    const Vector right = right_.head(rows_);
    if (rows_ == 0) {
      answer_ = Vector::Zero(matrix_.cols());
      choose(Matrix::Identity(matrix_.cols(), matrix_.cols()));
      return true;
    }
    factors.compute(used);
    answer_ = factors.solve(right);
    if (!answer_.allFinite()) return false;
    const double missed = (used * answer_ - right).template lpNorm<Eigen::Infinity>();
    const double size = 1.0 + answer_.template lpNorm<Eigen::Infinity>();
    if (!(missed <= energetic_tolerances.residual * size)) return false;
    if (factors.rank() < matrix_.cols()) choose(factors.kernel());
    return true;
  }

  void write(Eigen::VectorXd& direction) const {
    const int c = question_.delassus->contacts;
    direction.setZero(2 * c);
    int tangent = normals_;
    for (int i = 0; i <= normals_; ++i) {
      const int contact = question_.members[i];
      const double normal = i == 0 ? 1.0 : answer_[i - 1];
      direction[contact] = normal;
      direction[c + contact] =
          question_.states[i] == SlipState::stick ? answer_[tangent++] : -bound(i) * normal;
    }
  }

 private:
  /// x_t = -bound x_n of a member that does not stick.
  double bound(int i) const {
    const SlipState state = question_.states[i];
    if (state == SlipState::frictionless) return 0.0;
    return static_cast<double>(state) *
           (*question_.materials)[question_.members[i]].dynamic_friction;
  }

  /// Adds tangent x_ti + normal x_ni of member i to the row that is being written.
  void add(int i, double tangent, double normal) {
    if (question_.states[i] == SlipState::stick)
      matrix_(rows_, normals_ + sticking_before(i)) += tangent;
    else
      normal -= bound(i) * tangent;
    if (i == 0)
      right_[rows_] -= normal;
    else
      matrix_(rows_, i - 1) += normal;
  }
  int sticking_before(int i) const {
    int count = 0;
    for (int k = 0; k < i; ++k) count += question_.states[k] == SlipState::stick ? 1 : 0;
    return count;
  }
  /// Rows of one size; one without entries says nothing.
  void finish_row() {
    double size = std::abs(right_[rows_]);
    if (matrix_.cols() > 0)
      size = std::max(size, matrix_.row(rows_).template lpNorm<Eigen::Infinity>());
    if (!(size > energetic_tolerances.row_entry * terms_)) {
      right_[rows_] = 0.0;
      if (matrix_.cols() > 0) matrix_.row(rows_).setZero();
      return;
    }
    right_[rows_] /= size;
    if (matrix_.cols() > 0) matrix_.row(rows_) /= size;
    ++rows_;
  }
  void add_closure(int k) {
    terms_ = 0.0;
    for (int i = 0; i <= normals_; ++i) {
      const double tangent = question_.closure->rows(k, 2 * i);
      const double normal = question_.closure->rows(k, 2 * i + 1);
      terms_ = std::max({terms_, std::abs(tangent), std::abs(normal)});
      add(i, tangent, normal);
    }
    finish_row();
  }
  void add_stick(int i) {
    const Delassus& delassus = *question_.delassus;
    const int c = delassus.contacts, row = c + question_.members[i];
    terms_ = 0.0;
    for (int j = 0; j <= normals_; ++j) {
      const int contact = question_.members[j];
      const double tangent = delassus.matrix(row, c + contact);
      const double normal = delassus.matrix(row, contact);
      terms_ = std::max({terms_, std::abs(tangent), std::abs(normal)});
      add(j, tangent, normal);
    }
    finish_row();
  }

  /// Of the answers z + K w those with the normals nearest to the ratios before, of these the one
  /// with the smallest tangents: least squares by columns made orthogonal, part by part.
  void choose(Matrix kernel) {
    const Eigen::Index tangents = answer_.size() - normals_;
    const Vector wanted = question_.ratios.segment(1, normals_) - answer_.head(normals_);
    const Eigen::Index used = approach(kernel, 0, 0, wanted);
    const Vector present = -answer_.tail(tangents);
    approach(kernel, used, normals_, present);
  }

  /// Adds those combinations of the columns of K from `first` on that bring the rows from `row` on
  /// nearest to a change by `wanted`. Columns are normed on these rows, the largest first, and taken
  /// out of the others, on which they leave nothing there; returns the first of these.
  Eigen::Index approach(Matrix& kernel, Eigen::Index first, Eigen::Index row,
                        const Vector& wanted) {
    const Eigen::Index rows = wanted.size();
    double largest = 0.0;
    for (; first < kernel.cols(); ++first) {
      Eigen::Index pivot = first;
      double size = 0.0;
      for (Eigen::Index k = first; k < kernel.cols(); ++k) {
        const double norm = kernel.col(k).segment(row, rows).norm();
        if (norm > size) size = norm, pivot = k;
      }
      largest = std::max(largest, size);
      if (!(size > energetic_tolerances.rank * largest)) break;
      kernel.col(first).swap(kernel.col(pivot));
      kernel.col(first) /= size;
      const auto axis = kernel.col(first).segment(row, rows);
      answer_ += axis.dot(wanted) * kernel.col(first);
      for (Eigen::Index k = first + 1; k < kernel.cols(); ++k)
        kernel.col(k) -= axis.dot(kernel.col(k).segment(row, rows)) * kernel.col(first);
    }
    return first;
  }

  const DirectionQuestion& question_;
  int normals_;
  Matrix matrix_;
  Vector right_, answer_;
  int rows_ = 0;
  double terms_ = 0.0;  // the largest coefficient that went into the row
};

template <int Most>
bool find(const DirectionQuestion& question, int sticking, Eigen::VectorXd& direction) {
  DirectionEquations<Most> equations(question, sticking);
  if (!equations.solve()) return false;
  equations.write(direction);
  return true;
}

}  // namespace

bool find_direction(const DirectionQuestion& question, Eigen::VectorXd& direction) {
  int sticking = 0;
  for (const SlipState state : question.states) sticking += state == SlipState::stick ? 1 : 0;
  const int normals = static_cast<int>(question.members.size()) - 1;
  const int size = sticking + std::max(normals, question.closure->count);
  constexpr int usual = 16;  // equations that fit into memory of the stack
  if (size <= usual) return find<usual>(question, sticking, direction);
  return find<Eigen::Dynamic>(question, sticking, direction);
}

}  // namespace clack
