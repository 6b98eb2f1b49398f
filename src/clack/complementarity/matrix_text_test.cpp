// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/matrix_text.hpp"

#include "clack/error.hpp"

using namespace clack;

namespace {

Eigen::MatrixXd parse(const std::string& text) {
  TokenReader tokens(text, "f");
  return to_dense(read_matrix(tokens, "M"));
}

std::string place_of_error(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& e) {
    return e.where();
  }
  return "none";
}

}  // namespace

TEST(MatrixText, DenseMatricesAreColumnMajor) {
  EXPECT_EQ(parse("0 3 2  3 2  1 2 3 4 5 6"),
            (Eigen::MatrixXd(3, 2) << 1, 4, 2, 5, 3, 6).finished());
}

TEST(MatrixText, BlocksAreColumnMajorInsideBlockRows) {
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(4, 4);
  expected.block<2, 2>(0, 0) << 1, 2, 3, 4;
  expected.block<2, 2>(2, 2) << 1, 2, 3, 4;
  EXPECT_EQ(parse("1  4 4  2  2 2   2 4   2 4   3 2   0 1 2   0 1   0  1 3 2 4   1  1 3 2 4"),
            expected);
}

TEST(MatrixText, TripletAndColumnListingsGiveTheSameMatrix) {
  const Eigen::MatrixXd expected = (Eigen::MatrixXd(2, 3) << 1, 0, 2, 0, 0, -3.5).finished();
  EXPECT_EQ(
      parse("2 2 3 1\nany words, 2009\ntriplet: 2-by-3, nzmax: 9 nnz: 3\n 0 0 : 1\n0 2 : 2 1 2 "
            ": -3.5"),
      expected);
  EXPECT_EQ(
      parse("2 2 3 2\nwords\n2-by-3, nzmax: 3 nnz: 3, 1-norm: 5.5\n col 0 : locations 0 to 0\n"
            "0 : 1\n col 1 : locations 1 to 0\n col 2 : locations 1 to 2\n 0 : 2\n 1 : -3.5"),
      expected);
  EXPECT_EQ(parse("2 2 2 2\n2-by-2, nzmax: 1 nnz: 0, 1-norm: 0\ncol 0 : locations 0 to -1\n"),
            Eigen::MatrixXd::Zero(2, 2));
}

TEST(MatrixText, MistakesAreReportedWhereTheyAre) {
  EXPECT_EQ(place_of_error("0 2 2 2 2 1 2\nx 4"), "f:2:1");
  EXPECT_EQ(place_of_error("0 2 2 2 3 1 2 3 4"), "f:1:9");
  EXPECT_EQ(place_of_error("0 2 2\n2 2\n1 2 3"), "f:3:1");  // one number is missing
  EXPECT_EQ(place_of_error("0 2 2 2 2 1 2 nan 4"), "f:1:15");
  EXPECT_EQ(place_of_error("0 2 2 2 2 1 2 1e999 4"), "f:1:15");
  EXPECT_EQ(place_of_error("3 2 2"), "f:1:1");
  EXPECT_EQ(place_of_error("2 2 2 1\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 2 : 1"), "f:3:3");
  EXPECT_EQ(place_of_error("2 2 2 1\ntriplet: 2-by-3, nzmax: 1 nnz: 1\n0 0 : 1"), "f:2:10");
  EXPECT_EQ(place_of_error("2 2 2 1\nno sizes"), "f:2:1");
}

TEST(MatrixText, HugeSizesAreRefusedBeforeMemoryIsTaken) {
  EXPECT_NE(place_of_error("0 1000000000 1000000000 1000000000 1000000000 1"), "none");
  EXPECT_NE(place_of_error("1 1000000000 1000000000 1000000000 1000000000 1000000000 1"), "none");
  EXPECT_NE(place_of_error("2 9 9 1\ntriplet: 9-by-9, nzmax: 1 nnz: 2000000000\n0 0 : 1"), "none");
  EXPECT_NE(place_of_error("0 99999999999999999999 1"), "none");
  EXPECT_NE(place_of_error("0 -1 -1 -1 -1"), "none");
}

TEST(TokenReader, CountsNumbersUpToTheFirstWord) {
  TokenReader tokens("1 2.5 -3e-4 +7\n# words 9", "f");
  EXPECT_EQ(tokens.tokens_left(), 7u);
  EXPECT_EQ(tokens.numbers_left(), 4u);
  const auto start = tokens.mark();
  tokens.next_number("a number");
  EXPECT_EQ(tokens.numbers_left(), 3u);
  tokens.go_back(start);
  EXPECT_EQ(tokens.next_vector(4, "q"), Eigen::Vector4d(1, 2.5, -3e-4, 7));
  EXPECT_FALSE(tokens.is_at_end());
  EXPECT_TRUE(tokens.is_at_line_start());
}
