// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_rest.hpp"

#include <Eigen/QR>

#include "clack/complementarity/admissible_reactions.hpp"
#include "clack/complementarity/contact_words.hpp"
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {
namespace {

/// The rows that must rest (normals, and tangents where there is friction), as a linear system.
struct RestSystem {
  std::vector<int> rows;
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;

  explicit RestSystem(const FrictionProblem& problem) {
    for (int i = 0; i < problem.contacts(); ++i) rows.push_back(3 * i);
    for (int i = 0; i < problem.contacts(); ++i)
      for (int a = 1; a < 3 && problem.mu[i] > 0.0; ++a) rows.push_back(3 * i + a);
    matrix = dense_delassus(problem)(rows, rows);
    right = -problem.q(rows);
    factor.setThreshold(friction_tolerances.rank);
    factor.compute(matrix);
  }

  /// Orthonormal columns: the directions in which the reactions are free. The last rows of the
  /// orthogonal factor Z P^-1.
  Eigen::MatrixXd null_space() const {
    const Eigen::MatrixXd z = factor.matrixZ() * factor.colsPermutation().transpose();
    return z.bottomRows(matrix.rows() - factor.rank()).transpose();
  }
};

/// The reactions that rest, as a family with its cones.
ReactionFamily family_at_rest(const FrictionProblem& problem, const RestSystem& system,
                              const Eigen::VectorXd& smallest) {
  ReactionFamily family;
  family.smallest = smallest;
  family.free = system.null_space();
  family.tangents = 2;
  double mobility = 0.0;
  int tangent = problem.contacts();
  for (int i = 0; i < problem.contacts(); ++i) {
    const bool has_friction = problem.mu[i] > 0.0;
    family.cones.push_back({i, has_friction ? tangent : -1, problem.mu[i]});
    if (has_friction) tangent += 2;
    for (int a = 0; a < 3; ++a) mobility = std::max(mobility, problem.diagonal_block(i)[4 * a]);
  }
  family.zero = friction_tolerances.force * problem.motion_scale() / mobility;
  return family;
}

}  // namespace

FrictionResult reactions_at_rest(const FrictionProblem& problem) {
  FrictionResult rest;
  rest.status = SolveStatus::none_exists;
  if (problem.dimension == 2 || problem.contacts() == 0) {
    std::optional<WordAnswer> answer =
        solve_word(problem, rest_word(problem), ForceNorm::euclidean);
    if (!answer) return rest;
    answer->method = FrictionMethod::rest;
    return std::move(*answer);
  }
  const RestSystem system(problem);
  const Eigen::VectorXd part = system.factor.solve(system.right);
  const double miss = (system.matrix * part - system.right).cwiseAbs().maxCoeff();
  const double scale = problem.motion_scale();
  if (!(miss <= friction_tolerances.rest_miss * friction_tolerances.motion * scale)) return rest;
  rest.is_hyperstatic = system.factor.rank() < system.matrix.rows();
  rest.reaction = Eigen::VectorXd::Zero(problem.q.size());
  rest.reaction(system.rows) = part;
  const ReactionFamily family = family_at_rest(problem, system, part);
  const AdmissibleReactions found = smallest_admissible(family);
  if (!found.is_admissible) return rest;
  rest.reaction(system.rows) = found.reaction;
  rest.velocity = contact_velocity(problem, rest.reaction);
  const FrictionResidual residual = friction_residual(problem, rest.reaction, rest.velocity);
  rest.residual = residual.value;
  rest.worst = residual.worst;
  rest.worst_contact = residual.worst_contact;
  rest.status = SolveStatus::solved;
  rest.method = FrictionMethod::rest;
  return rest;
}

}  // namespace clack
