// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/closest_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace clack {
namespace {

using Eigen::Vector3d;

/// Sums of sines and powers, with their exact derivatives: per axis  sum_n a_n sin(n x + b_n) + c x + d x^2.
struct DrawnFunction {
  static constexpr int waves = 3;
  std::array<double, waves> a{}, b{};
  double c = 0.0, d = 0.0;

  explicit DrawnFunction(std::mt19937& random) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (int n = 0; n < waves; ++n) {
      a[n] = unit(random) / (n + 1.0);
      b[n] = 3.0 * unit(random);
    }
    c = 2.0 * unit(random);
    d = 0.5 * unit(random);
  }
  std::array<double, 3> at(double x) const {
    std::array<double, 3> value{c * x + d * x * x, c + 2.0 * d * x, 2.0 * d};
    for (int k = 0; k < waves; ++k) {
      const double n = k + 1.0, angle = n * x + b[k];
      value[0] += a[k] * std::sin(angle);
      value[1] += a[k] * n * std::cos(angle);
      value[2] -= a[k] * n * n * std::sin(angle);
    }
    return value;
  }
};

Patch drawn_curve(std::mt19937& random, int axes) {
  std::vector<DrawnFunction> f;
  for (int k = 0; k < axes; ++k) f.emplace_back(random);
  return Patch(1, {-2.0, 0.0}, {2.0, 0.0}, [f](const double* s, PatchPoint& p) {
    for (std::size_t k = 0; k < f.size(); ++k) {
      const auto v = f[k].at(s[0]);
      p.at[k] = v[0];
      p.first[0][k] = v[1];
      p.second[0][k] = v[2];
    }
  });
}

/// (x + small, y + small, f(x) + g(y) + f(x) g(y)/2)
Patch drawn_surface(std::mt19937& random) {
  const DrawnFunction f(random), g(random);
  return Patch(2, {-1.5, -1.5}, {1.5, 1.5}, [f, g](const double* s, PatchPoint& p) {
    const auto a = f.at(s[0]), b = g.at(s[1]);
    p.at = {s[0] + 0.2 * b[0], s[1], a[0] + b[0] + 0.5 * a[0] * b[0]};
    p.first[0] = {1.0, 0.0, a[1] * (1.0 + 0.5 * b[0])};
    p.first[1] = {0.2 * b[1], 1.0, b[1] * (1.0 + 0.5 * a[0])};
    p.second[0] = {0.0, 0.0, a[2] * (1.0 + 0.5 * b[0])};
    p.second[1] = {0.0, 0.0, 0.5 * a[1] * b[1]};
    p.second[2] = {0.2 * b[2], 0.0, b[2] * (1.0 + 0.5 * a[0])};
  });
}

Vector3d drawn_point(std::mt19937& random, const Patch& patch) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  return 0.7 * patch.size() * Vector3d(unit(random), unit(random), unit(random));
}

double distance_at(const Patch& patch, const Vector3d& c, double a, double b) {
  const double s[2] = {a, b};
  return (c - patch.point(s).at).norm();
}

/// A fine grid, then ever smaller grids around its best nodes: nothing but distances is used.
double by_brute_force(const Patch& patch, const Vector3d& c, int nodes) {
  const int n = patch.parameters(), rows = n == 2 ? nodes : 1;
  std::vector<std::array<double, 3>> best;  // distance, s1, s2
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < nodes; ++i) {
      const double a = patch.from(0) + patch.range(0) * i / (nodes - 1.0);
      const double b = n == 2 ? patch.from(1) + patch.range(1) * j / (nodes - 1.0) : 0.0;
      best.push_back({distance_at(patch, c, a, b), a, b});
    }
  std::partial_sort(best.begin(), best.begin() + 8, best.end());
  double least = best[0][0];
  for (int start = 0; start < 8; ++start) {
    std::array<double, 3> at = best[start];
    double half = 2.0 * patch.range(0) / (nodes - 1.0);
    for (int zoom = 0; zoom < 40; ++zoom, half /= 1.5) {
      const std::array<double, 3> centre = at;
      for (int j = n == 2 ? -3 : 0; j <= (n == 2 ? 3 : 0); ++j)
        for (int i = -3; i <= 3; ++i) {
          const double a = std::clamp(centre[1] + half * i / 3.0, patch.from(0), patch.to(0));
          const double b =
              n == 2 ? std::clamp(centre[2] + half * j / 3.0, patch.from(1), patch.to(1)) : 0.0;
          const double d = distance_at(patch, c, a, b);
          if (d < at[0]) at = {d, a, b};
        }
    }
    least = std::min(least, at[0]);
  }
  return least;
}

