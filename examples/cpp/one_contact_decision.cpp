// SPDX-License-Identifier: Apache-2.0
// Will a block on a slope slide? One contact decision per angle; friction holds it up to tan(angle) = 0.5.
#include <clack/clack.hpp>
#include <cmath>
#include <cstdio>

int main() {
  clack::ContactProblem block;
  block.mass_matrix = Eigen::Matrix2d::Identity();
  block.velocity = Eigen::Vector2d::Zero();
  block.normal_jacobian = Eigen::RowVector2d(0, 1);
  block.tangent_jacobian = Eigen::RowVector2d(1, 0);
  block.materials = {{.dynamic_friction = 0.5, .static_friction = 0.5}};
  for (const double angle : {0.46, 0.47}) {
    block.force = 9.81 * Eigen::Vector2d(std::sin(angle), -std::cos(angle));
    const clack::ContactResult now = clack::solve_contact(block, "lcp");
    std::printf("angle %.2f: %s, acceleration %.6f m/s2, normal force %.6f N\n", angle,
                std::string(clack::to_string(now.statuses[0])).c_str(), now.acceleration[0],
                now.normal_force[0]);
  }
}
