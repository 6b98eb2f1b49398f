// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "clack/error.hpp"
#include "clack/impact/law.hpp"

namespace clack {
namespace {

TEST(ImpactLaws, AreFoundByName) {
  for (const auto name : impact_law_names()) EXPECT_EQ(make_impact_law(name)->name(), name);
}

TEST(ImpactLaws, UnknownNamesNameTheNearest) {
  try {
    (void)make_impact_law("poison");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(e.remedy().find("poisson"), std::string::npos);
  }
  try {
    (void)make_impact_law("xyzzy");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(e.remedy().find("known impact laws: "), std::string::npos);
  }
}

}  // namespace
}  // namespace clack
