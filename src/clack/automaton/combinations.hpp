// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/automaton/natural_number.hpp"

namespace clack {

/// The contacts of an automaton and the sets of them that geometry never closes together.
struct ContactList {
  std::vector<std::string> entities;  // bodies, or coordinates where a model has no bodies
  std::vector<std::string> contacts;  // P names
  std::vector<std::vector<int>>
      exclusive;  // a combination that contains one of these does not exist
};

/// Closed contacts, ascending.
using Combination = std::vector<int>;

bool is_strict_subset(const Combination& small, const Combination& large);
bool is_allowed(const ContactList& list, const Combination& closed);

/// Sums over all allowed combinations, n_N of them with N closed contacts:  p(x) = sum_N n_N x^N.
/// Without exclusive sets p(x) = (1 + x)^P. Every size of the automaton is a combination of these
/// numbers, because each subset of an allowed combination is allowed.
struct CombinationSums {
  NaturalNumber at_1, at_2, at_3, at_4, at_6;  // p(1), p(2), ...
  NaturalNumber slope_at_1;                    // p'(1) = sum of N
};

/// Exact, without listing: branches on the most entangled contact, splits into independent groups,
/// remembers groups that recur. Throws NoAnswer when the exclusive sets are too entangled (more
/// than `branch_limit` branches).
CombinationSums sum_combinations(const ContactList& list, long branch_limit = 300'000);

/// All allowed combinations: by size, then by the distance between first and last contact, then by
/// contact. For three contacts this is Table 1 of P0. The caller has checked that there are not too
/// many.
std::vector<Combination> list_combinations(const ContactList& list);

}  // namespace clack
