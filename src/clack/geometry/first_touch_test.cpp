// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/first_touch.hpp"

#include <gtest/gtest.h>

#include "clack/geometry/outline_examples.hpp"
#include "clack/geometry/outline_gap.hpp"
#include "clack/json_input.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using testing::OutlineRandom;
using testing::Polygon;
using testing::rectangle;

FreeFlight flight_of(const nlohmann::json& body) {
  FreeFlight flight;
  const auto number = [&](const char* key, int k) { return body[key][k].get<double>(); };
  flight.position = {number("pose", 0), number("pose", 1)};
  flight.angle = number("pose", 2);
  flight.velocity = {number("vel", 0), number("vel", 1)};
  flight.spin = number("vel", 2);
  flight.acceleration = {number("acc", 0), number("acc", 1)};
  return flight;
}

Outline outline_of(const nlohmann::json& body) {
  Polygon points;
  for (const auto& p : body["poly"]) points.emplace_back(p[0].get<double>(), p[1].get<double>());
  return make_outline(points);
}

double largest_speed(const OutlinePair& pair, const PairBounds& bounds) {
  return bounds.speed + bounds.first_spin * pair.first.radius +
         bounds.second_spin * pair.second.radius;
}

// Twenty motions located by conservative advancement in high precision: bullets through plates, whirling bars, gears.
TEST(FirstTouch, IsThatOfConservativeAdvancement) {
  TreeWorkspace work;
  const auto document =
      read_json_file(CLACK_SOURCE_DIR "/src/clack/geometry/data/first_contact.json");
  for (const auto& wanted : document["cases"]) {
    SCOPED_TRACE(wanted["name"].get<std::string>());
    const Outline a = outline_of(wanted["A"]), b = outline_of(wanted["B"]);
    const OutlinePair pair{a, b};
    const PairTrajectory motion = free_flights(flight_of(wanted["A"]), flight_of(wanted["B"]));
    const double end = wanted["T"].get<double>();
    const TouchSearch search = touch_search(pair, largest_speed(pair, motion.bounds(0.0, end)));
    const FirstTouch found = first_touch(pair, motion, 0.0, end, search, work);
    if (!wanted["contact"].get<bool>()) {
      EXPECT_EQ(found.outcome, TouchOutcome::misses);
      continue;
    }
    ASSERT_EQ(found.outcome, TouchOutcome::touches);
    EXPECT_NEAR(found.t, wanted["t"].get<double>(), 1e-10 * wanted["t"].get<double>());
    ASSERT_FALSE(found.candidates.empty());
    EXPECT_EQ(static_cast<int>(found.candidates.size()), wanted["pairs_at_that_time"].get<int>());
    const Candidate& first = found.candidates[0];
    EXPECT_EQ(first.owner == PairSide::first ? "A" : "B", wanted["vertex_of"].get<std::string>());
    EXPECT_EQ(first.vertex.value, wanted["vertex"].get<int>());
    EXPECT_EQ(first.edge.value, wanted["edge"].get<int>());
  }
}

struct Advancement {
  bool touches = false, is_decided = true;
  double t = 0.0;
};

/// Steps of distance over speed: slow, but nothing can be jumped over.
Advancement advance(const OutlinePair& pair, const PairTrajectory& motion, double end) {
  TreeWorkspace work;
  const double speed = largest_speed(pair, motion.bounds(0.0, end)), close = 1e-9 * pair.size();
  Advancement result;
  PlanarMotion a, b;
  for (int step = 0; step < 20'000; ++step) {
    motion.at(result.t, a, b);
    const double distance = vertex_distance(pair, a.pose, b.pose, work);
    if (distance < close) {
      result.touches = true;
      return result;
    }
    result.t += distance / speed;
    if (result.t > end) return result;
  }
  result.is_decided = false;
  return result;
}

