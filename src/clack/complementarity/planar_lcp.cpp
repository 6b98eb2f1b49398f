// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/planar_lcp.hpp"

#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {
namespace {

/// Number of each contact among those with a tangential law, -1 for the others.
struct TangentLaws {
  std::vector<int> number;
  int count = 0;

  explicit TangentLaws(const FrictionProblem& problem) : number(problem.contacts(), -1) {
    for (int i = 0; i < problem.contacts(); ++i)
      if (problem.has_tangent_law(i)) number[i] = count++;
  }
};

int slide_of(const FrictionProblem& problem, int i) {
  if (!problem.is_sliding(i)) return 0;
  return problem.direction[i] > 0.0 ? 1 : -1;
}

/// A block of W as the LCPs read it: columns of the normal and the tangential reaction of j.
struct PlanarBlock {
  double normal[2];   // rows N, T; bent by the friction of j where j slides
  double tangent[2];  // rows N, T

  PlanarBlock(const FrictionProblem& problem, int k) {
    const double* b = problem.values.data() + std::size_t(k) * 4;
    const int j = problem.column[k], s = slide_of(problem, j);
    for (int row = 0; row < 2; ++row) {
      tangent[row] = b[2 * row + 1];
      normal[row] = b[2 * row];
      if (s != 0) normal[row] -= s * problem.dynamic_mu_of(j) * tangent[row];
    }
  }
};

Lcp make_compact(const FrictionProblem& problem, const TangentLaws& laws) {
  const int c = problem.contacts(), h = laws.count;
  Lcp lcp{Eigen::MatrixXd::Zero(c + 2 * h, c + 2 * h), Eigen::VectorXd::Zero(c + 2 * h)};
  for (int i = 0; i < c; ++i) {
    const int m = laws.number[i];
    lcp.q[i] = problem.q[2 * i];
    for (int k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k) {
      const PlanarBlock block(problem, k);
      const int j = problem.column[k], n = laws.number[j];
      const double mu = problem.mu[j], offset = problem.offset_of(j);
      lcp.M(i, j) = n >= 0 ? block.normal[0] - block.tangent[0] * mu : block.normal[0];
      if (n >= 0) {
        lcp.M(i, c + n) = block.tangent[0];
        lcp.q[i] -= block.tangent[0] * offset;
      }
      if (m < 0) continue;
      if (j == i) lcp.q[c + m] += problem.q[2 * i + 1];
      lcp.M(c + m, j) = n >= 0 ? block.normal[1] - block.tangent[1] * mu : block.normal[1];
      if (n >= 0) {
        lcp.M(c + m, c + n) = block.tangent[1];
        lcp.q[c + m] -= block.tangent[1] * offset;
      }
    }
    if (m < 0) continue;
    lcp.q[c + h + m] = 2.0 * problem.offset_of(i);
    lcp.M(c + m, c + h + m) = 1.0;
    lcp.M(c + h + m, c + m) = -1.0;
    lcp.M(c + h + m, i) = 2.0 * problem.mu[i];
  }
  return lcp;
}

Lcp make_full(const FrictionProblem& problem, const TangentLaws& laws) {
  const int c = problem.contacts(), h = laws.count, n = c + 4 * h;
  Lcp lcp{Eigen::MatrixXd::Zero(n, n), Eigen::VectorXd::Zero(n)};
  const auto plus = [&](int k) { return c + k; };
  const auto minus = [&](int k) { return c + h + k; };
  for (int i = 0; i < c; ++i) {
    const int m = laws.number[i];
    lcp.q[i] = problem.q[2 * i];
    for (int k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k) {
      const PlanarBlock block(problem, k);
      const int j = problem.column[k], other = laws.number[j];
      lcp.M(i, j) = block.normal[0];
      if (other >= 0) {
        lcp.M(i, plus(other)) = -block.tangent[0];
        lcp.M(i, minus(other)) = block.tangent[0];
      }
      if (m < 0) continue;
      lcp.M(plus(m), j) = -block.normal[1];
      lcp.M(minus(m), j) = block.normal[1];
      if (other < 0) continue;
      lcp.M(plus(m), plus(other)) = lcp.M(minus(m), minus(other)) = block.tangent[1];
      lcp.M(plus(m), minus(other)) = lcp.M(minus(m), plus(other)) = -block.tangent[1];
    }
    if (m < 0) continue;
    const int kappa_plus = c + 2 * h + m, kappa_minus = c + 3 * h + m;
    lcp.M(plus(m), kappa_plus) = lcp.M(minus(m), kappa_minus) = 1.0;
    lcp.M(kappa_plus, i) = lcp.M(kappa_minus, i) = problem.mu[i];
    lcp.M(kappa_plus, plus(m)) = lcp.M(kappa_minus, minus(m)) = -1.0;
    lcp.q[plus(m)] = -problem.q[2 * i + 1];
    lcp.q[minus(m)] = problem.q[2 * i + 1];
    lcp.q[kappa_plus] = lcp.q[kappa_minus] = problem.offset_of(i);
  }
  return lcp;
}

}  // namespace

