// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/delassus.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "clack/contact/random_system.hpp"

namespace clack {
namespace {

TEST(Delassus, IsTheContactMobilityThroughTheInverseMass) {
  testing::RandomSystem random(1);
  const auto problem = random.system<ImpactProblem>(4, 2, 2, 0.5);
  const Delassus delassus = make_delassus(problem, 0.0);
  Eigen::MatrixXd rows(4, 4);
  rows << problem.normal_jacobian, problem.tangent_jacobian;
  const Eigen::MatrixXd expected = rows * problem.mass_matrix.inverse() * rows.transpose();
  EXPECT_LE((delassus.matrix - expected).cwiseAbs().maxCoeff(), 1e-12);
}

// The bordered system [M -Jb^T; Jb 0] is the other method.
TEST(Delassus, BilateralRowsGiveTheMotionOfTheBorderedSystem) {
  testing::RandomSystem random(2);
  for (int k = 0; k < 50; ++k) {
    auto problem = random.system<ContactProblem>(5, 2, 2, 0.5);
    problem.bilateral = random.matrix(2, 5);
    problem.bilateral_bias = random.vector(2);
    problem.force = random.vector(5);
    const Eigen::VectorXd l = random.vector(4);
    const Delassus delassus = make_delassus(problem, 0.0);
    const FreeMotion free = free_acceleration(delassus, problem);
    Eigen::MatrixXd bordered = Eigen::MatrixXd::Zero(7, 7);
    bordered.topLeftCorner(5, 5) = problem.mass_matrix;
    bordered.topRightCorner(5, 2) = -problem.bilateral.transpose();
    bordered.bottomLeftCorner(2, 5) = problem.bilateral;
    Eigen::VectorXd right(7);
    right << problem.force + problem.normal_jacobian.transpose() * l.head(2) +
                 problem.tangent_jacobian.transpose() * l.tail(2),
        -problem.bilateral_bias;
    const Eigen::VectorXd expected = bordered.fullPivLu().solve(right);
    const Eigen::VectorXd motion = motion_under(delassus, free, l);
    EXPECT_LE((motion - expected.head(5)).cwiseAbs().maxCoeff(), 1e-10);
    const Eigen::VectorXd unexplained =
        delassus.mass.matrixU() * motion - delassus.contact_rows.transpose() * l -
        Eigen::VectorXd(delassus.mass.matrixL().solve(problem.force));
    EXPECT_LE((bilateral_reaction(delassus, unexplained) - expected.tail(2)).cwiseAbs().maxCoeff(),
              1e-9);
  }
}

TEST(Delassus, DependentBilateralRowsChangeNothing) {
  testing::RandomSystem random(3);
  auto problem = random.system<ImpactProblem>(5, 2, 2, 0.5);
  problem.bilateral = random.matrix(1, 5);
  const Delassus once = make_delassus(problem, 0.0);
  problem.bilateral = Eigen::MatrixXd(problem.bilateral.replicate(3, 1));
  const Delassus thrice = make_delassus(problem, 0.0);
  EXPECT_LE((once.matrix - thrice.matrix).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Delassus, RowsHeldByBilateralRowsHaveNoMobility) {
  testing::RandomSystem random(4);
  auto problem = random.system<ImpactProblem>(3, 1, 2, 0.5);
  problem.bilateral = 2.0 * problem.tangent_jacobian;
  const Delassus delassus = make_delassus(problem, 0.0);
  EXPECT_EQ(delassus.matrix(1, 1), 0.0);
  EXPECT_GT(delassus.matrix(0, 0), 0.0);
}

TEST(Delassus, MotionScaleIsTheSumOfAbsoluteTerms) {  // not fooled by cancellation
  ImpactProblem problem;
  problem.mass_matrix = Eigen::Matrix2d::Identity();
  problem.velocity = Eigen::Vector2d(3, 3);
  problem.bilateral.resize(0, 2);
  problem.normal_jacobian = Eigen::RowVector2d(1, -1);
  problem.tangent_jacobian = Eigen::RowVector2d(0, 0);
  problem.normal_surface_velocity = problem.tangent_surface_velocity = Eigen::VectorXd::Zero(1);
  problem.materials.resize(1);
  problem.names = {"c"};
  const FreeMotion free = free_velocity(make_delassus(problem, 0.0), problem);
  EXPECT_EQ(free.contact[0], 0.0);
  EXPECT_NEAR(free.scale, 6.0, 1e-14);
}

}  // namespace
}  // namespace clack
