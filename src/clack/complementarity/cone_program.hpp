// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <vector>

namespace clack {

/// A convex program over Lorentz cones:
///
///   min  1/2 w |x|^2 + c.x   with   h + G x in K,   K = product of  {(a, t) : |t| <= a}
///
/// A cone of one row is the half line a >= 0. Few unknowns, dense.
struct ConeProgram {
  double weight = 0.0;     // w >= 0
  Eigen::VectorXd c;       // p
  Eigen::MatrixXd G;       // m x p
  Eigen::VectorXd h;       // m
  std::vector<int> cones;  // rows of each cone, in order; their sum is m
  Eigen::VectorXd start;   // p: a point to begin from, or empty: 0
};

struct ConeAnswer {
  Eigen::VectorXd x;      // p
  Eigen::VectorXd slack;  // m: h + G x, inside K to rounding
  Eigen::VectorXd dual;   // m: z in K with  w x + c = G^T z,  slack.z = 0
  double error = 0.0;     // largest of |w x + c - G^T z|, |h + G x - slack| and slack.z
  int iterations = 0;
  bool is_solved = false;
};

/// Numbers of the interior-point method, on programs scaled to |h| about 1.
struct ConeProgramTolerances {
  double accuracy = 1e-13;     // of every condition
  double believed = 1e-8;      // an answer is used up to this error
  double inside = 1.0;         // distance to the border that the start has at least
  int iterations = 60;         // well posed programs take 8 to 20
  double to_border = 0.99;     // part of the way to the border of the cones that a step takes
  double regularised = 1e-14;  // part of the largest diagonal entry that is added to each
  int patience = 20;           // iterations without a better point
  int refinements = 2;         // of every direction
};
inline constexpr ConeProgramTolerances cone_program_tolerances{};

/// Mehrotra's predictor-corrector method with Nesterov and Todd's scaling (the symmetric one, for
/// which W z = W^-1 slack), from an infeasible start:
///
///   (w I + G^T W^-2 G) dx = ...      one Cholesky factorisation per iteration
///
/// Needs a program that has interior points on both sides; others end with `is_solved` false and the
/// best point.
ConeAnswer solve_cone_program(const ConeProgram& program);

}  // namespace clack
