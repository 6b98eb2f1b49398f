// SPDX-License-Identifier: Apache-2.0
// The decisions lcp, enumeration and prox on the same problems.
#include "clack/contact/decision.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "clack/complementarity/friction_rounds.hpp"
#include "clack/contact/circumstances.hpp"
#include "clack/contact/decision_problem.hpp"
#include "clack/contact/enumeration_decision.hpp"
#include "clack/contact/lcp_decision.hpp"
#include "clack/contact/prox_decision.hpp"
#include "clack/contact/random_system.hpp"
#include "clack/error.hpp"

namespace clack {
namespace {

using testing::RandomSystem;

bool has_flag(const ContactResult& result, std::string_view flag) {
  return std::find(result.flags.begin(), result.flags.end(), flag) != result.flags.end();
}

/// A unit mass at a point of the plane (x, y) resting on the floor, pushed by `force`.
ContactProblem point_on_floor(const Eigen::Vector2d& velocity, const Eigen::Vector2d& force,
                              double dynamic, double fixed) {
  ContactProblem problem;
  problem.mass_matrix = Eigen::Matrix2d::Identity();
  problem.velocity = velocity;
  problem.bilateral.resize(0, 2);
  problem.normal_jacobian = Eigen::RowVector2d(0, 1);
  problem.tangent_jacobian = Eigen::RowVector2d(1, 0);
  problem.normal_surface_velocity = Eigen::VectorXd::Zero(1);
  problem.tangent_surface_velocity = Eigen::VectorXd::Zero(1);
  problem.materials = {{dynamic, fixed, 0, 0, 0}};
  problem.names = {"floor"};
  problem.force = force;
  return problem;
}

/// Block (x, y, angle) of unit mass on both lower corners, loaded by `force`.
ContactProblem block(double a, double h, const Eigen::Vector3d& force, double mu) {
  ContactProblem problem;
  problem.mass_matrix = Eigen::Vector3d(1, 1, (a * a + h * h) / 3).asDiagonal();
  problem.velocity = Eigen::Vector3d::Zero();
  problem.bilateral.resize(0, 3);
  problem.normal_jacobian.resize(2, 3);
  problem.tangent_jacobian.resize(2, 3);
  problem.normal_jacobian << 0, 1, -a, 0, 1, a;
  problem.tangent_jacobian << 1, 0, h, 1, 0, h;
  problem.normal_surface_velocity = problem.tangent_surface_velocity = Eigen::VectorXd::Zero(2);
  problem.materials = {{mu, mu, 0, 0, 0}, {mu, mu, 0, 0, 0}};
  problem.names = {"left", "right"};
  problem.force = force;
  return problem;
}

/// The rod of docs/theories/poisson.md: mass 1, length 2 l = 2, angle 1.0 rad, mu = 1.5; the lower
/// tip slides so that p = 1 + 3 cos th (cos th - mu sin th) = -0.17; b = l dth^2 sin th - g.
ContactProblem painleve_rod(double angular_rate) {
  const double th = 1.0, g = 9.81;
  ContactProblem problem = point_on_floor({0, 0}, {0, 0}, 1.5, 1.5);
  problem.mass_matrix = Eigen::Vector3d(1, 1, 1.0 / 3.0).asDiagonal();
  problem.normal_jacobian = Eigen::RowVector3d(0, 1, -std::cos(th));  // tip = centre - (cos, sin)
  problem.tangent_jacobian = Eigen::RowVector3d(1, 0, std::sin(th));
  problem.bilateral.resize(0, 3);
  problem.velocity = Eigen::Vector3d(0, 0, angular_rate);
  problem.velocity[1] = std::cos(th) * angular_rate;         // the tip stays on the floor
  problem.velocity[0] = -2.0 - std::sin(th) * angular_rate;  // and slides away from the centre
  problem.force = Eigen::Vector3d(0, -g, 0);
  problem.gap_bias = Eigen::VectorXd::Constant(1, angular_rate * angular_rate * std::sin(th));
  problem.slip_bias = Eigen::VectorXd::Constant(1, angular_rate * angular_rate * std::cos(th));
  return problem;
}

TEST(Decisions, AreFoundByNameAndUnknownNamesNameTheNearest) {
  for (const auto name : decision_names()) EXPECT_EQ(make_decision(name)->name(), name);
  try {
    (void)make_decision("enumeratoin");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(e.remedy().find("enumeration"), std::string::npos);
  }
}

TEST(Decisions, PointSticksSlipsStartsAndLiftsOff) {
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    const auto decision = make_decision(name);
    const auto stick = decision->decide(point_on_floor({0, 0}, {2, -10}, 0.3, 0.3));
    EXPECT_EQ(stick.statuses[0], ContactStatus::stick) << name;
    EXPECT_NEAR(stick.friction_force[0], -2.0, 1e-12);
    const auto start = decision->decide(point_on_floor({0, 0}, {4, -10}, 0.3, 0.3));
    EXPECT_EQ(start.statuses[0], ContactStatus::trans) << name;
    EXPECT_NEAR(start.slip_acceleration[0], 1.0, 1e-12);
    const auto slip = decision->decide(point_on_floor({-1, 0}, {2, -10}, 0.3, 0.3));
    EXPECT_EQ(slip.statuses[0], ContactStatus::slip) << name;
    EXPECT_NEAR(slip.friction_force[0], 3.0, 1e-12);
    const auto open = decision->decide(point_on_floor({0, 0}, {2, 1}, 0.3, 0.3));
    EXPECT_EQ(open.statuses[0], ContactStatus::open) << name;
    EXPECT_EQ(open.normal_force[0], 0.0);
  }
}

TEST(Decisions, StaticFrictionHoldsAndDynamicFrictionActsOnceItSlips) {
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    const auto decision = make_decision(name);
    EXPECT_EQ(decision->decide(point_on_floor({0, 0}, {3.9, -10}, 0.3, 0.4)).statuses[0],
              ContactStatus::stick)
        << name;
    const auto slip = decision->decide(point_on_floor({0, 0}, {4.1, -10}, 0.3, 0.4));
    EXPECT_EQ(slip.statuses[0], ContactStatus::trans) << name;
    EXPECT_NEAR(slip.friction_force[0], -3.0, 1e-12) << name;
  }
}

