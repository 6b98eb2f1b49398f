// SPDX-License-Identifier: Apache-2.0
// Rows of joints against finite differences of what they are made of, at drawn states off and on the joints.
#include <gtest/gtest.h>

#include <random>

#include "clack/index.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

const std::string planar_joints = R"(clack: 1
coordinates: {s: 0.2}
bodies:
  a: {free: true, mass: 1, inertia: 0.5, position: [0.3, 0.1], angle: 0.2, shape: {disk: {radius: 0.3}}, points: {p: [0.2, 0.1]}}
  b: {free: true, mass: 2, inertia: 0.7, position: [1.3, 0.4], angle: -0.4, points: {p: [-0.3, 0.2]}}
  c: {mass: 1, inertia: 0.1, position: [s*cos(s), s^2], angle: 2*s, shape: {disk: {radius: 1}}, points: {p: [0.1, 0.4]}}
  m: {motion: {position: [sin(2*t), t], angle: t^2}, shape: {half-plane: {normal: [0.6, 0.8]}}, points: {p: [0.2, 0.3]}}
joints:
  pin: {pin: [a.p, b.p]}
  pin_on_moving: {pin: [b.p, m.p]}
  slider: {slider: [b.p, c.p], axis: [1, 2]}
  slider_on_moving: {slider: [c.p, m], axis: [1, 2]}
  weld: {weld: [a.p, m.p]}
  distance: {distance: [a.p, c.p]}
  line: {rolling: [a, m]}
  round: {rolling: [a, c]}
  ring: {rolling: [a, c], inside: true}
  gear: {gear: [pin, pin_on_moving], ratio: -2}
  rack: {rack: [pin, slider], ratio: 0.3}
  turn: {drive: pin, angle: sin(3*t)}
  move: {drive: slider_on_moving, position: t^3}
  run: {drive: slider, speed: t^2}
)";

const std::string spatial_joints = R"(clack: 1
dimension: 3
coordinates: {s: 0.2, r: -0.3}
bodies:
  a: {free: true, mass: 1, inertia: [0.5, 0.6, 0.7], position: [0.3, 0.1, 0.2], orientation: [0.8, 0.1, 0.5, -0.2], shape: {sphere: {radius: 0.3}}, points: {p: [0.2, 0.1, 0.3]}}
  b: {free: true, mass: 2, inertia: [0.5, 0.6, 0.7], position: [1.3, 0.4, -1], orientation: [0.5, -0.4, 0.3, 0.1], points: {p: [-0.3, 0.2, 0.5]}}
  c: {mass: 1, inertia: [0.1, 0.2, 0.3], position: [s*cos(s), s^2, r], rotation: [[z, s], [x, r]], shape: {sphere: {radius: 1}}, points: {p: [0.1, 0.4, 0.2]}}
  m: {motion: {position: [sin(2*t), t, 0.2], rotation: [[x, t^2], [y, 2*t]]}, shape: {half-space: {normal: [0.6, 0, 0.8]}}, points: {p: [0.2, 0.3, 0.1]}}
joints:
  pin: {pin: [a.p, b.p], axis: [1, 2, 3]}
  pin_on_moving: {pin: [b.p, m.p], axis: [0, 1, 0]}
  pin_on_placed: {pin: [c.p, b.p], axis: [0, 1, 1]}
  slider: {slider: [b.p, c.p], axis: [1, 2, 0]}
  slider_on_moving: {slider: [c.p, m], axis: [1, 2, 1]}
  weld: {weld: [a.p, m.p]}
  ball: {ball: [a.p, c.p]}
  universal: {universal: [a.p, m.p], axes: [[1, 0, 0], [0, 1, 2]]}
  cylinder: {cylinder: [a.p, c.p], axis: [0, 0, 1]}
  distance: {distance: [a.p, c.p]}
  plane: {rolling: [a, m]}
  disk: {rolling: [b, m], radius: 0.4, axis: [0, 0, 1]}
  round: {rolling: [a, c]}
  gear: {gear: [pin, cylinder], ratio: -2}
  rack: {rack: [pin, slider], ratio: 0.3}
  turn: {drive: pin_on_moving, angle: sin(3*t)}
)";

struct DrawnState {
  double t = 0.0;
  Eigen::VectorXd q, v;
};

Snapshot rows_at(Mechanism& mechanism, const DrawnState& at) {
  RowSelection rows;
  for (int i = 0; i < number_of(mechanism.model().constraints); ++i) rows.constraints.push_back(i);
  Snapshot snapshot = mechanism.snapshot(rows);
  mechanism.evaluator(rows)->evaluate(at.t, at.q.data(), at.v.data(), snapshot);
  return snapshot;
}

DrawnState drawn(const Model& model, std::mt19937_64& random, double away) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  DrawnState at;
  at.t = 0.3 + 0.2 * number(random);
  at.q.resize(number_of(model.coordinates));
  at.v.resize(number_of(model.speeds));
  for (int k = 0; k < at.q.size(); ++k)
    at.q[k] = model.coordinates[k].start + away * number(random);
  for (double& v : at.v) v = number(random);
  return at;
}

/// dq = q' dt, dv = 0.
DrawnState moved(Mechanism& mechanism, const DrawnState& at, double dt) {
  Eigen::VectorXd rates(at.q.size());
  mechanism.coordinate_rates(at.t, at.q.data(), at.v.data(), rates.data());
  // Second order, so that central differences see the motion at constant speeds.
  DrawnState half{at.t + dt / 2, at.q + dt / 2 * rates, at.v}, end{at.t + dt, at.q, at.v};
  mechanism.coordinate_rates(half.t, half.q.data(), half.v.data(), rates.data());
  end.q += dt * rates;
  return end;
}

