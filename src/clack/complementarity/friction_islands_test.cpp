#include "clack/complementarity/friction_islands.hpp"

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

}  // namespace
}  // namespace clack
