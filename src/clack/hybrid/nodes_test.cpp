// SPDX-License-Identifier: Apache-2.0
// The nodes of an instant as functions: a state and touching contacts in, an answer with its
// question out.
#include <gtest/gtest.h>

#include "clack/hybrid/node_fixture.hpp"

#include "clack/hybrid/fixed_contacts.hpp"

namespace clack {
namespace {

using testing::fixed;
using testing::fixed_contacts;

/// Two balls of 2 kg and 1 kg on a line between two walls; contacts left, middle, right.
std::string balls(const std::string& more, double first_speed) {
  return "clack: 1\ndimension: 2\ncoordinates: {x: {start: 0, rate: " +
         std::to_string(first_speed) +
         "}, z: {start: 0, rate: 0}}\nmass_matrix: [[2, 0], [0, 1]]\nforce: [0, 0]\n"
         "contacts:\n  left: {gap: x + 1}\n  middle: {gap: z - x, restitution: 0.5}\n"
         "  right: {gap: 1 - z}\nrun: {until: 1}\n" +
         more;
}

TEST(ImpactNode, AnswersWithTheClosedFormOfTwoBallsAndItsProblem) {
  const NodeFixture f(balls("", 3.0), "newton");
  const ImpactChain chain = visit_impact_node(f.tools, f.state, fixed_contacts({1}), false);
  ASSERT_EQ(chain.passes.size(), 1U);
  const ImpactPass& pass = chain.passes[0];
  // v1 = (m1 - e m2)/(m1 + m2) v, v2 = m1 (1 + e)/(m1 + m2) v.
  EXPECT_NEAR(f.tools.v(chain.y)[0], 1.5, 1e-14);
  EXPECT_NEAR(f.tools.v(chain.y)[1], 3.0, 1e-14);
  EXPECT_EQ(pass.took_part, fixed_contacts({1}));
  EXPECT_EQ(pass.problem.names, std::vector<std::string>{"middle"});
  EXPECT_EQ(pass.problem.velocity[0], 3.0) << "the problem is the one before the impact";
  EXPECT_NEAR(pass.energy_before, 9.0, 1e-14);
  EXPECT_NEAR(pass.energy_after, 2.25 + 4.5, 1e-14);
  EXPECT_NEAR(chain.approach_speed, 1.0, 1e-14) << "in parts of the contact's speed scale";
  ASSERT_EQ(chain.speed_scale.size(), 1U);
  EXPECT_NEAR(chain.speed_scale[0], 3.0, 1e-14);
  EXPECT_FALSE(chain.stop);
}

TEST(ImpactNode, OfManyBodiesOnlyThoseThatAreHitChangeTheirSpeeds) {
  // Forty disks on the floor, all falling with 1 m/s; two of them are down.
  const NodeFixture f(R"yaml(clack: 1
bodies:
  "b{i}": {mass: 2, inertia: 0.01, shape: {disk: {radius: 0.1}}, position: ["{i}", 0.1], velocity: [0.5, -1], repeat: {count: 40, as: i}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts:
  "c{i}": {between: ["b{i}", floor], restitution: 0.5, repeat: {count: 40, as: i}}
run: {until: 1}
)yaml",
                      "newton");
  const ImpactChain chain = visit_impact_node(f.tools, f.state, fixed_contacts({3, 7}), false);
  ASSERT_EQ(chain.passes.size(), 1U);
  const double *before = f.tools.v(f.state.y), *after = f.tools.v(chain.y);
  for (int body = 0; body < 40; ++body) {
    const bool is_hit = body == 3 || body == 7;
    EXPECT_NEAR(after[3 * body + 1], is_hit ? 0.5 : -1.0, 1e-15) << body;
    for (int j = 3 * body; j < 3 * body + 3 && !is_hit; ++j) EXPECT_EQ(after[j], before[j]);
  }
  EXPECT_NEAR(chain.passes[0].energy_before - chain.passes[0].energy_after, 2.0 * 0.75, 1e-13);
  EXPECT_EQ(chain.passes[0].result.velocity.size(), 120);
}

TEST(ImpactNode, LeavesASeparatingContactAlone) {
  const NodeFixture f(balls("", -1.0));
  const ImpactChain chain = visit_impact_node(f.tools, f.state, fixed_contacts({1}), false);
  EXPECT_FALSE(chain.had_impact());
  EXPECT_EQ(chain.y, f.state.y);
  EXPECT_EQ(chain.approach_speed, 0.0);
}

TEST(ImpactNode, ChainsThatReachTheirCapFollowThePolicy) {
  // One by one, a ball between two contacts hits them in turn without end (e = 1 on both sides).
  const std::string between =
      "clack: 1\ndimension: 2\ncoordinates: {x: {start: 0, rate: 1}}\nmass_matrix: [[1]]\n"
      "force: [0]\ncontacts:\n  left: {gap: x, restitution: 1}\n  right: {gap: -x, restitution: "
      "1}\n"
      "run: {until: 1}\ntolerances: {chain_cap: 7}\n";
  const NodeFixture complete(between + "policies: {simultaneous: false}\n", "newton");
  const ImpactChain chain =
      visit_impact_node(complete.tools, complete.state, fixed_contacts({0, 1}), false);
  ASSERT_EQ(chain.passes.size(), 8U);
  EXPECT_EQ(chain.passes.back().kind, ImpactKind::chain_completion);
  EXPECT_NEAR(complete.tools.v(chain.y)[0], 0.0, 1e-14);
  EXPECT_EQ(chain.flags.back(), "chain-completed");
  const NodeFixture error(between + "policies: {simultaneous: false, chain_limit: error}\n",
                          "newton");
  const ImpactChain stopped =
      visit_impact_node(error.tools, error.state, fixed_contacts({0, 1}), false);
  ASSERT_TRUE(stopped.stop);
  EXPECT_NE(stopped.stop->reason.find("7 impacts chained"), std::string::npos);
}

/// A law that never finishes: it halves the approach of the first contact and gives up.
class TiredLaw final : public ImpactLaw {
 public:
  std::string_view name() const override { return "tired"; }
  ImpactResult resolve(const ImpactProblem& problem) const override {
    EXPECT_TRUE(problem.approach_limit.has_value());
    ImpactResult result;
    result.status = SolveStatus::unfinished;
    result.velocity = 0.5 * problem.velocity;
    result.normal_impulse = Eigen::VectorXd::Zero(problem.contacts());
    result.tangent_impulse = Eigen::VectorXd::Zero(problem.contacts());
    result.events.resize(4);
    return result;
  }
  std::optional<LawRefusal> refusal(const ImpactProblem& problem) const override {
    if (problem.velocity[0] < 10.0) return {};
    return LawRefusal{"too fast", "slow down"};
  }
};

ImpactChain ask_tired_law(const std::string& policies, double speed) {
  const NodeFixture f(balls(policies, speed));
  const TiredLaw law;
  const NodeTools tools{f.model, *f.mechanism, f.tools.dynamics, f.surroundings,
                        law,     *f.decision,  f.theory,         f.parts};
  return visit_impact_node(tools, f.state, fixed_contacts({1}), false);
}

TEST(ImpactNode, WhatALawLeavesUnfinishedIsRecordedAndFollowsThePolicy) {
  const ImpactChain completed = ask_tired_law("", 3.0);
  ASSERT_EQ(completed.passes.size(), 2U);
  EXPECT_EQ(completed.passes[0].v_after[0], 1.5) << "what the law had is kept";
  EXPECT_EQ(completed.passes[1].kind, ImpactKind::chain_completion);
  EXPECT_NEAR(completed.passes[1].v_after[0], 1.0, 1e-14) << "plastic: 2 kg with 1.5 m/s take 1 kg";
  EXPECT_EQ(completed.flags.back(), "chain-completed");
  EXPECT_FALSE(completed.stop);
  const ImpactChain stopped = ask_tired_law("policies: {chain_limit: error}\n", 3.0);
  ASSERT_TRUE(stopped.stop);
  EXPECT_NE(stopped.stop->reason.find("4 impacts chained"), std::string::npos)
      << stopped.stop->reason;
  EXPECT_EQ(stopped.passes.size(), 1U) << "and what happened so far";
}

TEST(ImpactNode, WhatALawRefusesStopsTheRunWithItsWords) {
  const ImpactChain chain = ask_tired_law("", 30.0);
  ASSERT_TRUE(chain.stop);
  EXPECT_EQ(chain.stop->reason, "t = 0 s: law tired: too fast");
  EXPECT_EQ(chain.stop->remedy, "slow down");
  EXPECT_FALSE(chain.had_impact());
}

/// A block of 1 kg on a floor (g = 10), pushed sideways; mu = 0.5.
std::string pushed_block(double force, double speed) {
  return "clack: 1\ndimension: 2\ncoordinates: {x: {start: 0, rate: " + std::to_string(speed) +
         "}, y: 0}\nmass_matrix: [[1, 0], [0, 1]]\nforce: [" + std::to_string(force) +
         ", -10]\ncontacts: {floor: {gap: y, slip: x_dot, friction: 0.5}}\nrun: {until: 1}\n";
}

TEST(ContactNode, DecidesStickAndSlipByTheConeAndCarriesItsProblem) {
  const Cause start{.is_start = true};
  const NodeFixture gentle(pushed_block(4.0, 0.0)), hard(pushed_block(6.0, 0.0));
  const StatusDecision stick =
      visit_contact_node(gentle.tools, gentle.state, fixed_contacts({0}), start, false);
  EXPECT_EQ(stick.mode.status_of(fixed(0)), ContactStatus::stick);
  ASSERT_EQ(stick.passes.size(), 1U);
  const auto& pass = std::get<ContactPass>(stick.passes.front());
  EXPECT_EQ(pass.contacts, fixed_contacts({0}));
  EXPECT_EQ(pass.problem.force[0], 4.0);
  EXPECT_NEAR(pass.result.normal_force[0], 10.0, 1e-12);
  const StatusDecision slip =
      visit_contact_node(hard.tools, hard.state, fixed_contacts({0}), start, false);
  ASSERT_EQ(slip.mode.status_of(fixed(0)), ContactStatus::slip);
  EXPECT_EQ(slip.mode.find(fixed(0))->slip_direction[0], 1.0);
}

TEST(ContactNode, WithoutContactsOpensAll) {
  NodeFixture f(pushed_block(0.0, 0.0));
  f.state.mode.closed = {{fixed(0), ContactStatus::stick, {}}};
  const StatusDecision decision = visit_contact_node(f.tools, f.state, {}, Cause{}, false);
  EXPECT_TRUE(decision.mode.closed.empty());
  EXPECT_TRUE(decision.passes.empty());
}

TEST(ContactNode, BelievesTheGuardThatFoundTheSlipZero) {
  // A slip of 1e-6 m/s is no zero of its own; after its guard has fired it is. One of 1e-4 m/s is not the zero of any guard.
  Cause cause;
  const auto status_of = [&](double slip) {
    NodeFixture f(pushed_block(0.0, slip));
    f.state.mode.closed = {{fixed(0), ContactStatus::slip, {1.0, 0.0}}};
    return visit_contact_node(f.tools, f.state, fixed_contacts({0}), cause, false)
        .mode.status_of(fixed(0));
  };
  EXPECT_EQ(status_of(1e-6), ContactStatus::slip);
  cause.fired.push_back({.kind = GuardKind::slip, .contact = fixed(0), .local = 0});
  EXPECT_EQ(status_of(1e-6), ContactStatus::stick);
  EXPECT_EQ(status_of(1e-4), ContactStatus::slip);
}

TEST(ContactNode, TakesTheProblemOfTheStateAheadThatItsAnswerBelongsTo) {
  // The mode sticks and its reserve has fallen to zero; ahead the push is larger and it slips.
  NodeFixture f(
      "clack: 1\ndimension: 2\ncoordinates: {x: 0, y: 0}\nmass_matrix: [[1, 0], [0, 1]]\n"
      "force: [\"5 - 1e-9 + t\", -10]\n"
      "contacts: {floor: {gap: y, slip: x_dot, friction: 0.5}}\nrun: {until: 1}\n");
  f.state.mode.closed = {{fixed(0), ContactStatus::stick, {}}};
  Cause cause;
  cause.fired.push_back({.kind = GuardKind::stick_reserve, .contact = fixed(0), .local = 0});
  cause.ahead = {{1e-12, f.state.y}, {1e-3, f.state.y}, {1e-1, f.state.y}};
  const StatusDecision decision =
      visit_contact_node(f.tools, f.state, fixed_contacts({0}), cause, false);
  EXPECT_EQ(decision.mode.status_of(fixed(0)), ContactStatus::slip);
  const auto& pass = std::get<ContactPass>(decision.passes.back());
  EXPECT_EQ(pass.t, 1e-3);
  EXPECT_NEAR(pass.problem.force[0], 5.0 - 1e-9 + 1e-3, 1e-15);
}

TEST(TouchingSet, HoldsClosedFiredAndSimultaneousContacts) {
  NodeFixture f(balls("", 3.0));
  EXPECT_EQ(touching_contacts(f.tools, f.state, Cause{.is_start = true}), fixed_contacts({1}));
  f.state.mode.closed = {{fixed(2), ContactStatus::slip, {}}};
  Cause cause;
  cause.fired.push_back({.kind = GuardKind::gap, .contact = fixed(0)});
  EXPECT_EQ(touching_contacts(f.tools, f.state, cause), fixed_contacts({0, 1, 2}));
}

TEST(InstantPart, IsAValueWithItsImpactsEventsAndModes) {
  NodeFixture f(balls("", 3.0), "newton");
  const InstantRecord record = resolve_instant(f.tools, f.state, Cause{.is_start = true});
  EXPECT_FALSE(record.stop);
  ASSERT_EQ(record.events.size(), 2U);
  EXPECT_EQ(record.events[0].kind, EventKind::start);
  EXPECT_EQ(record.events[1].kind, EventKind::impact);
  EXPECT_EQ(record.events[1].contacts, fixed_contacts({1}));
  EXPECT_EQ(impact_contacts(record.passes).contacts, fixed_contacts({1}));
  EXPECT_TRUE(record.after.closed.empty());
  EXPECT_EQ(f.state.released, fixed_contacts({1})) << "it touches and is open";
  EXPECT_EQ(record.y, f.state.y);
}

TEST(CompletionPart, ClosesTheContactsWhereTheyAreAndSaysSoAtTheLimitTime) {
  NodeFixture f(pushed_block(0.0, 0.0));
  f.tools.v(f.state.y)[1] = 1e-9;  // the last small hop
  const double energy = f.tools.kinetic(0.0, f.state.y);
  const Accumulation::Completion completion{.time = 1e-10,
                                            .ratio = 0.5,
                                            .energy = energy,
                                            .contacts = fixed_contacts({0}),
                                            .at_rest = {}};
  CompletionRecord record = close_accumulation(f.tools, f.state, completion);
  EXPECT_EQ(record.t, 0.0) << "the contact node is asked where the sequence was left";
  EXPECT_EQ(f.state.t, 0.0) << "what does not take part has to be integrated";
  EXPECT_TRUE(record.is_small);
  ASSERT_EQ(record.corrections.size(), 1U);
  EXPECT_NEAR(record.corrections[0], -energy, 1e-12 * energy);
  EXPECT_EQ(f.state.mode.status_of(fixed(0)), ContactStatus::stick);
  EXPECT_TRUE(f.state.released.empty());
  EXPECT_NEAR(f.tools.v(f.state.y)[1], 0.0, 1e-24);
  f.state.t = 1e-10;
  reach_limit(f.tools, f.state, completion, record);
  ASSERT_EQ(record.events.size(), 1U);
  EXPECT_EQ(record.events[0].kind, EventKind::zeno);
  EXPECT_EQ(record.events[0].contacts, fixed_contacts({0}));
  EXPECT_EQ(record.events[0].t, 1e-10);
  EXPECT_EQ(record.limit_time, 1e-10);
  EXPECT_EQ(record.after.status_of(fixed(0)), ContactStatus::stick);
  EXPECT_EQ(record.flags.back(), "zeno-completed");
}

TEST(CompletionPart, IsTooLargeWhereItTakesMoreThanTheAccumulatingMotionHad) {
  NodeFixture f(pushed_block(0.0, 0.0));
  f.tools.v(f.state.y)[1] = 0.1;
  const CompletionRecord record =
      close_accumulation(f.tools, f.state,
                         {.time = 1e-10,
                          .ratio = 0.5,
                          .energy = 0.1 * f.tools.kinetic(0.0, f.state.y),
                          .contacts = fixed_contacts({0}),
                          .at_rest = {}});
  EXPECT_FALSE(record.is_small);
}

TEST(NodeProblems, KnowPointsNormalsBodiesAndCentresOfTheirContacts) {
  NodeFixture f(R"(clack: 1
gravity: [0, -9.81]
bodies:
  rod: {mass: 1, inertia: 0.1, position: [2, 0.5], angle: pi/2, velocity: [0, -1], points: {tip: [-0.5, 0]}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts:
  wall: {gap: "rod.x - 2"}
  tip: {between: [rod.tip, floor]}
)");
  const ImpactChain chain = visit_impact_node(f.tools, f.state, fixed_contacts({0, 1}), false);
  ASSERT_EQ(chain.passes.size(), 1U);
  const std::vector<ContactGeometry>& geometry = chain.passes[0].problem.geometry;
  ASSERT_EQ(geometry.size(), 2U);
  EXPECT_TRUE(geometry[0].body_b.empty()) << "a contact given by formulas has no bodies";
  EXPECT_EQ(geometry[1].body_a, "ground");
  EXPECT_EQ(geometry[1].body_b, "rod");
  EXPECT_LT((*geometry[1].point - Eigen::Vector3d(2, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(geometry[1].normal, Eigen::Vector3d::UnitY());
  ASSERT_EQ(geometry[1].tangents.size(), 1U);
  EXPECT_EQ(geometry[1].tangents[0], Eigen::Vector3d::UnitX());
  EXPECT_FALSE(geometry[1].center_a);
  EXPECT_EQ(*geometry[1].center_b, Eigen::Vector3d(2, 0.5, 0));
  const ImpactProblem part = restricted_to(chain.passes[0].problem, {1});
  ASSERT_EQ(part.geometry.size(), 1U);
  EXPECT_EQ(part.geometry[0].body_b, "rod");
}

}  // namespace
}  // namespace clack
