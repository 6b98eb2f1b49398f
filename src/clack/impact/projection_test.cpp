#include "clack/impact/projection.hpp"

#include <rapidcheck/gtest.h>

#include "clack/error.hpp"
#include "clack/impact/conformance.hpp"
#include "clack/linalg/drawn_system.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

ImpactProblem problem_of(const MatrixXd& M, const MatrixXd& A, const VectorXd& v,
                         const std::vector<double>& e) {
  ImpactProblem p;
  p.dimension = 2;
  p.mass_matrix = M;
  p.velocity = v;
  p.bilateral = MatrixXd(0, v.size());
  p.normal_jacobian = A;
  p.tangent_jacobian = MatrixXd::Zero(A.rows(), v.size());
  p.normal_surface_velocity = VectorXd::Zero(A.rows());
  p.tangent_surface_velocity = VectorXd::Zero(A.rows());
  for (int i = 0; i < A.rows(); ++i) {
    ContactMaterial material;
    material.restitution = e[static_cast<std::size_t>(i)];
    p.materials.push_back(material);
    p.names.push_back("c" + std::to_string(i + 1));
  }
  return p;
}

ImpactProblem closed_form(ImpactProblem p, InconsistentPolicy policy = InconsistentPolicy::allow) {
  p.options.mode = RestitutionMode::closed_form;
  p.options.inconsistent = policy;
  return p;
}

