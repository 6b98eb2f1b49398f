// SPDX-License-Identifier: Apache-2.0
#include "clack/integrate/root_finding.hpp"

#include <gtest/gtest.h>

#include <random>

#include "clack/integrate/integrator_checks.hpp"

namespace clack {
namespace {

template <class F>
std::optional<Root> falling(F f, double a, double b, RootOptions options = {}) {
  return first_falling_root(f, a, f(a), b, f(b), options);
}
template <class F>
std::optional<Root> falling_values(F f, double a, double b, RootOptions options = {}) {
  const auto value = [&](double t) { return f(t).value; };
  return first_falling_root_of_values(value, a, value(a), b, value(b), options);
}

/// (t - 1)² - depth.
auto parabola(double depth) {
  return [=](double t) { return Sample{(t - 1.0) * (t - 1.0) - depth, 2.0 * (t - 1.0)}; };
}

TEST(RootFinding, DipsAreCaughtDownToRounding) {
  for (double depth : {1e-2, 1e-6, 1e-9, 1e-12, 1e-15}) {
    for (double end : {2.0, 3.7, 17.0}) {
      const auto root = falling(parabola(depth), -0.3, end);
      ASSERT_TRUE(root) << depth;
      // A value error of 2e-16 moves the root by that over the slope 2 sqrt(depth).
      EXPECT_NEAR(root->t, 1.0 - std::sqrt(depth), 4e-16 + 2e-16 / std::sqrt(depth)) << depth;
      const auto by_values = falling_values(parabola(depth), -0.3, end);
      ASSERT_TRUE(by_values) << depth;
      EXPECT_NEAR(by_values->t, 1.0 - std::sqrt(depth), 4e-16 + 2e-16 / std::sqrt(depth)) << depth;
    }
  }
}

TEST(RootFinding, NearMissesAreNoRoots) {
  for (double miss : {1e-2, 1e-6, 1e-9, 1e-12, 1e-15}) {
    EXPECT_FALSE(falling(parabola(-miss), 0.0, 2.5)) << miss;
    EXPECT_FALSE(falling_values(parabola(-miss), 0.0, 2.5)) << miss;
  }
}

TEST(RootFinding, TouchIsAGraze) {
  const auto root = falling(parabola(0.0), 0.1, 2.3);
  ASSERT_TRUE(root);
  EXPECT_NEAR(root->t, 1.0, 1e-7);  // values below 1e-16 cannot be told from zero
  EXPECT_TRUE(root->is_graze);
  const auto near = falling(parabola(-1e-13), 0.1, 2.3, {.zero = 1e-12});
  ASSERT_TRUE(near);
  EXPECT_TRUE(near->is_graze);
}

TEST(RootFinding, RootsAreBracketedByAdjacentDoubles) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0.1, 3.0);
  for (int i = 0; i < 2000; ++i) {
    const double phase = uniform(random), speed = uniform(random);
    const auto f = [=](double t) {
      return Sample{std::cos(speed * t) - std::cos(phase) + 0.3 * (phase / speed - t),
                    -speed * std::sin(speed * t) - 0.3};
    };
    const double b = phase / speed * 1.5;
    for (const auto& root : {falling(f, 0.0, b), falling_values(f, 0.0, b)}) {
      ASSERT_TRUE(root);
      EXPECT_LE(f(root->t).value, 0.0);
      if (f(root->t).value < 0.0) {
        EXPECT_GT(f(std::nextafter(root->t, 0.0)).value, 0.0);
      }
    }
  }
}

TEST(RootFinding, FewSamplesAreNeeded) {
  int samples = 0;
  const auto f = [&](double t) {
    ++samples;
    return Sample{std::cos(t), -std::sin(t)};
  };
  const Sample fa = f(1.0), fb = f(2.0);
  samples = 0;
  ASSERT_TRUE(first_falling_root(f, 1.0, fa, 2.0, fb, {}));
  EXPECT_LE(samples, 14);
  const auto far = [&](double t) {
    ++samples;
    return Sample{2.0 + std::cos(t), -std::sin(t)};
  };
  samples = 0;
  ASSERT_FALSE(first_falling_root(far, 1.0, {2.0 + std::cos(1.0), -std::sin(1.0)}, 2.0,
                                  {2.0 + std::cos(2.0), -std::sin(2.0)}, {}));
  EXPECT_EQ(samples, 1);
}

