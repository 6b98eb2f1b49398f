// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"
#include "clack/model/settings.hpp"

namespace clack {
namespace {

const std::string free_ball = "clack: 1\nparameters: {T: 2}\nbodies: {b: {mass: 1, inertia: 1}}\n";

TEST(Run, EverySettingIsRead) {
  const Model model = read_model_text(
      free_ball +
          "run: {until: 3*T, theory: newton, formulation: projection, decision: enumeration, "
          "impact: poisson, integrator: dopri5, tolerance: 1e-6, sample: T/100}\n",
      "m.yaml");
  EXPECT_EQ(model.run.until, 6.0);
  EXPECT_EQ(model.run.theory, "newton");
  EXPECT_EQ(model.run.formulation, "projection");
  EXPECT_EQ(model.run.decision, "enumeration");
  EXPECT_EQ(model.run.impact, "poisson");
  EXPECT_EQ(model.run.integrator, "dopri5");
  EXPECT_EQ(model.run.tolerance, 1e-6);
  EXPECT_EQ(model.run.sample, 0.02);
}

TEST(Run, SettingsCanBeOverriddenAndAreKeptInTheResolvedModel) {
  const Model model = read_model_text(free_ball, "m.yaml",
                                      {{"run.until", "T"},
                                       {"policies.painleve", "tangential-impact"},
                                       {"tolerances.slip", "1e-7"}});
  EXPECT_EQ(model.run.until, 2.0);
  EXPECT_EQ(model.policies.painleve, PainlevePolicy::tangential_impact);
  const Model again = read_model_text(model.resolved_yaml, "r.yaml");
  EXPECT_EQ(again.run.until, 2.0);
  EXPECT_EQ(again.policies.painleve, PainlevePolicy::tangential_impact);
  EXPECT_EQ(again.tolerances.slip, 1e-7);
}

TEST(Policies, EveryChoiceIsRead) {
  const Model model = read_model_text(
      free_ball +
          "policies: {painleve: continuous-force, chain_limit: error, simultaneous: false}\n",
      "m.yaml");
  const Policies& policies = model.policies;
  EXPECT_EQ(policies.painleve, PainlevePolicy::continuous_force);
  EXPECT_EQ(policies.chain_limit, ChainPolicy::error);
  EXPECT_FALSE(policies.simultaneous);
}

TEST(Tolerances, EveryThresholdIsRead) {
  const std::vector<std::string> counts = {"chain_cap", "event_limit", "instant_limit", "chatter",
                                           "tie_patience"};
  std::string yaml = free_ball + "tolerances: {";
  for (const std::string& key : section_keys("tolerances", {}))
    yaml += key + (std::find(counts.begin(), counts.end(), key) != counts.end() ? ": 17, "
                                                                                : ": 0.03125, ");
  yaml.replace(yaml.size() - 2, 2, "}\n");
  const Tolerances t = read_model_text(yaml, "m.yaml").tolerances;
  for (const double value :
       {t.gap, t.penetration, t.gap_rate, t.slip, t.slip_passed, t.force, t.time, t.rearm_gap,
        t.unseen_flight, t.zeno_speed, t.zeno_ratio, t.drift, t.ledger, t.rank_cutoff})
    EXPECT_EQ(value, 0.03125);
  for (const long value :
       {static_cast<long>(t.chain_cap), t.event_limit, static_cast<long>(t.instant_limit),
        static_cast<long>(t.chatter), static_cast<long>(t.tie_patience)})
    EXPECT_EQ(value, 17);
}

}  // namespace
}  // namespace clack
