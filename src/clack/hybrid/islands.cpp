// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/islands.hpp"

#include <algorithm>
#include <numeric>

#include "clack/index.hpp"

namespace clack {

Islands::Islands(const Snapshot& s) : parent_(s.speeds()) {
  std::iota(parent_.begin(), parent_.end(), 0);
  const int n = s.speeds(), k = s.tangents();
  for (int i = 0; i < n; ++i)
    for (int j = s.mass_begin(i); j < i; ++j)
      if (s.mass()[i * n + j] != 0.0) parent_[root(i)] = root(j);
  for (int b = 0; b < s.constraint_rows(); ++b) join(s.data() + s.at_constraint() + b * n, n);
  const int rows = s.contacts() * (1 + k);  // normals, then tangents
  for (int r = 0; r < rows; ++r) join(s.data() + s.at_normal() + r * n, n);
  for (int i = 0; i < s.contacts(); ++i) {  // the tangents of a contact belong to its normal
    int island = -1;
    const auto visit = [&](const double* row) {
      for (int j = 0; j < n; ++j) {
        if (row[j] == 0.0) continue;
        if (island >= 0) parent_[root(j)] = root(island);
        island = root(j);
        return;
      }
    };
    visit(s.data() + s.at_normal() + i * n);
    for (int a = 0; a < k; ++a) visit(s.data() + s.at_tangent() + (i * k + a) * n);
    contact_.push_back(island);
  }
  for (int& island : contact_)
    if (island >= 0) island = root(island);
}

int Islands::root(int speed) {
  while (parent_[speed] != speed) speed = parent_[speed] = parent_[parent_[speed]];
  return speed;
}

/// All speeds that a row acts on are one island.
void Islands::join(const double* row, int size) {
  int first = -1;
  for (int j = 0; j < size; ++j) {
    if (row[j] == 0.0) continue;
    if (first >= 0) parent_[root(j)] = root(first);
    first = first < 0 ? j : first;
  }
}

std::vector<int> Islands::islands_of(const std::vector<int>& locals) const {
  std::vector<int> islands;
  for (const int local : locals) islands.push_back(of_contact(local));
  std::sort(islands.begin(), islands.end());
  return islands;
}

std::vector<int> Islands::contacts_with(const std::vector<int>& locals) const {
  const std::vector<int> islands = islands_of(locals);
  std::vector<int> contacts;
  for (int i = 0; i < number_of(contact_); ++i)
    if (std::binary_search(islands.begin(), islands.end(), of_contact(i))) contacts.push_back(i);
  return contacts;
}

std::vector<int> Islands::speeds_with(const std::vector<int>& locals) const {
  const std::vector<int> islands = islands_of(locals);
  std::vector<int> speeds;
  for (int j = 0; j < number_of(parent_); ++j) {
    int island = j;
    while (parent_[island] != island) island = parent_[island];
    if (std::binary_search(islands.begin(), islands.end(), island)) speeds.push_back(j);
  }
  return speeds;
}

}  // namespace clack
