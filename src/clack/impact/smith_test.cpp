// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/smith.hpp"

#include "clack/contact/sphere_scene.hpp"
#include "clack/impact/conformance.hpp"
#include "clack/impact/smith_contact.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::has_flag;

TEST(SmithLaw, PassesTheConformanceTest) {
  testing::LawClaims claims;
  claims.is_spatial = true;
  claims.friction = 0.3;
  claims.never_gains_energy = true;
  testing::check_impact_law(SmithLaw{}, claims);
}

/// A contact with the given mobility G (normal first) as a problem with M = 1 and rows of G's root.
ImpactProblem one_contact(const MatrixXd& G, const VectorXd& motion, double mu_s, double mu_d,
                          double restitution) {
  const int n = static_cast<int>(G.rows());
  const MatrixXd root = Eigen::LLT<MatrixXd>(G).matrixL();
  ImpactProblem problem;
  problem.dimension = n;
  problem.mass_matrix = MatrixXd::Identity(n, n);
  problem.velocity = root.inverse() * motion;
  problem.bilateral.resize(0, n);
  problem.normal_jacobian = root.topRows(1);
  problem.tangent_jacobian = root.bottomRows(n - 1);
  problem.normal_surface_velocity = VectorXd::Zero(1);
  problem.tangent_surface_velocity = VectorXd::Zero(n - 1);
  problem.materials = {{mu_d, mu_s, restitution, 0.0, 0.0}};
  problem.names = {"tip"};
  return problem;
}

MatrixXd planar(double nn, double nt, double tt) {
  MatrixXd G(2, 2);
  G << nn, nt, nt, tt;
  return G;
}

// A ball with the inertia 2/5 m r^2: s' = 0 takes 2/7 of its slip.
TEST(SmithLaw, BallGripsInTheConeOfStaticFrictionAndSlidesByDynamicFrictionOutsideIt) {
  for (const double mu_s : {0.1, 0.8}) {
    testing::SphereScene scene;
    scene.material = {0.75 * mu_s, mu_s, 0.6, 0.0, 0.0};
    scene.spheres = {{Vector3d(0, 1, 0)}};
    scene.spheres[0].velocity = Vector3d(3, -2, 0);
    auto problem = scene.start<ImpactProblem>();
    scene.add_contact(problem, "floor", -1, 0);
    const ImpactResult r = SmithLaw{}.resolve(problem);
    EXPECT_NEAR(r.velocity[1], 1.2, 1e-13);
    const bool grips = 2.0 / 7.0 * 3.0 <= mu_s * 1.6 * 2.0;
    EXPECT_NEAR(3.0 - r.velocity[0], grips ? 2.0 / 7.0 * 3.0 : 0.75 * mu_s * 3.2, 1e-13);
    EXPECT_LE(r.certificate.cone, 1e-12);
  }
}

// In the plane, full friction against the slip as long as it does not turn round.
TEST(SmithLaw, SlipThatDoesNotTurnTakesFullFriction) {
  const ImpactResult r =
      SmithLaw{}.resolve(one_contact(planar(1.0, 0.3, 2.0), Vector2d(-1, 5), 0.2, 0.1, 0.5));
  const double nu = 1.5 / (1.0 - 0.1 * 0.3);
  EXPECT_NEAR(r.normal_impulse[0], nu, 1e-13);
  EXPECT_NEAR(r.tangent_impulse[0], -0.1 * nu, 1e-14);
}

// The weighted direction when the slip turns: the equation itself, against bisection by another hand.
TEST(SmithLaw, SlipThatTurnsTakesTheWeightedDirection) {
  const double gnn = 1.0, gtn = 0.9, gtt = 1.2, s = -0.3, vn = -1.0, e = 0.4, mu = 0.2;
  const ImpactResult r =
      SmithLaw{}.resolve(one_contact(planar(gnn, gtn, gtt), Vector2d(vn, s), mu, mu, e));
  const auto after = [&](double rho) {
    return s + (gtt * rho + gtn) * -(1 + e) * vn / (gnn + gtn * rho);
  };
  double low = -mu, high = mu;
  for (int i = 0; i < 200; ++i) {
    const double rho = 0.5 * (low + high), a = after(rho);
    const double w = (std::abs(s) * s + std::abs(a) * a) / (s * s + a * a);
    (rho + mu * w < 0.0 ? low : high) = rho;
  }
  EXPECT_GT(after(low), 0.1);  // it turns indeed
  EXPECT_NEAR(r.tangent_impulse[0] / r.normal_impulse[0], low, 1e-13);
  EXPECT_LT(std::abs(low), mu);
}

struct RandomStrike {
  testing::RandomSystem random;
  int dimension;
  SmithContact next() {
    const int k = dimension - 1;
    const MatrixXd root = random.matrix(k + 1, k + 1);
    const MatrixXd G = root * root.transpose() + 0.05 * MatrixXd::Identity(k + 1, k + 1);
    SmithContact c;
    c.normal_mobility = G(0, 0);
    c.coupling = G.block(1, 0, k, 1);
    c.tangential_mobility = G.block(1, 1, k, k);
    c.gap_rate = random.uniform(-1.0, -0.01);
    c.slip = random.vector(k);
    c.restitution = random.uniform(0.0, 1.0);
    c.static_friction = random.uniform(0.0, 1.2);
    c.dynamic_friction = random.uniform(0.3, 1.0) * c.static_friction;
    return c;
  }
};

