// SPDX-License-Identifier: Apache-2.0
// Laws that must agree where they are the same law: one contact.
#include <gtest/gtest.h>

#include "clack/impact/body_impacts.hpp"
#include "clack/impact/energetic.hpp"
#include "clack/impact/lzb.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::add_point;
using testing::material;
using testing::random_body;
using testing::RandomSystem;

// Springs of one contact follow the path of the impulse whatever their exponent and unloading: to the
// 1e-9 of the accuracy of both.
void expect_lzb_is_energetic(int dimension, unsigned seed) {
  RandomSystem random(seed);
  const EnergeticLaw energetic;
  const LzbLaw mono, bi{1.5, Unloading::bi};
  double worst = 0.0;
  for (int k = 0; k < 1000; ++k) {
    const ImpactProblem p = random_body(random, dimension, 1, k % 4 == 0 ? 2.0 : 0.6);
    const VectorXd exact = energetic.resolve(p).velocity;
    const double speed = p.velocity.lpNorm<Eigen::Infinity>();
    for (const LzbLaw* law : {&mono, &bi}) {
      const double miss = (law->resolve(p).velocity - exact).lpNorm<Eigen::Infinity>() / speed;
      EXPECT_LE(miss, 1e-9) << k;
      if (!(miss <= worst)) worst = miss;
    }
  }
  std::cout << dimension
            << "D: 1000 impacts of one contact, lzb against energetic: worst difference " << worst
            << " of the speed\n";
}
TEST(TwoLaws, OneContactInThePlaneIsTheSameForLzbAndEnergetic) { expect_lzb_is_energetic(2, 10); }
TEST(TwoLaws, OneContactInSpaceIsTheSameForLzbAndEnergetic) { expect_lzb_is_energetic(3, 11); }

// A body in space that moves in the plane z = 0 and is hit in it; its tangents point anywhere.
TEST(TwoLaws, OnePointInSpaceIsThePlanarLawWhenTheMotionIsPlanar) {
  RandomSystem random(12);
  EnergeticOptions options;
  options.max_events = 1;
  const EnergeticLaw once(options);
  double worst = 0.0;
  for (int k = 0; k < 1000; ++k) {
    const double mass = random.uniform(0.5, 3.0), inertia = random.uniform(0.1, 1.0);
    const double mu = random.uniform(0.0, k % 4 == 0 ? 2.0 : 0.6);
    const ContactMaterial m =
        material(random.uniform(-0.9, 1.0), mu, mu * random.uniform(1.0, 1.5));
    const double a = random.uniform(0.0, 6.28), b = a + random.uniform(-0.8, 0.8);
    const Vector3d speeds = 2.0 * random.vector(3);
    ImpactProblem flat = testing::planar_body(mass, inertia, speeds);
    add_point(flat, Vector2d(-std::cos(a), -std::sin(a)), {std::cos(b), std::sin(b)}, m);
    if (flat.gap_rates(flat.velocity)[0] > 0.0) flat.velocity *= -1.0;
    ImpactProblem space = testing::spatial_body(
        mass, Vector3d(random.uniform(0.1, 1.0), random.uniform(0.1, 1.0), inertia).asDiagonal(),
        {flat.velocity[0], flat.velocity[1], 0}, {0, 0, flat.velocity[2]});
    add_point(space, Vector3d(-std::cos(a), -std::sin(a), 0), Vector3d(std::cos(b), std::sin(b), 0),
              m, random.uniform(0.0, 6.28));
    // The first event alone: e < 0 cuts it short, and the chains choose their members differently.
    const VectorXd expected = once.resolve(flat).velocity, v = once.resolve(space).velocity;
    VectorXd lifted = VectorXd::Zero(6);
    lifted << expected[0], expected[1], 0, 0, 0, expected[2];
    const double miss =
        (v - lifted).lpNorm<Eigen::Infinity>() / flat.velocity.lpNorm<Eigen::Infinity>();
    EXPECT_LE(miss, 1e-12) << k;
    if (!(miss <= worst)) worst = miss;
  }
  std::cout << "1000 planar motions in space: worst difference " << worst << " of the speed\n";
}

}  // namespace
}  // namespace clack
