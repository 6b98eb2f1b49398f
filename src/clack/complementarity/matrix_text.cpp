// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/matrix_text.hpp"

#include <charconv>
#include <cstdlib>

#include "clack/error.hpp"
#include "clack/input_file.hpp"

namespace clack {

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// A whole token as a number; nothing when it is none. Infinities and NaN are numbers here.
std::optional<double> parse_number(std::string_view token) {
  if (token.size() > 1 && token[0] == '+') token.remove_prefix(1);
  double number = 0.0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), number);
  if (end != token.data() + token.size() || problem == std::errc::invalid_argument) return {};
  if (problem == std::errc::result_out_of_range)
    return std::strtod(std::string(token).c_str(), nullptr);  // 0 or infinite
  return number;
}

}  // namespace

TokenReader::TokenReader(std::string text, std::string file)
    : text_(std::move(text)), file_(std::move(file)) {
  bool was_blank = true;
  for (const char c : text_) {
    const bool blank = is_blank(c);
    if (was_blank && !blank) ++tokens_left_;
    was_blank = blank;
  }
  skip_blanks();
}

void TokenReader::skip_blanks() {
  while (offset_ < text_.size() && is_blank(text_[offset_])) ++offset_;
}

std::string_view TokenReader::peek() const {
  std::size_t end = offset_;
  while (end < text_.size() && !is_blank(text_[end])) ++end;
  return std::string_view(text_).substr(offset_, end - offset_);
}

void TokenReader::go_back(Mark mark) {
  offset_ = mark.offset;
  tokens_left_ = mark.tokens_left;
}

bool TokenReader::is_at_line_start() const {
  std::size_t k = offset_;
  while (k > 0 && is_blank(text_[k - 1]))
    if (text_[--k] == '\n') return true;
  return k == 0;
}

std::size_t TokenReader::numbers_left() const {
  std::size_t count = 0, k = offset_;
  while (k < text_.size()) {
    std::size_t end = k;
    while (end < text_.size() && !is_blank(text_[end])) ++end;
    if (!parse_number(std::string_view(text_).substr(k, end - k))) break;
    ++count;
    k = end;
    while (k < text_.size() && is_blank(text_[k])) ++k;
  }
  return count;
}

void TokenReader::fail(const std::string& what, const std::string& remedy) const {
  throw InputError(what, file_ + ":" + line_and_column(text_, offset_), remedy);
}

void TokenReader::require(std::size_t count, std::string_view part) const {
  if (count <= tokens_left_) return;
  fail(fmt::format("{} needs {} more entries, but the file ends after {}", part, count,
                   tokens_left_),
       "the file is cut off or a size in it is wrong");
}

std::string_view TokenReader::next_word(std::string_view expected) {
  if (is_at_end())
    fail(fmt::format("the file ends where {} is expected", expected),
         "the file is cut off or a size in it is wrong");
  const std::string_view token = peek();
  offset_ += token.size();
  --tokens_left_;
  skip_blanks();
  return token;
}

void TokenReader::expect_word(std::string_view word) {
  if (peek() != word)
    fail(fmt::format("'{}' stands where '{}' is expected", printable(peek(), 40), word),
         "compare with the format of sparse listings");
  next_word(word);
}

int TokenReader::next_integer(std::string_view expected, int lowest, int highest) {
  const Mark start = mark();
  const std::string_view token = next_word(expected);
  int value = 0;
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size(), value);
  const bool is_whole = end == token.data() + token.size();
  if (is_whole && problem == std::errc() && value >= lowest && value <= highest) return value;
  go_back(start);
  if (is_whole && (problem == std::errc::result_out_of_range || problem == std::errc()))
    fail(fmt::format("{} is {}, must be in [{}, {}]", expected, printable(token, 40), lowest,
                     highest),
         "check the sizes in the file");
  fail(fmt::format("'{}' stands where {} (an integer) is expected", printable(token, 40), expected),
       "check the format and the counts before this place");
}

double TokenReader::next_number(std::string_view expected) {
  const Mark start = mark();
  const std::string_view token = next_word(expected);
  const std::optional<double> number = parse_number(token);
  if (number && std::isfinite(*number)) return *number;
  go_back(start);
  if (number)
    fail(fmt::format("{} is {}, must be finite", expected, printable(token, 40)),
         "replace it by a finite number");
  fail(fmt::format("'{}' stands where {} (a number) is expected", printable(token, 40), expected),
       "check the format and the counts before this place");
}

Eigen::VectorXd TokenReader::next_vector(Eigen::Index size, std::string_view name) {
  require(static_cast<std::size_t>(size), name);
  Eigen::VectorXd vector(size);
  const std::string entry = fmt::format("an entry of {}", name);
  for (Eigen::Index k = 0; k < size; ++k) vector[k] = next_number(entry);
  return vector;
}

