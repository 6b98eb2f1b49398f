// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/newton.hpp"

#include "clack/contact/sphere_scene.hpp"
#include "clack/impact/conformance.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;
using testing::SphereScene;

/// Three unit balls of docs/theories/newton.md: a on top of b, c hits b. Contacts ab and bc.
struct ThreeBalls {
  SphereScene scene;
  ThreeBalls(double tangential, double friction, const Vector3d& c_centre,
             const Vector3d& c_velocity, double c_spin) {
    scene.material.dynamic_friction = scene.material.static_friction = friction;
    scene.material.restitution = 1.0;
    scene.material.tangential_restitution = tangential;
    scene.spheres = {{Vector3d(0, 2, 0)}, {Vector3d(0, 0, 0)}, {c_centre}};
    scene.spheres[2].velocity = c_velocity;
    scene.spheres[2].spin = Vector3d(0, 0, c_spin);
  }
  ImpactProblem problem() const {
    auto problem = scene.start<ImpactProblem>();
    scene.add_contact(problem, "ab", 1, 0);
    scene.add_contact(problem, "bc", 2, 1);
    return problem;
  }
  static Vector3d speed(const ImpactResult& r, int body) { return r.velocity.segment<3>(6 * body); }
  static double spin_z(const ImpactResult& r, int body) { return r.velocity[6 * body + 5]; }
};

ImpactResult central_hit(double tangential) {
  return NewtonLaw{}.resolve(
      ThreeBalls(tangential, 0.5, Vector3d(2, 0, 0), Vector3d(-1, 0, 0), 1.0).problem());
}

void expect_vector(const Vector3d& value, const Vector3d& expected, double tolerance) {
  EXPECT_LE((value - expected).cwiseAbs().maxCoeff(), tolerance)
      << value.transpose() << " instead of " << expected.transpose();
}

// docs/theories/newton.md, oracle column, tolerance 1e-12.
TEST(NewtonLaw, CentralHitWithTangentialRestitutionMinusOneKeepsTheSpin) {
  const ImpactResult r = central_hit(-1.0);
  expect_vector(ThreeBalls::speed(r, 1), Vector3d(-1, 0, 0), 1e-12);
  expect_vector(ThreeBalls::speed(r, 2), Vector3d::Zero(), 1e-12);
  expect_vector(ThreeBalls::speed(r, 0), Vector3d::Zero(), 1e-12);
  EXPECT_NEAR(ThreeBalls::spin_z(r, 2), 1.0, 1e-12);
  EXPECT_NEAR(r.energy_after - r.energy_before, 0.0, 1e-12);
  EXPECT_EQ(r.statuses[1], ContactStatus::open);
  EXPECT_NE(r.statuses[0], ContactStatus::open);  // gamma_N,ab+ = 0: still closed
}

TEST(NewtonLaw, CentralHitWithoutTangentialRestitution) {
  const ImpactResult r = central_hit(0.0);
  expect_vector(ThreeBalls::speed(r, 1), Vector3d(-1, -1.0 / 7, 0), 1e-12);
  expect_vector(ThreeBalls::speed(r, 2), Vector3d(0, 1.0 / 7, 0), 1e-12);
  expect_vector(ThreeBalls::speed(r, 0), Vector3d::Zero(), 1e-12);
  EXPECT_NEAR(ThreeBalls::spin_z(r, 1), -5.0 / 14, 1e-12);
  EXPECT_NEAR(ThreeBalls::spin_z(r, 2), 9.0 / 14, 1e-12);
  EXPECT_NEAR(r.energy_after - r.energy_before, -1.0 / 14, 1e-12);
  EXPECT_EQ(r.statuses[0], ContactStatus::open);
}

TEST(NewtonLaw, CentralHitWithFullTangentialRestitution) {
  const ImpactResult r = central_hit(1.0);
  expect_vector(ThreeBalls::speed(r, 1), Vector3d(-1, -2.0 / 7, 0), 1e-12);
  expect_vector(ThreeBalls::speed(r, 2), Vector3d(0, 2.0 / 7, 0), 1e-12);
  EXPECT_NEAR(ThreeBalls::spin_z(r, 1), -5.0 / 7, 1e-12);
  EXPECT_NEAR(ThreeBalls::spin_z(r, 2), 2.0 / 7, 1e-12);
  EXPECT_NEAR(r.energy_after - r.energy_before, 0.0, 1e-12);
}

