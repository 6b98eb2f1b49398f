// SPDX-License-Identifier: Apache-2.0
// Law energetic in the plane: the numbers of docs/theories/energetic.md (source: re-derived from P4
// and computed by an independent program; tolerances relative to the largest speed of the case).
#include "clack/impact/energetic.hpp"

#include "clack/error.hpp"
#include "clack/impact/conformance.hpp"
#include "clack/impact/planar_scene.hpp"

namespace clack {
namespace {

using testing::ball_in_corner;
using testing::balls_on_strings;
using testing::has_flag;
using testing::PlanarScene;
using testing::rocking_block;

EnergeticOptions with_sequence(std::vector<double> sequence) {
  EnergeticOptions options;
  options.restitution_sequence = std::move(sequence);
  return options;
}

void expect_speeds(const Eigen::VectorXd& v, const std::vector<double>& expected,
                   double tolerance) {
  ASSERT_EQ(v.size(), static_cast<Eigen::Index>(expected.size()));
  for (Eigen::Index i = 0; i < v.size(); ++i) EXPECT_NEAR(v[i], expected[i], tolerance) << i;
}

/// KE+ - KE- is the work, no event gives work, and the works are (1 - e^2) W_c.
void expect_audit(const ImpactProblem& p, const ImpactResult& r) {
  double energy = r.energy_before;
  for (const ImpactEvent& event : r.events) {
    EXPECT_NEAR(event.energy_after - energy, event.normal_work + event.tangential_work,
                1e-10 * r.energy_before);
    EXPECT_NEAR(event.normal_work,
                (1 - event.restitution * event.restitution) * event.compression_work,
                1e-10 * r.energy_before);
    EXPECT_LE(event.compression_work, 0.0);
    EXPECT_LE(event.tangential_work, 1e-12 * r.energy_before);
    energy = event.energy_after;
  }
  EXPECT_NEAR(r.normal_work + r.tangential_work, r.energy_after - r.energy_before,
              1e-10 * r.energy_before);
  EXPECT_GE(p.gap_rates(r.velocity).minCoeff(), -1e-9 * p.velocity.cwiseAbs().maxCoeff());
}

TEST(EnergeticLaw, BallInTheCornerSlidesThenSticksAtTheWallAndReversesOnTheFloor) {
  ImpactProblem p = ball_in_corner(0.715);
  p.options.record_history = true;
  const ImpactResult r = EnergeticLaw{}.resolve(p);
  ASSERT_EQ(r.events.size(), 1u);
  expect_speeds(r.velocity, {-2.52988565929, 4.07018113980, -8.14036227961}, 8e-9);
  const ImpactEvent& event = r.events[0];
  EXPECT_NEAR(event.compression_work, -22.6430840541, 1e-8);
  EXPECT_NEAR(event.normal_work, -11.0673734086, 1e-8);
  EXPECT_NEAR(event.terminal_impulse, 9.51503339955, 1e-8);
  EXPECT_NEAR(r.energy_before, 41.81245, 1e-9);
  EXPECT_NEAR(r.energy_after, 15.6249416076, 1e-8);
  expect_audit(p, r);
  // Segments: slip states (+,-), (+,0), (-,0) of floor and wall, in the axes of the problem: the
  // wall's tangent is (0, 1) turned, see conventions.
  const auto column = [&](const std::string& name) {
    const auto& all = r.history.columns;
    return std::find(all.begin(), all.end(), name) - all.begin();
  };
  ASSERT_EQ(r.history.rows.size(), 3u * 16u);
  const auto at = [&](int row, const std::string& name) {
    return r.history.rows[row][column(name)];
  };
  EXPECT_NEAR(at(16, "impulse"), 5.499310344828, 1e-10);  // p_s2
  EXPECT_NEAR(at(32, "impulse"), 6.215, 1e-10);           // p_s1
  EXPECT_NEAR(at(15, "normal_impulse_wall") / at(15, "normal_impulse_floor"), 0.481481481481,
              1e-10);
  const auto slope = [&](int row, const std::string& name) {
    return (at(row + 15, name) - at(row, name)) / (at(row + 15, "impulse") - at(row, "impulse"));
  };
  EXPECT_NEAR(slope(16, "normal_impulse_wall"), 0.75, 1e-10);
  EXPECT_NEAR(std::abs(slope(16, "tangent_impulse_wall")), 0.1, 1e-10);
  EXPECT_NEAR(slope(32, "normal_impulse_wall"), 1.916666666667, 1e-10);
  EXPECT_NEAR(std::abs(slope(32, "tangent_impulse_wall")), 0.566666666667, 1e-10);
  EXPECT_EQ(at(8, "status_wall"), 2.0);
  EXPECT_EQ(at(20, "status_wall"), 1.0);
  EXPECT_EQ(at(40, "status_wall"), 1.0);
  EXPECT_EQ(at(20, "status_floor"), 2.0);
  EXPECT_GT(at(20, "slip_floor"), 0.0);
  EXPECT_LT(at(40, "slip_floor"), 0.0);
  // End of compression at p_c: dW/dp = v_n1 + C v_n2 vanishes in the last segment; a row stands there.
  const double p_c = 6.91932902183;
  int lowest = 0;
  for (int row = 0; row < 48; ++row) lowest = at(row, "work") < at(lowest, "work") ? row : lowest;
  EXPECT_NEAR(at(lowest, "work"), event.compression_work, 1e-12);
  EXPECT_NEAR(at(lowest, "impulse"), p_c, 1e-9);
  const double f = (p_c - at(32, "impulse")) / (at(47, "impulse") - at(32, "impulse"));
  const auto between = [&](const std::string& name) {
    return at(32, name) + f * (at(47, name) - at(32, name));
  };
  EXPECT_NEAR(between("gap_rate_floor") + 1.916666666667 * between("gap_rate_wall"), 0.0, 1e-9);
}

TEST(EnergeticLaw, WorksOfTheBallPointByPoint) {  // n1, n2, t1, t2
  ImpactProblem p = ball_in_corner(0.715);
  p.options.record_history = true;
  const ImpactResult r = EnergeticLaw{}.resolve(p);
  std::vector<double> works(4, 0.0);
  for (std::size_t k = 1; k < r.history.rows.size(); ++k) {
    const auto &a = r.history.rows[k - 1], &b = r.history.rows[k];
    // columns: event impulse work kinetic, then per contact N, T, gap rate, slip, status
    for (int c = 0; c < 2; ++c)
      for (int q = 0; q < 2; ++q) {
        const int impulse = 4 + 5 * c + q, speed = 4 + 5 * c + 2 + q;
        works[2 * q + c] += (b[impulse] - a[impulse]) * 0.5 * (a[speed] + b[speed]);
      }
  }
  EXPECT_NEAR(works[0], 6.03869639, 1e-7);
  EXPECT_NEAR(works[1], -17.1060698, 1e-6);
  EXPECT_NEAR(works[2], -13.0674156, 1e-6);
  EXPECT_NEAR(works[3], -2.05271943, 1e-7);
  EXPECT_NEAR(r.history.rows.back()[3], r.energy_after, 1e-10) << "kinetic";
}

// The printed x' lies on the last segment at the printed y' (P4 table 6.1; its end does not, E2).
TEST(EnergeticLaw, ThePrintedBallLiesOnTheLastSegment) {
  double slope = 0.0, x = 0.0;
  const ImpactResult a = EnergeticLaw{}.resolve(ball_in_corner(0.715));
  const ImpactResult b = EnergeticLaw{}.resolve(ball_in_corner(0.5));
  slope = (a.velocity[0] - b.velocity[0]) / (a.velocity[1] - b.velocity[1]);
  x = a.velocity[0] + slope * (4.893 - a.velocity[1]);
  EXPECT_NEAR(x, -5.504, 2e-3);
}

TEST(EnergeticLaw, FrictionlessBlockRocksInThreeEvents) {
  const ImpactProblem p = rocking_block(0.0, 0.0, 0.0);
  const ImpactResult r = EnergeticLaw(with_sequence({-0.803, 0.654})).resolve(p);
  ASSERT_EQ(r.events.size(), 3u);
  const double scale = p.velocity.cwiseAbs().maxCoeff();
  const auto rates = [&](int k) { return p.gap_rates(r.events[k].velocity); };
  EXPECT_NEAR(rates(0)[0], 0.0985, 1e-10 * scale);
  EXPECT_NEAR(rates(0)[1], -0.9015, 1e-10 * scale);
  EXPECT_NEAR(rates(1)[0], -0.46609223199, 1e-9);
  EXPECT_NEAR(rates(1)[1], 0.589581, 1e-9);
  EXPECT_NEAR(rates(2)[0], 0.304824319721, 1e-9);
  EXPECT_NEAR(rates(2)[1], 0.297676337136, 1e-9);
  EXPECT_EQ(r.events[0].contacts, (std::vector<int>{0, 1}));
  EXPECT_EQ(r.events[1].contacts, std::vector<int>{1});
  EXPECT_EQ(r.events[2].contacts, std::vector<int>{0});
  expect_audit(p, r);
}

TEST(EnergeticLaw, EnergiesOfTheBlockEventByEvent) {
  const ImpactProblem p = rocking_block(0.0, 0.0, 0.0);
  const ImpactResult r = EnergeticLaw(with_sequence({-0.8, 2.0 / 3.0})).resolve(p);
  ASSERT_EQ(r.events.size(), 3u);
  EXPECT_NEAR(r.energy_before, 0.453343, 1e-6);
  EXPECT_NEAR(r.events[0].energy_after, 0.340843, 1e-6);
  EXPECT_NEAR(r.events[1].energy_after, 0.166088, 1e-6);
  EXPECT_NEAR(r.events[2].energy_after, 0.118840, 1e-6);
}

TEST(EnergeticLaw, BlockWithFrictionForBothDirectionsOfSlip) {
  struct Case {
    double slip;
    std::vector<std::array<double, 2>> rates;
  };
  const double b = 0.1087, h = 0.0645;
  for (const Case& c : {Case{-h / (2 * b),
                             {{0.0315432206962, -0.914543220696},
                              {-0.458511620519, 0.542393717537},
                              {0.262787793376, 0.260749402396}}},
                        Case{0.1,
                             {{0.0854567793038, -0.968456779304},
                              {-0.356904763348, 0.641118387899},
                              {0.236270953337, 0.370357749902}}}}) {
    // v_t = x' + omega h/2 with omega = -1/b
    const ImpactProblem p = rocking_block(0.35, 0.6, c.slip + h / (2 * b));
    const ImpactResult r = EnergeticLaw(with_sequence({-0.883, 0.662})).resolve(p);
    ASSERT_EQ(r.events.size(), 3u);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 2; ++i)
        EXPECT_NEAR(p.gap_rates(r.events[k].velocity)[i], c.rates[k][i], 1e-9) << k << i;
    expect_audit(p, r);
  }
}

TEST(EnergeticLaw, ThreeBallCradles) {
  const ImpactProblem p = balls_on_strings({1, 1, 1}, 1.304, 1.0);
  const ImpactResult r = EnergeticLaw{}.resolve(p);
  expect_speeds(r.velocity, {0, 0, 1.304}, 1e-12);
  EXPECT_NEAR(r.events[0].terminal_impulse, 1.318488888889, 1e-10);
  EXPECT_NEAR(0.5 * r.events[0].terminal_impulse, 0.659244444444, 1e-10);
  struct Case {
    std::vector<double> e, v;
    double sum;
  };
  for (const Case& c : {Case{{0.85}, {0.005625, 0.069375, 0.925}, 0.142838},
                        Case{{0.711}, {0.02088025, 0.12361975, 0.8555}, 0.124101},
                        Case{{0.715, 0.488}, {0.03648, 0.10602, 0.8575}, 0.124148}}) {
    const ImpactProblem q = balls_on_strings({0.166, 0.166, 0.166}, 1.0, 0.0);
    const ImpactResult s = EnergeticLaw(with_sequence(c.e)).resolve(q);
    expect_speeds(s.velocity, c.v, 1e-12);
    EXPECT_NEAR(0.166 * s.velocity.squaredNorm(), c.sum, 1e-6);
    ASSERT_EQ(s.events.size(), 2u);
    EXPECT_EQ(s.events[0].contacts, (std::vector<int>{0, 1}));
    EXPECT_EQ(s.events[1].contacts, std::vector<int>{0});
    expect_audit(q, s);
  }
}

TEST(EnergeticLaw, FiveBallCradles) {
  const std::vector<double> equal(5, 1.0);
  expect_speeds(EnergeticLaw{}.resolve(balls_on_strings(equal, 1.0, 1.0)).velocity, {0, 0, 0, 0, 1},
                1e-12);
  const ImpactProblem p = balls_on_strings(equal, 1.304, 0.8);
  const ImpactResult r = EnergeticLaw{}.resolve(p);
  expect_speeds(r.velocity, {0.0001304, 0.0011736, 0.011736, 0.11736, 1.1736}, 1.3e-12);
  ASSERT_EQ(r.events.size(), 4u);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(r.events[k].contacts.size(), 4u - k);
  EXPECT_NEAR(r.energy_before, 0.859655, 1e-6);
  EXPECT_NEAR(r.energy_after, 0.703354, 1e-6);
  expect_audit(p, r);
  const ImpactProblem q = balls_on_strings({0.045, 0.053, 0.045, 0.053, 0.045}, 1.0, 0.4);
  expect_speeds(EnergeticLaw{}.resolve(q).velocity,
                {0.00530816, 0.01405102, 0.051, 0.19285714, 0.7}, 1e-8);
}

// Equal impulses along the chain, inner balls at rest: v_z = (1+e) m_a v/(m_a+m_z).
TEST(EnergeticLaw, ChainsOfUnequalBallsFollowTheClosedForm) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const std::vector<double> m = {0.7, 1.9, 0.2, 1.1};
    const ImpactProblem p = balls_on_strings(m, 2.0, e);
    const ImpactResult r = EnergeticLaw{}.resolve(p);
    const double last = (1 + e) * m[0] * 2.0 / (m[0] + m[3]);
    EXPECT_NEAR(r.events[0].velocity[3], last, 1e-12);
    EXPECT_NEAR(r.events[0].velocity[0], 2.0 - m[3] / m[0] * last, 1e-12);
  }
}

