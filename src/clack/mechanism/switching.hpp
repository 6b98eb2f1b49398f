// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "clack/model/model.hpp"
#include "clack/symbolic/program.hpp"
#include "clack/symbolic/switches.hpp"

namespace clack {

/// A model whose motion switches by symbols: in its formulas for bodies, forces, constraints, contacts and surfaces every
/// comparison, sign, abs, min and max reads a branch (symbolic/switches.hpp). Events, zones and activities are as they were.
struct SwitchedModel {
  Model model;
  std::vector<symbolic::Switch> switches;

  std::vector<Expression> branches() const;
};
SwitchedModel split_switches(Model own);

/// The branches of a model's switches: each follows its condition, or is held inside a mode.
class Switching {
 public:
  Switching() = default;
  /// `inputs`: as MotionSymbols::inputs, with the branches last.
  Switching(const std::vector<symbolic::Switch>& switches, std::span<const Expression> inputs);

  int count() const { return static_cast<int>(kinds_.size()); }
  symbolic::SwitchKind kind(int i) const { return kinds_[i]; }
  const std::string& text(int i) const { return texts_[i]; }  // of the condition, for messages
  /// What the motion reads from now on; `is_held[i]` false: branch i follows its condition.
  void hold(const std::vector<double>& branches, const std::vector<bool>& is_held);
  void release();
  /// Writes the branches behind the other inputs.
  void load(double* inputs) const;

 private:
  std::vector<symbolic::SwitchKind> kinds_;
  std::vector<std::string> texts_;
  int offset_ = 0;  // of the branches in the inputs
  int depth_ = 0;   // switches inside of switches
  symbolic::Program conditions_;
  std::vector<double> held_;
  std::vector<bool> is_held_;
  bool follows_ = false;  // some branch does
  mutable std::vector<double> values_;
};

}  // namespace clack
