// SPDX-License-Identifier: Apache-2.0
// Free bodies that collide keep their momentum and their angular momentum about any point, to
// 1e-12 of what the bodies carry: in every impact, and along the whole run.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

using Eigen::Vector3d;

/// Momentum and angular momentum about a point, and the sum of what each body adds by size.
struct Momenta {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
  double linear_size = 0.0, angular_size = 0.0;

  void add(double mass, const Vector3d& arm, const Vector3d& velocity, const Vector3d& own) {
    linear += mass * velocity;
    linear_size += mass * velocity.norm();
    angular += mass * arm.cross(velocity) + own;
    angular_size += mass * arm.norm() * velocity.norm() + own.norm();
  }
};

Vector3d three(const double* values) { return {values[0], values[1], values[2]}; }

Momenta momenta(const Model& model, const double* q, const double* v, const Vector3d& about) {
  Momenta sum;
  for (const Body& body : model.bodies) {
    if (body.kind != BodyKind::free) continue;
    const double *c = q + body.first_coordinate, *s = v + body.first_speed;
    if (model.dimension == 2) {
      sum.add(body.mass, Vector3d(c[0], c[1], 0) - about, Vector3d(s[0], s[1], 0),
              Vector3d(0, 0, body.inertia(2, 2) * s[2]));
      continue;
    }
    const Eigen::Matrix3d R =
        Eigen::Quaterniond(c[3], c[4], c[5], c[6]).normalized().toRotationMatrix();
    sum.add(body.mass, three(c) - about, three(s),
            R * (body.inertia * (R.transpose() * three(s + 3))));
  }
  return sum;
}

void expect_kept(const Momenta& before, const Momenta& after, double t) {
  EXPECT_LE((after.linear - before.linear).norm(), 1e-12 * before.linear_size) << "t = " << t;
  EXPECT_LE((after.angular - before.angular).norm(), 1e-12 * before.angular_size) << "t = " << t;
}

/// Runs a model; returns the largest number of contacts that took part in one impact.
std::size_t expect_conservation(const std::string& text, std::size_t least_impacts,
                                const std::vector<Override>& set = {}) {
  const Model model = read_model_text(text, "free.yaml", set);
  const Trace trace = run(model);
  EXPECT_EQ(trace.status, RunStatus::done) << trace.reason;
  EXPECT_GE(trace.impacts.size(), least_impacts);
  const Vector3d about(0.7, -1.3, model.dimension == 2 ? 0.0 : 0.4);
  const std::size_t width = trace.columns.size(), nq = model.coordinates.size();
  const auto row = [&](std::size_t r) { return trace.rows.data() + r * width; };
  const Momenta start = momenta(model, row(0) + 1, row(0) + 1 + nq, about);
  for (std::size_t r = 0; r < trace.row_count(); ++r)
    expect_kept(start, momenta(model, row(r) + 1, row(r) + 1 + nq, about), row(r)[0]);
  std::size_t most = 0;
  for (const TraceImpact& impact : trace.impacts) {
    std::size_t r = 0, pushing = 0;
    while (r + 1 < trace.row_count() && row(r)[0] != impact.t) ++r;
    EXPECT_EQ(row(r)[0], impact.t);
    expect_kept(momenta(model, row(r) + 1, impact.v_before.data(), about),
                momenta(model, row(r) + 1, impact.v_after.data(), about), impact.t);
    double tangential = 0.0;
    for (std::size_t i = 0; i < impact.contacts.size(); ++i) {
      pushing += impact.normal_impulse[i] > 0.0 ? 1 : 0;
      for (const double part : impact.tangent_impulse[i]) tangential += std::abs(part);
    }
    EXPECT_GT(tangential, 0.0) << "the friction of these scenes acts in every impact";
    most = std::max(most, pushing);
  }
  return most;
}

// Between impacts the tumbling is integrated: the run's tolerance decides (1.3e-12 at 1e-12,
// 1.4e-13 at 1e-13, 1.5e-14 at 1e-14 for the first scene).
const std::string run_free = "\nrun: {until: 3, theory: newton, tolerance: 1e-13}\n";