/// Any of the random bodies; with `round` a third of them have round corners, hollows, or are disks and rings.
Outline random_body(OutlineRandom& random, bool is_round) {
  if (!is_round || random.integer(0, 3) == 0) return make_outline(random.any());
  const int kind = random.integer(0, 3);
  std::vector<OutlineLoop> loops(1);
  if (kind == 0) {
    loops[0] = {.kind = LoopKind::circle,
                .points = {{random.uniform(-0.3, 0.3), 0.0}},
                .radius = random.uniform(0.1, 1.0)};
  } else if (kind == 1) {  // an open ring: a rim that another body may get into
    const double r = random.uniform(0.6, 1.2), w = 0.1, a = random.uniform(0.4, 1.2);
    const auto at = [&](double radius, double angle) {
      return Eigen::Vector2d(radius * std::cos(angle), radius * std::sin(angle));
    };
    const double bulge = std::tan((2 * std::numbers::pi - 2 * a) / 4);
    loops[0] = {.points = {at(r + w, a), at(r + w, -a), at(r, -a), at(r, a)},
                .bulges = {bulge, 0.0, -bulge, 0.0}};
  } else {
    loops[0].points = random.convex(random.integer(3, 9));
    for (std::size_t k = 0; k < loops[0].points.size(); ++k)
      loops[0].bulges.push_back(random.uniform(-0.15, 0.9));
  }
  return outline_fault(loops) ? make_outline(random.any()) : make_outline(loops);
}

// The same first contact or the same miss, for convex, star-shaped, needle-like and round bodies that turn with up to
// 1000 rad/s. Both find the instant within what the bodies travel at their gap tolerances.
void expect_no_tunnelling(unsigned seed, int motions, bool is_round) {
  OutlineRandom random(seed);
  TreeWorkspace work;
  int hits = 0, misses = 0;
  for (int k = 0; k < motions; ++k) {
    const Outline a = random_body(random, is_round), b = random_body(random, is_round);
    const OutlinePair pair{a, b};
    FreeFlight first, second;
    for (FreeFlight* body : {&first, &second}) {
      body->position = {random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5)};
      body->angle = random.uniform(-3, 3);
      body->velocity = {random.uniform(-3, 3), random.uniform(-3, 3)};
      body->acceleration = {random.uniform(-1, 1), random.uniform(-1, 1)};
      body->spin = std::pow(10.0, random.uniform(-2, 3)) * (random.integer(0, 1) ? 1 : -1);
    }
    PlanarMotion at_a, at_b;
    const PairTrajectory motion = free_flights(first, second);
    motion.at(0.0, at_a, at_b);
    const PairGap start = signed_gap(pair, at_a.pose, at_b.pose, work);
    if (start.status != PairStatus::disjoint) continue;
    const double end = 1.5;
    const Advancement wanted = advance(pair, motion, end);
    const FirstTouch found =
        first_touch(pair, motion, 0.0, end,
                    touch_search(pair, largest_speed(pair, motion.bounds(0.0, end))), work);
    ASSERT_NE(found.outcome, TouchOutcome::gave_up) << k;
    if (!wanted.is_decided) continue;
    if (!wanted.touches) {
      EXPECT_EQ(found.outcome, TouchOutcome::misses) << k;
      ++misses;
      continue;
    }
    ++hits;
    ASSERT_EQ(found.outcome, TouchOutcome::touches) << k;
    EXPECT_GE(found.t, wanted.t - 1e-12) << k;
    motion.at(0.5 * (found.t + wanted.t), at_a, at_b);  // the last way is short, or slow
    const double between = vertex_distance(pair, at_a.pose, at_b.pose, work);
    EXPECT_TRUE(found.t - wanted.t < 1e-6 || between < 1e-8) << k << " " << found.t - wanted.t;
    motion.at(found.t, at_a, at_b);
    EXPECT_LT(vertex_distance(pair, at_a.pose, at_b.pose, work), 1e-12 * pair.size()) << k;
  }
  EXPECT_GT(hits, 40);
  EXPECT_GT(misses, 15);
}

TEST(FirstTouch, NothingTunnels) { expect_no_tunnelling(29, 200, false); }
TEST(FirstTouch, NothingRoundTunnels) { expect_no_tunnelling(31, 400, true); }

