// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "clack/model/model.hpp"

namespace clack {

/// A frictionless model whose motion and gaps are affine:
///
///   M dv/dt = H_q q + H_v v + h + G^T phi_N,    gap = G q + g        (all matrices constant)
///
/// The bouncing ball and columns of balls on one line are of this kind; only such models mean
/// something to tools for affine hybrid systems (docs/tasks/automaton.md).
struct AffineModel {
  std::vector<std::string> coordinates, speeds;  // n names each
  Eigen::MatrixXd mass_matrix;                   // n x n
  Eigen::MatrixXd force;                         // n x (2n + 1): H_q, H_v, h
  Eigen::MatrixXd gap_rows;                      // P x n: G
  Eigen::VectorXd gap_offsets;                   // P: g, m
  Eigen::VectorXd restitution;                   // P, Newton's
};

struct AffineAnswer {
  std::optional<AffineModel> model;
  std::string reason;  // why not
};

/// By the derivatives of the model's formulas being constants; free balls that stay on one line are
/// reduced to their positions on it.
AffineAnswer affine_model(const Model& model);

}  // namespace clack