TEST(Conservation, SpheresAndEllipsoidsWithFrictionAndSpin) {
  expect_conservation(R"(
clack: 1
dimension: 3
bodies:
  a: {mass: 1, inertia: 0.4, velocity: [0.1, 0, 0], spin: [0, 2, 1], shape: {sphere: {radius: 1}}}
  b: {mass: 2, inertia: [0.9, 0.7, 0.8], position: [2.5, 0.3, 0.1], velocity: [-1, 0, 0], spin: [1, 0, -3], shape: {sphere: {radius: 0.8}}}
  c: {mass: 0.7, inertia: [0.2, 0.3, 0.25], position: [-0.4, 2.6, 0.2], velocity: [0.2, -1.5, 0], spin: [0, 0, 4], shape: {ellipsoid: {axes: [0.6, 0.9, 0.7]}}}
  d: {mass: 1.5, inertia: [0.5, 0.3, 0.4], position: [0.2, -0.3, -2.4], velocity: [0, 0.1, 1.2], spin: [2, 1, 0], shape: {ellipsoid: {axes: [0.9, 0.5, 0.8]}}}
contacts:
  ab: {between: [a, b], friction: 0.4, restitution: 0.7}
  ac: {between: [a, c], friction: 0.4, restitution: 0.7, tangential_restitution: 0.3}
  ad: {between: [a, d], friction: 0.4, restitution: 0.7}
  bc: {between: [b, c], friction: 0.4, restitution: 0.7}
  bd: {between: [b, d], friction: 0.4, restitution: 0.7}
  cd: {between: [c, d], friction: 0.4, restitution: 0.7})" +
                          run_free,
                      3);
}

TEST(Conservation, BoxesAgainstBoxesAndSpheres) {
  expect_conservation(R"(
clack: 1
dimension: 3
bodies:
  crate: {mass: 2, inertia: [0.4, 0.5, 0.6], orientation: [0.9, 0.1, 0.3, -0.2], velocity: [0.1, 0, 0.2], spin: [1, -0.5, 0.7], shape: {box: {width: 1, height: 1.2, depth: 0.8}}}
  brick: {mass: 1, inertia: [0.1, 0.2, 0.15], position: [2.4, 0.2, -0.1], orientation: [0.7, 0.5, -0.2, 0.4], velocity: [-1.2, 0, 0.1], spin: [0.4, 2, -1], shape: {box: {width: 0.8, height: 0.5, depth: 0.6}}}
  ball: {mass: 0.8, inertia: 0.1, position: [0.1, -2.2, 0.2], velocity: [0, 1.1, 0], spin: [0, 3, 2], shape: {sphere: {radius: 0.5}}}
contacts:
  boxes: {between: [crate, brick], friction: 0.4, restitution: 0.6}
  ball-crate: {between: [ball, crate], friction: 0.4, restitution: 0.6}
  ball-brick: {between: [ball, brick], friction: 0.4, restitution: 0.6})" +
                          run_free,
                      2);
}

// Two balls hit a third at the same instant, each with a spin of its own.
TEST(Conservation, SeveralContactsOfOneImpact) {
  const std::string text = R"(
clack: 1
dimension: 3
parameters: {r: 1/sqrt(2)}
bodies:
  middle: {mass: 1.3, inertia: 0.5, velocity: [0, 0, 0.3], spin: [0.4, -1, 2], shape: {sphere: {radius: 1}}}
  left: {mass: 1, inertia: 0.4, position: [-3*r, 3*r, 0], velocity: [r, -r, 0.3], spin: [1, 0, 2], shape: {sphere: {radius: 1}}}
  right: {mass: 2, inertia: 0.7, position: [3*r, 3*r, 0], velocity: [-r, -r, 0.3], spin: [0, -1, -3], shape: {sphere: {radius: 1}}}
  egg: {mass: 0.5, inertia: [0.1, 0.2, 0.3], position: [0, -3, 0], velocity: [0, 1.4, 0.2], spin: [2, 1, 0], shape: {ellipsoid: {axes: [0.5, 0.7, 0.4]}}}
contacts:
  left: {between: [middle, left], friction: 0.5, restitution: 0.8, tangential_restitution: 0.2}
  right: {between: [middle, right], friction: 0.5, restitution: 0.5}
  sides: {between: [left, right], friction: 0.5, restitution: 0.5}
  egg: {between: [middle, egg], friction: 0.5, restitution: 0.5})" +
                           run_free;
  EXPECT_GE(expect_conservation(text, 2), 2u);
}

// In the plane both impulse laws treat several contacts with friction.
TEST(Conservation, DisksInThePlaneUnderBothImpulseLaws) {
  const std::string text = R"(
clack: 1
parameters: {r: 1/sqrt(2)}
bodies:
  middle: {mass: 1.3, inertia: 0.5, spin: 2, shape: {disk: {radius: 1}}}
  left: {mass: 1, inertia: 0.4, position: [-3*r, 3*r], velocity: [r, -r], spin: -3, shape: {disk: {radius: 1}}}
  right: {mass: 2, inertia: 0.7, position: [3*r, 3*r], velocity: [-r, -r], spin: 1, shape: {disk: {radius: 1}}}
contacts:
  left: {between: [middle, left], friction: 0.5, restitution: 0.8, reversibility: 0.3}
  right: {between: [middle, right], friction: 0.5, restitution: 0.5}
  sides: {between: [left, right], friction: 0.5, restitution: 0.5})" +
                           run_free;
  for (const char* law : {"newton", "poisson"}) {
    SCOPED_TRACE(law);
    EXPECT_GE(expect_conservation(text, 1, {{"run.theory", law}}), 2u);
  }
}

}  // namespace
}  // namespace clack::acceptance
