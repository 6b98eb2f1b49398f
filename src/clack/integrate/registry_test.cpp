// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/integrate/integrator.hpp"

namespace clack {
namespace {

TEST(IntegratorRegistry, EveryNameMakesTheIntegratorOfThatName) {
  EXPECT_EQ(integrator_names().size(), 4u);
  for (std::string_view name : integrator_names())
    EXPECT_EQ(make_integrator(name, {.fixed_step = 0.1})->name(), name);
}

TEST(IntegratorRegistry, UnknownNameIsRefusedWithTheNearest) {
  try {
    make_integrator("dop835", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "unknown integrator dop835");
    EXPECT_EQ(error.remedy(), "did you mean dop853?");
  }
}

TEST(IntegratorRegistry, TheStepIsAnOptionOfRk4) {
  OptionValues values;
  values.set("step", 0.1);
  EXPECT_EQ(integrators().make("rk4", values, {})->name(), "rk4");
  const IntegratorRegistry known = integrators();
  for (const IntegratorPart& part : known.entries())
    EXPECT_EQ(part.options.size(), part.name == "rk4" ? 1u : 0u) << part.name;
}

TEST(IntegratorRegistry, ImpossibleOptionsAreRefused) {
  EXPECT_THROW(make_integrator("dop853", {.relative_tolerance = -1.0}), InputError);
  EXPECT_THROW(make_integrator("dop853", {.absolute_tolerance = std::nan("")}), InputError);
  EXPECT_THROW(make_integrator("dop853", {.relative_tolerance = 0, .absolute_tolerance = 0}),
               InputError);
  EXPECT_THROW(make_integrator("dopri5", {.largest_step = -1.0}), InputError);
  EXPECT_THROW(make_integrator("rk4", {}), InputError);
}

}  // namespace
}  // namespace clack
