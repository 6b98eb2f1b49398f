#pragma once
#include <optional>

#include "clack/contact/delassus.hpp"
#include "clack/contact/problem.hpp"

namespace clack {

/// Contact with Coulomb's cone in the plane or in space, small and dense, as law `newton` and
/// decision `prox` meet it (docs/theories/newton.md):
///
///   xi = G l + b,   0 <= l_N _|_ xi_N >= 0,   l_T = proj_{|.| <= mu l_N} (l_T - r xi_T)
///
/// Contacts whose slip direction is known (`direction`, unit, not zero) have
/// l_T = -mu l_N direction instead. Rows are ordered as in Delassus.
struct ConeFriction {
  int tangents = 1;
  Eigen::MatrixXd G;          // c d x c d
  Eigen::VectorXd b;          // c d
  Eigen::VectorXd friction;   // c
  Eigen::VectorXd direction;  // c (d-1), or empty: none is known
  double scale = 0.0;

  int contacts() const { return static_cast<int>(friction.size()); }
  bool is_sliding(int i) const {
    return direction.size() > 0 && direction.segment(i * tangents, tangents).squaredNorm() > 0.5;
  }
};

enum class ConeMethod { none, sorprox, newton, enumeration };

struct ConeAnswer {
  Eigen::VectorXd force;  // c d, rows as in G
  double residual = 0.0;  // unit-free (docs/solvers-friction.md)
  int iterations = 0;
  ConeMethod method = ConeMethod::none;  // what found it; `none`: nothing did, `force` is the best
  bool is_solved() const { return method != ConeMethod::none; }
};

/// SORPROX from zero with relaxation 1, 0.6, 0.3; then a proximal Newton method; then, in the plane
/// and for few contacts, enumeration of the contact states. Answers of the first two are polished
/// (cone_polish.hpp). Never silent: the residual says how good.
ConeAnswer solve_cone_friction(const ConeFriction& problem);

/// Sliding mobility  A_ii - mu_i B_ii direction  of a contact with known slip; Painleve when <= 0.
double sliding_mobility(const ConeFriction& problem, int contact);

}  // namespace clack