TEST(EnergeticLaw, NumberingDecidesWhatTakingMagnitudesMeans) {  // errata P4 E3
  const ImpactResult first = EnergeticLaw{}.resolve(ball_in_corner(0.715));
  ImpactProblem turned = ball_in_corner(0.715);
  turned.normal_jacobian = turned.normal_jacobian.colwise().reverse().eval();
  turned.tangent_jacobian = turned.tangent_jacobian.colwise().reverse().eval();
  std::swap(turned.geometry[0], turned.geometry[1]);
  std::swap(turned.names[0], turned.names[1]);
  const ImpactResult second = EnergeticLaw{}.resolve(turned);
  expect_speeds(first.velocity, {-2.530, 4.070, -8.140}, 5e-4);
  expect_speeds(second.velocity, {-0.845, 5.169, 1.689}, 5e-4);
  // Without friction the impulses are equal: an elastic ball leaves turned by a right angle.
  expect_speeds(EnergeticLaw{}.resolve(ball_in_corner(1.0, {8, -4.43, 0}, 0, 0)).velocity,
                {-4.43, 8, 0}, 1e-12);
}

TEST(EnergeticLaw, SignedClosureReportsTension) {
  EnergeticOptions options;
  options.closure = ClosureRule::as_signed;
  const ImpactResult r = EnergeticLaw(options).resolve(ball_in_corner(0.715));
  EXPECT_TRUE(has_flag(r.flags, "tension"));
  EXPECT_TRUE(has_flag(r.flags, "points-dropped"));
  ASSERT_FALSE(r.notes.empty());
  EXPECT_NE(r.notes[0].find("wall"), std::string::npos) << r.notes[0];
  for (const double p : r.normal_impulse) EXPECT_GE(p, 0.0);
}

