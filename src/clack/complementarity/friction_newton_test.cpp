// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_newton.hpp"

#include "clack/complementarity/friction_test_problems.hpp"

namespace clack {
namespace {

TEST(FrictionNewton, SolvesRandomProblemsToRounding) {
  FrictionNewtonOptions options;
  options.tolerance = 1e-12;
  for (const int d : {2, 3})
    for (std::uint64_t seed = 0; seed < 10; ++seed)
      EXPECT_EQ(
          solve_friction_newton(test::random_friction(d, 8, 8 * d + 2, 0.4, seed), options).status,
          SolveStatus::solved)
          << d << " " << seed;
}

TEST(FrictionNewton, NeedsNeitherARegularNorASymmetricMatrix) {
  FrictionNewtonOptions options;
  options.tolerance = 1e-10;
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    auto problem = test::random_friction(3, 6, 8, 0.4, seed);  // rank 8 of 18
    problem.q = dense_delassus(problem) *
                Eigen::VectorXd::LinSpaced(18, -1.0, 0.7);  // in the range: solvable
    for (std::size_t k = 0; k < problem.values.size(); k += 5) problem.values[k] *= 1.0 + 1e-4;
    solved += solve_friction_newton(problem, options).status == SolveStatus::solved;
  }
  EXPECT_GE(solved, 9);
}

TEST(FrictionNewton, RelaxedLawLiftsASlidingContact) {
  FrictionNewtonOptions options;
  options.law = FrictionLaw::relaxed;
  options.tolerance = 1e-12;
  const auto problem =
      make_friction_problem(3, Eigen::MatrixXd(Eigen::MatrixXd::Identity(3, 3)),
                            Eigen::Vector3d(-1, 2, 0), Eigen::VectorXd::Constant(1, 0.5));
  const auto result = solve_friction_newton(problem, options);
  EXPECT_TRUE(result.reaction.isApprox(Eigen::Vector3d(1.6, -0.8, 0), 1e-10));
  EXPECT_EQ(result.status, SolveStatus::not_converged);  // it is not Coulomb's answer, and says so
}

TEST(FrictionNewton, StopsAtItsLimitWithTheBestIterate) {
  FrictionNewtonOptions options;
  options.tolerance = 1e-13;
  options.extragradient_steps = 3;
  options.newton_limit = 1;
  const auto result = solve_friction_newton(test::sphere_pile(60), options);
  EXPECT_EQ(result.status, SolveStatus::not_converged);
  EXPECT_LE(result.residual, 1.0);
}

}  // namespace
}  // namespace clack
