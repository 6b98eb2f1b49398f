// SPDX-License-Identifier: Apache-2.0
#include "clack/symbolic/nearest_name.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace clack::symbolic {
namespace {

const std::vector<std::string> names{"mass", "length", "phi_M", "phi_S", "sin"};

TEST(NearestName, FindsSlipsOfTheFinger) {
  EXPECT_EQ(nearest_name("mas", names), "mass");
  EXPECT_EQ(nearest_name("lenght", names), "length");
  EXPECT_EQ(nearest_name("phi_s", names), "phi_S");
  EXPECT_EQ(nearest_name("sni", names), "sin");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("temperature", names), "");
  EXPECT_EQ(nearest_name("", {}), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'm'), names), "");
}

}  // namespace
}  // namespace clack::symbolic
