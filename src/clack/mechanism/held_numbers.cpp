// SPDX-License-Identifier: Apache-2.0
// What programs of a mechanism are given beside t, coordinates and speeds, and the programs that need it told.
#include <algorithm>

#include "clack/index.hpp"
#include "clack/mechanism/mechanism.hpp"

namespace clack {

void Mechanism::set_signals(std::span<const Signal> signals) {
  signals_.assign(signals.begin(), signals.end());
  held_.clear();
  for (const Signal& s : signals_)
    held_.insert(held_.end(), {s.value, s.rate, s.acceleration, s.since});
  std::ranges::copy(held_, inputs_.begin() + 1 + coordinates_ + speeds_);
  outline_bounds_.set_signals(held_);
}

std::shared_ptr<EmbeddedProgram> Mechanism::embedded(const RowSelection& rows,
                                                     const std::vector<bool>& is_stick,
                                                     const Elimination& order) {
  FormulaSelection formulas{{}, rows.constraints};
  for (const ContactKey& key : rows.contacts) {
    if (!rows_.has_contact(key.source)) return nullptr;
    formulas.sources.push_back(key.source);
  }
  if (!equations_ || switching_.count() > 0) return nullptr;  // branches are no inputs of theirs
  std::shared_ptr<EmbeddedProgram> program = embedded_.get(
      {rows, is_stick, order}, [&] { return rows_.embedded(formulas, is_stick, order); });
  program->set_signals(held_);
  return program;
}

}  // namespace clack
