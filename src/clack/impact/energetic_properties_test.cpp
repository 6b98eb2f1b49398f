// SPDX-License-Identifier: Apache-2.0
// Law energetic in the plane on random bodies, and against a march in small steps.
#include "clack/impact/energetic.hpp"

#include <Eigen/Geometry>

#include "clack/contact/delassus.hpp"
#include "clack/impact/conformance.hpp"
#include "clack/impact/planar_scene.hpp"

namespace clack {
namespace {

using testing::ball_in_corner;
using testing::has_flag;
using testing::PlanarScene;
using testing::random_planar_bodies;

TEST(EnergeticLaw, PassesTheConformanceTest) {
  testing::LawClaims claims;
  claims.has_bodies = true;
  claims.never_gains_energy = true;
  claims.ignores_order = false;  // errata P4 E3
  claims.unfinished = 6;         // wedges
  testing::check_impact_law(EnergeticLaw{}, claims);
}

// Every fallback, cut and unfinished chain is counted and printed; the cap counts events, so
// nothing hangs.
TEST(EnergeticLaw, TenThousandRandomImpactsKeepTheirBooks) {
  testing::RandomSystem random(4711);
  int unfinished = 0, dropped = 0, locked = 0, several = 0, failed = 0, longest = 0;
  long events = 0;
  for (int k = 0; k < 10'000; ++k) {
    const ImpactProblem p = random_planar_bodies(random, k % 2 == 0 ? 0.6 : 2.0);
    const ImpactResult r = EnergeticLaw{}.resolve(p);
    unfinished += r.status == SolveStatus::unfinished ? 1 : 0;
    failed += !has_answer(r.status) && r.status != SolveStatus::unfinished ? 1 : 0;
    dropped += has_flag(r.flags, "points-dropped") ? 1 : 0;
    several += has_flag(r.flags, "several-slip-states") ? 1 : 0;
    events += static_cast<long>(r.events.size());
    longest = std::max(longest, static_cast<int>(r.events.size()));
    const double energy = r.energy_before;
    ASSERT_NEAR(r.normal_work + r.tangential_work, r.energy_after - r.energy_before, 1e-10 * energy)
        << k;
    ASSERT_LE(r.energy_after, energy * (1 + 1e-12)) << k;
    ASSERT_FALSE(has_flag(r.flags, "energy-gain")) << k;
    ASSERT_GE(r.normal_impulse.minCoeff(), 0.0) << k;
    ASSERT_LE(r.certificate.cone, 1e-9 * r.normal_impulse.maxCoeff()) << k;
    const double speed = std::max(p.gap_rates(p.velocity).cwiseAbs().maxCoeff(),
                                  p.slips(p.velocity).cwiseAbs().maxCoeff());
    if (r.status == SolveStatus::solved) {
      ASSERT_GE(p.gap_rates(r.velocity).minCoeff(), -2e-10 * speed) << k;
    }
    locked += has_flag(r.flags, "locked") ? 1 : 0;
    for (const ImpactEvent& event : r.events)
      ASSERT_TRUE(has_flag(r.flags, "locked") ||
                  std::abs(event.normal_work - (1 - event.restitution * event.restitution) *
                                                   event.compression_work) <= 1e-10 * energy)
          << k;
  }
  std::printf(
      "10000 impacts: %ld events, longest chain %d, points dropped in %d, several slip "
      "states in %d, locked %d, unfinished %d, without answer %d\n",
      events, longest, dropped, several, locked, unfinished, failed);
  RecordProperty("unfinished", unfinished);
  RecordProperty("failed", failed);
  EXPECT_EQ(failed, 0);
  EXPECT_LE(unfinished, 60);  // wedges: approach speeds shrink by a few percent per event
}

/// The scene seen in another way, and how its speeds are those of the scene itself.
struct OtherView {
  const char* name;
  ImpactProblem problem;
  Eigen::MatrixXd back;  // speeds of the scene = back * speeds of the view
};

OtherView faster(const ImpactProblem& p) {
  OtherView view{"velocities times 3", p, Eigen::MatrixXd::Identity(p.speeds(), p.speeds()) / 3.0};
  view.problem.velocity *= 3.0;
  return view;
}

/// Grams, and millimetres for the lengths: x' = diag(1000, 1000, 1) x per body.
OtherView in_grams_and_millimetres(const ImpactProblem& p) {
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(p.speeds());
  for (int j = 0; j < p.speeds(); j += 3) unit[j] = unit[j + 1] = 1e3;
  OtherView view{"other units", p, unit.cwiseInverse().asDiagonal().toDenseMatrix()};
  ImpactProblem& q = view.problem;
  q.velocity = unit.asDiagonal() * p.velocity;
  q.normal_jacobian = 1e3 * p.normal_jacobian * view.back;
  q.tangent_jacobian = 1e3 * p.tangent_jacobian * view.back;
  q.mass_matrix = 1e9 * view.back * p.mass_matrix * view.back;
  for (ContactGeometry& g : q.geometry) *g.point *= 1e3;
  return view;
}

/// Mirror image at x = 0: x' and omega change their signs.
OtherView mirrored(const ImpactProblem& p) {
  Eigen::VectorXd sign = Eigen::VectorXd::Ones(p.speeds());
  for (int j = 0; j < p.speeds(); j += 3) sign[j] = sign[j + 2] = -1.0;
  OtherView view{"mirror image", p, sign.asDiagonal().toDenseMatrix()};
  ImpactProblem& q = view.problem;
  q.velocity = sign.asDiagonal() * p.velocity;
  q.normal_jacobian = p.normal_jacobian * sign.asDiagonal();
  q.tangent_jacobian = -p.tangent_jacobian * sign.asDiagonal();
  for (ContactGeometry& g : q.geometry) {
    g.point->x() *= -1.0;
    g.normal->x() *= -1.0;
    g.tangents = {Eigen::Vector3d(g.normal->y(), -g.normal->x(), 0)};
  }
  return view;
}

OtherView turned(const ImpactProblem& p, double angle) {
  const Eigen::Rotation2Dd turn(angle);
  Eigen::MatrixXd map = Eigen::MatrixXd::Identity(p.speeds(), p.speeds());
  for (int j = 0; j < p.speeds(); j += 3) map.block<2, 2>(j, j) = turn.toRotationMatrix();
  OtherView view{"turned scene", p, map.transpose()};
  ImpactProblem& q = view.problem;
  q.velocity = map * p.velocity;
  q.normal_jacobian = p.normal_jacobian * map.transpose();
  q.tangent_jacobian = p.tangent_jacobian * map.transpose();
  for (ContactGeometry& g : q.geometry)
    for (Eigen::Vector3d* x : {&*g.point, &*g.normal, &g.tangents[0]})
      x->head<2>() = turn * Eigen::Vector2d(x->head<2>());
  return view;
}

OtherView with_other_tangents(const ImpactProblem& p) {
  OtherView view{"other tangents", p, Eigen::MatrixXd::Identity(p.speeds(), p.speeds())};
  view.problem.tangent_jacobian *= -1.0;
  for (ContactGeometry& g : view.problem.geometry) g.tangents[0] *= -1.0;
  return view;
}

// To 1e-12 of the largest speed (measured: 5e-14). Left out: chains of more than eight events, where
// every event multiplies rounding.
TEST(EnergeticLaw, IsFreeOfUnitsSpeedFrameSideAndTangents) {
  testing::RandomSystem random(99);
  int compared = 0;
  double worst = 0.0;
  for (int k = 0; k < 1000; ++k) {
    const ImpactProblem p = random_planar_bodies(random, k % 2 == 0 ? 0.6 : 2.0);
    const double angle = random.uniform(0.0, 6.0);
    const ImpactResult r = EnergeticLaw{}.resolve(p);
    if (r.status != SolveStatus::solved || r.events.size() > 8) continue;
    ++compared;
    const double speed = p.velocity.cwiseAbs().maxCoeff();
    for (const OtherView& view : {faster(p), in_grams_and_millimetres(p), mirrored(p),
                                  turned(p, angle), with_other_tangents(p)}) {
      const Eigen::VectorXd v = view.back * EnergeticLaw{}.resolve(view.problem).velocity;
      const double miss = (v - r.velocity).cwiseAbs().maxCoeff() / speed;
      EXPECT_LE(miss, 1e-12) << k << " " << view.name;
      if (!(miss <= worst)) worst = miss;
    }
  }
  std::printf("%d planar impacts in five other views: worst difference %.2g of the speed\n",
              compared, worst);
  EXPECT_GT(compared, 700);
}

// With large friction several slip states can be admissible at one instant. Which one counts is a
// matter of the motion, not of the direction that somebody gave a tangent: bit by bit the same.
TEST(EnergeticLaw, SeveralSlipStatesAreDecidedAlikeInTheMirror) {
  testing::RandomSystem random(99);
  int several = 0;
  for (int k = 0; k < 10'000; ++k) {
    const ImpactProblem p = random_planar_bodies(random, k % 2 == 1 ? 0.6 : 2.0);
    (void)random.uniform(0.0, 6.0);
    const ImpactResult r = EnergeticLaw{}.resolve(p);
    if (!has_flag(r.flags, "several-slip-states")) continue;
    ++several;
    EXPECT_EQ(EnergeticLaw{}.resolve(with_other_tangents(p).problem).velocity, r.velocity) << k;
    const OtherView mirror = mirrored(p);
    EXPECT_EQ(mirror.back * EnergeticLaw{}.resolve(mirror.problem).velocity, r.velocity) << k;
  }
  EXPECT_GT(several, 50);
}

/// The ball in the corner in 40 000 equal increments of the floor's impulse, with the two-point
/// formulas of P4 (B.24, B.27; paper axes: the wall's tangent is y, its normal points into it).
Eigen::Vector3d march_in_small_steps(double e, const Eigen::Vector3d& start, double p_end) {
  constexpr double R = 0.5, mu = 0.35;
  const int steps = 40'000;
  Eigen::Vector3d v = start;  // x', y', omega; m = 1, I = R^2/2
  const double dp = p_end / steps;
  double work = 0.0, lowest = 0.0;
  int wall = 1;  // 1: slides, 0: sticks for good (mu_s = 0.6 holds it)
  for (int k = 0; k < 2 * steps; ++k) {
    const double t1 = v[0] + R * v[2], t2 = v[1] + R * v[2];
    if (wall == 1 && k > 0 && t2 >= 0.0) wall = 0;
    const double s1 = t1 > 0 ? 1.0 : -1.0;
    // Wall: normal impulse C dp pushes -x, tangent impulse x2 dp pushes +y.
    double C, x2;
    if (wall == 1) {
      const double s2 = -1.0;
      C = (1 - s1 * mu) / (1 - s2 * mu);
      x2 = -s2 * mu * C;
    } else {  // a31 = 2/m, a32 = 1/m, a33 = 3/m, a34 = 0
      C = (1.0 + 3.0 - s1 * mu * 5.0) / 3.0;
      x2 = (s1 * mu * 2.0 - 1.0) / 3.0;
    }
    const double x1 = -s1 * mu;
    const Eigen::Vector3d before = v;
    v += dp * Eigen::Vector3d(x1 - C, 1.0 + x2, (x1 + x2) * R / (0.5 * R * R));
    work += dp * 0.5 * ((before[1] + v[1]) - C * (before[0] + v[0]));
    lowest = std::min(lowest, work);
    if (work > lowest + 1e-9 && work >= (1 - e * e) * lowest) break;
  }
  return v;
}

TEST(EnergeticLaw, TheExactMarchIsTheLimitOfSmallSteps) {
  const ImpactResult r = EnergeticLaw{}.resolve(ball_in_corner(0.715));
  const Eigen::Vector3d v =
      march_in_small_steps(0.715, {8, -4.43, 0}, r.events[0].terminal_impulse);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(v[i], r.velocity[i], 2e-3) << i;
}

/// Blocks, pendulums and bodies on moving surfaces: what joints and surfaces do is in the books.
TEST(EnergeticLaw, JointsExternalImpulsesAndMovingSurfacesActFirst) {
  testing::RandomSystem random(12);
  for (int k = 0; k < 400; ++k) {
    ImpactProblem p = random_planar_bodies(random, 0.5);
    const int n = p.speeds();
    if (k % 2 == 0) {
      p.bilateral = random.matrix(1, n);
      p.bilateral_velocity = random.vector(1);
    }
    if (k % 3 == 0) p.external_impulse = random.vector(n);
    if (k % 3 == 1) {
      p.normal_surface_velocity = 0.1 * random.vector(p.contacts());
      p.tangent_surface_velocity = random.vector(p.contacts());
    }
    const ImpactResult r = EnergeticLaw{}.resolve(p);
    // Impulses that nearly balance each other exchange far more work than they change the energy by.
    const double scale = 1.0 + r.energy_before + r.energy_after +
                         r.normal_impulse.maxCoeff() * p.velocity.cwiseAbs().maxCoeff();
    EXPECT_NEAR(r.normal_work + r.tangential_work + r.joint_work, r.energy_after - r.energy_before,
                1e-10 * scale)
        << k;
    if (p.bilateral.rows() > 0) {
      EXPECT_NEAR((p.bilateral * r.velocity)[0], p.bilateral_velocity[0], 1e-10) << k;
    }
    // The same in two steps: the impulse and the joint alone, then the impact.
    ImpactProblem later = p;
    later.velocity = free_velocity(make_delassus(p, 0.0), p).state;
    later.velocity = make_delassus(p, 0.0).mass.matrixU().solve(later.velocity).eval();
    later.external_impulse.resize(0);
    const ImpactResult s = EnergeticLaw{}.resolve(later);
    if (r.status == SolveStatus::solved && r.events.size() < 10) {
      EXPECT_LE((s.velocity - r.velocity).cwiseAbs().maxCoeff(), 1e-9 * (1 + r.velocity.norm()))
          << k;
    }
  }
}

}  // namespace
}  // namespace clack
