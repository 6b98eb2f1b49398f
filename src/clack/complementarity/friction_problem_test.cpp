// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_problem.hpp"

#include "clack/complementarity/friction_cone.hpp"
#include "clack/complementarity/friction_test_problems.hpp"
#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

FrictionProblem one_contact(const Eigen::MatrixXd& W, const Eigen::VectorXd& q, double mu) {
  return make_friction_problem(number_of(q), W, q, Eigen::VectorXd::Constant(1, mu));
}

TEST(FrictionCone, PointInsideStaysWhereItIs) {
  const auto p = project_on_cone<3>(Vector3d(2, 0.6, 0.8), 0.5);
  EXPECT_EQ(p.region, ConeRegion::inside);
  EXPECT_EQ(p.point, Vector3d(2, 0.6, 0.8));
}

TEST(FrictionCone, PolarConeGoesToTheApex) {
  const auto p = project_on_cone<3>(Vector3d(-2, 0.6, 0.8), 0.5);
  EXPECT_EQ(p.region, ConeRegion::polar);
  EXPECT_EQ(p.point, Vector3d::Zero());
}

TEST(FrictionCone, OtherPointsGoToTheSurfaceAtRightAngles) {
  const Vector3d y(0.2, 3, -4);
  const auto p = project_on_cone<3>(y, 0.5);
  EXPECT_EQ(p.region, ConeRegion::surface);
  EXPECT_NEAR(p.point.tail<2>().norm(), 0.5 * p.point(0), 1e-15);
  EXPECT_NEAR(p.point.dot(y - p.point), 0.0, 1e-14);  // Moreau's decomposition
}

TEST(FrictionCone, FrictionlessConeIsAHalfLine) {
  EXPECT_EQ(project_on_cone<2>(Vector2d(-1, 0), 0.0).point, Vector2d::Zero());
  EXPECT_EQ(project_on_cone<2>(Vector2d(3, 2), 0.0).point, Vector2d(3, 0));
}

TEST(FrictionCone, LargeFrictionDoesNotOverflow) {
  const auto p = project_on_cone<3>(Vector3d(-1, 1e3, 0), 1e3);
  EXPECT_TRUE(p.point.allFinite());
  EXPECT_NEAR(p.point(1), 1e3 * p.point(0), 1e-9);
}

TEST(FrictionResidual, TellsTheExactLawFromItsRelaxation) {
  const auto problem = one_contact(Eigen::Matrix3d::Identity(), Vector3d(-1, 2, 0), 0.5);
  EXPECT_EQ(friction_residual(problem, Vector3d(1, -0.5, 0)).value, 0.0);
  // docs/solvers-friction.md quotes 0.24
  EXPECT_NEAR(friction_residual(problem, Vector3d(1.6, -0.8, 0)).value, 0.24, 1e-3);
}

TEST(FrictionResidual, DoesNotDependOnUnits) {
  auto problem = test::random_friction(3, 4, 12, 0.4, 1);
  Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(12, 0.1, 1.0);
  const double before = friction_residual(problem, r).value,
               plain = plain_friction_residual(problem, r);
  const double a = 1e5, b = 1e-7;
  for (double& x : problem.values) x *= a;
  problem.q *= b;
  r *= b / a;
  EXPECT_NEAR(friction_residual(problem, r).value, before, 1e-13 * before);
  EXPECT_GT(std::abs(plain_friction_residual(problem, r) - plain), 1e-3 * plain);
}

TEST(FrictionResidual, IsAbsoluteAndSaysSoWhenNothingMoves) {
  const auto problem = one_contact(Eigen::Matrix2d::Identity(), Vector2d::Zero(), 0.5);
  const auto residual = friction_residual(problem, Vector2d(1, 0));
  EXPECT_TRUE(residual.is_absolute);
  EXPECT_DOUBLE_EQ(residual.value, 1.0);
}

TEST(FrictionResidual, NamesTheWorstContact) {
  const auto problem = make_friction_problem(2, Eigen::MatrixXd(Eigen::MatrixXd::Identity(4, 4)),
                                             Eigen::Vector4d(-1, 0, -2, 0), Vector2d(0.5, 0.5));
  const auto residual = friction_residual(problem, Eigen::Vector4d(1, 0, 0.5, 0));
  EXPECT_EQ(residual.worst_contact, 1);
  EXPECT_NEAR(residual.worst, 1.5 / std::sqrt(5.0), 1e-15);
}

TEST(FrictionProblem, RepeatedEntriesAreAdded) {
  const std::vector<MatrixEntry> entries = {{0, 0, 1}, {1, 1, 2}, {0, 0, 0.5}, {1, 0, -1}};
  const auto problem = make_friction_problem(2, entries, Vector2d(0, 0), Eigen::VectorXd::Ones(1));
  Eigen::Matrix2d expected;
  expected << 1.5, 0, -1, 2;
  EXPECT_EQ(dense_delassus(problem), expected);
}

TEST(FrictionProblem, ContactWithoutInertiaIsRefused) {
  const auto problem =
      make_friction_problem(2, Eigen::MatrixXd(Eigen::Vector4d(1, 1, 0, 0).asDiagonal()),
                            Eigen::Vector4d(-1, 0, -1, 0), Vector2d(0.5, 0.5));
  try {
    check_friction_problem(problem, "file");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("contact 1 has no inertia"), std::string::npos);
  }
}

TEST(FrictionProblem, NegativeFrictionIsRefused) {
  EXPECT_THROW(
      check_friction_problem(one_contact(Eigen::Matrix2d::Identity(), Vector2d(0, 0), -0.1), ""),
      InputError);
}

TEST(Certify, ToleranceBelowRoundingEndsAtTheFloor) {
  const auto problem = test::random_friction(2, 1, 2, 0.0, 3);
  FrictionResult result;
  result.reaction = Vector2d(std::max(0.0, -problem.q(0) / problem.values[0]), 0);
  certify(problem, 1e-30, result);
  EXPECT_EQ(result.status, SolveStatus::solved);
  EXPECT_TRUE(result.residual <= 1e-30 || result.has_flag("rounding-limit"));
}

}  // namespace
}  // namespace clack