namespace {

void add_entry(SparseEntries& entries, int i, int j, double value) {
  if (value == 0.0) return;
  entries.i.push_back(i);
  entries.j.push_back(j);
  entries.v.push_back(value);
}

/// `rows cols` again, then the values column by column.
void read_dense(TokenReader& tokens, std::string_view name, SparseEntries& entries) {
  tokens.next_integer(fmt::format("the number of rows of {} again", name), entries.rows,
                      entries.rows);
  tokens.next_integer(fmt::format("the number of columns of {} again", name), entries.cols,
                      entries.cols);
  tokens.require(static_cast<std::size_t>(entries.rows) * static_cast<std::size_t>(entries.cols),
                 fmt::format("dense matrix {} ({} x {})", name, entries.rows, entries.cols));
  const std::string expected = fmt::format("an entry of {}", name);
  for (int j = 0; j < entries.cols; ++j)
    for (int i = 0; i < entries.rows; ++i) add_entry(entries, i, j, tokens.next_number(expected));
}

/// Cumulative ends of the blocks: rising, the last one is the size of the matrix.
std::vector<int> read_block_ends(TokenReader& tokens, int count, int size, std::string_view name) {
  tokens.require(static_cast<std::size_t>(count), name);
  std::vector<int> ends(static_cast<std::size_t>(count));
  int last = 0;
  for (std::size_t k = 0; k < ends.size(); ++k) {
    const bool is_last = k + 1 == ends.size();
    last = ends[k] = tokens.next_integer(name, is_last ? std::max(size, last) : last, size);
  }
  if (count == 0 && size != 0)
    tokens.fail(fmt::format("there are no {} but the matrix has size {}", name, size),
                "give the block sizes");
  return ends;
}

/// Blocks by block rows (row pointers, block-column indices); each block has its number and its
/// values column by column.
void read_blocks(TokenReader& tokens, std::string_view name, SparseEntries& entries) {
  const int blocks = tokens.next_integer(fmt::format("the number of blocks of {}", name));
  const int block_rows = tokens.next_integer(fmt::format("the number of block rows of {}", name));
  const int block_cols =
      tokens.next_integer(fmt::format("the number of block columns of {}", name));
  const auto row_ends = read_block_ends(tokens, block_rows, entries.rows,
                                        fmt::format("row ends of the blocks of {}", name));
  const auto col_ends = read_block_ends(tokens, block_cols, entries.cols,
                                        fmt::format("column ends of the blocks of {}", name));
  tokens.next_integer("the number of row pointers", block_rows + 1, block_rows + 1);
  tokens.next_integer("the number of blocks again", blocks, blocks);
  tokens.require(static_cast<std::size_t>(block_rows) + 1, "the list of row pointers");
  std::vector<int> pointers(static_cast<std::size_t>(block_rows) + 1);
  int last = 0;
  for (int& pointer : pointers)
    last = pointer = tokens.next_integer("a row pointer of the blocks", last, blocks);
  if (pointers.front() != 0 || pointers.back() != blocks)
    tokens.fail(fmt::format("the row pointers of {} run from {} to {}, must run from 0 to {}", name,
                            pointers.front(), pointers.back(), blocks),
                "check the block structure");
  tokens.require(static_cast<std::size_t>(blocks), "the list of block columns");
  std::vector<int> columns(static_cast<std::size_t>(blocks));
  for (int& column : columns)
    column = tokens.next_integer("a block column", 0, std::max(0, block_cols - 1));
  const std::string expected = fmt::format("an entry of {}", name);
  for (int row = 0; row < block_rows; ++row) {
    const int top = row > 0 ? row_ends[row - 1] : 0;
    for (int k = pointers[row]; k < pointers[row + 1]; ++k) {
      tokens.next_integer(fmt::format("the number of block {} of {}", k, name), k, k);
      const int left = columns[k] > 0 ? col_ends[columns[k] - 1] : 0;
      const int height = row_ends[row] - top, width = col_ends[columns[k]] - left;
      tokens.require(static_cast<std::size_t>(height) * static_cast<std::size_t>(width),
                     fmt::format("block {} of {}", k, name));
      for (int j = 0; j < width; ++j)
        for (int i = 0; i < height; ++i)
          add_entry(entries, top + i, left + j, tokens.next_number(expected));
    }
  }
}

/// "4-by-5," as two sizes.
std::optional<std::pair<int, int>> parse_sizes(std::string_view token) {
  if (!token.empty() && token.back() == ',') token.remove_suffix(1);
  const auto middle = token.find("-by-");
  if (middle == std::string_view::npos) return {};
  const auto parse = [](std::string_view digits) -> std::optional<int> {
    int value = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || end != digits.data() + digits.size() || problem != std::errc()) return {};
    return value;
  };
  const auto rows = parse(token.substr(0, middle)), cols = parse(token.substr(middle + 4));
  if (!rows || !cols) return {};
  return std::pair{*rows, *cols};
}

