#include "clack/contact/rest.hpp"

#include <Eigen/QR>

#include "clack/contact/planar_friction.hpp"
#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

std::optional<RestForces> planar_rest(const ConeFriction& problem) {
  PlanarFriction planar;
  planar.G = problem.G;
  planar.b = problem.b;
  planar.scale = problem.scale;
  planar.dynamic_friction = planar.static_friction = problem.friction;
  const auto answer = solve_word(planar, rest_word(planar), ForceNorm::euclidean);
  if (!answer) return std::nullopt;
  RestForces rest;
  rest.force = answer->force;
  rest.residual = answer->residual;
  rest.is_hyperstatic = answer->is_hyperstatic;
  return rest;
}

/// Projection of (l_N, l_T) on the cone |l_T| <= mu l_N.
void project_on_cone(double mu, double& normal, Eigen::Ref<Eigen::VectorXd> tangent) {
  const double size = tangent.norm();
  if (normal >= 0.0 && size <= mu * normal) return;
  if (normal + mu * size <= 0.0) {
    normal = 0.0;
    tangent.setZero();
    return;
  }
  const double projected = (normal + mu * size) / (1.0 + mu * mu);
  tangent *= size > 0.0 ? mu * projected / size : 0.0;
  normal = projected;
}

Eigen::VectorXd project_on_cones(const ConeFriction& problem, Eigen::VectorXd force) {
  const int c = problem.contacts(), k = problem.tangents;
  for (int i = 0; i < c; ++i)
    project_on_cone(problem.friction[i], force[i], force.segment(c + i * k, k));
  return force;
}

/// Largest excess over the cones, as a motion relative to the scale.
double excess(const ConeFriction& problem, const Eigen::VectorXd& force) {
  const Eigen::VectorXd miss = project_on_cones(problem, force) - force;
  double worst = 0.0;
  for (Eigen::Index row = 0; row < force.size(); ++row)
    worst = std::max(worst, std::abs(miss[row]) * problem.G(row, row));
  return problem.scale > 0.0 ? worst / problem.scale : worst;
}

}  // namespace

std::optional<RestForces> forces_at_rest(const ConeFriction& problem) {
  const int c = problem.contacts(), k = problem.tangents;
  if (k == 1 || c == 0) return planar_rest(problem);
  // 1. rows that must rest: normals, and tangents where there is friction
  std::vector<int> rows;
  for (int i = 0; i < c; ++i) rows.push_back(i);
  for (int i = 0; i < c; ++i)
    for (int a = 0; a < k && problem.friction[i] > 0.0; ++a) rows.push_back(c + i * k + a);
  const Eigen::MatrixXd matrix = problem.G(rows, rows);
  const Eigen::VectorXd right = -problem.b(rows);
  // 2. the smallest forces that rest, admissible or not
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(contact_tolerances.rank);
  factor.compute(matrix);
  Eigen::VectorXd part = factor.solve(right);
  const double miss = (matrix * part - right).cwiseAbs().maxCoeff();
  if (!(miss <= 10.0 * contact_tolerances.motion * problem.scale)) return std::nullopt;
  RestForces rest;
  rest.is_hyperstatic = factor.rank() < matrix.rows();
  rest.force = Eigen::VectorXd::Zero(problem.b.size());
  rest.force(rows) = part;
  rest.residual = problem.scale > 0.0 ? miss / problem.scale : 0.0;
  if (excess(problem, rest.force) <= contact_tolerances.force) return rest;
  if (!rest.is_hyperstatic) return std::nullopt;
  // 3. Dykstra: from there to the nearest point of (cones and affine set), which is also the
  //    nearest to the origin because the start is the foot of the origin on the affine set
  Eigen::VectorXd correction = Eigen::VectorXd::Zero(problem.b.size());
  constexpr int projection_limit = 20000, look_every = 200;
  constexpr double stagnation = 0.999;  // two sets that do not meet keep a distance
  double last_distance = std::numeric_limits<double>::infinity();
  for (int round = 0; round < projection_limit; ++round) {
    const Eigen::VectorXd inside = project_on_cones(problem, rest.force + correction);
    correction += rest.force - inside;
    const Eigen::VectorXd gap = right - matrix * Eigen::VectorXd(inside(rows));
    rest.force = inside;
    rest.force(rows) += factor.solve(gap);
    if (excess(problem, rest.force) <= contact_tolerances.force) return rest;
    if (round % look_every != look_every - 1) continue;
    const double distance = (rest.force - inside).norm();
    if (distance > stagnation * last_distance) return std::nullopt;
    last_distance = distance;
  }
  return std::nullopt;
}

}  // namespace clack
