// SPDX-License-Identifier: Apache-2.0
// Entries that name many bodies, zones that name corners and edges, corners that are slid over.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

/// Three squares above each other over a floor; CONTACTS is filled in.
std::string three_squares(const std::string& contacts) {
  const std::string square =
      "shape: {polygon: [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}";
  return "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n"
         "  a: {mass: 1, inertia: shape, position: [0, 0.15], angle: 0.1, " +
         square +
         "}\n"
         "  b: {mass: 1, inertia: shape, position: [0.02, 0.5], angle: 0.3, " +
         square +
         "}\n"
         "  c: {mass: 2, inertia: shape, position: [-0.03, 0.9], angle: -0.2, " +
         square +
         "}\n"
         "  floor: {fixed: true, shape: {polygon: [[-3, -1], [3, -1], [3, 0], [-3, 0]]}}\n"
         "contacts: {" +
         contacts + "}\nrun: {until: 0.15, tolerance: 1.0e-11}\n";
}

// Pairs one by one, in the same order, or by a list: the same bits.
TEST(ContactLists, AmongIsAllItsPairs) {
  const std::string as = "friction: 0.3, restitution: 0.2}";
  const Trace one_by_one = run_text(
      three_squares("ab: {between: [a, b], " + as + ", ac: {between: [a, c], " + as +
                    ", af: {between: [a, floor], " + as + ", bc: {between: [b, c], " + as +
                    ", bf: {between: [b, floor], " + as + ", cf: {between: [c, floor], " + as));
  ASSERT_EQ(one_by_one.status, RunStatus::done) << one_by_one.reason;
  for (const std::string among : {"[a, b, c, floor]", "all"}) {
    const Trace list = run_text(three_squares("pile: {among: " + among + ", " + as));
    EXPECT_EQ(list.contacts, one_by_one.contacts);
    ASSERT_EQ(list.events.size(), one_by_one.events.size());
    for (std::size_t k = 0; k < list.events.size(); ++k) {
      EXPECT_EQ(list.events[k].t, one_by_one.events[k].t);
      EXPECT_EQ(list.events[k].contacts, one_by_one.events[k].contacts);
    }
    EXPECT_EQ(list.final_q, one_by_one.final_q);
    EXPECT_EQ(list.pairs, (std::vector<std::string>{"pile.a/b", "pile.a/c", "pile.a/floor",
                                                    "pile.b/c", "pile.b/floor", "pile.c/floor"}));
    column(list, "gap_pile.a/b");
  }
}

// Bounces shrink by the ratio of their speeds down to heights below the rounding of places, so that every accumulation is
// told by its contraction: none is cut off because its impacts seem not to fade. Two squares stand on each other, the
// third beside them.
TEST(ThreeSquares, ComeToRestWithoutChatter) {
  for (const char* theory : {"poisson", "newton"}) {
    SCOPED_TRACE(theory);
    const Trace trace =
        run_text(three_squares("pile: {among: all, friction: 0.3, restitution: 0.2}"),
                 {{"run.until", "2"}, {"run.theory", theory}});
    ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
    EXPECT_FALSE(has_flag(trace, "chatter-completed"));
    for (const double v : trace.final_v) EXPECT_NEAR(v, 0.0, 1e-9);
    EXPECT_NEAR(trace.energy.final, 9.81 * (0.1 + 0.3 + 2 * 0.1), 1e-9);
    EXPECT_LE(trace.energy.ledger_error, 1e-8);
    EXPECT_TRUE(trace.jams.empty());
  }
}

// A pair with an entry of its own is left to it: without friction at all b would slide off otherwise.
TEST(ContactLists, APairWithAnEntryOfItsOwnIsLeftToIt) {
  const Model model = load_model_text(
      three_squares("pile: {among: all, friction: 0.3}, ab: {between: [b, a], friction: 0.7}"),
      "test.yaml", {});
  std::vector<std::string> names;
  for (const Contact& contact : model.contacts) names.push_back(contact.name);
  EXPECT_EQ(names, (std::vector<std::string>{"pile.a/c", "pile.a/floor", "pile.b/c", "pile.b/floor",
                                             "pile.c/floor", "ab"}));
}

