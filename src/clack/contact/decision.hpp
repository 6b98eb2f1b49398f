// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "clack/contact/problem.hpp"
#include "clack/parts/part.hpp"

namespace clack {

/// Chooses the next statuses of closed contacts (the contact node).
class Decision {
 public:
  virtual ~Decision() = default;
  virtual std::string_view name() const = 0;
  virtual ContactResult decide(const ContactProblem& problem) const = 0;
};

/// A decision's entry: name, needs, options, maker. `static DecisionPart part()` of the decision
/// gives it.
using DecisionPart = Part<Decision>;
using DecisionRegistry = Registry<Decision>;
DecisionRegistry decisions();

/// By name; throws InputError naming the known ones.
std::unique_ptr<Decision> make_decision(std::string_view name, const OptionValues& options = {});
std::vector<std::string_view> decision_names();

}  // namespace clack
