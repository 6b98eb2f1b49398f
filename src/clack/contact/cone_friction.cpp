#include "clack/contact/cone_friction.hpp"

#include "clack/complementarity/friction_newton.hpp"
#include "clack/complementarity/friction_problem.hpp"
#include "clack/complementarity/sorprox.hpp"
#include "clack/contact/cone_polish.hpp"
#include "clack/contact/planar_friction.hpp"
#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

constexpr double wanted_residual = 1e-13;  // rounding of a few contacts; SORPROX stops at its floor

/// Row of G for entry `k` (0 normal, then tangents) of contact i.
int row_of(const ConeFriction& problem, int i, int k) {
  return k == 0 ? i : problem.contacts() + i * problem.tangents + k - 1;
}

/// The columns of sliding contacts bent by their known friction; such contacts have mu = 0 then.
Eigen::MatrixXd bent_matrix(const ConeFriction& problem) {
  Eigen::MatrixXd G = problem.G;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (!problem.is_sliding(i)) continue;
    for (int k = 0; k < problem.tangents; ++k)
      G.col(i) -= problem.friction[i] * problem.direction[i * problem.tangents + k] *
                  problem.G.col(row_of(problem, i, k + 1));
  }
  return G;
}

/// Contact by contact, normal first: the order of the friction solvers. Rows without inertia get a
/// unit one, which changes nothing: nothing pushes there.
FrictionProblem reordered(const ConeFriction& problem) {
  const int c = problem.contacts(), d = problem.tangents + 1;
  std::vector<int> rows;
  for (int i = 0; i < c; ++i)
    for (int k = 0; k < d; ++k) rows.push_back(row_of(problem, i, k));
  Eigen::VectorXd mu = problem.friction;
  for (int i = 0; i < c; ++i)
    if (problem.is_sliding(i)) mu[i] = 0.0;
  return make_friction_problem(d, bent_matrix(problem)(rows, rows), problem.b(rows), mu);
}

Eigen::VectorXd force_from(const ConeFriction& problem, const Eigen::VectorXd& reaction) {
  const int c = problem.contacts(), d = problem.tangents + 1;
  Eigen::VectorXd force(c * d);
  for (int i = 0; i < c; ++i)
    for (int k = 0; k < d; ++k) force[row_of(problem, i, k)] = reaction[i * d + k];
  for (int i = 0; i < c; ++i)
    if (problem.is_sliding(i))
      force.segment(c + i * problem.tangents, problem.tangents) =
          -problem.friction[i] * force[i] *
          problem.direction.segment(i * problem.tangents, problem.tangents);
  return force;
}

/// Polishes an answer; the residual is that of the better one.
void polish(const ConeFriction& problem, const FrictionProblem& blocks, ConeAnswer& answer) {
  const ConeAnswer swept = answer;
  if (!polish_cone_answer(problem, answer)) return;
  const int c = problem.contacts(), d = problem.tangents + 1;
  Eigen::VectorXd reaction = Eigen::VectorXd::Zero(c * d);
  for (int i = 0; i < c; ++i)
    for (int k = 0; k < (problem.is_sliding(i) ? 1 : d); ++k)
      reaction[i * d + k] = answer.force[row_of(problem, i, k)];
  answer.residual = friction_residual(blocks, reaction).value;
  if (answer.residual > swept.residual) answer = swept;
}

std::optional<ConeAnswer> enumerate_plane(const ConeFriction& problem) {
  if (problem.tangents != 1 || problem.contacts() > contact_tolerances.fallback_contacts)
    return std::nullopt;
  PlanarFriction planar;
  planar.G = problem.G;
  planar.b = problem.b;
  planar.scale = problem.scale;
  planar.dynamic_friction = planar.static_friction = problem.friction;
  for (int i = 0; i < problem.contacts() && problem.direction.size() > 0; ++i)
    planar.slide.push_back(!problem.is_sliding(i) ? 0 : problem.direction[i] > 0.0 ? 1 : -1);
  const auto answers = distinct_answers(planar, solve_all_words(planar, ForceNorm::euclidean));
  if (answers.empty()) return std::nullopt;
  ConeAnswer answer;
  answer.force = answers.front().force;
  answer.residual = answers.front().residual;
  answer.iterations = answers.front().iterations;
  answer.method = ConeMethod::enumeration;
  return answer;
}

}  // namespace

double sliding_mobility(const ConeFriction& problem, int contact) {
  return bent_matrix(problem)(contact, contact);
}

ConeAnswer solve_cone_friction(const ConeFriction& problem) {
  ConeAnswer answer;
  answer.force = Eigen::VectorXd::Zero(problem.b.size());
  const int c = problem.contacts();
  if (c == 0 || (problem.b.head(c).minCoeff() >= 0.0)) {
    answer.method = ConeMethod::sorprox;  // nothing pushes: zero forces, no sweep needed
    return answer;
  }
  const FrictionProblem blocks = reordered(problem);
  if (inverse_apparent_mass(blocks).minCoeff() > 0.0) {
    SorproxOptions sweeps;
    sweeps.tolerance = wanted_residual;
    const FrictionResult swept = solve_sorprox(blocks, sweeps);
    answer.force = force_from(problem, swept.reaction);
    answer.residual = swept.residual;
    answer.iterations = static_cast<int>(swept.iterations);
    if (swept.residual <= contact_tolerances.motion) {
      answer.method = ConeMethod::sorprox;
      polish(problem, blocks, answer);
      return answer;
    }
    FrictionNewtonOptions steps;
    steps.tolerance = wanted_residual;
    steps.newton_limit = 3000;
    const FrictionResult second = solve_friction_newton(blocks, steps);
    answer.iterations += static_cast<int>(second.iterations);
    if (second.residual < answer.residual) {
      answer.residual = second.residual;
      answer.force = force_from(problem, second.reaction);
    }
    if (answer.residual <= contact_tolerances.residual) {
      answer.method = ConeMethod::newton;
      polish(problem, blocks, answer);
      return answer;
    }
  }
  if (auto enumerated = enumerate_plane(problem)) {
    enumerated->iterations += answer.iterations;
    return *enumerated;
  }
  return answer;
}

}  // namespace clack
