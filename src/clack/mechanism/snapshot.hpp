// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "clack/model/contact_key.hpp"

namespace clack {

/// Which contacts and constraints a mode needs rows of, ascending.
struct RowSelection {
  ContactSet contacts = {};
  std::vector<int> constraints = {};  // by model index
  friend auto operator<=>(const RowSelection&, const RowSelection&) = default;
};

/// The numbers of a mechanism at one state, for one row selection: n speeds, c contacts with k
/// tangents each, b constraint rows. One flat buffer, so that compiled formulas write it in a
/// single call.
///
///   M dv/dt = smooth_force + J_N^T normal_force + J_T^T friction_force + J_C^T constraint_force
///   gap_acceleration  = J_N dv/dt + gap_bias
///   slip_acceleration = J_T dv/dt + slip_bias
///   0                 = J_C dv/dt + constraint_bias
///
/// Rates: gap_rate, slip, constraint_rate; all include surface motion.
class Snapshot {
 public:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Snapshot() = default;
  Snapshot(int speeds, int tangents, int contacts, int constraint_rows)
      : n_(speeds),
        k_(tangents),
        c_(contacts),
        b_(constraint_rows),
        buffer_(size(n_, k_, c_, b_), 0.0) {}
  /// With a mass matrix (n x n, by rows) that never changes and belongs to many snapshots: the square of the speeds is
  /// stored once then, and the buffer begins with the forces.
  Snapshot(int speeds, int tangents, int contacts, int constraint_rows,
           std::shared_ptr<const std::vector<double>> mass)
      : n_(speeds), k_(tangents), c_(contacts), b_(constraint_rows), mass_(std::move(mass)) {
    buffer_.assign(size(n_, k_, c_, b_) - (mass_ ? n_ * n_ : 0), 0.0);
  }

  int speeds() const { return n_; }
  int tangents() const { return k_; }
  int contacts() const { return c_; }
  int constraint_rows() const { return b_; }
  static std::size_t size(int n, int k, int c, int b) {
    return static_cast<std::size_t>(n * n + n + 2 + c * n + c * k * n + b * n + c * 3 + c * k * 2 +
                                    b * 3);
  }
  /// Per row of the mass matrix the first column that can differ from zero (free bodies: blocks); all of them where
  /// nothing is known. Lower triangle.
  bool has_mass_blocks() const { return !mass_begin_.empty(); }
  int mass_begin(int row) const { return mass_begin_.empty() ? 0 : mass_begin_[row]; }
  void set_mass_begin(const std::vector<int>& begin) { mass_begin_ = begin; }
  /// What never changes, so that it is computed once: the mass matrix, and with it the rows. `from` is whose numbers they
  /// are; they stay in the buffer until somebody else writes his.
  bool has_constant_mass() const { return constants_.mass; }
  bool has_constant_rows() const { return constants_.rows; }
  bool has_constants_of(const void* from) const { return constants_.from.get() == from; }
  void set_constants(std::shared_ptr<const void> from, bool mass, bool rows) {
    constants_ = {std::move(from), mass, rows};
  }
  double* data() { return buffer_.data(); }
  const double* data() const { return buffer_.data(); }
  std::size_t numbers() const { return buffer_.size(); }
  bool shares_mass() const { return mass_ != nullptr; }
  const double* mass() const { return mass_ ? mass_->data() : buffer_.data(); }  // n x n, by rows

  auto mass_matrix() const { return Eigen::Map<const Matrix>(mass(), n_, n_); }
  auto smooth_force() const { return vector(at_force(), n_); }
  double applied_power() const { return buffer_[at_power()]; }  // W, forces without a potential
  double drive_power() const {
    return buffer_[at_power() + 1];
  }  // W, prescribed motion (Equations)
  auto normal_jacobian() const { return matrix(at_normal(), c_, n_); }
  auto tangent_jacobian() const { return matrix(at_tangent(), c_ * k_, n_); }
  auto constraint_jacobian() const { return matrix(at_constraint(), b_, n_); }
  auto gap() const { return vector(at_gap(), c_); }
  auto gap_rate() const { return vector(at_gap() + c_, c_); }
  auto gap_bias() const { return vector(at_gap() + 2 * c_, c_); }
  auto slip() const { return vector(at_slip(), c_ * k_); }
  auto slip_bias() const { return vector(at_slip() + c_ * k_, c_ * k_); }
  auto constraint_value() const { return vector(at_value(), b_); }
  auto constraint_rate() const { return vector(at_value() + b_, b_); }
  auto constraint_bias() const { return vector(at_value() + 2 * b_, b_); }

  // Where each part begins, for those who fill the buffer, in its order: mass matrix and rows, which may be constant, are
  // its two ends.
  int at_force() const { return mass_ ? 0 : n_ * n_; }
  int at_power() const { return at_force() + n_; }
  int at_gap() const { return at_power() + 2; }
  int at_slip() const { return at_gap() + 3 * c_; }
  int at_value() const { return at_slip() + 2 * c_ * k_; }
  int at_normal() const { return at_value() + 3 * b_; }
  int at_tangent() const { return at_normal() + c_ * n_; }
  int at_constraint() const { return at_tangent() + c_ * k_ * n_; }

 private:
  Eigen::Map<const Matrix> matrix(int at, int rows, int cols) const {
    return Eigen::Map<const Matrix>(buffer_.data() + at, rows, cols);
  }
  Eigen::Map<const Eigen::VectorXd> vector(int at, int size) const {
    return Eigen::Map<const Eigen::VectorXd>(buffer_.data() + at, size);
  }
  struct Constants {
    std::shared_ptr<const void> from;
    bool mass = false, rows = false;
  };
  int n_ = 0, k_ = 1, c_ = 0, b_ = 0;
  std::shared_ptr<const std::vector<double>> mass_;  // none: the buffer begins with it
  std::vector<double> buffer_;
  Constants constants_;
  std::vector<int> mass_begin_;
};

}  // namespace clack
