// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/friction_islands.hpp"

#include <numeric>

#include "clack/index.hpp"

namespace clack {

namespace {

int root_of(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

std::vector<std::vector<int>> friction_islands(const FrictionProblem& p) {
  const int nc = p.contacts(), square = p.dimension * p.dimension;
  std::vector<int> parent(nc);
  std::iota(parent.begin(), parent.end(), 0);
  for (int i = 0; i < nc; ++i)
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k) {
      const double* block = p.values.data() + std::size_t(k) * square;
      if (p.column[k] == i || std::all_of(block, block + square, [](double x) { return x == 0.0; }))
        continue;
      const int a = root_of(parent, i), b = root_of(parent, p.column[k]);
      parent[std::max(a, b)] = std::min(a, b);  // the root is the first contact of the island
    }
  std::vector<std::vector<int>> islands;
  std::vector<int> number(nc, -1);
  for (int i = 0; i < nc; ++i) {
    const int root = root_of(parent, i);
    if (number[root] < 0) {
      number[root] = number_of(islands);
      islands.emplace_back();
    }
    islands[number[root]].push_back(i);
  }
  return islands;
}

FrictionProblem sub_problem(const FrictionProblem& p, const std::vector<int>& contacts) {
  const int d = p.dimension, square = d * d;
  std::vector<int> place(p.contacts(), -1);
  for (std::size_t k = 0; k < contacts.size(); ++k) place[contacts[k]] = k;
  FrictionProblem out;
  out.dimension = d;
  out.q = gather(p.q, contacts, d);
  out.mu = gather(p.mu, contacts, 1);
  if (p.dynamic_mu.size() > 0) out.dynamic_mu = gather(p.dynamic_mu, contacts, 1);
  if (p.offset.size() > 0) out.offset = gather(p.offset, contacts, 1);
  if (p.direction.size() > 0) out.direction = gather(p.direction, contacts, d - 1);
  out.scale = p.scale;
  std::vector<std::pair<int, int>> row;  // new column, old block
  for (const int i : contacts) {
    row.clear();
    for (int k = p.row_start[i]; k < p.row_start[i + 1]; ++k)
      if (place[p.column[k]] >= 0) row.emplace_back(place[p.column[k]], k);
    std::sort(row.begin(), row.end());
    for (const auto& [column, block] : row) {
      out.column.push_back(column);
      out.values.insert(out.values.end(), p.values.begin() + std::ptrdiff_t(block) * square,
                        p.values.begin() + std::ptrdiff_t(block + 1) * square);
    }
    out.row_start.push_back(number_of(out.column));
  }
  return out;
}

Eigen::VectorXd gather(const Eigen::Ref<const Eigen::VectorXd>& vector,
                       const std::vector<int>& contacts, int d) {
  Eigen::VectorXd out(d * number_of(contacts));
  for (std::size_t k = 0; k < contacts.size(); ++k)
    out.segment(d * k, d) = vector.segment(d * contacts[k], d);
  return out;
}

void scatter(const Eigen::Ref<const Eigen::VectorXd>& part, const std::vector<int>& contacts, int d,
             Eigen::VectorXd& whole) {
  for (std::size_t k = 0; k < contacts.size(); ++k)
    whole.segment(d * contacts[k], d) = part.segment(d * k, d);
}

}  // namespace clack
