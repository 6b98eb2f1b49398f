// SPDX-License-Identifier: Apache-2.0
// The executor's parts alone: accumulations, admissible forces, drift.
#include <gtest/gtest.h>

#include <random>

#include "clack/hybrid/accumulation.hpp"
#include "clack/hybrid/admissible_forces.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/model/reader.hpp"

#include "clack/hybrid/fixed_contacts.hpp"

namespace clack {
namespace {

using testing::fixed_contacts;

// -------------------------------------------------------------------------------------------------------
// accumulation

Knock knock(double t, std::initializer_list<int> contacts, double speed, double loss = 0.0) {
  Knock made{.t = t, .contacts = fixed_contacts(contacts), .speed = speed, .loss = loss};
  made.slip.assign(contacts.size(), 0.0);
  return made;
}

TEST(AccumulationPart, SumsTheGeometricSeriesOfOneContact) {
  for (const double ratio : {0.1, 0.5, 0.9}) {
    Accumulation accumulation{Tolerances{}};
    double t = 0.0, flight = 1e-6, speed = 1e-6;  // 1 kg: it loses (1 - e²) v²/2
    std::optional<Accumulation::Completion> completion;
    for (int n = 0; n < 200 && !completion; ++n) {
      accumulation.add(knock(t, {3}, speed, 0.5 * speed * speed * (1 - ratio * ratio)));
      completion = accumulation.completed();
      if (completion) break;
      t += flight;
      flight *= ratio;
      speed *= ratio;
    }
    ASSERT_TRUE(completion.has_value()) << ratio;
    EXPECT_NEAR(completion->time, 1e-6 / (1 - ratio), 1e-18) << ratio;
    const double hop = ratio * speed;  // what is left is the energy of the last hop
    EXPECT_NEAR(completion->energy, 0.5 * hop * hop, 1e-12 * hop * hop) << ratio;
    EXPECT_EQ(completion->contacts, fixed_contacts({3}));
  }
}

TEST(AccumulationPart, RecognisesARockingPairWithUnequalHalves) {
  Accumulation accumulation{Tolerances{}};
  double t = 0.0, flight = 1e-7;
  std::optional<Accumulation::Completion> completion;
  for (int n = 0; n < 40 && !completion; ++n) {
    accumulation.add(knock(t, {n % 2 == 0 ? 1 : 4}, 1e-2 * flight));
    completion = accumulation.completed();
    if (!completion) t += flight * (n % 2 == 0 ? 1.0 : 0.3);
    if (n % 2 == 1) flight *= 0.26;
  }
  ASSERT_TRUE(completion.has_value());
  EXPECT_EQ(completion->contacts, fixed_contacts({1, 4}));
  EXPECT_NEAR(completion->ratio, 0.26, 1e-6);
  EXPECT_NEAR(completion->time, 1e-7 * 1.3 / (1 - 0.26), 1e-16);
}

TEST(AccumulationPart, SmallImpactsThatNeverFadeAreChatter) {
  Tolerances tolerances;
  tolerances.chatter = 20;
  Accumulation accumulation{tolerances};
  double t = 1.0;
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(accumulation.completed()) << i;
    t += 1e-8 * (1.0 + 0.3 * (i % 3));
    accumulation.add(knock(t, {i % 2, 5}, 1e-7));
  }
  const auto completion = accumulation.completed();
  ASSERT_TRUE(completion);
  EXPECT_EQ(completion->time, t);
  EXPECT_EQ(completion->ratio, 1.0);
  EXPECT_EQ(completion->contacts, fixed_contacts({0, 1, 5}));
  accumulation.add(knock(t + 1e-8, {1}, 1e-3));  // a loud one breaks the row
  EXPECT_FALSE(accumulation.completed());
}

TEST(AccumulationPart, FastEqualOrGrowingImpactsAreNoAccumulation) {
  const auto completes = [](double ratio, double speed, double speed_ratio = 0.5) {
    Accumulation accumulation{Tolerances{}};
    double t = 0.0, flight = 1e-3;
    for (int n = 0; n < 10; ++n) {
      accumulation.add(knock(t, {0}, speed));
      if (accumulation.completed()) return true;
      t += flight;
      flight *= ratio;
      speed *= speed_ratio;
    }
    return false;
  };
  EXPECT_TRUE(completes(0.5, 1e-9));
  EXPECT_FALSE(completes(0.5, 1e-2)) << "still fast";
  EXPECT_FALSE(completes(0.5, 1e-9, 1.0)) << "shorter flights, but no slower";
  EXPECT_FALSE(completes(1.0, 1e-9)) << "equal flights (a pendulum at the wall)";
  EXPECT_FALSE(completes(1.2, 1e-9)) << "growing flights";
}

TEST(AccumulationPart, EveryImpactOfThePatternMustBeSlow) {
  Accumulation accumulation{Tolerances{}};
  double t = 0.0, flight = 1e-3, speed = 1e-4;
  for (int n = 0; n < 20; ++n) {  // one end of a rod hits hard, the other hardly
    accumulation.add(knock(t, {n % 2}, n % 2 == 0 ? speed : 1e-6 * speed));
    EXPECT_FALSE(accumulation.completed()) << n;
    t += flight;
    flight *= 0.9;
    speed *= 0.95;
  }
}

TEST(AccumulationPart, OnlySlipsThatShrinkWithThePatternVanishWithIt) {
  Accumulation accumulation{Tolerances{}};
  double t = 0.0, flight = 1e-6, speed = 1e-7;
  std::optional<Accumulation::Completion> completion;
  for (int n = 0; n < 20 && !completion; ++n) {
    Knock both = knock(t, {2, 3}, speed);
    both.slip = {0.3 * speed, 0.7 - speed};  // of a rocking foot, of a ball that slides
    accumulation.add(both);
    completion = accumulation.completed();
    t += flight;
    flight *= 0.5;
    speed *= 0.5;
  }
  ASSERT_TRUE(completion);
  EXPECT_EQ(completion->at_rest, fixed_contacts({2}));
}

// ---------------------------------------------------------------------------------------------------
// admissible forces

TEST(AdmissibleMargin, IsTheLargestMinimumOverAllDistributionsUnlessTheForcesHoldAsTheyAre) {
  // Two sticking contacts with one free distribution z; brute force over z on a fine grid.
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const ModeShape shape{.speeds = 3,
                        .tangents = 1,
                        .constraint_rows = 0,
                        .statuses = {ContactStatus::stick, ContactStatus::stick},
                        .friction = {0.3, 0.3},
                        .slip_direction = {0.0, 0.0},
                        .slip_floor = 0.0,
                        .rank_cutoff = 0.0};
  const std::array<double, 2> friction = {0.3, 0.6};
  for (int round = 0; round < 100; ++round) {
    ModeForces forces;
    forces.normal_force = Eigen::Vector2d(2 + number(random), 2 + number(random));
    forces.friction_force = Eigen::Vector2d(number(random), number(random));
    forces.is_hyperstatic = true;
    forces.null_forces = Eigen::Vector4d(0, 0, 1, -1) * std::sqrt(0.5);
    if (round % 2 == 1) forces.null_forces = Eigen::Vector4d(0.6, -0.6, 0.2, 0.4);
    double best = -1e300, as_they_are = 0.0;
    for (int k = -200000; k <= 200000; ++k) {
      const double z = k * 5e-5;
      double lowest = 1e300;
      for (int i = 0; i < 2; ++i) {
        const double normal = forces.normal_force[i] + z * forces.null_forces(i, 0);
        const double tangent = forces.friction_force[i] + z * forces.null_forces(2 + i, 0);
        lowest = std::min({lowest, normal, friction[i] * normal - std::abs(tangent)});
      }
      best = std::max(best, lowest);
      if (k == 0) as_they_are = lowest;
    }
    const double margin = admissible_margin(forces, shape, friction);
    EXPECT_NEAR(margin, as_they_are > 0.0 ? as_they_are : best, 1e-4);
    EXPECT_EQ(margin > 0.0, best > 0.0);
  }
}

TEST(AdmissibleMargin, OfUniqueForcesIsTheirSmallestReserve) {
  const ModeShape shape{.speeds = 3,
                        .tangents = 1,
                        .constraint_rows = 0,
                        .statuses = {ContactStatus::stick, ContactStatus::slip},
                        .friction = {0.3, 0.3},
                        .slip_direction = {0.0, 1.0},
                        .slip_floor = 0.0,
                        .rank_cutoff = 0.0};
  ModeForces forces;
  forces.normal_force = Eigen::Vector2d(2.0, 5.0);
  forces.friction_force = Eigen::Vector2d(-0.5, -1.5);
  const std::array<double, 2> friction = {0.4, 0.4};
  EXPECT_NEAR(admissible_margin(forces, shape, friction), 0.4 * 2 - 0.5, 1e-15);
  EXPECT_NEAR(stick_reserve(forces, 1, 0, 0.4), 0.3, 1e-15);
}

// ----------------------------------------------------------------------------------------------------------------
// drift

const char* const drifting = R"(clack: 1
coordinates: {x: 0.6, y: 0.8}
mass_matrix: [[2, 0], [0, 5]]
force: [0, 0]
constraints: {circle: {configuration: x^2 + y^2 - 1}}
contacts: {floor: {gap: y - 0.5*x, slip: x_dot + 0.5*y_dot, friction: 0.3}}
)";

