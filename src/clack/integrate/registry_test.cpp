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

TEST(IntegratorRegistry, UnknownNameIsRefusedWithTheKnownAndTheNearest) {
  try {
    make_integrator("dop835", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("dop853, dopri5, rk4, cvode"), std::string::npos);
    EXPECT_NE(error.remedy().find("dop853"), std::string::npos);
  }
}

TEST(IntegratorRegistry, IdaIsRefusedWithCvodeAsTheWayOut) {
  try {
    make_integrator("ida", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.remedy().find("cvode"), std::string::npos);
  }
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
