// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/diagonal_contraction.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include "clack/index.hpp"
#include "clack/linalg/non_negative_least_squares.hpp"
#include "clack/linalg/projector.hpp"
#include "clack/linalg/tolerances.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using VectorRef = Eigen::Ref<const VectorXd>;

namespace {

/// Half spaces g.e <= 1 that hold every contraction: u^T K(e) v <= |K(e)| for unit vectors u, v.
/// Taken at the singular vectors of K(at) whose value is not below 1.
void add_cuts(const ContractionFrame& frame, const VectorXd& at, std::vector<VectorXd>& cuts) {
  const Eigen::JacobiSVD<MatrixXd> svd(contraction(frame, at),
                                       Eigen::ComputeThinU | Eigen::ComputeThinV);
  for (Eigen::Index k = 0; k < svd.singularValues().size(); ++k) {
    if (k > 0 && svd.singularValues()[k] < 1.0) return;
    const VectorXd left = frame.range_basis * svd.matrixU().col(k).cwiseQuotient(frame.factor);
    const VectorXd right = frame.range_basis * svd.matrixV().col(k).cwiseProduct(frame.factor);
    cuts.push_back(left.cwiseProduct(right));
  }
}

/// The point of [0, 1]^m within the cuts that is nearest to e0.
std::optional<VectorXd> nearest_within(const std::vector<VectorXd>& cuts, const VectorXd& e0) {
  const Eigen::Index m = e0.size(), c = number_of(cuts);
  MatrixXd G(2 * m + c, m);
  VectorXd h(2 * m + c);
  G.topRows(m).setIdentity();
  G.middleRows(m, m) = -MatrixXd::Identity(m, m);
  h << -e0, e0.array() - 1.0, VectorXd::Zero(c);
  for (Eigen::Index k = 0; k < c; ++k) {
    const VectorXd& cut = cuts[k];
    G.row(2 * m + k) = -cut.transpose();
    h[2 * m + k] = cut.dot(e0) - 1.0;
  }
  const ShortestVector step = shortest_vector(G, h);
  if (!step.is_feasible) return std::nullopt;
  return VectorXd(e0 + step.y);
}

VectorXd scaled_inside(const ContractionFrame& frame, const VectorXd& e) {
  const VectorXd inside = e.cwiseMax(0.0).cwiseMin(1.0);
  return std::min(1.0, largest_scale(frame, inside).value_or(1.0)) * inside;
}

/// Polishing by cutting planes (Kelley): the objective is flat at the optimum, so the program
/// leaves e at the root of its accuracy; the planes touch the set beside it and fix e itself.
VectorXd refine_nearest(const ContractionFrame& frame, const VectorXd& e0, const VectorXd& start) {
  std::vector<VectorXd> cuts;
  VectorXd e = start;
  for (int k = 0; k < linalg_tolerances.cut_rounds; ++k) {
    add_cuts(frame, e, cuts);
    const auto next = nearest_within(cuts, e0);
    if (!next) return start;
    const bool is_settled =
        (*next - e).norm() <= linalg_tolerances.cut_step || contraction_norm(frame, *next) <= 1.0;
    e = *next;
    if (is_settled) break;
  }
  const VectorXd refined = scaled_inside(frame, e);
  return (refined - e0).norm() <= (start - e0).norm() ? refined : start;
}

}  // namespace

ContractionFrame make_contraction_frame(const Eigen::Ref<const MatrixXd>& root,
                                        double rank_cutoff) {
  ContractionFrame frame;
  const Eigen::Index m = root.rows();
  if (m == 0 || root.cols() == 0) {
    frame.range_basis = MatrixXd(m, 0);
    return frame;
  }
  const double cutoff = rank_cutoff > 0 ? rank_cutoff
                                        : linalg_tolerances.rank_rounding *
                                              static_cast<double>(std::max(m, root.cols())) *
                                              std::numeric_limits<double>::epsilon();
  const Eigen::JacobiSVD<MatrixXd> svd(root, Eigen::ComputeThinU);
  const VectorXd& sigma = svd.singularValues();
  const Eigen::Index rank = (sigma.array() > cutoff * sigma[0]).count();
  frame.range_basis = svd.matrixU().leftCols(rank);
  frame.factor = sigma.head(rank);
  return frame;
}

