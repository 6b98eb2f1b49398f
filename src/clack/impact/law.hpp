// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "clack/contact/problem.hpp"
#include "clack/parts/part.hpp"

namespace clack {

/// Why a law cannot treat a problem, and what can be done.
struct LawRefusal {
  std::string what, remedy;
};

/// Speeds after an impact (the impact node).
///
/// Joints that jump and external impulses act first (free_velocity in contact/delassus.hpp); what a
/// law does begins at the speeds after them. A law that chains events ends when no gap rate is below
/// -approach_limit_of(problem); at its own cap it answers `unfinished` with what it has.
class ImpactLaw {
 public:
  virtual ~ImpactLaw() = default;
  virtual std::string_view name() const = 0;
  virtual ImpactResult resolve(const ImpactProblem& problem) const = 0;
  /// The same into an answer that was used before. A law that keeps its memory takes none anew here,
  /// once it has met a problem of the size (energetic in the plane, without history).
  virtual void resolve_into(const ImpactProblem& problem, ImpactResult& result) const {
    result = resolve(problem);
  }
  /// What stands against this problem beyond the needs of the law's part; resolve throws it as
  /// InputError.
  virtual std::optional<LawRefusal> refusal(const ImpactProblem&) const { return {}; }
  /// Does it follow the inside of an impact, so that there is a history to record?
  virtual bool has_history() const { return false; }
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
