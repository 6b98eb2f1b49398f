// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/ellipsoid.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/mechanism.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const char* const scene = R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, position: [0, 0, -2], orientation: [0.9, 0.1, 0.2, 0], shape: {half-space: {normal: [0, 0, 1]}}}
  lift: {motion: {position: [0.2*sin(3*t), 0, -3 + t^2]}, shape: {sphere: {radius: 0.4}}}
  crate: {fixed: true, position: [0.1, -3, 0], orientation: [0.8, 0, 0.3, 0.1], shape: {box: {width: 1, height: 2, depth: 1.5}}}
  egg: {mass: 2, inertia: [0.3, 0.4, 0.5], position: [0, 0, 0.2], orientation: [0.7, 0.1, -0.5, 0.2], velocity: [1, 2, -1], spin: [2, -1, 3], shape: {ellipsoid: {axes: [0.3, 0.5, 0.8]}}}
  nut: {mass: 1, inertia: [0.2, 0.3, 0.25, 0.01, 0.02, -0.03], position: [1.5, 0.3, 0.1], orientation: [0.2, 0.9, 0.1, 0.4], velocity: [-1, 0.5, 0.3], spin: [-2, 1, 0.5], shape: {ellipsoid: {axes: [0.6, 0.2, 0.4]}}}
  ball: {mass: 0.5, inertia: 0.05, position: [0.2, -1.4, 0.9], velocity: [0.3, -1, 0.2], spin: [1, 4, -2], points: {tip: [0.1, 0.6, 0.2]}, shape: {sphere: {radius: 0.3}}}
  brick: {mass: 3, inertia: [0.5, 0.4, 0.3], position: [3, 3, 3], orientation: [0.5, 0.5, 0.1, -0.3], velocity: [0.1, 1, -0.4], spin: [0.5, 0.7, 1.1], shape: {box: {width: 0.8, height: 0.6, depth: 0.4}}}
springs: [{between: [ball.tip, egg], stiffness: 40, damping: 0.5, rest: 1}]
forces: [{on: ball.tip, force: [ball.vx, sin(t), egg.qw]}, {coordinate: nut.wx, force: -0.1*nut.wx}]
contacts:
  egg-floor: {between: [egg, floor]}
  egg-nut: {between: [egg, nut]}
  egg-ball: {between: [egg, ball]}
  ball-nut: {between: [ball, nut]}
  ball-lift: {between: [ball, lift], surface_velocity: [t^2, 1]}
  ball-crate: {between: [ball, crate]}
  tip-floor: {between: [ball.tip, floor]}
  tip-egg: {between: [ball.tip, egg]}
  brick-floor: {between: [brick, floor]}
  ball-brick: {between: [ball, brick]}
  formula: {gap: ball.z + 2 + ball.qx*ball.qy, slip: [ball.vx, ball.wy*ball.qz]}
constraints: {rod: {configuration: (ball.x - nut.x)^2 + ball.qw - 1}, roll: {motion: ball.vx - 0.3*ball.wy*ball.qw}}
)";

