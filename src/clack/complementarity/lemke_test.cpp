// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/lemke.hpp"

#include <random>

#include "clack/complementarity/enumeration.hpp"
#include "clack/complementarity/random_friction_lcp.hpp"
#include "clack/error.hpp"

using namespace clack;

namespace {

Eigen::MatrixXd random_matrix(int n, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
}

Eigen::VectorXd random_vector(int n, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

bool is_listed(const Eigen::VectorXd& z, const std::vector<Eigen::VectorXd>& solutions) {
  return std::any_of(solutions.begin(), solutions.end(), [&](const Eigen::VectorXd& other) {
    return (z - other).cwiseAbs().maxCoeff() <= 1e-7 * (1.0 + z.cwiseAbs().maxCoeff());
  });
}

}  // namespace

// A P-matrix (here: skew-symmetric plus positive definite) has exactly one solution for every q.
TEST(Lemke, FindsTheOneSolutionOfPMatricesThatEnumerationFinds) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 1500; ++trial) {
    const int n = 1 + trial % 7;
    const Eigen::MatrixXd A = random_matrix(n, random), B = random_matrix(n, random);
    const Lcp problem{A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n) + B - B.transpose(),
                      random_vector(n, random)};
    const LcpResult answer = lemke(problem);
    const LcpResult all = enumerate_lcp(problem);
    ASSERT_EQ(answer.status, LcpStatus::solved) << "trial " << trial;
    EXPECT_LE(lcp_residual(problem, answer.z), 1e-12);
    ASSERT_EQ(all.solutions.size(), 1u) << "trial " << trial;
    EXPECT_TRUE(is_listed(answer.z, all.solutions)) << "trial " << trial;
  }
}

// A positive matrix is strictly copositive: Lemke cannot end on a ray (Cottle, Pang, Stone,
// theorem 4.4.9).
TEST(Lemke, AlwaysSolvesStrictlyCopositiveProblems) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 1500; ++trial) {
    const int n = 1 + trial % 8;
    const Lcp problem{random_matrix(n, random).cwiseAbs(), random_vector(n, random)};
    const LcpResult answer = lemke(problem);
    ASSERT_EQ(answer.status, LcpStatus::solved) << "trial " << trial;
    EXPECT_LE(lcp_residual(problem, answer.z), 1e-12);
    EXPECT_TRUE(is_listed(answer.z, enumerate_lcp(problem).solutions)) << "trial " << trial;
  }
}

TEST(Lemke, NeverClaimsASolutionOfAnUnsolvableProblemAndSolvesOnlyWithListedOnes) {
  std::mt19937_64 random(3);
  int solved = 0, rays = 0, unsolvable = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const int n = 1 + trial % 6;
    const Lcp problem{random_matrix(n, random), random_vector(n, random)};
    const LcpResult answer = lemke(problem);
    const LcpResult all = enumerate_lcp(problem);
    ASSERT_TRUE(all.status == LcpStatus::solved || all.status == LcpStatus::unsolvable);
    unsolvable += all.status == LcpStatus::unsolvable;
    if (answer.status == LcpStatus::solved) {
      ++solved;
      EXPECT_TRUE(is_listed(answer.z, all.solutions)) << "trial " << trial;
    } else {
      ++rays;
      EXPECT_EQ(answer.status, LcpStatus::ray) << "trial " << trial;
    }
  }
  EXPECT_GT(solved, 500);
  EXPECT_GE(rays, unsolvable);
  EXPECT_GT(unsolvable, 100);
}

TEST(Lemke, SolvesEveryRandomFrictionImpactToRounding) {
  std::mt19937_64 random(4);
  LemkeSolver solver;
  for (const int contacts : {1, 2, 3, 5, 8, 13, 25, 50})
    for (int trial = 0; trial < (contacts < 10 ? 200 : 10); ++trial) {
      const Lcp problem = random_friction_lcp(contacts, random);
      ASSERT_EQ(solver.solve(problem.M, problem.q), LcpStatus::solved)
          << contacts << " contacts, trial " << trial;
      EXPECT_LE(lcp_residual(problem, solver.z()), 1e-12);
      EXPECT_GE(solver.z().minCoeff(), 0.0);
    }
}

