// SPDX-License-Identifier: Apache-2.0
// What the projection law keeps whatever the problem.
#include <rapidcheck/gtest.h>

#include "clack/impact/projection_examples.hpp"
#include "clack/linalg/drawn_system.hpp"

namespace clack {
namespace {

using namespace projection_examples;

double kinetic(const DrawnSystem& s, const VectorXd& v) { return 0.5 * v.dot(s.M * v); }

void assert_near(double a, double b, double size) {
  assert_same(VectorXd::Constant(1, a), VectorXd::Constant(1, b), size);
}

// Closed form with one restitution for all rows and an external impulse; energies in parts of the
// larger of those before and after.
RC_GTEST_PROP(ProjectionImpactProperties, OneRestitutionKeepsMomentumAndBooksEnergy, ()) {
  const DrawnSystem s = draw_system();
  const double e = static_cast<double>(*rc::gen::inRange(0, 1001)) / 1000.0;
  const MatrixXd I = MatrixXd::Identity(s.M.rows(), s.M.rows());
  const auto r = project_impact(s.M, s.A, s.v, -e * (s.A * s.v), s.impulse);
  const MatrixXd &S = r.projector.impact_projector, &Mp = r.projector.feasible_mobility;
  const MatrixXd St = S.transpose();
  assert_same(r.velocity, s.v - (1 + e) * S * s.v + Mp * s.impulse);
  assert_same(r.generalised_impulse, -(1 + e) * St * s.M * s.v - St * s.impulse);
  assert_same(s.A.transpose() * r.row_impulses, r.generalised_impulse);
  assert_same(s.A * r.projector.pseudo_inverse * r.row_impulses, r.row_impulses);  // minimum norm
  const double before = kinetic(s, s.v), after = kinetic(s, r.velocity);
  const double law = -0.5 * (1 - e * e) * s.v.dot(St * s.M * S * s.v) +
                     0.5 * s.impulse.dot(Mp * s.impulse) + s.v.dot((I - St) * s.impulse);
  assert_near(after - before, law, std::max(before, after));
  const auto plain = project_impact(s.M, s.A, s.v, -e * (s.A * s.v), VectorXd());
  assert_same(plain.velocity, (e * reflection(r.projector) + (1 - e) * (I - S)) * s.v);
  assert_same(s.M * plain.velocity, s.M * s.v - (1 + e) * St * s.M * s.v);
}

RC_GTEST_PROP(ProjectionImpactProperties, RestitutionPerContactIsTheLeastSquaresLaw, ()) {
  const DrawnSystem s = draw_system();
  const MatrixXd I = MatrixXd::Identity(s.M.rows(), s.M.rows());
  const VectorXd rates = s.A * s.v, wanted = -(s.restitution.asDiagonal() * rates);
  const auto r = project_impact(s.M, s.A, s.v, wanted, s.impulse);
  const auto plain = project_impact(s.M, s.A, s.v, wanted, VectorXd());
  const MatrixXd &S = r.projector.impact_projector, &Ap = r.projector.pseudo_inverse;
  const MatrixXd Et = Ap * s.restitution.asDiagonal() * s.A;
  assert_same(r.velocity, s.v - S * (I + Et) * s.v + r.projector.feasible_mobility * s.impulse);
  assert_same(plain.generalised_impulse, -s.M * S * (I + Et) * s.v);
  assert_same(s.A.transpose() * plain.row_impulses, plain.generalised_impulse);
  assert_same(s.A * plain.velocity, s.A * Ap * wanted);
  const MatrixXd Q = constraint_metric(r.projector, s.M);
  const double before = kinetic(s, s.v), after = kinetic(s, plain.velocity);
  assert_near(after - before, 0.5 * (wanted.dot(Q * wanted) - rates.dot(Q * rates)),
              std::max(before, after));
}

TEST(ProjectionImpact, ExternalImpulseAlongTheConstraintsChangesNothing) {
  std::mt19937_64 random(13);
  for (int k = 0; k < 50; ++k) {
    const MatrixXd M = random_mass(random, 5), A = random_matrix(random, 2, 5);
    const VectorXd v = random_matrix(random, 5, 1);
    const VectorXd held = A.transpose() * random_matrix(random, 2, 1);  // range(S^T) = range(A^T)
    const auto with = project_impact(M, A, v, VectorXd::Zero(2), held);
    const auto without = project_impact(M, A, v, VectorXd::Zero(2), VectorXd());
    EXPECT_LT((with.velocity - without.velocity).norm(), 1e-12);
  }
}

// The law's two promises: unilateral never gains; every gain of the closed form (independent rows,
// approaching contacts) comes with a negative impulse.
TEST(ProjectionImpact, UnilateralNeverGainsEnergyOnTenThousandProblemsAndGainsOfTheClosedFormPull) {
  std::mt19937_64 random(2024);
  std::uniform_real_distribution<double> unit(0, 1);
  int gains = 0, closed_forms = 0;
  for (int k = 0; k < 10000; ++k) {
    const int n = 2 + k % 4, c = 1 + k / 4 % 4;
    const bool is_dependent = c > n || k % 5 == 0;
    const MatrixXd M = random_mass(random, n);
    MatrixXd A = random_matrix(random, c, n);
    if (k % 5 == 0 && c > 1) A.row(c - 1) = 2.0 * A.row(0);
    const VectorXd v = random_matrix(random, n, 1);
    for (int i = 0; i < c; ++i) {
      if (A.row(i).dot(v) > 0) A.row(i) *= -1;
    }
    std::vector<double> e;
    for (int i = 0; i < c; ++i) e.push_back(unit(random));
    const auto p = problem_of(M, A, v, e);
    const auto r = ProjectionLaw{}.resolve(p);
    ASSERT_EQ(r.status, SolveStatus::solved) << k;
    EXPECT_LE(energy_change(r), 1e-12 * r.energy_before) << k;
    EXPECT_GE(r.normal_impulse.minCoeff(), 0.0) << k;
    EXPECT_GE((A * r.velocity).minCoeff(), -1e-9 * v.norm()) << k;
    EXPECT_LT(r.certificate.complementarity, 1e-8 * r.energy_before) << k;
    EXPECT_FALSE(has(r.flags, "energy-gain")) << k;
    if (is_dependent) continue;
    ++closed_forms;
    const auto closed = closed_form().resolve(p);
    if (energy_change(closed) <= 1e-9 * closed.energy_before) continue;
    ++gains;
    EXPECT_TRUE(has(closed.flags, "energy-gain")) << k;
    EXPECT_TRUE(has(closed.flags, "negative-impulse")) << k;
    EXPECT_LT(closed.normal_impulse.minCoeff(), 0.0) << k;
    EXPECT_TRUE(says(closed.notes, "would have to pull")) << k;
    EXPECT_FALSE(closed.is_consistent) << k;
  }
  EXPECT_GT(closed_forms, 6000);
  EXPECT_GT(gains, 100);
  RecordProperty("closed_forms", closed_forms);
  RecordProperty("gains", gains);
}

TEST(ProjectionImpact, RepeatingOrRescalingARowChangesNoVelocity) {
  std::mt19937_64 random(31);
  for (int k = 0; k < 200; ++k) {
    const int n = 3 + k % 3, c = 2;
    const MatrixXd M = random_mass(random, n);
    MatrixXd A = random_matrix(random, c, n);
    const VectorXd v = random_matrix(random, n, 1);
    for (int i = 0; i < c; ++i) {
      if (A.row(i).dot(v) > 0) A.row(i) *= -1;
    }
    MatrixXd B(c + 2, n);
    B << A, A.row(0), std::pow(10.0, k % 13 - 6) * A.row(1);
    const auto p = problem_of(M, A, v, {0.6, 0.6}), q = problem_of(M, B, v, {0.6, 0.6, 0.6, 0.6});
    EXPECT_LT((ProjectionLaw{}.resolve(p).velocity - ProjectionLaw{}.resolve(q).velocity).norm(),
              1e-11 * v.norm())
        << k;
    EXPECT_LT((closed_form().resolve(p).velocity - closed_form().resolve(q).velocity).norm(),
              1e-11 * v.norm())
        << k;
  }
}

// Unequal restitution on dependent rows: the shared error weighs long rows more, so rows belong to
// unit normals. The unilateral answer does not care.
TEST(ProjectionImpact, OnlyTheLeastSquaresLawOfUnequalRestitutionDependsOnTheLengthOfRows) {
  auto longer = three_feet();
  longer.normal_jacobian.row(1) *= 3.0;
  const auto difference = [&](const ProjectionLaw& law) {
    return (law.resolve(longer).velocity - law.resolve(three_feet()).velocity).norm();
  };
  EXPECT_GT(difference(closed_form()), 0.05);
  EXPECT_LT(difference(ProjectionLaw{}), 1e-12);
}

TEST(ProjectionImpact, RedundantJointsDoNotHideAContactThatPulls) {
  for (const int joints : {0, 1, 2, 3}) {
    auto p = block(1, 0);
    p.bilateral = MatrixXd::Zero(joints, 3);
    for (int k = 0; k < joints; ++k) p.bilateral(k, 0) = 1.0 + k;  // x held again and again
    const auto r = closed_form().resolve(p);
    EXPECT_NEAR(r.normal_impulse[1], -0.95, 1e-12) << joints;
    EXPECT_TRUE(has(r.flags, "negative-impulse")) << joints;
    EXPECT_TRUE(says(r.notes, "contact c2 would have to pull")) << joints;
    EXPECT_EQ(has(r.flags, "hyperstatic"), joints > 1) << joints;
    EXPECT_LT(r.bilateral_impulse.norm(), 1e-12) << joints;
  }
}

TEST(ProjectionImpact, AZeroRowIsLeftOutAndNamed) {
  for (const bool is_closed : {false, true}) {
    auto p = block(1, 0);
    p.normal_jacobian.row(0).setZero();
    p.bilateral = MatrixXd::Zero(1, 3);
    const auto r = (is_closed ? closed_form() : ProjectionLaw{}).resolve(p);
    EXPECT_LT((r.velocity - Vector3d(0, -0.58 / 1.3, 1.16 / 1.3)).norm(), 1e-12);
    EXPECT_EQ(r.normal_impulse[0], 0.0);
    EXPECT_TRUE(says(r.notes, "contact c1: its normal row is zero"));
    EXPECT_TRUE(says(r.notes, "bilateral row 1 is zero"));
    EXPECT_FALSE(has(r.flags, "hyperstatic"));
  }
}

// Rows 1e-12 apart: independent to the default cut-off, without a correct digit in their impulses.
TEST(ProjectionImpact, NearlyDependentContactsAreReportedAndDoNotPull) {
  auto p = block(0.5, 0.5);
  p.normal_jacobian << 0, 1, 0, 0, 1, 1e-12;
  const auto r = ProjectionLaw{}.resolve(p);
  EXPECT_LT((r.velocity - Vector3d(0, 0.3, 0.8)).norm(), 1e-11);
  EXPECT_GE(r.normal_impulse.minCoeff(), 0.0);
  EXPECT_NEAR(r.normal_impulse.sum(), 0.9, 1e-11);
  EXPECT_TRUE(has(r.flags, "rank-near-cutoff"));
  EXPECT_TRUE(says(r.notes, "a singular value is 5e-13 of the largest, the cut-off is 5.33e-15"));
  // As equalities they hold two directions; a wider cut-off makes them one row and the spin free.
  auto held = p;
  EXPECT_NEAR(closed_form().resolve(held).velocity[2], -0.4, 1e-3);
  held.options.rank_cutoff = 1e-10;
  const auto one = closed_form().resolve(held);
  EXPECT_LT((one.velocity - Vector3d(0, 0.3, 0.8)).norm(), 1e-11);
  EXPECT_TRUE(has(one.flags, "rank-near-cutoff"));
  EXPECT_TRUE(has(one.flags, "hyperstatic"));
}

TEST(ProjectionImpact, FullRestitutionEverywhereConservesEnergy) {
  std::mt19937_64 random(17);
  for (int k = 0; k < 100; ++k) {
    const int n = 2 + k % 5, c = 1 + k % 4;
    const MatrixXd M = random_mass(random, n);
    MatrixXd A = random_matrix(random, c, n);
    const VectorXd v = random_matrix(random, n, 1);
    for (int i = 0; i < c; ++i) {
      if (A.row(i).dot(v) > 0) A.row(i) *= -1;
    }
    const auto r = closed_form().resolve(problem_of(M, A, v, std::vector<double>(c, 1.0)));
    EXPECT_NEAR(energy_change(r), 0.0, 1e-13 * r.energy_before) << k;
  }
}

TEST(ProjectionImpact, FourFeetFindANonNegativeDistributionWhereTheMinimumNormPulls) {
  // a plate falling on four corners with its mass centre near one of them
  MatrixXd M = Vector3d(1, 0.1, 0.1).asDiagonal();
  MatrixXd A(4, 3);  // height, two tilts about a point whose corners are (-1,-1), (1,-1), (1,1),
                     // (-1,1) shifted by (0.7, 0.7)
  A << 1, -1.7, -1.7, 1, 0.3, -1.7, 1, 0.3, 0.3, 1, -1.7, 0.3;
  const auto p = problem_of(M, A, Vector3d(-1, 0, 0), {0, 0, 0, 0});
  const VectorXd least =
      project_impact(M, A, p.velocity, VectorXd::Zero(4), VectorXd()).row_impulses;
  ASSERT_LT(least.minCoeff(), -0.01);
  for (const ProjectionLaw& law : {ProjectionLaw{}, closed_form()}) {
    const auto r = law.resolve(p);
    EXPECT_LT(r.velocity.norm(), 1e-12);
    EXPECT_GE(r.normal_impulse.minCoeff(), 0.0);
    EXPECT_FALSE(has(r.flags, "negative-impulse"));
    EXPECT_TRUE(has(r.flags, "hyperstatic"));
  }
}

TEST(ProjectionImpact, APinchedBodyHasNoAnswer) {
  MatrixXd A(2, 1);
  A << 1, -1;
  auto p = problem_of(MatrixXd::Identity(1, 1), A, VectorXd::Zero(1), {0, 0});
  p.normal_surface_velocity << 0.5, 0.5;  // two walls closing on it
  const auto r = ProjectionLaw{}.resolve(p);
  EXPECT_EQ(r.status, SolveStatus::none_exists);
  EXPECT_TRUE(has(r.flags, "no-solution"));
  EXPECT_TRUE(says(r.notes, "contacts c1, c2: no motion satisfies all rows"));
}

TEST(ProjectionImpact, SeparatingContactsTakeNoPartAndLateOnesAreHitInAFollowingStage) {
  MatrixXd A(2, 2);
  A << 1, 0, 0, 1;
  auto p = problem_of(MatrixXd::Identity(2, 2), A, Eigen::Vector2d(-1, 0.5), {0.5, 0.5});
  const auto apart = ProjectionLaw{}.resolve(p);
  EXPECT_LT((apart.velocity - Eigen::Vector2d(0.5, 0.5)).norm(), 1e-14);
  EXPECT_LT((closed_form().resolve(p).velocity - Eigen::Vector2d(0.5, 0.5)).norm(), 1e-14);
  p.normal_jacobian << 1, 0, -2, 1;  // separates at 2.5, is driven in by the first
  p.normal_jacobian.row(1) << -1, 0.2;
  const auto chained = ProjectionLaw{}.resolve(p);
  EXPECT_GE(p.gap_rates(chained.velocity).minCoeff(), -1e-9);
  EXPECT_GT(chained.events.size(), 1u);
  EXPECT_LE(energy_change(chained), 0.0);
}

}  // namespace
}  // namespace clack
