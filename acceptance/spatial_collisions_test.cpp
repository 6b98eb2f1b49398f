// SPDX-License-Identifier: Apache-2.0
// Collisions in space as whole runs: docs/theories/newton.md through the executor.
#include "acceptance/spatial_runs.hpp"

namespace clack::acceptance::spatial {
namespace {

// reference figures, part 5, rows "central hit": closed forms, 1e-12.
TEST(ThreeBalls, WithoutTangentialImpulseTheContactOpensByCurvature) {
  const Ran run("three-balls/three-balls.yaml", {{"delta_f", "0.01"}});
  ASSERT_EQ(run.trace.impacts.size(), 1u);
  const TraceImpact& impact = run.trace.impacts[0];
  expect_vector(run.after(impact, "b", "v"), {-1, 0, 0}, 1e-12);
  expect_vector(run.after(impact, "c", "v"), {0, 0, 0}, 1e-12);
  expect_vector(run.after(impact, "c", "w"), {0, 0, 1}, 1e-12);
  expect_vector(run.after(impact, "a", "v"), {0, 0, 0}, 1e-12);
  EXPECT_NEAR(impact.energy_after - impact.energy_before, 0.0, 1e-12);
  // The gap ab opens from rest with 1/2 - delta_f: after a short time tau it is 0.49 tau^2/2.
  const std::size_t width = run.trace.columns.size();
  const std::size_t gap = static_cast<std::size_t>(
      std::find(run.trace.columns.begin(), run.trace.columns.end(), "gap_ab") -
      run.trace.columns.begin());
  int rows = 0;
  for (std::size_t r = 0; r < run.trace.row_count(); ++r) {
    const double tau = run.trace.rows[r * width] - impact.t;
    if (tau < 1e-3 || tau > 0.02) continue;
    ++rows;
    // exact: sqrt(tau^2 + (2 - 0.005 tau^2)^2) - 2
    const double exact = std::hypot(tau, 2.0 - 0.005 * tau * tau) - 2.0;
    EXPECT_NEAR(run.trace.rows[r * width + gap], exact, 1e-13);
    EXPECT_NEAR(exact / (0.5 * tau * tau), 0.49, 1e-3);
  }
  EXPECT_GT(rows, 3);
  for (const TraceMode& mode : run.trace.modes)
    EXPECT_TRUE(mode.begin < 1.0 || mode.closed.empty());
}

TEST(ThreeBalls, TheLoadedPairFallsTogetherBeforeTheHit) {
  const Ran run("three-balls/three-balls.yaml", {{"delta_f", "0.01"}, {"run.until", "0.5"}});
  const std::size_t width = run.trace.columns.size();
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(
        std::find(run.trace.columns.begin(), run.trace.columns.end(), name) -
        run.trace.columns.begin());
  };
  for (std::size_t r = 0; r < run.trace.row_count(); ++r)
    EXPECT_NEAR(run.trace.rows[r * width + column("normal_ab")], 0.005, 1e-14);
  EXPECT_NEAR(run.v("a.vy"), 0.005 - 0.005 * 0.5, 1e-14);
  EXPECT_NEAR(run.v("b.vy"), 0.005 - 0.005 * 0.5, 1e-14);
}

TEST(ThreeBalls, WithoutTangentialRestitutionTheSpinThrowsTheMiddleBallDown) {
  const Ran run("three-balls/three-balls.yaml", {{"e_t", "0"}});
  const TraceImpact& impact = run.trace.impacts.at(0);
  expect_vector(run.after(impact, "b", "v"), {-1, -1.0 / 7, 0}, 1e-12);
  expect_vector(run.after(impact, "b", "w"), {0, 0, -5.0 / 14}, 1e-12);
  expect_vector(run.after(impact, "c", "v"), {0, 1.0 / 7, 0}, 1e-12);
  expect_vector(run.after(impact, "c", "w"), {0, 0, 9.0 / 14}, 1e-12);
  expect_vector(run.after(impact, "a", "v"), {0, 0, 0}, 1e-12);
  EXPECT_NEAR(impact.energy_after - impact.energy_before, -1.0 / 14, 1e-12);
}

TEST(ThreeBalls, FullTangentialRestitutionReversesTheSlip) {
  const Ran run("three-balls/three-balls.yaml", {{"e_t", "1"}});
  const TraceImpact& impact = run.trace.impacts.at(0);
  expect_vector(run.after(impact, "b", "v"), {-1, -2.0 / 7, 0}, 1e-12);
  expect_vector(run.after(impact, "b", "w"), {0, 0, -5.0 / 7}, 1e-12);
  expect_vector(run.after(impact, "c", "v"), {0, 2.0 / 7, 0}, 1e-12);
  expect_vector(run.after(impact, "c", "w"), {0, 0, 2.0 / 7}, 1e-12);
  EXPECT_NEAR(impact.energy_after - impact.energy_before, 0.0, 1e-12);
}

TEST(ThreeBalls, FromTheOtherSideFrictionPressesTheMiddleBallUp) {
  const Ran run("three-balls/three-balls.yaml", {{"e_t", "0"}, {"from", "-1"}});
  const TraceImpact& impact = run.trace.impacts.at(0);
  EXPECT_NEAR(run.normal_impulse(impact, "ab"), 4.0 / 47, 1e-11);
  EXPECT_NEAR(run.normal_impulse(impact, "bc"), 48.0 / 47, 1e-11);
  EXPECT_NEAR(run.tangent_impulse(impact, "ab"), 2.0 / 47, 1e-11);
  EXPECT_NEAR(run.tangent_impulse(impact, "bc"), 8.0 / 47, 1e-11);
  expect_vector(run.after(impact, "a", "v"), {2.0 / 47, 4.0 / 47, 0}, 1e-11);
  expect_vector(run.after(impact, "a", "w"), {0, 0, 5.0 / 47}, 1e-11);
  expect_vector(run.after(impact, "b", "v"), {46.0 / 47, 4.0 / 47, 0}, 1e-11);
  expect_vector(run.after(impact, "b", "w"), {0, 0, -15.0 / 47}, 1e-11);
  expect_vector(run.after(impact, "c", "v"), {-1.0 / 47, -8.0 / 47, 0}, 1e-11);
  expect_vector(run.after(impact, "c", "w"), {0, 0, 27.0 / 47}, 1e-11);
  EXPECT_NEAR(impact.energy_after - impact.energy_before, -0.109551833408782, 1e-11);
}

TEST(ThreeBalls, WithoutSpinAndFrictionOnlyTheMiddleBallMoves) {
  const Ran run("three-balls/three-balls.yaml", {{"mu", "0"}, {"spin", "0"}});
  const TraceImpact& impact = run.trace.impacts.at(0);
  expect_vector(run.after(impact, "b", "v"), {-1, 0, 0}, 1e-12);
  expect_vector(run.after(impact, "c", "v"), {0, 0, 0}, 1e-12);
  expect_vector(run.after(impact, "a", "v"), {0, 0, 0}, 1e-12);
}

// Reference 4.1, energy warning: the law gains energy there and must say so.
TEST(ThreeBalls, AnImpactThatGainsEnergyIsReported) {
  std::vector<Override> set = {{"distance", "0"}};
  const auto start = [&](const std::string& body, double vx, double vy, double wz) {
    set.push_back({body + ".vx_0", std::to_string(vx)});
    set.push_back({body + ".vy_0", std::to_string(vy)});
    set.push_back({body + ".wz_0", std::to_string(wz)});
  };
  start("a", -1, -2, -2);
  start("b", 2, 2, 2);
  start("c", -1, 0, 2);
  set.push_back({"run.until", "0.001"});
  const Ran run("three-balls/three-balls.yaml", set);
  const TraceImpact& impact = run.trace.impacts.at(0);
  EXPECT_NEAR(impact.energy_before, 9.4, 1e-12);
  EXPECT_NEAR(impact.energy_after, 17.441666666666667, 1e-10);
  EXPECT_NE(std::find(run.trace.flags.begin(), run.trace.flags.end(), "energy-gain"),
            run.trace.flags.end());
}

const char* const swarm = R"(
clack: 1
dimension: 3
parameters: {qw: 1, qx: 0, qy: 0, qz: 0}
bodies:
  a: {mass: 1, inertia: 0.4, position: [0, 0, 0], velocity: [0.1, 0, 0], spin: [0, 2, 1], shape: {sphere: {radius: 1}}}
  b: {mass: 2, inertia: [0.9, 0.7, 0.8], position: [2.5, 0.3, 0.1], velocity: [-1, 0, 0], spin: [1, 0, -3], shape: {sphere: {radius: 0.8}}}
  c: {mass: 0.7, inertia: [0.2, 0.3, 0.25], position: [-0.4, 2.6, 0.2], velocity: [0.2, -1.5, 0], spin: [0, 0, 4], shape: {ellipsoid: {axes: [0.6, 0.9, 0.7]}}}
  d: {mass: 1.5, inertia: [0.5, 0.3, 0.4], position: [0.2, -0.3, -2.4], velocity: [0, 0.1, 1.2], spin: [2, 1, 0], shape: {ellipsoid: {axes: [0.9, 0.5, 0.8]}}}
contacts:
  ab: {between: [a, b], friction: 0.4, restitution: 0.7}
  ac: {between: [a, c], friction: 0.4, restitution: 0.7}
  ad: {between: [a, d], friction: 0.4, restitution: 0.7}
  bc: {between: [b, c], friction: 0.4, restitution: 0.7}
  bd: {between: [b, d], friction: 0.4, restitution: 0.7}
  cd: {between: [c, d], friction: 0.4, restitution: 0.7}
run: {until: 3, theory: newton, tolerance: 1e-12}
)";