// Cauchy-Schwarz for the sliding rule, the discarded stick for the other branch.
TEST(SmithContact, NeverGainsEnergyInTheFrameOfTheSurfaceInAHundredThousandImpacts) {
  int discarded = 0, jams = 0, solved = 0;
  for (const int dimension : {2, 3}) {
    RandomStrike draw{testing::RandomSystem(5), dimension};
    for (int i = 0; i < 50000; ++i) {
      const SmithContact c = draw.next();
      const SmithImpulse l = strike(c, true);
      if (l.status == SolveStatus::none_exists) {
        ++jams;
        continue;
      }
      ASSERT_EQ(l.status, SolveStatus::solved) << dimension << " " << i << " " << l.reason;
      ++solved;
      discarded += l.branch == SmithBranch::stick_discarded;
      const double rate = c.gap_rate + c.normal_mobility * l.normal + c.coupling.dot(l.tangent);
      const Tangential after = c.slip + c.coupling * l.normal + c.tangential_mobility * l.tangent;
      const double size = 1.0 + l.normal * c.normal_mobility;
      ASSERT_NEAR(rate, -c.restitution * c.gap_rate, 1e-11 * size);
      ASSERT_GT(l.normal, 0.0);
      ASSERT_LE(l.tangent.norm(), l.friction * l.normal * (1.0 + 1e-12));
      const double gain = 0.5 * (l.tangent.dot(c.slip + after) + l.normal * (c.gap_rate + rate));
      ASSERT_LE(gain, 1e-11 * size * l.normal) << dimension << " " << i;
      if (l.branch == SmithBranch::stick) {
        ASSERT_LE(after.norm(), 1e-8 * size);
      } else if (l.friction > 0.0) {
        const double b = c.slip.norm(), a = after.norm();
        const Tangential w = (b * c.slip + a * after) / (b * b + a * a);
        ASSERT_LE((l.tangent + l.friction * l.normal * w).norm(), 1e-8 * l.normal * size);
      }
    }
  }
  EXPECT_GT(discarded, 100);
  EXPECT_GT(jams, 100);
  EXPECT_GT(solved, 50000);
}

// Only possible if eps^2 g_nn [G^-1]_nn > 1.
TEST(SmithLaw, StickThatWouldAddEnergyIsDiscardedAndReported) {
  const auto milder = one_contact(planar(1.0, 0.9, 1.0), Vector2d(-1, -1.3), 1.05, 0.1, 0.9);
  const ImpactResult m = SmithLaw{}.resolve(milder);
  ASSERT_EQ(m.status, SolveStatus::solved);
  EXPECT_TRUE(has_flag(m.flags, "stick-discarded"));
  EXPECT_LE(m.energy_after, m.energy_before);
  EXPECT_TRUE(m.is_consistent);
  ASSERT_EQ(m.notes.size(), 1U);
  EXPECT_NE(m.notes[0].find("contact tip: sticking would add"), std::string::npos);
}

TEST(SmithLaw, JamIsNamedWithItsNumbers) {
  const ImpactResult r =
      SmithLaw{}.resolve(one_contact(planar(1.0, -0.9, 1.0), Vector2d(-1, 5), 2.0, 2.0, 0.0));
  EXPECT_EQ(r.status, SolveStatus::none_exists);
  EXPECT_TRUE(has_flag(r.flags, "no-solution"));
  EXPECT_NE(r.notes[0].find("g_nn = 1 and mu |g_tn| = 1.8"), std::string::npos) << r.notes[0];
}

// A jam by the sliding rule that the cone of static friction holds all the same.
TEST(SmithLaw, StickInsideTheConeComesBeforeTheJam) {
  const ImpactResult r =
      SmithLaw{}.resolve(one_contact(planar(1.0, -0.9, 1.0), Vector2d(-1, 0.2), 2.0, 2.0, 0.0));
  EXPECT_EQ(r.status, SolveStatus::solved);
  EXPECT_EQ(r.statuses[0], ContactStatus::stick);
}

TEST(SmithContact, WithoutSlipFrictionOpposesTheSlipThatBegins) {
  for (const int dimension : {2, 3}) {
    RandomStrike draw{testing::RandomSystem(8), dimension};
    int slid = 0;
    for (int i = 0; i < 2000; ++i) {
      SmithContact c = draw.next();
      c.slip.setZero();
      for (const bool has_stick : {true, false}) {
        const SmithImpulse l = strike(c, has_stick);
        if (l.status != SolveStatus::solved || l.branch == SmithBranch::stick) continue;
        ++slid;
        const Tangential after = c.coupling * l.normal + c.tangential_mobility * l.tangent;
        ASSERT_LE((l.tangent + c.dynamic_friction * l.normal * after.normalized()).norm(),
                  1e-9 * l.normal);
      }
    }
    EXPECT_GT(slid, 500);
  }
}