struct Scene {
  Model model = read_model_text(scene, "scene.yaml");
  Mechanism mechanism{model};
  VectorXd q, v;
  RowSelection all;
  Scene() {
    q.resize(model.coordinates.size());
    v.resize(model.speeds.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = model.coordinates[i].start;
    for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = model.speeds[i].start;
    all.contacts = possible_contacts(model);
    all.constraints = {0, 1};
  }
  Snapshot at(double t, const VectorXd& q_at, const VectorXd& v_at) {
    Snapshot s(number_of(v), 2, number_of(all.contacts), 2);
    mechanism.evaluator(all)->evaluate(t, q_at.data(), v_at.data(), s);
    return s;
  }
  /// Coordinates after moving for a short time with constant speeds (RK4 on the coordinate rates).
  VectorXd moved(double h) {
    const auto rate = [&](const VectorXd& x) {
      VectorXd r(q.size());
      mechanism.coordinate_rates(0.0, x.data(), v.data(), r.data());
      return r;
    };
    const VectorXd a = rate(q), b = rate(q + 0.5 * h * a), c = rate(q + 0.5 * h * b),
                   d = rate(q + h * c);
    return q + h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
};

// Central differences of order 4 along the motion with constant speeds: error h^4 ~ 1e-12 times
// derivatives.
TEST(SpatialBodies, BiasesAreTheRatesOfTheRatesAlongTheMotion) {
  Scene s;
  const double t = 0.3, h = 1e-3;
  const Snapshot now = s.at(t, s.q, s.v);
  std::vector<Snapshot> near;
  for (const double k : {-2.0, -1.0, 1.0, 2.0})
    near.push_back(s.at(t + k * h, s.moved(k * h), s.v));
  const auto slope = [&](auto part) -> VectorXd {
    return (VectorXd(part(near[0])) - 8.0 * part(near[1]) + 8.0 * part(near[2]) - part(near[3])) /
           (12.0 * h);
  };
  const VectorXd gap_rate = slope([](const Snapshot& x) { return VectorXd(x.gap()); });
  const VectorXd gap_bias = slope([](const Snapshot& x) { return VectorXd(x.gap_rate()); });
  const VectorXd slip_bias = slope([](const Snapshot& x) { return VectorXd(x.slip()); });
  for (int i = 0; i < now.contacts(); ++i) {
    const std::string name = contact_name(s.model, s.all.contacts[i]);
    EXPECT_NEAR(now.gap_rate()[i], gap_rate[i], 1e-7) << name;
    EXPECT_NEAR(now.gap_bias()[i], gap_bias[i], 1e-6 * (1 + std::abs(gap_bias[i]))) << name;
    for (int a = 0; a < 2; ++a)
      EXPECT_NEAR(now.slip_bias()[2 * i + a], slip_bias[2 * i + a],
                  1e-6 * (1 + std::abs(slip_bias[2 * i + a])))
          << name;
  }
  const VectorXd rate = slope([](const Snapshot& x) { return VectorXd(x.constraint_value()); });
  const VectorXd bias = slope([](const Snapshot& x) { return VectorXd(x.constraint_rate()); });
  EXPECT_NEAR(now.constraint_rate()[0], rate[0], 1e-7);
  EXPECT_LT((now.constraint_bias() - bias).norm(), 1e-5);
}

TEST(SpatialBodies, RatesAreLinearInTheSpeedsWithTheRowsAsCoefficients) {
  Scene s;
  const Snapshot at_rest = s.at(0.3, s.q, VectorXd::Zero(s.v.size())), moving = s.at(0.3, s.q, s.v);
  EXPECT_LT((moving.normal_jacobian() * s.v - (moving.gap_rate() - at_rest.gap_rate())).norm(),
            1e-12);
  EXPECT_LT((moving.tangent_jacobian() * s.v - (moving.slip() - at_rest.slip())).norm(), 1e-12);
  EXPECT_LT((moving.constraint_jacobian() * s.v - moving.constraint_rate()).norm(), 1e-12);
}

TEST(SpatialBodies, GapMotionAgreesWithTheRows) {
  Scene s;
  const VectorXd a = VectorXd::LinSpaced(s.v.size(), -1.0, 2.0);
  const Snapshot now = s.at(0.3, s.q, s.v);
  std::vector<GapMotion> motion(s.all.contacts.size());
  s.mechanism.gap_motion(0.3, s.q.data(), s.v.data(), a.data(), s.all.contacts, motion);
  VectorXd gap(now.contacts()), rate(now.contacts()), acceleration(now.contacts());
  for (int i = 0; i < now.contacts(); ++i) {
    gap[i] = motion[i].gap;
    rate[i] = motion[i].rate;
    acceleration[i] = motion[i].acceleration;
  }
  EXPECT_EQ((gap - now.gap()).norm(), 0.0);
  EXPECT_EQ((rate - now.gap_rate()).norm(), 0.0);
  EXPECT_LT((acceleration - now.normal_jacobian() * a - now.gap_bias()).norm(), 1e-12);
}

// d/dt (T + V) = applied power when dv/dt = M^-1 h.
TEST(SpatialBodies, EnergyChangesByTheAppliedPower) {
  Scene s;
  const Snapshot now = s.at(0.3, s.q, s.v);
  const VectorXd a = Eigen::MatrixXd(now.mass_matrix()).llt().solve(VectorXd(now.smooth_force()));
  const double h = 1e-5;
  const auto energy = [&](double k) {
    const Scene& scene = s;
    const VectorXd v = scene.v + k * h * a;
    // coordinates to second order: speeds change along the way
    VectorXd q = s.moved(k * h), r(s.q.size()), dq(s.q.size());
    s.mechanism.coordinate_rates(0.0, s.q.data(), VectorXd(0.5 * k * h * k * h * a).data(),
                                 dq.data());
    q += dq;
    const Energies e = s.mechanism.energies(0.3 + k * h, q.data(), v.data());
    return e.kinetic + e.potential;
  };
  EXPECT_NEAR((energy(1) - energy(-1)) / (2.0 * h), now.applied_power() + now.drive_power(),
              1e-5 * std::abs(now.applied_power()) + 1e-5);
  EXPECT_TRUE(s.mechanism.has_applied_power());
}

TEST(SpatialBodies, DisplacingFollowsTheCoordinateRatesAndKeepsUnitQuaternions) {
  Scene s;
  VectorXd q = s.q, rates(s.q.size());
  const VectorXd step = 1e-6 * s.v;
  s.mechanism.displace(0.0, q.data(), step.data());
  s.mechanism.coordinate_rates(0.0, s.q.data(), step.data(), rates.data());
  EXPECT_LT((q - s.q - rates).norm(), 1e-10);
  for (const Body& body : s.model.bodies)
    if (body.kind == BodyKind::free) {
      EXPECT_NEAR(q.segment(body.first_coordinate + 3, 4).norm(), 1.0, 1e-15);
    }
  VectorXd longer = 1.5 * s.q;
  s.mechanism.normalise(longer.data());
  EXPECT_NEAR(longer.segment(3, 4).norm(), 1.0, 1e-15);
}

// Reference 2.1: w_aN = (|d'|^2 - gap_rate^2)/L for spheres.
TEST(SpatialTouch, SpheresHaveTheCurvatureTermOfTheClosedForm) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    const auto vector = [&] { return Vector3d(u(engine), u(engine), u(engine)); };
    const Side small = RoundSide{Vector3d::Zero(), 0.4}, large = RoundSide{Vector3d::Zero(), 0.7};
    ContactSides contact;
    contact.first = &small;
    contact.second = &large;
    BodyMotion a, b;
    a.pose.position = 2.0 * vector();
    b.pose.position = a.pose.position + Vector3d(1.2, 0.5, 0.1) + 0.1 * vector();
    a.velocity = vector();
    b.velocity = vector();
    a.spin = vector();
    b.spin = vector();
    const TouchMotion touch = spatial_touch(contact, ContactFrame(), a, b, Reach::free);
    const Vector3d d = a.pose.position - b.pose.position, rate = a.velocity - b.velocity;
    EXPECT_NEAR(touch.gap, d.norm() - 1.1, 1e-15);
    EXPECT_NEAR(touch.gap_bias, (rate.squaredNorm() - touch.gap_rate * touch.gap_rate) / d.norm(),
                1e-12);
  }
}

