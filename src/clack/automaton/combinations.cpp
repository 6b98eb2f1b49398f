// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/combinations.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "clack/error.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

using Clauses = std::set<Combination>;  // sets that must not be closed together

CombinationSums product_of(const CombinationSums& a, const CombinationSums& b) {
  return {a.at_1 * b.at_1, a.at_2 * b.at_2, a.at_3 * b.at_3,
          a.at_4 * b.at_4, a.at_6 * b.at_6, a.slope_at_1 * b.at_1 + a.at_1 * b.slope_at_1};
}

CombinationSums sum_of(const CombinationSums& a, const CombinationSums& b) {
  return {a.at_1 + b.at_1, a.at_2 + b.at_2, a.at_3 + b.at_3,
          a.at_4 + b.at_4, a.at_6 + b.at_6, a.slope_at_1 + b.slope_at_1};
}

/// p(x) = 1.
CombinationSums nothing_closed() { return {1, 1, 1, 1, 1, 0}; }

/// p(x) = x q(x): one more contact is closed.
CombinationSums one_more(const CombinationSums& q) {
  return {q.at_1, 2 * q.at_2, 3 * q.at_3, 4 * q.at_4, 6 * q.at_6, q.at_1 + q.slope_at_1};
}

/// p(x) = (1 + x)^count.
CombinationSums free_contacts(std::size_t count) {
  const auto n = static_cast<unsigned>(count);
  const NaturalNumber slope =
      count == 0 ? NaturalNumber(0) : NaturalNumber(count) * power(2, n - 1);
  return {power(2, n), power(3, n), power(4, n), power(5, n), power(7, n), slope};
}

std::set<int> members_of(const Clauses& clauses) {
  std::set<int> members;
  for (const Combination& clause : clauses) members.insert(clause.begin(), clause.end());
  return members;
}

/// A clause that contains another one says nothing new.
Clauses without_implied(const Clauses& clauses) {
  std::set<int> never_closed;  // clauses of one contact; the only frequent case
  for (const Combination& clause : clauses)
    if (clause.size() == 1) never_closed.insert(clause.front());
  Clauses open, kept;
  for (const Combination& clause : clauses)
    if (clause.size() == 1 || std::none_of(clause.begin(), clause.end(),
                                           [&](int c) { return never_closed.count(c) > 0; }))
      open.insert(clause);
  for (const Combination& clause : open)
    if (std::none_of(open.begin(), open.end(),
                     [&](const Combination& other) { return is_strict_subset(other, clause); }))
      kept.insert(clause);
  return kept;
}

/// Clauses that share contacts, directly or through others, belong together.
std::vector<Clauses> independent_groups(const Clauses& clauses) {
  std::map<int, int> parent;
  const auto root = [&parent](int c) {
    while (parent.at(c) != c) c = parent[c] = parent.at(parent.at(c));
    return c;
  };
  for (const Combination& clause : clauses)
    for (const int c : clause) {
      parent.try_emplace(c, c);
      parent[root(c)] = root(clause.front());
    }
  std::map<int, Clauses> groups;
  for (const Combination& clause : clauses) {
    Clauses& group = groups[root(clause.front())];
    group.insert(group.end(), clause);
  }
  std::vector<Clauses> result;
  for (auto& [first, group] : groups) result.push_back(std::move(group));
  return result;
}

class CombinationCounter {
 public:
  explicit CombinationCounter(long branch_limit) : branches_left_(branch_limit) {}

  /// p(x) over the members of the clauses.
  CombinationSums count(const Clauses& clauses) {
    CombinationSums result = nothing_closed();
    for (const Clauses& group : independent_groups(clauses))
      result = product_of(result, count_group(group));
    return result;
  }

 private:
  CombinationSums count_group(const Clauses& clauses) {
    if (const auto known = known_.find(clauses); known != known_.end()) return known->second;
    if (--branches_left_ < 0)
      throw NoAnswer("the exclusive sets are too entangled to count the contact combinations", "",
                     "use fewer or smaller exclusive sets, or clack automaton --visited");
    const std::set<int> members = members_of(clauses);
    const int contact = most_entangled(clauses);
    // 1. open: its clauses hold, the other members stay.  2. closed: its clauses lose it; a clause
    // without members is violated.
    Clauses if_open, if_closed;
    bool can_close = true;
    for (const Combination& clause : clauses) {
      if (!std::binary_search(clause.begin(), clause.end(), contact)) {
        if_open.insert(clause);
        if_closed.insert(clause);
        continue;
      }
      Combination rest = clause;
      std::erase(rest, contact);
      can_close = can_close && !rest.empty();
      if_closed.insert(rest);
    }
    const std::size_t others = members.size() - 1;
    CombinationSums result = count_among(if_open, others);
    if (can_close)
      result = sum_of(result, one_more(count_among(without_implied(if_closed), others)));
    known_.emplace(clauses, result);
    return result;
  }

  CombinationSums count_among(const Clauses& clauses, std::size_t contacts) {
    return product_of(count(clauses), free_contacts(contacts - members_of(clauses).size()));
  }

  static int most_entangled(const Clauses& clauses) {
    std::map<int, int> uses;
    for (const Combination& clause : clauses)
      for (const int c : clause) ++uses[c];
    return std::max_element(uses.begin(), uses.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }

  long branches_left_;
  std::map<Clauses, CombinationSums> known_;
};

}  // namespace

bool is_strict_subset(const Combination& small, const Combination& large) {
  return small.size() < large.size() &&
         std::includes(large.begin(), large.end(), small.begin(), small.end());
}

bool is_allowed(const ContactList& list, const Combination& closed) {
  return std::none_of(list.exclusive.begin(), list.exclusive.end(),
                      [&](const std::vector<int>& set) {
                        return std::all_of(set.begin(), set.end(), [&](int c) {
                          return std::binary_search(closed.begin(), closed.end(), c);
                        });
                      });
}

CombinationSums sum_combinations(const ContactList& list, long branch_limit) {
  Clauses clauses;
  for (Combination set : list.exclusive) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    clauses.insert(std::move(set));
  }
  clauses = without_implied(clauses);
  return product_of(CombinationCounter(branch_limit).count(clauses),
                    free_contacts(list.contacts.size() - members_of(clauses).size()));
}

std::vector<Combination> list_combinations(const ContactList& list) {
  std::vector<Combination> all = {{}};
  const int contacts = number_of(list.contacts);
  Combination closed;
  const std::function<void(int)> extend = [&](int first) {
    for (int c = first; c < contacts; ++c) {
      closed.push_back(c);
      if (is_allowed(list, closed)) {
        all.push_back(closed);
        extend(c + 1);
      }
      closed.pop_back();
    }
  };
  extend(0);
  std::sort(all.begin(), all.end(), [](const Combination& a, const Combination& b) {
    const auto span = [](const Combination& set) {
      return set.empty() ? 0 : set.back() - set.front();
    };
    if (a.size() != b.size()) return a.size() < b.size();
    return span(a) != span(b) ? span(a) < span(b) : a < b;
  });
  return all;
}

}  // namespace clack