TEST(NewtonLaw, HitFromTheOtherSidePressesTheUpperBall) {
  const ImpactResult r = NewtonLaw{}.resolve(
      ThreeBalls(0.0, 0.5, Vector3d(-2, 0, 0), Vector3d(1, 0, 0), 1.0).problem());
  EXPECT_NEAR(r.normal_impulse[0], 4.0 / 47, 1e-11);
  EXPECT_NEAR(r.normal_impulse[1], 48.0 / 47, 1e-11);
  EXPECT_NEAR(r.tangent_impulse.head(2).norm(), 2.0 / 47, 1e-11);
  EXPECT_NEAR(r.tangent_impulse.tail(2).norm(), 8.0 / 47, 1e-11);
  expect_vector(ThreeBalls::speed(r, 0), Vector3d(2.0 / 47, 4.0 / 47, 0), 1e-11);
  expect_vector(ThreeBalls::speed(r, 1), Vector3d(46.0 / 47, 4.0 / 47, 0), 1e-11);
  expect_vector(ThreeBalls::speed(r, 2), Vector3d(-1.0 / 47, -8.0 / 47, 0), 1e-11);
  EXPECT_NEAR(ThreeBalls::spin_z(r, 0), 5.0 / 47, 1e-11);
  EXPECT_NEAR(ThreeBalls::spin_z(r, 1), -15.0 / 47, 1e-11);
  EXPECT_NEAR(ThreeBalls::spin_z(r, 2), 27.0 / 47, 1e-11);
  EXPECT_NEAR(r.energy_after - r.energy_before, -0.109551833408782, 1e-11);
}

TEST(NewtonLaw, CentralHitWithoutFrictionMovesOnlyTheBallThatIsHit) {
  const ImpactResult r = NewtonLaw{}.resolve(
      ThreeBalls(0.0, 0.0, Vector3d(2, 0, 0), Vector3d(-1, 0, 0), 0.0).problem());
  expect_vector(ThreeBalls::speed(r, 1), Vector3d(-1, 0, 0), 1e-12);
  expect_vector(ThreeBalls::speed(r, 0), Vector3d::Zero(), 1e-12);
  expect_vector(ThreeBalls::speed(r, 2), Vector3d::Zero(), 1e-12);
}

// docs/theories/newton.md: T 9.4 -> 17.441666666666667 must be reported as a violation.
TEST(NewtonLaw, ReportsTheEnergyItCreates) {
  ThreeBalls balls(-1.0, 0.5, Vector3d(2, 0, 0), Vector3d(-1, 0, 0), 2.0);
  balls.scene.spheres[0].velocity = Vector3d(-1, -2, 0);
  balls.scene.spheres[0].spin = Vector3d(0, 0, -2);
  balls.scene.spheres[1].velocity = Vector3d(2, 2, 0);
  balls.scene.spheres[1].spin = Vector3d(0, 0, 2);
  const ImpactResult r = NewtonLaw{}.resolve(balls.problem());
  EXPECT_NEAR(r.energy_before, 9.4, 1e-12);
  EXPECT_NEAR(r.energy_after, 17.441666666666667, 1e-10);
  EXPECT_FALSE(r.is_consistent);
  EXPECT_TRUE(testing::has_flag(r.flags, "energy-gain"));
}

TEST(NewtonLaw, DroppedStackReboundsAsOne) {  // section 5: impulses 1.5 and 3, both velocities 0.5
  SphereScene scene;
  scene.material.restitution = 0.5;
  scene.spheres = {{Vector3d(0, 1, 0)}, {Vector3d(0, 3, 0)}};
  for (auto& sphere : scene.spheres) sphere.velocity = Vector3d(0, -1, 0);
  auto problem = scene.start<ImpactProblem>();
  scene.add_contact(problem, "pair", 0, 1);
  scene.add_contact(problem, "floor", -1, 0);
  const ImpactResult r = NewtonLaw{}.resolve(problem);
  EXPECT_NEAR(r.normal_impulse[0], 1.5, 1e-10);
  EXPECT_NEAR(r.normal_impulse[1], 3.0, 1e-10);
  EXPECT_NEAR(r.velocity[1], 0.5, 1e-10);
  EXPECT_NEAR(r.velocity[7], 0.5, 1e-10);
}

// Section 5: the local problem G, b with mu = 0.3; G = L L^T becomes rows L on unit masses.
TEST(NewtonLaw, FrictionOpposesSlipAlsoWhenInertiaIsAnisotropic) {
  Eigen::Matrix3d G;
  G << 2, 0.4, -0.3, 0.4, 5, 1.5, -0.3, 1.5, 2;
  const Eigen::Matrix3d L = Eigen::LLT<Eigen::Matrix3d>(G).matrixL();
  ImpactProblem problem;
  problem.dimension = 3;
  problem.mass_matrix = Eigen::Matrix3d::Identity();
  problem.velocity = L.partialPivLu().solve(Vector3d(-3, 4, 3));
  problem.bilateral.resize(0, 3);
  problem.normal_jacobian = L.row(0);
  problem.tangent_jacobian = L.bottomRows(2);
  problem.normal_surface_velocity = Eigen::VectorXd::Zero(1);
  problem.tangent_surface_velocity = Eigen::VectorXd::Zero(2);
  problem.materials.resize(1);
  problem.materials[0].dynamic_friction = problem.materials[0].static_friction = 0.3;
  problem.names = {"local"};
  const ImpactResult r = NewtonLaw{}.resolve(problem);
  EXPECT_NEAR(r.normal_impulse[0], 1.540865217504, 1e-10);
  EXPECT_NEAR(r.tangent_impulse[0], -0.390205011648, 1e-10);
  EXPECT_NEAR(r.tangent_impulse[1], -0.247838565504, 1e-10);
}