/// Skips free text up to the line with the sizes and checks them; true: the listing is one of
/// triplets.
bool find_listing(TokenReader& tokens, std::string_view name, const SparseEntries& entries) {
  const TokenReader::Mark start = tokens.mark();
  while (!tokens.is_at_end()) {
    bool is_triplet = false;
    const bool is_line_start = tokens.is_at_line_start();
    if (is_line_start && tokens.peek() == "triplet:") {
      tokens.next_word("triplet:");
      is_triplet = true;
    }
    const auto sizes = parse_sizes(tokens.peek());
    if (!is_line_start || !sizes) {
      if (!is_triplet) tokens.next_word("the sizes of a sparse listing");
      continue;
    }
    if (sizes->first != entries.rows || sizes->second != entries.cols)
      tokens.fail(fmt::format("the listing of {} is {} x {}, its header says {} x {}", name,
                              sizes->first, sizes->second, entries.rows, entries.cols),
                  "make the two agree");
    tokens.next_word("sizes");
    return is_triplet;
  }
  tokens.go_back(start);
  tokens.fail(
      fmt::format("no line with the sizes of the sparse matrix {} follows", name),
      fmt::format("a listing starts with {}-by-{}, nzmax: a nnz: n", entries.rows, entries.cols));
}

int read_entry_count(TokenReader& tokens) {
  tokens.expect_word("nzmax:");
  tokens.next_integer("nzmax");
  tokens.expect_word("nnz:");
  const std::string_view token = tokens.peek();
  if (token.empty() || token.back() != ',') return tokens.next_integer("the number of entries");
  int count = 0;  // "14," before the 1-norm
  const auto [end, problem] = std::from_chars(token.data(), token.data() + token.size() - 1, count);
  if (end != token.data() + token.size() - 1 || problem != std::errc() || count < 0)
    tokens.fail(
        fmt::format("'{}' stands where the number of entries is expected", printable(token, 40)),
        "check the format of the sparse listing");
  tokens.next_word("the number of entries");
  return count;
}

void read_triplets(TokenReader& tokens, std::string_view name, int count, SparseEntries& entries) {
  tokens.require(4 * static_cast<std::size_t>(count), fmt::format("the triplets of {}", name));
  for (int k = 0; k < count; ++k) {
    const int i = tokens.next_integer("a row index", 0, entries.rows - 1);
    const int j = tokens.next_integer("a column index", 0, entries.cols - 1);
    tokens.expect_word(":");
    add_entry(entries, i, j, tokens.next_number(fmt::format("an entry of {}", name)));
  }
}

/// `col j : locations p to q`, then q - p + 1 lines `i : x`.
void read_columns(TokenReader& tokens, std::string_view name, int count, SparseEntries& entries) {
  tokens.require(3 * static_cast<std::size_t>(count),
                 fmt::format("the entries of {} ({} of them)", name, count));
  int read = 0;
  while (tokens.peek() == "col") {
    tokens.expect_word("col");
    const int j = tokens.next_integer("a column index", 0, entries.cols - 1);
    tokens.expect_word(":");
    tokens.expect_word("locations");
    const int first = tokens.next_integer("the first location", read, read);
    tokens.expect_word("to");
    const int last = tokens.next_integer("the last location", first - 1, count - 1);
    for (; read <= last; ++read) {
      const int i = tokens.next_integer("a row index", 0, entries.rows - 1);
      tokens.expect_word(":");
      add_entry(entries, i, j, tokens.next_number(fmt::format("an entry of {}", name)));
    }
  }
  if (read != count)
    tokens.fail(
        fmt::format("the listing of {} has {} entries, its header says {}", name, read, count),
        "the listing is cut off or its header is wrong");
}

void read_listing(TokenReader& tokens, std::string_view name, SparseEntries& entries) {
  tokens.next_integer("the origin of a sparse matrix (1, 2 or 3)", 1, 3);
  const bool is_triplet = find_listing(tokens, name, entries);
  const int count = read_entry_count(tokens);
  if (tokens.peek() == "1-norm:") {
    tokens.next_word("1-norm:");
    tokens.next_word("the 1-norm");
  }
  if (is_triplet)
    read_triplets(tokens, name, count, entries);
  else
    read_columns(tokens, name, count, entries);
}

}  // namespace

SparseEntries read_matrix(TokenReader& tokens, std::string_view name) {
  const int storage = tokens.next_integer(
      fmt::format("the storage of {} (0 dense, 1 blocks, 2 sparse)", name), 0, 2);
  SparseEntries entries;
  entries.rows = tokens.next_integer(fmt::format("the number of rows of {}", name));
  entries.cols = tokens.next_integer(fmt::format("the number of columns of {}", name));
  if (storage == 0) read_dense(tokens, name, entries);
  if (storage == 1) read_blocks(tokens, name, entries);
  if (storage == 2) read_listing(tokens, name, entries);
  return entries;
}

Eigen::MatrixXd to_dense(const SparseEntries& entries) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(entries.rows, entries.cols);
  for (std::size_t k = 0; k < entries.v.size(); ++k)
    matrix(entries.i[k], entries.j[k]) += entries.v[k];
  return matrix;
}

}  // namespace clack