// 10 N and -2 N hold the point. With 9.9 N it falls by 0.1 m/s2 of the sqrt(104) m/s2 that it would have freely.
TEST(Decisions, TheResidualIsThatOfTheAnswerWhateverTheSolverBelieved) {
  const ContactProblem problem = point_on_floor({0, 0}, {2, -10}, 0.3, 0.3);
  FrictionResult believed;
  believed.status = SolveStatus::solved;
  believed.residual = 0.0;
  believed.reaction = Eigen::Vector2d(10.0, -2.0);
  EXPECT_NEAR(finish_decision(as_one_island(problem), believed).certificate.residual, 0.0, 1e-15);
  believed.reaction[0] = 9.9;
  EXPECT_NEAR(finish_decision(as_one_island(problem), believed).certificate.residual,
              0.1 / std::sqrt(104.0), 1e-12);
}

TEST(Decisions, TieKeepsTheContactClosed) {  // no force, no gap acceleration
  for (const char* name : {"lcp", "enumeration", "prox"})
    EXPECT_EQ(make_decision(name)->decide(point_on_floor({0, 0}, {0, 0}, 0.3, 0.3)).statuses[0],
              ContactStatus::stick)
        << name;
}

TEST(Decisions, FrictionlessContactIsCalledStickAtZeroSlipElseSlip) {  // docs/theories/newton.md
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    const auto decision = make_decision(name);
    const auto still = decision->decide(point_on_floor({0, 0}, {1, -1}, 0, 0));
    EXPECT_EQ(still.statuses[0], ContactStatus::stick) << name;
    EXPECT_EQ(still.friction_force[0], 0.0);
    EXPECT_NEAR(still.acceleration[0], 1.0, 1e-14);
    EXPECT_EQ(decision->decide(point_on_floor({1, 0}, {1, -1}, 0, 0)).statuses[0],
              ContactStatus::slip)
        << name;
  }
}

TEST(Decisions, SeparatingContactIsOpen) {
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    const auto r = make_decision(name)->decide(point_on_floor({0, 0.5}, {0, -10}, 0.3, 0.3));
    EXPECT_EQ(r.statuses[0], ContactStatus::open) << name;
    EXPECT_NEAR(r.acceleration[1], -10.0, 1e-14);
  }
}

