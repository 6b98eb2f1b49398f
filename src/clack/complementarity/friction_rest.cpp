#include "clack/complementarity/friction_rest.hpp"

#include <Eigen/QR>
#include <limits>

#include "clack/complementarity/contact_words.hpp"
#include "clack/complementarity/friction_cone.hpp"
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {
namespace {

Eigen::VectorXd project_on_cones(const FrictionProblem& problem, Eigen::VectorXd force) {
  for (int i = 0; i < problem.contacts(); ++i)
    force.segment<3>(3 * i) = project_on_cone<3>(force.segment<3>(3 * i), problem.mu[i]).point;
  return force;
}

/// Largest excess over the cones, as a motion relative to the scale.
double excess(const FrictionProblem& problem, const Eigen::VectorXd& force) {
  const Eigen::VectorXd miss = project_on_cones(problem, force) - force;
  double worst = 0.0;
  for (int row = 0; row < force.size(); ++row) {
    const double mobility = problem.diagonal_block(row / 3)[4 * (row % 3)];
    worst = std::max(worst, std::abs(miss[row]) * mobility);
  }
  const double scale = problem.motion_scale();
  return scale > 0.0 ? worst / scale : worst;
}

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

/// From the smallest reactions that rest to the nearest ones in (cones and affine set), which are
/// also the nearest to the origin because the start is the foot of the origin on the affine set.
bool move_into_cones(const FrictionProblem& problem, const RestSystem& system,
                     Eigen::VectorXd& force) {
  const FrictionTolerances& tol = friction_tolerances;
  const Eigen::MatrixXd free = system.null_space();
  const Eigen::VectorXd smallest = force(system.rows);
  Eigen::VectorXd correction = Eigen::VectorXd::Zero(force.size()), shift(free.cols());
  double last_distance = std::numeric_limits<double>::infinity();
  for (int round = 0; round < tol.projections; ++round) {
    const Eigen::VectorXd inside = project_on_cones(problem, force + correction);
    correction += force - inside;
    force = inside;
    shift.noalias() = free.transpose() * Eigen::VectorXd(inside(system.rows));
    force(system.rows) = smallest + free * shift;
    if (excess(problem, force) <= tol.force) return true;
    if (round % tol.look_every != tol.look_every - 1) continue;
    const double distance = (force - inside).norm();
    if (distance > tol.stagnation * last_distance) return false;
    last_distance = distance;
  }
  return false;
}

}  // namespace

std::optional<FrictionResult> reactions_at_rest(const FrictionProblem& problem) {
  if (problem.dimension == 2 || problem.contacts() == 0) {
    std::optional<WordAnswer> answer =
        solve_word(problem, rest_word(problem), ForceNorm::euclidean);
    if (!answer) return std::nullopt;
    answer->method = FrictionMethod::rest;
    return std::move(*answer);
  }
  const RestSystem system(problem);
  const Eigen::VectorXd part = system.factor.solve(system.right);
  const double miss = (system.matrix * part - system.right).cwiseAbs().maxCoeff();
  const double scale = problem.motion_scale();
  if (!(miss <= friction_tolerances.rest_miss * friction_tolerances.motion * scale))
    return std::nullopt;
  FrictionResult rest;
  rest.is_hyperstatic = system.factor.rank() < system.matrix.rows();
  rest.reaction = Eigen::VectorXd::Zero(problem.q.size());
  rest.reaction(system.rows) = part;
  if (excess(problem, rest.reaction) > friction_tolerances.force &&
      !(rest.is_hyperstatic && move_into_cones(problem, system, rest.reaction)))
    return std::nullopt;
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
