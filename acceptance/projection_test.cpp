// SPDX-License-Identifier: Apache-2.0
// Runs of the models in models/projection against closed forms (docs/theories/projection.md,
// sections 4 and 5; numbers of its 40-digit oracle).
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <nlohmann/json.hpp>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

constexpr double projection_gravity = 9.81;

std::string projection_model_text(const std::string& name) {
  std::ifstream stream(model_path("projection/" + name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string with_replaced(std::string text, const std::string& old, const std::string& fresh) {
  const auto at = text.find(old);
  if (at == std::string::npos) throw std::runtime_error("not in the model: " + old);
  return text.replace(at, old.size(), fresh);
}

std::string with_policies(const std::string& name, const std::string& policies) {
  return with_replaced(projection_model_text(name), "run: {", "policies: " + policies + "\nrun: {");
}

double change_of(const TraceImpact& impact) { return impact.energy_after - impact.energy_before; }

void expect_velocity(const TraceImpact& impact, const std::vector<double>& expected,
                     double tolerance) {
  ASSERT_EQ(impact.v_after.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(impact.v_after[i], expected[i], tolerance) << "speed " << i;
}

// EX1 with what follows: a frictionless bounce keeps the period of a ball under g cos 30 across the
// plane, each rebound e times the one before; along the plane the motion is uniformly accelerated.
TEST(ProjectionRuns, MassOnAnInclineBouncesWithGeometricPeriodsDownThePlane) {
  const Trace trace = run_file("projection/incline-mass.yaml");
  ASSERT_EQ(trace.impacts.size(), 6u);
  expect_velocity(trace.impacts[0], {-1.7882685902179845, 1.8294228634059948}, 1e-12);
  EXPECT_NEAR(trace.impacts[0].normal_impulse[0], 11.153074360871939, 1e-12);
  EXPECT_NEAR(change_of(trace.impacts[0]), -3.455307436087193, 1e-12);
  const double across = projection_gravity * std::sqrt(3.0) / 2, along = -projection_gravity / 2;
  double speed = 0.8 * (0.5 + 1.5 * std::sqrt(3.0)), t = 0.0;
  for (std::size_t k = 1; k < trace.impacts.size(); ++k) {
    t += 2 * speed / across;
    EXPECT_NEAR(trace.impacts[k].t, t, 1e-9);
    EXPECT_NEAR(trace.impacts[k].normal_impulse[0], 2 * (1 + 0.8) * speed, 1e-8);
    speed *= 0.8;
  }
  const double left = 2.0 - t, rise = speed * left - across * left * left / 2,
               run = (std::sqrt(3.0) / 2 - 1.5) * 2.0 + along * 2.0;
  EXPECT_NEAR(final_value(trace, "x"), std::sqrt(3.0) / 2 * run - 0.5 * rise, 1e-8);
  EXPECT_NEAR(final_value(trace, "y"), 0.5 * run + std::sqrt(3.0) / 2 * rise, 1e-8);
}

// EX2: energy and momentum are kept, but the contacts share them.
TEST(ProjectionRuns, CradleHitAtOnceSharesAndOneByOneSendsTheLastBall) {
  const Trace full = run_file("projection/cradle.yaml");
  ASSERT_EQ(full.impacts.size(), 1u);
  expect_velocity(full.impacts[0], {-1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-13);
  EXPECT_NEAR(full.impacts[0].normal_impulse[0], 4.0 / 3, 1e-13);
  EXPECT_NEAR(full.impacts[0].normal_impulse[1], 2.0 / 3, 1e-13);
  EXPECT_NEAR(change_of(full.impacts[0]), 0.0, 1e-13);
  EXPECT_NEAR(final_value(full, "q1"), -1.0 / 3, 1e-12);
  EXPECT_NEAR(final_value(full, "q3"), 2.0 / 3, 1e-12);

  const Trace half = run_file("projection/cradle.yaml", {{"e", "0.5"}});
  expect_velocity(half.impacts.at(0), {0, 0.5, 0.5}, 1e-13);
  EXPECT_NEAR(change_of(half.impacts[0]), -0.25, 1e-13);
  const Trace none = run_file("projection/cradle.yaml", {{"e", "0"}});
  expect_velocity(none.impacts.at(0), {1.0 / 3, 1.0 / 3, 1.0 / 3}, 1e-13);
  EXPECT_NEAR(change_of(none.impacts[0]), -1.0 / 3, 1e-13);

  const Trace sequential = run_text(with_policies("cradle.yaml", "{simultaneous: false}"));
  EXPECT_NEAR(final_value(sequential, "q1_dot"), 0.0, 1e-13);
  EXPECT_NEAR(final_value(sequential, "q2_dot"), 0.0, 1e-13);
  EXPECT_NEAR(final_value(sequential, "q3_dot"), 1.0, 1e-13);
}

// EX3: stance held twice (rank 4 of 5), swing foot with restitution e and grip.
TEST(ProjectionRuns, BipedClosesItsLoopWithARedundantStance) {
  const Trace plastic = run_file("projection/biped.yaml", {{"e", "0"}});
  ASSERT_GE(plastic.impacts.size(), 1u);
  expect_velocity(plastic.impacts[0], {0, 0, 0, -2.2393403482430876, 0}, 1e-11);
  EXPECT_NEAR(change_of(plastic.impacts[0]), -6.2626513246599735, 1e-11);
  EXPECT_EQ(plastic.status, RunStatus::done);
  EXPECT_EQ(status_after(plastic, 0.1, "swing") == ContactStatus::open, false);
  // Closed, the chain is a fixed triangle with the torso as a pendulum on the hip:
  // th2'' = 3 g sin(th2)/(2 l2).
  const double energy_start =
      0.5 * std::pow(2.2393403482430876, 2) + 1.5 * projection_gravity / 0.8 * std::cos(-0.1);
  const double rate = final_value(plastic, "th2_dot"), angle = final_value(plastic, "th2");
  EXPECT_NEAR(0.5 * rate * rate + 1.5 * projection_gravity / 0.8 * std::cos(angle), energy_start,
              1e-8);
  EXPECT_NEAR(final_value(plastic, "th1"), -0.25, 1e-12);
  EXPECT_NEAR(final_value(plastic, "th3"), 0.25, 1e-12);

  const Trace bounce = run_file("projection/biped.yaml");
  expect_velocity(bounce.impacts.at(0), {0, 0, 0.24, -2.6842873333143067, 0.24}, 1e-11);
  EXPECT_NEAR(change_of(bounce.impacts[0]), -5.995375895223318, 1e-11);
  EXPECT_NEAR(bounce.impacts[0].normal_impulse[0], 25.77183014279362, 1e-10);
  ASSERT_EQ(events_of(bounce, EventKind::zeno, "swing").size(), 1u);
  EXPECT_LT(bounce.energy.ledger_error, 1e-9);
}

// The stance would have to pull (-18.18 N s): as a contact it lets go, and x, held by friction
// there, goes with it.
TEST(ProjectionRuns, BipedStanceThatCanLiftLetsGo) {
  std::string text = with_replaced(projection_model_text("biped.yaml"),
                                   "  stance: {configuration: [x, y, y]}\n", "");
  text = with_replaced(text, "contacts:\n",
                       "contacts:\n  heel: {gap: y, restitution: 0}\n"
                       "  toe: {gap: y, restitution: 0}\n");
  const Trace trace = run_text(text);
  ASSERT_GE(trace.impacts.size(), 1u);
  expect_velocity(trace.impacts[0],
                  {0.3978576309612555, 0.3040754158207158, -0.16922078322583875,
                   -1.2402771072047056, -0.5798436858188569},
                  1e-11);
  EXPECT_NEAR(change_of(trace.impacts[0]), -3.4080308132288892, 1e-11);
  EXPECT_EQ(status_after(trace, 0.0, "heel"), ContactStatus::open);
  EXPECT_EQ(status_after(trace, 0.0, "toe"), ContactStatus::open);
}

// EX4.
TEST(ProjectionRuns, BlockWithUnequalRestitutionActsWithOneCornerOnly) {
  const Trace trace = run_file("projection/block.yaml");
  ASSERT_GE(trace.impacts.size(), 1u);
  expect_velocity(trace.impacts[0], {0, 0.9384615384615385, -0.1230769230769231}, 1e-12);
  EXPECT_NEAR(trace.impacts[0].normal_impulse[0], 1.5384615384615385, 1e-12);
  EXPECT_EQ(trace.impacts[0].normal_impulse[1], 0.0);
  EXPECT_NEAR(change_of(trace.impacts[0]), 0.0, 1e-12);
  for (const TraceImpact& impact : trace.impacts) EXPECT_LE(change_of(impact), 1e-12);
  EXPECT_FALSE(has_flag(trace, "energy-gain"));
}

TEST(ProjectionRuns, BlockInClosedFormIsRefusedAllowedOrProjectedAsThePolicySays) {
  try {
    (void)run_text(with_policies("block.yaml", "{projection: closed-form}"));
    FAIL() << "inconsistent restitution was accepted";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("t_max = 0.842650088"), std::string::npos) << what;
    EXPECT_NE(what.find("(0.85378"), std::string::npos) << what;
  }
  const Trace allowed =
      run_text(with_policies("block.yaml", "{projection: closed-form, inconsistent: allow}"));
  expect_velocity(allowed.impacts.at(0), {0, 0.5, -1.0}, 1e-12);
  EXPECT_NEAR(allowed.impacts[0].normal_impulse[0], 2.05, 1e-12);
  EXPECT_NEAR(allowed.impacts[0].normal_impulse[1], -0.95, 1e-12);
  EXPECT_NEAR(change_of(allowed.impacts[0]), 0.095, 1e-12);
  for (const char* flag : {"energy-gain", "negative-impulse", "restitution-inconsistent"})
    EXPECT_TRUE(has_flag(allowed, flag)) << flag;
  EXPECT_NEAR(allowed.energy.work_of_impacts, 0.095, 1e-9);  // the gain is booked, not hidden

  const Trace projected =
      run_text(with_policies("block.yaml", "{projection: closed-form, inconsistent: project}"));
  // A v+ = -E A v- with the nearest consistent E: the right gap rate was -0.2, the left one -1.
  const std::vector<double>& v = projected.impacts.at(0).v_after;
  EXPECT_NEAR(v[1] - 0.5 * v[2], 0.8537863888586749, 1e-6);
  EXPECT_NEAR(v[1] + 0.5 * v[2], 0.2 * 0.0396935645143621, 1e-6);
  EXPECT_LE(change_of(projected.impacts[0]), 1e-12);
}

TEST(ProjectionRuns, InconsistentClosedFormEndsTheProgramWithTwoAndCheckNamesTheNearest) {
  const ProgramFolder folder;
  folder.write("block.yaml", with_policies("block.yaml", "{projection: closed-form}"));
  const auto refused = folder.clack("run block.yaml");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("t_max"), std::string::npos) << refused.errors;
  EXPECT_NE(refused.errors.find("(block.yaml)\nhelp: "), std::string::npos) << refused.errors;
  const auto agreeing =
      folder.clack("check block.yaml");  // refuses what `run` refuses, in the same words
  EXPECT_EQ(agreeing.exit_code, 2);
  EXPECT_NE(agreeing.errors.find("t_max = 0.84265"), std::string::npos) << agreeing.errors;
  const auto checked = folder.clack("check " CLACK_SOURCE_DIR
                                    "/models/projection/block.yaml --set e1=1 --set e2=0 --json");
  ASSERT_EQ(checked.exit_code, 0) << checked.errors;
  const auto found = nlohmann::json::parse(checked.output).at("restitution");
  EXPECT_FALSE(found.at("consistent").get<bool>());
  EXPECT_NEAR(found.at("t_max").get<double>(), 0.8426500884694862, 1e-11);
  EXPECT_NEAR(found.at("nearest").at(0).get<double>(), 0.8537863888586749, 1e-9);
  EXPECT_NEAR(found.at("nearest").at(1).get<double>(), 0.0396935645143621, 1e-9);
  EXPECT_EQ(found.at("contacts"), nlohmann::json({"left", "right"}));
  const auto text = folder.clack("check " CLACK_SOURCE_DIR
                                 "/models/projection/block.yaml --set e1=0.9 --set e2=0.2");
  EXPECT_NE(text.output.find("INCONSISTENT"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("nearest consistent left 0.892607, right 0.201566"), std::string::npos)
      << text.output;
  const auto safe = folder.clack("check block.yaml --set e1=0.8 --set e2=e1");
  EXPECT_EQ(safe.exit_code, 0) << safe.errors;
  EXPECT_NE(safe.output.find("t_max 1.25 (largest factor that is safe)"), std::string::npos)
      << safe.output;
  const auto cradle = folder.clack("check '" + model_path("projection/cradle.yaml") + "' --json");
  EXPECT_TRUE(nlohmann::json::parse(cradle.output).at("restitution").at("consistent").get<bool>());
}

// EX5.
TEST(ProjectionRuns, ThreeFeetHitWithTheMiddleOneOrShareTheErrorInClosedForm) {
  const Trace trace = run_file("projection/three-feet.yaml");
  ASSERT_EQ(trace.impacts.size(), 1u);
  expect_velocity(trace.impacts[0], {0, 0.9, 0.2}, 1e-12);
  EXPECT_EQ(trace.impacts[0].normal_impulse[0], 0.0);
  EXPECT_NEAR(trace.impacts[0].normal_impulse[1], 1.9, 1e-12);
  EXPECT_EQ(trace.impacts[0].normal_impulse[2], 0.0);
  EXPECT_NEAR(change_of(trace.impacts[0]), -0.095, 1e-12);
  const Trace least = run_text(with_policies("three-feet.yaml", "{projection: closed-form}"));
  expect_velocity(least.impacts.at(0), {0, 0.49333333333333333, 0.14}, 1e-12);
  EXPECT_NEAR(change_of(least.impacts[0]), -0.3868111111111111, 1e-12);
  EXPECT_TRUE(has_flag(least, "restitution-least-squares"));
}

// EX6: energy and the angular momentum about the vertical are kept, the rod keeps its length.
TEST(ProjectionRuns, SphericalPendulumKeepsEnergyAndVerticalAngularMomentum) {
  const Trace trace = run_file("projection/spherical-pendulum.yaml");
  const double energy = 0.5 * (0.64 + 0.25 + 0.36) - 0.8 * projection_gravity, momentum = 0.6 * 0.5;
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const auto at = [&](const char* name) { return at_row(trace, row, name); };
    const double x = at("x"), y = at("y"), z = at("z");
    EXPECT_NEAR(x * x + y * y + z * z, 1.0, 1e-9);
    EXPECT_NEAR(at("total"), energy, 1e-9);
    EXPECT_NEAR(x * at("y_dot") - y * at("x_dot"), momentum, 1e-9);
  }
  EXPECT_GT(trace.row_count(), 900u);
}

/// Minimum-norm leg forces A (A^T A)^-1 (m g, 0, 0) of a table with its mass centre off by dx, dy; where a leg would
/// have to pull the other three carry it alone, and their forces are unique.
Eigen::Vector4d least_leg_forces(double dx, double dy) {
  const double a = 0.6, b = 0.4;
  Eigen::Matrix<double, 4, 3> rows;
  rows << 1, -b - dy, a + dx, 1, -b - dy, -(a - dx), 1, b - dy, -(a - dx), 1, b - dy, a + dx;
  const Eigen::Vector3d load(10 * projection_gravity, 0, 0);
  const Eigen::Vector4d least = rows * (rows.transpose() * rows).ldlt().solve(load);
  int lifted = 0;
  if (least.minCoeff(&lifted) >= 0.0) return least;
  rows.row(lifted).setZero();
  return rows * (rows.transpose() * rows).ldlt().solve(load);
}

TEST(ProjectionRuns, TableStandsOnFourLegsWithTheSmallestForcesThatDoNotPull) {
  for (const auto& [dx, dy] : {std::pair{0.15, -0.05}, {0.45, 0.3}}) {
    const Trace trace = run_file("projection/table.yaml", {{"dx", exact(dx)}, {"dy", exact(dy)}});
    ASSERT_EQ(trace.impacts.size(), 1u);
    EXPECT_NEAR(trace.impacts[0].t, std::sqrt(2 * 0.05 / projection_gravity), 1e-9);
    EXPECT_TRUE(has_flag(trace, "hyperstatic"));
    const Eigen::Vector4d expected = least_leg_forces(dx, dy);
    const std::size_t last = trace.row_count() - 1;
    const char* legs[] = {"A", "B", "C", "D"};
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(at_row(trace, last, std::string("normal_") + legs[i]), expected[i], 1e-9);
      EXPECT_NEAR(at_row(trace, last, std::string("gap_") + legs[i]), 0.0, 1e-12);
    }
    EXPECT_NEAR(final_value(trace, "z_dot"), 0.0, 1e-12);  // accelerations are unique: none
    EXPECT_NEAR(final_value(trace, "roll_dot"), 0.0, 1e-12);
    EXPECT_NEAR(final_value(trace, "pitch_dot"), 0.0, 1e-12);
  }
  // The second load lies inside the square of the legs, where pushing forces exist, though the
  // minimum-norm ones pull at one leg.
  EXPECT_EQ(least_leg_forces(0.45, 0.3).minCoeff(), 0.0);
}

TEST(ProjectionRuns, TableTipsWhenItsMassCentreIsOutsideTheLegs) {
  const Trace trace = run_file("projection/table.yaml", {{"dx", "0.7"}});
  EXPECT_EQ(status_after(trace, 0.2, "A"), ContactStatus::open);
  EXPECT_EQ(status_after(trace, 0.2, "D"), ContactStatus::open);
  EXPECT_NE(status_after(trace, 0.2, "B"), ContactStatus::open);
  // Turning about the edge BC, at 0.1 m from the mass centre: pitch'' = m g 0.1/(m a^2/3 + m
  // 0.1^2).
  const double bend = projection_gravity * 0.1 / (0.36 / 3 + 0.01);
  const double t = trace.final_time - trace.impacts.at(0).t;
  EXPECT_NEAR(final_value(trace, "pitch_dot"), trace.impacts[0].v_after[2] + bend * t, 1e-8);
}

// The formulation is an equality: with sliding friction it has no answer, and says which has.
TEST(ProjectionRuns, SlidingFrictionIsRefusedWhereItBegins) {
  Model model = read_model(model_path("slide-to-roll/slide-to-roll.yaml"));
  model.run.formulation = "projection";
  const Trace trace = run(model);
  EXPECT_EQ(trace.status, RunStatus::stopped);
  EXPECT_NE(trace.reason.find("delassus"), std::string::npos) << trace.reason;
}

}  // namespace
}  // namespace clack::acceptance
