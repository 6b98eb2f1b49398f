// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "clack/integrate/integrator.hpp"

/// What every integrator must pass, and the problems with known solutions to pass it on (tests
/// only).
namespace clack {

/// y'' = -y.
inline const RightHandSide oscillator{[](void*, double, const double* y, double* rate) {
                                        rate[0] = y[1];
                                        rate[1] = -y[0];
                                      },
                                      nullptr};

/// Two bodies in units where the period is 2 pi; starts at the pericentre with eccentricity 0.5.
inline const RightHandSide kepler{[](void*, double, const double* y, double* rate) {
                                    const double r = std::hypot(y[0], y[1]), cube = r * r * r;
                                    rate[0] = y[2];
                                    rate[1] = y[3];
                                    rate[2] = -y[0] / cube;
                                    rate[3] = -y[1] / cube;
                                  },
                                  nullptr};
inline const std::array<double, 4> kepler_start = {0.5, 0.0, 0.0, std::sqrt(3.0)};

/// Position on that orbit by Kepler's equation E - e sin E = t.
inline std::array<double, 2> kepler_position(double t) {
  const double e = 0.5;
  double E = t;
  for (int i = 0; i < 100; ++i) E -= (E - e * std::sin(E) - t) / (1.0 - e * std::cos(E));
  return {std::cos(E) - e, std::sqrt(1.0 - e * e) * std::sin(E)};
}

/// A smooth problem with explicit time, y1 = exp(sin t), y2 = exp(cos t) - exp(1).
inline const RightHandSide waves{[](void*, double t, const double* y, double* rate) {
                                   rate[0] = y[0] * std::cos(t);
                                   rate[1] = -(y[1] + std::exp(1.0)) * std::sin(t);
                                 },
                                 nullptr};
inline const std::array<double, 2> waves_start = {1.0, 0.0};

inline IntegratorOptions tolerance(double value) {
  return {.relative_tolerance = value, .absolute_tolerance = value, .fixed_step = 1e-3};
}

inline void run(Integrator& integrator, RightHandSide f, std::span<const double> start,
                double end) {
  integrator.reset(f, 0.0, start, 0.0);
  while (integrator.time() < end) ASSERT_EQ(integrator.step(end), StepStatus::ok);
  ASSERT_EQ(integrator.time(), end);
}

/// Largest errors of the end state and of the dense output when the step is forced to be `h`.
struct FixedStepErrors {
  double end = 0.0, dense = 0.0;
};
inline FixedStepErrors fixed_step_errors(std::string_view name, double h) {
  const double huge = 1e10;  // every step is accepted, so the largest step is the step
  auto integrator = make_integrator(
      name,
      {.relative_tolerance = huge, .absolute_tolerance = huge, .fixed_step = h, .largest_step = h});
  const double end = 4.0;
  FixedStepErrors errors;
  integrator->reset(waves, 0.0, waves_start, h);
  while (integrator->time() < end) {
    EXPECT_EQ(integrator->step(end), StepStatus::ok);
    EXPECT_NEAR(integrator->time() - integrator->time_before(), h, 1e-9 * h);
    for (double part : {0.15, 0.37, 0.5, 0.81}) {
      const double t = integrator->time_before() + part * h;
      double y[2];
      integrator->dense(t, y);
      errors.dense = std::max(errors.dense, std::abs(y[0] - std::exp(std::sin(t))));
      errors.dense = std::max(errors.dense, std::abs(y[1] - std::exp(std::cos(t)) + std::exp(1.0)));
    }
    const double t = integrator->time();
    errors.end = std::max(errors.end, std::abs(integrator->state()[0] - std::exp(std::sin(t))));
  }
  return errors;
}

/// Halving the step divides the error by 2^order, and that of the dense output by 2^(dense_order +
/// 1).
inline void check_order(std::string_view name, int order, int dense_order) {
  const double h = order >= 8 ? 0.25 : order >= 5 ? 1.0 / 16 : 1.0 / 32;
  const FixedStepErrors coarse = fixed_step_errors(name, h), fine = fixed_step_errors(name, h / 2);
  EXPECT_NEAR(std::log2(coarse.end / fine.end), order, 0.4) << coarse.end << " " << fine.end;
  EXPECT_NEAR(std::log2(coarse.dense / fine.dense), std::min(dense_order + 1, order), 0.5)
      << coarse.dense << " " << fine.dense;
}

inline void check_end_is_hit_without_slivers(std::string_view name) {
  auto integrator = make_integrator(name, tolerance(1e-8));
  for (double end : {0.1, 1.0 / 3.0, 1.0, 2.7182818284590451, 3.3333}) {
    integrator->reset(oscillator, 0.0, waves_start, 0.0);
    double longest = 0.0, last = 0.0;
    while (integrator->time() < end) {
      ASSERT_EQ(integrator->step(end), StepStatus::ok);
      ASSERT_LE(integrator->time(), end);
      last = integrator->time() - integrator->time_before();
      longest = std::max(longest, last);
    }
    EXPECT_EQ(integrator->time(), end);
    if (name != "cvode") {
      EXPECT_GT(last, 0.1 * longest) << name << " to " << end;
    }
    EXPECT_NEAR(integrator->state()[0], std::cos(end), 1e-5);
    EXPECT_EQ(integrator->step(end), StepStatus::ok);  // nothing left to do
    EXPECT_EQ(integrator->time(), end);
    EXPECT_EQ(integrator->time_before(), end);
  }
}

inline void check_dense_output_meets_the_ends(std::string_view name) {
  auto integrator = make_integrator(name, tolerance(1e-8));
  integrator->reset(kepler, 0.0, kepler_start, 0.0);
  for (int step = 0; step < 20; ++step) {
    ASSERT_EQ(integrator->step(100.0), StepStatus::ok);
    double y[4];
    for (int end = 0; end < 2; ++end) {
      integrator->dense(end == 0 ? integrator->time_before() : integrator->time(), y);
      const auto exact = end == 0 ? integrator->state_before() : integrator->state();
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(y[i], exact[i], 1e-14);
      double rate[4];
      kepler(0.0, exact.data(), rate);
      const auto kept = end == 0 ? integrator->rate_before() : integrator->rate();
      for (int i = 0; i < 4; ++i) EXPECT_EQ(kept[i], rate[i]);
    }
  }
}

inline void check_first_step_is_a_bound(std::string_view name) {
  auto integrator = make_integrator(name, tolerance(1e-6));
  for (double bound : {1e-12, 1e-6, 1e-3}) {
    integrator->reset(oscillator, 5.0, waves_start, bound);
    ASSERT_EQ(integrator->step(100.0), StepStatus::ok);
    EXPECT_LE(integrator->time() - 5.0, bound * 1.001) << name;
    EXPECT_GT(integrator->time(), 5.0);
  }
}

/// A wall of NaN at x >= 1 that the motion never reaches, but long steps do.
inline void check_not_finite(std::string_view name) {
  const RightHandSide walled{[](void*, double, const double* y, double* rate) {
                               rate[0] = std::sqrt(1.0 - y[0]);  // x = t - t²/4 for t < 2
                             },
                             nullptr};
  const double start[] = {0.0}, at_wall[] = {2.0};
  auto integrator = make_integrator(name, tolerance(1e-7));
  run(*integrator, walled, start, 1.5);
  EXPECT_NEAR(integrator->state()[0], 1.5 - 1.5 * 1.5 / 4.0, 1e-5) << name;

  integrator->reset(walled, 0.0, at_wall, 0.0);
  EXPECT_EQ(integrator->step(1.0), StepStatus::not_finite);
  EXPECT_EQ(integrator->time(), 0.0);

  const RightHandSide late{
      [](void*, double t, const double*, double* rate) { rate[0] = t > 0.5 ? std::nan("") : 1.0; },
      nullptr};
  integrator->reset(late, 0.0, start, 0.1);
  StepStatus status = StepStatus::ok;
  for (int i = 0; i < 10000 && status == StepStatus::ok; ++i) status = integrator->step(1.0);
  EXPECT_EQ(status, StepStatus::not_finite) << name;
  EXPECT_LE(integrator->time(), 0.5);
  EXPECT_GT(integrator->time(), 0.45);
  EXPECT_EQ(integrator->time_before(), integrator->time());  // the failed step is empty
  EXPECT_NEAR(integrator->state()[0], integrator->time(), 1e-6);
}

inline void check_step_limit(std::string_view name) {
  IntegratorOptions options = tolerance(1e-8);
  options.step_limit = 5;
  auto integrator = make_integrator(name, options);
  integrator->reset(oscillator, 0.0, waves_start, 1e-6);
  StepStatus status = StepStatus::ok;
  for (int i = 0; i < 6 && status == StepStatus::ok; ++i) status = integrator->step(1e6);
  EXPECT_EQ(status, StepStatus::limit) << name;
}

inline void check_determinism(std::string_view name) {
  std::vector<double> states[2];
  for (std::vector<double>& kept : states) {
    auto integrator = make_integrator(name, tolerance(1e-8));
    // An object that has run something else before must not remember it.
    if (&kept == &states[1]) run(*integrator, oscillator, waves_start, 3.0);
    integrator->reset(kepler, 0.0, kepler_start, 0.0);
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(integrator->step(1e3), StepStatus::ok);
      kept.insert(kept.end(), integrator->state().begin(), integrator->state().end());
      kept.push_back(integrator->time());
    }
  }
  EXPECT_EQ(states[0], states[1]) << name;  // bit for bit
}

inline void check_integrator(std::string_view name) {
  check_end_is_hit_without_slivers(name);
  check_dense_output_meets_the_ends(name);
  check_first_step_is_a_bound(name);
  check_not_finite(name);
  check_step_limit(name);
  check_determinism(name);
}

/// Numbers of calls to operator new so far (counted by the replacement in integrator_test.cpp).
long allocation_count();

}  // namespace clack