/// The largest difference over drawn cases, in parts of the size; brute force finds distances to the square of its last grid.
template <class Draw>
double largest_difference(unsigned seed, int cases, int nodes, Draw draw) {
  std::mt19937 random(seed);
  double worst = 0.0;
  for (int k = 0; k < cases; ++k) {
    const Patch patch = draw(random);
    const Vector3d c = drawn_point(random, patch);
    const auto minima = FootSearch(patch).minima(c);
    const double apart =
        minima.empty()
            ? 1.0
            : std::abs(minima[0].distance - by_brute_force(patch, c, nodes)) / patch.size();
    if (!(apart <= worst)) worst = apart;
  }
  return worst;
}

TEST(ClosestPoint, OfRandomPlaneCurvesIsThatOfBruteForce) {
  EXPECT_LE(largest_difference(1, 350, 4001, [](auto& r) { return drawn_curve(r, 2); }), 1e-10);
}

TEST(ClosestPoint, OfRandomSpaceCurvesIsThatOfBruteForce) {
  EXPECT_LE(largest_difference(2, 350, 4001, [](auto& r) { return drawn_curve(r, 3); }), 1e-10);
}

TEST(ClosestPoint, OfRandomSurfacesIsThatOfBruteForce) {
  EXPECT_LE(largest_difference(3, 300, 161, [](auto& r) { return drawn_surface(r); }), 1e-10);
}

TEST(ClosestPoint, InsideTheRangeTheTangentsAreAtRightAngles) {
  std::mt19937 random(4);
  for (int k = 0; k < 200; ++k) {
    const Patch patch = drawn_surface(random);
    const Vector3d c = drawn_point(random, patch);
    for (const PatchFoot& foot : FootSearch(patch).minima(c)) {
      if (foot.is_at_end) continue;
      const FootForm form = foot_form(2, patch.point(foot.s.data()), c);
      EXPECT_LE(form.F.norm(), 1e-9 * patch.size() * patch.size());
      EXPECT_GE(form.regularity, 0.0);
    }
  }
}

Patch circle(double radius) {
  return Patch(1, {0.0, 0.0}, {2.0 * M_PI, 0.0}, [radius](const double* s, PatchPoint& p) {
    p.at = radius * Vector3d(std::cos(s[0]), std::sin(s[0]), 0.0);
    p.first[0] = radius * Vector3d(-std::sin(s[0]), std::cos(s[0]), 0.0);
    p.second[0] = -p.at;
  });
}

TEST(ClosestPoint, AClosedCurveHasNoEnds) {
  const Patch patch = circle(2.0);
  EXPECT_TRUE(patch.is_closed(0));
  for (const double angle : {1e-9, -1e-9, 0.3, 3.0, 6.28}) {
    const auto minima =
        FootSearch(patch).minima(3.0 * Vector3d(std::cos(angle), std::sin(angle), 0.0));
    ASSERT_EQ(minima.size(), 1U) << angle;
    EXPECT_FALSE(minima[0].is_at_end);
    EXPECT_NEAR(minima[0].distance, 1.0, 1e-14);
    EXPECT_NEAR(std::remainder(minima[0].s[0] - angle, 2.0 * M_PI), 0.0, 1e-12);
  }
}

TEST(ClosestPoint, RegularityIsOneLessCurvatureTimesDistance) {
  const Patch patch = circle(2.0);
  const double s = 0.4;
  for (const double inwards : {0.5, 1.0, 1.9}) {
    const Vector3d c = (2.0 - inwards) * Vector3d(std::cos(s), std::sin(s), 0.0);
    EXPECT_NEAR(foot_form(1, patch.point(&s), c).regularity, 1.0 - inwards / 2.0, 1e-14);
  }
}

TEST(ClosestPoint, BeyondAnEndItRestsThereAndTellsHowFar) {
  const Patch line(1, {0.0, 0.0}, {1.0, 0.0}, [](const double* s, PatchPoint& p) {
    p.at = {2.0 * s[0], 0.0, 0.0};
    p.first[0] = {2.0, 0.0, 0.0};
  });
  const auto minima = FootSearch(line).minima({2.5, 1.0, 0.0});
  ASSERT_EQ(minima.size(), 1U);
  EXPECT_TRUE(minima[0].is_at_end);
  EXPECT_EQ(minima[0].s[0], 1.0);
  EXPECT_NEAR(minima[0].outward, 0.5, 1e-15);
}

TEST(ClosestPoint, TheWeakestTangentIsFound) {
  const Patch cusp(1, {-1.0, 0.0}, {1.0, 0.0}, [](const double* s, PatchPoint& p) {
    p.at = {s[0] * s[0], s[0] * s[0] * s[0], 0.0};
    p.first[0] = {2.0 * s[0], 3.0 * s[0] * s[0], 0.0};
    p.second[0] = {2.0, 6.0 * s[0], 0.0};
  });
  EXPECT_EQ(cusp.weakest().tangent, 0.0);
  EXPECT_EQ(cusp.weakest().s[0], 0.0);
  EXPECT_GT(circle(1.0).weakest().tangent, 1.0);
}

}  // namespace
}  // namespace clack