TEST(EnergeticLaw, GivenRowsReplaceTheBodies) {
  EnergeticOptions options;
  options.closure_rows = {{0, 1, 0, -1}};  // equal normal impulses
  ImpactProblem p = ball_in_corner(0.5, {8, -4.43, 0}, 0, 0);
  const ImpactResult by_bodies = EnergeticLaw{}.resolve(p);
  p.geometry.clear();
  const ImpactResult r = EnergeticLaw(options).resolve(p);
  expect_speeds(r.velocity, {by_bodies.velocity[0], by_bodies.velocity[1], 0}, 1e-13);
  options.closure_rows = {{0, 1, 0}};
  EXPECT_THROW((void)EnergeticLaw(options).resolve(p), InputError);
}

// mu_1 > 1 asks the wall to pull; friction at one point only leaves the block's row without answer.
TEST(EnergeticLaw, PointsThatCannotTakePartAreLeftOutAndNamed) {
  const ImpactResult pulled = EnergeticLaw{}.resolve(ball_in_corner(0.5, {8, -4.43, 0}, 1.2, 1.2));
  EXPECT_TRUE(has_flag(pulled.flags, "points-dropped"));
  expect_audit(ball_in_corner(0.5, {8, -4.43, 0}, 1.2, 1.2), pulled);
  for (const int rough : {0, 1}) {
    ImpactProblem p = rocking_block(0.35, 0.6, 0.0);
    p.velocity[1] = -0.8;  // both corners approach
    p.materials[1 - rough].dynamic_friction = p.materials[1 - rough].static_friction = 0.0;
    const ImpactResult r = EnergeticLaw{}.resolve(p);
    EXPECT_EQ(r.status, SolveStatus::solved);
    EXPECT_TRUE(has_flag(r.flags, "points-dropped")) << rough;
    expect_audit(p, r);
  }
}