TEST(RootFinding, AFunctionAtZeroMustFirstRiseWhenNotArmed) {
  // A small bounce: t (0.1 - t), zero at the start, falls at 0.1.
  const auto bounce = [](double t) { return Sample{t * (0.1 - t), 0.1 - 2.0 * t}; };
  const auto root = falling(bounce, 0.0, 1.0, {.armed = false});
  ASSERT_TRUE(root);
  EXPECT_NEAR(root->t, 0.1, 2e-17);
  EXPECT_NEAR(falling_values(bounce, 0.0, 1.0, {.armed = false})->t, 0.1, 2e-17);
  EXPECT_EQ(falling(bounce, 0.0, 1.0)->t, 0.0);  // armed: it is at zero already
  // Slightly below zero at the start, as after a rounded impact.
  const auto below = [](double t) { return Sample{t * (0.1 - t) - 1e-17, 0.1 - 2.0 * t}; };
  EXPECT_NEAR(falling(below, 0.0, 1.0, {.armed = false})->t, 0.1, 1e-15);
  const auto tiny = [](double t) { return Sample{t * (1e-7 - t), 1e-7 - 2.0 * t}; };
  EXPECT_NEAR(falling(tiny, 0.0, 1.0, {.armed = false})->t, 1e-7, 1e-15);
  // Never rises.
  const auto sinks = [](double t) { return Sample{-t, -1.0}; };
  EXPECT_FALSE(falling(sinks, 0.0, 1.0, {.armed = false}));
}

TEST(RootFinding, FlatFunctionsEndQuickly) {
  int samples = 0;
  const auto zero = [&](double) { return ++samples, Sample{0.0, 0.0}; };
  EXPECT_FALSE(falling(zero, 0.0, 1.0, {.armed = false}));
  const auto quartic = [&](double t) {
    const double x = t - 0.7;
    return ++samples, Sample{x * x * x * x, 4.0 * x * x * x};
  };
  const auto root = falling(quartic, 0.0, 2.0);
  if (root) {
    EXPECT_NEAR(root->t, 0.7, 1e-3);
  }
  const auto dipping = [&](double t) {
    const double x = t - 0.7;
    return ++samples, Sample{x * x * x * x - 1e-12, 4.0 * x * x * x};
  };
  EXPECT_NEAR(falling(dipping, 0.0, 2.0)->t, 0.7 - 1e-3, 1e-9);
  EXPECT_LT(samples, 2000);
}

TEST(RootFinding, RoundingNoiseEndsQuickly) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int samples = 0;
  const auto rest = [&](double) {
    return ++samples, Sample{1e-17 * uniform(random), 1e-16 * uniform(random)};
  };
  EXPECT_FALSE(falling(rest, 0.0, 1.0, {.zero = 1e-15, .armed = false}));
  EXPECT_FALSE(falling_values(rest, 0.0, 1.0, {.zero = 1e-15, .armed = false}));
  EXPECT_LT(samples, 20);  // never above zero: nothing to look for
  const auto hovering = [&](double) {
    return ++samples, Sample{1e-17 * (1.5 + uniform(random)), 1e-15 * uniform(random)};
  };
  samples = 0;
  EXPECT_FALSE(falling(hovering, 0.0, 1.0));
  EXPECT_FALSE(falling_values(hovering, 0.0, 1.0));
  EXPECT_LT(samples, 50000);
}

TEST(RootFinding, RootsAtTheEndsCount) {
  const auto line = [](double t) { return Sample{1.0 - t, -1.0}; };
  EXPECT_EQ(falling(line, 0.0, 1.0)->t, 1.0);
  EXPECT_EQ(falling(line, 1.0, 2.0)->t, 1.0);
  EXPECT_FALSE(falling(line, 0.0, std::nextafter(1.0, 0.0)));
}

