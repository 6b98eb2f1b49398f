// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/embedded_equations.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "clack/mechanism/mechanism.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const char* const chain =
    "clack: 1\nname: chain\ndimension: 2\ngravity: [0, -9.8]\ncoordinates: {a: 0.5, b: 0.7, c: "
    "-1.1, d: 0.4}\nbodies:\n"
    "  one: {mass: 1, inertia: 0.1, position: [sin(a)/2, -cos(a)/2], angle: a}\n"
    "  two: {mass: 2, inertia: 0.2, position: [sin(a) + sin(b)/2, -cos(a) - cos(b)/2], angle: b}\n"
    "  three: {mass: 1.5, inertia: 0.1, position: [sin(a) + sin(b) + sin(c)/2, -cos(a) - cos(b) - "
    "cos(c)/2], angle: c}\n"
    "  four: {mass: 0.5, inertia: 0.3, position: [sin(a) + sin(b) + sin(c) + sin(d)/2, -cos(a) - "
    "cos(b) - cos(c) - "
    "cos(d)/2], angle: d}\n"
    "constraints:\n  tip: {configuration: cos(a) + cos(b) + cos(c) + cos(d) - 2 - 0.3*t^2}\n"
    "  side: {motion: sin(a)*a_dot - t*cos(c)*c_dot + d_dot - 0.2*t}\n"
    "forces: [{coordinate: b, force: -0.3*b_dot*a_dot}]\nrun: {until: 1}\n";

// The numeric TᵀMT and Tᵀ(f - M gamma) at random states, to 1e-12.
TEST(EmbeddedEquations, EqualTheNumericRecombination) {
  const Model model = read_model_text(chain, "chain.yaml");
  Mechanism mechanism(model);
  const RowSelection rows{.contacts = {}, .constraints = {0, 1}};
  const auto evaluator = mechanism.evaluator(rows);
  Snapshot s = mechanism.snapshot(rows);
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> draw(-1.5, 1.5);
  for (int trial = 0; trial < 40; ++trial) {
    // Two dependent speeds that are well determined here.
    double t = draw(engine);
    VectorXd q(4), v(4);
    for (int i = 0; i < 4; ++i) q[i] = draw(engine), v[i] = draw(engine);
    evaluator->evaluate(t, q.data(), v.data(), s);
    const MatrixXd B = s.constraint_jacobian();
    Elimination order;
    double best = 0.0;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        if (i == j || std::abs(B(0, i)) < 0.2) continue;
        const double size = std::abs(B(0, i) * B(1, j) - B(0, j) * B(1, i));
        if (size > best) best = size, order = {{0, 1}, {i, j}, {}};
      }
    if (best < 0.1) continue;
    for (int j = 0; j < 4; ++j)
      if (j != order.dependent[0] && j != order.dependent[1]) order.independent.push_back(j);
    const auto program = mechanism.embedded(rows, {}, order);
    ASSERT_TRUE(program);
    VectorXd w_rate(2);
    const auto powers = program->rates(t, q.data(), v.data(), w_rate.data());
    evaluator->evaluate(t, q.data(), v.data(), s);
    EXPECT_LT(s.constraint_rate().cwiseAbs().maxCoeff(), 1e-12);
    const MatrixXd M = s.mass_matrix();
    const MatrixXd BD = B(Eigen::all, order.dependent), BI = B(Eigen::all, order.independent);
    MatrixXd T = MatrixXd::Zero(4, 2);
    T(order.independent, Eigen::all) = MatrixXd::Identity(2, 2);
    T(order.dependent, Eigen::all) = -BD.inverse() * BI;
    VectorXd gamma = VectorXd::Zero(4);
    gamma(order.dependent) = -BD.inverse() * s.constraint_bias();
    const MatrixXd mass = T.transpose() * M * T;
    const VectorXd rest = s.smooth_force() - M * gamma, force = T.transpose() * rest;
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(program->force()[i], force[i], 1e-12 * (1.0 + force.norm()));
      for (int j = 0; j < 2; ++j)
        EXPECT_NEAR(program->mass()[i * 2 + j], mass(i, j), 1e-12 * mass.norm());
    }
    EXPECT_LT((mass * w_rate - force).norm(), 1e-11 * (1.0 + force.norm()));
    // x . (B v) is what driven rows do.
    const VectorXd u = T * w_rate + gamma;
    const VectorXd x =
        BD.transpose().inverse() * VectorXd((M * u - s.smooth_force())(order.dependent));
    EXPECT_NEAR(powers.drives, x.dot(B * v), 1e-10 * (1.0 + x.norm()));
  }
}

// B_D is regular, but an elimination in the order of rows and speeds would divide by sin(c).
TEST(EmbeddedEquations, HoldWhereAPivotVanishes) {
  const Model model = read_model_text(chain, "chain.yaml");
  Mechanism mechanism(model);
  const RowSelection rows{.contacts = {}, .constraints = {0, 1}};
  const auto evaluator = mechanism.evaluator(rows);
  Snapshot s = mechanism.snapshot(rows);
  const auto program = mechanism.embedded(rows, {}, {{0, 1}, {2, 3}, {0, 1}});
  ASSERT_TRUE(program);
  for (const double c : {0.0, 1e-14, 1e-9, -1e-5}) {
    VectorXd q(4), v(4);
    q << 0.5, 0.7, c, 0.4;
    v << 0.3, -0.8, 0.5, 0.1;
    VectorXd w_rate(2);
    program->rates(1.0, q.data(), v.data(), w_rate.data());
    evaluator->evaluate(1.0, q.data(), v.data(), s);
    EXPECT_LT(s.constraint_rate().cwiseAbs().maxCoeff(), 1e-14) << c;
    const MatrixXd B = s.constraint_jacobian(), M = s.mass_matrix();
    MatrixXd T = MatrixXd::Identity(4, 2);
    T.bottomRows(2) = -B.rightCols(2).fullPivLu().solve(B.leftCols(2));
    const MatrixXd mass = T.transpose() * M * T;
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(program->mass()[i], mass(i / 2, i % 2), 1e-13 * mass.norm()) << c;
  }
}

TEST(EmbeddedEquations, NothingIsCompiledWhereRowsAreNumbers) {
  const Model model = read_model_text(
      "clack: 1\nname: ball\ndimension: 2\nbodies:\n  ball: {mass: 1, inertia: 1, position: [0, "
      "1], shape: {disk: {radius: 1}}}\n"
      "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\ncontacts: {ground: {between: "
      "[ball, floor]}}\n"
      "run: {until: 1}\n",
      "ball.yaml");
  Mechanism mechanism(model);
  EXPECT_FALSE(mechanism.embedded({.contacts = {{.source = SourceIndex(0)}}, .constraints = {}},
                                  {false}, {{0}, {1}, {0, 2}}));
}

}  // namespace
}  // namespace clack
