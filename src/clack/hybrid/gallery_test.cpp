// SPDX-License-Identifier: Apache-2.0
// The models of the gallery, read with all parts of this program and their options.
#include <gtest/gtest.h>

#include <filesystem>

#include "clack/error.hpp"
#include "clack/hybrid/theory.hpp"

namespace clack {
namespace {

TEST(GalleryModels, LoadAndReadBackTheSameAsTheyAreResolved) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(CLACK_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".yaml") continue;
    ++count;
    try {
      const Model model = load_model(entry.path().string());
      EXPECT_GT(model.run.until, 0.0);
      EXPECT_FALSE(model.about.empty()) << entry.path();
      const Model again = load_model_text(model.resolved_yaml, "resolved.yaml");
      EXPECT_EQ(again.resolved_yaml, model.resolved_yaml) << entry.path();
      ASSERT_EQ(again.coordinates.size(), model.coordinates.size());
      for (std::size_t k = 0; k < model.coordinates.size(); ++k)
        EXPECT_EQ(again.coordinates[k].start, model.coordinates[k].start) << entry.path();
      for (std::size_t k = 0; k < model.speeds.size(); ++k)
        EXPECT_EQ(again.speeds[k].start, model.speeds[k].start) << entry.path();
    } catch (const InputError& e) {
      ADD_FAILURE() << e.what() << " (" << e.where() << ") " << e.remedy();
    }
  }
  EXPECT_GE(count, 20);
}

}  // namespace
}  // namespace clack
