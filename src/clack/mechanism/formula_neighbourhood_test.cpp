// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/formula_neighbourhood.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "clack/mechanism/mechanism.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

/// A regular polygon over the floor, one contact per corner, by formulas.
Model polygon(int corners) {
  return read_model_text(R"yaml(clack: 1
parameters: {n: )yaml" + std::to_string(corners) +
                             R"yaml(, r: 0.5}
gravity: [0, -9.81]
bodies: {gon: {mass: 1, inertia: 0.125, position: [0, 0.6]}}
contacts:
  "c{i}": {gap: "gon.y + r*sin(gon.angle + 2*pi*{i}/n)", slip: "gon.x_dot", repeat: {count: n, as: i}}
)yaml",
                         "polygon.yaml");
}

struct Ends {
  double h = 2e-3;
  std::vector<double> q0, q1, v0, v1;
  StepEnds step() const { return {0.0, h, q0.data(), v0.data(), q1.data(), v1.data()}; }
};

// Cubics between random ends: whoever is down at one of 100 instants inside the step must have been named.
TEST(FormulaNeighbourhood, NamesEveryCornerThatTouchesDuringAStep) {
  const Model model = polygon(60);
  Mechanism mechanism(model);
  ASSERT_FALSE(mechanism.is_small());
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const ContactSet all = possible_contacts(model);
  std::vector<GapMotion> gaps(all.size());
  std::size_t named = 0, touched = 0;
  for (int round = 0; round < 200; ++round) {
    Ends ends;
    ends.q0 = {0.0, 0.55 + 0.1 * number(random), 3.0 * number(random)};
    for (int j = 0; j < 3; ++j) {
      ends.v0.push_back(5.0 * number(random));
      ends.v1.push_back(ends.v0[j] + number(random));
      ends.q1.push_back(ends.q0[j] + 0.5 * ends.h * (ends.v0[j] + ends.v1[j]));
    }
    ContactSet near;
    mechanism.nearby(ends.step(), near);
    EXPECT_TRUE(std::ranges::is_sorted(near));
    named += near.size();
    std::vector<bool> is_down(all.size(), false);
    for (int k = 0; k <= 100; ++k) {
      const double s = 0.01 * k;
      std::vector<double> q(3), rest(3, 0.0);
      for (int j = 0; j < 3; ++j)
        q[j] = ends.q0[j] + s * s * (3.0 - 2.0 * s) * (ends.q1[j] - ends.q0[j]) +
               ends.h * s * (1.0 - s) * ((1.0 - s) * ends.v0[j] - s * ends.v1[j]);
      mechanism.gap_motion(s * ends.h, q.data(), rest.data(), nullptr, all, gaps);
      for (std::size_t i = 0; i < all.size(); ++i) is_down[i] = is_down[i] || gaps[i].gap <= 0.0;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_down[i]) continue;
      ++touched;
      EXPECT_TRUE(std::ranges::binary_search(near, all[i])) << "round " << round << " corner " << i;
    }
  }
  EXPECT_GT(touched, 200U);
  EXPECT_LT(named, 200 * all.size() / 2);
}

// A box serves several steps; a step that leaves it must not be told by what was near before.
TEST(FormulaNeighbourhood, FollowsARollingPolygon) {
  const Model model = polygon(1000);
  Mechanism mechanism(model);
  Ends ends;
  ends.h = 1e-3;
  ends.v0 = ends.v1 = {1.0, 0.0, -2.0};
  std::size_t most = 0;
  for (int k = 0; k < 2000; ++k) {
    const double angle = -2e-3 * k;
    ends.q0 = {1e-3 * k, 0.5, angle};
    ends.q1 = {1e-3 * (k + 1), 0.5, angle - 2e-3};
    ContactSet near;
    mechanism.nearby(ends.step(), near);
    most = std::max(most, near.size());
    // The lowest corner, number i of 1 to n: angle + 2 pi i/n = -pi/2.
    const double turn = 1000.0 * (-0.25 - angle / (2.0 * M_PI));
    const int lowest = static_cast<int>(std::lround(turn - 1000.0 * std::floor(turn / 1000.0)));
    const ContactKey key{.source = SourceIndex((lowest + 999) % 1000)};
    EXPECT_TRUE(std::ranges::binary_search(near, key)) << k;
  }
  EXPECT_LT(most, 60U);
}

TEST(FormulaNeighbourhood, AllAreNearWhereThereAreFew) {
  const Model model = polygon(4);
  Mechanism mechanism(model);
  EXPECT_TRUE(mechanism.is_small());
}

}  // namespace
}  // namespace clack
