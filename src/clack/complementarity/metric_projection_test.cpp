// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/metric_projection.hpp"

#include <random>

#include "clack/linalg/non_negative_least_squares.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937_64& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  MatrixXd out(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) out(i, j) = normal(random);
  }
  return out;
}

// n = 2..6 speeds, up to 2 equalities and 5 inequalities, often dependent; feasible by
// construction.
MetricProjectionProblem random_problem(std::mt19937_64& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  const int n = pick(2, 6), b = pick(0, 2), c = pick(1, 5), rank = pick(1, n);
  MetricProjectionProblem p;
  const MatrixXd root = random_matrix(random, n, n);
  p.mass_matrix = root * root.transpose() + MatrixXd::Identity(n, n);
  p.point = random_matrix(random, n, 1);
  const MatrixXd space = random_matrix(random, rank, n);
  p.equality_rows = random_matrix(random, b, rank) * space;
  p.inequality_rows = random_matrix(random, c, rank) * space;
  const VectorXd inside = random_matrix(random, n, 1);
  p.equality_values = p.equality_rows * inside;
  p.inequality_values = p.inequality_rows * inside - random_matrix(random, c, 1).cwiseAbs();
  return p;
}

// The optimality conditions of a convex problem are sufficient: nothing else needs checking.
TEST(MetricProjection, SatisfiesTheOptimalityConditionsOnRandomProblems) {
  std::mt19937_64 random(1);
  int dependent = 0, programs = 0;
  for (int k = 0; k < 3000; ++k) {
    const auto p = random_problem(random);
    const auto r = project_in_metric(p);
    ASSERT_EQ(r.status, MetricProjectionStatus::solved) << k;
    const double tol = 1e-8 * (1.0 + r.point.norm() + p.point.norm());
    const VectorXd slack = p.inequality_rows * r.point - p.inequality_values;
    EXPECT_GT(slack.minCoeff(), -tol) << k;
    if (p.equality_rows.rows() > 0) {
      EXPECT_LT((p.equality_rows * r.point - p.equality_values).norm(), tol) << k;
    }
    EXPECT_GE(r.inequality_multipliers.minCoeff(), 0.0) << k;
    EXPECT_LT(slack.cwiseProduct(r.inequality_multipliers).cwiseAbs().maxCoeff(),
              tol * (1.0 + r.inequality_multipliers.maxCoeff()))
        << k;
    const VectorXd force = p.equality_rows.transpose() * r.equality_multipliers +
                           p.inequality_rows.transpose() * r.inequality_multipliers;
    EXPECT_LT((p.mass_matrix * (r.point - p.point) - force).norm(), tol * (1.0 + force.norm()))
        << k;
    dependent += !r.is_unique;
    programs += r.used_quadratic_program;
  }
  EXPECT_GT(dependent, 200);
  RecordProperty("quadratic_programs", programs);
}

TEST(MetricProjection, ActiveSetsAndLeastDistanceAgree) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 1000; ++k) {
    const auto p = random_problem(random);
    const auto a = project_in_metric(p), b = project_by_least_distance(p);
    ASSERT_EQ(b.status, MetricProjectionStatus::solved) << k;
    EXPECT_LT((a.point - b.point).norm(), 1e-7 * (1.0 + a.point.norm())) << k;
  }
}

TEST(MetricProjection, MultipliersDoNotDependOnTheOrderOfDependentRows) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 500; ++k) {
    const auto p = random_problem(random);
    auto turned = p;
    turned.inequality_rows = p.inequality_rows.colwise().reverse().eval();
    turned.inequality_values = p.inequality_values.reverse().eval();
    const auto a = project_in_metric(p), b = project_in_metric(turned);
    EXPECT_LT((a.inequality_multipliers - b.inequality_multipliers.reverse()).norm(),
              1e-6 * (1.0 + a.inequality_multipliers.norm()))
        << k;
  }
}

