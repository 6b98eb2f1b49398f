// SPDX-License-Identifier: Apache-2.0
// Polygons as whole runs: the numbers of the guide to polygon contact, section 5, and the events of polygon_dynamics.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "acceptance/run_support.hpp"
#include "clack/json_input.hpp"

namespace clack::acceptance {
namespace {

std::set<std::string> names_in(const Trace& trace, const std::vector<int>& contacts) {
  std::set<std::string> names;
  for (const int c : contacts) names.insert(trace.contacts[c]);
  return names;
}

/// Events of one kind in the order of their times.
std::vector<const TraceEvent*> polygon_events(const Trace& trace, EventKind kind) {
  std::vector<const TraceEvent*> found;
  for (const TraceEvent& event : trace.events)
    if (event.kind == kind) found.push_back(&event);
  return found;
}

struct Case {
  std::string name, file;
  std::vector<Override> overrides;
  double tolerance;  // of times, s
};

/// Impacts and features one after the other: the same instants, the same contacts, up to `count`.
void expect_events(const Case& wanted, std::size_t count) {
  SCOPED_TRACE(wanted.name);
  const auto document = read_json_file(CLACK_SOURCE_DIR "/acceptance/data/polygon_dynamics.json");
  const nlohmann::json* found = nullptr;
  for (const auto& c : document["cases"])
    if (c["name"] == wanted.name) found = &c;
  ASSERT_NE(found, nullptr);
  const Trace trace = run_file("polygons/" + wanted.file, wanted.overrides);
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_LT(trace.energy.ledger_error, 1e-8);
  std::vector<const TraceEvent*> events;
  for (const TraceEvent& event : trace.events)
    if (event.kind == EventKind::impact || event.kind == EventKind::feature)
      events.push_back(&event);
  std::size_t k = 0;
  for (const auto& event : (*found)["events"]) {
    const std::string kind = event["kind"].get<std::string>();
    if (kind != "impact" && kind != "feature") continue;
    if (k == count) break;
    ASSERT_LT(k, events.size());
    const TraceEvent& mine = *events[k];
    SCOPED_TRACE(fmt::format("event {} at {}", k, event["t"].get<double>()));
    ++k;
    EXPECT_EQ(to_string(mine.kind), kind);
    EXPECT_NEAR(mine.t, event["t"].get<double>(), wanted.tolerance);
    std::set<std::string> contacts;
    if (kind == "impact") {
      for (const auto& c : event["contacts"]) contacts.insert(c.get<std::string>());
      const std::set<std::string> took_part = names_in(trace, mine.contacts);
      for (const std::string& c : contacts) EXPECT_TRUE(took_part.contains(c)) << c;
    }
    for (std::size_t i = 0; i < trace.coordinates.size(); ++i) {
      EXPECT_NEAR(value_after(trace, mine.t, trace.coordinates[i]), event["q"][i].get<double>(),
                  1e-8);
      const double speed = event["u"][i].get<double>();
      EXPECT_NEAR(value_after(trace, mine.t, trace.speeds[i]), speed,
                  1e-7 * std::max(1.0, std::abs(speed)));
    }
  }
  EXPECT_EQ(k, count);
}

TEST(Polygons, ASquareLandsFlatSlidesAndStops) {
  expect_events({"square-flat eps 0", "square-flat.yaml", {}, 1e-10}, 1);
  const Trace trace = run_file("polygons/square-flat.yaml");
  const auto stick = polygon_events(trace, EventKind::stick);
  ASSERT_EQ(stick.size(), 1u);
  EXPECT_NEAR(stick[0]->t, 0.339789330615, 1e-10);
  EXPECT_NEAR(final_value(trace, "square.x"), 0.229894665, 1e-8);
}

TEST(Polygons, ASquareThatBouncesFlatBeginsToRock) {
  expect_events(
      {"square-flat eps 0.5", "square-flat.yaml", {{"eps", "0.5"}, {"run.until", "0.545"}}, 1e-9},
      5);
}

TEST(Polygons, TheSecondHitOfABouncingSquareSticksInCompression) {
  const Trace trace =
      run_file("polygons/square-flat.yaml", {{"eps", "0.5"}, {"run.until", "0.41"}});
  const auto impacts = polygon_events(trace, EventKind::impact);
  ASSERT_GE(impacts.size(), 2u);
  EXPECT_NEAR(value_after(trace, impacts[1]->t, "square.angle_dot"), 0.325773009, 1e-8);
}

// With restitution below 1 the knocks accumulate and friction has taken the slip long before: it lies still, flat on the
// ground, and all of its energy but m g a/2 is dissipated.
TEST(Polygons, ASquareThatRocksComesToRest) {
  const Trace trace = run_file("polygons/square-flat.yaml", {{"eps", "0.5"}, {"run.until", "2"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_NEAR(final_value(trace, "square.y"), 0.1, 1e-11);
  EXPECT_NEAR(final_value(trace, "square.angle"), 0.0, 1e-10);
  for (const std::string& speed : trace.speeds) EXPECT_NEAR(final_value(trace, speed), 0.0, 1e-12);
  const double begins = 9.81 * 0.3 + 0.5;  // m g (h0 + a/2) + m vx^2/2
  EXPECT_NEAR(trace.energy.dissipated, begins - 9.81 * 0.1, 1e-9);
  EXPECT_LT(trace.impacts.size(), 300u);
}

TEST(Polygons, ASquareLandsOnOneCornerThenOnTheOther) {
  expect_events({"square-tilted eps 0", "square-tilted.yaml", {}, 1e-10}, 2);
  expect_events({"square-tilted eps 0.5",
                 "square-tilted.yaml",
                 {{"eps", "0.5"}, {"run.until", "0.44"}},
                 1e-9},
                5);
}

// Guide: both corners slide from the second hit on, and stop together.
TEST(Polygons, ASquareThatLandedOnBothCornersSlidesAndStops) {
  const Trace trace = run_file("polygons/square-tilted.yaml");
  const auto stick = polygon_events(trace, EventKind::stick);
  ASSERT_EQ(stick.size(), 1u);
  EXPECT_NEAR(stick[0]->t, 0.338578767770, 1e-10);
  EXPECT_NEAR(final_value(trace, "square.x"), 0.033641577, 1e-8);
}

// Guide: the bounces of the second corner accumulate at 0.456912 and it sticks; slip and the third corner's impact after.
TEST(Polygons, ABouncingCornerComesToRestAndTheSquareTipsOn) {
  const Trace trace = run_file("polygons/square-tilted.yaml", {{"eps", "0.5"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto limits = polygon_events(trace, EventKind::zeno),
             slips = polygon_events(trace, EventKind::slip);
  ASSERT_FALSE(limits.empty());
  ASSERT_FALSE(slips.empty());
  EXPECT_NEAR(limits[0]->t, 0.456912, 1e-6);
  EXPECT_NEAR(slips[0]->t, 0.544255967, 2e-7);
  const auto impacts = polygon_events(trace, EventKind::impact);
  const auto next = std::find_if(impacts.begin(), impacts.end(),
                                 [&](const TraceEvent* e) { return e->t > slips[0]->t; });
  ASSERT_NE(next, impacts.end());
  EXPECT_NEAR((*next)->t, 0.547526653, 2e-7);
  EXPECT_NEAR(final_value(trace, "square.y"), 0.1, 1e-9);  // it lies on the ground, not in it
  EXPECT_NEAR(final_value(trace, "square.angle"), -std::numbers::pi / 2, 1e-9);
}

TEST(Polygons, AnLRocksFromFootToFoot) {
  expect_events({"L-rock left", "l-rock-left.yaml", {}, 1e-9}, 2);
  expect_events({"L-rock right", "l-rock-right.yaml", {}, 1e-9}, 3);
  EXPECT_NEAR(final_value(run_file("polygons/l-rock-left.yaml"), "L.x"), 0.104104155, 1e-8);
  EXPECT_NEAR(final_value(run_file("polygons/l-rock-right.yaml"), "L.x"), -0.198436384, 1e-8);
}

TEST(Polygons, AHookComesDownOverACorner) {
  expect_events({"L-hook", "hook.yaml", {{"run.until", "0.13"}}, 1e-9}, 3);
}

// Guide: two contacts accumulate at 0.1312946 s, both stick from 0.2155892 s on.
TEST(Polygons, AHookJams) {
  const Trace trace = run_file("polygons/hook.yaml", {{"run.until", "0.3"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  const auto impacts = polygon_events(trace, EventKind::impact);
  ASSERT_FALSE(impacts.empty());
  EXPECT_NEAR(impacts.back()->t, 0.1312946, 1e-6);  // both close, for good
  EXPECT_EQ(impacts.back()->contacts.size(), 2u);
  const auto stick = polygon_events(trace, EventKind::stick);
  ASSERT_EQ(stick.size(), 1u);
  EXPECT_NEAR(stick[0]->t, 0.2155892, 1e-6);
  EXPECT_NEAR(final_value(trace, "L.angle"), 3.051098778, 1e-7);
}

// Two corners at a distance d along the guide hold the drawer where 2 mu (arm of the pull) >= d.
TEST(Polygons, ADrawerJamsAtTheFrictionOfTheClosedForm) {
  const double a = 0.15, b = 0.2, w = 0.3, c = 0.001;
  double phi = 0.01;  // w cos(phi) + b sin(phi) = w + 2 c
  for (int k = 0; k < 20; ++k)
    phi -= (w * std::cos(phi) + b * std::sin(phi) - w - 2 * c) /
           (b * std::cos(phi) - w * std::sin(phi));
  const double mu = (b * std::cos(phi) - w * std::sin(phi)) / (2 * a * std::cos(phi));
  const Trace jams = run_file("polygons/drawer.yaml", {{"mu", fmt::format("{:.17g}", 1.001 * mu)}});
  EXPECT_NEAR(final_value(jams, "drawer.y_dot"), 0.0, 1e-12);
  EXPECT_NEAR(final_value(jams, "drawer.angle"), phi, 1e-9);
  const Trace slides =
      run_file("polygons/drawer.yaml", {{"mu", fmt::format("{:.17g}", 0.999 * mu)}});
  // What friction leaves of the pull: F/m (1 - 0.999) over the time of sliding, t - 0.01206 s.
  EXPECT_GT(final_value(slides, "drawer.y_dot"), 0.009);
  EXPECT_LT(jams.energy.ledger_error, 1e-8);
  EXPECT_LT(slides.energy.ledger_error, 1e-8);
}

TEST(Polygons, ARatchetTurnsToothByTooth) {
  expect_events({"ratchet", "ratchet.yaml", {}, 1e-9}, 14);
}

// The pawl's tip and the wheel's take turns; each tooth lets go of the pawl in the same place.
TEST(Polygons, EveryToothOfARatchetIsPassedAlike) {
  const Trace trace = run_file("polygons/ratchet.yaml");
  bool is_first = true;
  for (const TraceEvent* impact : polygon_events(trace, EventKind::impact)) {
    bool has_tip_of_pawl = false, has_tip_of_wheel = false;
    for (const int c : impact->contacts) {
      has_tip_of_pawl |= trace.contacts[c].starts_with("pawl.v3/wheel.");
      has_tip_of_wheel |= trace.contacts[c].ends_with("/pawl.e3");
    }
    EXPECT_EQ(has_tip_of_pawl, is_first) << impact->t;
    EXPECT_EQ(has_tip_of_wheel, !is_first) << impact->t;
    is_first = !is_first;
  }
  const auto features = polygon_events(trace, EventKind::feature);
  ASSERT_EQ(features.size(), 4u);
  const double first = value_after(trace, features[0]->t, "theta");
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(value_after(trace, features[k]->t, "psi"), -0.0826418715, 1e-9);
    EXPECT_NEAR(value_after(trace, features[k]->t, "theta"), first + k * std::numbers::pi / 6,
                1e-9);
  }
}

TEST(Polygons, ALockedRatchetStopsInTheRootOfATooth) {
  expect_events({"ratchet locked", "ratchet-locked.yaml", {}, 1e-9}, 2);
  const Trace trace = run_file("polygons/ratchet-locked.yaml");
  EXPECT_NEAR(final_value(trace, "theta"), 0.00424698, 1e-8);
  EXPECT_NEAR(final_value(trace, "psi"), 0.08445995, 1e-8);
  ASSERT_FALSE(trace.modes.empty());  // two contacts, both stick, for good
  int sticking = 0;
  for (std::size_t c = 0; c < trace.contacts.size(); ++c)
    sticking += trace.modes.back().status_of(static_cast<int>(c)) == ContactStatus::stick ? 1 : 0;
  EXPECT_EQ(sticking, 2);
}

TEST(Polygons, ABoxSlidesOffATable) {
  const Trace trace = run_file("polygons/slide-off.yaml");
  const auto features = polygon_events(trace, EventKind::feature),
             detaching = polygon_events(trace, EventKind::detach);
  ASSERT_EQ(features.size(), 2u);
  ASSERT_EQ(detaching.size(), 1u);
  EXPECT_NEAR(features[0]->t, 0.079670036842, 1e-10);
  EXPECT_NEAR(detaching[0]->t, 0.129918610462, 1e-10);
  EXPECT_NEAR(features[1]->t, 0.207307624438, 1e-10);
  ASSERT_EQ(features[0]->features.size(), 1u);
  EXPECT_EQ(trace.contacts[features[0]->features[0].contact], "box.v1/table.e2");
  EXPECT_EQ(names_in(trace, features[0]->features[0].after),
            std::set<std::string>{"table.v2/box.e0"});
  EXPECT_TRUE(polygon_events(trace, EventKind::impact).empty());
}

// Other programs catch on collinear corners: here nothing but the names of the contacts changes.
TEST(Polygons, ACollinearCornerIsPassedWithoutAChangeOfVelocity) {
  const Trace trace = run_file("polygons/slide-off-split.yaml");
  const auto features = polygon_events(trace, EventKind::feature);
  ASSERT_EQ(features.size(), 4u);
  const double times[] = {0.051988595442, 0.079670036842, 0.096909803492, 0.207307624438};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(features[k]->t, times[k], 1e-10);
  EXPECT_EQ(features[1]->features.size(), 2u);
  EXPECT_TRUE(polygon_events(trace, EventKind::impact).empty());
}

// Closed forms: flight 2 tan(0.1)/9.81 s after the kink, speed cos 0.1 behind the one that turns up.
TEST(Polygons, ATipFliesOverAConvexKinkAndHitsAReflexOne) {
  const Trace down = run_file("polygons/kink-down.yaml");
  const auto features = polygon_events(down, EventKind::feature),
             landing = polygon_events(down, EventKind::impact);
  ASSERT_GE(features.size(), 1u);
  ASSERT_GE(landing.size(), 1u);
  EXPECT_NEAR(features[0]->t, 0.2, 1e-10);
  EXPECT_NEAR(landing[0]->t, 0.2 + 2 * std::tan(0.1) / 9.81, 1e-10);
  const Trace up = run_file("polygons/kink-up.yaml");
  const auto impacts = polygon_events(up, EventKind::impact);
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0]->t, 0.2, 1e-10);
  const double vx = value_after(up, impacts[0]->t, "wedge.x_dot"),
               vy = value_after(up, impacts[0]->t, "wedge.y_dot");
  EXPECT_NEAR(std::hypot(vx, vy), std::cos(0.1), 1e-10);
}

// Guide: brush, all 42 impacts and features of the data up to 11 ms, over walls, edges and corners; the run agrees to 2e-13 s.
// The surface is prescribed, so its motion is bounded by its formula.
TEST(Polygons, ABrushOnARoughSurface) {
  expect_events({"brush", "brush.yaml", {{"run.until", "0.011"}}, 1e-11}, 42);
}

// Guide, section 6: between both walls and the surface the brush is jammed at 11.44 ms. Left and right strike in turn, the
// times between them shrink by two factors, one for each side, whose larger one is about 7; then it comes free again.
TEST(Polygons, ABrushRattlesBetweenItsWallsFasterAndFaster) {
  const Trace trace = run_file("polygons/brush.yaml", {{"run.until", "0.0116"}});
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  std::vector<double> times;
  for (const TraceEvent* event : polygon_events(trace, EventKind::impact))
    if (event->t > 0.0113 && event->t < 0.0114449) times.push_back(event->t);
  ASSERT_GE(times.size(), 5u);
  std::vector<double> factors;
  for (std::size_t k = 2; k < times.size(); ++k)
    factors.push_back((times[k - 1] - times[k - 2]) / (times[k] - times[k - 1]));
  for (std::size_t k = 0; k < factors.size(); ++k) {
    EXPECT_NEAR(factors[k], factors[k % 2], 0.02 * factors[k]);
    if (k % 2 == 0) {
      EXPECT_NEAR(factors[k], 7.17, 0.1);
    }
  }
  EXPECT_LT(trace.energy.ledger_error, 1e-8);
  EXPECT_FALSE(has_flag(trace, "chatter-completed"));
}

// Nothing depends on where the numbering of the vertices begins, or on which body is named first.
TEST(Polygons, EventsDoNotDependOnNumberingOrOrder) {
  const auto times = [](const std::string& square, const std::string& between) {
    const Trace trace = run_text(
        "clack: 1\ngravity: [0, -9.81]\nbodies:\n  s: {mass: 1, inertia: 0.04/6, position: [0, "
        "0.32508566957869456], angle: 0.3, shape: {polygon: [" +
        square +
        "]}}\n  g: {fixed: true, shape: {polygon: [[-10, -1], [10, -1], [10, 0], [-10, 0]]}}\n"
        "contacts: {c: {between: [" +
        between + "], friction: 0.3, restitution: 0.5}}\nrun: {until: 0.44}\n");
    std::vector<double> found;
    for (const TraceEvent& event : trace.events) found.push_back(event.t);
    return found;
  };
  const auto wanted = times("[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]", "s, g");
  for (const auto& [square, between] :
       {std::pair<std::string, std::string>{"[0.1, -0.1], [0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1]",
                                            "s, g"},
        {"[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]", "g, s"},
        {"[-0.1, -0.1], [0, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]", "s, g"}}) {
    const auto found = times(square, between);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-11);
  }
}

// A bullet at 200 m/s against a plate of 1 mm, which it would cross in 5 us: with rk4 in steps of 10 ms it still hits.
TEST(Polygons, NothingTunnelsWhateverTheStep) {
  const std::string bullet = R"(
clack: 1
bodies:
  bullet: {mass: 0.01, inertia: 1.0e-7, position: [-1, 0.1], angle: 0.2, velocity: [200, 0], spin: 30,
           shape: {polygon: [[-0.005, -0.005], [0.005, -0.005], [0.005, 0.005], [-0.005, 0.005]]}}
  plate: {fixed: true, shape: {polygon: [[-0.0005, -0.5], [0.0005, -0.5], [0.0005, 0.5], [-0.0005, 0.5]]}}
contacts: {hit: {between: [bullet, plate]}}
run: {until: 0.02, integrator: INTEGRATOR}
)";
  for (const std::string integrator : {"dop853", "dopri5", "rk4", "cvode"}) {
    SCOPED_TRACE(integrator);
    std::string text = bullet;
    text.replace(text.find("INTEGRATOR"), 10, integrator);
    if (integrator == "rk4") text.replace(text.rfind("}"), 1, ", step: 0.01}");
    const Trace trace = run_text(text);
    const auto impacts = polygon_events(trace, EventKind::impact);
    ASSERT_FALSE(impacts.empty());
    EXPECT_NEAR(impacts[0]->t, 0.004965458706461888, 1e-12);
  }
}

TEST(Polygons, AStartThatOverlapsIsRefusedWithFeaturesAndDepth) {
  try {
    run_file("polygons/square-flat.yaml", {{"h0", "-0.01"}});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("floor (square and ground): penetrates by 0.01 m"),
              std::string::npos)
        << e.what();
    EXPECT_EQ(e.remedy(), "move them apart by 0.01 m");
  }
}

}  // namespace
}  // namespace clack::acceptance