bool has(const std::vector<std::string>& flags, std::string_view flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

bool says(const std::vector<std::string>& notes, std::string_view words) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

double energy_change(const ImpactResult& r) { return r.energy_after - r.energy_before; }

// docs/theories/projection.md: EX1, EX2 (cradle), EX4 (block), EX5 (three feet). Numbers of section
// 5, 40-digit oracle.

ImpactProblem cradle(double e) {
  MatrixXd A(2, 3);
  A << -1, 1, 0, 0, -1, 1;
  return problem_of(MatrixXd::Identity(3, 3), A, Vector3d(1, 0, 0), {e, e});
}

ImpactProblem block(double e1, double e2) {
  MatrixXd M = Vector3d(1, 1, 5.0 / 6.0).asDiagonal();
  MatrixXd A(2, 3);
  A << 0, 1, -0.5, 0, 1, 0.5;
  return problem_of(M, A, Vector3d(0, -0.6, 0.8), {e1, e2});
}

ImpactProblem three_feet() {
  MatrixXd M = Vector3d(1, 1, 5.0 / 6.0).asDiagonal();
  MatrixXd A(3, 3);
  A << 0, 1, -0.5, 0, 1, 0, 0, 1, 0.5;
  return problem_of(M, A, Vector3d(0, -1, 0.2), {0.2, 0.9, 0.4});
}

TEST(ProjectionImpact, MassOnAnInclineReboundsAsComputedIndependently) {
  MatrixXd A(1, 2);
  A << -0.5, std::sqrt(3.0) / 2;
  const auto p = problem_of(2.0 * MatrixXd::Identity(2, 2), A, Eigen::Vector2d(1, -3), {0.8});
  for (const auto& problem : {p, closed_form(p)}) {
    const auto r = ProjectionLaw{}.resolve(problem);
    EXPECT_NEAR(r.velocity[0], -1.7882685902179845, 1e-12);
    EXPECT_NEAR(r.velocity[1], 1.8294228634059948, 1e-12);
    EXPECT_NEAR(r.normal_impulse[0], 11.153074360871939, 1e-12);
    EXPECT_NEAR(energy_change(r), -3.455307436087193, 1e-12);
  }
}

TEST(ProjectionImpact, CradleSharesItsMomentumAsComputedIndependently) {
  for (const bool is_closed : {false, true}) {
    const auto run = [&](double e) {
      return ProjectionLaw{}.resolve(is_closed ? closed_form(cradle(e)) : cradle(e));
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
  p.options.simultaneous = false;
  const auto r = ProjectionLaw{}.resolve(p);
  EXPECT_LT((r.velocity - Vector3d(0, 0, 1)).norm(), 1e-13);
  EXPECT_EQ(r.events.size(), 2u);
}

TEST(ProjectionImpact, BlockWithUnequalRestitutionGainsEnergyInClosedFormWithANegativeImpulse) {
  const auto r = ProjectionLaw{}.resolve(closed_form(block(1, 0)));
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
    (void)ProjectionLaw{}.resolve(closed_form(block(1, 0), InconsistentPolicy::error));
    FAIL();
  } catch (const InputError& e) {
    const std::string what = e.what();
    EXPECT_NE(what.find("t_max = 0.84265008"), std::string::npos) << what;
    EXPECT_NE(what.find("(0.85378"), std::string::npos) << what;
    EXPECT_NE(e.remedy().find("unilateral"), std::string::npos);
  }
}

TEST(ProjectionImpact, ProjectedRestitutionNeverGainsEnergy) {
  const auto r = ProjectionLaw{}.resolve(closed_form(block(1, 0), InconsistentPolicy::project));
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
  const auto least = ProjectionLaw{}.resolve(closed_form(three_feet()));
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
    const auto closed = ProjectionLaw{}.resolve(closed_form(p));
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
    EXPECT_LT((ProjectionLaw{}.resolve(closed_form(p)).velocity -
               ProjectionLaw{}.resolve(closed_form(q)).velocity)
                  .norm(),
              1e-11 * v.norm())
        << k;
  }
}

// Unequal restitution on dependent rows: the shared error weighs long rows more, so rows belong to
// unit normals. The unilateral answer does not care.
TEST(ProjectionImpact, OnlyTheLeastSquaresLawOfUnequalRestitutionDependsOnTheLengthOfRows) {
  auto longer = three_feet();
  longer.normal_jacobian.row(1) *= 3.0;
  const auto velocity = [](const ImpactProblem& p) { return ProjectionLaw{}.resolve(p).velocity; };
  EXPECT_GT((velocity(closed_form(longer)) - velocity(closed_form(three_feet()))).norm(), 0.05);
  EXPECT_LT((velocity(longer) - velocity(three_feet())).norm(), 1e-12);
}

TEST(ProjectionImpact, RedundantJointsDoNotHideAContactThatPulls) {
  for (const int joints : {0, 1, 2, 3}) {
    auto p = closed_form(block(1, 0));
    p.bilateral = MatrixXd::Zero(joints, 3);
    for (int k = 0; k < joints; ++k) p.bilateral(k, 0) = 1.0 + k;  // x held again and again
    const auto r = ProjectionLaw{}.resolve(p);
    EXPECT_NEAR(r.normal_impulse[1], -0.95, 1e-12) << joints;
    EXPECT_TRUE(has(r.flags, "negative-impulse")) << joints;
    EXPECT_TRUE(says(r.notes, "contact c2 would have to pull")) << joints;
    EXPECT_EQ(has(r.flags, "hyperstatic"), joints > 1) << joints;
    EXPECT_LT(r.bilateral_impulse.norm(), 1e-12) << joints;
  }
}

TEST(ProjectionImpact, AZeroRowIsLeftOutAndNamed) {
  for (const bool is_closed : {false, true}) {
    auto p = is_closed ? closed_form(block(1, 0)) : block(1, 0);
    p.normal_jacobian.row(0).setZero();
    p.bilateral = MatrixXd::Zero(1, 3);
    const auto r = ProjectionLaw{}.resolve(p);
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
  auto held = closed_form(p);
  EXPECT_NEAR(ProjectionLaw{}.resolve(held).velocity[2], -0.4, 1e-3);
  held.options.rank_cutoff = 1e-10;
  const auto one = ProjectionLaw{}.resolve(held);
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
    const auto r =
        ProjectionLaw{}.resolve(closed_form(problem_of(M, A, v, std::vector<double>(c, 1.0))));
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
  for (const auto& problem : {p, closed_form(p)}) {
    const auto r = ProjectionLaw{}.resolve(problem);
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
  EXPECT_LT((ProjectionLaw{}.resolve(closed_form(p)).velocity - Eigen::Vector2d(0.5, 0.5)).norm(),
            1e-14);
  p.normal_jacobian << 1, 0, -2, 1;  // separates at 2.5, is driven in by the first
  p.normal_jacobian.row(1) << -1, 0.2;
  const auto chained = ProjectionLaw{}.resolve(p);
  EXPECT_GE(p.gap_rates(chained.velocity).minCoeff(), -1e-9);
  EXPECT_GT(chained.events.size(), 1u);
  EXPECT_LE(energy_change(chained), 0.0);
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
  EXPECT_NE(ProjectionLaw{}.refuses(p).find("newton, poisson"), std::string::npos);
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
