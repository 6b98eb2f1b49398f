// SPDX-License-Identifier: Apache-2.0
// Formulation `delassus`: its answers fulfil the equations of motion and of the mode for random
// systems.
#include "clack/formulation/delassus.hpp"

#include <gtest/gtest.h>

#include <random>

namespace clack {
namespace {

/// A random mode: every number of a snapshot, and which contacts stick.
struct DelassusCase {
  Snapshot snapshot;
  ModeShape shape;
};

DelassusCase random_mode(std::mt19937_64& random, int n, int tangents, int contacts,
                         int constraint_rows, int sticking) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  DelassusCase made{Snapshot(n, tangents, contacts, constraint_rows), {}};
  for (std::size_t i = 0; i < Snapshot::size(n, tangents, contacts, constraint_rows); ++i)
    made.snapshot.data()[i] = number(random);
  Eigen::MatrixXd root(n, n);
  for (double& x : root.reshaped()) x = number(random);
  const Eigen::MatrixXd mass = root * root.transpose() + 0.5 * Eigen::MatrixXd::Identity(n, n);
  std::copy_n(mass.data(), n * n,
              made.snapshot.data());  // symmetric: the order of storage does not matter
  made.shape.speeds = n;
  made.shape.tangents = tangents;
  made.shape.constraint_rows = constraint_rows;
  for (int i = 0; i < contacts; ++i) {
    made.shape.statuses.push_back(i < sticking ? ContactStatus::stick : ContactStatus::slip);
    made.shape.friction.push_back(0.2);
    Eigen::VectorXd direction(tangents);
    for (double& x : direction) x = number(random);
    direction.normalize();
    for (const double x : direction) made.shape.slip_direction.push_back(x);
  }
  return made;
}

ModeForces solve_mode(const DelassusCase& mode) {
  DelassusFormulation formulation;
  formulation.enter(mode.shape);
  ModeForces forces;
  formulation.solve(mode.snapshot, forces);
  return forces;
}

double motion_residual(const Snapshot& s, const ModeForces& f) {
  const Eigen::VectorXd left = s.mass_matrix() * f.acceleration - s.smooth_force() -
                               s.normal_jacobian().transpose() * f.normal_force -
                               s.tangent_jacobian().transpose() * f.friction_force -
                               s.constraint_jacobian().transpose() * f.constraint_force;
  return left.cwiseAbs().maxCoeff();
}

TEST(DelassusFormulation, ForcesFulfilTheEquationsOfMotionAndOfTheMode) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    const int n = 9 + round % 4, contacts = round % 4,
              sticking = contacts == 0 ? 0 : round % (contacts + 1);
    const DelassusCase mode = random_mode(random, n, 1, contacts, round % 3, sticking);
    const Snapshot& s = mode.snapshot;
    const ModeForces f = solve_mode(mode);
    ASSERT_TRUE(f.is_finite);
    if (f.is_hyperstatic) continue;
    const double size = 1.0 + f.acceleration.cwiseAbs().maxCoeff() +
                        (contacts > 0 ? f.normal_force.cwiseAbs().maxCoeff() : 0.0);
    EXPECT_LT(motion_residual(s, f), 1e-10 * size);
    const Eigen::VectorXd gap = s.normal_jacobian() * f.acceleration + s.gap_bias();
    const Eigen::VectorXd slip = s.tangent_jacobian() * f.acceleration + s.slip_bias();
    const Eigen::VectorXd joint = s.constraint_jacobian() * f.acceleration + s.constraint_bias();
    for (int i = 0; i < contacts; ++i) {
      EXPECT_LT(std::abs(gap[i]), 1e-9 * size);
      if (i < sticking)
        EXPECT_LT(std::abs(slip[i]), 1e-9 * size);
      else
        EXPECT_EQ(f.friction_force[i], -0.2 * f.normal_force[i] * mode.shape.slip_direction[i]);
    }
    for (const double x : joint) EXPECT_LT(std::abs(x), 1e-9 * size);
  }
}

TEST(DelassusFormulation, InSpaceFrictionOpposesTheSlipItself) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 50; ++round) {
    DelassusCase mode = random_mode(random, 8, 2, 2, 1, 1);
    mode.shape.slip_floor = 1e-9;
    const ModeForces f = solve_mode(mode);
    EXPECT_LT(motion_residual(mode.snapshot, f),
              1e-9 * (1 + f.acceleration.norm() + f.normal_force.norm()));
    const Eigen::Vector2d slip = mode.snapshot.slip().segment(2, 2),
                          force = f.friction_force.segment(2, 2);
    EXPECT_LT((force + 0.2 * f.normal_force[1] * slip.normalized()).norm(),
              1e-12 * (1 + std::abs(f.normal_force[1])));
  }
}

/// A block of mass 1 that sticks with both lower corners: four unknown forces, three equations.
DelassusCase stuck_block(double force_x, double force_y) {
  DelassusCase mode{Snapshot(3, 1, 2, 0), {}};
  double* at = mode.snapshot.data();
  const double rows[] = {
      1,       0,       0,    0, 1, 0,   0, 0, 0.02,  // mass matrix
      force_x, force_y, 0,                            // force
      0,       0,                                     // powers
      0,       0,       0,    0, 0, 0,                // gaps, their rates and biases
      0,       0,       0,    0,                      // slips and their biases
      0,       1,       -0.2, 0, 1, 0.2,    // normals: corners at (-0.2, -0.05) and (0.2, -0.05)
      1,       0,       0.05, 1, 0, 0.05};  // tangents
  std::copy(std::begin(rows), std::end(rows), at);
  mode.shape = {.speeds = 3,
                .tangents = 1,
                .constraint_rows = 0,
                .statuses = {ContactStatus::stick, ContactStatus::stick},
                .friction = {0.3, 0.3},
                .slip_direction = {0.0, 0.0},
                .slip_floor = 0.0,
                .rank_cutoff = 0.0};
  return mode;
}

