// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/poisson.hpp"

#include "clack/complementarity/contact_words.hpp"
#include "clack/contact/circumstances.hpp"
#include "clack/contact/friction_of.hpp"
#include "clack/contact/report.hpp"
#include "clack/impact/conformance.hpp"

namespace clack {
namespace {

using testing::has_flag;
using testing::RandomSystem;

/// A planar disc (x, y, angle) of unit mass and radius on the floor, inertia k.
ImpactProblem disc(double inertia, const Eigen::Vector3d& velocity,
                   const ContactMaterial& material) {
  ImpactProblem problem;
  problem.mass_matrix = Eigen::Vector3d(1, 1, inertia).asDiagonal();
  problem.velocity = velocity;
  problem.bilateral.resize(0, 3);
  problem.normal_jacobian = Eigen::RowVector3d(0, 1, 0);
  problem.tangent_jacobian = Eigen::RowVector3d(1, 0, 1);
  problem.normal_surface_velocity = Eigen::VectorXd::Zero(1);
  problem.tangent_surface_velocity = Eigen::VectorXd::Zero(1);
  problem.materials = {material};
  problem.names = {"floor"};
  return problem;
}

/// A block of unit mass, half width a, half height h, falling flat on both lower corners.
ImpactProblem flat_block(double a, double h, const Eigen::Vector3d& velocity,
                         const ContactMaterial& material) {
  ImpactProblem problem = disc((a * a + h * h) / 3.0, velocity, material);
  problem.normal_jacobian.resize(2, 3);
  problem.tangent_jacobian.resize(2, 3);
  problem.normal_jacobian << 0, 1, -a, 0, 1, a;
  problem.tangent_jacobian << 1, 0, h, 1, 0, h;
  problem.normal_surface_velocity = Eigen::VectorXd::Zero(2);
  problem.tangent_surface_velocity = Eigen::VectorXd::Zero(2);
  problem.materials = {material, material};
  problem.names = {"left", "right"};
  return problem;
}

TEST(PoissonLaw, DiscThatSlidesThroughTheImpactObeysTheClosedForm) {
  // slides: L_T = -mu L_N in both phases, so slip falls by 3 mu (1 + eps) v  (G_TT = 1 + 1/k = 3)
  const ImpactResult r = PoissonLaw{}.resolve(disc(0.5, {4, -1, 0}, {0.2, 0.2, 0.5, 0, 0}));
  EXPECT_NEAR(r.normal_impulse[0], 1.5, 1e-14);
  EXPECT_NEAR(r.tangent_impulse[0], -0.3, 1e-14);
  EXPECT_NEAR(r.velocity[0], 3.7, 1e-14);
  EXPECT_NEAR(r.velocity[1], 0.5, 1e-14);
  EXPECT_NEAR(r.velocity[2], -0.6, 1e-14);
  EXPECT_EQ(r.statuses[0], ContactStatus::open);
  EXPECT_TRUE(r.flags.empty());
}

// docs/theories/poisson.md: eps_N = eps_T = nu = 1 on a disc that sticks in compression reverses
// the velocity of the contact point and keeps the energy.
TEST(PoissonLaw, FullReversibilityReversesTheContactPointAndKeepsTheEnergy) {
  const ImpactProblem problem = disc(0.5, {0.5, -2, 0.1}, {0.9, 0.9, 1, 1, 1});
  const ImpactResult r = PoissonLaw{}.resolve(problem);
  EXPECT_NEAR(problem.slips(r.velocity)[0], -0.6, 1e-13);
  EXPECT_NEAR(problem.gap_rates(r.velocity)[0], 2.0, 1e-13);
  EXPECT_NEAR(r.energy_after, r.energy_before, 1e-13);
}

TEST(PoissonLaw, OnlyTheProductOfReversibilityAndTangentialRestitutionMatters) {
  const ImpactResult a = PoissonLaw{}.resolve(disc(0.5, {0.5, -2, 0.1}, {0.9, 0.9, 0.7, 0.5, 0.4}));
  const ImpactResult b =
      PoissonLaw{}.resolve(disc(0.5, {0.5, -2, 0.1}, {0.9, 0.9, 0.7, 0.25, 0.8}));
  EXPECT_LE((a.velocity - b.velocity).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(PoissonLaw, SeparatingDiscGetsNothing) {
  const ImpactProblem problem = disc(0.5, {1, 0.25, 0}, {0.3, 0.3, 0.5, 0, 0});
  const ImpactResult r = PoissonLaw{}.resolve(problem);
  EXPECT_EQ(r.normal_impulse[0], 0.0);
  EXPECT_EQ(r.velocity, problem.velocity);
}

TEST(PoissonLaw, ConveyorBeltDragsTheDisc) {  // surface velocity 1: the slip is counted from it
  ImpactProblem problem = disc(0.5, {0, -1, 0}, {10, 10, 0, 0, 0});
  problem.tangent_surface_velocity[0] = 1.0;
  const ImpactResult r = PoissonLaw{}.resolve(problem);
  EXPECT_NEAR(problem.slips(r.velocity)[0], 0.0, 1e-13);
  EXPECT_NEAR(r.velocity[0], 1.0 / 3.0, 1e-13);
  EXPECT_TRUE(r.is_consistent);  // the belt does the work, not the law
}

TEST(PoissonLaw, ExternalImpulsePressesARestingDiscAndItReboundsByTheImpulseRatio) {
  ImpactProblem problem = disc(0.5, {0, 0, 0}, {0, 0, 0.5, 0, 0});
  problem.external_impulse = Eigen::Vector3d(0, -2, 0);
  const ImpactResult r = PoissonLaw{}.resolve(problem);
  EXPECT_NEAR(r.normal_impulse[0], 3.0, 1e-13);
  EXPECT_NEAR(r.velocity[1], 1.0, 1e-13);
}

// v_y >= u and -v_y >= u: for u > 0 nothing moves like that, and no impulse makes it.
TEST(PoissonLaw, ADiscBetweenFloorAndCeilingHasNoImpulseOnlyWhereTheyClose) {
  for (const double closing : {0.0, 1.0}) {
    ImpactProblem problem = flat_block(0.5, 0.5, {0, -1, 0}, {});
    problem.normal_jacobian << 0, 1, 0, 0, -1, 0;
    problem.normal_surface_velocity << closing, closing;
    const ImpactResult r = PoissonLaw{}.resolve(problem);
    const bool is_none = closing > 0.0;
    EXPECT_EQ(r.status, is_none ? SolveStatus::none_exists : SolveStatus::solved) << closing;
    EXPECT_EQ(std::ranges::count(r.flags, "no-solution"), is_none ? 1 : 0);
    EXPECT_EQ(std::ranges::count(r.flags, "not-converged"), 0);
    if (!is_none) {
      EXPECT_NEAR(r.velocity[1], 0.0, 1e-14);
    }
  }
}

TEST(PoissonLaw, BilateralRowsHoldAlsoWhenTheyAreGivenTwice) {
  ImpactProblem problem = disc(0.5, {1, -1, 0}, {0.5, 0.5, 0.5, 0, 0});
  problem.bilateral.resize(2, 3);
  problem.bilateral << 0, 0, 1, 0, 0, 1;  // no rotation
  const ImpactResult r = PoissonLaw{}.resolve(problem);
  EXPECT_NEAR(r.velocity[2], 0.0, 1e-14);
  EXPECT_NEAR(r.velocity[0], 1.0 - 0.75, 1e-13);  // G_TT = 1: slides, L_T = -mu (1 + eps)
  EXPECT_NEAR(r.bilateral_impulse[0], r.bilateral_impulse[1], 1e-13);  // minimum norm
  EXPECT_NEAR(r.bilateral_impulse.sum(), 0.75, 1e-13);
}

TEST(PoissonLaw, HyperstaticBlockSharesItsImpulsesEvenly) {
  const ImpactResult r =
      PoissonLaw{}.resolve(flat_block(1, 0.5, {0, -1, 0}, {0.5, 0.5, 0.5, 0, 0}));
  EXPECT_NEAR(r.normal_impulse[0], 0.75, 1e-12);
  EXPECT_NEAR(r.normal_impulse[1], 0.75, 1e-12);
  EXPECT_NEAR(r.velocity[1], 0.5, 1e-12);
  EXPECT_NEAR(r.velocity[2], 0.0, 1e-12);
  EXPECT_TRUE(has_flag(r.flags, "hyperstatic"));
}

TEST(PoissonLaw, ContactGivenTwiceChangesNothing) {
  ImpactProblem one = disc(0.5, {0.3, -1, 0}, {0.5, 0.5, 0.4, 0, 0});
  ImpactProblem two = one;
  two.normal_jacobian = one.normal_jacobian.replicate(2, 1);
  two.tangent_jacobian = one.tangent_jacobian.replicate(2, 1);
  two.normal_surface_velocity = two.tangent_surface_velocity = Eigen::VectorXd::Zero(2);
  two.materials.push_back(one.materials[0]);
  two.names = {"a", "b"};
  const ImpactResult a = PoissonLaw{}.resolve(one), b = PoissonLaw{}.resolve(two);
  EXPECT_LE((a.velocity - b.velocity).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(b.normal_impulse[0], b.normal_impulse[1], 1e-12);
}

TEST(PoissonLaw, WorksWithoutContactsAndWithoutFriction) {
  ImpactProblem none = disc(0.5, {1, -1, 0}, {});
  none.normal_jacobian.resize(0, 3);
  none.tangent_jacobian.resize(0, 3);
  none.normal_surface_velocity.resize(0);
  none.tangent_surface_velocity.resize(0);
  none.materials.clear();
  none.names.clear();
  EXPECT_EQ(PoissonLaw{}.resolve(none).velocity, none.velocity);
  const ImpactResult smooth = PoissonLaw{}.resolve(disc(0.5, {1, -1, 2}, {0, 0, 1, 0, 0}));
  EXPECT_NEAR(smooth.velocity[1], 1.0, 1e-14);
  EXPECT_EQ(smooth.tangent_impulse[0], 0.0);
}

TEST(PoissonLaw, HandlesMassesFromNanogramsToGrams) {
  ImpactProblem problem = flat_block(1e-3, 1e-3, {0.2, -1, 3}, {0.3, 0.3, 0.5, 0, 0});
  problem.mass_matrix = Eigen::Vector3d(1e-3, 1e-3, 1e-9).asDiagonal();
  const ImpactResult r = PoissonLaw{}.resolve(problem);
  EXPECT_EQ(r.status, SolveStatus::solved);
  EXPECT_LE(r.certificate.residual, 1e-10);
  EXPECT_GE(problem.gap_rates(r.velocity).minCoeff(), -1e-12);
}

TEST(PoissonLaw, HistoryGoesThroughCompressionToTheEnd) {
  ImpactProblem problem = disc(0.5, {4, -1, 0}, {0.2, 0.2, 0.5, 0, 0});
  problem.options.record_history = true;
  const ImpactResult r = PoissonLaw{}.resolve(problem);
  ASSERT_EQ(r.history.rows.size(), 3u);
  ASSERT_EQ(r.history.columns.size(), 5u);
  EXPECT_NEAR(r.history.rows[0][1], -1.0, 1e-14);  // A: gap rate before
  EXPECT_NEAR(r.history.rows[1][1], 0.0, 1e-14);   // C: compression ends
  EXPECT_NEAR(r.history.rows[2][3], 1.5, 1e-14);   // E: total normal impulse
}

TEST(PoissonLaw, RefusesSpace) {
  ImpactProblem problem = disc(0.5, {0, 0, 0}, {});
  problem.dimension = 3;
  EXPECT_NE(impact_laws().refusal("poisson", circumstances_of(problem)).find("newton"),
            std::string::npos);
}

// docs/theories/poisson.md: the matrix is copositive, Lemke always solves it, in both sizes; where
// the solution is unique both sizes and the enumeration of contact states give the same impulses.
TEST(PoissonLaw, BothSizesAndEnumerationAgreeOnThousandsOfProblems) {
  RandomSystem random(5);
  int several = 0;
  for (int k = 0; k < 2000; ++k) {
    const int c = 1 + k % 3;
    auto problem = random.system<ImpactProblem>(3 + k % 4, c, 2, 1.5);
    for (auto& material : problem.materials) {
      material.reversibility = random.uniform(0, 1);
      material.tangential_restitution = random.uniform(0, 1);
    }
    const ImpactResult compact = PoissonLaw{}.resolve(problem);
    const ImpactResult full = PoissonLaw{LcpSize::full}.resolve(problem);
    ASSERT_EQ(compact.status, SolveStatus::solved) << k;
    ASSERT_EQ(full.status, SolveStatus::solved) << k;
    EXPECT_TRUE(compact.notes.empty() || has_flag(compact.flags, "energy-gain"))
        << compact.notes[0];
    EXPECT_LE(compact.certificate.residual, 1e-9);
    EXPECT_GE(problem.gap_rates(compact.velocity).minCoeff(), -1e-9);
    EXPECT_GE(compact.normal_impulse.minCoeff(), -1e-9);
    EXPECT_LE(compact.certificate.cone, 1e-8);
    const double miss = (compact.velocity - full.velocity).cwiseAbs().maxCoeff();
    if (miss <= 1e-8) continue;
    const auto count = count_poisson_solutions(problem);
    ASSERT_TRUE(count.has_value());
    EXPECT_GT(*count, 1) << "problem " << k << " differs by " << miss;
    ++several;
  }
  EXPECT_LE(several, 40);  // several solutions are the exception
}

TEST(PoissonLaw, EnumerationFindsTheSameVelocities) {
  RandomSystem random(6);
  int compared = 0;
  for (int k = 0; k < 300; ++k) {
    auto problem = random.system<ImpactProblem>(4, 1 + k % 2, 2, 1.0);
    if (count_poisson_solutions(problem) != 1) continue;
    const Delassus delassus = make_delassus(problem, 0.0);
    const FreeMotion free = free_velocity(delassus, problem);
    std::vector<int> contacts;
    for (int i = 0; i < problem.contacts(); ++i) contacts.push_back(i);
    FrictionProblem phase;
    fill_friction_problem(delassus, free.contact, free.scale, contacts, phase);
    for (const int i : contacts) {
      phase.mu[i] = problem.materials[i].dynamic_friction;
      problem.materials[i].restitution = 0.0;
    }
    const auto answers =
        distinct_answers(phase, solve_all_words(phase, ForceNorm::kinetic).answers);
    if (answers.size() != 1) continue;
    const ImpactResult r = PoissonLaw{}.resolve(problem);
    for (const int i : contacts) {
      EXPECT_NEAR(r.normal_impulse[i], answers[0].reaction[2 * i], 1e-8);
      EXPECT_NEAR(r.tangent_impulse[i], answers[0].reaction[2 * i + 1], 1e-8);
    }
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

// docs/theories/poisson.md: no gain was seen for one contact; for one contact it follows from the
// law.
TEST(PoissonLaw, OneContactNeverGainsEnergy) {
  RandomSystem random(7);
  for (int k = 0; k < 1000; ++k) {
    auto problem = random.system<ImpactProblem>(3, 1, 2, 2.0);
    problem.materials[0].reversibility = random.uniform(0, 1);
    problem.materials[0].tangential_restitution = random.uniform(0, 1);
    const ImpactResult r = PoissonLaw{}.resolve(problem);
    EXPECT_LE(r.energy_after, r.energy_before * (1 + 1e-12)) << k;
    EXPECT_TRUE(r.is_consistent);
  }
}

TEST(PoissonLaw, PassesTheConformanceTest) { testing::check_impact_law(PoissonLaw{}); }

}  // namespace
}  // namespace clack
