// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/lcp.hpp"

#include "clack/error.hpp"

namespace clack {

std::string_view to_string(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved:
      return "solved";
    case LcpStatus::ray:
      return "ray";
    case LcpStatus::unsolvable:
      return "unsolvable";
    case LcpStatus::limit:
      return "limit";
  }
  return "unknown";
}

double lcp_residual(const Lcp& problem, const Eigen::Ref<const Eigen::VectorXd>& z) {
  if (problem.q.size() == 0) return 0.0;
  const Eigen::VectorXd w = problem.M * z + problem.q;
  const double violation = z.cwiseMin(w).cwiseAbs().maxCoeff();
  const double scale = problem.q.cwiseAbs().maxCoeff();
  return scale > 0.0 ? violation / scale : violation;
}

void check_lcp(const Lcp& problem) {
  const Eigen::Index n = problem.q.size();
  if (problem.M.rows() != n || problem.M.cols() != n)
    throw InputError(fmt::format("M is {} x {}, must be {} x {} as q has {} numbers",
                                 problem.M.rows(), problem.M.cols(), n, n, n),
                     "", "give a square M and a q of the same size");
  if (!problem.M.allFinite() || !problem.q.allFinite())
    throw InputError("M or q has a number that is not finite", "", "use finite numbers only");
}

}  // namespace clack
