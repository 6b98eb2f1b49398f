#include "clack/complementarity/metric_projection.hpp"

#include <random>

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