TEST(EnergeticLaw, WithoutApproachNothingHappens) {
  const ImpactProblem p = ball_in_corner(0.5, {-1, 1, 3});
  const ImpactResult r = EnergeticLaw{}.resolve(p);
  EXPECT_EQ(r.velocity, p.velocity);
  EXPECT_TRUE(r.events.empty());
  EXPECT_EQ(r.status, SolveStatus::solved);
}

TEST(EnergeticLaw, SequencesShorterAndLongerThanTheChain) {
  const ImpactProblem p = balls_on_strings({1, 1, 1}, 1.0, 0.0);
  const auto last = [&](std::vector<double> e) {
    return EnergeticLaw(with_sequence(std::move(e))).resolve(p).velocity;
  };
  EXPECT_EQ(last({0.7}), last({0.7, 0.7, 0.7, 0.1}));
  EXPECT_NE(last({0.7}), last({0.7, 0.1}));
}

TEST(EnergeticLaw, ACutChainSaysSoAndAnEndlessOneIsUnfinished) {
  EnergeticOptions options;
  options.max_events = 2;
  const ImpactResult cut =
      EnergeticLaw(options).resolve(balls_on_strings({1, 1, 1, 1, 1}, 1.0, 0.8));
  EXPECT_EQ(cut.status, SolveStatus::solved);
  EXPECT_EQ(cut.events.size(), 2u);
  EXPECT_TRUE(has_flag(cut.flags, "chain-cut"));
  const ImpactResult endless =  // e = -1 gives no impulse at all
      EnergeticLaw(with_sequence({-1.0})).resolve(balls_on_strings({1, 1, 1}, 1.0, 0.0));
  EXPECT_EQ(endless.status, SolveStatus::unfinished);
  EXPECT_EQ(endless.events.size(), 2000u);
  EXPECT_NEAR(endless.velocity[0], 1.0, 1e-15);
}