/// Turns positions, orientations and velocities of the free bodies of a model.
void turn(Model& model, const Eigen::Quaterniond& by) {
  for (const Body& body : model.bodies) {
    const std::size_t c = body.first_coordinate, s = body.first_speed;
    const auto rotate = [&](auto& items, std::size_t at) {
      const Vector3d turned =
          by * Vector3d(items[at].start, items[at + 1].start, items[at + 2].start);
      for (std::size_t k = 0; k < 3; ++k) items[at + k].start = turned[k];
    };
    rotate(model.coordinates, c);
    rotate(model.speeds, s);
    rotate(model.speeds, s + 3);
    const Eigen::Quaterniond q =
        by * Eigen::Quaterniond(model.coordinates[c + 3].start, model.coordinates[c + 4].start,
                                model.coordinates[c + 5].start, model.coordinates[c + 6].start);
    model.coordinates[c + 3].start = q.w();
    model.coordinates[c + 4].start = q.x();
    model.coordinates[c + 5].start = q.y();
    model.coordinates[c + 6].start = q.z();
  }
}

/// Momentum, and angular momentum about the origin, at the end of a run.
Eigen::Matrix<double, 6, 1> momentum(const Model& model, const std::vector<double>& q,
                                     const std::vector<double>& v) {
  Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
  for (const Body& body : model.bodies) {
    const double *x = q.data() + body.first_coordinate, *u = v.data() + body.first_speed;
    const Vector3d r(x[0], x[1], x[2]), velocity(u[0], u[1], u[2]), spin(u[3], u[4], u[5]);
    const Eigen::Matrix3d R =
        Eigen::Quaterniond(x[3], x[4], x[5], x[6]).normalized().toRotationMatrix();
    sum.head<3>() += body.mass * velocity;
    sum.tail<3>() += body.mass * r.cross(velocity) + R * body.inertia * R.transpose() * spin;
  }
  return sum;
}