TEST(Decisions, HyperstaticBlockRestsWithTheSmallestForces) {
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    const auto r = make_decision(name)->decide(block(1, 0.5, {0, -10, 0}, 0.4));
    EXPECT_NEAR(r.normal_force[0], 5.0, 1e-10) << name;
    EXPECT_NEAR(r.friction_force[0], 0.0, 1e-10) << name;
    EXPECT_TRUE(has_flag(r, "hyperstatic")) << name;
    EXPECT_LE(r.acceleration.norm(), 1e-12);
  }
}

// docs/theories/poisson.md: sticking ends only when no admissible distribution exists. The smallest
// forces of a block pushed sideways at its centre share friction evenly and break the cone at the
// unloaded corner; others do not.
TEST(Decisions, BlockSticksAslongAsSomeForceDistributionHoldsIt) {
  const double a = 1, h = 0.5, mu = 0.4;
  // Normal forces 5 -+ F h / 2; even friction F/2 needs F/2 <= mu (5 - F h/2): F <= 3.33; limit is
  // mu 10 = 4.
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    const auto decision = make_decision(name);
    const auto held = decision->decide(block(a, h, {3.9, -10, 0}, mu));
    EXPECT_EQ(held.statuses[0], ContactStatus::stick) << name;
    EXPECT_EQ(held.statuses[1], ContactStatus::stick) << name;
    EXPECT_LE(held.certificate.cone, 1e-9);
    const auto slides = decision->decide(block(a, h, {4.1, -10, 0}, mu));
    EXPECT_EQ(slides.statuses[0], ContactStatus::trans) << name;
    EXPECT_NEAR(slides.acceleration[0], 0.1, 1e-9) << name;
  }
}

TEST(Decisions, BlockTipsAboutItsFarCorner) {
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    const auto r = make_decision(name)->decide(block(0.2, 1.0, {5, -10, 0}, 0.9));
    EXPECT_EQ(r.statuses[0], ContactStatus::open) << name;
    EXPECT_EQ(r.statuses[1], ContactStatus::stick) << name;
    EXPECT_LT(r.acceleration[2], 0.0);
  }
}

TEST(Decisions, DependentBilateralRowsAreAllowed) {
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    ContactProblem problem = point_on_floor({0, 0}, {2, -10}, 0.1, 0.1);
    problem.bilateral.resize(2, 2);
    problem.bilateral << 1, 0, 2, 0;
    problem.bilateral_bias = Eigen::Vector2d(0, 0);
    const auto r = make_decision(name)->decide(problem);
    EXPECT_NEAR(r.acceleration[0], 0.0, 1e-12) << name;
    EXPECT_NEAR(r.normal_force[0], 10.0, 1e-10) << name;
    EXPECT_LE(r.certificate.bilateral, 1e-12);
  }
}

// docs/theories/poisson.md: p = -0.17/m; b < 0: no solution, b > 0: two.
TEST(Decisions, PainleveRodHasNoSolutionWhenItFallsAndTwoWhenItLifts) {
  for (const char* name : {"lcp", "enumeration", "prox"}) {
    const auto decision = make_decision(name);
    const auto none = decision->decide(painleve_rod(1.0));
    EXPECT_EQ(none.status, SolveStatus::none_exists) << name;
    EXPECT_TRUE(has_flag(none, "no-solution")) << name;
    ASSERT_FALSE(none.notes.empty());
    EXPECT_NE(none.notes[0].find("-0.170"), std::string::npos) << none.notes[0];
    const auto two = decision->decide(painleve_rod(5.0));
    EXPECT_EQ(two.status, SolveStatus::several) << name;
    EXPECT_EQ(two.solutions, 2) << name;
    EXPECT_TRUE(has_flag(two, "several-solutions")) << name;
    EXPECT_EQ(two.statuses[0], ContactStatus::open);  // the smaller force
  }
  // All three ask the same search here, so it is held against the closed form: the tip slides, and
  // u_N = b + p r_N  with r_N >= 0, u_N >= 0, r_N u_N = 0.
  for (const double spin : {1.0, 5.0}) {
    const ContactProblem problem = painleve_rod(spin);
    const DecisionProblem rod = as_one_island(problem);
    ASSERT_TRUE(rod.friction.is_sliding(0));
    const double p = sliding_mobility(rod.friction, 0), b = rod.friction.q[0];
    EXPECT_LT(p, 0.0);
    const std::vector<ContactResult> all = all_contact_solutions(problem);
    if (b < 0.0) {
      EXPECT_TRUE(all.empty()) << spin;  // b + p r_N < 0 for every r_N
      continue;
    }
    ASSERT_EQ(all.size(), 2u) << spin;
    const double low = std::min(all[0].normal_force[0], all[1].normal_force[0]);
    EXPECT_EQ(low, 0.0);
    EXPECT_NEAR(std::max(all[0].normal_force[0], all[1].normal_force[0]), -b / p, 1e-12 * -b / p);
  }
}

