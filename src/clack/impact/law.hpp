#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "clack/contact/problem.hpp"

namespace clack {

/// Speeds after an impact (the impact node).
class ImpactLaw {
 public:
  virtual ~ImpactLaw() = default;
  virtual std::string_view name() const = 0;
  /// A sentence saying why this law cannot treat such a problem, naming one that can; empty when it can.
  virtual std::string refuses(const ImpactProblem& problem) const = 0;
  virtual ImpactResult resolve(const ImpactProblem& problem) const = 0;
};

/// By name; throws InputError naming the known ones.
std::unique_ptr<ImpactLaw> make_impact_law(std::string_view name);
std::vector<std::string_view> impact_law_names();

}  // namespace clack