TEST(FreeCollisions, KeepMomentumAndAngularMomentum) {
  const Ran run(read_model_text(swarm, "swarm.yaml"));
  ASSERT_GE(run.trace.impacts.size(), 3u);
  EXPECT_EQ(run.trace.status, RunStatus::done);
  std::vector<double> q, v;
  for (const Coordinate& c : run.model.coordinates) q.push_back(c.start);
  for (const Speed& s : run.model.speeds) v.push_back(s.start);
  const auto before = momentum(run.model, q, v),
             after = momentum(run.model, run.trace.final_q, run.trace.final_v);
  EXPECT_LT((after - before).head<3>().norm(), 1e-12 * before.norm());
  // The turning of the bodies between impacts is integrated to the run's tolerance 1e-12.
  EXPECT_LT((after - before).tail<3>().norm(), 1e-10 * before.norm());
  for (const TraceImpact& impact : run.trace.impacts) {  // each impact alone: to rounding
    Vector3d change = Vector3d::Zero();
    for (const Body& body : run.model.bodies)
      for (int k = 0; k < 3; ++k) {
        const std::size_t s = body.first_speed + k;
        change[k] += body.mass * (impact.v_after[s] - impact.v_before[s]);
      }
    EXPECT_LT(change.norm(), 1e-12);
  }
}

