#include "clack/contact/planar_friction.hpp"

#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

/// Contacts with a tangential law, in order.
std::vector<int> tangent_laws(const PlanarFriction& problem) {
  std::vector<int> list;
  for (int i = 0; i < problem.contacts(); ++i)
    if (problem.has_tangent_law(i)) list.push_back(i);
  return list;
}

/// Entry of B (docs/theories/poisson.md): column i of G, bent by its friction where contact i
/// slides.
double bent(const PlanarFriction& problem, int row, int i) {
  const int s = problem.slide_of(i);
  const double straight = problem.G(row, i);
  if (s == 0) return straight;
  return straight - s * problem.dynamic_friction[i] * problem.G(row, problem.contacts() + i);
}

Lcp make_compact(const PlanarFriction& problem, const std::vector<int>& laws) {
  const int c = problem.contacts(), h = static_cast<int>(laws.size());
  Lcp lcp{Eigen::MatrixXd::Zero(c + 2 * h, c + 2 * h), Eigen::VectorXd::Zero(c + 2 * h)};
  const auto& G = problem.G;
  for (int j = 0; j < c; ++j) {
    for (int i = 0; i < c; ++i) lcp.M(i, j) = bent(problem, i, j);
    for (int k = 0; k < h; ++k)
      lcp.M(c + k, j) = bent(problem, c + laws[static_cast<std::size_t>(k)], j);
  }
  lcp.q.head(c) = problem.b.head(c);
  for (int k = 0; k < h; ++k) {
    const int i = laws[static_cast<std::size_t>(k)], t = c + i;
    const double mu = problem.static_friction[i], offset = problem.offset_of(i);
    lcp.q[c + k] += problem.b[t];
    lcp.q[c + h + k] = 2.0 * offset;
    lcp.M(c + k, c + h + k) = 1.0;
    lcp.M(c + h + k, c + k) = -1.0;
    lcp.M(c + h + k, i) = 2.0 * mu;
    for (int j = 0; j < c; ++j) {
      lcp.M(j, i) -= G(j, t) * mu;
      lcp.M(j, c + k) = G(j, t);
      lcp.q[j] -= G(j, t) * offset;
    }
    for (int m = 0; m < h; ++m) {
      const int row = c + laws[static_cast<std::size_t>(m)];
      lcp.M(c + m, i) -= G(row, t) * mu;
      lcp.M(c + m, c + k) = G(row, t);
      lcp.q[c + m] -= G(row, t) * offset;
    }
  }
  return lcp;
}

Lcp make_full(const PlanarFriction& problem, const std::vector<int>& laws) {
  const int c = problem.contacts(), h = static_cast<int>(laws.size()), n = c + 4 * h;
  Lcp lcp{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
  const auto& G = problem.G;
  for (int j = 0; j < c; ++j) {
    for (int i = 0; i < c; ++i) lcp.M(i, j) = bent(problem, i, j);
    for (int k = 0; k < h; ++k) {
      const double value = bent(problem, c + laws[static_cast<std::size_t>(k)], j);
      lcp.M(c + k, j) = -value;
      lcp.M(c + h + k, j) = value;
    }
  }
  lcp.q.head(c) = problem.b.head(c);
  for (int k = 0; k < h; ++k) {
    const int i = laws[static_cast<std::size_t>(k)], t = c + i;
    const int plus = c + k, minus = c + h + k, kappa_plus = c + 2 * h + k,
              kappa_minus = c + 3 * h + k;
    for (int j = 0; j < c; ++j) {
      lcp.M(j, plus) = -G(j, t);
      lcp.M(j, minus) = G(j, t);
    }
    for (int m = 0; m < h; ++m) {
      const double value = G(c + laws[static_cast<std::size_t>(m)], t);
      lcp.M(c + m, plus) = lcp.M(c + h + m, minus) = value;
      lcp.M(c + m, minus) = lcp.M(c + h + m, plus) = -value;
    }
    lcp.M(plus, kappa_plus) = lcp.M(minus, kappa_minus) = 1.0;
    lcp.M(kappa_plus, i) = lcp.M(kappa_minus, i) = problem.static_friction[i];
    lcp.M(kappa_plus, plus) = lcp.M(kappa_minus, minus) = -1.0;
    lcp.q[plus] = -problem.b[t];
    lcp.q[minus] = problem.b[t];
    lcp.q[kappa_plus] = lcp.q[kappa_minus] = problem.offset_of(i);
  }
  return lcp;
}

}  // namespace

