// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/pivoted_columns.hpp"

using namespace clack;

TEST(PivotedColumns, TakesTheLongestFirstAndLeavesDependentOnes) {
  const Eigen::MatrixXd A = (Eigen::MatrixXd(2, 3) << 1, 0, 1, 0, 2, 2).finished();
  const ColumnChoice choice = independent_columns(A);
  ASSERT_EQ(choice.independent.size(), 2u);
  EXPECT_EQ(choice.independent[0], 2);  // length sqrt 5
  EXPECT_EQ(choice.dependent.size(), 1u);
  EXPECT_EQ(independent_rows(A).dependent.size(), 0u);
}

TEST(PivotedColumns, TakesNothingFromZeros) {
  EXPECT_TRUE(independent_columns(Eigen::MatrixXd::Zero(2, 2)).independent.empty());
  EXPECT_EQ(independent_columns(Eigen::MatrixXd(0, 2)).dependent, (std::vector<int>{0, 1}));
}
