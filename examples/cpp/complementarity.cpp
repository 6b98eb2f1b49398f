// SPDX-License-Identifier: Apache-2.0
// A linear complementarity problem, a friction problem and a projector.
#include <clack/clack.hpp>
#include <cstdio>

int main() {
  const clack::Lcp lcp{Eigen::Matrix2d{{2, 1}, {1, 2}}, Eigen::Vector2d(-5, -6)};
  const clack::LcpResult answer = clack::solve_lcp(lcp);
  std::printf("lcp: %s, z = %.6f %.6f\n", std::string(clack::to_string(answer.status)).c_str(),
              answer.z[0], answer.z[1]);

  const Eigen::Matrix2d W = Eigen::Matrix2d::Identity();
  const clack::FrictionResult reaction = clack::solve_friction(clack::make_friction_problem(
      2, W, Eigen::Vector2d(-1, 2), Eigen::VectorXd::Constant(1, 0.3)));
  std::printf("friction: r = %.6f %.6f\n", reaction.reaction[0], reaction.reaction[1]);

  const clack::Projector projector = clack::make_projector(
      Eigen::Vector2d(1, 3).asDiagonal().toDenseMatrix(), Eigen::RowVector2d(1, 1));
  std::printf("projector: rank %d, S = %.6f %.6f\n", projector.rank,
              projector.impact_projector(0, 0), projector.impact_projector(0, 1));
}
