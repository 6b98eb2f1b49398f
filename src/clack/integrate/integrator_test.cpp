// SPDX-License-Identifier: Apache-2.0
#include "clack/integrate/integrator.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "clack/integrate/integrator_checks.hpp"
#include "clack/integrate/root_finding.hpp"

namespace {
std::atomic<long> allocations{0};
}

// Not inlined, so that the compiler sees matching pairs of new and delete only.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace clack {
long allocation_count() { return allocations; }

namespace {

TEST(Integrators, AllocateNothingAfterTheFirstReset) {
  for (std::string_view name : integrator_names()) {
    auto integrator = make_integrator(name, tolerance(1e-7));
    integrator->reset(kepler, 0.0, kepler_start, 0.0);
    const long before = allocation_count();
    double y[4];
    for (int round = 0; round < 3; ++round) {
      integrator->reset(kepler, 0.0, kepler_start, 0.0);
      for (int i = 0; i < 20; ++i) {
        if (integrator->step(10.0) != StepStatus::ok) break;
        integrator->dense(integrator->time_before() + 1e-9, y);
      }
    }
    EXPECT_EQ(allocation_count(), before) << name;
    EXPECT_GT(integrator->time(), 0.0);
  }
}

TEST(Integrators, KeplerOrbitMatchesKeplersEquationOverTenPeriods) {
  for (std::string_view name : {"dop853", "dopri5"}) {
    auto integrator = make_integrator(name, tolerance(1e-12));
    const double end = 20.0 * M_PI + 1.0;
    run(*integrator, kepler, kepler_start, end);
    const auto exact = kepler_position(1.0);
    EXPECT_NEAR(integrator->state()[0], exact[0], 1e-8) << name;
    EXPECT_NEAR(integrator->state()[1], exact[1], 1e-8) << name;
  }
}

TEST(Integrators, HarmonicOscillatorKeepsItsPhaseOverHundredPeriods) {
  auto integrator = make_integrator("dop853", tolerance(1e-13));
  const double end = 200.0 * M_PI;
  run(*integrator, oscillator, waves_start, end);
  EXPECT_NEAR(integrator->state()[0], 1.0, 1e-10);
  EXPECT_NEAR(integrator->state()[1], 0.0, 1e-10);
}

TEST(Integrators, ErrorFollowsTheTolerance) {
  // A tolerance 1000 times tighter gives an error about 1000 times smaller.
  for (std::string_view name : {"dop853", "dopri5"}) {
    double errors[3];
    for (int i = 0; i < 3; ++i) {
      auto integrator = make_integrator(name, tolerance(std::pow(10.0, -5 - 3 * i)));
      run(*integrator, kepler, kepler_start, 2.0 * M_PI + 1.0);
      errors[i] = std::abs(integrator->state()[0] - kepler_position(1.0)[0]);
    }
    for (int i = 0; i < 2; ++i) {
      const double decades = std::log10(errors[i] / errors[i + 1]);
      EXPECT_GT(decades, 1.5) << name;
      EXPECT_LT(decades, 4.5) << name;
    }
  }
}

TEST(Integrators, DenseOutputIsAsAccurateAsTheSteps) {
  for (std::string_view name : {"dop853", "dopri5"}) {
    auto integrator = make_integrator(name, tolerance(1e-10));
    integrator->reset(kepler, 0.0, kepler_start, 0.0);
    double worst = 0.0;
    while (integrator->time() < 2.0 * M_PI) {
      ASSERT_EQ(integrator->step(2.0 * M_PI), StepStatus::ok);
      for (double part : {0.2, 0.5, 0.8}) {
        const double t =
            integrator->time_before() + part * (integrator->time() - integrator->time_before());
        double y[4];
        integrator->dense(t, y);
        worst = std::max(worst, std::abs(y[0] - kepler_position(t)[0]));
      }
    }
    EXPECT_LT(worst, 1e-7) << name;
  }
}

TEST(Integrators, ASingularityEndsWithStepTooSmallOrNotFinite) {
  // y' = y² from 1 reaches infinity at t = 1.
  const RightHandSide blow_up{
      [](void*, double, const double* y, double* rate) { rate[0] = y[0] * y[0]; }, nullptr};
  const double start[] = {1.0};
  for (std::string_view name : {"dop853", "dopri5", "cvode"}) {
    auto integrator = make_integrator(name, tolerance(1e-9));
    integrator->reset(blow_up, 0.0, start, 0.0);
    StepStatus status = StepStatus::ok;
    for (int i = 0; i < 100000 && status == StepStatus::ok; ++i) status = integrator->step(2.0);
    EXPECT_TRUE(status == StepStatus::step_too_small || status == StepStatus::not_finite) << name;
    EXPECT_NEAR(integrator->time(), 1.0, 1e-6) << name;
  }
}

/// A ball thrown so that it passes the floor at a depth of 1e-9 m on the lowest point of a swing:
/// the steps are as long as the motion allows, the guard is searched on the dense output.
TEST(Integrators, AGrazeOneNanometreDeepInsideALongStepIsCaught) {
  const double depth = 1e-9;
  for (std::string_view name : {"dop853", "dopri5"}) {
    auto integrator = make_integrator(name, tolerance(1e-12));
    const double start[] = {2.0, 0.0};  // gap = 2 + 2 cos t - depth, lowest at t = pi
    integrator->reset(oscillator, 0.0, std::span(start), 0.0);
    const double offset = 2.0 - depth;
    std::optional<Root> root;
    int without_dense = 0;
    while (!root && integrator->time() < 6.0) {
      ASSERT_EQ(integrator->step(6.0), StepStatus::ok);
      const auto y0 = integrator->state_before(), y1 = integrator->state();
      const Sample a{y0[0] + offset, y0[1]}, b{y1[0] + offset, y1[1]};
      const double h = integrator->time() - integrator->time_before();
      if (certainly_positive(a, -y0[0], b, -y1[0], h)) {
        ++without_dense;
        continue;
      }
      const auto gap = [&](double t) {
        double y[2];
        integrator->dense(t, y);
        return Sample{y[0] + offset, y[1]};
      };
      root = first_falling_root(gap, integrator->time_before(), a, integrator->time(), b, {});
    }
    ASSERT_TRUE(root) << name;
    EXPECT_NEAR(root->t, M_PI - std::acos(1.0 - depth / 2.0), 1e-6) << name;  // 1e-11 over 3e-5
    EXPECT_GT(without_dense, 5) << name;
  }
}

TEST(Integrators, ZeroStateAndZeroRateTakeLongStepsWithoutTrouble) {
  const RightHandSide rest{
      [](void*, double, const double*, double* rate) { rate[0] = rate[1] = 0.0; }, nullptr};
  const double start[] = {0.0, 0.0};
  for (std::string_view name : {"dop853", "dopri5"}) {
    auto integrator = make_integrator(name, tolerance(1e-9));
    run(*integrator, rest, start, 100.0);
    EXPECT_EQ(integrator->state()[0], 0.0);
    EXPECT_LT(integrator->counts().accepted, 30) << name;
  }
}

/// After `steps` steps, with or without dense output in the last one.
void check_restored_goes_on_alike(std::string_view name, int steps, bool with_dense) {
  const auto original = make_integrator(name, tolerance(1e-8)),
             other = make_integrator(name, tolerance(1e-8));
  double y[3], y_other[3];
  const double start[] = {1.0, 0.0, 0.3};  // an odd dimension: one component is padded
  const RightHandSide f{[](void*, double t, const double* x, double* rate) {
                          rate[0] = x[1];
                          rate[1] = -x[0] * (1.0 + x[2] * x[2]);
                          rate[2] = std::cos(3.0 * t) - x[2];
                        },
                        nullptr};
  original->reset(f, 0.0, start, 0.0);
  for (int i = 0; i < steps; ++i) ASSERT_EQ(original->step(5.0), StepStatus::ok);
  const double inside = 0.5 * (original->time_before() + original->time());
  if (with_dense) original->dense(inside, y);
  other->restore(f, original->save());
  original->dense(inside, y);
  other->dense(inside, y_other);
  EXPECT_TRUE(std::equal(y, y + 3, y_other));
  while (original->time() < 5.0) {
    ASSERT_EQ(original->step(5.0), StepStatus::ok);
    ASSERT_EQ(other->step(5.0), StepStatus::ok);
    ASSERT_EQ(original->time(), other->time());
    ASSERT_TRUE(std::ranges::equal(original->state(), other->state()));
    ASSERT_TRUE(std::ranges::equal(original->rate(), other->rate()));
  }
  EXPECT_EQ(original->counts().evaluations, other->counts().evaluations);
  EXPECT_EQ(original->counts().rejected, other->counts().rejected);
}

TEST(Integrators, RestoredFromASavedMemoryGoOnToTheLastBit) {
  for (const std::string_view name : {"dop853", "dopri5", "rk4"})
    for (const int steps : {0, 1, 7}) {
      SCOPED_TRACE(std::string(name) + " after " + std::to_string(steps));
      check_restored_goes_on_alike(name, steps, false);
      check_restored_goes_on_alike(name, steps, true);
    }
}

}  // namespace
}  // namespace clack
