// SPDX-License-Identifier: Apache-2.0
#include "clack/parts/part.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"

namespace clack {

std::string_view to_string(PartKind kind) {
  switch (kind) {
    case PartKind::formulation:
      return "formulation";
    case PartKind::decision:
      return "decision";
    case PartKind::impact_law:
      return "impact law";
    case PartKind::integrator:
      return "integrator";
  }
  return "";
}

std::string_view run_key(PartKind kind) {
  return kind == PartKind::impact_law ? "impact" : to_string(kind);
}

std::string describe(const Needs& needs) {
  std::vector<std::string> words;
  if (needs.plane) words.emplace_back("plane");
  if (needs.no_friction) words.emplace_back("no friction");
  if (needs.no_sliding_friction) words.emplace_back("no sliding friction");
  if (needs.positive_mass) words.emplace_back("positive masses");
  if (needs.contact_limit > 0)
    words.push_back(fmt::format("at most {} contacts", needs.contact_limit));
  if (needs.spatial_contact_limit > 0)
    words.push_back(fmt::format("in space at most {}", needs.spatial_contact_limit));
  return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
}

std::string unmet_need(const Needs& needs, const Circumstances& now) {
  if (needs.plane && now.dimension != 2) return "treats plane problems only, this one is in space";
  if (needs.no_friction && !now.rough_contact.empty())
    return fmt::format("knows no friction, but contact {} has friction {:.6g}", now.rough_contact,
                       now.friction);
  if (needs.no_sliding_friction && !now.sliding_contact.empty())
    return fmt::format("has no sliding friction, but contact {} slides with friction {:.6g}",
                       now.sliding_contact, now.sliding_friction);
  if (needs.positive_mass && !now.massless_motion.empty())
    return fmt::format("needs a positive definite mass matrix, but {} carries no inertia",
                       now.massless_motion);
  const bool is_spatial = now.dimension != 2 && needs.spatial_contact_limit > 0;
  const int limit = is_spatial ? needs.spatial_contact_limit : needs.contact_limit;
  if (limit > 0 && now.contacts > limit)
    return fmt::format("takes at most {} contacts{}, here are {}", limit,
                       is_spatial ? " in space" : "", now.contacts);
  return "";
}

std::string title(const PartDescription& part) {
  return fmt::format("{} {}", to_string(part.kind), part.name);
}

void refuse_unknown(PartKind kind, std::string_view name,
                    const std::vector<std::string_view>& known, const std::string& where) {
  const std::string nearest = nearest_name(name, std::span<const std::string_view>(known));
  throw InputError(fmt::format("unknown {} {}", to_string(kind), printable(name, 60)), where,
                   nearest.empty()
                       ? fmt::format("known {}s: {}", to_string(kind), list_names(known))
                       : "did you mean " + nearest + "?");
}

std::string advice(PartKind kind, const std::vector<std::string_view>& able) {
  if (able.empty()) return fmt::format("no {} can", to_string(kind));
  std::string names(able.front());
  for (std::size_t i = 1; i < able.size(); ++i)
    names += (i + 1 < able.size() ? ", " : " or ") + std::string(able[i]);
  return fmt::format("use {} {}", to_string(kind), names);
}

}  // namespace clack
