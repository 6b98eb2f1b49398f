// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/circumstances.hpp"
#include "clack/error.hpp"
#include "clack/impact/conformance.hpp"
#include "clack/impact/projection_examples.hpp"

namespace clack {
namespace {

using namespace projection_examples;

TEST(ProjectionImpact, MassOnAnInclineReboundsAsComputedIndependently) {
  MatrixXd A(1, 2);
  A << -0.5, std::sqrt(3.0) / 2;
  const auto p = problem_of(2.0 * MatrixXd::Identity(2, 2), A, Eigen::Vector2d(1, -3), {0.8});
  for (const ProjectionLaw& law : {ProjectionLaw{}, closed_form()}) {
    const auto r = law.resolve(p);
    EXPECT_NEAR(r.velocity[0], -1.7882685902179845, 1e-12);
    EXPECT_NEAR(r.velocity[1], 1.8294228634059948, 1e-12);
    EXPECT_NEAR(r.normal_impulse[0], 11.153074360871939, 1e-12);
    EXPECT_NEAR(energy_change(r), -3.455307436087193, 1e-12);
  }
}

TEST(ProjectionImpact, CradleSharesItsMomentumAsComputedIndependently) {
  for (const bool is_closed : {false, true}) {
    const auto run = [&](double e) {
      return (is_closed ? closed_form() : ProjectionLaw{}).resolve(cradle(e));
    };
    const auto full = run(1);
    EXPECT_LT((full.velocity - Vector3d(-1.0 / 3, 2.0 / 3, 2.0 / 3)).norm(), 1e-13);
    EXPECT_LT((full.normal_impulse - Eigen::Vector2d(4.0 / 3, 2.0 / 3)).norm(), 1e-13);
    EXPECT_NEAR(energy_change(full), 0.0, 1e-13);
    const auto half = run(0.5);
    EXPECT_LT((half.velocity - Vector3d(0, 0.5, 0.5)).norm(), 1e-13);
    EXPECT_LT((half.normal_impulse - Eigen::Vector2d(1, 0.5)).norm(), 1e-13);
    EXPECT_NEAR(energy_change(half), -0.25, 1e-13);
    const auto none = run(0);
    EXPECT_LT((none.velocity - Vector3d(1, 1, 1) / 3).norm(), 1e-13);
    EXPECT_NEAR(energy_change(none), -1.0 / 3, 1e-13);
  }
}

TEST(ProjectionImpact, CradleHitOneByOneSendsTheLastBall) {
  auto p = cradle(1);
  const auto r = ProjectionLaw{{.simultaneous = false}}.resolve(p);
  EXPECT_LT((r.velocity - Vector3d(0, 0, 1)).norm(), 1e-13);
  EXPECT_EQ(r.events.size(), 2u);
}

TEST(ProjectionImpact, BlockWithUnequalRestitutionGainsEnergyInClosedFormWithANegativeImpulse) {
  const auto r = closed_form().resolve(block(1, 0));
  EXPECT_LT((r.velocity - Vector3d(0, 0.5, -1)).norm(), 1e-12);
  EXPECT_NEAR(r.normal_impulse[0], 2.05, 1e-12);
  EXPECT_NEAR(r.normal_impulse[1], -0.95, 1e-12);
  EXPECT_NEAR(r.energy_before, 0.44666666666666667, 1e-12);
  EXPECT_NEAR(energy_change(r), 0.095, 1e-12);
  EXPECT_FALSE(r.is_consistent);
  EXPECT_TRUE(has(r.flags, "energy-gain"));
  EXPECT_TRUE(has(r.flags, "negative-impulse"));
  EXPECT_TRUE(has(r.flags, "restitution-inconsistent"));
}

TEST(ProjectionImpact, InconsistentRestitutionIsAnErrorThatNamesTheWayOut) {
  try {
    (void)closed_form(InconsistentPolicy::error).resolve(block(1, 0));
    FAIL();
  } catch (const InputError& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find("t_max = 0.84265008"), std::string::npos) << what;
    EXPECT_NE(what.find("(0.85378"), std::string::npos) << what;
    EXPECT_NE(e.remedy().find("unilateral"), std::string::npos);
  }
}

TEST(ProjectionImpact, ProjectedRestitutionNeverGainsEnergy) {
  const auto r = closed_form(InconsistentPolicy::project).resolve(block(1, 0));
  EXPECT_LE(energy_change(r), 1e-12);
  EXPECT_TRUE(r.is_consistent);
  EXPECT_TRUE(has(r.flags, "restitution-inconsistent"));
  EXPECT_NEAR((block(1, 0).normal_jacobian * r.velocity)[0], 0.8537863888586749, 1e-6);
}

TEST(ProjectionImpact, BlockKeepsItsEnergyWhenOnlyTheElasticCornerActs) {
  const auto r = ProjectionLaw{}.resolve(block(1, 0));
  EXPECT_LT((r.velocity - Vector3d(0, 0.9384615384615385, -0.1230769230769231)).norm(), 1e-12);
  EXPECT_NEAR(r.normal_impulse[0], 1.5384615384615385, 1e-12);
  EXPECT_EQ(r.normal_impulse[1], 0.0);
  EXPECT_NEAR(energy_change(r), 0.0, 1e-12);
  EXPECT_TRUE(r.is_consistent);
  EXPECT_TRUE(r.flags.empty());
}

TEST(ProjectionImpact, ThreeFeetShareTheErrorInLeastSquaresOrHitWithTheMiddleOne) {
  const auto least = closed_form().resolve(three_feet());
  EXPECT_LT((least.velocity - Vector3d(0, 0.49333333333333333, 0.14)).norm(), 1e-12);
  EXPECT_NEAR(energy_change(least), -0.3868111111111111, 1e-12);
  EXPECT_TRUE(has(least.flags, "restitution-least-squares"));
  EXPECT_NE(least.notes.at(0).find("0.40666666"), std::string::npos) << least.notes.at(0);
  const auto free = ProjectionLaw{}.resolve(three_feet());
  EXPECT_LT((free.velocity - Vector3d(0, 0.9, 0.2)).norm(), 1e-12);
  EXPECT_EQ(free.normal_impulse[0], 0.0);
  EXPECT_GT(free.normal_impulse[1], 0.0);
  EXPECT_EQ(free.normal_impulse[2], 0.0);
  EXPECT_NEAR(energy_change(free), -0.095, 1e-12);
  EXPECT_FALSE(has(free.flags, "restitution-least-squares"));
}

// EX3: three rods, stance foot, hip, torso and swing leg; mass matrix from the mass centres'
// Jacobians.
struct Biped {
  MatrixXd M = MatrixXd::Zero(5, 5), A = MatrixXd::Zero(5, 5);
  VectorXd v = VectorXd::Zero(5);
  Biped() {
    const double m[3] = {5, 20, 5}, l[3] = {1, 0.8, 1}, th[3] = {-0.25, -0.1, 0.25};
    v << 0, 0, -1.1, -0.2, -0.5;
    const auto add = [&](double mass, const MatrixXd& J) { M += mass * J.transpose() * J; };
    MatrixXd hip = MatrixXd::Zero(2, 5);
    hip(0, 0) = hip(1, 1) = 1;
    const auto turned = [&](int k, double sign,
                            double length) {  // d/dth of sign * length * (-sin, cos)
      MatrixXd J = MatrixXd::Zero(2, 5);
      J(0, 2 + k) = -sign * length * std::cos(th[k]);
      J(1, 2 + k) = -sign * length * std::sin(th[k]);
      return J;
    };
    const MatrixXd foot = hip;
    add(m[0], foot + turned(0, 1, l[0] / 2));
    hip = foot + turned(0, 1, l[0]);
    add(m[1], hip + turned(1, 1, l[1] / 2));
    add(m[2], hip + turned(2, -1, l[2] / 2));
    for (int k = 0; k < 3; ++k) M(2 + k, 2 + k) += m[k] * l[k] * l[k] / 12;
    const MatrixXd swing = hip + turned(2, -1, l[2]);
    A.row(0) = foot.row(0);
    A.row(1) = foot.row(1);
    A.row(2) = foot.row(1);
    A.row(3) = swing.row(1);
    A.row(4) = swing.row(0);
  }
};

TEST(ProjectionImpact, BipedWithARedundantStanceRowMatchesTheKnownNumbers) {
  const Biped biped;
  const VectorXd before = biped.A * biped.v;
  ASSERT_NEAR(before[3], -0.395846334807, 1e-11);
  ASSERT_NEAR(before[4], 0.581347453026, 1e-11);
  const auto hit = [&](double e) {
    VectorXd wanted = VectorXd::Zero(5);
    wanted[3] = -e * before[3];
    return project_impact(biped.M, biped.A, biped.v, wanted, VectorXd());
  };
  const auto change = [&](const VectorXd& v) {
    return 0.5 * (v.dot(biped.M * v) - biped.v.dot(biped.M * biped.v));
  };
  const auto plastic = hit(0);
  EXPECT_EQ(plastic.projector.rank, 4);
  VectorXd expected = VectorXd::Zero(5);
  expected[3] = -2.2393403482430876;
  EXPECT_LT((plastic.velocity - expected).norm(), 1e-11);
  EXPECT_NEAR(change(plastic.velocity), -6.2626513246599735, 1e-11);
  const auto bounce = hit(0.3);
  expected << 0, 0, 0.24, -2.6842873333143067, 0.24;
  EXPECT_LT((bounce.velocity - expected).norm(), 1e-11);
  EXPECT_NEAR(change(bounce.velocity), -5.995375895223318, 1e-11);
  VectorXd rows(5);
  rows << -5.794972650468494, -9.090708029490608, -9.090708029490608, 25.77183014279362,
      -8.341952154242689;
  EXPECT_LT((bounce.row_impulses - rows).norm(), 1e-10);
}

TEST(ProjectionImpact, BipedStanceIsReleasedWhenItsNormalImpulseWouldPull) {
  const Biped biped;
  auto p = problem_of(biped.M, biped.A.middleRows(1, 3), biped.v, {0, 0, 0.3});
  p.bilateral = biped.A.row(4);
  const auto r = ProjectionLaw{}.resolve(p);  // stance x is a friction row: it goes with the stance
  VectorXd expected(5);
  expected << 0.3978576309612555, 0.3040754158207158, -0.16922078322583875, -1.2402771072047056,
      -0.5798436858188569;
  EXPECT_LT((r.velocity - expected).norm(), 1e-11);
  EXPECT_NEAR(energy_change(r), -3.4080308132288892, 1e-11);
  EXPECT_EQ(r.normal_impulse[0], 0.0);
  EXPECT_EQ(r.normal_impulse[1], 0.0);
}

TEST(ProjectionImpact, KeepsWhatEveryLawPromises) {
  testing::LawClaims claims;
  claims.has_friction = false;
  claims.is_spatial = true;
  claims.never_gains_energy = true;
  testing::check_impact_law(ProjectionLaw{}, claims);
}

TEST(ProjectionImpact, FrictionIsRefusedWithLawsThatTakeIt) {
  auto p = block(0.5, 0.5);
  p.materials[1].dynamic_friction = p.materials[1].static_friction = 0.3;
  EXPECT_NE(impact_laws().refusal("projection", circumstances_of(p)).find("newton, poisson or lzb"),
            std::string::npos);
  EXPECT_THROW((void)ProjectionLaw{}.resolve(p), InputError);
}

TEST(ProjectionImpact, RestitutionOutsideItsRangeIsAnError) {
  EXPECT_THROW((void)ProjectionLaw{}.resolve(block(1.2, 0)), InputError);
  EXPECT_THROW((void)ProjectionLaw{}.resolve(block(0, -0.1)), InputError);
}

TEST(ProjectionImpact, NoContactsAndLockedSystemsHaveAnswers) {
  auto p = problem_of(MatrixXd::Identity(2, 2), MatrixXd(0, 2), Eigen::Vector2d(1, 2), {});
  EXPECT_EQ(ProjectionLaw{}.resolve(p).velocity, Eigen::Vector2d(1, 2));
  p.bilateral = MatrixXd::Identity(2, 2);
  EXPECT_LT(ProjectionLaw{}.resolve(p).velocity.norm(), 1e-15);
  EXPECT_LT((ProjectionLaw{}.resolve(p).bilateral_impulse + Eigen::Vector2d(1, 2)).norm(), 1e-14);
}

}  // namespace
}  // namespace clack
