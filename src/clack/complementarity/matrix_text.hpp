// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

namespace clack {

/// Whitespace-separated tokens of a text file with their places. Every mistake throws InputError
/// with FILE:LINE:COLUMN and what was expected there.
class TokenReader {
 public:
  TokenReader(std::string text, std::string file);

  const std::string& file() const { return file_; }
  bool is_at_end() const { return tokens_left_ == 0; }

  /// The number of tokens that follow: what a header asks for is compared with it before anything
  /// is allocated.
  std::size_t tokens_left() const { return tokens_left_; }
  /// How many of the next tokens are numbers, up to the first that is none (words at the end of a
  /// file).
  std::size_t numbers_left() const;

  /// The next token without consuming it; empty at the end.
  std::string_view peek() const;
  std::string_view next_word(std::string_view expected);
  /// Consumes the token that must be there.
  void expect_word(std::string_view word);
  /// An integer in [lowest, highest].
  int next_integer(std::string_view expected, int lowest = 0, int highest = 2147483647);
  double next_number(std::string_view expected);
  Eigen::VectorXd next_vector(Eigen::Index size, std::string_view name);

  /// Fails unless at least `count` tokens follow; `part` is the thing that needs them.
  void require(std::size_t count, std::string_view part) const;
  /// Throws InputError at the next token (or at the end).
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;

  /// A place to come back to.
  struct Mark {
    std::size_t offset, tokens_left;
  };
  Mark mark() const { return {offset_, tokens_left_}; }
  void go_back(Mark mark);
  /// Is the next token the first of its line?
  bool is_at_line_start() const;

 private:
  void skip_blanks();

  std::string text_, file_;
  std::size_t offset_ = 0;  // first byte of the next token
  std::size_t tokens_left_ = 0;
};

/// A matrix as a list of entries; a place that appears several times is the sum of its entries.
struct SparseEntries {
  int rows = 0, cols = 0;
  std::vector<int> i, j;
  std::vector<double> v;
};

/// A matrix of the field's text files: `storage rows cols`, then dense (0, column-major), block (1)
/// or sparse listing (2: triplets, or one listing per column). Zeros of dense matrices and blocks
/// are not kept. Sizes are checked against the tokens of the file before memory is taken; `name` is
/// used in messages.
SparseEntries read_matrix(TokenReader& tokens, std::string_view name = "M");

Eigen::MatrixXd to_dense(const SparseEntries& entries);

}  // namespace clack
