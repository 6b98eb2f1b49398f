#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "clack/contact/problem.hpp"

namespace clack {

/// Chooses the next statuses of closed contacts (the contact node).
class Decision {
 public:
  virtual ~Decision() = default;
  virtual std::string_view name() const = 0;
  /// A sentence saying why this decision cannot treat such a problem, naming one that can; empty when it can.
  virtual std::string refuses(const ContactProblem& problem) const = 0;
  virtual ContactResult decide(const ContactProblem& problem) const = 0;
};

/// By name; throws InputError naming the known ones.
std::unique_ptr<Decision> make_decision(std::string_view name);
std::vector<std::string_view> decision_names();

}  // namespace clack
