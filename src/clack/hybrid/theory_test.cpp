// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/theory.hpp"

#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/settings.hpp"

namespace clack {
namespace {

const std::string ball = "clack: 1\nbodies: {b: {mass: 1, inertia: 1}}\n";

std::string refusal(const std::string& yaml, const std::vector<Override>& overrides = {}) {
  try {
    (void)load_model_text(ball + yaml, "m.yaml", overrides);
  } catch (const ModelError& error) {
    return std::string(error.what()) + " (" + error.where() + ") " + error.remedy();
  }
  return "";
}

void expect_in(const std::string& text, const std::vector<std::string>& pieces) {
  for (const std::string& piece : pieces)
    EXPECT_NE(text.find(piece), std::string::npos) << piece << "\nis not in\n" << text;
}

TEST(Theories, NameOnlyPartsThatExistAndTheFirstIsTheModelsDefault) {
  const TheoryParts parts = standard_parts();
  for (const TheoryPreset& theory : parts.theories) {
    EXPECT_EQ(parts.formulations.make(theory.formulation, {})->name(), theory.formulation);
    EXPECT_EQ(parts.decisions.make(theory.decision, {})->name(), theory.decision);
    EXPECT_EQ(parts.impact_laws.make(theory.impact, {})->name(), theory.impact);
  }
  EXPECT_EQ(parts.theories.front().name, RunSettings{}.theory);
  EXPECT_EQ(parts.integrators.names().front(), RunSettings{}.integrator);
}

// Two parts may read the same key of a model file; it then means the same for both.
TEST(Theories, AKeyHasOneMeaning) {
  const PartCatalogue catalogue = catalogue_of(standard_parts());
  for (const PartDescription& a : catalogue.parts)
    for (const PartDescription& b : catalogue.parts)
      for (const Option& x : a.options)
        for (const Option& y : b.options)
          if (x.key == y.key || (x.section == y.section && x.key_in_model() == y.key_in_model())) {
            EXPECT_EQ(place_in_model(x), place_in_model(y));
            EXPECT_EQ(x.key, y.key);
            EXPECT_EQ(describe_type(x), describe_type(y));
            EXPECT_EQ(describe_default(x), describe_default(y));
          }
}

TEST(LoadModel, UnknownNamesAreRefusedAtTheirPlace) {
  expect_in(refusal("run: {theory: newtn}\n"), {"unknown theory newtn (m.yaml:3:15)", "newton?"});
  expect_in(refusal("run: {impact: poison}\n"),
            {"unknown impact law poison (m.yaml:3:15)", "did you mean poisson?"});
  expect_in(refusal("run: {decision: xyzzy}\n"),
            {"unknown decision xyzzy", "known decisions: lcp"});
  expect_in(refusal("run: {integrator: dop835}\n"),
            {"unknown integrator dop835 (m.yaml:3:19)", "did you mean dop853?"});
  expect_in(refusal("", {{"run.formulation", "delasus"}}),
            {"unknown formulation delasus (--set run.formulation)", "did you mean delassus?"});
}

TEST(LoadModel, OptionsOfTheChosenPartsAreRead) {
  const Model model = load_model_text(
      ball +
          "parameters: {T: 2}\n"
          "run: {theory: projection, integrator: rk4, step: T/1000}\n"
          "policies: {projection: closed-form, inconsistent: allow, simultaneous: false, "
          "max_events: 7}\n",
      "m.yaml");
  const OptionValues& law = model.options[PartKind::impact_law];
  EXPECT_EQ(law.choice("mode"), "closed-form");
  EXPECT_EQ(law.choice("inconsistent"), "allow");
  EXPECT_FALSE(law.is_on("simultaneous"));
  EXPECT_FALSE(model.policies.simultaneous);
  EXPECT_EQ(law.count("max_events"), 7);
  EXPECT_EQ(model.options[PartKind::integrator].number("step"), 0.002);
  EXPECT_TRUE(model.options[PartKind::decision].empty());
  const Model both = load_model_text(ball + "run: {lcp_size: full}\n", "m.yaml");
  EXPECT_EQ(both.options[PartKind::decision].choice("lcp_size"), "full");
  EXPECT_EQ(both.options[PartKind::impact_law].choice("lcp_size"), "full");
}

TEST(LoadModel, AKeyThatNoChosenPartReadsNamesThePartThatWould) {
  expect_in(refusal("run: {theory: newton}\npolicies: {projection: closed-form}\n"),
            {"policies: projection is read by impact law projection", "uses impact law newton",
             "(m.yaml:4:12)", "choose impact law projection (run: impact: projection)"});
  expect_in(refusal("run: {step: 0.1}\n"),
            {"run: step is read by integrator rk4, this run uses integrator dop853", "m.yaml:3:7"});
  expect_in(
      refusal("run: {theory: newton, lcp_size: full}\n"),
      {"read by decision lcp and impact law poisson", "uses decision prox and impact law newton"});
  expect_in(refusal("", {{"policies.projection", "unilateral"}}),
            {"read by impact law projection", "(--set policies.projection)"});
  expect_in(refusal("policies: {projecton: closed-form}\n"),
            {"unknown key projecton", "did you mean projection?"});
  expect_in(refusal("run: {integrator: rk4}\n"), {"integrator rk4 needs a step", "m.yaml:3:6"});
  expect_in(refusal("", {{"policies.projecton", "closed-form"}}),
            {"policies: unknown key projecton (--set policies.projecton)", "projection?"});
  EXPECT_EQ(refusal("run: {theory: newton}\npolicies: {simultaneous: false}\n"), "");
}

TEST(LoadModel, ATheoryFromOutsideReplacesThePartsOfTheFileAndTheirOptions) {
  const std::string yaml = ball +
                           "run: {theory: projection, decision: lcp}\n"
                           "policies: {projection: closed-form, painleve: stop}\n";
  const Model model = load_model_text(yaml, "m.yaml", {{"run.theory", "newton"}});
  EXPECT_EQ(choose_theory(model.run, standard_parts(), 2).decision, "prox");
  ASSERT_EQ(model.notes.size(), 1u);
  expect_in(model.notes[0], {"policies: projection", "gives way to impact law newton"});
  // What is written to model.yaml is this run, and reads back without a note.
  EXPECT_EQ(model.resolved_yaml.find("closed-form"), std::string::npos);
  EXPECT_TRUE(load_model_text(model.resolved_yaml, "r.yaml").notes.empty());
  // A part named from outside stays.
  const Model mixed =
      load_model_text(yaml, "m.yaml", {{"run.theory", "newton"}, {"run.impact", "projection"}});
  EXPECT_EQ(mixed.options[PartKind::impact_law].choice("mode"), "closed-form");
  EXPECT_TRUE(mixed.notes.empty());
}

TEST(LoadModel, AKeyThatNotEvenTheFilesOwnPartsReadIsRefusedWhateverTheTheory) {
  expect_in(refusal("run: {theory: poisson}\npolicies: {inconsistent: allow}\n",
                    {{"run.theory", "newton"}}),
            {"policies: inconsistent is read by impact law projection"});
}

}  // namespace
}  // namespace clack