TEST(Decisions, LcpRefusesSpaceAndEnumerationManyContactsAndTheyNameOneThatWorks) {
  ContactProblem problem = point_on_floor({0, 0}, {0, 0}, 0, 0);
  problem.dimension = 3;
  Circumstances space = circumstances_of(problem);
  EXPECT_EQ(decisions().refusal("lcp", space),
            "decision lcp treats plane problems only, this one is in space; use decision prox, "
            "enumeration or active-set");
  EXPECT_EQ(decisions().refusal("enumeration", space), "");
  EXPECT_EQ(decisions().refusal("prox", space), "");
  space.contacts = 5;
  EXPECT_NE(decisions().refusal("enumeration", space).find("use decision prox"), std::string::npos);
  Circumstances plane = space;
  plane.dimension = 2;
  plane.contacts = 9;
  EXPECT_NE(decisions().refusal("enumeration", plane).find("use decision lcp"), std::string::npos);
}

// Nine coincident tips of the Painleve rod: too many to try every state. Nothing is proved, so
// nothing is called physics; the residual is there.
TEST(Decisions, GivingUpIsNotTheSameAsNoSolution) {
  for (const char* name : {"lcp", "prox"}) {
    ContactProblem problem = painleve_rod(1.0);
    const int copies = 9;
    problem.normal_jacobian = problem.normal_jacobian.replicate(copies, 1).eval();
    problem.tangent_jacobian = problem.tangent_jacobian.replicate(copies, 1).eval();
    for (Eigen::VectorXd* v : {&problem.normal_surface_velocity, &problem.tangent_surface_velocity,
                               &problem.gap_bias, &problem.slip_bias})
      if (v->size() > 0) *v = v->replicate(copies, 1).eval();
    problem.materials.resize(copies, problem.materials[0]);
    problem.names.clear();
    for (int k = 0; k < copies; ++k) problem.names.push_back(fmt::format("tip{}", k));
    const ContactResult r = make_decision(name)->decide(problem);
    EXPECT_EQ(r.status, SolveStatus::not_converged) << name;
    EXPECT_TRUE(has_flag(r, "not-converged")) << name;
    EXPECT_FALSE(has_flag(r, "no-solution")) << name;
    EXPECT_GT(r.certificate.residual, 1e-9) << name;
  }
}

