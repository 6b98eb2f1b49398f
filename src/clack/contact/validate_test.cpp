// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/validate.hpp"

#include <gtest/gtest.h>

#include "clack/contact/random_system.hpp"
#include "clack/error.hpp"

namespace clack {
namespace {

ImpactProblem valid() {
  testing::RandomSystem random(1);
  return random.system<ImpactProblem>(3, 2, 2, 0.5);
}

std::string complaint(const ImpactProblem& problem, const ValidationLimits& limits = {}) {
  try {
    validate(problem, "", limits);
  } catch (const InputError& e) {
    EXPECT_FALSE(e.remedy().empty());
    return e.what();
  }
  return "";
}

TEST(Validate, AcceptsAValidProblem) { EXPECT_EQ(complaint(valid()), ""); }

TEST(Validate, NamesTheSmallestEigenvalueOfAnIndefiniteMassMatrix) {
  ImpactProblem problem = valid();
  problem.mass_matrix = Eigen::Vector3d(1, 2, -3).asDiagonal();
  EXPECT_NE(complaint(problem).find("smallest eigenvalue is -3"), std::string::npos);
}

TEST(Validate, AcceptsMassesOfVeryDifferentSize) {  // woodpecker: 1e-9 to 1e-3
  ImpactProblem problem = valid();
  problem.mass_matrix = Eigen::Vector3d(1e-9, 1e-3, 1e6).asDiagonal();
  EXPECT_EQ(complaint(problem), "");
}

TEST(Validate, RefusesSingularAndUnsymmetricMassMatrices) {
  ImpactProblem problem = valid();
  problem.mass_matrix = Eigen::Matrix3d::Ones();
  EXPECT_NE(complaint(problem).find("positive definite"), std::string::npos);
  problem = valid();
  problem.mass_matrix(0, 1) += 1e-3;
  EXPECT_NE(complaint(problem).find("not symmetric"), std::string::npos);
}

TEST(Validate, NamesContactAndRangeOfEveryCoefficient) {
  const auto with = [](auto&& change) {
    ImpactProblem problem = valid();
    change(problem.materials[1]);
    return complaint(problem);
  };
  EXPECT_NE(with([](auto& m) { m.dynamic_friction = -0.1; }).find("contact c2: dynamic_friction"),
            std::string::npos);
  EXPECT_NE(with([](auto& m) { m.static_friction = m.dynamic_friction / 2; }).find("below"),
            std::string::npos);
  EXPECT_NE(
      with([](auto& m) { m.restitution = 1.4; }).find("restitution is 1.4, must be in [0, 1]"),
      std::string::npos);
  EXPECT_NE(with([](auto& m) { m.restitution = -0.1; }).find("[0, 1]"), std::string::npos);
  EXPECT_NE(with([](auto& m) { m.tangential_restitution = -1.1; }).find("[-1, 1]"),
            std::string::npos);
  EXPECT_NE(with([](auto& m) { m.reversibility = 2; }).find("reversibility"), std::string::npos);
  EXPECT_NE(with([](auto& m) { m.restitution = NAN; }).find("restitution"), std::string::npos);
}

TEST(Validate, LawsMayAllowNegativeRestitution) {
  ImpactProblem problem = valid();
  problem.materials[0].restitution = -0.5;
  EXPECT_EQ(complaint(problem, {.lowest_restitution = -1.0}), "");
  EXPECT_NE(complaint(problem), "");
}

TEST(Validate, ChecksSizesNamesAndNumbers) {
  const auto with = [](auto&& change) {
    ImpactProblem problem = valid();
    change(problem);
    return complaint(problem);
  };
  EXPECT_NE(with([](auto& p) { p.dimension = 4; }), "");
  EXPECT_NE(with([](auto& p) { p.velocity[1] = NAN; }).find("velocity"), std::string::npos);
  EXPECT_NE(with([](auto& p) { p.tangent_jacobian.conservativeResize(1, 3); }), "");
  EXPECT_NE(with([](auto& p) { p.bilateral = Eigen::MatrixXd::Ones(1, 2); }), "");
  EXPECT_NE(with([](auto& p) { p.external_impulse = Eigen::VectorXd::Ones(2); }), "");
  EXPECT_NE(with([](auto& p) { p.names[1] = p.names[0]; }).find("two contacts"), std::string::npos);
  EXPECT_NE(with([](auto& p) { p.materials.pop_back(); }), "");
  EXPECT_NE(with([](auto& p) { p.normal_surface_velocity = Eigen::VectorXd::Ones(5); }), "");
}

TEST(Validate, ContactProblemsNeedAForceOfTheRightSize) {
  testing::RandomSystem random(2);
  auto problem = random.system<ContactProblem>(3, 1, 2, 0.5);
  problem.force = Eigen::VectorXd::Zero(2);
  EXPECT_THROW(validate(problem), InputError);
  problem.force = Eigen::VectorXd::Zero(3);
  EXPECT_NO_THROW(validate(problem));
  problem.slip_bias = Eigen::VectorXd::Zero(2);
  EXPECT_THROW(validate(problem), InputError);
}

}  // namespace
}  // namespace clack
