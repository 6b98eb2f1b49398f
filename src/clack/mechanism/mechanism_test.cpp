// SPDX-License-Identifier: Apache-2.0
// Derived equations against equations derived by hand, biases against finite differences.
#include "clack/mechanism/mechanism.hpp"
#include "clack/index.hpp"

#include <gtest/gtest.h>

#include <random>

#include "clack/error.hpp"
#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/inertia.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

Model mechanism_model(const std::string& yaml) { return read_model_text(yaml, "test.yaml"); }

/// Snapshot of all contacts and constraints at a state.
Snapshot whole_snapshot(Mechanism& mechanism, const Model& model, double t,
                        const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  RowSelection rows{possible_contacts(model), {}};
  int constraint_rows = 0;
  for (int i = 0; i < number_of(model.constraints); ++i) {
    rows.constraints.push_back(i);
    constraint_rows += mechanism.constraint_rows(i);
  }
  Snapshot snapshot(mechanism.speeds(), mechanism.tangents(), number_of(rows.contacts),
                    constraint_rows);
  mechanism.evaluator(rows)->evaluate(t, q.data(), v.data(), snapshot);
  return snapshot;
}

std::vector<GapMotion> gap_motion_of(Mechanism& mechanism, const Model& model, double t,
                                     const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                     const Eigen::VectorXd& a) {
  const ContactSet contacts = possible_contacts(model);
  std::vector<GapMotion> motion(contacts.size());
  mechanism.gap_motion(t, q.data(), v.data(), a.data(), contacts, motion);
  return motion;
}

Eigen::VectorXd random_state(std::mt19937_64& random, int n, double size = 1.0) {
  std::uniform_real_distribution<double> number(-size, size);
  Eigen::VectorXd x(n);
  for (double& value : x) value = number(random);
  return x;
}

TEST(Mechanism, DoublePendulumOfRodsHasTheEquationsOfTheTextbook) {
  const Model model = mechanism_model(R"(clack: 1
parameters: {m1: 1.3, m2: 0.7, l1: 1.1, l2: 0.8, g: 9.81}
gravity: [0, -g]
coordinates: {a: 0.3, b: -0.2}
bodies:
  upper: {mass: m1, inertia: m1*l1^2/12, position: [l1/2*sin(a), -l1/2*cos(a)], angle: a}
  lower: {mass: m2, inertia: m2*l2^2/12, position: [l1*sin(a) + l2/2*sin(b), -l1*cos(a) - l2/2*cos(b)], angle: b}
)");
  Mechanism mechanism(model);
  const double m1 = 1.3, m2 = 0.7, l1 = 1.1, l2 = 0.8, g = 9.81;
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    const Eigen::VectorXd q = random_state(random, 2, 3.0), v = random_state(random, 2, 4.0);
    const Snapshot s = whole_snapshot(mechanism, model, 0.0, q, v);
    const double k = m2 * l1 * l2 / 2;
    Eigen::Matrix2d M;
    M << m1 * l1 * l1 / 3 + m2 * l1 * l1, k * std::cos(q[0] - q[1]), k * std::cos(q[0] - q[1]),
        m2 * l2 * l2 / 3;
    Eigen::Vector2d h;
    h << -k * std::sin(q[0] - q[1]) * v[1] * v[1] - (m1 / 2 + m2) * g * l1 * std::sin(q[0]),
        k * std::sin(q[0] - q[1]) * v[0] * v[0] - m2 * g * l2 / 2 * std::sin(q[1]);
    EXPECT_LT((s.mass_matrix() - M).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((s.smooth_force() - h).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(s.applied_power(), 0.0);
  }
  EXPECT_FALSE(mechanism.has_applied_power());
}

const char* const toy_of_bodies = R"(clack: 1
parameters: {m_M: 0.0003, J_M: 5e-9, m_S: 0.0045, J_S: 7e-7, c_phi: 0.0056, r_0: 0.0025, r_M: 0.0031, h_M: 0.0058,
  l_M: 0.010, l_G: 0.015, h_S: 0.020, l_S: 0.0201, r_S: 0.002, g: 9.81}
gravity: [0, -g]
coordinates: {x_M: 0, y_M: 0, phi_M: -0.1, phi_S: -0.2788}
bodies:
  sleeve: {mass: m_M, inertia: J_M, position: [x_M, y_M], angle: phi_M, points: {LR: [r_M, -h_M], UL: [-r_M, h_M]}}
  bird:
    mass: m_S
    inertia: J_S
    position: [x_M + l_M*cos(phi_M) + l_G*cos(phi_S), y_M + l_M*sin(phi_M) + l_G*sin(phi_S)]
    angle: phi_S
  right: {fixed: true, position: [r_0, 0], shape: {half-plane: {normal: [1, 0]}}}
  left: {fixed: true, position: [-r_0, 0], shape: {half-plane: {normal: [-1, 0]}}}
springs: [{torsion: [bird, sleeve], stiffness: c_phi, rest: 0}]
contacts:
  LR: {between: [sleeve.LR, right], friction: 0.3}
  UL: {between: [sleeve.UL, left], friction: 0.3}
)";

