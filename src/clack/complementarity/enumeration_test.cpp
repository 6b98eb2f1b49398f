// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/enumeration.hpp"

#include <random>

#include "clack/error.hpp"

using namespace clack;

namespace {

Lcp problem_of(std::initializer_list<std::initializer_list<double>> rows,
               std::initializer_list<double> q) {
  Lcp problem{Eigen::MatrixXd(rows.size(), rows.size()), Eigen::VectorXd(q.size())};
  int i = 0;
  for (const auto& row : rows) {
    int j = 0;
    for (const double entry : row) problem.M(i, j++) = entry;
    ++i;
  }
  std::copy(q.begin(), q.end(), problem.q.data());
  return problem;
}

}  // namespace

TEST(Enumeration, ReportsTheEndPointsOfASegmentOfSolutions) {
  const LcpResult all = enumerate_lcp(problem_of({{1, 1}, {1, 1}}, {-1, -1}));
  EXPECT_EQ(all.status, LcpStatus::solved);
  ASSERT_EQ(all.solutions.size(), 2u);
  EXPECT_EQ(all.solutions[0], Eigen::Vector2d(1, 0));
  EXPECT_EQ(all.solutions[1], Eigen::Vector2d(0, 1));
  EXPECT_TRUE(all.is_singular);
}

TEST(Enumeration, SeesFacesThatRunToInfinity) {
  // M = 0, q = (0, 1): z_1 >= 0 is free, z_2 = 0.
  const LcpResult all = enumerate_lcp(problem_of({{0, 0}, {0, 0}}, {0, 1}));
  EXPECT_EQ(all.status, LcpStatus::solved);
  ASSERT_EQ(all.solutions.size(), 1u);
  EXPECT_TRUE(all.is_singular);
}

TEST(Enumeration, FindsAVertexThatNeedsARowOutsideItsSupport) {
  // Isolated z = (1, 0, 0) with M_11 = 0: w_2 = z_1 - 1 fixes it.
  const LcpResult all = enumerate_lcp(problem_of({{0, -1, -1}, {1, 0, 0}, {-1, 0, 0}}, {0, -1, 1}));
  ASSERT_EQ(all.solutions.size(), 1u);
  EXPECT_EQ(all.solutions[0], Eigen::Vector3d(1, 0, 0));
  EXPECT_FALSE(all.is_singular);
}

// -I and q > 0: every subset of z_k = q_k solves, 2^n isolated solutions.
TEST(Enumeration, ListsAllSolutionsOfTheNegativeIdentity) {
  for (int n = 1; n <= 8; ++n) {
    const LcpResult all =
        enumerate_lcp({-Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Ones(n)});
    EXPECT_EQ(all.solutions.size(), std::size_t{1} << n);
    EXPECT_FALSE(all.is_singular);
  }
}

TEST(Enumeration, ProvesThatThereIsNoSolution) {
  EXPECT_EQ(enumerate_lcp(problem_of({{-1}}, {-1})).status, LcpStatus::unsolvable);
  EXPECT_EQ(enumerate_lcp(problem_of({{0, 1}, {-1, 0}}, {-1, -1})).status, LcpStatus::unsolvable);
}

TEST(Enumeration, EverySolutionIsOneAndUnitsDoNotChangeTheirNumber) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 2 + trial % 5;
    Lcp problem{Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); }),
                Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); })};
    const LcpResult all = enumerate_lcp(problem);
    for (const auto& z : all.solutions) EXPECT_LE(lcp_residual(problem, z), 1e-10);
    problem.M *= 1e-7;
    problem.M.col(0) *= 1e5;
    problem.q *= 1e-3;
    EXPECT_EQ(enumerate_lcp(problem).solutions.size(), all.solutions.size()) << "trial " << trial;
  }
}

TEST(Enumeration, RefusesLargeProblemsWithTheLimitAndStopsAtIt) {
  EXPECT_EQ(enumerate_lcp({Eigen::MatrixXd::Identity(21, 21), Eigen::VectorXd::Ones(21)}).status,
            LcpStatus::limit);
  EnumerationOptions options;
  options.system_limit = 3;
  EXPECT_EQ(
      enumerate_lcp({-Eigen::MatrixXd::Identity(5, 5), Eigen::VectorXd::Ones(5)}, options).status,
      LcpStatus::limit);
}

TEST(Enumeration, AnswersTheEmptyProblem) {
  EXPECT_EQ(enumerate_lcp({Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}).status, LcpStatus::solved);
}
