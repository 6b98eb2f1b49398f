// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/hybrid/contact_node.hpp"
#include "clack/hybrid/fixed_contacts.hpp"

namespace clack {
namespace {

using testing::fixed_contacts;

struct Sliding {
  double slip = 0.0, friction_force = 0.0, slip_acceleration = 0.0;
  ContactStatus status = ContactStatus::slip;
};

/// The direction in which a contact slips in the mode that follows an answer.
double direction_after(const Sliding& sliding) {
  ContactProblem problem;
  problem.dimension = 2;
  problem.velocity = Eigen::VectorXd::Constant(1, sliding.slip);
  problem.tangent_jacobian = Eigen::MatrixXd::Ones(1, 1);
  problem.tangent_surface_velocity = Eigen::VectorXd::Zero(1);
  problem.materials.resize(1);
  problem.materials[0].static_friction = problem.materials[0].dynamic_friction = 0.5;
  ContactResult result;
  result.statuses = {sliding.status};
  result.friction_force = Eigen::VectorXd::Constant(1, sliding.friction_force);
  result.slip_acceleration = Eigen::VectorXd::Constant(1, sliding.slip_acceleration);
  return mode_after(Mode{}, fixed_contacts({0}), problem, result).closed.at(0).slip_direction[0];
}

TEST(SlipDirection, OfWhatSlidesWithoutForceIsThatOfItsSlip) {
  // A disk that touches a wall without a force: its friction is zero, or rounding of either sign. Its slip guard began at
  // -0.2 m/s where the direction came from the acceleration.
  for (const double rounding : {0.0, 3e-16, -3e-16})
    for (const double slip : {0.2, -0.2})
      EXPECT_EQ(direction_after({slip, rounding, -5.0}), slip > 0.0 ? 1.0 : -1.0)
          << slip << " " << rounding;
}

TEST(SlipDirection, IsAgainstTheFrictionAndOfWhatBeginsWithoutForceAlongTheAcceleration) {
  EXPECT_EQ(direction_after({0.2, -3.0, 5.0}), 1.0);
  EXPECT_EQ(direction_after({0.0, -3.0, 5.0, ContactStatus::trans}), 1.0);
  EXPECT_EQ(direction_after({0.0, 0.0, -5.0, ContactStatus::trans}), -1.0);
}

}  // namespace
}  // namespace clack
