// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>

#include "clack/parts/part.hpp"

namespace clack {

/// A theory names one part of each kind that it is made of.
struct TheoryPreset {
  std::string_view name;
  std::string_view help;  // one line
  std::string_view formulation, decision, impact;
  std::string_view spatial_decision = {};  // in space; empty: the same

  std::string_view decision_in(int dimension) const {
    return dimension == 3 && !spatial_decision.empty() ? spatial_decision : decision;
  }
};

/// One name per kind of part; empty: the theory's (an integrator has no theory: its default).
struct PartChoice {
  int dimension = 2;
  std::string theory;
  std::array<std::string, part_kinds> names;
  std::string& operator[](PartKind kind) { return names[static_cast<std::size_t>(kind)]; }
  const std::string& operator[](PartKind kind) const {
    return names[static_cast<std::size_t>(kind)];
  }
};

/// Option values of the chosen parts, by kind.
class PartOptions {
 public:
  OptionValues& operator[](PartKind kind) { return values_[static_cast<std::size_t>(kind)]; }
  const OptionValues& operator[](PartKind kind) const {
    return values_[static_cast<std::size_t>(kind)];
  }

 private:
  std::array<OptionValues, part_kinds> values_;
};

/// All that can be chosen, as data: what readers, help texts, refusals and tables are made from.
/// The first preset and the first integrator are the defaults.
struct PartCatalogue {
  std::vector<TheoryPreset> theories;
  std::vector<PartDescription> parts;

  const TheoryPreset* theory(std::string_view name) const;  // nullptr: there is none
  const PartDescription* part(PartKind kind, std::string_view name) const;
  std::vector<std::string_view> theory_names() const;
  std::vector<std::string_view> names(PartKind kind) const;
  /// Keys of a section of model files that parts read, each once, in the order of the parts.
  std::vector<std::string> keys(OptionSection section) const;
  /// The parts that read a key of a section of model files.
  std::vector<const PartDescription*> readers(OptionSection section, std::string_view key) const;
  /// The parts that read a key of the options of a JSON problem.
  std::vector<const PartDescription*> readers(std::string_view key) const;
};

/// Throws InputError naming the nearest or all known theories.
[[noreturn]] void refuse_unknown_theory(std::string_view name, const PartCatalogue& catalogue,
                                        const std::string& where = "");

/// "decision lcp and impact law poisson"
std::string titles(const std::vector<const PartDescription*>& parts);

}  // namespace clack