TEST(DelassusFormulation, HyperstaticForcesAreTheSmallestThatHoldTheBlock) {
  const ModeForces f = solve_mode(stuck_block(2.0, -9.81));
  EXPECT_TRUE(f.is_hyperstatic);
  EXPECT_TRUE(f.is_finite);
  ASSERT_EQ(f.null_forces.cols(), 1);
  // Normals by the balance of moments; the friction forces share the load equally: smallest norm.
  EXPECT_NEAR(f.normal_force.sum(), 9.81, 1e-12);
  EXPECT_NEAR(0.2 * (f.normal_force[1] - f.normal_force[0]) + 0.05 * f.friction_force.sum(), 0.0,
              1e-12);
  EXPECT_NEAR(f.friction_force[0], -1.0, 1e-12);
  EXPECT_NEAR(f.friction_force[1], -1.0, 1e-12);
  // What changes no acceleration: pulling the corners apart.
  EXPECT_NEAR(std::abs(f.null_forces(2, 0)), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(f.null_forces(2, 0) + f.null_forces(3, 0), 0.0, 1e-12);
}

TEST(DelassusFormulation, ALockedBlockAtRestDoesNotCreep) {
  for (const double push : {0.0, 1.0, 2.9, -1e3}) {
    const ModeForces f = solve_mode(stuck_block(push, -9.81));
    EXPECT_LT(f.acceleration.cwiseAbs().maxCoeff(), 1e-27 * std::max(1.0, std::abs(push))) << push;
  }
}

TEST(DelassusFormulation, KeptAnswersOfConstantMatricesAreThoseOfTheFactors) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 3 + trial % 4;
    DelassusCase mode = random_mode(random, n, 1, 1 + trial % 2, trial % 2, 1);
    const ModeForces general = solve_mode(mode);
    mode.snapshot.set_constants(std::make_shared<int>(), true, true);
    const ModeForces kept = solve_mode(mode);
    const double size = 1.0 + general.acceleration.norm() + general.normal_force.norm() +
                        general.friction_force.norm() + general.constraint_force.norm();
    EXPECT_LT((kept.acceleration - general.acceleration).norm(), 1e-9 * size) << trial;
    EXPECT_LT((kept.normal_force - general.normal_force).norm(), 1e-9 * size) << trial;
    EXPECT_LT((kept.friction_force - general.friction_force).norm(), 1e-9 * size) << trial;
    EXPECT_LT((kept.constraint_force - general.constraint_force).norm(), 1e-9 * size) << trial;
  }
}

TEST(DelassusFormulation, DuplicateConstraintsShareTheForceAndChangeNoAcceleration) {
  std::mt19937_64 random(3);
  DelassusCase twice = random_mode(random, 4, 1, 0, 2, 0),
               once = random_mode(random, 4, 1, 0, 1, 0);
  // The same mechanism; its one constraint is written twice.
  std::copy_n(twice.snapshot.data(), twice.snapshot.at_gap(), once.snapshot.data());
  std::copy_n(twice.snapshot.data() + twice.snapshot.at_constraint(), 4,
              once.snapshot.data() + once.snapshot.at_constraint());
  std::copy_n(twice.snapshot.data() + twice.snapshot.at_constraint(), 4,
              twice.snapshot.data() + twice.snapshot.at_constraint() + 4);
  double* biases = twice.snapshot.data() + twice.snapshot.at_value() + 4;
  biases[1] = biases[0];
  once.snapshot.data()[once.snapshot.at_value() + 2] = biases[0];
  const ModeForces a = solve_mode(once), b = solve_mode(twice);
  EXPECT_TRUE(b.is_hyperstatic);
  EXPECT_LT((a.acceleration - b.acceleration).cwiseAbs().maxCoeff(),
            1e-12 * (1 + a.acceleration.norm()));
  EXPECT_NEAR(b.constraint_force[0], b.constraint_force[1], 1e-11);
  EXPECT_NEAR(b.constraint_force.sum(), a.constraint_force[0], 1e-10);
}

TEST(DelassusFormulation, ContradictingConstraintsAreReportedNotForced) {
  std::mt19937_64 random(4);
  DelassusCase mode = random_mode(random, 3, 1, 0, 2, 0);
  double* row = mode.snapshot.data() + mode.snapshot.at_constraint();
  std::copy_n(row, 3, row + 3);
  double* biases = mode.snapshot.data() + mode.snapshot.at_value() + 4;
  biases[0] = 1.0;
  biases[1] = -1.0;
  EXPECT_FALSE(solve_mode(mode).is_finite);
}

TEST(DelassusFormulation, AnIndefiniteMassIsReported) {
  std::mt19937_64 random(5);
  DelassusCase mode = random_mode(random, 2, 1, 0, 0, 0);
  const double indefinite[] = {1, 2, 2, 1};
  std::copy_n(indefinite, 4, mode.snapshot.data());
  EXPECT_FALSE(solve_mode(mode).is_finite);
}

}  // namespace
}  // namespace clack
