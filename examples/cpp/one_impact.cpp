// SPDX-License-Identifier: Apache-2.0
// One impact by several laws: a disc with back spin falls obliquely on the floor.
#include <clack/clack.hpp>
#include <cstdio>

int main() {
  clack::ImpactProblem disc;
  disc.mass_matrix = Eigen::Vector3d(1, 1, 0.5).asDiagonal();
  disc.velocity = Eigen::Vector3d(4, -1, 0);
  disc.normal_jacobian = Eigen::RowVector3d(0, 1, 0);
  disc.tangent_jacobian = Eigen::RowVector3d(1, 0, 1);
  disc.materials = {{.dynamic_friction = 0.2, .static_friction = 0.2, .restitution = 0.5}};
  for (const char* law : {"newton", "poisson", "energetic"}) {
    const clack::ImpactResult after = clack::solve_impact(disc, law);
    std::printf("%-10s v+ = %.6f %.6f %.6f, energy %.6f -> %.6f J\n", law, after.velocity[0],
                after.velocity[1], after.velocity[2], after.energy_before, after.energy_after);
  }
}
