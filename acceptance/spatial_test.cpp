// Bodies in space as whole runs: docs/theories/newton.md through the executor.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "clack/error.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;

const std::string models = CLACK_SOURCE_DIR "/models/";

struct Ran {
  Model model;
  Trace trace;
  explicit Ran(Model read) : model(std::move(read)), trace(clack::run(model)) {}
  Ran(const std::string& file, const std::vector<Override>& set = {})
      : Ran(read_model(models + file, set)) {}

  std::size_t speed(const std::string& name) const {
    for (std::size_t i = 0; i < model.speeds.size(); ++i)
      if (model.speeds[i].name == name) return i;
    throw std::out_of_range(name);
  }
  double q(const std::string& name) const {
    for (std::size_t i = 0; i < model.coordinates.size(); ++i)
      if (model.coordinates[i].name == name) return trace.final_q[i];
    throw std::out_of_range(name);
  }
  double v(const std::string& name) const { return trace.final_v[speed(name)]; }
  Vector3d after(const TraceImpact& impact, const std::string& body,
                 const std::string& kind) const {
    const std::size_t at = speed(body + "." + kind + "x");
    return {impact.v_after[at], impact.v_after[at + 1], impact.v_after[at + 2]};
  }
  std::vector<double> times(EventKind kind) const {
    std::vector<double> result;
    for (const TraceEvent& event : trace.events)
      if (event.kind == kind) result.push_back(event.t);
    return result;
  }
  int contact(const std::string& name) const {
    for (std::size_t i = 0; i < model.contacts.size(); ++i)
      if (model.contacts[i].name == name) return static_cast<int>(i);
    throw std::out_of_range(name);
  }
  double normal_impulse(const TraceImpact& impact, const std::string& name) const {
    for (std::size_t k = 0; k < impact.contacts.size(); ++k)
      if (impact.contacts[k] == contact(name)) return impact.normal_impulse[k];
    return 0.0;
  }
  double tangent_impulse(const TraceImpact& impact, const std::string& name) const {
    for (std::size_t k = 0; k < impact.contacts.size(); ++k)
      if (impact.contacts[k] == contact(name))
        return std::hypot(impact.tangent_impulse[k][0], impact.tangent_impulse[k][1]);
    return 0.0;
  }
};

void expect_vector(const Vector3d& value, const Vector3d& expected, double tolerance) {
  EXPECT_LE((value - expected).cwiseAbs().maxCoeff(), tolerance)
      << value.transpose() << " instead of " << expected.transpose();
}

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
    if (mode.begin >= 1.0) {
      for (const ContactStatus status : mode.statuses) EXPECT_EQ(status, ContactStatus::open);
    }
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

// Reference 4.2 and section 5, 1e-9.
TEST(SphereOnAPlane, SlidesIntoRolling) {
  const Ran run("rolling/sphere-3d.yaml");
  const auto stick = run.times(EventKind::stick);
  ASSERT_EQ(stick.size(), 1u);
  EXPECT_NEAR(stick[0], 0.291247997670016, 1e-9);
  EXPECT_NEAR(run.v("ball.vx"), 10.0 / 7, 1e-9);
  EXPECT_NEAR(run.q("ball.x") - 10.0 / 7 * (1.0 - stick[0]), 0.4992822817200275, 1e-9);
}

// t = |slip|/(mu g (1 + 5/2)); momentum about the contact point decides what is left.
TEST(SphereOnAPlane, SidewaysSpinBendsThePathAndDrillingSpinStays) {
  const Ran run("rolling/sphere-3d.yaml", {{"w0x", "3"}, {"w0y", "-2"}, {"w0z", "7"}});
  const Vector3d slip(2.0 - (-2.0), 3.0, 0.0);
  const auto stick = run.times(EventKind::stick);
  ASSERT_EQ(stick.size(), 1u);
  EXPECT_NEAR(stick[0], slip.norm() / (0.2 * 9.81 * 3.5), 1e-9);
  const Vector3d rolling = Vector3d(2, 0, 0) - slip * 2.0 / 7.0;
  EXPECT_NEAR(run.v("ball.vx"), rolling.x(), 1e-9);
  EXPECT_NEAR(run.v("ball.vy"), rolling.y(), 1e-9);
  EXPECT_NEAR(run.v("ball.wz"), 7.0, 1e-12);
  EXPECT_NEAR(run.v("ball.wy"), rolling.x(), 1e-9);
  EXPECT_NEAR(run.v("ball.wx"), -rolling.y(), 1e-9);
}

