#include "clack/complementarity/lcp.hpp"

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

}  // namespace clack
