// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/energetic.hpp"

#include "clack/contact/circumstances.hpp"
#include "clack/error.hpp"
#include "clack/impact/chain_options.hpp"
#include "clack/impact/planar_energetic.hpp"
#include "clack/impact/spatial_energetic.hpp"

namespace clack {
namespace {

constexpr Needs energetic_needs{.lowest_restitution = -1.0};

std::optional<LawRefusal> wrong_rows(const ImpactProblem& problem,
                                     const std::vector<std::vector<double>>& rows) {
  if (rows.empty()) return {};
  const std::size_t n = problem.contacts();
  std::size_t width = 2 * n;
  for (const std::vector<double>& row : rows)
    if (row.size() != 2 * n) width = row.size();
  if (rows.size() + 1 == n && width == 2 * n) return {};
  return LawRefusal{fmt::format("closure_rows is {} x {}, must be {} x {} for {} contacts",
                                rows.size(), width, n - 1, 2 * n, n),
                    "give one row less than contacts, each over t1 n1 t2 n2 ..."};
}

/// Contacts of one component need one coefficient.
std::optional<LawRefusal> unequal_restitution(const ImpactProblem& problem) {
  const double common = problem.materials[0].restitution;
  const auto has_common = [&](const ContactMaterial& m) { return m.restitution == common; };
  if (std::all_of(problem.materials.begin(), problem.materials.end(), has_common)) return {};
  PlanarPlaces places;
  find_places(problem, places);
  for (int j = 1; j < problem.contacts(); ++j)
    for (int i = 0; i < j; ++i) {
      const double first = problem.materials[i].restitution;
      const double second = problem.materials[j].restitution;
      if (first == second || !are_connected(places, i, j)) continue;
      return LawRefusal{
          fmt::format("contacts {} and {} have restitutions {:.6g} and {:.6g}, an event has one",
                      problem.names[i], problem.names[j], first, second),
          "give restitution_sequence, one coefficient per event, or equal restitutions"};
    }
  return {};
}

SpatialEnergeticOptions in_space(const EnergeticOptions& options) {
  return {.restitution_sequence = options.restitution_sequence,
          .hub = options.hub,
          .simultaneous = options.simultaneous,
          .max_events = options.max_events};
}

/// The option that only the planar law reads, as the subject of a sentence; empty: none is set.
std::string_view planar_option(const EnergeticOptions& options) {
  if (options.closure == ClosureRule::as_signed) return "closure signed is";
  return options.closure_rows.empty() ? "" : "closure_rows are";
}

}  // namespace

EnergeticLaw::EnergeticLaw(EnergeticOptions options) : options_(std::move(options)) {
  if (!options_.simultaneous && !options_.restitution_sequence.empty())
    throw InputError("restitution_sequence and simultaneous: false exclude each other", "",
                     "events of one contact each read that contact's restitution; remove one");
}

ImpactLawPart EnergeticLaw::part() {
  ImpactLawPart part;
  part.name = "energetic";
  part.help = "restitution as a ratio of works, one per event; friction at several points at once";
  part.needs = energetic_needs;
  part.options = {
      choice_option("closure", {"rigid-body", "signed"},
                    "relations between the impulses on one body: as published, or with their sign"),
      rows_option("closure_rows",
                  "relations of your own, one less than contacts, over t1 n1 t2 n2"),
      list_option("restitution_sequence", {}, {.low = -1.0, .high = 1.0},
                  "one coefficient per event, the last repeats; default: that of the contacts"),
      name_option("hub", "space: the contact that the others are tied to; default: the first"),
      simultaneous_option(),
      max_events_option()};
  part.make = [](const OptionValues& values) {
    return std::make_unique<EnergeticLaw>(
        EnergeticOptions{.closure = values.chosen<ClosureRule>("closure"),
                         .closure_rows = values.rows("closure_rows"),
                         .restitution_sequence = values.list("restitution_sequence"),
                         .hub = values.text("hub"),
                         .simultaneous = values.is_on("simultaneous"),
                         .max_events = values.count("max_events")});
  };
  return part;
}

std::optional<LawRefusal> EnergeticLaw::refusal(const ImpactProblem& problem) const {
  if (problem.dimension == 3) {
    const std::string_view planar = planar_option(options_);
    if (!planar.empty())
      return LawRefusal{fmt::format("{} for the plane, the problem is in space", planar),
                        "leave it out, or choose law lzb"};
    return spatial_energetic_refusal(problem, in_space(options_));
  }
  if (auto refused = wrong_rows(problem, options_.closure_rows)) return refused;
  if (problem.contacts() < 2) return {};
  if (options_.closure_rows.empty()) {
    if (const auto place = missing_geometry(problem))
      return without_geometry(place->contact, place->key);
    if (const auto twice = duplicate_point(problem))
      return LawRefusal{
          fmt::format("contacts {} and {} have one and the same point of body {} "
                      "(duplicate contact point)",
                      problem.names[twice->first], problem.names[twice->second], twice->body),
          "remove one of them, or move the points apart"};
  }
  if (options_.simultaneous && options_.restitution_sequence.empty())
    return unequal_restitution(problem);
  return {};
}

ImpactResult EnergeticLaw::resolve(const ImpactProblem& problem) const {
  ImpactResult result;
  resolve_into(problem, result);
  return result;
}

void EnergeticLaw::resolve_into(const ImpactProblem& problem, ImpactResult& result) const {
  require_needs(PartKind::impact_law, name(), energetic_needs, problem);
  if (const auto refused = refusal(problem)) throw InputError(refused->what, "", refused->remedy);
  if (problem.dimension == 3)
    result = resolve_spatial_energetic(problem, in_space(options_));
  else
    resolve_planar_energetic(problem, options_, result);
}

}  // namespace clack