TEST(Mechanism, WoodpeckerFromBodiesAndSpringHasTheEquationsOfTheFormulaModel) {
  const Model bodies = mechanism_model(toy_of_bodies);
  const Model formulas = read_model(CLACK_SOURCE_DIR "/models/woodpecker/four-dof.yaml");
  Mechanism first(bodies), second(formulas);
  std::mt19937_64 random(2);
  for (int round = 0; round < 50; ++round) {
    const Eigen::VectorXd q = random_state(random, 4, 0.5), v = random_state(random, 4, 10.0);
    const Snapshot a = whole_snapshot(first, bodies, 0.0, q, v),
                   b = whole_snapshot(second, formulas, 0.0, q, v);
    EXPECT_LT((a.mass_matrix() - b.mass_matrix()).cwiseAbs().maxCoeff(), 1e-17);
    EXPECT_LT((a.smooth_force() - b.smooth_force()).cwiseAbs().maxCoeff(), 1e-15);
    // Contacts 0 and 1 here are LR (1) and UL (4) there. The tangent of a contact between bodies is
    // the normal turned by -90 degrees: downward on the right side, upward on the left; the
    // formulas measure slip upward everywhere.
    const std::array<std::array<int, 3>, 2> pairs = {{{0, 1, -1}, {1, 4, 1}}};
    for (const auto& [mine, theirs, sign] : pairs) {
      EXPECT_NEAR(a.gap()[mine], b.gap()[theirs], 1e-16);
      EXPECT_NEAR(a.gap_rate()[mine], b.gap_rate()[theirs], 1e-14);
      EXPECT_NEAR(a.gap_bias()[mine], b.gap_bias()[theirs], 1e-13);
      EXPECT_NEAR(a.slip()[mine], sign * b.slip()[theirs], 1e-14);
      EXPECT_NEAR(a.slip_bias()[mine], sign * b.slip_bias()[theirs], 1e-13);
      EXPECT_LT(
          (a.normal_jacobian().row(mine) - b.normal_jacobian().row(theirs)).cwiseAbs().maxCoeff(),
          1e-16);
      EXPECT_LT((a.tangent_jacobian().row(mine) - sign * b.tangent_jacobian().row(theirs))
                    .cwiseAbs()
                    .maxCoeff(),
                1e-16);
    }
  }
}

TEST(Mechanism, WoodpeckersGivenPotentialAccountsForAllItsForces) {
  for (const char* file : {"three-dof.yaml", "four-dof.yaml"}) {
    const Model model = read_model(std::string(CLACK_SOURCE_DIR "/models/woodpecker/") + file);
    EXPECT_FALSE(Mechanism(model).has_applied_power()) << file;
  }
}

const char* const moving_scene = R"(clack: 1
gravity: [0, -9.81]
bodies:
  disk: {mass: 1, inertia: 0.02, position: [0, 0.5], shape: {disk: {radius: 0.2}}}
  rod: {mass: 0.5, inertia: 0.04, position: [3, 0.6], angle: 0.3, points: {l: [-0.5, 0.1], r: [0.5, 0]}}
  plate: {mass: 2, inertia: 0.3, position: [1, -1], angle: 0.2, shape: {half-plane: {normal: [0.6, 0.8], point: [0.1, 0.2]}}}
  table: {motion: {position: [0, 0.1*sin(3*t)], angle: 0.2*t}, shape: {half-plane: {normal: [0, 1]}}}
contacts:
  disk-plate: {between: [disk, plate], friction: 0.3}
  rod-plate: {between: [rod.l, plate], friction: 0.3}
  rod-table: {between: [rod.r, table], friction: 0.3}
  disk-table: {between: [disk, table], friction: 0.3}
constraints:
  link: {configuration: (rod.x - disk.x)^2 + (rod.y - disk.y)^2 - 9 - t}
  drive: {motion: rod.angle_dot - disk.x*disk.y_dot - sin(t)}
)";

