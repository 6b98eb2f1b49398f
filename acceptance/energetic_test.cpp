// SPDX-License-Identifier: Apache-2.0
// Law energetic inside runs (docs/theories/energetic.md) and on the command line.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "acceptance/run_support.hpp"
#include "clack/impact/energetic.hpp"
#include "clack/impact/planar_scene.hpp"
#include "clack/trace/json.hpp"

namespace clack::acceptance {
namespace {

RunOptions recording(int histories) {
  RunOptions options;
  options.histories = histories;
  return options;
}

TEST(EnergeticRuns, AnImpactInARunIsTheImpactAlone) {  // to 1e-12 of the speeds
  const Trace trace = run_file("corner/ball.yaml");
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_FALSE(trace.impacts.empty());
  const TraceImpact& impact = trace.impacts[0];
  ASSERT_EQ(impact.contacts.size(), 2u) << "floor and wall are met at one instant";
  const Eigen::Vector3d before(impact.v_before[0], impact.v_before[1], impact.v_before[2]);
  EXPECT_NEAR(before[1], -std::sqrt(2 * 9.81), 1e-9);
  const ImpactResult alone = EnergeticLaw{}.resolve(testing::ball_in_corner(0.715, before));
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(impact.v_after[i], alone.velocity[i], 1e-12 * before.norm()) << i;
  ASSERT_EQ(impact.events.size(), alone.events.size());
  EXPECT_NEAR(impact.events[0].compression_work, alone.events[0].compression_work, 1e-10);
  EXPECT_EQ(impact.events[0].contacts, (std::vector<int>{0, 1}));
}

TEST(EnergeticRuns, RecordingChangesNoNumberAndEndsWhereItIsToldTo) {
  const Model model = load_model(model_path("cradle/five-balls.yaml"));
  const Trace plain = run(model), recorded = run(model, recording(1));
  EXPECT_EQ(events_json(plain), events_json(recorded));
  EXPECT_EQ(plain.rows, recorded.rows);
  EXPECT_EQ(histories_json(plain), "");
  ASSERT_GE(recorded.impacts.size(), 2u);
  EXPECT_FALSE(recorded.impacts[0].history.rows.empty());
  EXPECT_TRUE(recorded.impacts[1].history.rows.empty());
  const auto document = nlohmann::json::parse(histories_json(recorded));
  ASSERT_EQ(document.size(), 1u);
  EXPECT_EQ(document[0]["impact"], 0);
  EXPECT_EQ(document[0]["columns"][1], "impulse");
  EXPECT_EQ(document[0]["rows"].size(), 4u * 16u) << "four events of one stretch each";
}

TEST(EnergeticRuns, FiveBallsLeaveWithTheGuidesSpeeds) {
  const Trace trace = run_file("cradle/five-balls.yaml", {{"run.until", "0.01"}});
  const double expected[] = {0.0001304, 0.0011736, 0.011736, 0.11736, 1.1736};
  ASSERT_GE(trace.impacts.size(), 1u);
  for (int i = 0; i < 5; ++i)  // speeds are rates of angles, L = 0.3
    EXPECT_NEAR(0.3 * trace.impacts[0].v_after[i], expected[i], 1e-11) << i;
  EXPECT_EQ(trace.impacts[0].events.size(), 4u);
}

TEST(EnergeticRuns, ACradleSwingsForTenSecondsWithBalancedBooks) {
  const Trace trace = run_file("cradle/five-balls.yaml", {{"run.until", "10"}, {"e", "0.9"}});
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(trace.energy.ledger_error, 1e-9);
  EXPECT_LT(trace.energy.check, 1e-9 * std::abs(trace.energy.initial));
  for (const TraceImpact& impact : trace.impacts)
    EXPECT_NEAR(impact.normal_work + impact.tangential_work + impact.joint_work,
                impact.energy_after - impact.energy_before, 1e-12 * std::abs(trace.energy.initial));
}

TEST(EnergeticRuns, AChainThatDoesNotEndFollowsItsPolicy) {
  const std::string file = model_path("cradle/three-balls.yaml");
  Model model = load_model(file);
  model.options[PartKind::impact_law].set("restitution_sequence", std::vector<double>{-1.0});
  model.run.until = 0.01;
  const Trace completed = run(model);
  EXPECT_EQ(completed.status, RunStatus::done) << completed.reason;
  EXPECT_NE(std::find(completed.flags.begin(), completed.flags.end(), "chain-completed"),
            completed.flags.end());
  model.policies.chain_limit = ChainPolicy::error;
  const Trace stopped = run(model);
  EXPECT_EQ(stopped.status, RunStatus::stopped);
  EXPECT_NE(stopped.reason.find("2000 impacts chained"), std::string::npos) << stopped.reason;
}

TEST(EnergeticRuns, UnequalRestitutionsStopAtTheirImpactWithNames) {
  Model model = load_model(model_path("corner/ball.yaml"));
  model.contacts[SourceIndex(1)].coefficients.restitution = 0.3;
  const Trace trace = run(model);
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_NE(trace.reason.find("floor and wall have restitutions 0.715 and 0.3"), std::string::npos)
      << trace.reason;
}

TEST(EnergeticRuns, FormulaContactsAreTakenOneAtATime) {
  const std::string one =
      "clack: 1\ndimension: 2\ncoordinates: {y: {start: 1, rate: 0}}\nmass_matrix: [[1]]\nforce: "
      "[-10]\ncontacts: {floor: {gap: y, restitution: 0.5}}\nrun: {until: 1, theory: energetic}\n";
  const Trace trace = run_text(one);
  ASSERT_GE(trace.impacts.size(), 1u);
  EXPECT_NEAR(trace.impacts[0].v_after[0], 0.5 * std::sqrt(20.0), 1e-9);
  const std::string two =
      "clack: 1\ndimension: 2\ncoordinates: {y: {start: 0, rate: -1}}\nmass_matrix: [[1]]\nforce: "
      "[0]\ncontacts: {a: {gap: y}, b: {gap: 2*y}}\nrun: {until: 1, theory: energetic}\n";
  const Trace refused = run_text(two);
  EXPECT_EQ(refused.status, RunStatus::stopped);
  EXPECT_NE(refused.reason.find("contact a has no bodies"), std::string::npos) << refused.reason;
}

TEST(EnergeticRuns, NegativeRestitutionIsForThisLawOnly) {
  const std::string ball =
      "clack: 1\ndimension: 2\ncoordinates: {y: 1}\nmass_matrix: [[1]]\nforce: [-10]\ncontacts: "
      "{floor: {gap: y, restitution: -0.5}}\nrun: {until: 1, theory: THEORY}\n";
  const auto with = [&](const std::string& theory) {
    std::string yaml = ball;
    return yaml.replace(yaml.find("THEORY"), 6, theory);
  };
  EXPECT_NO_THROW((void)load_model_text(with("energetic"), "m.yaml"));
  EXPECT_THROW((void)load_model_text(with("newton"), "m.yaml"), ModelError);
}

}  // namespace
}  // namespace clack::acceptance