// Reference 2.1: a rigid rotation of a touching pair must give no slip and no gap rate.
TEST(SpatialTouch, APairThatTurnsAsOneBodyDoesNotSlip) {
  const std::vector<std::pair<Side, Side>> pairs = {
      {RoundSide{Vector3d::Zero(), 1.0}, RoundSide{Vector3d::Zero(), 1.0}},
      {Ellipsoid{{0.5, 1.0, 1.5}}, Ellipsoid{{0.8, 0.3, 1.1}}},
      {RoundSide{Vector3d::Zero(), 0.5}, Box{{1, 1, 1}}}};
  for (const auto& [first, second] : pairs) {
    ContactSides contact;
    contact.first = &first;
    contact.second = &second;
    BodyMotion a, b;
    a.pose.position = {0.4, 3.0, 0.5};
    b.pose.rotation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    const double gap = spatial_touch(contact, ContactFrame(), a, b, Reach::free).gap;
    a.pose.position -=
        gap * spatial_touch(contact, ContactFrame(), a, b, Reach::free).normal;  // touching
    const Vector3d spin(0.3, 0.7, 1.1);
    a.spin = b.spin = spin;
    a.velocity = spin.cross(a.pose.position);
    const TouchMotion touch = spatial_touch(contact, ContactFrame(), a, b, Reach::free);
    EXPECT_NEAR(touch.gap, 0.0, 1e-14);
    EXPECT_NEAR(touch.gap_rate, 0.0, 1e-14);
    EXPECT_LT(touch.slip.norm(), 1e-13);
    // The first body's centre runs on a circle: with its acceleration nothing is left.
    const Vector3d acceleration = spin.cross(a.velocity);
    EXPECT_NEAR(touch.gap_bias + touch.normal.dot(acceleration), 0.0, 1e-12);
    EXPECT_LT((touch.slip_bias + touch.tangents.transpose() * acceleration).norm(), 1e-12);
  }
}