TEST(SmithLaw, WithoutTheStickBranchASlipIsNeverHeld) {
  const auto problem = one_contact(planar(1.0, 0.0, 3.5), Vector2d(-1, 0.5), 1.0, 1.0, 0.0);
  EXPECT_EQ(SmithLaw{}.resolve(problem).statuses[0], ContactStatus::stick);
  const ImpactResult slid = SmithLaw{false}.resolve(problem);
  EXPECT_EQ(slid.statuses[0], ContactStatus::slip);
  EXPECT_LT(problem.slips(slid.velocity)[0], 0.0);
}

TEST(SmithLaw, BeltIsWhatSpeedsAreMeasuredAgainst) {
  auto problem = one_contact(planar(1.0, 0.0, 1.0), Vector2d(-2, 0), 0.3, 0.2, 0.5);
  problem.tangent_surface_velocity[0] = 4.0;
  const ImpactResult r = SmithLaw{}.resolve(problem);
  EXPECT_NEAR(r.normal_impulse[0], 3.0, 1e-13);
  EXPECT_NEAR(r.tangent_impulse[0], 0.6, 1e-13);
  EXPECT_GT(r.energy_after - r.energy_before, -1.5 + 0.17);  // 0.18 J from the belt
  EXPECT_TRUE(r.is_consistent);
}

// One by one: the middle ball hands everything on, although it touches both.
TEST(SmithLaw, CradleIsStruckContactByContact) {
  ImpactProblem problem;
  problem.mass_matrix = MatrixXd::Identity(3, 3);
  problem.velocity = Vector3d(1, 0, 0);
  problem.bilateral.resize(0, 3);
  problem.normal_jacobian.resize(2, 3);
  problem.normal_jacobian << -1, 1, 0, 0, -1, 1;
  problem.tangent_jacobian = MatrixXd::Zero(2, 3);
  problem.normal_surface_velocity = problem.tangent_surface_velocity = VectorXd::Zero(2);
  problem.materials.assign(2, {0.0, 0.0, 1.0, 0.0, 0.0});
  problem.names = {"12", "23"};
  const ImpactResult r = SmithLaw{}.resolve(problem);
  EXPECT_LE((r.velocity - Vector3d(0, 0, 1)).norm(), 1e-14);
  ASSERT_EQ(r.events.size(), 2U);
  EXPECT_EQ(r.events[1].contacts, std::vector<int>{1});
  EXPECT_NEAR(r.events[0].compression_work, -0.25, 1e-14);
  // (0.25, 0.1875, 0.5625) after two: the first contact is struck again.
  for (auto& material : problem.materials) material.restitution = 0.5;
  EXPECT_LE((SmithLaw{}.resolve(problem).velocity - Vector3d(0.203125, 0.234375, 0.5625)).norm(),
            1e-14);
}

// A constraint is switched on, nothing touches: plastic, v+ = v - M^-1 B^T (B M^-1 B^T)^-1 (B v - b).
TEST(SmithLaw, WithoutContactsAJointThatIsSwitchedOnActsPlastically) {
  ImpactProblem problem;
  problem.mass_matrix = Vector2d(1, 3).asDiagonal();
  problem.velocity = Vector2d(4, 0);
  problem.bilateral.resize(1, 2);
  problem.bilateral << 1, -1;
  problem.normal_jacobian.resize(0, 2);
  problem.tangent_jacobian.resize(0, 2);
  const ImpactResult r = SmithLaw{}.resolve(problem);
  EXPECT_LE((r.velocity - Vector2d(1, 1)).norm(), 1e-14);
  EXPECT_NEAR(r.bilateral_impulse[0], -3.0, 1e-14);
}

// One freedom: the tip moves along a line whatever the impulse, G has rank one.
TEST(SmithLaw, TipOfAPendulumIsStruckWithOneFreedom) {
  ImpactProblem problem;
  problem.mass_matrix = MatrixXd::Identity(1, 1);
  problem.velocity = VectorXd::Constant(1, 1.0);
  problem.bilateral.resize(0, 1);
  problem.normal_jacobian = MatrixXd::Constant(1, 1, -1.0);
  problem.tangent_jacobian = MatrixXd::Constant(1, 1, 0.5);
  problem.normal_surface_velocity = problem.tangent_surface_velocity = VectorXd::Zero(1);
  problem.materials = {{0.4, 0.4, 0.5, 0.0, 0.0}};
  problem.names = {"tip"};
  const ImpactResult r = SmithLaw{}.resolve(problem);
  ASSERT_EQ(r.status, SolveStatus::solved);
  EXPECT_NEAR(r.velocity[0], -0.5, 1e-14);
  // w = (|s| s + |s'| s') / (s^2 + s'^2) with s = 0.5, s' = -0.25
  EXPECT_NEAR(r.tangent_impulse[0] / r.normal_impulse[0], -0.4 * 0.1875 / 0.3125, 1e-13);
  problem.materials[0].restitution = 0.0;
  EXPECT_NEAR(SmithLaw{}.resolve(problem).velocity[0], 0.0, 1e-14);
}

}  // namespace
}  // namespace clack
