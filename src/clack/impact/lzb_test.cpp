// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb.hpp"

#include <gtest/gtest.h>

#include "clack/impact/body_impacts.hpp"
#include "clack/impact/conformance.hpp"

// The numbers are those of located events in impact time (accuracy 1e-10); their tolerance is 1e-8 of
// the largest speed before. Second opinions: the published impulse march below and, for friction,
// the property tests against law energetic.
namespace clack {
namespace {

using Eigen::VectorXd;
using testing::add_point;
using testing::ball_in_corner;
using testing::chain;
using testing::material;
using testing::planar_block;

void expect_lzb_speeds(const ImpactProblem& problem, const LzbLaw& law, std::vector<double> after,
                       double tolerance = 1e-8) {
  const ImpactResult result = law.resolve(problem);
  ASSERT_EQ(result.status, SolveStatus::solved);
  const double speed = problem.velocity.lpNorm<Eigen::Infinity>();
  for (std::size_t i = 0; i < after.size(); ++i)
    EXPECT_NEAR(result.velocity[i], after[i], tolerance * speed) << i;
  const double change = result.energy_after - result.energy_before;
  EXPECT_NEAR(change, result.normal_work + result.tangential_work, 1e-11 * result.energy_before);
  EXPECT_LE(change, 1e-12 * result.energy_before);  // no gain beyond the integration
}

const LzbLaw hertz{}, linear{1.0}, bi{1.5, Unloading::bi};
const std::vector<double> three_balls(3, 1.0), five_balls(5, 1.0);

TEST(LzbChain, ElasticBallsPassTheImpactOnAndComeBackALittle) {
  expect_lzb_speeds(chain(three_balls, {material(1)}), hertz,
                    {-0.0709523537, 0.0764030391, 0.9945493146});
  expect_lzb_speeds(chain(three_balls, {material(1)}), linear,
                    {-0.1302616951, 0.1502295694, 0.9800321256});
  expect_lzb_speeds(chain(five_balls, {material(1)}), hertz,
                    {-0.0710850171, -0.0302737641, -0.0144636290, 0.1270449861, 0.9887774241});
  expect_lzb_speeds(chain(five_balls, {material(1)}), linear,
                    {-0.1322794847, -0.0753291698, -0.0310108290, 0.2962177501, 0.9424017334});
}

TEST(LzbChain, LossyBallsDependOnHowTheyUnload) {
  expect_lzb_speeds(chain(five_balls, {material(0.9)}), hertz,
                    {-0.0000402299, 0.0289636200, 0.0361810974, 0.1087630380, 0.8261324745});
  expect_lzb_speeds(chain(five_balls, {material(0.9)}), bi,
                    {-0.0086706294, 0.0237768716, 0.0330655614, 0.1242625704, 0.8275656260});
  expect_lzb_speeds(chain(three_balls, {material(1), material(0.5)}), hertz,
                    {-0.0709523537, 0.3066350426, 0.7643173111});
}

TEST(LzbChain, MeasuredCradleOfThreeSteelBalls) {
  const std::vector<double> steel(3, 0.166);
  expect_lzb_speeds(chain(steel, {material(0.85)}), hertz,
                    {0.0306941871, 0.1096608589, 0.8596449540});
  expect_lzb_speeds(chain(steel, {material(0.85)}), bi, {0.0217988596, 0.1180772868, 0.8601238535});
}

TEST(LzbChain, CradleOfTwoKindsOfBalls) {
  expect_lzb_speeds(chain({0.045, 0.053, 0.045, 0.053, 0.045},
                          {material(0.53), material(0.53), material(0.31), material(0.31)}),
                    hertz, {0.1522136785, 0.1661354388, 0.1750171680, 0.1827094669, 0.2619073756});
}

TEST(LzbChain, PlasticBallsGoOnTogether) {
  expect_lzb_speeds(chain(three_balls, {material(0)}), hertz, {1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect_lzb_speeds(chain(three_balls, {material(0)}), bi, {1.0 / 3, 1.0 / 3, 1.0 / 3});
}

TEST(LzbChain, TheRatioOfStiffnessesDecidesBetweenOneByOneAndAllAtOnce) {
  const auto ratio = [](double k) {
    return chain(three_balls, {material(1), material(1, 0, 0, k)});
  };
  expect_lzb_speeds(ratio(0.1), hertz, {-0.0061839640, 0.0062224449, 0.9999615191});
  expect_lzb_speeds(ratio(0.5), hertz, {-0.0327790458, 0.0338912041, 0.9988878418});
  expect_lzb_speeds(ratio(2), hertz, {-0.1558059491, 0.1856142988, 0.9701916503});
  expect_lzb_speeds(ratio(10), hertz, {-0.3257132553, 0.5758133691, 0.7498998862});
  expect_lzb_speeds(ratio(1e4), hertz, {-0.33333, 0.66523, 0.66810}, 1e-5);
  expect_lzb_speeds(ratio(1e-6), hertz, {0, 0, 1}, 1e-5);  // limit: one after the other
}

TEST(LzbBalls, OneBallHitsTwoTouchingOnesSymmetrically) {
  // Closed form: p = cos 30 (1+e)/2.5 each, for any e.
  for (const double e : {1.0, 0.5, 0.0}) {
    ImpactProblem p =
        testing::empty_problem(2, Eigen::MatrixXd::Identity(4, 4), VectorXd::Unit(4, 0));
    const double c = std::cos(M_PI / 6), s = 0.5;  // speeds: x of the first; along its normal: 2, 3
    Eigen::RowVectorXd up(4), down(4);
    up << -c, -s, 1, 0;
    down << -c, s, 0, 1;
    testing::add_rows(p, up, Eigen::RowVectorXd::Zero(4), material(e));
    testing::add_rows(p, down, Eigen::RowVectorXd::Zero(4), material(e));
    const double impulse = c * (1 + e) / 2.5;
    expect_lzb_speeds(p, hertz, {1 - 2 * c * impulse, 0, impulse, impulse});
    expect_lzb_speeds(p, bi, {1 - 2 * c * impulse, 0, impulse, impulse});
  }
}

TEST(LzbBalls, BallsTiedByARodAreOneBody) {
  for (const double e : {1.0, 0.6}) {
    ImpactProblem p = chain(three_balls, {material(e)});
    p.bilateral = Eigen::RowVector3d(0, -1, 1);
    expect_lzb_speeds(p, hertz, {(1 - 2 * e) / 3, (1 + e) / 3, (1 + e) / 3});
  }
}

TEST(LzbBlock, RockingBlockOnTwoCorners) {
  expect_lzb_speeds(planar_block(material(0.43), material(0.64)), hertz,
                    {0, 0.2943652141, 0.6687680885});
  expect_lzb_speeds(planar_block(material(0.43), material(0.64, 0, 0, 0.1)), hertz,
                    {0, 0.3324723271, 3.9349898794});
  expect_lzb_speeds(planar_block(material(0.43, 0.35, 0.6), material(0.64, 0.35, 0.6)), hertz,
                    {-0.0995447703, 0.2604451754, 1.3039025163});
  expect_lzb_speeds(planar_block(material(0.43, 0.35, 0.6), material(0.64, 0.35, 0.6)), bi,
                    {-0.1016053822, 0.2638002465, 1.3950115565});
}

TEST(LzbCorner, BallInACorner) {
  expect_lzb_speeds(ball_in_corner(material(0.715, 0.35, 0.6)), hertz,
                    {-4.3189750566, 2.3528081676, 0.8963423804});
  expect_lzb_speeds(ball_in_corner(material(0.715, 0.35, 0.6)), bi,
                    {-4.3119390655, 2.2420174254, 0.0257657316});
  expect_lzb_speeds(ball_in_corner(material(1)), hertz, {-8, 4.43, 0});
}

TEST(LzbSpace, SphereAndBlock) {
  expect_lzb_speeds(
      testing::sphere_in_corner(material(0.5, 0.35, 0.6)), hertz,
      {-0.9349102141, 0.7181380669, 1.0090921661, 0.4967778400, -0.2457882210, 0.5511569918});
  expect_lzb_speeds(
      testing::spatial_block(testing::BlockPoints::three, material(0.5, 0.35, 0.6)), hertz,
      {-0.0667413735, -0.0852839004, 0.0942981129, 2.5257791389, -2.3247984801, -0.0403528957});
  expect_lzb_speeds(testing::spatial_block(testing::BlockPoints::four, material(0.5, 0.35, 0.6)),
                    hertz, {0, 0.0243259839, 0.1460777218, -0.1421182326, 0, 0});
}

TEST(LzbSpace, ThreePointsThatStopAtOnceSlipOutwardTogether) {
  const double after = 0.5812187542;  // e v0 sqrt((1 - sqrt2 mu)/(1 + sqrt2 mu)), e = 0.5, v0 = 2
  expect_lzb_speeds(testing::symmetric_corner(2.0, material(0.5, 0.35, 0.6)), hertz,
                    {after, after, after, 0, 0, 0}, 1e-7);
}

TEST(LzbSpace, LockedCornerKeepsItsEnergy) {
  const ImpactResult result =
      hertz.resolve(testing::symmetric_corner(2.0, material(0.5, 0.35, 0.8)));
  EXPECT_EQ(result.status, SolveStatus::solved);
  EXPECT_LE(result.velocity.lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_TRUE(testing::has_flag(result.flags, "locked"));
}

TEST(LzbSpace, EightCornersOfABoxOnABox) {
  // The lower box rests on four corners, the upper one lands on it with four.
  ImpactProblem p =
      testing::empty_problem(3, Eigen::MatrixXd::Identity(12, 12), VectorXd::Zero(12));
  p.mass_matrix.diagonal().segment<3>(3).setConstant(0.1);
  p.mass_matrix.diagonal().segment<3>(9).setConstant(0.1);
  p.velocity[8] = -1.0;
  p.velocity[6] = 0.2;
  for (const double z : {0.0, 1.0})
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5}) {
        Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(3, 12);
        for (int a = 0; a < 3; ++a) {
          const Eigen::Vector3d d = Eigen::Vector3d::Unit(a);
          const Eigen::Vector3d below(x, y, z == 0.0 ? -0.5 : 0.5), above(x, y, -0.5);
          const double sign = z == 0.0 ? 1.0 : -1.0;
          rows.block<1, 3>(a, 0) = sign * d.transpose();
          rows.block<1, 3>(a, 3) = sign * below.cross(d).transpose();
          if (z == 0.0) continue;
          rows.block<1, 3>(a, 6) = d.transpose();
          rows.block<1, 3>(a, 9) = above.cross(d).transpose();
        }
        testing::add_rows(p, rows.row(2), rows.topRows(2), material(0.5, 0.3, 0.4));
      }
  const ImpactResult result = hertz.resolve(p);
  ASSERT_EQ(result.status, SolveStatus::solved);
  EXPECT_NEAR(result.energy_after - result.energy_before,
              result.normal_work + result.tangential_work, 1e-11);
  EXPECT_GE(p.gap_rates(result.velocity).minCoeff(), -1e-9);
  EXPECT_NEAR(result.velocity[3], 0.0, 1e-9);  // symmetric about the plane y = 0
  EXPECT_NEAR(result.velocity[1], 0.0, 1e-9);
}

TEST(LzbEdges, NothingApproachesNothingHappens) {
  ImpactProblem p = chain(three_balls, {material(0.5)});
  p.velocity << 0, 0, 1;
  const ImpactResult result = hertz.resolve(p);
  EXPECT_EQ(result.velocity, p.velocity);
  EXPECT_TRUE(result.events.empty());
}

TEST(LzbEdges, ChainThatFadesSlowlyIsUnfinishedWithWhatIsLeft) {
  // A plastic ball wedged between two walls that close on it at 2 degrees: hundreds of phases.
  ImpactProblem p = testing::planar_body(1.0, 0.1, {0.3, -1, 0});
  const double a = 0.02;
  add_point(p, Eigen::Vector2d(-std::cos(a), -std::sin(a)), {std::cos(a), std::sin(a)},
            material(0.2, 0, 0, 1));
  add_point(p, Eigen::Vector2d(std::cos(a), -std::sin(a)), {-std::cos(a), std::sin(a)},
            material(0.2, 0, 0, 100));
  const ImpactResult result = hertz.resolve(p);
  EXPECT_TRUE(result.status == SolveStatus::solved || result.status == SolveStatus::unfinished);
  EXPECT_LE(result.energy_after, result.energy_before);
  EXPECT_NEAR(result.energy_after - result.energy_before,
              result.normal_work + result.tangential_work, 1e-11);
}

TEST(LzbEdges, SlipStateDoesNotChangeByRoundingWhenTheForceVanishes) {
  // Sticks to the very end (rod at 1.2 rad, friction above the critical one): slip stays 0.
  const ImpactProblem p = testing::rod(1.2, 0.4, -1, material(0.5, 0.6, 0.6));
  const ImpactResult result = hertz.resolve(p);
  EXPECT_NEAR(p.slips(result.velocity)[0], 0.0, 1e-12);
  EXPECT_NEAR(p.gap_rates(result.velocity)[0], 0.4482056572, 1e-9);
}

TEST(LzbEvents, AnEventIsOneEngagementOfAContact) {
  const ImpactProblem p = chain(three_balls, {material(0.85)});
  const ImpactResult result = hertz.resolve(p);
  ASSERT_GE(result.events.size(), 2u);
  double work = 0.0, first = 0.0;
  for (const ImpactEvent& event : result.events) {
    ASSERT_EQ(event.contacts.size(), 1u);
    work += event.normal_work;
    if (event.contacts[0] == 0) first += event.terminal_impulse;
    EXPECT_LE(event.compression_work, 0.0);
    EXPECT_LE(event.normal_work, 0.0);
    EXPECT_NEAR(event.normal_work, (1 - 0.85 * 0.85) * event.compression_work, 1e-11);
  }
  EXPECT_NEAR(work, result.normal_work, 1e-12);
  EXPECT_NEAR(first, result.normal_impulse[0], 1e-12);
  EXPECT_NEAR((result.events.back().velocity - result.velocity).norm(), 0.0, 1e-12);
}

TEST(LzbEvents, HistoryFollowsTheImpactAndChangesNothing) {
  ImpactProblem p = ball_in_corner(material(0.715, 0.35, 0.6));
  const ImpactResult plain = hertz.resolve(p);
  p.options.record_history = true;
  const ImpactResult result = hertz.resolve(p);
  EXPECT_EQ(result.velocity, plain.velocity);
  const ImpactHistory& history = result.history;
  const auto column = [&](std::string_view name) {
    return std::find(history.columns.begin(), history.columns.end(), name) -
           history.columns.begin();
  };
  ASSERT_LT(column("stored_c2"), static_cast<long>(history.columns.size()));
  ASSERT_GE(history.rows.size(), 16u * 6);
  EXPECT_EQ(history.columns[1], "time");
  EXPECT_EQ(history.rows.front()[1], 0.0);
  EXPECT_EQ(history.rows.back()[1], 1.0);
  EXPECT_NEAR(history.rows.back()[column("kinetic")], result.energy_after, 1e-9);
  EXPECT_NEAR(history.rows.back()[column("work")], result.normal_work, 1e-9);
  EXPECT_NEAR(history.rows.back()[column("normal_impulse_c1")], result.normal_impulse[0], 1e-9);
  for (const auto& row : history.rows) ASSERT_EQ(row.size(), history.columns.size());
}

}  // namespace
}  // namespace clack