TEST(SpatialTouch, FramesAreRightHandedAndFollowTheNormal) {
  const ContactFrame up(Vector3d::UnitZ());
  EXPECT_EQ(up.start_tangents.col(0), Vector3d::UnitX());
  EXPECT_EQ(up.start_tangents.col(1), Vector3d::UnitY());
  EXPECT_EQ(ContactFrame(Vector3d::UnitY()).start_tangents.col(0), Vector3d::UnitZ());
  const Vector3d n = Vector3d(0.3, -0.8, 0.1).normalized(), turn(0.2, 0.5, -0.7);
  const auto t = up.tangents(n);
  EXPECT_LT((t.col(0).cross(t.col(1)) - n).norm(), 1e-14);
  const double h = 1e-6;
  const auto after = up.tangents((n + h * turn.cross(n)).normalized());
  const auto before = up.tangents((n - h * turn.cross(n)).normalized());
  EXPECT_LT(((after - before) / (2 * h) - up.tangent_rates(n, turn.cross(n))).norm(), 1e-9);
}

TEST(SpatialBodies, UnknownPairsOfShapesAreRefusedWithARemedy) {
  const std::string text = R"(
clack: 1
dimension: 3
bodies:
  egg: {mass: 1, inertia: 1, position: [0, 0, 5], shape: {ellipsoid: {axes: [1, 2, 1]}}}
  box: {fixed: true, shape: {box: {width: 1, height: 1, depth: 1}}}
contacts: {c: {between: [egg, box]}}
)";
  const Model model = read_model_text(text, "x.yaml");
  EXPECT_THROW(Mechanism{model}, ModelError);
}

TEST(Mechanism, OnlyFreeBodiesInSpaceHaveCoordinateRatesThatAreNotTheirSpeeds) {
  const Scene s;
  EXPECT_FALSE(make_mechanism(s.model)->rates_are_speeds());
  const Model flat = read_model_text("clack: 1\nbodies: {a: {mass: 1, inertia: 1}}\n", "flat.yaml");
  EXPECT_TRUE(make_mechanism(flat)->rates_are_speeds());
}

}  // namespace
}  // namespace clack
