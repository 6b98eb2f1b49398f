// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/mode_programs.hpp"

#include <algorithm>
#include <functional>

#include "clack/index.hpp"
#include "clack/mechanism/mechanism.hpp"

namespace clack {
namespace {

using Pattern = std::vector<std::vector<bool>>;

/// A row finds a speed of its own among `allowed`; rows that hold one may have to look for another (augmenting path).
bool finds_speed(const Pattern& pattern, const std::vector<int>& allowed, int row,
                 std::vector<bool>& is_asked, std::vector<int>& row_of) {
  for (const int speed : allowed) {
    if (!pattern[row][speed] || is_asked[speed]) continue;
    is_asked[speed] = true;
    if (row_of[speed] >= 0 && !finds_speed(pattern, allowed, row_of[speed], is_asked, row_of))
      continue;
    row_of[speed] = row;
    return true;
  }
  return false;
}

/// Whether every row can have a speed of its own.
bool is_structurally_regular(const Pattern& pattern, const std::vector<int>& allowed, int speeds) {
  std::vector<int> row_of(speeds, -1);
  for (int row = 0; row < number_of(pattern); ++row) {
    std::vector<bool> is_asked(speeds, false);
    if (!finds_speed(pattern, allowed, row, is_asked, row_of)) return false;
  }
  return true;
}

Elimination choice_of(const std::vector<int>& dependent, int rows, int speeds) {
  Elimination choice;
  for (int r = 0; r < rows; ++r) choice.rows.push_back(r);
  choice.dependent = dependent;
  for (int j = 0; j < speeds; ++j)
    if (!std::ranges::binary_search(dependent, j)) choice.independent.push_back(j);
  return choice;
}

}  // namespace

FormulaSelection Mechanism::formula_selection(const RowSelection& rows) const {
  FormulaSelection formulas{{}, rows.constraints};
  for (const ContactKey& key : rows.contacts)
    if (rows_.has_contact(key.source)) formulas.sources.push_back(key.source);
  return formulas;
}

bool Mechanism::has_embedded_formulas(const RowSelection& rows) const {
  if (!equations_ || switching_.count() > 0) return false;  // branches are no inputs of theirs
  return std::ranges::all_of(rows.contacts,
                             [&](const ContactKey& key) { return rows_.has_contact(key.source); });
}

std::shared_ptr<EmbeddedProgram> Mechanism::embedded(const RowSelection& rows,
                                                     const std::vector<bool>& is_stick,
                                                     const Elimination& order) {
  if (!has_embedded_formulas(rows)) return nullptr;
  const Elimination set = without_order(order);
  std::shared_ptr<EmbeddedProgram> program = embedded_.get({rows, is_stick, set}, [&] {
    return rows_.embedded(formula_selection(rows), is_stick, set);
  });
  program->set_signals(held_);
  return program;
}

/// Subsets of the speeds in lexicographic order, each with a matching of rows and speeds.
std::vector<Elimination> Mechanism::possible_choices(const RowSelection& rows,
                                                     const std::vector<bool>& is_stick,
                                                     std::size_t limit) const {
  std::vector<Elimination> choices;
  if (!has_embedded_formulas(rows)) return choices;
  const Pattern pattern = rows_.pattern(formula_selection(rows), is_stick);
  const int count = number_of(pattern), n = speeds_;
  std::vector<int> dependent;
  const std::function<void(int)> extend = [&](int first) {
    if (choices.size() >= limit) return;
    if (number_of(dependent) == count) {
      if (is_structurally_regular(pattern, dependent, n))
        choices.push_back(choice_of(dependent, count, n));
      return;
    }
    for (int j = first; j <= n - (count - number_of(dependent)); ++j) {
      dependent.push_back(j);
      extend(j + 1);
      dependent.pop_back();
    }
  };
  std::vector<int> all;
  for (int j = 0; j < n; ++j) all.push_back(j);
  if (count > 0 && count <= n && is_structurally_regular(pattern, all, n)) extend(0);
  return choices;
}

void Mechanism::build(const ModePlan& plan, ModePrograms& programs) {
  const FormulaSelection formulas = formula_selection(plan.rows);
  if (equations_ || !formulas.sources.empty() || !formulas.constraints.empty())
    programs.rows.emplace(formulas, rows_.compiled(formulas));
  for (const Elimination& choice : plan.choices)
    if (auto program = embedded(plan.rows, plan.is_stick, choice))
      programs.embedded.emplace(EmbeddedKey{plan.rows, plan.is_stick, without_order(choice)},
                                std::move(program));
}

void Mechanism::take(const ModePrograms& programs) {
  keep_programs(rows_.kept_programs() + embedded_.size() + programs.rows.size() +
                programs.embedded.size());
  for (const auto& [selection, rows] : programs.rows) rows_.take(selection, rows);
  for (const auto& [key, program] : programs.embedded) embedded_.put(key, program);
}

void Mechanism::keep_programs(std::size_t count) {
  rows_.keep(count);
  embedded_.raise_bound(count);
}

bool Mechanism::is_built(const RowSelection& rows, const std::vector<bool>& is_stick,
                         const Elimination& order) const {
  return embedded_.contains({rows, is_stick, without_order(order)});
}

}  // namespace clack
