#include "clack/contact/cone_polish.hpp"

#include <gtest/gtest.h>

#include "clack/contact/random_system.hpp"

namespace clack {
namespace {

/// A cube on four corners: twelve rows, six of them independent.
ConeFriction cube_on_its_face(const Eigen::Matrix<double, 6, 1>& velocity) {
  const double a = 0.1, inertia = 4.0 * a * a / 6.0;
  Eigen::Matrix<double, 6, 1> inverse_mass;
  inverse_mass << 1, 1, 1, 1 / inertia, 1 / inertia, 1 / inertia;
  Eigen::MatrixXd rows(12, 6);
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector3d arm(i % 2 ? a : -a, i / 2 ? a : -a, -a);
    const std::array<Eigen::Vector3d, 3> axes = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                                 Eigen::Vector3d::UnitY()};
    for (int k = 0; k < 3; ++k) {
      const int row = k == 0 ? i : 4 + 2 * i + k - 1;
      rows.row(row) << axes[static_cast<std::size_t>(k)].transpose(),
          arm.cross(axes[static_cast<std::size_t>(k)]).transpose();
    }
  }
  ConeFriction problem;
  problem.tangents = 2;
  problem.G = rows * inverse_mass.asDiagonal() * rows.transpose();
  problem.b = rows * velocity;
  problem.scale = problem.b.cwiseAbs().maxCoeff();
  problem.friction = Eigen::VectorXd::Constant(4, 0.4);
  return problem;
}

TEST(ConePolish, ACubeThatLandsFlatHasNoSpinAfterwards) {
  const ConeFriction problem = cube_on_its_face({0.05, -0.02, -1.7, 0, 0, 0});
  const ConeAnswer answer = solve_cone_friction(problem);
  ASSERT_TRUE(answer.is_solved());
  const Eigen::VectorXd motion = problem.G * answer.force + problem.b;
  EXPECT_LE(motion.cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LE(answer.residual, 1e-15);
}

TEST(ConePolish, BringsAPerturbedAnswerBackAndKeepsItsStates) {
  testing::RandomSystem random(3);
  int polished = 0;
  for (int round = 0; round < 200; ++round) {
    const int c = 1 + round % 4;
    const auto system = random.system<ImpactProblem>(3 * c + 1, c, 3, 0.4);
    const Delassus delassus = make_delassus(system, 0.0);
    const FreeMotion free = free_velocity(delassus, system);
    ConeFriction problem;
    problem.tangents = 2;
    problem.G = delassus.matrix;
    problem.b = free.contact;
    problem.scale = free.scale;
    problem.friction = Eigen::VectorXd::Constant(c, 0.4);
    const ConeAnswer exact = solve_cone_friction(problem);
    ASSERT_TRUE(exact.is_solved()) << round;
    ConeAnswer answer = exact;
    for (int i = 0; i < c; ++i)  // an error as sweeps leave it, states still clear
      if (answer.force[i] > 0.0) answer.force[i] *= 1.0 + 1e-12;
    if (!polish_cone_answer(problem, answer)) continue;
    ++polished;
    const double size = 1.0 + exact.force.cwiseAbs().maxCoeff();
    EXPECT_LE((answer.force - exact.force).cwiseAbs().maxCoeff(), 2e-14 * size) << round;
  }
  EXPECT_GE(polished, 80);
}

TEST(ConePolish, LeavesAnUnclearStateAlone) {
  ConeFriction problem;  // a contact that neither pushes nor leaves
  problem.tangents = 1;
  problem.G = Eigen::Matrix2d::Identity();
  problem.b = Eigen::Vector2d(0.0, 1.0);
  problem.scale = 1.0;
  problem.friction = Eigen::VectorXd::Constant(1, 0.5);
  ConeAnswer answer;
  answer.force = Eigen::Vector2d::Zero();
  EXPECT_FALSE(polish_cone_answer(problem, answer));
  EXPECT_EQ(answer.force, Eigen::Vector2d::Zero());
}

}  // namespace
}  // namespace clack