TEST(EnergeticLaw, ABodyPressedFromTwoSidesHasNoEndOfCompression) {
  ImpactProblem p = ball_in_corner(0.5, {0, 0, 0}, 0, 0);
  // Walls on both sides that close in.
  PlanarScene scene;
  scene.bodies = {{{0, 0}, 1.0, 0.1, {0, 0, 0}}};
  p = scene.start();
  scene.add_contact(p, "left", PlanarScene::ground, 0, {-1, 0}, {1, 0});
  scene.add_contact(p, "right", PlanarScene::ground, 0, {1, 0}, {-1, 0});
  p.normal_surface_velocity = Eigen::Vector2d(1, 1);
  const ImpactResult r = EnergeticLaw{}.resolve(p);
  EXPECT_EQ(r.status, SolveStatus::none_exists);
  ASSERT_FALSE(r.notes.empty());
  EXPECT_NE(r.notes[0].find("compression does not end"), std::string::npos) << r.notes[0];
}

TEST(EnergeticLaw, WhatItCannotTreatIsRefusedByName) {
  const auto complaint = [](const ImpactProblem& p, const EnergeticOptions& options = {}) {
    const auto refused = EnergeticLaw(options).refusal(p);
    return refused ? refused->what : std::string();
  };
  const ImpactProblem good = ball_in_corner(0.5);
  EXPECT_EQ(complaint(good), "");
  ImpactProblem p = good;
  p.materials[1].restitution = 0.4;
  EXPECT_NE(complaint(p).find("floor and wall have restitutions 0.5 and 0.4"), std::string::npos);
  EXPECT_EQ(complaint(p, with_sequence({0.5})), "");
  p = good;
  p.geometry[1].point.reset();
  EXPECT_NE(complaint(p).find("contact wall has no point"), std::string::npos);
  p = good;
  p.geometry[1].point = p.geometry[0].point;
  EXPECT_NE(complaint(p).find("duplicate contact point"), std::string::npos);
  p = good;
  p.geometry.clear();
  EXPECT_NE(complaint(p).find("contact floor has no bodies"), std::string::npos);
  EnergeticOptions one_by_one = with_sequence({0.5});
  one_by_one.simultaneous = false;
  EXPECT_THROW(EnergeticLaw{one_by_one}, InputError);
}

}  // namespace
}  // namespace clack