// Saws of 4000 teeth face each other over half of their length: within twice that distance there are more candidates than
// are ever listed. Tips meet tips of the other's line: the upper one comes down by the distance, at t = distance/speed.
TEST(FirstTouch, LongProfilesFarApartNeedNoLongList) {
  testing::Polygon saw{{0.0, -0.1}, {1.0, -0.1}};
  for (int k = 0; k <= 4000; ++k) saw.emplace_back(1.0 - k / 4000.0, k % 2 == 0 ? 0.0 : -1e-3);
  const Outline outline = make_outline(saw);
  const OutlinePair pair{outline, outline};
  FreeFlight first, second;
  second.position = {1.0, 0.5};
  second.angle = std::numbers::pi;
  second.velocity = {0.0, -2.0};
  TreeWorkspace work;
  const FirstTouch touch =
      first_touch(pair, free_flights(first, second), 0.0, 1.0, touch_search(pair, 2.0), work);
  ASSERT_EQ(touch.outcome, TouchOutcome::touches);
  EXPECT_NEAR(touch.t, 0.25, 1e-12);
}

TEST(FirstTouch, BodiesThatTouchAtTheStartCountWhenTheyApproach) {
  TreeWorkspace work;
  const Outline a = make_outline(rectangle(-1, -1, 1, 1));
  const OutlinePair pair{a, a};
  FreeFlight first, second;
  first.position = {0.3, 2.0};
  const auto find = [&](double vy) {
    first.velocity = {0.0, vy};
    const PairTrajectory motion = free_flights(first, second);
    return first_touch(pair, motion, 0.0, 1.0, touch_search(pair, std::abs(vy)), work);
  };
  const FirstTouch approaching = find(-1.0);
  EXPECT_EQ(approaching.outcome, TouchOutcome::touches);
  EXPECT_EQ(approaching.t, 0.0);
  EXPECT_EQ(find(1.0).outcome, TouchOutcome::misses);
}

// Rounding, or drift of the motion before, places bodies that touch a little into each other. However deep within 1e-10
// of the size: what sinks has touched, what rests and is pressed has before it is deeper, what is thrown up lands after
// 2 v/g, what leaves is gone.
TEST(FirstTouch, APairThatBeginsALittleBelowZeroTouchesAsIfItBeganThere) {
  TreeWorkspace work;
  const Outline square = make_outline(rectangle(-1, -1, 1, 1));
  const OutlinePair pair{square, square};
  const double g = 9.81;
  for (const double depth : {0.0, 1e-15, 1e-14, 1e-13, 5e-13, 1e-12, 2e-12, 1e-11, 1e-10}) {
    SCOPED_TRACE(depth);
    const auto find = [&](double vy, double ay, double end) {
      FreeFlight first, second;
      first.position = {0.3, 2.0 - depth};
      first.velocity = {0.0, vy};
      first.acceleration = {0.0, ay};
      return first_touch(pair, free_flights(first, second), 0.0, end,
                         touch_search(pair, std::abs(vy) + std::abs(ay) * end), work);
    };
    const FirstTouch sinking = find(-1.0, -g, 1.0);
    EXPECT_EQ(sinking.outcome, TouchOutcome::touches);
    EXPECT_EQ(sinking.t, 0.0);
    const FirstTouch pressed = find(0.0, -g, 1.0);
    ASSERT_EQ(pressed.outcome, TouchOutcome::touches);
    EXPECT_LT(0.5 * g * pressed.t * pressed.t, 2e-9);
    for (const double v : {1.0, 1e-3}) {
      const FirstTouch thrown = find(v, -g, 1.0);
      ASSERT_EQ(thrown.outcome, TouchOutcome::touches) << v;
      EXPECT_NEAR(thrown.t, 2.0 * v / g, 2.0 * depth / v + 1e-12) << v;
      EXPECT_EQ(thrown.candidates.size(), 2u) << v;
    }
    EXPECT_EQ(find(1.0, 0.0, 1.0).outcome, TouchOutcome::misses);
    EXPECT_EQ(find(0.0, 0.0, 1.0).outcome, TouchOutcome::misses);
  }
}