// The only distributions without force act between the repeated equalities: they change no sign.
TEST(MetricProjection, DependentEqualitiesDoNotHideANegativeMultiplier) {
  MatrixXd rows(4, 3);
  rows << 1, 0, 0, 2, 0, 0, 0, 1, -0.5, 0, 1, 0.5;
  const Eigen::Vector3d force(0.3, 1.1, -1.5);
  const Distribution r = distribute_force(MatrixXd::Identity(3, 3), rows, 2, force, 1.0);
  EXPECT_FALSE(r.is_admissible);
  EXPECT_FALSE(r.is_unique);
  EXPECT_LT((r.multipliers - Eigen::Vector4d(0.06, 0.12, 2.05, -0.95)).norm(), 1e-14);
}

// Random forces on rows of which some equalities and some inequalities are repeated: the verdict is
// that of non-negative least squares, and the multipliers give the force.
TEST(MetricProjection, SignsOfDistributionsAreThoseOfNonNegativeLeastSquares) {
  std::mt19937_64 random(23);
  int admissible = 0;
  for (int k = 0; k < 400; ++k) {
    const int n = 3 + k % 3, b = k % 3, u = 2 + k % 4;
    MatrixXd rows = random_matrix(random, b + u, n);
    if (b > 1) rows.row(1) = -2.0 * rows.row(0);
    if (k % 2 == 0) rows.row(b + u - 1) = 0.5 * rows.row(b);
    const VectorXd force = rows.transpose() * random_matrix(random, b + u, 1);
    const auto signs = solve_non_negative(rows.transpose(), force, b);
    if (signs.residual > 1e-12 && signs.residual < 1e-6) continue;
    const Distribution r = distribute_force(MatrixXd::Identity(n, n), rows, b, force, force.norm());
    EXPECT_EQ(r.is_admissible, signs.residual <= 1e-12) << k;
    EXPECT_LT((rows.transpose() * r.multipliers - force).norm(), 1e-9 * force.norm()) << k;
    admissible += r.is_admissible;
  }
  EXPECT_GT(admissible, 50);
  EXPECT_LT(admissible, 350);
}

TEST(MetricProjection, APinchedBodyIsContradictory) {
  MetricProjectionProblem p;
  p.mass_matrix = MatrixXd::Identity(1, 1);
  p.point = VectorXd::Zero(1);
  p.equality_rows = MatrixXd(0, 1);
  p.equality_values = VectorXd(0);
  p.inequality_rows = MatrixXd(2, 1);
  p.inequality_rows << 1, -1;
  p.inequality_values = VectorXd(2);
  p.inequality_values << 0.5, 0.25;
  const auto r = project_in_metric(p);
  EXPECT_EQ(r.status, MetricProjectionStatus::contradictory);
  ASSERT_FALSE(r.notes.empty());
  p.inequality_values << 0.5, -0.5;  // one point is left
  const auto point = project_in_metric(p);
  ASSERT_EQ(point.status, MetricProjectionStatus::solved);
  EXPECT_NEAR(point.point[0], 0.5, 1e-14);
}

TEST(MetricProjection, ContradictingEqualitiesAndEmptyRowsAreSeen) {
  MetricProjectionProblem p;
  p.mass_matrix = MatrixXd::Identity(2, 2);
  p.point = VectorXd::Zero(2);
  p.equality_rows = MatrixXd(2, 2);
  p.equality_rows << 1, 0, 2, 0;
  p.equality_values = VectorXd(2);
  p.equality_values << 1, 3;
  p.inequality_rows = MatrixXd(0, 2);
  p.inequality_values = VectorXd(0);
  EXPECT_EQ(project_in_metric(p).status, MetricProjectionStatus::contradictory);
  p.equality_values << 1, 2;
  EXPECT_EQ(project_in_metric(p).status, MetricProjectionStatus::solved);
  p.inequality_rows = MatrixXd::Zero(1, 2);
  p.inequality_values = VectorXd::Ones(1);
  EXPECT_EQ(project_in_metric(p).status, MetricProjectionStatus::contradictory);
  p.inequality_values = VectorXd::Zero(1);
  EXPECT_EQ(project_in_metric(p).status, MetricProjectionStatus::solved);
}

}  // namespace
}  // namespace clack
