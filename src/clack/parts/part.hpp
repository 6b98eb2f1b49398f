// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "clack/parts/option.hpp"

namespace clack {

/// The exchangeable parts of a run.
enum class PartKind { formulation, decision, impact_law, integrator };
inline constexpr int part_kinds = 4;
std::string_view to_string(PartKind kind);  // "impact law"
/// The key of section `run` that names a part of this kind, and its flag: "impact".
std::string_view run_key(PartKind kind);

/// What a part needs of the problems that it treats.
struct Needs {
  bool plane = false;
  bool no_friction = false;
  bool no_sliding_friction = false;
  bool positive_mass = false;       // every speed carries inertia
  int contact_limit = 0;            // 0: none
  int spatial_contact_limit = 0;    // in space; 0: the same
  double lowest_restitution = 0.0;  // impact laws: restitutions are in [this, 1]
};
/// "plane, at most 8 contacts"; "nothing" without needs.
std::string describe(const Needs& needs);

/// A problem or a mode, as far as parts have needs.
struct Circumstances {
  int dimension = 2, contacts = 0;
  std::string rough_contact = {};    // one with friction; empty: none has
  double friction = 0.0;             // its coefficient
  std::string sliding_contact = {};  // one that slides with friction; empty: none does
  double sliding_friction = 0.0;
  std::string massless_motion =
      {};  // speeds that carry no inertia; empty: the mass matrix is positive definite
  std::string rebounding_contact = {};  // the one with the lowest restitution; empty: no contacts
  double restitution = 0.0;             // its coefficient
};
/// The first need that is not met: "needs contacts without friction, but contact left has friction
/// 0.3"; empty when all are.
std::string unmet_need(const Needs& needs, const Circumstances& circumstances);

/// What a part says of itself.
struct PartDescription {
  PartKind kind = PartKind::formulation;
  std::string_view name = {};
  std::string_view help = {};  // one line
  Needs needs = {};
  std::vector<Option> options = {};
  /// Options of related parts that this one passes over with a note: its question has no place for
  /// them, so that one problem can be given to both.
  std::vector<std::string_view> passed_over = {};
};
std::string title(const PartDescription& part);  // "impact law projection"

/// A part that can be made. `make` gets a value for every declared option.
template <class Made, class... Context>
struct Part : PartDescription {
  std::function<std::unique_ptr<Made>(const OptionValues&, const Context&...)> make;
};

[[noreturn]] void refuse_unknown(PartKind kind, std::string_view name,
                                 const std::vector<std::string_view>& known,
                                 const std::string& where = "");

/// "use impact law newton or poisson"; without any: that there is none.
std::string advice(PartKind kind, const std::vector<std::string_view>& able);

/// The parts of one kind, by name. A plain value: a test adds one of its own to a copy.
template <class Made, class... Context>
class Registry {
 public:
  using Entry = Part<Made, Context...>;
  Registry(PartKind kind, std::vector<Entry> entries) : kind_(kind), entries_(std::move(entries)) {
    for (Entry& entry : entries_) entry.kind = kind_;
  }

  void add(Entry entry) {
    entry.kind = kind_;
    entries_.push_back(std::move(entry));
  }
  const std::vector<Entry>& entries() const& { return entries_; }
  const std::vector<Entry>& entries() const&& = delete;  // would outlive its registry
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const Entry& entry : entries_) names.push_back(entry.name);
    return names;
  }
  /// Throws InputError naming the nearest or all known ones.
  const Entry& find(std::string_view name) const& {
    for (const Entry& entry : entries_)
      if (entry.name == name) return entry;
    refuse_unknown(kind_, name, names());
  }
  const Entry& find(std::string_view name) const&& = delete;
  std::unique_ptr<Made> make(std::string_view name, const OptionValues& given,
                             const Context&... context) const {
    const Entry& entry = find(name);
    return entry.make(with_defaults(entry.options, given), context...);
  }
  /// Why the part cannot treat this, and which of the others can; empty when it can.
  std::string refusal(std::string_view name, const Circumstances& circumstances) const {
    const Entry& entry = find(name);
    const std::string reason = unmet_need(entry.needs, circumstances);
    return reason.empty() ? "" : title(entry) + " " + reason + "; " + remedy(circumstances);
  }
  /// "use impact law newton or poisson": those that can treat this.
  std::string remedy(const Circumstances& circumstances) const {
    std::vector<std::string_view> able;
    for (const Entry& entry : entries_)
      if (unmet_need(entry.needs, circumstances).empty()) able.push_back(entry.name);
    return advice(kind_, able);
  }

 private:
  PartKind kind_;
  std::vector<Entry> entries_;
};

}  // namespace clack
