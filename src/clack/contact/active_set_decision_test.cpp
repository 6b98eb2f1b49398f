// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/active_set_decision.hpp"

#include "clack/contact/circumstances.hpp"
#include "clack/contact/random_system.hpp"
#include "clack/error.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

bool has(const std::vector<std::string>& flags, std::string_view flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

ContactProblem random_problem(testing::RandomSystem& random, int k) {
  auto p = random.system<ContactProblem>(2 + k % 4, 1 + k % 4, 2, 0.0);
  p.velocity.setZero();
  p.force = 3.0 * random.vector(p.speeds());
  p.bilateral_bias = VectorXd(0);
  p.gap_bias = random.vector(p.contacts());
  if (p.contacts() > p.speeds())
    p.gap_bias.setZero();  // more rows than speeds: keep them compatible
  if (k % 3 == 0 && p.contacts() > 1) {
    p.normal_jacobian.row(1) = 2.0 * p.normal_jacobian.row(0);
    p.gap_bias[1] = 2.0 * p.gap_bias[0];
  }
  p.slip_bias = VectorXd::Zero(p.contacts());
  return p;
}

// Signorini's conditions and the equations of motion determine the accelerations.
TEST(ActiveSetDecision, SatisfiesSignorinisConditionsOnRandomProblems) {
  testing::RandomSystem random(77);
  int hyperstatic = 0;
  for (int k = 0; k < 500; ++k) {
    const auto p = random_problem(random, k);
    const auto r = ActiveSetDecision{}.decide(p);
    ASSERT_EQ(r.status, SolveStatus::solved) << k;
    const double tol = 1e-8 * (1.0 + p.force.norm() + r.acceleration.norm());
    const VectorXd motion = p.normal_jacobian * r.acceleration + p.gap_bias;
    EXPECT_GT(motion.minCoeff(), -tol) << k;
    EXPECT_GE(r.normal_force.minCoeff(), 0.0) << k;
    EXPECT_LT(motion.cwiseProduct(r.normal_force).cwiseAbs().maxCoeff(),
              tol * (1.0 + r.normal_force.norm()))
        << k;
    EXPECT_LT(
        (p.mass_matrix * r.acceleration - p.force - p.normal_jacobian.transpose() * r.normal_force)
            .norm(),
        tol * (1.0 + r.normal_force.norm()))
        << k;
    EXPECT_LT(r.certificate.residual, 1e-9) << k;
    hyperstatic += has(r.flags, "hyperstatic");
  }
  EXPECT_GT(hyperstatic, 10);
}

// A table on four legs, load in the middle: a quarter each is the least-norm choice.
TEST(ActiveSetDecision, FourLegsCarryAQuarterEachAndAreFlaggedHyperstatic) {
  testing::RandomSystem random(1);
  auto p = random.system<ContactProblem>(3, 4, 2, 0.0);
  p.mass_matrix = Eigen::Vector3d(2, 0.3, 0.3).asDiagonal();
  p.velocity.setZero();
  p.normal_jacobian << 1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1;
  p.tangent_jacobian.setZero();
  p.force = Eigen::Vector3d(-2 * 9.81, 0, 0);
  p.gap_bias = VectorXd::Zero(4);
  p.slip_bias = VectorXd::Zero(4);
  const auto r = ActiveSetDecision{}.decide(p);
  EXPECT_LT(r.acceleration.norm(), 1e-12);
  EXPECT_LT((r.normal_force - VectorXd::Constant(4, 0.5 * 9.81)).norm(), 1e-12);
  EXPECT_TRUE(has(r.flags, "hyperstatic"));
  for (const auto status : r.statuses) EXPECT_EQ(status, ContactStatus::stick);
  // Load near the first leg, inside the square but outside the rhombus of the minimum norm: it
  // still stands.
  p.force = Eigen::Vector3d(-2 * 9.81, 0.7 * 2 * 9.81, 0.7 * 2 * 9.81);
  const auto off = ActiveSetDecision{}.decide(p);
  EXPECT_LT(off.acceleration.norm(), 1e-11);
  EXPECT_GE(off.normal_force.minCoeff(), 0.0);
  EXPECT_LT((p.normal_jacobian.transpose() * off.normal_force + p.force).norm(), 1e-11);
  // Outside the square it tips.
  p.force = Eigen::Vector3d(-2 * 9.81, 1.2 * 2 * 9.81, 0);
  EXPECT_GT(ActiveSetDecision{}.decide(p).acceleration.norm(), 0.1);
}

TEST(ActiveSetDecision, PulledContactsOpenAndFrictionIsRefused) {
  testing::RandomSystem random(2);
  auto p = random.system<ContactProblem>(1, 1, 2, 0.0);
  p.mass_matrix << 2;
  p.velocity.setZero();
  p.normal_jacobian << 1;
  p.tangent_jacobian.setZero();
  p.force = VectorXd::Constant(1, 3.0);
  p.gap_bias = VectorXd::Zero(1);
  p.slip_bias = VectorXd::Zero(1);
  const auto r = ActiveSetDecision{}.decide(p);
  EXPECT_EQ(r.statuses.at(0), ContactStatus::open);
  EXPECT_DOUBLE_EQ(r.acceleration[0], 1.5);
  p.materials[0].dynamic_friction = p.materials[0].static_friction = 0.1;
  EXPECT_NE(decisions().refusal("active-set", circumstances_of(p)).find("lcp"), std::string::npos);
  EXPECT_THROW((void)ActiveSetDecision{}.decide(p), InputError);
}

}  // namespace
}  // namespace clack
