// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_scaled.hpp"

#include "clack/complementarity/friction_test_problems.hpp"

namespace clack {
namespace {

TEST(ScaledFriction, EveryContactHasUnitInertiaAndTheDataUnitLength) {
  const auto problem = test::random_friction(3, 5, 15, 0.3, 2);
  const auto scaled = scale_friction_problem(problem);
  EXPECT_TRUE(inverse_apparent_mass(scaled.problem).isApprox(Eigen::VectorXd::Ones(5), 1e-14));
  EXPECT_NEAR(scaled.problem.q.norm(), 1.0, 1e-14);
}

TEST(ScaledFriction, ResidualIsThatOfTheOriginal) {
  const auto problem = test::random_friction(3, 5, 15, 0.3, 2);
  const auto scaled = scale_friction_problem(problem);
  const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(15, -0.2, 1.0);
  EXPECT_NEAR(scaled_residual(scaled, to_scaled(scaled, r), true),
              friction_residual(problem, r).value, 1e-13);
  EXPECT_TRUE(from_scaled(scaled, to_scaled(scaled, r)).isApprox(r, 1e-15));
}

}  // namespace
}  // namespace clack
