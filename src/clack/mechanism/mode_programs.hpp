// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "clack/mechanism/formula_rows.hpp"

namespace clack {

/// What the embedded equations of a mode are told by: its rows, and which speeds follow from them.
struct EmbeddedKey {
  RowSelection rows;
  std::vector<bool> is_stick;  // per contact
  Elimination order;           // without order
  friend auto operator<=>(const EmbeddedKey&, const EmbeddedKey&) = default;
};

/// A mode whose programs are to be made: those of its rows, and its embedded equations by some choices of speeds.
struct ModePlan {
  RowSelection rows;
  std::vector<bool> is_stick;
  std::vector<Elimination> choices;
};

/// Programs of modes as plain values. They are functions of model, rows and choice alone, the same to the last bit whatever was
/// built before them and in whatever order, so that a mechanism can take those that another one of the same model has made, in
/// another thread.
struct ModePrograms {
  std::map<FormulaSelection, std::shared_ptr<const CompiledRows>> rows;
  std::map<EmbeddedKey, std::shared_ptr<EmbeddedProgram>> embedded;
};

}  // namespace clack