TEST(SphereOnAPlane, RollingFromTheStartNeedsNoFriction) {
  const Ran run("rolling/sphere-3d.yaml", {{"w0y", "2"}});
  EXPECT_TRUE(run.times(EventKind::stick).empty());
  EXPECT_NEAR(run.v("ball.vx"), 2.0, 1e-12);
  EXPECT_NEAR(run.trace.energy.dissipated, 0.0, 1e-12);
}

// Section 5, incline rows, in space: gravity turned by the angle in a direction that is no axis.
TEST(SphereOnAPlane, OnASlopeItRollsOrSlipsAsTheClosedFormSays) {
  for (const double degrees : {20.0, 60.0}) {
    const double angle = degrees * M_PI / 180.0, heading = 0.7;
    const std::string text = fmt::format(
        "clack: 1\ndimension: 3\ngravity: [{}, {}, {}]\nbodies:\n"
        "  floor: {{fixed: true, shape: {{half-space: {{normal: [0, 0, 1]}}}}}}\n"
        "  ball: {{mass: 1, inertia: 0.4, position: [0, 0, 1], shape: {{sphere: {{radius: 1}}}}}}\n"
        "contacts: {{ground: {{between: [ball, floor], friction: 0.3}}}}\n"
        "run: {{until: 1, theory: newton}}\n",
        9.81 * std::sin(angle) * std::cos(heading), 9.81 * std::sin(angle) * std::sin(heading),
        -9.81 * std::cos(angle));
    const Ran run(read_model_text(text, "slope.yaml"));
    const double speed = std::hypot(run.v("ball.vx"), run.v("ball.vy"));
    const double spin = std::hypot(run.v("ball.wx"), run.v("ball.wy"));
    EXPECT_NEAR(speed, degrees < 30 ? 2.3965840043034365 : 7.024209211125342, 1e-11);
    EXPECT_NEAR(spin, degrees < 30 ? 2.3965840043034365 : 3.67875, 1e-11);
  }
}

// Section 5, two-ball column, 1e-9.
TEST(Column, WithAGapTheBallsCollideOneAfterTheOther) {
  const Ran run("column/column.yaml");
  const auto times = run.times(EventKind::impact);
  ASSERT_GE(times.size(), 3u);
  EXPECT_NEAR(times[0], 0.4515236409857309, 1e-9);
  EXPECT_NEAR(times[1], 0.4516365218959774, 1e-9);
  EXPECT_NEAR(times[2], 0.4519744893655239, 1e-9);
  EXPECT_NEAR(run.after(run.trace.impacts[1], "ball1", "v").z(), -1.4775896677528575, 1e-9);
  EXPECT_NEAR(run.after(run.trace.impacts[1], "ball2", "v").z(), 7.3813041683871825, 1e-9);
}

// Section 4.3: touching balls rebound together with e v; impulses (1 + e) v times the mass above.
TEST(Column, TouchingBallsReboundTogetherAndComeToRest) {
  const Ran run("column/column.yaml", {{"n", "3"}, {"gap", "0"}, {"e", "0.5"}, {"run.until", "2"}});
  const TraceImpact& impact = run.trace.impacts.at(0);
  const double v = std::sqrt(2 * 9.81);
  for (const char* ball : {"ball1", "ball2", "ball3"})
    EXPECT_NEAR(run.after(impact, ball, "v").z(), 0.5 * v, 1e-10);
  EXPECT_NEAR(run.normal_impulse(impact, "ground"), 1.5 * v * 1.75, 1e-9);
  EXPECT_NEAR(run.normal_impulse(impact, "12"), 1.5 * v * 0.75, 1e-9);
  EXPECT_NEAR(run.normal_impulse(impact, "23"), 1.5 * v * 0.25, 1e-9);
  const auto zeno = run.times(EventKind::zeno);
  ASSERT_EQ(zeno.size(), 1u);
  EXPECT_NEAR(zeno[0], std::sqrt(2 / 9.81) * 3.0, 1e-9);  // t1 (1 + e)/(1 - e)
}