// Scaling a unit of w or z by powers of two changes no rounding and no decision of the covering in
// scaled rows.
TEST(Lemke, SolvesIllScaledProblems) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<int> exponent(-30, 30);
  LemkeOptions options;
  options.covering = Covering::scaled_rows;
  for (int trial = 0; trial < 300; ++trial) {
    Lcp problem = random_friction_lcp(3, random);
    const Eigen::VectorXd z = lemke(problem, options).z;
    Eigen::VectorXd unit(12);
    for (int k = 0; k < 12; ++k) unit[k] = std::exp2(exponent(random));
    Lcp scaled{problem.M * unit.cwiseInverse().asDiagonal(), problem.q};
    scaled.M *= 1048576.0;
    scaled.q *= 1048576.0;
    const LcpResult answer = lemke(scaled, options);
    ASSERT_EQ(answer.status, LcpStatus::solved) << "trial " << trial;
    EXPECT_LE(lcp_residual(problem, answer.z.cwiseQuotient(unit)), 1e-10) << "trial " << trial;
  }
}

// Many equal ratios: M = E + I/1000 with equal q ties every row in every step.
TEST(Lemke, EndsOnFullyTiedProblems) {
  for (int n = 1; n <= 40; ++n) {
    const Lcp problem{Eigen::MatrixXd::Ones(n, n) + 1e-3 * Eigen::MatrixXd::Identity(n, n),
                      Eigen::VectorXd::Constant(n, -1.0)};
    const LcpResult answer = lemke(problem);
    ASSERT_EQ(answer.status, LcpStatus::solved) << n;
    // All components equal 1/(n + 1e-3).
    EXPECT_LE((answer.z.array() - 1.0 / (n + 1e-3)).abs().maxCoeff(), 1e-12) << n;
  }
}

// Repeated contacts: rows and columns of M appear several times, every ratio of a copy is tied with
// its original.
TEST(Lemke, SolvesFrictionlessProblemsWithRepeatedContacts) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + trial % 5;
    Eigen::MatrixXd J(2 * n, 3);
    for (int k = 0; k < n; ++k) J.row(k) = J.row(k + n) = random_vector(3, random).transpose();
    const Lcp problem{J * J.transpose(), J * random_vector(3, random)};
    const LcpResult answer = lemke(problem);
    ASSERT_EQ(answer.status, LcpStatus::solved) << "trial " << trial;
    EXPECT_LE(lcp_residual(problem, answer.z), 1e-12);
  }
}

// Murty's example: lower triangular with 2 below the diagonal; the solution is the last unit
// vector, and pivoting by least index needs 2^n steps there.
TEST(Lemke, SolvesMurtysExponentialExample) {
  const int n = 16;
  Lcp problem{Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Constant(n, -1.0)};
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) problem.M(i, j) = 2.0;
  const LcpResult answer = lemke(problem);
  ASSERT_EQ(answer.status, LcpStatus::solved);
  EXPECT_LE((answer.z - Eigen::VectorXd::Unit(n, n - 1)).norm(), 1e-14);
}

TEST(Lemke, AnswersProblemsWithNoneAndOneUnknown) {
  EXPECT_EQ(lemke({Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}).status, LcpStatus::solved);
  const auto one = [](double m, double q) {
    return lemke({Eigen::MatrixXd::Constant(1, 1, m), Eigen::VectorXd::Constant(1, q)});
  };
  EXPECT_EQ(one(2, -1).z[0], 0.5);
  EXPECT_EQ(one(-2, 1).z[0], 0.0);
  EXPECT_EQ(one(0, 0).status, LcpStatus::solved);
  EXPECT_EQ(one(0, -1).status, LcpStatus::ray);
  EXPECT_EQ(one(-1, -1).status, LcpStatus::ray);
}

TEST(Lemke, ReportsTheLimit) {
  LemkeOptions options;
  options.pivot_limit = 2;
  std::mt19937_64 random(7);
  const Lcp problem = random_friction_lcp(10, random);
  EXPECT_EQ(lemke(problem, options).status, LcpStatus::limit);
}

TEST(Lemke, OneSolverAnswersProblemsOfChangingSizeLikeAFreshOne) {
  std::mt19937_64 random(8);
  LemkeSolver solver;
  for (int trial = 0; trial < 200; ++trial) {
    const Lcp problem = random_friction_lcp(1 + trial * 7 % 11, random);
    ASSERT_EQ(solver.solve(problem.M, problem.q), LcpStatus::solved);
    EXPECT_EQ(solver.z(), lemke(problem).z) << "trial " << trial;
  }
}
