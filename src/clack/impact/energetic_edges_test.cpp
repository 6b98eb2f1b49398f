// SPDX-License-Identifier: Apache-2.0
// Law energetic at the edges of its chain rules, where members are left out of an event; plane.
#include "clack/impact/conformance.hpp"
#include "clack/impact/energetic.hpp"
#include "clack/impact/planar_scene.hpp"

namespace clack {
namespace {

using testing::ball_in_corner;
using testing::has_flag;
using testing::PlanarScene;
using testing::rocking_block;

// The floor's approach is -1.5 limits, the wall's rate +0.9 limits, and the closure gives the wall twice
// the impulse: the event of both would gain work from its start, so the wall is left out.
TEST(EnergeticEdges, AnEventThatWouldNotCompressLeavesOutWhatSeparatesMost) {
  ImpactProblem p = ball_in_corner(0.5, {-0.09, -0.15, 0}, 0.0, 0.0);
  p.approach_limit = 0.1;
  EnergeticOptions options;
  options.closure_rows = {{0, 2, 0, -1}};
  const ImpactResult r = EnergeticLaw(options).resolve(p);
  ASSERT_EQ(r.status, SolveStatus::solved);
  ASSERT_EQ(r.events.size(), 1u);
  EXPECT_EQ(r.events[0].contacts, std::vector<int>{0});
  EXPECT_TRUE(has_flag(r.flags, "points-dropped"));
  EXPECT_NE(r.notes[0].find("wall was left out, its event would not compress"), std::string::npos)
      << r.notes[0];
  EXPECT_NEAR(r.velocity[1], 0.075, 1e-14);
  EXPECT_EQ(r.velocity[0], -0.09);
}

// Only the wall approaches, and only the wall would have to pull: it is hit alone.
TEST(EnergeticEdges, IfNothingThatApproachesWouldStayTheFastestStaysAlone) {
  const ImpactProblem p = ball_in_corner(0.5, {8, 0, -3}, 1.2, 1.2);
  const ImpactResult r = EnergeticLaw{}.resolve(p);
  ASSERT_EQ(r.status, SolveStatus::solved);
  ASSERT_FALSE(r.events.empty());
  EXPECT_EQ(r.events[0].contacts, std::vector<int>{1});
  EXPECT_TRUE(has_flag(r.flags, "tension"));
  EXPECT_NE(r.notes[0].find("contact floor was left out"), std::string::npos) << r.notes[0];
}

// What rests on a body that is hit takes part, what separates does not.
TEST(EnergeticEdges, RestingPointsAreMembersAndSeparatingOnesAreNot) {
  const auto members = [](double left_rate) {
    // Gap rates of the block's corners: y' -+ omega b/2.
    ImpactProblem p = rocking_block(0.35, 0.6, 0.1);
    p.velocity[1] = 0.5 * (left_rate - 1.0);
    p.velocity[2] = -(left_rate + 1.0) / 0.1087;
    return EnergeticLaw{}.resolve(p).events.at(0).contacts;
  };
  EXPECT_EQ(members(0.0), (std::vector<int>{0, 1}));
  EXPECT_EQ(members(-0.3), (std::vector<int>{0, 1}));
  EXPECT_EQ(members(0.3), std::vector<int>{1});
}

// Friction at one corner of the block only. C = s1 mu1/(s2 mu2): 0 leaves the second corner without
// impulse; infinite contradicts the event, which goes on without the member that separates most.
TEST(EnergeticEdges, FrictionAtOneCornerUnloadsTheOtherOrLeavesItOut) {
  ImpactProblem p = rocking_block(0.35, 0.6, 0.5);
  p.velocity[1] = -0.8;
  p.materials[0].dynamic_friction = p.materials[0].static_friction = 0.0;
  EnergeticOptions first;
  first.max_events = 1;
  const ImpactResult unloaded = EnergeticLaw(first).resolve(p);
  EXPECT_EQ(unloaded.events.at(0).contacts, (std::vector<int>{0, 1}));
  EXPECT_GT(unloaded.normal_impulse[0], 0.0);
  EXPECT_EQ(unloaded.normal_impulse[1], 0.0);
  std::swap(p.materials[0], p.materials[1]);
  const ImpactResult alone = EnergeticLaw(first).resolve(p);
  EXPECT_EQ(alone.events.at(0).contacts.size(), 1u);
  EXPECT_TRUE(has_flag(alone.flags, "points-dropped"));
}

// The largest ratio of masses that doubles bear with one digit of the books left over.
TEST(EnergeticEdges, BooksBalanceForMassesFarApart) {
  for (const double heavy : {1e3, 1e6, 1e8}) {
    PlanarScene scene;
    scene.bodies = {{{0, 1}, 1.0, 0.1, {0.3, -2, 1}}, {{0, 0}, heavy, heavy, {0, -0.5, 0}}};
    scene.material = {.dynamic_friction = 0.2, .static_friction = 0.3, .restitution = 0.6};
    ImpactProblem p = scene.start();
    scene.add_contact(p, "top", 1, 0, {0.1, 0.5}, {0, 1});
    scene.add_contact(p, "left", PlanarScene::ground, 1, {-0.5, -0.5}, {0, 1});
    scene.add_contact(p, "right", PlanarScene::ground, 1, {0.5, -0.5}, {0, 1});
    const ImpactResult r = EnergeticLaw{}.resolve(p);
    EXPECT_EQ(r.status, SolveStatus::solved) << heavy;
    EXPECT_NEAR(r.normal_work + r.tangential_work, r.energy_after - r.energy_before,
                1e-10 * r.energy_before)
        << heavy;
    EXPECT_GE(p.gap_rates(r.velocity).minCoeff(), -1e-9);
  }
}

}  // namespace
}  // namespace clack