// Section 4.4 in space: one ball of the column.
TEST(Column, OneBallBouncesToRestAtTheAccumulationTime) {
  const Ran run("column/column.yaml", {{"n", "1"}, {"e", "0.8"}, {"run.until", "5"}});
  const auto times = run.times(EventKind::impact);
  ASSERT_GE(times.size(), 4u);
  EXPECT_NEAR(times[0], 0.4515236409857309, 1e-9);
  EXPECT_NEAR(times[3], 2.2142719353940246, 1e-9);
  ASSERT_EQ(run.times(EventKind::zeno).size(), 1u);
  EXPECT_NEAR(run.times(EventKind::zeno)[0], 4.063712768871578, 1e-9);
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
    const auto c = static_cast<std::size_t>(body.first_coordinate),
               s = static_cast<std::size_t>(body.first_speed);
    const auto rotate = [&](auto& items, std::size_t at) {
      const Vector3d turned =
          by * Vector3d(items[at].start, items[at + 1].start, items[at + 2].start);
      for (std::size_t k = 0; k < 3; ++k)
        items[at + k].start = turned[static_cast<Eigen::Index>(k)];
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
        const auto s = static_cast<std::size_t>(body.first_speed + k);
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
      const auto i = static_cast<std::size_t>(first);
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

// Section 6: a ball on four fixed balls has forces that are not unique; it rests all the same.
TEST(EdgeCases, ABallOnFourBallsRestsAlthoughItsForcesAreNotUnique) {
  const Ran run(read_model_text(R"yaml(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  "base{i}": {fixed: true, position: ["cos(pi/2*{i})", "sin(pi/2*{i})", 0], shape: {sphere: {radius: 0.7}}, repeat: {count: 4, as: i}}
  ball: {mass: 1, inertia: 0.1, position: [0, 0, sqrt(1.2^2 - 1)], shape: {sphere: {radius: 0.5}}}
contacts: {"c{i}": {between: [ball, "base{i}"], friction: 0.3, repeat: {count: 4, as: i}}}
run: {until: 0.5, theory: newton}
)yaml",
                                "four.yaml"));
  EXPECT_EQ(run.trace.status, RunStatus::done);
  for (const double speed : run.trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-9);
}

// Section 6: a start deeper than the tolerance names the pair and the depth.
TEST(EdgeCases, AStartThatPenetratesIsRefused) {
  try {
    const Ran run("three-balls/three-balls.yaml", {{"a.y_0", "1.9"}});
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("contact ab (a and b): penetrates by 0.1 m"),
              std::string::npos)
        << error.what();
  }
}

// Section 6: a contact that touches but separates is open; a graze has no impulse.
TEST(EdgeCases, BallsThatTouchAndSeparateAreOpen) {
  const Ran run("three-balls/three-balls.yaml",
                {{"distance", "0"}, {"c.vx_0", "1"}, {"run.until", "0.1"}});
  EXPECT_TRUE(run.trace.impacts.empty());
  EXPECT_EQ(run.trace.modes.at(0).statuses[static_cast<std::size_t>(run.contact("bc"))],
            ContactStatus::open);
}

// A cube dropped flat on its face without restitution: four corners land at once and stay.
TEST(Boxes, ACubeDroppedFlatLandsOnFourCorners) {
  const Ran run(read_model_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  cube: {mass: 1, inertia: 1/6, position: [0, 0, 1.5], velocity: [1, 0.5, 0], shape: {box: {width: 1, height: 1, depth: 1}}}
contacts: {c: {between: [cube, floor], friction: 0.3}}
run: {until: 2, theory: newton}
)",
                                "cube.yaml"));
  ASSERT_EQ(run.trace.impacts.size(), 1u);
  const double fall = std::sqrt(2 / 9.81);
  EXPECT_NEAR(run.trace.impacts[0].t, fall, 1e-12);
  EXPECT_EQ(run.trace.impacts[0].contacts.size(), 4u);
  for (const double speed : run.trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-9);
  EXPECT_NEAR(run.q("cube.z"), 0.5, 1e-12);
  for (const ContactStatus status : run.trace.modes.back().statuses)
    EXPECT_NE(status, ContactStatus::slip);
}

// With restitution the four corners stay together through all bounces: sqrt(2h/g) (1 + e)/(1 - e).
TEST(Boxes, ACubeDroppedFlatBouncesFlatToRest) {
  const Ran run(read_model_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  floor: {fixed: true, shape: {half-space: {normal: [0, 0, 1]}}}
  cube: {mass: 1, inertia: 0.04/6, position: [0, 0, 0.3], shape: {box: {width: 0.2, height: 0.2, depth: 0.2}}}
contacts: {c: {between: [cube, floor], friction: 0.4, restitution: 0.5}}
run: {until: 1, theory: newton}
)",
                                "cube.yaml"));
  EXPECT_GT(run.trace.impacts.size(), 15u);
  for (const TraceImpact& impact : run.trace.impacts) EXPECT_EQ(impact.contacts.size(), 4u);
  const auto zeno = std::find_if(run.trace.events.begin(), run.trace.events.end(),
                                 [](const TraceEvent& e) { return e.kind == EventKind::zeno; });
  ASSERT_NE(zeno, run.trace.events.end());
  EXPECT_NEAR(zeno->t, 3.0 * std::sqrt(0.4 / 9.81), 1e-9);
  EXPECT_NEAR(run.q("cube.z"), 0.1, 1e-12);
  for (const char* part : {"cube.qx", "cube.qy", "cube.qz"}) EXPECT_NEAR(run.q(part), 0.0, 1e-12);
}

