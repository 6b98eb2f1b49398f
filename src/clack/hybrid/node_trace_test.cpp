#include "clack/hybrid/node_trace.hpp"

#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

TEST(SorproxNode, SolvesTheAnisotropicReferenceProblem) {
  SorproxNode node;
  node.contacts = 1;
  node.tangents = 2;
  node.G = (Eigen::Matrix3d() << 2, .4, -.3, .4, 5, 1.5, -.3, 1.5, 2).finished();
  node.b = Eigen::Vector3d(-3, 4, 3);
  node.friction = {.3};
  node.slip_direction = Eigen::Vector2d::Zero();
  const NodePath path = walk_node(node);
  ASSERT_TRUE(path.is_converged);
  EXPECT_NEAR(path.force[0], 1.540865217504, 1e-10);
  EXPECT_NEAR(path.force[1], -0.390205011648, 1e-10);
  EXPECT_NEAR(path.force[2], -0.247838565504, 1e-10);
  EXPECT_GT(path.sweeps, 1);
  EXPECT_EQ(path.locations.front(), 1);
  EXPECT_EQ(path.locations.back(), 5);  // 4N + 1
}

TEST(SorproxNode, FindsTheImpulsesOfTheFallingStackOfTwo) {
  // Reference 5: two unit balls, e = 0.5, speed 1: impulses 3 at the floor, 1.5 between the balls.
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
  const NodePath path = walk_node(impact_node(problem));
  ASSERT_TRUE(path.is_converged);
  EXPECT_NEAR(path.force[0], 3.0, 1e-10);
  EXPECT_NEAR(path.force[1], 1.5, 1e-10);
}

TEST(SorproxNode, OneContactTakesEveryLocationInItsOrder) {
  SorproxNode node;
  node.contacts = 1;
  node.tangents = 1;
  node.G = Eigen::Matrix2d::Identity();
  node.b = Eigen::Vector2d(-2, 0.5);
  node.friction = {0.1};
  node.slip_direction = Eigen::VectorXd::Zero(1);
  const NodePath path = walk_node(node);
  EXPECT_EQ(path.locations, (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_DOUBLE_EQ(path.force[1], -0.2);
}

TEST(SorproxNode, StopsAtASlidingContactThatNoForceCanHold) {
  SorproxNode node;
  node.contacts = 1;
  node.tangents = 1;
  node.G = (Eigen::Matrix2d() << 1, 2, 2, 5).finished();
  node.b = Eigen::Vector2d(-1, 0);
  node.friction = {1.0};
  node.slip_direction = Eigen::VectorXd::Ones(1);
  EXPECT_FALSE(walk_node(node).is_converged);
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