void expect_refusal(const std::string& text, const std::string& what, const std::string& remedy) {
  try {
    load_model_text(text, "m.yaml", {});
    ADD_FAILURE() << "accepted: " << what;
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
    EXPECT_NE(e.remedy().find(remedy), std::string::npos) << e.remedy();
    EXPECT_NE(e.where().find("m.yaml:"), std::string::npos) << e.where();
  }
}

TEST(ContactLists, RefusesWhatIsNoList) {
  expect_refusal(three_squares("p: {among: some}"), "among is some", "or all");
  expect_refusal(three_squares("p: {among: [a, a]}"), "names a twice", "remove one");
  expect_refusal(three_squares("p: {among: [floor]}"), "no two bodies", "at least two");
  expect_refusal(three_squares("p: {among: [a, nobody]}"), "nobody", "");
  expect_refusal(three_squares("p: {among: all, between: [a, b]}"),
                 "either between, among, gap or pressed", "");
  expect_refusal(three_squares("p: {among: all, surface_velocity: 1}"), "surface_velocity",
                 "between");
  expect_refusal(three_squares("p: {among: all, normal_row: [1]}"), "normal_row", "gap");
  expect_refusal(three_squares("p: {between: [a, b], zones: [{features: [a.e4], friction: 1}]}"),
                 "a.e4 does not exist", "a has v0 to v3 and e0 to e3");
  expect_refusal(three_squares("p: {between: [a, b], zones: [{features: [c.e0], friction: 1}]}"),
                 "features names c.e0", "BODY.e3");
  expect_refusal(three_squares("p: {between: [a, b], zones: [{friction: 1}]}"), "where or features",
                 "");
}

