// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "clack/clack.hpp"
#include "clack/input_file.hpp"

namespace clack {
namespace {

Map ball_model() {
  return Map{
      {"clack", 1},
      {"gravity", List{0, -9.81}},
      {"bodies", Map{{"ball", Map{{"mass", 1},
                                  {"inertia", 0.1},
                                  {"position", List{0, 1.1}},
                                  {"shape", Map{{"disk", Map{{"radius", 0.1}}}}}}},
                     {"floor", Map{{"fixed", true},
                                   {"shape", Map{{"half-plane", Map{{"normal", List{0, 1}}}}}}}}}},
      {"contacts", Map{{"floor", Map{{"between", List{"ball", "floor"}}, {"restitution", 0.5}}}}},
      {"run", Map{{"until", 1}}}};
}

// Free fall through 1 m: t = sqrt(2/g).
TEST(BuiltModel, FallsLikeTheOneOfAFile) {
  const Trace trace = run(build_model(ball_model()));
  ASSERT_FALSE(trace.impacts.empty());
  EXPECT_NEAR(trace.impacts[0].t, std::sqrt(2.0 / 9.81), 1e-12);
  const Model again = load_model_text(build_model(ball_model()).resolved_yaml, "again");
  EXPECT_EQ(run(again).rows, trace.rows);
}

TEST(BuiltModel, SaysTheSameSentencesWithTheWayToTheValue) {
  Map wrong = ball_model();
  wrong["contacts"] = Map{{"floor", Map{{"between", List{"ball", "floor"}}, {"restitution", 1.4}}}};
  std::string sentence;
  try {
    build_model(wrong);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.where(), "contacts.floor.restitution");
    sentence = error.what();
  }
  try {
    load_model_text(
        "clack: 1\nbodies: {ball: {mass: 1, inertia: 1, shape: {disk: {radius: 0.1}}}, floor: "
        "{fixed: true, shape: {half-plane: {normal: [0, 1]}}}}\n"
        "contacts: {floor: {between: [ball, floor], restitution: 1.4}}\n",
        "file");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(sentence, error.what());
  }
}

TEST(BuiltModel, RefusesWhatNoModelHolds) {
  Map wrong = ball_model();
  wrong["gravity"] = List{0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(build_model(wrong), ModelError);
  EXPECT_THROW(build_model(7), ModelError);
  Data deep = 1;
  for (int k = 0; k < 200; ++k) deep = List{deep};
  wrong["gravity"] = deep;
  EXPECT_THROW(build_model(wrong), ModelError);
  Map twice = ball_model();
  twice.entries.push_back({"clack", 1});
  EXPECT_THROW(build_model(twice), ModelError);
}

TEST(Column, IsTheMemoryOfTheTrace) {
  const Trace trace = run(build_model(ball_model()));
  const ColumnView height = column(trace, "ball.y");
  EXPECT_EQ(height.data(), trace.rows.data() + column_index(trace, "ball.y"));
  EXPECT_EQ(height.size(), static_cast<Eigen::Index>(trace.row_count()));
  EXPECT_THROW(column_index(trace, "ball.z"), InputError);
}

// A ball of restitution e leaves with e times its speed; laws agree on one contact without friction.
TEST(SolveImpact, FillsInWhatIsLeftEmpty) {
  ImpactProblem ball;
  ball.mass_matrix = Eigen::Matrix2d::Identity();
  ball.velocity = Eigen::Vector2d(1, -2);
  ball.normal_jacobian = Eigen::RowVector2d(0, 1);
  ball.materials = {{.restitution = 0.25}};
  for (const char* law : {"newton", "poisson", "projection"})
    EXPECT_NEAR(solve_impact(ball, law).velocity[1], 0.5, 1e-12) << law;
  EXPECT_THROW((void)solve_impact(ball, "none"), InputError);
  ball.velocity.resize(3);
  EXPECT_THROW((void)solve_impact(ball, "newton"), InputError);
}

TEST(SolveLcp, RefusesUnknownSolversAndWrongSizes) {
  const Lcp good{Eigen::Matrix2d{{2, 1}, {1, 2}}, Eigen::Vector2d(-5, -6)};
  EXPECT_LT((solve_lcp(good).z - Eigen::Vector2d(4.0 / 3.0, 7.0 / 3.0)).norm(), 1e-12);
  EXPECT_EQ(solve_lcp(good, {.solver = "enumeration"}).solutions.size(), 1U);
  EXPECT_THROW((void)solve_lcp(good, {.solver = "lemk"}), InputError);
  EXPECT_THROW((void)solve_lcp({good.M, Eigen::Vector3d::Zero()}), InputError);
}

TEST(Restore, RefusesTheStateOfAnotherMechanism) {
  Simulation ball(build_model(ball_model()));
  Simulation other(load_model_text(
      "clack: 1\ncoordinates: {q: 1}\nmass_matrix: [[1]]\nforce: [-q]\n", "spring"));
  EXPECT_THROW(ball.restore(other.save()), InputError);
  ball.advance_until(0.2);
  EXPECT_EQ(ball.time(), 0.2);
}

// Every matrix and vector of a question with a row or an entry too many, and with one number that is none.
TEST(SolveImpact, RefusesWrongShapesAndNumbersThatAreNotFinite) {
  ImpactProblem good;
  good.mass_matrix = Eigen::Matrix2d::Identity();
  good.velocity = Eigen::Vector2d(1, -2);
  good.normal_jacobian = Eigen::RowVector2d(0, 1);
  good.tangent_jacobian = Eigen::RowVector2d(1, 0);
  good.normal_surface_velocity = Eigen::VectorXd::Zero(1);
  good.tangent_surface_velocity = Eigen::VectorXd::Zero(1);
  good.bilateral = Eigen::RowVector2d(1, 0);
  good.bilateral_velocity = Eigen::VectorXd::Zero(1);
  good.materials = {{.dynamic_friction = 0.3, .static_friction = 0.3}};
  EXPECT_NO_THROW((void)solve_impact(good, "newton"));
  const auto expect_refusals = [&](auto part) {
    ImpactProblem long_one = good, wide = good, not_a_number = good;
    auto& grown = long_one.*part;
    grown.conservativeResize(grown.rows() + 1, grown.cols());
    grown.row(grown.rows() - 1).setZero();
    EXPECT_THROW((void)solve_impact(long_one, "newton"), InputError);
    if constexpr (std::is_same_v<decltype(part), Eigen::MatrixXd ImpactProblem::*> ||
                  std::is_same_v<decltype(part), Eigen::MatrixXd ContactSystem::*>) {
      (wide.*part).conservativeResize((wide.*part).rows(), (wide.*part).cols() + 1);
      (wide.*part).rightCols(1).setZero();
      EXPECT_THROW((void)solve_impact(wide, "newton"), InputError);
    }
    for (const double wrong :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      (not_a_number.*part)(0) = wrong;
      EXPECT_THROW((void)solve_impact(not_a_number, "newton"), InputError);
    }
  };
  expect_refusals(&ImpactProblem::mass_matrix);
  expect_refusals(&ImpactProblem::velocity);
  expect_refusals(&ImpactProblem::normal_jacobian);
  expect_refusals(&ImpactProblem::tangent_jacobian);
  expect_refusals(&ImpactProblem::normal_surface_velocity);
  expect_refusals(&ImpactProblem::tangent_surface_velocity);
  expect_refusals(&ImpactProblem::bilateral);
  expect_refusals(&ImpactProblem::bilateral_velocity);
}

TEST(Progress, WhatACallbackThrowsEndsTheRunAndNothingElse) {
  RunOptions options;
  options.progress = [](double) { throw std::domain_error("in the callback"); };
  const Model model = build_model(ball_model());
  EXPECT_THROW((void)run(model, options), std::domain_error);
  EXPECT_EQ(run(model).status, RunStatus::done);
}

TEST(TakenTrace, OutlivesItsSimulationWhichGoesOn) {
  Trace kept;
  std::optional<ColumnView> height;
  {
    Simulation ball(build_model(ball_model()));
    ball.advance_until(0.3);
    kept = ball.take_trace();
    height.emplace(column(kept, "ball.y"));
    ball.advance_until(0.5);
    EXPECT_EQ(ball.time(), 0.5);
  }
  ASSERT_GT(height->size(), 2);
  EXPECT_EQ((*height)[0], 1.1);
}

TEST(Version, OfHeadersAndLibraryAgree) { EXPECT_STREQ(version(), CLACK_VERSION); }

}  // namespace
}  // namespace clack