// docs/theories/poisson.md: both sizes of the LCP and the enumeration agree wherever the
// solution is unique; compare accelerations and W f, not split variables. Half of the problems are
// at rest, a quarter have static friction.
TEST(Decisions, LcpInBothSizesAgreesWithEnumerationOnThousandsOfProblems) {
  RandomSystem random(3);
  int none = 0, several = 0, unique = 0, alone = 0;
  for (int k = 0; k < 2000; ++k) {
    const int c = 1 + k % 3, n = 2 + k % 4;
    auto problem = random.system<ContactProblem>(n, c, 2, 1.2);
    problem.force = 3.0 * random.vector(n);
    if (k % 2 == 1) problem.velocity.setZero();
    problem.normal_surface_velocity = problem.normal_jacobian * problem.velocity;
    if (k % 4 == 3)
      for (auto& material : problem.materials) material.static_friction *= 1.3;
    const ContactResult by_words = EnumerationDecision{}.decide(problem);
    const DecisionProblem prepared = as_one_island(problem);
    for (const LcpSize size : {LcpSize::compact, LcpSize::full}) {
      // Lemke alone, without the methods that stand in for it.
      const FrictionResult lemke =
          solve_in_rounds(prepared.friction, SlipRelease::known_direction,
                          [&](const FrictionProblem& p) { return solve_planar_lcp(p, size); });
      const bool is_unique = by_words.solutions == 1 && k % 4 != 3;  // one coefficient
      if (is_unique) ++unique;
      if (is_unique && has_answer(lemke.status)) {
        ++alone;
        const ContactResult found = finish_decision(prepared, lemke);
        const double off = (found.acceleration - by_words.acceleration).cwiseAbs().maxCoeff();
        EXPECT_LE(off, 1e-8 * (1.0 + by_words.acceleration.norm())) << k;
      }
      const ContactResult by_lcp = LcpDecision{size}.decide(problem);
      ASSERT_EQ(has_answer(by_lcp.status), has_answer(by_words.status)) << k;
      if (by_lcp.status == SolveStatus::none_exists) {
        ++none;
        continue;
      }
      EXPECT_LE(by_lcp.certificate.residual, 1e-9) << k;
      EXPECT_LE(by_lcp.certificate.adhesion, 1e-8) << k;
      if (*by_words.solutions > 1) {
        ++several;
        continue;
      }
      const double miss = (by_lcp.acceleration - by_words.acceleration).cwiseAbs().maxCoeff();
      EXPECT_LE(miss, 1e-8 * (1.0 + by_words.acceleration.norm())) << k;
    }
  }
  EXPECT_GT(unique, 2000);
  EXPECT_GT(alone, unique * 95 / 100) << alone << " of " << unique;  // the others end on a ray
  EXPECT_GT(none, 0);  // some of the random problems are Painleve configurations
  EXPECT_LT(several, 600);
}

TEST(Decisions, ProxAgreesWithEnumerationWhereTheSolutionIsUnique) {
  RandomSystem random(4);
  for (int k = 0; k < 300; ++k) {
    const int c = 1 + k % 3, n = 4 + k % 3;
    auto problem = random.system<ContactProblem>(n, c, 2, 0.5);
    problem.force = 3.0 * random.vector(n);
    if (k % 2 == 1) problem.velocity.setZero();
    problem.normal_surface_velocity = problem.normal_jacobian * problem.velocity;
    const ContactResult by_words = EnumerationDecision{}.decide(problem);
    if (by_words.solutions != 1) continue;
    const ContactResult by_prox = ProxDecision{}.decide(problem);
    ASSERT_EQ(by_prox.status, SolveStatus::solved) << k;
    EXPECT_LE((by_prox.acceleration - by_words.acceleration).cwiseAbs().maxCoeff(),
              1e-8 * (1.0 + by_words.acceleration.norm()))
        << k;
  }
}

/// Decisions keep the memory of a thread between problems, and nothing else: a thread that has answered none says the same.
TEST(Decisions, AnswersDoNotDependOnTheProblemsBefore) {
  RandomSystem random(6);
  std::vector<ContactProblem> problems;
  for (int k = 0; k < 60; ++k) {
    const int n = 3 + k % 4;
    auto& problem = problems.emplace_back(random.system<ContactProblem>(n, 1 + k % 3, 2, 0.6));
    problem.force = 3.0 * random.vector(n);
    if (k % 2 == 1) problem.velocity.setZero();
    problem.normal_surface_velocity = problem.normal_jacobian * problem.velocity;
  }
  const LcpDecision lcp;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    ContactResult fresh;
    std::thread([&] { fresh = lcp.decide(problems[k]); }).join();
    const ContactResult again = lcp.decide(problems[k]);
    EXPECT_EQ(again.status, fresh.status) << k;
    EXPECT_EQ(again.acceleration, fresh.acceleration) << k;
    EXPECT_EQ(again.normal_force, fresh.normal_force) << k;
    EXPECT_EQ(again.statuses, fresh.statuses) << k;
    EXPECT_EQ(again.certificate.residual, fresh.certificate.residual) << k;
  }
}

}  // namespace
}  // namespace clack