std::vector<std::string> names_of_rows(const Model& model) {
  std::vector<std::string> names;
  for (const Constraint& c : model.constraints)
    for (std::size_t r = 0; r < c.rows.size(); ++r)
      names.push_back(c.name + " " + std::to_string(r));
  return names;
}

void expect_exact_rows(const std::string& yaml) {
  const Model model = read_model_text(yaml, "test.yaml");
  Mechanism mechanism(model);
  const std::vector<std::string> names = names_of_rows(model);
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 5; ++trial) {
    const DrawnState at = drawn(model, random, 0.3);
    const Snapshot now = rows_at(mechanism, at);
    constexpr double h = 1e-5;
    const Snapshot before = rows_at(mechanism, moved(mechanism, at, -h)),
                   after = rows_at(mechanism, moved(mechanism, at, h));
    DrawnState rest = at;
    rest.v.setZero();
    const Snapshot still = rows_at(mechanism, rest);
    for (int r = 0; r < now.constraint_rows(); ++r) {
      // The rate is linear in the speeds, with the row as its coefficients.
      EXPECT_NEAR(now.constraint_rate()[r],
                  now.constraint_jacobian().row(r).dot(at.v) + still.constraint_rate()[r], 1e-12)
          << names[r];
      // The bias is its derivative at constant speeds; differences of size h^2 and rounding/h.
      const double difference =
          (after.constraint_rate()[r] - before.constraint_rate()[r]) / (2 * h);
      EXPECT_NEAR(now.constraint_bias()[r], difference, 2e-7 * (1 + std::abs(difference)))
          << names[r];
    }
  }
}

TEST(JointRows, RatesAreLinearAndBiasesExactInThePlane) { expect_exact_rows(planar_joints); }
TEST(JointRows, RatesAreLinearAndBiasesExactInSpace) { expect_exact_rows(spatial_joints); }

/// Rows that are derivatives of their values everywhere, in space: those of points, lines, distances, right angles, gears.
TEST(JointRows, RatesAreDerivativesOfTheValuesWhereRowsSaySo) {
  for (const std::string& yaml : {planar_joints, spatial_joints}) {
    const Model model = read_model_text(yaml, "test.yaml");
    Mechanism mechanism(model);
    const std::vector<std::string> names = names_of_rows(model);
    std::mt19937_64 random(11);
    const DrawnState at = drawn(model, random, 0.3);
    constexpr double h = 1e-5;
    const Snapshot now = rows_at(mechanism, at),
                   before = rows_at(mechanism, moved(mechanism, at, -h)),
                   after = rows_at(mechanism, moved(mechanism, at, h));
    int row = 0, compared = 0;
    for (const Constraint& c : model.constraints) {
      const int points = model.dimension;  // rows of points that stay together come first
      const auto kind = model.joints[&c - model.constraints.data()].kind;
      const int exact = kind == JointKind::rolling                                 ? 0
                        : kind == JointKind::slider || kind == JointKind::cylinder ? points - 1
                        : kind == JointKind::pin || kind == JointKind::weld        ? points
                                                                            : number_of(c.rows);
      for (int r = 0; r < number_of(c.rows); ++r, ++row) {
        if (r >= exact || c.kind_of(r) == ConstraintKind::motion) continue;
        const double difference =
            (after.constraint_value()[row] - before.constraint_value()[row]) / (2 * h);
        EXPECT_NEAR(now.constraint_rate()[row], difference, 2e-8 * (1 + std::abs(difference)))
            << names[row];
        ++compared;
      }
    }
    EXPECT_GE(compared, 13);
  }
}

/// On the joint itself every row is the derivative of its value. Bodies start apart here, so each joint is put together
/// alone, and turned by a little: the value then follows the rows to first order.
TEST(JointRows, OrientationRowsMeasureSmallTurns) {
  const std::string head = R"(clack: 1
dimension: 3
bodies:
  a: {mass: 1, inertia: [1, 1, 1], orientation: [0.8, 0.1, 0.5, -0.2]}
  b: {mass: 1, inertia: [1, 1, 1], orientation: [0.5, -0.4, 0.3, 0.1]}
joints: {j: )";
  for (const char* joint :
       {"{weld: [a, b]}", "{pin: [a, b], axis: [1, 2, 3]}", "{slider: [a, b], axis: [1, 2, 3]}",
        "{cylinder: [a, b], axis: [1, 2, 3]}"}) {
    const Model model = read_model_text(head + joint + "}\n", "test.yaml");
    Mechanism mechanism(model);
    std::mt19937_64 random(3);
    DrawnState at = drawn(model, random, 0.0);
    const Snapshot start = rows_at(mechanism, at);
    constexpr double h = 1e-6;
    const Snapshot before = rows_at(mechanism, moved(mechanism, at, -h)),
                   after = rows_at(mechanism, moved(mechanism, at, h));
    for (int r = 0; r < start.constraint_rows(); ++r) {
      EXPECT_NEAR(start.constraint_value()[r], 0.0, 1e-14) << joint;
      EXPECT_NEAR(start.constraint_rate()[r],
                  (after.constraint_value()[r] - before.constraint_value()[r]) / (2 * h), 1e-8)
          << joint << r;
    }
  }
}

}  // namespace
}  // namespace clack
