// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_rest.hpp"

#include <Eigen/QR>
#include <limits>

#include "clack/complementarity/contact_words.hpp"
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {
namespace {

/// The cones of a problem, prepared for many projections.
class Cones {
 public:
  explicit Cones(const FrictionProblem& problem) : problem_(problem), mobility_(problem.q.size()) {
    for (int row = 0; row < mobility_.size(); ++row)
      mobility_[row] = problem.diagonal_block(row / 3)[4 * (row % 3)];
    const double scale = problem.motion_scale();
    if (scale > 0.0) mobility_ /= scale;
  }

  /// As project_on_cone, without its care for numbers near the ends of the range.
  void project(Eigen::VectorXd& force) const {
    for (int i = 0; i < problem_.contacts(); ++i) {
      double& normal = force[3 * i];
      auto tangent = force.segment<2>(3 * i + 1);
      const double mu = problem_.mu[i], size = tangent.norm();
      if (normal >= 0.0 && size <= mu * normal) continue;
      const double inside = std::max(0.0, (normal + mu * size) / (1.0 + mu * mu));
      tangent *= size > 0.0 ? mu * inside / size : 0.0;
      normal = inside;
    }
  }

  /// Largest excess over the cones, as a motion relative to the scale.
  double excess(const Eigen::VectorXd& force) {
    inside_ = force;
    project(inside_);
    return (inside_ - force).cwiseAbs().cwiseProduct(mobility_).maxCoeff();
  }

 private:
  const FrictionProblem& problem_;
  Eigen::VectorXd mobility_, inside_;
};

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
bool move_into_cones(const RestSystem& system, Cones& cones, Eigen::VectorXd& force) {
  const FrictionTolerances& tol = friction_tolerances;
  const Eigen::MatrixXd free = system.null_space();
  const Eigen::VectorXd smallest = force(system.rows);
  Eigen::VectorXd correction = Eigen::VectorXd::Zero(force.size()), shift(free.cols()), inside,
                  part;
  double last_distance = std::numeric_limits<double>::infinity();
  for (int round = 0; round < tol.projections; ++round) {
    inside = force + correction;
    cones.project(inside);
    correction += force - inside;
    force = inside;
    part = inside(system.rows);
    shift.noalias() = free.transpose() * part;
    part = smallest;
    part.noalias() += free * shift;
    force(system.rows) = part;
    if (cones.excess(force) <= tol.force) return true;
    if (round % tol.look_every != tol.look_every - 1) continue;
    const double distance = (force - inside).norm();
    if (distance > tol.stagnation * last_distance) return false;
    last_distance = distance;
  }
  return false;
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
  Cones cones(problem);
  if (cones.excess(rest.reaction) > friction_tolerances.force) {
    if (!rest.is_hyperstatic) return rest;
    rest.status = SolveStatus::not_converged;
    if (!move_into_cones(system, cones, rest.reaction)) return rest;
  }
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
