// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/sorprox.hpp"

#include "clack/complementarity/friction_enumeration.hpp"
#include "clack/complementarity/friction_solver.hpp"
#include "clack/complementarity/friction_test_problems.hpp"

namespace clack {
namespace {

SorproxOptions tight() {
  SorproxOptions options;
  options.tolerance = 1e-13;
  return options;
}

// docs/theories/newton.md: the matrix step C^-1 would give (1.5117, -.3080, -.3329).
TEST(Sorprox, AnisotropicTangentialBlockKeepsFrictionAgainstTheSlip) {
  Eigen::Matrix3d G;
  G << 2, .4, -.3, .4, 5, 1.5, -.3, 1.5, 2;
  const auto problem =
      make_friction_problem(3, G, Eigen::Vector3d(-3, 4, 3), Eigen::VectorXd::Constant(1, 0.3));
  for (const auto order : {SorproxOrder::by_contact, SorproxOrder::by_component}) {
    SorproxOptions options = tight();
    options.order = order;
    const auto result = solve_sorprox(problem, options);
    EXPECT_EQ(result.status, SolveStatus::solved);
    EXPECT_NEAR(result.reaction(0), 1.540865217504, 1e-10);
    EXPECT_NEAR(result.reaction(1), -0.390205011648, 1e-10);
    EXPECT_NEAR(result.reaction(2), -0.247838565504, 1e-10);
  }
}

/// How far an answer is from the nearest of a list of solutions, relative: reactions, or velocities
/// where W is singular and reactions are not unique.
double distance_to(const FrictionProblem& problem, bool is_singular,
                   const std::vector<Eigen::VectorXd>& solutions, const Eigen::VectorXd& reaction) {
  const Eigen::MatrixXd W = dense_delassus(problem);
  double nearest = std::numeric_limits<double>::infinity();
  for (const Eigen::VectorXd& r : solutions) {
    const Eigen::VectorXd change = r - reaction;
    nearest = std::min(nearest, is_singular ? (W * change).norm() / (1.0 + problem.q.norm())
                                            : change.norm() / (1.0 + reaction.norm()));
  }
  return nearest;
}

/// What became of random problems.
struct Tally {
  int problems = 0, without_solution = 0, by_sweeps_alone = 0;
};

// Two independent methods. Which problems have a solution is decided by enumeration; each of those
// must be answered, by the sweeps with their restarts or, where these do not converge, by what
// comes after them. Where several solutions exist any of them will do.
void compare_with_enumeration(int d, int contacts, int spare, double mu, std::uint64_t seed,
                              Tally& tally) {
  SCOPED_TRACE(fmt::format("d = {}, {} contacts, {} spare freedoms, mu = {}, seed {}", d, contacts,
                           spare, mu, seed));
  const auto problem =
      test::random_friction(d, contacts, d * contacts + spare, mu, 100 * seed + contacts);
  const auto listed = enumerate_friction(problem);
  const auto swept = solve_sorprox(problem, tight());
  FrictionOptions options;
  options.tolerance = 1e-12;
  const auto answer = solve_friction(problem, options);
  ++tally.problems;
  if (listed.solutions.empty()) {
    ++tally.without_solution;
    EXPECT_FALSE(has_answer(swept.status));
    EXPECT_FALSE(has_answer(answer.status));
    if (d == 2) {
      EXPECT_EQ(listed.status, SolveStatus::none_exists) << "a proof in the plane";
    }
    return;
  }
  EXPECT_TRUE(has_answer(answer.status));
  EXPECT_LE(distance_to(problem, spare < 0, listed.solutions, answer.reaction), 1e-10);
  if (swept.status != SolveStatus::solved) return;
  ++tally.by_sweeps_alone;
  EXPECT_LE(distance_to(problem, spare < 0, listed.solutions, swept.reaction), 1e-10);
}

TEST(Sorprox, WithItsFallbackAnswersEveryPlanarProblemThatHasASolution) {
  Tally tally;
  for (int contacts = 1; contacts <= 4; ++contacts)
    for (const double mu : {0.0, 0.3, 0.8, 1.5, 3.0})
      for (std::uint64_t seed = 0; seed < 10; ++seed)
        for (const int spare : {2, 0, -1, -2})
          if (contacts > 1 || spare >= 0)
            compare_with_enumeration(2, contacts, spare, mu, seed, tally);
  RecordProperty("without_solution", tally.without_solution);
  RecordProperty("by_sweeps_alone", tally.by_sweeps_alone);
  EXPECT_GE(tally.by_sweeps_alone, (tally.problems - tally.without_solution) * 9 / 10);
}

TEST(Sorprox, WithItsFallbackAnswersEverySpatialProblemThatHasASolution) {
  Tally tally;
  for (int contacts = 1; contacts <= 4; ++contacts)
    for (const double mu : {0.0, 0.3, 0.8, 1.5})
      for (std::uint64_t seed = 0; seed < (contacts == 4 ? 1 : 4); ++seed)
        compare_with_enumeration(3, contacts, 2, mu, seed, tally);
  RecordProperty("without_solution", tally.without_solution);
  RecordProperty("by_sweeps_alone", tally.by_sweeps_alone);
  EXPECT_GE(tally.by_sweeps_alone, (tally.problems - tally.without_solution) * 9 / 10);
}

TEST(Sorprox, WarmStartAtTheSolutionNeedsNoSweep) {
  const auto problem = test::random_friction(3, 6, 20, 0.3, 5);
  SorproxOptions options;
  options.tolerance = 1e-11;
  options.start = solve_sorprox(problem, options).reaction;
  const auto again = solve_sorprox(problem, options);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(again.reaction, options.start);
}

TEST(Sorprox, LimitGivesTheBestIterateAndSaysSo) {
  SorproxOptions options = tight();
  options.sweep_limit = 2;
  const auto result = solve_sorprox(test::sphere_pile(30), options);
  EXPECT_EQ(result.status, SolveStatus::not_converged);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_GE(result.worst_contact, 0);
}

TEST(Sorprox, SameInputGivesTheSameBits) {
  const auto problem = test::sphere_pile(90);
  EXPECT_EQ(solve_sorprox(problem).reaction, solve_sorprox(problem).reaction);
}

TEST(Sorprox, SweepOrdersShareTheirFixedPoint) {
  const auto problem = test::random_friction(3, 5, 20, 0.3, 9);
  SorproxOptions options = tight();
  const auto by_contact = solve_sorprox(problem, options);
  options.order = SorproxOrder::by_component;
  const auto by_component = solve_sorprox(problem, options);
  ASSERT_EQ(by_component.status, SolveStatus::solved);
  EXPECT_TRUE(by_contact.velocity.isApprox(by_component.velocity, 1e-9));
}

TEST(Sorprox, NoContactsIsSolved) {
  FrictionProblem empty;
  EXPECT_EQ(solve_sorprox(empty).status, SolveStatus::solved);
}

}  // namespace
}  // namespace clack
