// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/switching.hpp"

#include <algorithm>

#include "clack/model/own_formulas.hpp"

namespace clack {
namespace {

/// How many switches lie inside of each other at most.
int nesting(const std::vector<symbolic::Switch>& switches) {
  std::vector<int> depth;
  for (const symbolic::Switch& s : switches) {
    int own = 1;
    for (std::size_t j = 0; j < depth.size(); ++j)
      if (depends_on(s.condition, switches[j].branch)) own = std::max(own, depth[j] + 1);
    depth.push_back(own);
  }
  return depth.empty() ? 0 : *std::ranges::max_element(depth);
}

}  // namespace

std::vector<Expression> SwitchedModel::branches() const {
  std::vector<Expression> symbols;
  for (const symbolic::Switch& s : switches) symbols.push_back(s.branch);
  return symbols;
}

SwitchedModel split_switches(Model own) {
  if (!own.graph) return {std::move(own), {}};
  symbolic::SwitchSplitter splitter(*own.graph);
  transform_motion(own, [&](Expression e) { return splitter.split(e); });
  return {std::move(own), splitter.switches()};
}

Switching::Switching(const std::vector<symbolic::Switch>& switches,
                     std::span<const Expression> inputs) {
  std::vector<Expression> conditions;
  for (const symbolic::Switch& s : switches) {
    kinds_.push_back(s.kind);
    texts_.push_back(to_text(s.condition));
    conditions.push_back(s.condition);
  }
  offset_ = static_cast<int>(inputs.size() - switches.size());
  depth_ = nesting(switches);
  if (!switches.empty()) conditions_ = symbolic::Program(inputs, conditions);
  held_.resize(switches.size());
  values_.resize(switches.size());
  release();
}

void Switching::hold(const std::vector<double>& branches, const std::vector<bool>& is_held) {
  held_ = branches;
  is_held_ = is_held;
  follows_ = std::ranges::find(is_held_, false) != is_held_.end();
}

void Switching::release() {
  is_held_.assign(kinds_.size(), false);
  follows_ = !kinds_.empty();
}

void Switching::load(double* inputs) const {
  if (kinds_.empty()) return;
  double* branches = inputs + offset_;
  std::ranges::copy(held_, branches);
  if (!follows_) return;
  for (int pass = 0; pass < depth_; ++pass) {
    conditions_(inputs, values_.data());
    for (std::size_t i = 0; i < kinds_.size(); ++i)
      if (!is_held_[i]) branches[i] = symbolic::branch_of(kinds_[i], values_[i]);
  }
}

}  // namespace clack