Lcp make_planar_lcp(const PlanarFriction& problem, LcpSize size) {
  const std::vector<int> laws = tangent_laws(problem);
  return size == LcpSize::compact ? make_compact(problem, laws) : make_full(problem, laws);
}

Eigen::VectorXd forces_from_lcp(const PlanarFriction& problem, LcpSize size,
                                const Eigen::Ref<const Eigen::VectorXd>& z) {
  const int c = problem.contacts();
  const std::vector<int> laws = tangent_laws(problem);
  const int h = static_cast<int>(laws.size());
  Eigen::VectorXd force = Eigen::VectorXd::Zero(2 * c);
  force.head(c) = z.head(c);
  for (int i = 0; i < c; ++i)
    if (const int s = problem.slide_of(i); s != 0)
      force[c + i] = -s * problem.dynamic_friction[i] * force[i];
  for (int k = 0; k < h; ++k) {
    const int i = laws[static_cast<std::size_t>(k)];
    if (size == LcpSize::full) {
      force[c + i] = z[c + h + k] - z[c + k];
      continue;
    }
    const double reach = problem.offset_of(i) + problem.static_friction[i] * force[i];
    // z = l_T + R lies in [0, 2R]; at its ends R itself is exact, the difference need not be.
    force[c + i] = std::clamp(z[c + k] - reach, -reach, reach);
  }
  return force;
}

double planar_residual(const PlanarFriction& problem, const Eigen::VectorXd& force) {
  const int c = problem.contacts();
  Eigen::VectorXd motion = problem.b;
  motion.noalias() += problem.G * force;
  double worst = 0.0;
  for (int i = 0; i < c; ++i) {
    const double normal = problem.G(i, i) > 0.0 ? problem.G(i, i) : 1.0;
    worst = std::max(worst, std::abs(std::min(normal * force[i], motion[i])));
    if (!problem.has_tangent_law(i)) continue;
    const int t = c + i;
    const double tangent = problem.G(t, t) > 0.0 ? problem.G(t, t) : 1.0;
    const double reach =
        tangent * std::max(0.0, problem.offset_of(i) + problem.static_friction[i] * force[i]);
    const double pull = tangent * force[t];
    worst = std::max(worst, std::abs(pull - std::clamp(pull - motion[t], -reach, reach)));
  }
  const double size = problem.b.size() > 0 ? problem.b.cwiseAbs().maxCoeff() : 0.0;
  return size > 0.0 ? worst / size : worst;
}

std::optional<PlanarAnswer> solve_planar_lcp(const PlanarFriction& problem, LcpSize size,
                                             LemkeSolver& solver) {
  const Lcp lcp = make_planar_lcp(problem, size);
  if (solver.solve(lcp.M, lcp.q) != LcpStatus::solved) return std::nullopt;
  PlanarAnswer answer;
  answer.force = forces_from_lcp(problem, size, solver.z());
  answer.residual = planar_residual(problem, answer.force);
  answer.iterations = solver.pivots();
  if (!(answer.residual <= contact_tolerances.residual)) return std::nullopt;
  answer.motion = problem.b;
  answer.motion.noalias() += problem.G * answer.force;
  return answer;
}

std::optional<PlanarAnswer> solve_planar_lcp(const PlanarFriction& problem, LcpSize size) {
  LemkeSolver solver;
  return solve_planar_lcp(problem, size, solver);
}

}  // namespace clack
