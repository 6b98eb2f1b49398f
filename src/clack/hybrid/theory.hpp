// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "clack/contact/decision.hpp"
#include "clack/formulation/formulation.hpp"
#include "clack/impact/law.hpp"
#include "clack/integrate/integrator.hpp"
#include "clack/model/addition.hpp"
#include "clack/model/reader.hpp"

namespace clack {

/// Everything that a run can be put together from. A plain value: a test adds parts to a copy.
struct TheoryParts {
  FormulationRegistry formulations;
  DecisionRegistry decisions;
  ImpactLawRegistry impact_laws;
  IntegratorRegistry integrators;
  std::vector<TheoryPreset> theories;     // the first is the default
  SmoothShapes shapes = smooth_shapes();  // that bodies may have
};
/// The parts of this program.
TheoryParts standard_parts();
/// What the parts say of themselves.
PartCatalogue catalogue_of(const TheoryParts& parts);

/// A theory is three independent choices; a preset names one of each.
struct Theory {
  std::string name, formulation, decision, impact;
};
/// The preset of a name; single choices given in the settings replace its parts. Throws InputError
/// naming the known ones.
Theory choose_theory(const RunSettings& settings, const TheoryParts& parts, int dimension);

/// read_model with the catalogue of these parts: names are checked and options read.
Model load_model(const std::string& path, const std::vector<Override>& overrides = {},
                 const TheoryParts& parts = standard_parts());
Model load_model_text(const std::string& yaml, const std::string& file,
                      const std::vector<Override>& overrides = {},
                      const TheoryParts& parts = standard_parts());

/// extended_model with the same.
Model extend_model(const Model& model, const std::vector<ModelAddition>& additions,
                   const TheoryParts& parts = standard_parts());

}  // namespace clack
