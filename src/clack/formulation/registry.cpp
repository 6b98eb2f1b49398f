// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/formulation/delassus.hpp"
#include "clack/formulation/embedding.hpp"
#include "clack/formulation/multipliers.hpp"
#include "clack/formulation/nullspace.hpp"
#include "clack/formulation/projection.hpp"

namespace clack {

Circumstances circumstances_of(const ModeShape& shape) {
  Circumstances now{.dimension = shape.tangents + 1,
                    .contacts = static_cast<int>(shape.statuses.size())};
  for (int i = 0; i < now.contacts; ++i) {
    if (!(shape.friction[i] > 0.0)) continue;
    now.rough_contact = fmt::format("{} of the mode", i);
    now.friction = shape.friction[i];
    if (shape.statuses[i] != ContactStatus::slip) continue;
    now.sliding_contact = now.rough_contact;
    now.sliding_friction = now.friction;
    break;
  }
  return now;
}

// One line per formulation.
FormulationRegistry formulations() {
  return {PartKind::formulation,
          {
              DelassusFormulation::part(),
              ProjectionFormulation::part(),
              MultipliersFormulation::part(),
              NullspaceFormulation::part(),
              EmbeddingFormulation::part(),
          }};
}

std::vector<std::string_view> formulation_names() { return formulations().names(); }

std::unique_ptr<Formulation> make_formulation(std::string_view name, const OptionValues& options) {
  return formulations().make(name, options);
}

}  // namespace clack
