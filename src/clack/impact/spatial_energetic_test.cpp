// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/spatial_energetic.hpp"

#include <gtest/gtest.h>

#include "clack/impact/body_impacts.hpp"
#include "clack/impact/conformance.hpp"
#include "clack/impact/outgoing_slip.hpp"

// Numbers are those of docs/theories/energetic.md, which nothing printed gives; tolerances are
// relative to the largest contact speed before.
namespace clack {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::add_point;
using testing::BlockPoints;
using testing::box;
using testing::material;
using testing::random_body;
using testing::RandomSystem;
using testing::spatial_block;
using testing::spatial_body;
using testing::sphere_in_corner;
using testing::symmetric_corner;

const ContactMaterial rough = material(0.5, 0.35, 0.6);

ImpactResult spatial_impact(const ImpactProblem& problem, SpatialEnergeticOptions options = {}) {
  return resolve_spatial_energetic(problem, options);
}

void expect_speeds(const ImpactProblem& problem, const VectorXd& velocity,
                   const std::vector<double>& after, double tolerance) {
  const double speed = std::max(problem.gap_rates(problem.velocity).lpNorm<Eigen::Infinity>(),
                                problem.slips(problem.velocity).lpNorm<Eigen::Infinity>());
  for (std::size_t i = 0; i < after.size(); ++i)
    EXPECT_NEAR(velocity[i], after[i], tolerance * speed) << i;
}

void expect_balance(const ImpactResult& result) {
  EXPECT_NEAR(result.energy_after - result.energy_before,
              result.normal_work + result.tangential_work, 1e-10 * result.energy_before);
  EXPECT_LE(result.energy_after, result.energy_before * (1 + 1e-12));
}

void expect_impact(const ImpactProblem& problem, const std::vector<double>& after, double tolerance,
                   SpatialEnergeticOptions options = {}) {
  const ImpactResult result = spatial_impact(problem, options);
  ASSERT_EQ(result.status, SolveStatus::solved);
  expect_speeds(problem, result.velocity, after, tolerance);
  expect_balance(result);
}

ImpactProblem one_sphere(const Vector3d& v, const Vector3d& w, const ContactMaterial& m) {
  ImpactProblem p = spatial_body(1.0, 0.1 * Eigen::Matrix3d::Identity(), v, w);
  add_point(p, Vector3d(0, 0, -0.5), Vector3d::UnitZ(), m, 0.4);
  return p;
}

TEST(SpatialEnergeticPoint, SphereSlipsOrSticksAsItsClosedFormSays) {
  expect_impact(one_sphere({2, -1, -3}, {1, -9, -2}, material(0.6, 0.1, 0.1)),
                {1.521413847, -0.9631856805, 1.8, 1.1840715973, -6.6070692348, -2}, 1e-9);
  expect_impact(one_sphere({2, -1, -3}, {1, 4, -2}, material(0.6, 0.4, 0.4)),
                {2, -0.8571428571, 1.8, 1.7142857143, 4, -2}, 1e-9);
}

TEST(SpatialEnergeticPoint, BoxOnACornerSlipsAndStartsFromRest) {
  expect_impact(
      box({0.3, 0.2, 0.1}, {0.5, 0.4, 0.2}, {1, 0.5, -2}, {1, -2, 0.5}, material(0.6, 0.3, 0.3)),
      {0.6631088023, 0.5143310139, -0.8484577998, -10.2571069083, -12.9519318969, 1.3615353973},
      1e-8);
  const ImpactProblem p =
      box({0.5, 0.1, 0.1}, {0.7, 0.5, 0.1}, {0, 0, -1}, {0, 0, 0}, material(0.5, 0.2, 0.2));
  expect_impact(
      p, {-0.1309576616, 0.0000816013, -0.3452115650, -0.6663081121, -4.6065319566, 0.6505440448},
      1e-8);
  // Its slip leaves at -0.0357017 degrees of the x axis; the printed (7.21) would say +2.7686.
  const VectorXd v = spatial_impact(p).velocity;
  const Vector3d at = *p.geometry[0].point;
  const Vector3d slip = v.head<3>() + Vector3d(v.tail<3>()).cross(at);
  const double line = std::atan(slip.y() / slip.x()) * 180 / M_PI;
  EXPECT_NEAR(line, -0.0357017, 1e-6);
}

/// The rod of the planar checks as a body in space that moves in the plane x z.
ImpactProblem spatial_rod(double angle, double slip, double gap_rate, const ContactMaterial& m) {
  ImpactProblem p = spatial_body(1.0, (Vector3d::Ones() / 12).asDiagonal().toDenseMatrix(),
                                 {slip, 0, gap_rate}, {0, 0, 0});
  add_point(p, Vector3d(-0.5 * std::cos(angle), 0, -0.5 * std::sin(angle)), Vector3d::UnitZ(), m,
            0.7);
  return p;
}

TEST(SpatialEnergeticPoint, RodInAPlaneDoesWhatThePlanarFormulasSay) {
  struct Case {
    double angle, slip, rate;
    ContactMaterial m;
    double slip_after, rate_after;
  };
  const Case cases[] = {
      {1.0, 1.5, -1, material(0.5, 0.1, 0.1), 0.2503308364, 0.5},
      {1.0, 0.3, -1, material(0.7, 0.3, 0.3), -0.3885047237, 0.6332603532},
      {1.2, 0.4, -1, material(0.5, 0.6, 0.6), 0, 0.4482056572},
      {1.0, -0.8, -1, material(0.6, 2.4, 2.4), 0, 0.7964823490},  // jam, then stick
      {0.9, 0, -1, material(0.3, 0.5, 0.9), 0, 0.3},              // stick from rest
  };
  for (const Case& k : cases) {
    const ImpactProblem p = spatial_rod(k.angle, k.slip, k.rate, k.m);
    const ImpactResult result = spatial_impact(p);
    const Vector2d slip = p.slips(result.velocity);
    EXPECT_NEAR(slip.norm(), std::abs(k.slip_after), 1e-9);
    EXPECT_NEAR(p.gap_rates(result.velocity)[0], k.rate_after, 1e-9);
    expect_balance(result);
  }
}

// A slip that passes beside its stop turns round on the way and leaves on the ray of the slip that stops:
// both continuations are one (a stop is one within 1e-10 of the speed).
TEST(SpatialEnergeticPoint, ANearMissOfTheStopIsTheStop) {
  for (const double aside : {1e-5, 1e-7, 1e-12}) {
    const ImpactProblem straight = spatial_rod(1.0, 0.3, -1, material(0.7, 0.3, 0.3));
    ImpactProblem p = straight;
    p.velocity[1] = aside;
    const ImpactResult result = spatial_impact(p);
    expect_balance(result);
    EXPECT_LE((result.velocity - spatial_impact(straight).velocity).lpNorm<Eigen::Infinity>(),
              20 * aside + 1e-10)
        << aside;
  }
}

TEST(SpatialEnergeticPoint, SlipLeavesOnTheOneRayNotOnThePrintedOne) {
  // Erratum (7.21): that direction, -53.130 degrees, would be the same for every friction.
  Eigen::Matrix2d B;
  B << 4, 1.5, 1.5, 1;
  const Vector2d b(1.2, 0.1);
  const auto weak = outgoing_slip(B, b, 0.3), strong = outgoing_slip(B, b, 0.5);
  ASSERT_TRUE(weak && strong);
  const double degree = M_PI / 180;
  EXPECT_NEAR(std::atan2(weak->direction.y(), weak->direction.x()) / degree, -26.7495, 1e-4);
  EXPECT_NEAR(weak->acceleration, 0.3706249, 1e-7);
  EXPECT_NEAR(std::atan2(strong->direction.y(), strong->direction.x()) / degree, -40.5742, 1e-4);
  EXPECT_NEAR(strong->acceleration, 0.2220945, 1e-7);
  EXPECT_FALSE(outgoing_slip(B, b, 1.001));
  EXPECT_TRUE(outgoing_slip(B, b, 0.999));
}

TEST(SpatialEnergeticBlock, ThreeCornersNeedThreeEvents) {
  const ImpactProblem p = spatial_block(BlockPoints::three, rough);
  const ImpactResult result = spatial_impact(p);
  ASSERT_EQ(result.events.size(), 3u);
  expect_speeds(
      p, result.events[0].velocity,
      {-0.0241051559, -0.1679657731, -0.1028994428, 8.4033855589, -2.0258598874, -0.2009864625},
      1e-7);
  expect_speeds(
      p, result.events[1].velocity,
      {-0.0593440283, -0.1573567254, 0.0302493869, 3.2247253194, -6.6078890585, -0.8807424334},
      1e-7);
  expect_speeds(
      p, result.velocity,
      {-0.0730016311, -0.1583520467, 0.0694649503, 4.8015465306, -4.6761164854, -0.4763379020},
      1e-7);
  EXPECT_EQ(result.events[1].contacts, std::vector<int>{2});
  EXPECT_EQ(result.events[2].contacts, std::vector<int>{0});
  EXPECT_NEAR(result.events[0].compression_work, -0.0467048140, 1e-8);
  EXPECT_NEAR(result.events[0].terminal_impulse, 0.23110989, 1e-7);
  const VectorXd rates = p.gap_rates(result.velocity);
  EXPECT_NEAR(rates[0], 0.0762820732, 1e-7);
  EXPECT_NEAR(rates[1], 0.5845759352, 1e-7);
  EXPECT_NEAR(rates[2], 0.0626478273, 1e-7);
  EXPECT_NEAR(result.energy_before, 0.2333773336, 1e-7);
  EXPECT_NEAR(result.events[0].energy_after, 0.1736744820, 1e-7);
  EXPECT_NEAR(result.events[1].energy_after, 0.1283764200, 1e-7);
  EXPECT_NEAR(result.energy_after, 0.1193516250, 1e-7);
  expect_balance(result);
}

TEST(SpatialEnergeticBlock, FourCornersStopTogetherAndStickThenTwoSlipFromRest) {
  const ImpactProblem p = spatial_block(BlockPoints::four, rough);
  const ImpactResult result = spatial_impact(p);
  ASSERT_EQ(result.events.size(), 2u);
  expect_speeds(p, result.events[0].velocity, {0, -0.1544987753, 0.1758575775, 4.7906597007, 0, 0},
                1e-7);
  EXPECT_NEAR(result.events[0].terminal_impulse, 0.329732958, 1e-7);
  EXPECT_EQ(result.events[1].contacts, (std::vector<int>{2, 3}));
  expect_speeds(p, result.velocity, {0, -0.1384108129, 0.2218231845, 3.3038784894, 0, 0}, 1e-7);
  EXPECT_NEAR(result.events[0].energy_after, 0.1066878801, 1e-7);
  EXPECT_NEAR(result.energy_after, 0.1036191791, 1e-7);
  EXPECT_FALSE(testing::has_flag(result.flags, "recompressed"));
}

// In the second event of the four corners C and D start from rest: they stick exactly where static
// friction reaches 0.7391390214.
TEST(SpatialEnergeticBlock, TwoCornersFromRestStickAboveTheCriticalFriction) {
  const auto slip_of = [](double fixed) {
    const ImpactProblem p = spatial_block(BlockPoints::four, material(0.5, 0.35, fixed));
    const ImpactResult result = spatial_impact(p);
    return p.slips(result.velocity).tail<4>().norm();
  };
  EXPECT_LE(slip_of(0.7391390215), 1e-10);
  EXPECT_GE(slip_of(0.7391390213), 1e-3);
}

TEST(SpatialEnergeticBlock, CentredFootStopsAndSlipsBackInTheSecondEvent) {
  const ImpactProblem p = spatial_block(BlockPoints::centred, rough);
  const ImpactResult result = spatial_impact(p);
  ASSERT_EQ(result.events.size(), 2u);
  expect_speeds(p, result.events[0].velocity, {0, -0.1977526095, -0.0299060565, 8.1220482891, 0, 0},
                1e-7);
  EXPECT_NEAR(result.events[0].terminal_impulse, 0.268174249, 1e-7);
  expect_speeds(p, result.velocity, {0, -0.1367935121, 0.2104313647, -0.2127911875, 0, 0}, 1e-7);
  EXPECT_NEAR(result.events[0].energy_after, 0.1597813660, 1e-7);
  EXPECT_NEAR(result.energy_after, 0.0788176336, 1e-7);
}

TEST(SpatialEnergeticCorner, SphereInACornerDependsOnTheHubByAFewPercent) {
  const ImpactProblem p = sphere_in_corner(rough);
  const ImpactResult result = spatial_impact(p);
  ASSERT_EQ(result.events.size(), 1u);
  expect_speeds(
      p, result.velocity,
      {-0.8699819152, 1.3970734945, 0.3600631247, -1.7692084428, -0.7531047272, -0.9832790440},
      1e-7);
  EXPECT_NEAR(result.events[0].compression_work, -8.7702905801, 1e-6);
  EXPECT_NEAR(result.energy_before, 14.198888, 1e-6);
  EXPECT_NEAR(result.energy_after, 1.6523693140, 1e-6);
  expect_impact(
      p, {-0.8701269930, 1.3823047314, 0.3608124699, -1.6463398987, -0.7423420935, -0.8343491913},
      1e-7, {.hub = "c2"});
  expect_impact(
      p, {-0.8753163940, 1.3920892185, 0.3570008615, -1.7791859949, -0.8408803406, -0.8334834482},
      1e-7, {.hub = "c3"});
}

TEST(SpatialEnergeticCorner, ThreePointsThatStopAtOnceLeaveTogetherOrLock) {
  const double after = 0.5 * 2 * std::sqrt((1 - std::sqrt(2) * 0.35) / (1 + std::sqrt(2) * 0.35));
  expect_impact(symmetric_corner(2.0, rough), {after, after, after, 0, 0, 0}, 1e-9);
  const ImpactResult locked = spatial_impact(symmetric_corner(2.0, material(0.5, 0.35, 0.8)));
  EXPECT_TRUE(testing::has_flag(locked.flags, "locked"));
  EXPECT_LE(locked.velocity.lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(SpatialEnergeticCorner, MirrorImageGivesTheMirroredAnswer) {
  const Eigen::Matrix3d mirror = Vector3d(-1, 1, 1).asDiagonal();
  const ImpactProblem p = sphere_in_corner(rough);
  ImpactProblem q = spatial_body(1.0, 0.1 * Eigen::Matrix3d::Identity(),
                                 mirror * p.velocity.head<3>(), Vector3d::Zero());
  for (int i = 0; i < 3; ++i)
    add_point(q, Vector3d(mirror * *p.geometry[i].point), Vector3d(mirror * *p.geometry[i].normal),
              rough, 0.2 * i);
  const VectorXd a = spatial_impact(p).velocity, b = spatial_impact(q).velocity;
  EXPECT_LE((mirror * a.head<3>() - b.head<3>()).norm(), 1e-10 * 4);
  EXPECT_LE((-mirror * a.tail<3>() - b.tail<3>()).norm(), 1e-10 * 4);
}

TEST(SpatialEnergeticEdges, NothingApproachesNothingHappens) {
  const ImpactProblem p = one_sphere({2, -1, 3}, {0, 0, 0}, rough);
  const ImpactResult result = spatial_impact(p);
  EXPECT_EQ(result.velocity, p.velocity);
  EXPECT_TRUE(result.events.empty());
}

TEST(SpatialEnergeticEdges, WithoutFrictionThePointsOfAPlaneShareEqually) {
  const ImpactResult result =
      spatial_impact(spatial_block(BlockPoints::four, material(0.5)), {.max_events = 1});
  EXPECT_LE((result.normal_impulse.array() - result.normal_impulse[0]).abs().maxCoeff(), 1e-14);
  EXPECT_TRUE(testing::has_flag(result.flags, "chain-cut"));
}

TEST(SpatialEnergeticEdges, OneFrictionlessPointOfAPlaneCarriesTheEvent) {
  ImpactProblem p = spatial_block(BlockPoints::three, rough);
  p.materials[2] = material(0.5);
  const ImpactResult result = spatial_impact(p, {.max_events = 1});
  EXPECT_EQ(result.normal_impulse[0], 0.0);
  EXPECT_GT(result.normal_impulse[2], 0.0);
  EXPECT_FALSE(result.notes.empty());
}

TEST(SpatialEnergeticEdges, SmallRestitutionMakesLongChainsThatEnd) {
  const auto events = [](double e) {
    return spatial_impact(spatial_block(BlockPoints::three, material(e, 0.35, 0.6))).events.size();
  };
  EXPECT_EQ(events(0.5), 3u);
  EXPECT_EQ(events(0.1), 27u);
  EXPECT_EQ(events(0.0), 43u);
}

TEST(SpatialEnergeticEdges, NegativeRestitutionCutsCompressionAndTheNextEventTakesOver) {
  const ImpactResult result = spatial_impact(spatial_block(BlockPoints::three, rough),
                                             {.restitution_sequence = {-0.8, 0.6}});
  ASSERT_GE(result.events.size(), 2u);
  const ImpactEvent& first = result.events[0];
  EXPECT_NEAR(first.normal_work, 0.36 * first.compression_work, 1e-12);
  EXPECT_EQ(result.events[1].restitution, 0.6);
  expect_balance(result);
}

TEST(SpatialEnergeticEdges, PullingClosureIsRefusedWithThePairAndTheRatio) {
  // Friction above 1 in a corner, sliding into the wall: the hub would have to pull the other.
  ImpactProblem p = sphere_in_corner(material(0.5, 1.8, 1.8));
  const ImpactResult result = spatial_impact(p);
  EXPECT_EQ(result.status, SolveStatus::not_converged);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].find("infeasible rigid-body constraint between contacts"),
            std::string::npos);
}

TEST(SpatialEnergeticRefusals, SeveralContactsNeedOneBodyAndKnownPlaces) {
  const SpatialEnergeticOptions none;
  ImpactProblem p = sphere_in_corner(rough);
  EXPECT_FALSE(spatial_energetic_refusal(p, none));
  EXPECT_TRUE(spatial_energetic_refusal(p, {.hub = "nobody"}));
  ImpactProblem q = p;
  q.geometry[1].point.reset();
  EXPECT_NE(spatial_energetic_refusal(q, none)->what.find("c2 has no point"), std::string::npos);
  q = p;
  q.geometry[1].body_a = "other";
  EXPECT_NE(spatial_energetic_refusal(q, none)->remedy.find("newton or lzb"), std::string::npos);
  q = p;
  q.geometry[1].point = p.geometry[0].point;
  EXPECT_NE(spatial_energetic_refusal(q, none)->what.find("duplicate contact point"),
            std::string::npos);
  q = p;
  q.materials[1].restitution = 0.4;
  EXPECT_TRUE(spatial_energetic_refusal(q, none));
  EXPECT_FALSE(spatial_energetic_refusal(q, {.restitution_sequence = {0.5}}));
}

TEST(SpatialEnergeticProperties, RandomImpactsEndWithTheirEnergyBalanced) {
  RandomSystem random(3);
  int infeasible = 0, given_up = 0, unfinished = 0, locked = 0, recompressed = 0, kept = 0;
  std::size_t longest = 0;
  for (int k = 0; k < 2000; ++k) {
    const double mu = random.uniform(0.0, 0.6);
    const ContactMaterial m = material(random.uniform(0.0, 1.0), mu, mu * 1.3);
    const ImpactProblem p = random_body(random, 3, 1 + k % 4, 0.5, &m);
    const ImpactResult result = spatial_impact(p);
    longest = std::max(longest, result.events.size());
    if (result.status == SolveStatus::not_converged) {
      bool is_infeasible = false;
      for (const std::string& note : result.notes)
        is_infeasible = is_infeasible || note.find("infeasible") != std::string::npos;
      ++(is_infeasible ? infeasible : given_up);
      continue;
    }
    expect_balance(result);
    locked += testing::has_flag(result.flags, "locked") ? 1 : 0;
    recompressed += testing::has_flag(result.flags, "recompressed") ? 1 : 0;
    kept += testing::has_flag(result.flags, "stick-kept") ? 1 : 0;
    if (result.status == SolveStatus::unfinished) {
      ++unfinished;
      continue;
    }
    const double speed = std::max(p.gap_rates(p.velocity).lpNorm<Eigen::Infinity>(),
                                  p.slips(p.velocity).lpNorm<Eigen::Infinity>());
    EXPECT_GE(p.gap_rates(result.velocity).minCoeff(), -1.01e-9 * speed) << k;
  }
  std::cout << "2000 spatial impacts: " << infeasible << " infeasible closures, " << given_up
            << " given up, " << unfinished << " unfinished, " << locked << " locked, "
            << recompressed << " recompressed, " << kept << " with stick kept, at most " << longest
            << " events\n";
  EXPECT_EQ(given_up, 0);
  EXPECT_LE(unfinished, 4);
  EXPECT_LE(infeasible, 400);
}

}  // namespace
}  // namespace clack