TEST(FreeCollisions, TurningTheSceneTurnsTheResult) {
  const Ran run(read_model_text(swarm, "swarm.yaml"));
  Model turned = read_model_text(swarm, "swarm.yaml");
  const Eigen::Quaterniond by(Eigen::AngleAxisd(1.9, Vector3d(0.3, -0.8, 0.5).normalized()));
  turn(turned, by);
  const Ran other(std::move(turned));
  ASSERT_EQ(run.trace.impacts.size(), other.trace.impacts.size());
  for (std::size_t k = 0; k < run.trace.impacts.size(); ++k)
    EXPECT_NEAR(run.trace.impacts[k].t, other.trace.impacts[k].t, 1e-9);
  for (const Body& body : run.model.bodies) {
    const auto at = [&](const std::vector<double>& items, int first) {
      const std::size_t i = first;
      return Vector3d(items[i], items[i + 1], items[i + 2]);
    };
    expect_vector(by * at(run.trace.final_q, body.first_coordinate),
                  at(other.trace.final_q, body.first_coordinate), 1e-9);
    expect_vector(by * at(run.trace.final_v, body.first_speed),
                  at(other.trace.final_v, body.first_speed), 1e-9);
    expect_vector(by * at(run.trace.final_v, body.first_speed + 3),
                  at(other.trace.final_v, body.first_speed + 3), 1e-9);
  }
}

// Torque-free symmetric top: the axis precesses; energy and angular momentum stay.
TEST(FreeBody, ATopWithoutTorqueKeepsEnergyAndAngularMomentum) {
  const Ran run(
      read_model_text("clack: 1\ndimension: 3\nbodies: {top: {mass: 1, inertia: [1, 2, 2.5], "
                      "orientation: [0.9, 0.2, 0.1, 0.3], "
                      "spin: [1, 3, -2]}}\nrun: {until: 20, theory: newton, tolerance: 1e-12}\n",
                      "top.yaml"));
  EXPECT_TRUE(run.trace.contacts.empty());
  EXPECT_NEAR(run.trace.energy.final, run.trace.energy.initial, 1e-9);
  std::vector<double> q, v;
  for (const Coordinate& c : run.model.coordinates) q.push_back(c.start);
  for (const Speed& s : run.model.speeds) v.push_back(s.start);
  EXPECT_LT((momentum(run.model, q, v) - momentum(run.model, run.trace.final_q, run.trace.final_v))
                .norm(),
            1e-9);
}

}  // namespace
}  // namespace clack::acceptance::spatial