TEST(DriftPart, ProjectionsBringPositionsAndSpeedsBackToTheConstraint) {
  const Model model = read_model_text(drifting, "test.yaml");
  const auto mechanism = make_mechanism(model);
  const auto evaluator = mechanism->evaluator({{}, {0}});
  Snapshot s(2, 1, 0, 1);
  Eigen::Vector2d q(0.6 + 1e-4, 0.8 - 3e-4), v(0.7, 0.2);
  evaluator->evaluate(0.0, q.data(), v.data(), s);
  EXPECT_NEAR(drift_of(s, {}).position, std::abs(q.squaredNorm() - 1), 1e-15);
  EXPECT_NEAR(drift_of(s, {}).velocity, std::abs(2 * q.dot(v)), 1e-15);
  const Eigen::VectorXd shift = position_correction(s);
  // Smallest in the kinetic metric: M shift is parallel to the row (2x, 2y).
  EXPECT_NEAR(2 * shift[0] * q[1] - 5 * shift[1] * q[0], 0.0, 1e-16);
  q += shift;
  EXPECT_LT(std::abs(q.squaredNorm() - 1),
            1e-6);  // first order: the square of the correction is left
  evaluator->evaluate(0.0, q.data(), v.data(), s);
  const Eigen::VectorXd change = velocity_correction(s, {});
  EXPECT_NEAR(q.dot(v + change), 0.0, 1e-15);
  EXPECT_NEAR(2 * change[0] * q[1] - 5 * change[1] * q[0], 0.0, 1e-14);
}