// A heap of spheres between four walls comes to rest, everything sticking, and no energy appears.
TEST(Pile, EightSpheresComeToRest) {
  const Ran run("pile/spheres.yaml");
  EXPECT_EQ(run.trace.status, RunStatus::done);
  for (const double speed : run.trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-12);
  for (const ContactStatus status : run.trace.modes.back().statuses)
    EXPECT_NE(status, ContactStatus::slip);
  for (const TraceImpact& impact : run.trace.impacts)
    EXPECT_LE(impact.energy_after, impact.energy_before * (1.0 + 1e-9));
  const auto z = [&](int i) { return run.q("s" + std::to_string(i) + ".z"); };
  for (int i = 1; i <= 4; ++i) EXPECT_NEAR(z(i), 0.1, 1e-9);  // on the floor
  for (int i = 5; i <= 8; ++i) EXPECT_GT(z(i), 0.2);          // carried by the others
}

// On a slope steeper than friction a cube slides with g (sin - mu cos) without turning over.
TEST(Boxes, ACubeSlidesDownASlope) {
  const double angle = 0.5, mu = 0.2;
  const Ran run(read_model_text(fmt::format(R"(
clack: 1
dimension: 3
gravity: [{}, 0, {}]
bodies:
  floor: {{fixed: true, shape: {{half-space: {{normal: [0, 0, 1]}}}}}}
  cube: {{mass: 1, inertia: 1/6, position: [0, 0, 0.5], shape: {{box: {{width: 1, height: 1, depth: 1}}}}}}
contacts: {{c: {{between: [cube, floor], friction: {}}}}}
run: {{until: 0.5, theory: newton}}
)",
                                            9.81 * std::sin(angle), -9.81 * std::cos(angle), mu),
                                "slope.yaml"));
  EXPECT_EQ(run.trace.status, RunStatus::done) << run.trace.reason;
  EXPECT_NEAR(run.v("cube.vx"), 0.5 * 9.81 * (std::sin(angle) - mu * std::cos(angle)), 1e-9);
  EXPECT_NEAR(run.v("cube.wy"), 0.0, 1e-9);
}

// Two boxes balanced on crossed edges: central impact, v+ = -e v-; the edges are 1/4 m apart.
TEST(Boxes, CrossedEdgesHitEachOther) {
  const Ran run(read_model_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  lower: {fixed: true, orientation: [cos(pi/8), sin(pi/8), 0, 0], shape: {box: {width: 2, height: 2, depth: 2}}}
  upper: {mass: 1, inertia: 2/3, position: [0, 0, 2*sqrt(2) + 0.25], orientation: [cos(pi/8), 0, sin(pi/8), 0], shape: {box: {width: 2, height: 2, depth: 2}}}
contacts: {c: {between: [upper, lower], restitution: 0.5}}
run: {until: 0.3, theory: newton}
)",
                                "edges.yaml"));
  ASSERT_EQ(run.trace.contacts.size(), 160u);
  ASSERT_EQ(run.trace.impacts.size(), 1u);
  const double fall = std::sqrt(2 * 0.25 / 9.81);
  EXPECT_NEAR(run.trace.impacts[0].t, fall, 1e-12);
  EXPECT_NEAR(run.after(run.trace.impacts[0], "upper", "v").z(), 0.5 * 9.81 * fall, 1e-11);
  EXPECT_LT(run.after(run.trace.impacts[0], "upper", "w").norm(), 1e-12);
}

// A box laid on a larger one: four corners carry it; the corners of the lower one stay apart.
TEST(Boxes, ASmallBoxRestsOnALargerOne) {
  const Ran run(read_model_text(R"(
clack: 1
dimension: 3
gravity: [0, 0, -9.81]
bodies:
  lower: {fixed: true, shape: {box: {width: 4, height: 4, depth: 1}}}
  upper: {mass: 1, inertia: 1/6, position: [0.3, 0.2, 1], shape: {box: {width: 1, height: 1, depth: 1}}}
contacts: {c: {between: [upper, lower], friction: 0.5}}
run: {until: 0.5, theory: newton}
)",
                                "laid.yaml"));
  EXPECT_EQ(run.trace.status, RunStatus::done) << run.trace.reason;
  for (const double speed : run.trace.final_v) EXPECT_NEAR(speed, 0.0, 1e-12);
  int closed = 0;
  for (const ContactStatus status : run.trace.modes.back().statuses)
    closed += status != ContactStatus::open ? 1 : 0;
  EXPECT_EQ(closed, 4);
}

}  // namespace
}  // namespace clack
