// SPDX-License-Identifier: Apache-2.0
// Laws for simultaneous impacts inside runs: the block that is let go, blocks that come to rest, long
// rows of balls, the check function with every law, and the impact of a run beside the impact alone.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "acceptance/run_support.hpp"
#include "clack/impact/body_impacts.hpp"
#include "clack/impact/energetic.hpp"
#include "clack/impact/lzb.hpp"

namespace clack::acceptance {
namespace {

Trace run_with(const std::string& file, const std::string& theory,
               std::vector<Override> overrides) {
  overrides.push_back({"run.theory", theory});
  return run_file(file, overrides);
}

bool is_flagged(const Trace& trace, const std::string& flag) {
  return std::find(trace.flags.begin(), trace.flags.end(), flag) != trace.flags.end();
}

// Guide 3d, section 4: from tilt 0.2 the edge slides at once (stick needs 0.6349 > 0.6); from 0.3 it
// never does, and the energy is kept.
TEST(MultipleImpactRuns, TheTiltedBlockArrivesWhenAndAsTheEquationsSay) {
  const Trace trace = run_file("rocking-block/three-corners.yaml", {{"run.tolerance", "1e-11"}});
  ASSERT_FALSE(trace.impacts.empty()) << trace.reason;
  const TraceImpact& slid = trace.impacts[0];
  ASSERT_EQ(slid.contacts.size(), 3u);
  EXPECT_NEAR(slid.t, 0.0606442980, 1e-7 * 0.06);
  EXPECT_NEAR(slid.v_before[3], 6.4713027198, 1e-7 * 6.5);
  EXPECT_NEAR(slid.v_before[1] + slid.v_before[3] * 0.0645 / 2, 0.1235776716, 1e-7 * 6.5 * 0.1);
  const Trace stuck = run_file("rocking-block/three-corners.yaml",
                               {{"release", "0.3"}, {"run.tolerance", "1e-11"}});
  ASSERT_FALSE(stuck.impacts.empty()) << stuck.reason;
  EXPECT_NEAR(stuck.impacts[0].v_before[3], 7.3395141751, 1e-7 * 7.3);
  EXPECT_NEAR(stuck.impacts[0].v_before[1] + stuck.impacts[0].v_before[3] * 0.0645 / 2, 0.0, 1e-7);
}

// A run's impact is its law on the state before it: floor, walls and speeds are those of the guide.
TEST(MultipleImpactRuns, TheSphereInTheCornerOfARunIsTheImpactAlone) {
  for (const char* theory : {"energetic", "lzb"}) {
    const Trace trace = run_with("corner/sphere.yaml", theory, {});
    ASSERT_FALSE(trace.impacts.empty()) << trace.reason;
    const TraceImpact& impact = trace.impacts[0];
    ASSERT_EQ(impact.contacts.size(), 3u) << theory;
    ImpactProblem alone = testing::sphere_in_corner(testing::material(0.5, 0.35, 0.6));
    alone.velocity = Eigen::Map<const Eigen::VectorXd>(impact.v_before.data(), 6);
    const ImpactResult result =
        theory == std::string("lzb") ? LzbLaw{}.resolve(alone) : EnergeticLaw{}.resolve(alone);
    const double speed = alone.velocity.lpNorm<Eigen::Infinity>();
    for (int i = 0; i < 6; ++i)
      EXPECT_NEAR(impact.v_after[i], result.velocity[i], 1e-12 * speed) << theory << " " << i;
  }
}

TEST(MultipleImpactRuns, TheCheckFunctionStaysZeroWithEveryLaw) {
  for (const char* theory : {"newton", "poisson", "projection", "energetic", "lzb"}) {
    const Trace trace = run_with("cradle/five-balls.yaml", theory,
                                 {{"run.until", "10"}, {"e", "0.9"}, {"run.tolerance", "1e-11"}});
    EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
    const double kinetic = 0.5 * 1.304 * 1.304;  // of the first ball
    EXPECT_LT(trace.energy.check, 1e-9 * kinetic) << theory;
    EXPECT_GT(trace.energy.dissipated, 0.01 * kinetic) << theory;
  }
}

TEST(MultipleImpactRuns, RockingBlocksComeToRestWithEveryLaw) {
  const auto rests = [](const std::string& file, const std::string& theory) {
    const Trace trace = run_with(file, theory, {{"run.until", "2"}});
    EXPECT_EQ(trace.status, RunStatus::done) << file << " " << theory << " " << trace.reason;
    EXPECT_TRUE(is_flagged(trace, "zeno-completed")) << file << " " << theory;
    for (const double v : trace.final_v) EXPECT_NEAR(v, 0.0, 1e-12) << file << " " << theory;
    EXPECT_LT(trace.energy.check, 1e-8 * std::abs(trace.energy.initial)) << file << " " << theory;
  };
  for (const char* theory : {"newton", "poisson", "projection", "energetic", "lzb"})
    rests("rocking-block/planar.yaml", theory);
  for (const char* theory : {"newton", "poisson", "energetic", "lzb"})
    rests("rocking-block/planar-friction.yaml", theory);
  for (const char* theory : {"newton", "energetic", "lzb"})
    rests("rocking-block/four-corners.yaml", theory);
}

TEST(MultipleImpactRuns, ABlowRunsThroughThirtyBalls) {
  const Trace trace = run_with("cradle/n-balls.yaml", "lzb", {{"n", "30"}, {"run.until", "0.5"}});
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_FALSE(trace.impacts.empty());
  const TraceImpact& first = trace.impacts[0];
  EXPECT_EQ(first.contacts.size(), 29u);
  double momentum = 0.0;
  for (int i = 0; i < 30; ++i) momentum += first.v_after[i] * 0.3;
  EXPECT_NEAR(momentum, 1.0, 1e-11);
  for (int i = 0; i < 29; ++i) EXPECT_LT(first.v_after[i], first.v_after[29]) << i;
  EXPECT_LT(trace.energy.check, 1e-9 * std::abs(trace.energy.initial));
}

// k: stiffness of a contact, read by lzb. Three equal balls, e = 1, k23/k12 = 10 and 0.1 (guide lzb).
TEST(MultipleImpactRuns, StiffnessRatiosOfACradleAreItsParameters) {
  const auto speeds = [](const char* k23) {
    const Trace trace = run_with("cradle/three-balls.yaml", "lzb",
                                 {{"e", "1"}, {"k23", k23}, {"run.until", "0.001"}});
    return trace.impacts.at(0).v_after;
  };
  EXPECT_NEAR(0.3 * speeds("10")[1], 0.5758133691, 1e-8);
  EXPECT_NEAR(0.3 * speeds("0.1")[2], 0.9999615191, 1e-8);
}

// The inside of impacts is kept for every law that follows it, and changes nothing.
TEST(MultipleImpactRuns, BothLawsRecordTheInsideOfTheirImpacts) {
  for (const char* law : {"energetic", "lzb"}) {
    const Model model = load_model(model_path("corner/ball.yaml"), {{"run.theory", law}});
    RunOptions recording;
    recording.histories = 1;
    const Trace plain = run(model), recorded = run(model, recording);
    EXPECT_EQ(plain.rows, recorded.rows) << law;
    const ImpactHistory& history = recorded.impacts.at(0).history;
    ASSERT_FALSE(history.rows.empty()) << law;
    EXPECT_EQ(history.columns[1], law == std::string("lzb") ? "time" : "impulse");
    const auto column = [&](const std::string& name) {
      return std::find(history.columns.begin(), history.columns.end(), name) -
             history.columns.begin();
    };
    const TraceImpact& impact = recorded.impacts[0];
    EXPECT_NEAR(history.rows.back()[column("kinetic")], impact.energy_after, 1e-9) << law;
    EXPECT_NEAR(history.rows.back()[column("work")], impact.normal_work, 1e-9) << law;
    EXPECT_TRUE(plain.impacts.at(0).history.rows.empty()) << law;
  }
}

TEST(MultipleImpactRuns, AChainThatDoesNotEndFollowsItsPolicyOnTheCommandLine) {
  const ProgramFolder folder;
  std::ofstream(folder.inside() / "endless.yaml") << R"(clack: 1
dimension: 2
coordinates: {a: {start: 0, rate: 1}, b: 0, c: 0}
bodies:
  A: {mass: 1, inertia: 1, position: [a, 0], shape: {disk: {radius: 0.5}}}
  B: {mass: 1, inertia: 1, position: [b + 1, 0], shape: {disk: {radius: 0.5}}}
  C: {mass: 1, inertia: 1, position: [c + 2, 0], shape: {disk: {radius: 0.5}}}
contacts: {ab: {between: [B, A]}, bc: {between: [C, B]}}
run: {until: 0.1, theory: energetic}
policies: {restitution_sequence: [-1], chain_limit: complete}
)";
  const auto completed = folder.clack("run endless.yaml --json --out a");
  EXPECT_EQ(completed.exit_code, 0) << completed.errors;
  EXPECT_NE(completed.output.find("chain-completed"), std::string::npos);
  ASSERT_EQ(folder.clack("run endless.yaml --out b").exit_code, 0);
  EXPECT_EQ(folder.read("a/events.json"), folder.read("b/events.json"));
  EXPECT_EQ(folder.read("a/histories.json"), folder.read("b/histories.json"));
  const auto stopped =
      folder.clack("run endless.yaml --set policies.chain_limit=error --json --out c");
  EXPECT_EQ(stopped.exit_code, 1) << stopped.errors;
  EXPECT_NE(stopped.output.find("2000 impacts chained at one instant"), std::string::npos);
}

}  // namespace
}  // namespace clack::acceptance