TEST(DriftPart, SlipCountsOnlyWhereTheContactSticks) {
  const Model model = read_model_text(drifting, "test.yaml");
  const auto mechanism = make_mechanism(model);
  Snapshot s(2, 1, 1, 0);
  const Eigen::Vector2d q(1.0, 0.5), v(2.0, 1.0);
  mechanism->evaluator({fixed_contacts({0}), {}})->evaluate(0.0, q.data(), v.data(), s);
  EXPECT_NEAR(drift_of(s, {false}).velocity, 0.0, 1e-15);
  EXPECT_NEAR(drift_of(s, {true}).velocity, 2.5, 1e-15);
  const Eigen::Vector2d after = v + velocity_correction(s, {true});
  EXPECT_LT(after.norm(), 1e-14);
  EXPECT_LT(velocity_correction(s, {false}).norm(), 1e-14);
}

// A ball that is thrown up with 2 m/s is highest once, after v/g = 0.2 s, whatever else is watched there.
TEST(RunPart, AnEventOnASpeedHappensOnceWhereTheSpeedVanishes) {
  const std::string ball =
      "clack: 1\nname: ball\ndimension: 2\ngravity: [0, -10]\ncoordinates: {y: {start: 0, rate: "
      "2}}\n"
      "bodies: {ball: {mass: 1, position: [0, y]}}\nrun: {until: 0.3, theory: newton}\nevents:\n"
      "  - {name: top, when: y_dot, direction: falling, do: record}\n  - {name: top-again, when: "
      "2*y_dot, do: record}\n";
  const Trace trace = run(load_model_text(ball, "m.yaml"));
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  std::vector<std::string> labels;
  for (const TraceEvent& event : trace.events)
    if (!event.label.empty()) {
      labels.push_back(event.label);
      EXPECT_NEAR(event.t, 0.2, 1e-12);
    }
  std::ranges::sort(labels);
  EXPECT_EQ(labels, (std::vector<std::string>{"top", "top-again"}));
}

// y - A sin(w t) is known to the rounding of t only, after minutes to 1e-13 m. In every period the table throws the ball a little, which chatters to
// rest again; the last knocks are lower than that rounding.
TEST(RunPart, ABallChattersToRestOnAVibratingTableAfterMinutes) {
  const Model model =
      load_model(CLACK_SOURCE_DIR "/models/vibrating-table/ball.yaml",
                 {{"G", "1.3"}, {"e", "0.3"}, {"y_dot_0", "G*g/w"}, {"run.until", "300"}});
  const Trace trace = run(model);
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_GE(std::ranges::count(trace.events, EventKind::zeno, &TraceEvent::kind), 290);
}

}  // namespace
}  // namespace clack
