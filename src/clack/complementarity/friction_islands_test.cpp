// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_islands.hpp"

#include "clack/complementarity/friction_solver.hpp"

#include "clack/complementarity/friction_test_problems.hpp"

namespace clack {
namespace {

TEST(FrictionIslands, OneSidedBlocksConnectToo) {
  std::vector<MatrixEntry> entries;
  for (int k = 0; k < 8; ++k) entries.push_back({k, k, 1.0});
  entries.push_back({0, 6, 0.1});  // contact 0 feels contact 3
  const auto problem =
      make_friction_problem(2, entries, Eigen::VectorXd::Zero(8), Eigen::VectorXd::Ones(4));
  const std::vector<std::vector<int>> expected = {{0, 3}, {1}, {2}};
  EXPECT_EQ(friction_islands(problem), expected);
}

TEST(FrictionIslands, StoredZerosDoNotConnect) {
  std::vector<MatrixEntry> entries = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}, {0, 2, 0.0}};
  EXPECT_EQ(friction_islands(make_friction_problem(2, entries, Eigen::VectorXd::Zero(4),
                                                   Eigen::VectorXd::Ones(2)))
                .size(),
            2u);
}

TEST(FrictionIslands, SubProblemKeepsItsBlocksInTheGivenOrder) {
  const auto problem = test::random_friction(3, 4, 12, 0.3, 4);
  const Eigen::MatrixXd W = dense_delassus(problem);
  const auto part = sub_problem(problem, {2, 0});
  const Eigen::MatrixXd V = dense_delassus(part);
  EXPECT_EQ(V.block(0, 3, 3, 3), W.block(6, 0, 3, 3));
  EXPECT_EQ(part.q.head(3), problem.q.segment(6, 3));
  Eigen::VectorXd whole = Eigen::VectorXd::Zero(12);
  scatter(gather(problem.q, {2, 0}, 3), {2, 0}, 3, whole);
  EXPECT_EQ(whole.segment(6, 3), problem.q.segment(6, 3));
}

// Every island has its own memory and its own numbers: threads change no bit.
TEST(FrictionIslands, ThreadsGiveEqualBits) {
  const int islands = 7, c = 3, n = 3 * c;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(islands * n, islands * n);
  Eigen::VectorXd q(islands * n), mu = Eigen::VectorXd::Constant(islands * c, 0.3);
  for (int k = 0; k < islands; ++k) {
    const FrictionProblem one = test::random_friction(3, c, n + 2, 0.3, 100 + k);
    W.block(k * n, k * n, n, n) = dense_delassus(one);
    q.segment(k * n, n) = one.q;
  }
  const FrictionProblem problem = make_friction_problem(3, W, q, mu);
  FrictionOptions options = run_friction_options();
  const FrictionResult alone = solve_friction(problem, options);
  EXPECT_EQ(alone.status, SolveStatus::solved);
  for (const int threads : {2, 3, 16}) {
    options.threads = threads;
    const FrictionResult shared = solve_friction(problem, options);
    EXPECT_EQ(alone.reaction, shared.reaction) << threads;
    EXPECT_EQ(alone.iterations, shared.iterations);
  }
}

}  // namespace
}  // namespace clack
