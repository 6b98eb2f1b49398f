#include "clack/model/reader.hpp"

#include <gtest/gtest.h>

namespace clack {
namespace {

TEST(Reader, WoodpeckerLoadsWithTheNamesOfItsContract) {
  const Model model = read_model(CLACK_SOURCE_DIR "/models/woodpecker/three-dof.yaml");
  ASSERT_EQ(model.coordinates.size(), 3u);
  EXPECT_EQ(model.coordinates[0].name, "y_M");
  EXPECT_EQ(model.speeds[2].name, "phi_S_dot");
  EXPECT_DOUBLE_EQ(model.coordinates[1].start, -0.0006 / 0.0058);
  EXPECT_EQ(model.contacts[0].name, "beak");
}

}  // namespace
}  // namespace clack
