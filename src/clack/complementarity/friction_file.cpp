// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_file.hpp"

#include <Eigen/SparseLU>

#include "clack/complementarity/friction_hdf5.hpp"
#include "clack/index.hpp"
#include "clack/json_input.hpp"

namespace clack {

namespace {

constexpr const char* coulomb_remedy =
    "use 2 (plane: normal, tangent) or 3 (space: normal, two tangents); rolling friction is not "
    "covered";

[[noreturn]] void refuse_dimension(const std::string& dimension, const std::string& where) {
  throw InputError("dimension is " + dimension + ": not a Coulomb problem of dimension 2 or 3",
                   where, coulomb_remedy);
}

std::vector<int> get_indices(const nlohmann::json& W, std::string_view key, int end,
                             const std::string& file) {
  const nlohmann::json& list = get_value(W, key, "W", file);
  const std::string place = json_path("W", key);
  if (!list.is_array())
    throw InputError(place + " is " + json_excerpt(list) + ", must be a list of indices", file,
                     "write [0, 1, ...]");
  std::vector<int> out;
  out.reserve(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    const double value = as_number(list[k], json_path(place, k), file);
    if (value != std::floor(value) || value < 0 || value >= end)
      throw InputError(fmt::format("{} is {}, must be an integer in [0, {}]", json_path(place, k),
                                   json_excerpt(list[k]), end - 1),
                       file, "indices start at 0");
    out.push_back(static_cast<int>(value));
  }
  return out;
}

void require_same_count(std::size_t a, std::size_t b, const char* name, const std::string& file) {
  if (a != b)
    throw InputError(fmt::format("W.i has {} entries but W.{} has {}", a, name, b), file,
                     "lists of one matrix have equal lengths");
}

std::vector<MatrixEntry> dense_entries(const nlohmann::json& W, int n, const std::string& file) {
  const nlohmann::json& rows = get_value(W, "values", "W", file);
  if (!rows.is_array() || number_of(rows) != n)
    throw InputError(
        fmt::format("W.values is {}, must be {} rows of {} numbers", json_excerpt(rows), n, n),
        file, "W is square: one row per component of every contact");
  std::vector<MatrixEntry> out;
  for (int i = 0; i < n; ++i) {
    const Eigen::VectorXd row = as_vector(rows[i], n, json_path("W.values", i), file);
    for (int j = 0; j < n; ++j)
      if (row(j) != 0.0) out.push_back({i, j, row(j)});
  }
  return out;
}

std::vector<MatrixEntry> coo_entries(const nlohmann::json& W, int n, const std::string& file) {
  const auto i = get_indices(W, "i", n, file), j = get_indices(W, "j", n, file);
  require_same_count(i.size(), j.size(), "j", file);
  const Eigen::VectorXd v = get_vector(W, "v", -1, "W", file);
  require_same_count(i.size(), v.size(), "v", file);
  std::vector<MatrixEntry> out;
  out.reserve(i.size());
  for (std::size_t k = 0; k < i.size(); ++k) out.push_back({i[k], j[k], v(k)});
  return out;
}

std::vector<MatrixEntry> block_entries(const nlohmann::json& W, int d, int nc,
                                       const std::string& file) {
  const auto i = get_indices(W, "i", nc, file), j = get_indices(W, "j", nc, file);
  require_same_count(i.size(), j.size(), "j", file);
  const nlohmann::json& values = get_value(W, "values", "W", file);
  if (!values.is_array())
    throw InputError("W.values is " + json_excerpt(values) + ", must be a list of blocks", file,
                     fmt::format("write one list of {} numbers (row-major) per block", d * d));
  require_same_count(i.size(), values.size(), "values", file);
  std::vector<MatrixEntry> out;
  out.reserve(i.size() * d * d);
  for (std::size_t k = 0; k < i.size(); ++k) {
    const Eigen::VectorXd block = as_vector(values[k], d * d, json_path("W.values", k), file);
    for (int e = 0; e < d * d; ++e) out.push_back({d * i[k] + e / d, d * j[k] + e % d, block(e)});
  }
  return out;
}

FrictionProblem friction_from_json(const std::string& text, const std::string& file) {
  constexpr std::array<std::string_view, 7> known = {"dimension", "W",    "q",        "mu",
                                                     "name",      "note", "reference"};
  constexpr std::array<std::string_view, 3> dense_keys = {"format", "values", "n"};
  constexpr std::array<std::string_view, 4> coo_keys = {"format", "i", "j", "v"};
  constexpr std::array<std::string_view, 4> block_keys = {"format", "i", "j", "values"};
  constexpr std::array<std::string_view, 5> all_keys = {"format", "i", "j", "v", "values"};
  const nlohmann::json document = parse_json(text, file);
  check_keys(document, "", known, file);
  const double dimension = get_number(document, "dimension", "", file);
  if (dimension != 2.0 && dimension != 3.0)
    refuse_dimension(json_excerpt(document["dimension"]), file);
  const int d = dimension;
  const Eigen::VectorXd mu = get_vector(document, "mu", -1, "", file);
  const int nc = number_of(mu);
  const Eigen::VectorXd q = get_vector(document, "q", d * nc, "", file);
  const nlohmann::json& W = get_value(document, "W", "", file);
  check_keys(W, "W", all_keys, file);
  const std::string format = get_text(W, "format", "W", file);
  std::vector<MatrixEntry> entries;
  if (format == "dense") {
    check_keys(W, "W", std::span(dense_keys).first(2), file);
    entries = dense_entries(W, d * nc, file);
  } else if (format == "coo") {
    check_keys(W, "W", coo_keys, file);
    entries = coo_entries(W, d * nc, file);
  } else if (format == "block") {
    check_keys(W, "W", block_keys, file);
    entries = block_entries(W, d, nc, file);
  } else {
    throw InputError("W.format is " + printable(format, 40) + ", must be dense, coo or block", file,
                     "choose one of the three");
  }
  return make_friction_problem(d, entries, q, mu);
}

std::vector<MatrixEntry> to_matrix_entries(const SparseEntries& matrix) {
  std::vector<MatrixEntry> out(matrix.v.size());
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = {matrix.i[k], matrix.j[k], matrix.v[k]};
  return out;
}

// Does the header of a sparse or other matrix H (rows = m, cols = d nc) follow? Reads nothing for
// good.
bool is_header_of_H(TokenReader& tokens, int m, int columns) {
  const TokenReader::Mark here = tokens.mark();
  bool fits = tokens.tokens_left() >= 3;
  try {
    fits = fits && tokens.next_integer("storage", 0, 2) >= 0 &&
           tokens.next_integer("rows", m, m) == m &&
           tokens.next_integer("columns", columns, columns) == columns;
  } catch (const InputError&) {
    fits = false;
  }
  tokens.go_back(here);
  return fits;
}

FrictionProblem friction_from_tokens(const std::string& text, const std::string& file) {
  TokenReader tokens(text, file);
  const TokenReader::Mark start = tokens.mark();
  const int d = tokens.next_integer("the dimension (or { of a JSON document)");
  if (d != 2 && d != 3) {
    tokens.go_back(start);
    tokens.fail(fmt::format("dimension is {}: not a Coulomb problem of dimension 2 or 3", d),
                coulomb_remedy);
  }
  const int nc = tokens.next_integer("the number of contacts");
  tokens.require((std::size_t(d) + 1) * nc, fmt::format("a problem of {} contacts (q and mu)", nc));
  const int n = d * nc;
  const SparseEntries first = read_matrix(tokens, "W or M");
  if (first.rows != first.cols)
    tokens.fail(fmt::format("the first matrix is {} x {}, must be square", first.rows, first.cols),
                "W is d nc x d nc; M of a global problem has one row per speed");
  const std::size_t numbers = tokens.numbers_left(), vectors = std::size_t(n) + nc;
  // Four numbers of a sparse header of H can look like q, mu and a flag of one planar contact:
  // words follow them.
  const bool has_listing = numbers == 4 && tokens.tokens_left() > 4 &&
                           is_header_of_H(tokens, first.rows, n) &&
                           text.find("-by-", tokens.mark().offset) != std::string::npos;
  if (first.rows == n && !has_listing && (numbers == vectors || numbers == vectors + 1)) {
    const Eigen::VectorXd q = tokens.next_vector(n, "q"), mu = tokens.next_vector(nc, "mu");
    return make_friction_problem(d, to_matrix_entries(first), q, mu);
  }
  if (!is_header_of_H(tokens, first.rows, n))
    tokens.fail(fmt::format("after the first matrix ({} x {}) {} numbers follow: expected {} (q "
                            "and mu of a local problem of {} "
                            "contacts) or the header of a {} x {} matrix H (global problem)",
                            first.rows, first.cols, numbers, vectors, nc, first.rows, n),
                "the file is cut off or a size in it is wrong");
  GlobalFriction global;
  global.dimension = d;
  global.M = first;
  global.H = read_matrix(tokens, "H");
  global.f = tokens.next_vector(first.rows, "f");
  global.b = tokens.next_vector(n, "b");
  global.mu = tokens.next_vector(nc, "mu");
  return condense(global, file);
}

Eigen::SparseMatrix<double> to_sparse(const SparseEntries& entries) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.v.size());
  for (std::size_t k = 0; k < entries.v.size(); ++k)
    triplets.emplace_back(entries.i[k], entries.j[k], entries.v[k]);
  Eigen::SparseMatrix<double> out(entries.rows, entries.cols);
  out.setFromTriplets(triplets.begin(), triplets.end());
  return out;
}

}  // namespace

