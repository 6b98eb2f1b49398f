// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/node_trace.hpp"

#include "clack/hybrid/executor.hpp"
#include "clack/impact/newton.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

std::string locations_of(const std::vector<SolverStep>& path, int contacts) {
  std::string text;
  for (const SolverStep& step : path) text += location_of(step, contacts) + " ";
  return text;
}

// Two unit balls fall on a floor and on each other, e = 0.5, speed 1: impulses 3 at the floor, 1.5
// between the balls (docs/theories/newton.md). The path is that of the sweeps that found them.
TEST(NodeTrace, ThePathEndsWhereTheImpulsesWereFound) {
  ImpactProblem problem;
  problem.dimension = 2;
  problem.mass_matrix = Eigen::Matrix2d::Identity();
  problem.velocity = Eigen::Vector2d(-1, -1);
  problem.bilateral.resize(0, 2);
  problem.normal_jacobian = (Eigen::Matrix2d() << 1, 0, -1, 1).finished();
  problem.tangent_jacobian = Eigen::Matrix2d::Zero();
  problem.normal_surface_velocity = Eigen::Vector2d::Zero();
  problem.tangent_surface_velocity = Eigen::Vector2d::Zero();
  problem.bilateral_velocity.resize(0);
  problem.materials.assign(2, {.restitution = 0.5});
  problem.names = {"floor", "pair"};
  EXPECT_TRUE(NewtonLaw{}.resolve(problem).path.empty());
  problem.options.record_path = true;
  const ImpactResult result = NewtonLaw{}.resolve(problem);
  EXPECT_NEAR(result.normal_impulse[0], 3.0, 1e-10);
  EXPECT_NEAR(result.normal_impulse[1], 1.5, 1e-10);
  const std::string path = locations_of(result.path, 2);
  EXPECT_EQ(path.substr(0, 12), "1 3 2 4 5 1 ") << path;  // a sweep, a test that fails, a sweep
  EXPECT_EQ(path.substr(path.size() - 10), "5 6 7 8 9 ") << path;  // all tests, 4N + 1
  long updates = 0;
  for (const SolverStep& step : result.path)
    updates += step.kind == SolverStep::Kind::update_normal && step.contact == 0 ? 1 : 0;
  EXPECT_EQ(updates, result.iterations);
}

TEST(NodeTrace, DoesNotChangeTheTrajectory) {
  for (const char* name :
       {"woodpecker/three-dof.yaml", "bouncing-ball/bouncing-ball.yaml", "incline/sphere.yaml"}) {
    SCOPED_TRACE(name);
    for (const char* theory : {"poisson", "newton"}) {
      Model model =
          read_model(std::string(CLACK_SOURCE_DIR "/models/") + name, {{"run.theory", theory}});
      model.run.until = std::min(model.run.until, 1.0);
      RunOptions traced;
      traced.node_trace = true;
      const Trace without = run(model), with = run(model, traced);
      EXPECT_EQ(without.rows, with.rows);  // bit for bit
      EXPECT_EQ(without.final_v, with.final_v);
      EXPECT_EQ(without.counts.evaluations, with.counts.evaluations);
      EXPECT_TRUE(without.node_visits.empty());
      ASSERT_FALSE(with.node_visits.empty());
      for (std::size_t i = 0; i + 1 < with.node_visits.size(); ++i)
        EXPECT_LE(with.node_visits[i].t, with.node_visits[i + 1].t);
    }
  }
}

TEST(NodeTrace, ListsSweepsOfTheNewtonNodeAndOneStepOfOthers) {
  Model model = read_model(CLACK_SOURCE_DIR "/models/bouncing-ball/bouncing-ball.yaml",
                           {{"run.theory", "newton"}});
  model.run.until = 0.5;
  RunOptions traced;
  traced.node_trace = true;
  const auto locations = [&] {
    std::string text;
    for (const NodeVisit& visit : run(model, traced).node_visits)
      text += visit.node + ":" + visit.location + " ";
    return text;
  };
  EXPECT_EQ(
      locations(),
      "I{ground}:en I{ground}:1 I{ground}:2 I{ground}:3 I{ground}:4 I{ground}:5 I{ground}:ex ");
  model.run.theory = "poisson";
  EXPECT_EQ(locations(), "I{ground}:en I{ground}:ex ");
}

}  // namespace
}  // namespace clack
