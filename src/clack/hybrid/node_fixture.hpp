// SPDX-License-Identifier: Apache-2.0
// For tests of single nodes: a model's tools and its start, without a run.
#pragma once
#include "clack/hybrid/instant.hpp"
#include "clack/hybrid/start.hpp"
#include "clack/model/reader.hpp"

namespace clack {

struct NodeFixture {
  explicit NodeFixture(const std::string& yaml, const std::string& law_name = "poisson",
                       const std::string& decision_name = "lcp")
      : parts(standard_parts()),
        theory{.name = "test",
               .formulation = "delassus",
               .decision = decision_name,
               .impact = law_name},
        model(load_model_text(yaml, "test.yaml")),
        mechanism(make_mechanism(model)),
        formulation(parts.formulations.make(theory.formulation, {})),
        law(parts.impact_laws.make(theory.impact, {})),
        decision(parts.decisions.make(theory.decision, {})),
        dynamics(*mechanism, *formulation),
        surroundings(model, *mechanism),
        tools{model, *mechanism, dynamics, surroundings, *law, *decision, theory, parts} {
    for (const Coordinate& c : model.coordinates) state.y.push_back(c.start);
    for (const Speed& s : model.speeds) state.y.push_back(s.start);
    state.y.resize(dynamics.size(), 0.0);
    state.mode.constraints = surroundings.constraints_at_start();
    state.surroundings = surroundings.start(0.0, tools.q(state.y), tools.v(state.y));
    state.scales = check_start(tools, state);
    state.accumulation = Accumulation(model.tolerances);
  }

  TheoryParts parts;
  Theory theory;
  Model model;
  std::unique_ptr<Mechanism> mechanism;
  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<ImpactLaw> law;
  std::unique_ptr<Decision> decision;
  ModeDynamics dynamics;
  Surroundings surroundings;
  NodeTools tools;
  RunState state;
};

}  // namespace clack