// A box slides with speed v0 over two collinear edges of a table; on the second, from x = 0 on, there is friction mu:
// its front corner gets there first, then the rear one. The work of friction is -(mu m g) times the way there, less what
// the moment moves between the corners; at mu = 0 beyond nothing is lost.
TEST(FeatureZones, FrictionIsThatOfTheEdge) {
  const auto table = [](const std::string& zones) {
    return R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  box: {mass: 1, inertia: 1.0e9, position: [-0.3, 0.05], velocity: [1, 0], shape: {polygon: [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]]}}
  table: {fixed: true, shape: {polygon: [[-3, -1], [3, -1], [3, 0], [0, 0], [-3, 0]]}}
contacts: {top: {between: [box, table], friction: 0, zones: [)" +
           zones + "]}}\nrun: {until: 1.2, tolerance: 1.0e-11}\n";
  };
  // Edge 2 is the half x > 0. Both corners on it: it stops after v0^2/(2 mu g) or less.
  const Trace rough = run_text(table("{features: [table.e2], friction: 0.1}"));
  ASSERT_EQ(rough.status, RunStatus::done) << rough.reason;
  const Trace smooth = run_text(table("{features: [table.e3], friction: 0}"));
  EXPECT_NEAR(final_value(smooth, "box.x_dot"), 1.0, 1e-12);
  // By a formula of the place of the box the same friction from its middle on: the same loss once it is through.
  const double vx = final_value(rough, "box.x_dot"), x = final_value(rough, "box.x");
  // The huge inertia spreads N evenly only if the corners share it; the loss is at most mu g times the way of the front
  // corner and at least that of the rear one.
  const double loss = 0.5 * (1.0 - vx * vx);
  EXPECT_LE(loss, 0.1 * 9.81 * (x + 0.1) + 1e-9);
  EXPECT_GE(loss, 0.1 * 9.81 * (x - 0.1) - 1e-9);
  EXPECT_LT(vx, 0.9);
}

// Both lower corners of the base are in the zone: it is slowed by mu g wherever it is; the upper ones touch nothing.
TEST(FeatureZones, NameCornersOfOneOfSeveralShapes) {
  const auto box = [](const std::string& features) {
    return R"(
clack: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  box: {mass: 1, inertia: 0.01, position: [-0.3, 0.05], velocity: [1, 0], shapes: {knob: {polygon: [[-0.02, 0.05], [0.02, 0.05], [0, 0.09]]}, base: {polygon: [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]]}}}
  table: {fixed: true, shape: {polygon: [[-3, -1], [3, -1], [3, 0], [-3, 0]]}}
contacts: {top: {between: [box, table], friction: 0, zones: [{features: )" +
           features + ", friction: 0.1}]}}\nrun: {until: 0.5, tolerance: 1.0e-11}\n";
  };
  const Trace slowed = run_text(box("[box.base.v0, box.base.v1]"));
  ASSERT_EQ(slowed.status, RunStatus::done) << slowed.reason;
  EXPECT_NEAR(final_value(slowed, "box.x_dot"), 1.0 - 0.1 * 9.81 * 0.5, 1e-9);
  EXPECT_NEAR(final_value(run_text(box("[box.base.v2, box.knob.v0]")), "box.x_dot"), 1.0, 1e-12);
  EXPECT_NEAR(final_value(run_text(box("[table.e2]")), "box.x_dot"), 1.0 - 0.1 * 9.81 * 0.5, 1e-9);
  expect_refusal(box("[box.v0]"), "box.v0 does not exist", "box has the shapes knob, base");
}

// The wedge of kink-down slides over a convex corner of 0.1 rad without a flight: its speed is projected on the new
// tangent, v0 cos(0.1), and the loss is in the ledger.
TEST(SmoothCorners, AreSlidOverWithTheSpeedAlongTheNextEdge) {
  const Trace trace = run_file("polygons/kink-down.yaml", {{"policies.smooth_below", "0.11"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_TRUE(trace.impacts.empty());
  double t = 0.0;
  for (const TraceEvent& event : trace.events)
    if (event.kind == EventKind::feature) t = event.t;
  EXPECT_NEAR(t, 0.2, 1e-10);
  const double vx = value_after(trace, t, "wedge.x_dot"), vy = value_after(trace, t, "wedge.y_dot");
  EXPECT_NEAR(std::hypot(vx, vy), std::cos(0.1), 1e-10);
  EXPECT_NEAR(vy / vx, -std::tan(0.1), 1e-10);
  const double mass = 2.0 * trace.energy.work_of_corners / (std::pow(std::cos(0.1), 2) - 1.0);
  EXPECT_NEAR(mass, 1.0, 1e-9);
  EXPECT_LT(trace.energy.ledger_error, 1e-8);
  EXPECT_FALSE(trace.energy.open);
  // A corner that turns by more is flown over.
  EXPECT_FALSE(
      run_file("polygons/kink-down.yaml", {{"policies.smooth_below", "0.09"}}).impacts.empty());
}

/// Squares on a grid that fall side by side, each over a floor of its own body.
std::string grid(int count, const std::string& contacts) {
  std::string text =
      "clack: 1\ndimension: 2\ngravity: [0, -9.81]\nbodies:\n  floor: {fixed: true, shape: "
      "{polygon: "
      "[[-1000, -1], [1000, -1], [1000, 0], [-1000, 0]]}}\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "  s{}: {{mass: 1, inertia: shape, position: [{}, {}], angle: 0.2, shape: {{polygon: "
        "[[-0.1, "
        "-0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}}}}\n",
        i, 0.5 * i, 0.3 + 0.001 * i);
  return text + "contacts: {" + contacts + "}\nrun: {until: 0.1, sample: 0.05}\n";
}

// 200 bodies that never come near each other are 200 bodies, not 19 900 pairs: the run with the list takes as long as
// one with the floor alone, up to a factor, and gives the same motion.
TEST(ContactLists, TwoHundredBodiesCostWhatIsNear) {
  const int count = 200;
  std::string alone;
  for (int i = 0; i < count; ++i)
    alone += fmt::format("{}f{}: {{between: [floor, s{}]}}", i == 0 ? "" : ", ", i, i);
  const Model few = load_model_text(grid(count, alone), "test.yaml", {}),
              many = load_model_text(grid(count, "all: {among: all}"), "test.yaml", {});
  EXPECT_EQ(many.contacts.size(), static_cast<std::size_t>(count * (count + 1) / 2));
  const Trace with_floor = run(few), with_all = run(many);
  EXPECT_EQ(with_floor.final_q, with_all.final_q);
  EXPECT_EQ(with_all.pairs, std::vector<std::string>{"all"});
  EXPECT_LT(with_all.wall_seconds, 4.0 * with_floor.wall_seconds + 0.1);
  column(with_all, "gap_all");
}

}  // namespace
}  // namespace clack::acceptance