TEST(Mechanism, RatesAndBiasesAreTheDerivativesAlongTheMotion) {
  // Along a motion with constant speeds the second derivative of a gap and the first of a slip are
  // the biases; central differences with step h leave h^2 times the third derivatives (a few
  // hundred here) plus rounding 1e-16/h^2.
  const Model model = mechanism_model(moving_scene);
  Mechanism mechanism(model);
  std::mt19937_64 random(3);
  const double h = 1e-4;
  for (int round = 0; round < 20; ++round) {
    const double t = 0.7;
    const Eigen::VectorXd q = random_state(random, 9), v = random_state(random, 9, 2.0);
    const Snapshot s = whole_snapshot(mechanism, model, t, q, v);
    const Snapshot before = whole_snapshot(mechanism, model, t - h, q - h * v, v);
    const Snapshot after = whole_snapshot(mechanism, model, t + h, q + h * v, v);
    const auto derivative = [h](const auto& a, const auto& b) {
      return Eigen::VectorXd((b - a) / (2 * h));
    };
    EXPECT_LT((derivative(before.gap(), after.gap()) - s.gap_rate()).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT(
        (derivative(before.gap_rate(), after.gap_rate()) - s.gap_bias()).cwiseAbs().maxCoeff(),
        1e-5);
    EXPECT_LT((derivative(before.slip(), after.slip()) - s.slip_bias()).cwiseAbs().maxCoeff(),
              1e-5);
    EXPECT_LT((derivative(before.constraint_rate(), after.constraint_rate()) - s.constraint_bias())
                  .cwiseAbs()
                  .maxCoeff(),
              1e-5);
    EXPECT_NEAR((after.constraint_value()[0] - before.constraint_value()[0]) / (2 * h),
                s.constraint_rate()[0], 1e-5);
  }
}

TEST(Mechanism, RowsAreTheDerivativesOfRatesBySpeeds) {
  const Model model = mechanism_model(moving_scene);
  Mechanism mechanism(model);
  std::mt19937_64 random(4);
  const Eigen::VectorXd q = random_state(random, 9), v = random_state(random, 9, 2.0);
  const Snapshot s = whole_snapshot(mechanism, model, 0.4, q, v);
  for (int j = 0; j < 9; ++j) {  // rates are linear in the speeds
    Eigen::VectorXd changed = v;
    changed[j] += 1.0;
    const Snapshot other = whole_snapshot(mechanism, model, 0.4, q, changed);
    EXPECT_LT((other.gap_rate() - s.gap_rate() - s.normal_jacobian().col(j)).cwiseAbs().maxCoeff(),
              1e-13);
    EXPECT_LT((other.slip() - s.slip() - s.tangent_jacobian().col(j)).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_LT((other.constraint_rate() - s.constraint_rate() - s.constraint_jacobian().col(j))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-13);
  }
}

TEST(Mechanism, GapMotionAgreesWithTheRows) {
  const Model model = mechanism_model(moving_scene);
  Mechanism mechanism(model);
  std::mt19937_64 random(5);
  const Eigen::VectorXd q = random_state(random, 9), v = random_state(random, 9),
                        a = random_state(random, 9);
  const Snapshot s = whole_snapshot(mechanism, model, 0.2, q, v);
  const std::vector<GapMotion> motion = gap_motion_of(mechanism, model, 0.2, q, v, a);
  Eigen::VectorXd gap(4), rate(4), acceleration(4);
  for (int i = 0; i < 4; ++i) {
    gap[i] = motion[i].gap;
    rate[i] = motion[i].rate;
    acceleration[i] = motion[i].acceleration;
  }
  EXPECT_LT((gap - s.gap()).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((rate - s.gap_rate()).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((acceleration - (s.normal_jacobian() * a + s.gap_bias())).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Mechanism, ForcesBesideThePotentialGiveTheAppliedPower) {
  const Model model = mechanism_model(R"(clack: 1
gravity: [0, -9.81]
bodies:
  a: {mass: 2, inertia: 0.1, position: [1, 0.5]}
  post: {fixed: true}
springs: [{between: [a, post], stiffness: 30, damping: 0.7, rest: 0.4}]
forces: [{on: a, force: [1.5, -0.5*t]}]
torques: [{on: a, torque: 0.3}]
)");
  Mechanism mechanism(model);
  EXPECT_TRUE(mechanism.has_applied_power());
  const Eigen::Vector3d q(0.8, -0.3, 0.2), v(1.0, 2.0, -3.0);
  const Snapshot s = whole_snapshot(mechanism, model, 2.0, q, v);
  const double length = std::hypot(q[0], q[1]), rate = (q[0] * v[0] + q[1] * v[1]) / length;
  EXPECT_NEAR(s.applied_power(), -0.7 * rate * rate + 1.5 * v[0] - 1.0 * v[1] + 0.3 * v[2], 1e-12);
  const Energies energies = mechanism.energies(2.0, q.data(), v.data());
  EXPECT_NEAR(energies.kinetic, (2 * 5.0 + 0.1 * 9.0) / 2, 1e-13);
  EXPECT_NEAR(energies.potential, 2 * 9.81 * q[1] + 15 * (length - 0.4) * (length - 0.4), 1e-12);
}

TEST(Mechanism, WatchedFormulasComeWithTheirRates) {
  const Model model = mechanism_model(R"(clack: 1
coordinates: {x: 0, y: 0}
mass_matrix: [[1, 0], [0, 1]]
force: [0, 0]
constraints: {rail: {motion: y_dot, active: x - 3}}
contacts: {floor: {gap: y, slip: x_dot, friction: 0.1, zones: [{where: x^2 - t, friction: 0.2}]}}
events: [{when: x*y - 2, do: stop}]
)");
  Mechanism mechanism(model);
  ASSERT_EQ(mechanism.formulas(), 3);
  const double q[] = {2.0, 3.0}, v[] = {-1.0, 0.5};
  std::array<FormulaValue, 3> values;
  mechanism.formula_motion(1.5, q, v, {}, values.data());
  EXPECT_DOUBLE_EQ(values[0].value, 4.0);
  EXPECT_DOUBLE_EQ(values[0].rate, -1.0 * 3 + 2 * 0.5);
  EXPECT_DOUBLE_EQ(values[1].value, 2.5);
  EXPECT_DOUBLE_EQ(values[1].rate, 2 * 2 * -1.0 - 1);
  EXPECT_DOUBLE_EQ(values[2].value, -1.0);
  EXPECT_DOUBLE_EQ(values[2].rate, -1.0);
}

/// Three bodies that fly freely: constant mass in three blocks.
Model three_fliers() {
  return mechanism_model(R"(clack: 1
gravity: [0, -9.81]
bodies:
  one: {mass: 2, inertia: 0.5, position: [0, 3], shape: {disk: {radius: 0.5}}}
  two: {mass: 3, inertia: 0.25, position: [2, 3], shape: {disk: {radius: 0.5}}}
  three: {mass: 4, inertia: 0.125, position: [4, 3], shape: {disk: {radius: 0.5}}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts:
  one: {between: [one, floor], friction: 0.3}
  two: {between: [two, floor], friction: 0.3}
  three: {between: [three, floor], friction: 0.3}
)");
}

// A snapshot that is made here has a mass matrix of its own; those of the mechanism share one.
TEST(Mechanism, SnapshotsShareAMassMatrixThatIsConstant) {
  const Model model = three_fliers();
  Mechanism mechanism(model);
  std::mt19937_64 random(3);
  const Eigen::VectorXd q = random_state(random, 9), v = random_state(random, 9);
  const Snapshot own = whole_snapshot(mechanism, model, 0.0, q, v);
  const RowSelection all{possible_contacts(model), {}}, none;
  Snapshot shared = mechanism.snapshot(all), other = mechanism.snapshot(none);
  mechanism.evaluator(all)->evaluate(0.0, q.data(), v.data(), shared);
  mechanism.evaluator(none)->evaluate(0.0, q.data(), v.data(), other);
  EXPECT_FALSE(own.shares_mass());
  ASSERT_TRUE(shared.shares_mass());
  EXPECT_EQ(shared.mass(), other.mass());
  EXPECT_EQ(shared.numbers() + 81, own.numbers());
  EXPECT_EQ(Eigen::MatrixXd(shared.mass_matrix()), Eigen::MatrixXd(own.mass_matrix()));
  EXPECT_EQ(shared.mass_matrix().trace(), 2 * (2.0 + 3.0 + 4.0) + 0.5 + 0.25 + 0.125);
  EXPECT_EQ(Eigen::VectorXd(shared.smooth_force()), Eigen::VectorXd(own.smooth_force()));
  EXPECT_EQ(Eigen::VectorXd(shared.gap()), Eigen::VectorXd(own.gap()));
  EXPECT_EQ(Eigen::MatrixXd(shared.tangent_jacobian()), Eigen::MatrixXd(own.tangent_jacobian()));
  EXPECT_EQ(Eigen::VectorXd(other.smooth_force()), Eigen::VectorXd(own.smooth_force()));
}

TEST(Mechanism, SmallestEigenvalueOfBlocksIsThatOfTheWholeMassMatrix) {
  const Model model = three_fliers();
  Mechanism mechanism(model);
  const SmallestEigenvalue fliers = smallest_eigenvalue(mechanism.snapshot({}));
  EXPECT_EQ(fliers.value, 0.125);  // the inertia of the third
  EXPECT_EQ(fliers.speed, 8);
  Snapshot coupled(3, 1, 0, 0);
  Eigen::Map<Snapshot::Matrix>(coupled.data(), 3, 3) << 2, 1, 0, 1, 2, 0, 0, 0, 5;
  for (const bool has_blocks : {false, true}) {
    if (has_blocks) coupled.set_mass_begin({0, 0, 2});
    const SmallestEigenvalue found = smallest_eigenvalue(coupled);
    EXPECT_NEAR(found.value, 1.0, 1e-15) << has_blocks;  // (1, -1)/sqrt 2
    EXPECT_LT(found.speed, 2) << has_blocks;
  }
}

}  // namespace
}  // namespace clack
