// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <complex>
#include <vector>

#include "clack/mechanism/mode_formulas.hpp"

namespace clack {

/// A mode at a state on its rows, with accelerations and forces there.
struct LinearQuestion {
  std::vector<ModeContact> contacts;
  std::vector<int> constraints;
  double t = 0.0;
  std::vector<double> q, v;
  Eigen::VectorXd acceleration;  // n
  Eigen::VectorXd forces;        // one per row of the mode
  Elimination order;             // which speeds are independent
};

/// The motion on the constraint manifold around a state, in independent coordinates and speeds z = (q_I, u_I):
///
///   dz/dt = dz0/dt + A (z - z0)
///
/// With r = M u' - f - F^T x and c = B u' + bias at constant u' and x, exact derivatives of formulas give
///
///   [M -F^T; B 0] (du', dx) = -(r_q dq + r_u du, c_q dq + c_u du),
///
/// for every dq that keeps the configuration rows (and the lengths of quaternions) and every du that keeps the rates.
struct LinearMotion {
  std::vector<int> coordinates, speeds;  // independent ones, rising
  Eigen::MatrixXd A;
  std::vector<std::complex<double>> eigenvalues;  // largest real part first
};

/// Throws ModelError for contacts without formulas.
LinearMotion linearize(const Model& model, const LinearQuestion& question);

}  // namespace clack