MatrixXd constrained_root(const Eigen::Ref<const MatrixXd>& mass_matrix,
                          const Eigen::Ref<const MatrixXd>& held_rows,
                          const Eigen::Ref<const MatrixXd>& rows, double rank_cutoff) {
  ProjectorOptions options;
  options.rank_cutoff = rank_cutoff;
  const MatrixXd basis = make_projector(mass_matrix, held_rows, options).null_basis;
  if (basis.cols() == 0 || rows.rows() == 0) return MatrixXd(rows.rows(), 0);
  const MatrixXd reduced = basis.transpose() * mass_matrix * basis;
  const MatrixXd turned = reduced.llt().matrixL().solve(MatrixXd(basis.transpose()));
  return rows * turned.transpose();
}

MatrixXd contraction(const ContractionFrame& frame, const VectorRef& e) {
  const MatrixXd restricted = frame.range_basis.transpose() * e.asDiagonal() * frame.range_basis;
  return frame.factor.cwiseInverse().asDiagonal() * restricted * frame.factor.asDiagonal();
}

double contraction_norm(const ContractionFrame& frame, const VectorRef& e) {
  if (frame.rank() == 0) return 0.0;
  return Eigen::JacobiSVD<MatrixXd>(contraction(frame, e)).singularValues()[0];
}

bool is_contraction(const ContractionFrame& frame, const VectorRef& e) {
  return contraction_norm(frame, e) <= 1.0 + linalg_tolerances.contraction;
}

std::optional<double> largest_scale(const ContractionFrame& frame, const VectorRef& e) {
  const double norm = contraction_norm(frame, e);
  if (!(norm > 0)) return std::nullopt;
  return 1.0 / norm;
}

SemidefiniteProgram nearest_contraction_program(const ContractionFrame& frame,
                                                const VectorRef& e0) {
  const int m = frame.size(), r = frame.rank();
  SemidefiniteProgram program;
  program.blocks = {{2 * r, false}, {m + 1, false}, {2 * m, true}};
  program.cost = VectorXd::Unit(m + 1, m);
  program.terms.resize(m + 2);
  auto& constant = program.terms[0];
  for (int i = 0; i < 2 * r; ++i) constant.push_back({0, i, i, -1.0});
  for (int i = 0; i < m; ++i) {
    constant.push_back({1, i, i, -1.0});
    constant.push_back({1, i, m, e0[i]});
    constant.push_back({2, m + i, m + i, -1.0});
  }
  for (int i = 0; i < m; ++i) {
    auto& term = program.terms[i + 1];
    const MatrixXd K = contraction(frame, VectorXd::Unit(m, i));
    for (int a = 0; a < r; ++a) {
      for (int b = 0; b < r; ++b) {
        if (K(a, b) != 0.0) term.push_back({0, a, r + b, K(a, b)});
      }
    }
    term.push_back({1, i, m, 1.0});
    term.push_back({2, i, i, 1.0});
    term.push_back({2, m + i, m + i, -1.0});
  }
  program.terms[m + 1].push_back({1, m, m, 1.0});
  return program;
}

NearestContraction nearest_contraction(const ContractionFrame& frame, const VectorRef& e0) {
  NearestContraction out;
  const VectorXd clipped = e0.cwiseMax(0.0).cwiseMin(1.0);
  if (is_contraction(frame, clipped)) {
    out.e = clipped;
    out.squared_distance = (clipped - e0).squaredNorm();
    return out;
  }
  const SdpResult solved = solve(nearest_contraction_program(frame, e0));
  out.status = solved.status;
  const bool has_point =
      solved.status == SdpStatus::solved || solved.status == SdpStatus::reduced_accuracy;
  // Without a point from the solver the scaled start is still a contraction; the status says that
  // it is not the nearest.
  const VectorXd found =
      has_point && solved.x.allFinite() ? VectorXd(solved.x.head(frame.size())) : clipped;
  out.e = refine_nearest(frame, e0, scaled_inside(frame, found));
  out.squared_distance = (out.e - e0).squaredNorm();
  return out;
}

}  // namespace clack
