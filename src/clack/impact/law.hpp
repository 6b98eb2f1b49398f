// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "clack/contact/problem.hpp"
#include "clack/parts/part.hpp"

namespace clack {

/// Speeds after an impact (the impact node).
class ImpactLaw {
 public:
  virtual ~ImpactLaw() = default;
  virtual std::string_view name() const = 0;
  virtual ImpactResult resolve(const ImpactProblem& problem) const = 0;
  /// How many different velocities after the impact the law admits, where that can be counted.
  virtual std::optional<int> count_solutions(const ImpactProblem&) const { return {}; }
};

/// A law's entry: name, needs, options, maker. `static ImpactLawPart part()` of the law gives it.
using ImpactLawPart = Part<ImpactLaw>;
using ImpactLawRegistry = Registry<ImpactLaw>;
ImpactLawRegistry impact_laws();

/// By name; throws InputError naming the known ones.
std::unique_ptr<ImpactLaw> make_impact_law(std::string_view name, const OptionValues& options = {});
std::vector<std::string_view> impact_law_names();

}  // namespace clack