FrictionProblem condense(const GlobalFriction& global, const std::string& file) {
  const int m = global.M.rows, n = global.dimension * number_of(global.mu);
  if (global.M.cols != m || global.H.rows != m || global.H.cols != n || global.f.size() != m ||
      global.b.size() != n)
    throw InputError(fmt::format("sizes disagree: M {} x {}, H {} x {}, f {}, b {}, {} contacts", m,
                                 global.M.cols, global.H.rows, global.H.cols, global.f.size(),
                                 global.b.size(), global.mu.size()),
                     file, "M is m x m, H is m x d nc, f has m and b has d nc numbers");
  Eigen::VectorXd q = global.b;
  std::vector<MatrixEntry> entries;
  if (m > 0 && n > 0) {
    const Eigen::SparseMatrix<double> M = to_sparse(global.M), H = to_sparse(global.H);
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
    lu.compute(M);
    const auto refuse = [&] {
      throw InputError("M of the global problem is singular", file,
                       "every speed needs mass: correct M");
    };
    if (lu.info() != Eigen::Success) refuse();
    const Eigen::SparseMatrix<double> X = lu.solve(H);
    const Eigen::SparseMatrix<double> W = H.transpose() * X;
    const Eigen::VectorXd free = lu.solve(global.f);
    if (!free.allFinite()) refuse();
    q += H.transpose() * free;
    for (int column = 0; column < W.outerSize(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(W, column); it; ++it) {
        if (!std::isfinite(it.value())) refuse();
        if (it.value() != 0.0)
          entries.push_back({static_cast<int>(it.row()), static_cast<int>(it.col()), it.value()});
      }
  }
  return make_friction_problem(global.dimension, entries, q, global.mu);
}

FrictionProblem parse_friction(const std::string& text, const std::string& file) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos)
    throw InputError("the file is empty", file, "give {\"dimension\", \"W\", \"q\", \"mu\"}");
  FrictionProblem problem = text[first] == '{' || text[first] == '['
                                ? friction_from_json(text, file)
                                : friction_from_tokens(text, file);
  check_friction_problem(problem, file);
  return problem;
}

FrictionProblem read_friction_file(const std::string& path) {
  const std::string bytes = read_input_file(path);
  if (!is_hdf5(bytes)) return parse_friction(bytes, path);
  FrictionProblem problem = read_friction_hdf5(path);
  check_friction_problem(problem, path);
  return problem;
}

}  // namespace clack
