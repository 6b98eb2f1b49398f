// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <optional>

#include "clack/index.hpp"
#include "clack/linalg/semidefinite_program.hpp"

namespace clack {

/// Diagonal matrices seen as maps of the range of a positive semidefinite D = B B^T (m x m of rank
/// r), linear in E:
///
///   K(E) = L^-1 (U^T E U) L,   U orthonormal basis of range(D),   U^T D U = L L^T
///
/// ||K(E)||_2 <= 1  <=>  (U^T E U) D_r^-1 (U^T E U) <= D_r^-1: the law y+ = -E y- (least squares on
/// the range) never raises y^T D^+ y. Corrected form of P3, eq. 56: that inequality holds on
/// range(D) only. Here U and L come from the singular value decomposition of B, so L is diagonal.
struct ContractionFrame {
  Eigen::MatrixXd range_basis;  // m x r: U
  Eigen::VectorXd factor;       // r: diagonal of L, > 0
  int size() const { return range_basis.rows(); }
  int rank() const { return number_of(factor); }
};

/// From any m x k root B of D (D = B B^T). `rank_cutoff` relative, 0: max(m, k) eps 8.
[[nodiscard]] ContractionFrame make_contraction_frame(const Eigen::Ref<const Eigen::MatrixXd>& root,
                                                      double rank_cutoff = 0.0);

/// A root of  D_eff = A_u M_b^+ A_u^T,  M_b^+ the mobility that the rows A_b leave (P3 corrected:
/// restriction to A_b v = 0): B = A_u V C^-T with V an orthonormal basis of N(A_b) and V^T M V = C
/// C^T. Without A_b: D = A_u M^-1 A_u^T.
[[nodiscard]] Eigen::MatrixXd constrained_root(const Eigen::Ref<const Eigen::MatrixXd>& mass_matrix,
                                               const Eigen::Ref<const Eigen::MatrixXd>& held_rows,
                                               const Eigen::Ref<const Eigen::MatrixXd>& rows,
                                               double rank_cutoff = 0.0);

/// K(E) for E = diag(e), r x r.
[[nodiscard]] Eigen::MatrixXd contraction(const ContractionFrame& frame,
                                          const Eigen::Ref<const Eigen::VectorXd>& e);

/// sigma_max(K(E)); 0 when the rank is 0.
[[nodiscard]] double contraction_norm(const ContractionFrame& frame,
                                      const Eigen::Ref<const Eigen::VectorXd>& e);

/// ||K(E)|| <= 1 + 1e-12.
[[nodiscard]] bool is_contraction(const ContractionFrame& frame,
                                  const Eigen::Ref<const Eigen::VectorXd>& e);

/// Largest t for which t E is a contraction: 1/sigma_max(K(E)); nothing when unbounded (K(E) = 0).
[[nodiscard]] std::optional<double> largest_scale(const ContractionFrame& frame,
                                                  const Eigen::Ref<const Eigen::VectorXd>& e);

/// The contraction diag(e), 0 <= e <= 1, nearest to diag(e0) in the Euclidean norm of the
/// diagonals.
struct [[nodiscard]] NearestContraction {
  Eigen::VectorXd e;              // m; a contraction in every case
  double squared_distance = 0.0;  // |e - e0|^2
  SdpStatus status = SdpStatus::solved;
};

/// e0 itself when it is a contraction inside [0, 1]; else the semidefinite program
///   min s  with  [I K(e); K(e)^T I] >= 0,  [I e-e0; (e-e0)^T s] >= 0,  0 <= e <= 1
/// polished by cutting planes at its answer (the program alone gives e to about 1e-7) and by
/// e <- min(1, t_max(e)) e, which makes the answer a contraction to rounding.
NearestContraction nearest_contraction(const ContractionFrame& frame,
                                       const Eigen::Ref<const Eigen::VectorXd>& e0);

/// That program as data (for inspection and tests): x = (e_1..e_m, s).
[[nodiscard]] SemidefiniteProgram nearest_contraction_program(
    const ContractionFrame& frame, const Eigen::Ref<const Eigen::VectorXd>& e0);

}  // namespace clack