Lcp make_planar_lcp(const FrictionProblem& problem, LcpSize size) {
  const TangentLaws laws(problem);
  return size == LcpSize::compact ? make_compact(problem, laws) : make_full(problem, laws);
}

Eigen::VectorXd reaction_from_lcp(const FrictionProblem& problem, LcpSize size,
                                  const Eigen::Ref<const Eigen::VectorXd>& z) {
  const int c = problem.contacts();
  int h = 0;
  for (int i = 0; i < c; ++i) h += problem.has_tangent_law(i) ? 1 : 0;
  Eigen::VectorXd reaction = Eigen::VectorXd::Zero(2 * c);
  int k = 0;
  for (int i = 0; i < c; ++i) {
    const double normal = reaction[2 * i] = z[i];
    double& tangent = reaction[2 * i + 1];
    if (const int s = slide_of(problem, i); s != 0)
      tangent = -s * problem.dynamic_mu_of(i) * normal;
    if (!problem.has_tangent_law(i)) continue;
    const double reach = problem.offset_of(i) + problem.mu[i] * normal;
    // Compact: z = r_T + R lies in [0, 2R]; at its ends R itself is exact, the difference need not
    // be.
    tangent = size == LcpSize::full ? z[c + h + k] - z[c + k]
                                    : std::clamp(z[c + k] - reach, -reach, reach);
    ++k;
  }
  return reaction;
}

FrictionResult solve_planar_lcp(const FrictionProblem& problem, LcpSize size, LemkeSolver& solver) {
  const Lcp lcp = make_planar_lcp(problem, size);
  FrictionResult result;
  const LcpStatus status = solver.solve(lcp.M, lcp.q);
  result.iterations = solver.pivots();
  if (status != LcpStatus::solved) {
    result.reaction = Eigen::VectorXd::Zero(problem.q.size());
    result.velocity = problem.q;
  } else {
    result.reaction = reaction_from_lcp(problem, size, solver.z());
    result.velocity = problem.q;
    add_motion(problem, result.reaction, result.velocity);
  }
  const FrictionResidual residual = friction_residual(problem, result.reaction, result.velocity);
  result.residual = residual.value;
  result.worst = residual.worst;
  result.worst_contact = residual.worst_contact;
  if (status == LcpStatus::solved && result.residual <= friction_tolerances.residual) {
    result.status = SolveStatus::solved;
    result.method = FrictionMethod::lemke;
  }
  return result;
}

FrictionResult solve_planar_lcp(const FrictionProblem& problem, LcpSize size) {
  static thread_local LemkeSolver
      solver;  // memory only: an answer does not depend on the ones before
  return solve_planar_lcp(problem, size, solver);
}

}  // namespace clack
