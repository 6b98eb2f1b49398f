// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/lcp_file.hpp"

#include "clack/complementarity/matrix_text.hpp"
#include "clack/json_input.hpp"

namespace clack {

namespace {

Lcp lcp_from_json(const std::string& text, const std::string& file) {
  constexpr std::array<std::string_view, 5> known = {"M", "q", "name", "note", "reference"};
  const nlohmann::json document = parse_json(text, file);
  check_keys(document, "", known, file);
  Lcp problem;
  problem.q = get_vector(document, "q", -1, "", file);
  problem.M = get_matrix(document, "M", problem.q.size(), problem.q.size(), "", file);
  return problem;
}

/// n, M row by row, q: as a person writes it. The field's files say more between n and the entries of M.
Lcp lcp_from_plain_tokens(TokenReader& tokens, int n) {
  Lcp problem;
  problem.M.resize(n, n);
  for (int i = 0; i < n; ++i) problem.M.row(i) = tokens.next_vector(n, "M").transpose();
  problem.q = tokens.next_vector(n, "q");
  return problem;
}

Lcp lcp_from_tokens(const std::string& text, const std::string& file) {
  TokenReader tokens(text, file);
  const int n = tokens.next_integer("the number of unknowns n (or { of a JSON document)");
  const auto plain =
      static_cast<std::size_t>(n) * static_cast<std::size_t>(n) + static_cast<std::size_t>(n);
  if (n > 0 && static_cast<long long>(n) * n <= largest_lcp_entries &&
      tokens.numbers_left() == plain)
    return lcp_from_plain_tokens(tokens, n);
  tokens.require(n, "q");
  const SparseEntries entries = read_matrix(tokens, "M");
  if (entries.rows != n || entries.cols != n)
    tokens.fail(fmt::format("M is {} x {}, must be {} x {}", entries.rows, entries.cols, n, n),
                "the first number of the file is the size of the problem");
  Lcp problem;
  problem.q = tokens.next_vector(n, "q");
  if (static_cast<long long>(n) * n > largest_lcp_entries)
    tokens.fail(fmt::format("n = {} is too large for a dense method", n),
                "split the problem into independent parts");
  problem.M = to_dense(entries);
  return problem;
}

}  // namespace

Lcp parse_lcp(const std::string& text, const std::string& file) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos)
    throw InputError("the file is empty", file, "give {\"M\": [[...]], \"q\": [...]}");
  return text[first] == '{' || text[first] == '[' ? lcp_from_json(text, file)
                                                  : lcp_from_tokens(text, file);
}

Lcp read_lcp_file(const std::string& path) { return parse_lcp(read_input_file(path), path); }

}  // namespace clack
