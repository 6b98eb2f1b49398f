// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/theory.hpp"

namespace clack {

TheoryParts standard_parts() {
  return {
      .formulations = formulations(),
      .decisions = decisions(),
      .impact_laws = impact_laws(),
      .integrators = integrators(),
      // One line per theory.
      .theories =
          {
              {"poisson",
               "plane; friction, several contacts at once; restitution as a ratio of impulses",
               "delassus", "lcp", "poisson"},
              {"newton", "plane and space; friction; restitution as a ratio of velocities",
               "delassus", "prox", "newton"},
              {"projection", "no friction; redundant constraints and contacts", "projection",
               "active-set", "projection"},
              {"embedding", "constraints that come and go; integrates independent speeds only",
               "embedding", "enumeration", "smith"},
              {"energetic", "several points at once with friction; restitution as a ratio of works",
               "delassus", "lcp", "energetic", "prox"},
              {"lzb",
               "plane and space; friction; stiffness ratios share an impact, one energetic "
               "restitution per contact",
               "delassus", "lcp", "lzb", "prox"},
          },
  };
}

PartCatalogue catalogue_of(const TheoryParts& parts) {
  PartCatalogue catalogue{.theories = parts.theories, .parts = {}};
  const auto add = [&](const auto& registry) {
    for (const PartDescription& part : registry.entries()) catalogue.parts.push_back(part);
  };
  add(parts.formulations);
  add(parts.decisions);
  add(parts.impact_laws);
  add(parts.integrators);
  return catalogue;
}

Theory choose_theory(const RunSettings& settings, const TheoryParts& parts, int dimension) {
  for (const TheoryPreset& preset : parts.theories) {
    if (preset.name != settings.theory) continue;
    const auto pick = [](const std::string& given, std::string_view own) {
      return given.empty() ? std::string(own) : given;
    };
    return {settings.theory, pick(settings.formulation, preset.formulation),
            pick(settings.decision, preset.decision_in(dimension)),
            pick(settings.impact, preset.impact)};
  }
  refuse_unknown_theory(settings.theory, catalogue_of(parts));
}

Model load_model(const std::string& path, const std::vector<Override>& overrides,
                 const TheoryParts& parts) {
  return read_model(path, overrides, catalogue_of(parts), parts.shapes);
}

Model load_model_text(const std::string& yaml, const std::string& file,
                      const std::vector<Override>& overrides, const TheoryParts& parts) {
  return read_model_text(yaml, file, overrides, catalogue_of(parts), parts.shapes);
}

Model extend_model(const Model& model, const std::vector<ModelAddition>& additions,
                   const TheoryParts& parts) {
  return extended_model(model, additions, catalogue_of(parts), parts.shapes);
}

}  // namespace clack