TEST(NewtonLaw, GrazingContactsGetNoImpulse) {  // docs/theories/newton.md
  SphereScene scene;
  scene.material.dynamic_friction = scene.material.static_friction = 0.5;
  scene.spheres = {{Vector3d(0, 1, 0)}};
  scene.spheres[0].velocity = Vector3d(1, 0, 0);
  auto problem = scene.start<ImpactProblem>();
  scene.add_contact(problem, "floor", -1, 0);
  const ImpactResult r = NewtonLaw{}.resolve(problem);
  EXPECT_EQ(r.normal_impulse[0], 0.0);
  EXPECT_EQ(r.velocity, problem.velocity);
  EXPECT_EQ(r.statuses[0], ContactStatus::slip);
}

TEST(NewtonLaw, ObliqueBounceLosesWhatFrictionTakes) {  // 4.4: min(mu (1+e) m vn, 2/7 m vt)
  for (const double mu : {0.1, 0.8}) {
    SphereScene scene;
    scene.material = {mu, mu, 0.6, 0.0, 0.0};
    scene.spheres = {{Vector3d(0, 1, 0)}};
    scene.spheres[0].velocity = Vector3d(3, -2, 0);
    auto problem = scene.start<ImpactProblem>();
    scene.add_contact(problem, "floor", -1, 0);
    const ImpactResult r = NewtonLaw{}.resolve(problem);
    EXPECT_NEAR(r.velocity[1], 1.2, 1e-12);
    EXPECT_NEAR(3.0 - r.velocity[0], std::min(mu * 1.6 * 2.0, 2.0 / 7.0 * 3.0), 1e-12);
  }
}

TEST(NewtonLaw, PassesTheConformanceTest) {
  testing::LawClaims claims;
  claims.is_spatial = true;
  claims.friction = 0.3;
  testing::check_impact_law(NewtonLaw{}, claims);
}

// docs/theories/newton.md: T+ <= T- when all coefficients are equal.
TEST(NewtonLaw, EqualCoefficientsNeverGainEnergy) {
  testing::RandomSystem random(77);
  for (int k = 0; k < 400; ++k) {
    auto problem = random.system<ImpactProblem>(5, 1 + k % 3, 2, 0.8);
    const double e = random.uniform(0.0, 1.0);
    for (auto& material : problem.materials)
      material.restitution = material.tangential_restitution = e;
    for (int i = 0; i < problem.contacts(); ++i)
      if (problem.normal_jacobian.row(i).dot(problem.velocity) > 0.0)
        problem.normal_jacobian.row(i) *= -1.0;
    const ImpactResult r = NewtonLaw{}.resolve(problem);
    if (r.status != SolveStatus::solved) continue;
    EXPECT_LE(r.energy_after, r.energy_before * (1.0 + 1e-9)) << k;
  }
}

// Two pairs of spheres far apart: each pair collides as if it were alone, and threads change no bit.
TEST(NewtonLaw, IslandsAreResolvedOnTheirOwnAndThreadsChangeNoBit) {
  const auto pair_at = [](testing::SphereScene& scene, double x, double speed) {
    scene.spheres.push_back({Eigen::Vector3d(x, 2, 0), 1.0, 1.0, Eigen::Vector3d(0.1, -speed, 0)});
    scene.spheres.push_back({Eigen::Vector3d(x, 0, 0)});
  };
  testing::SphereScene both, one;
  both.material.dynamic_friction = both.material.static_friction = 0.3;
  both.material.restitution = 0.5;
  one.material = both.material;
  pair_at(both, 0.0, 1.0);
  pair_at(both, 50.0, 3.0);
  pair_at(one, 50.0, 3.0);
  auto whole = both.start<ImpactProblem>();
  both.add_contact(whole, "first", 1, 0);
  both.add_contact(whole, "second", 3, 2);
  auto part = one.start<ImpactProblem>();
  one.add_contact(part, "second", 1, 0);
  const ImpactResult together = NewtonLaw{}.resolve(whole), alone = NewtonLaw{}.resolve(part);
  EXPECT_NEAR(together.normal_impulse[0], 0.75, 1e-14);  // (1 + e) speed m/2
  EXPECT_EQ(together.normal_impulse[1], alone.normal_impulse[0]);
  EXPECT_EQ(together.velocity.tail(12), alone.velocity);
  for (const int threads : {2, 4}) {
    whole.options.threads = threads;
    const ImpactResult shared = NewtonLaw{}.resolve(whole);
    EXPECT_EQ(shared.velocity, together.velocity);
    EXPECT_EQ(shared.energy_after, together.energy_after);
  }
}

}  // namespace
}  // namespace clack
