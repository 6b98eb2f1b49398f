// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/QR>

#include "clack/formulation/formulation.hpp"

namespace clack {

/// Default rank cut-off: the matrix squares the rows, so the square of motion_rank_cutoff of
/// formulation `projection`.
inline constexpr double mobility_rank_cutoff = 1e-10;

/// Formulation `delassus`: forces of a mode from the Delassus matrix (Slavic and Boltezar 2005 eq.
/// 9 with the corrections of docs/errata.md; O'Toole and Navarro-Lopez 2012 eq. 14, corrected).
///
///   rows     R = [ J_N ; J_T of sticking contacts ; J_C ]
///   columns  F = [ J_N - mu e . J_T of slipping contacts ; J_T sticking ; J_C ]
///   A x = -(R M^-1 h + bias),   A = R M^-1 F^T,   dv/dt = M^-1 (h + F^T x)
///
/// R are the equalities at acceleration level, e is the unit direction of slip. A is unsymmetric as
/// soon as something slips. A rank-deficient A (hyperstatic contacts) gets the minimum-norm x, without
/// regard to signs, and the distributions Z with A Z = 0. Where nothing slips the accelerations are
/// unique all the same (A is symmetric); sliding friction may accelerate along Z: M^-1 F^T Z.
///
/// Where M, R and F never change and the system is small and regular, the answers to the unit vectors of (h, bias) are kept
/// when the mode is entered; a solution is then one product with a constant matrix.
class DelassusFormulation final : public Formulation {
 public:
  static FormulationPart part();
  std::string_view name() const override { return "delassus"; }
  void enter(const ModeShape& shape) override;
  void solve(const Snapshot& snapshot, ModeForces& forces) override;
  std::optional<ConstantResponse> constant_response() const override {
    if (answers_.empty()) return std::nullopt;
    return ConstantResponse{n_ + u_, answer_rows_, answers_.data()};
  }

 private:
  void renew(const Snapshot& snapshot);
  bool keep_mass(const Snapshot& snapshot);
  bool keep_rows(const Snapshot& snapshot);
  void gather_rows(const Snapshot& snapshot);
  void gather_biases(const Snapshot& snapshot);
  bool factor_mass(const Snapshot& snapshot);
  void form_matrix();
  void solve_mass(double* x) const;
  bool solve_regular();
  void factor_hyperstatic();
  void solve_hyperstatic(ModeForces& forces);
  void answer(ModeForces& forces);
  void store_answers();
  void accelerate();
  void refine();
  void solve_smallest(const std::vector<double>& right, std::vector<double>& x);
  void scatter(ModeForces& forces) const;

  ModeShape shape_;
  int n_ = 0, k_ = 1, c_ = 0, b_ = 0, u_ = 0;
  double cutoff_ = 0.0;
  std::vector<int> stick_at_;  // per contact: its first stick unknown, or -1
  std::vector<double> cholesky_, rows_, columns_, mobility_, bias_, free_, x_, rhs_, lu_, scale_,
      acceleration_, direction_, residual_, correction_;
  std::vector<int> pivot_, first_, support_;
  std::vector<double> last_mass_, last_rows_;  // of the last call
  bool has_last_ = false, slides_ = false, turns_ = false, is_regular_ = false;
  bool is_mass_positive_ = false;
  std::vector<double>
      answers_;  // per unit of h and bias: accelerations and x, padded; empty: not kept
  int answer_rows_ = 0;
  void (*multiply_)(const double* matrix, const double* x, int columns, double* y) = nullptr;
  Eigen::MatrixXd dense_, null_forces_, null_accelerations_;
  Eigen::MatrixXd pseudo_inverse_;  // of a small rank-deficient A
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> orthogonal_;
};

}  // namespace clack