TEST(RootFinding, NothingIsAllocated) {
  const auto f = parabola(1e-9);
  const long before = allocation_count();
  EXPECT_TRUE(first_falling_root(f, 0.0, f(0.0), 2.0, f(2.0), {}));
  EXPECT_EQ(allocation_count(), before);
}

/// First falling root by brute force: 20000 samples, to 1e-4 of the interval.
template <class F>
std::optional<double> first_by_sampling(F f, double a, double b) {
  const int n = 20000;
  for (int i = 1; i <= n; ++i)
    if (f(a + (b - a) * i / n).value <= 0.0) return a + (b - a) * i / n;
  return std::nullopt;
}

template <class F>
void compare_with_sampling(F f, double a, double b, int& found) {
  if (f(a).value <= 0.0) return;
  const auto sampled = first_by_sampling(f, a, b);
  for (const auto& root : {falling(f, a, b), falling_values(f, a, b)}) {
    if (sampled) {
      ASSERT_TRUE(root);
      EXPECT_LE(root->t, *sampled + 1e-9);
      ++found;
    }
    if (root) {
      EXPECT_LE(f(root->t).value, 0.0);
      EXPECT_GE(f(root->t).value, -1e-13);
    }
  }
}

TEST(RootFinding, FindsTheFirstRootOfRandomPolynomials) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    double c[8];
    for (double& x : c) x = uniform(random);
    const auto f = [&](double t) {
      Sample s;
      for (int k = 7; k >= 0; --k) {
        s.rate = s.rate * t + s.value;
        s.value = s.value * t + c[k];
      }
      return s;
    };
    compare_with_sampling(f, -1.0, 1.0, found);
  }
  EXPECT_GT(found, 100);
}

TEST(RootFinding, FindsTheFirstRootOfRandomSumsOfSines) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    double amplitude[4], phase[4];
    for (int k = 0; k < 4; ++k) amplitude[k] = uniform(random), phase[k] = 4.0 * uniform(random);
    const double offset = uniform(random) + 0.7;
    const auto f = [&](double t) {
      Sample s{offset, 0.0};
      for (int k = 0; k < 4; ++k) {
        s.value += amplitude[k] * std::sin((k + 1) * t + phase[k]);
        s.rate += amplitude[k] * (k + 1) * std::cos((k + 1) * t + phase[k]);
      }
      return s;
    };
    compare_with_sampling(f, 0.0, 3.0, found);  // the fastest wave turns twice in the interval
  }
  EXPECT_GT(found, 100);
}

TEST(RootFinding, AllRootsOfAPolynomialWithKnownRoots) {
  const double known[] = {-0.9, -0.3, -0.299, 0.0, 0.5, 0.75};
  const auto f = [&](double t) {
    Sample s{1.0, 0.0};
    for (double r : known) s = {s.value * (t - r), s.rate * (t - r) + s.value};
    return s;
  };
  const auto roots = all_roots(f, -1.0, 1.0, {});
  ASSERT_EQ(roots.size(), 6u);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(roots[i].t, known[i], 1e-12);
}

TEST(RootFinding, CertainlyPositiveNeverLiesAndOftenSpeaks) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int certain = 0, positive = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const double a = uniform(random), b = uniform(random), p = 3.0 * uniform(random),
                 c = uniform(random);
    const auto value = [&](double t) { return c + a * std::sin(t + p) + b * std::cos(2.0 * t); };
    const auto rate = [&](double t) { return a * std::cos(t + p) - 2.0 * b * std::sin(2.0 * t); };
    const auto second = [&](double t) {
      return -a * std::sin(t + p) - 4.0 * b * std::cos(2.0 * t);
    };
    const double h = 0.6;
    bool is_positive = true;
    for (int i = 0; i <= 200; ++i) is_positive = is_positive && value(h * i / 200) > 0.0;
    const bool is_certain =
        certainly_positive({value(0), rate(0)}, second(0), {value(h), rate(h)}, second(h), h);
    EXPECT_TRUE(is_positive || !is_certain);
    certain += is_certain;
    positive += is_positive;
  }
  EXPECT_GT(certain, 0.9 * positive);
}

}  // namespace
}  // namespace clack