/// The first touch of random bodies that fly past or into each other, with trees of some leaf size and a skin of so many
/// times its thickness.
std::vector<FirstTouch> touches_with(int leaf, double skin) {
  std::vector<FirstTouch> found;
  OutlineRandom random(47);
  TreeWorkspace work;
  for (int k = 0; k < 150; ++k) {
    const Outline a = make_outline(random.any(), leaf), b = make_outline(random.any(), leaf);
    const OutlinePair pair{a, b};
    FreeFlight first, second;
    first.position = {random.uniform(-2.5, 2.5), 3.0};
    first.velocity = {random.uniform(-1, 1), random.uniform(-4, -1)};
    for (FreeFlight* body : {&first, &second}) {
      body->angle = random.uniform(-3, 3);
      body->spin = std::pow(10.0, random.uniform(-2, 2));
    }
    const PairTrajectory motion = free_flights(first, second);
    TouchSearch search = touch_search(pair, largest_speed(pair, motion.bounds(0.0, 2.0)));
    search.thinnest_skin *= skin;
    found.push_back(first_touch(pair, motion, 0.0, 2.0, search, work));
  }
  return found;
}

TEST(FirstTouch, DoesNotDependOnTheLeavesOfTheTrees) {
  const std::vector<FirstTouch> wanted = touches_with(1, 1.0);
  for (const int leaf : {2, 3, 5, 8, 16}) {
    const std::vector<FirstTouch> found = touches_with(leaf, 1.0);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      EXPECT_EQ(found[k].outcome, wanted[k].outcome) << leaf << " " << k;
      EXPECT_EQ(found[k].t, wanted[k].t) << leaf << " " << k;  // bit for bit
      EXPECT_EQ(found[k].candidates, wanted[k].candidates) << leaf << " " << k;
    }
  }
}

// The skin decides how far a stretch reaches and how long its list is, so rounding differs.
TEST(FirstTouch, DoesNotDependOnTheSkin) {
  const std::vector<FirstTouch> wanted = touches_with(2, 1.0);
  int touching = 0;
  for (const double skin : {0.1, 0.3, 3.0, 10.0, 100.0}) {
    const std::vector<FirstTouch> found = touches_with(2, skin);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      ASSERT_EQ(found[k].outcome, wanted[k].outcome) << skin << " " << k;
      if (wanted[k].outcome != TouchOutcome::touches) continue;
      ++touching;
      EXPECT_NEAR(found[k].t, wanted[k].t, 1e-11 * wanted[k].t) << skin << " " << k;
      EXPECT_EQ(found[k].candidates, wanted[k].candidates) << skin << " " << k;
    }
  }
  EXPECT_GT(touching, 200);
}

// Far above a floor a corner costs nothing: a search looks at what is nearest, not at all that is within reach.
TEST(FirstTouch, WhatManyCornersBehindTheNearestOneCostDoesNotGrowWithThem) {
  TreeWorkspace work;
  const Outline floor = make_outline(rectangle(-3, -1, 3, 0));
  std::vector<int> evaluations;
  for (const int n : {100, 10'000}) {
    Polygon points;
    for (int i = 0; i < n; ++i)
      points.emplace_back(0.2 * std::cos(2 * std::numbers::pi * i / n),
                          0.2 * std::sin(2 * std::numbers::pi * i / n));
    const Outline gon = make_outline(points);
    const OutlinePair pair{gon, floor};
    FreeFlight body, ground;  // down to 0.1 m above the floor and up again
    body.position = {0.0, 0.8};
    body.velocity = {0.0, -2.0};
    body.acceleration = {0.0, 4.0};
    body.spin = 3.0;
    int asked = 0;
    PairTrajectory motion = free_flights(body, ground);
    const auto at = motion.at;
    motion.at = [&](double t, PlanarMotion& a, PlanarMotion& b) {
      ++asked;
      at(t, a, b);
    };
    const FirstTouch found = first_touch(pair, motion, 0.0, 1.0, touch_search(pair, 3.0), work);
    EXPECT_EQ(found.outcome, TouchOutcome::misses);
    evaluations.push_back(asked);
  }
  EXPECT_LT(evaluations[1], 1.5 * evaluations[0]);
}

}  // namespace
}  // namespace clack
