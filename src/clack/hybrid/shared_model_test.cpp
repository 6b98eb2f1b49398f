// SPDX-License-Identifier: Apache-2.0
// A Model is constant in a run: runs that share one, or that go on at the same time, give the bits
// of a run alone. Under the thread sanitizer (preset tsan) this test also shows that they share
// nothing that is written.
#include <bit>
#include <thread>

#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"
#include "clack/trace/json.hpp"

namespace clack {
namespace {

/// All that a run wrote, to the last bit.
struct Bits {
  std::vector<std::uint64_t> rows;
  std::string document;
  friend bool operator==(const Bits&, const Bits&) = default;
};

Bits bits_of_run(const Model& model) {
  const Trace trace = run(model);
  Bits bits;
  for (const double number : trace.rows) bits.rows.push_back(std::bit_cast<std::uint64_t>(number));
  bits.document = events_json(trace);
  return bits;
}

Model short_run(const std::string& file, const std::string& until,
                std::vector<Override> overrides = {}) {
  overrides.push_back({"run.until", until});
  return read_model(CLACK_SOURCE_DIR "/models/" + file, overrides);
}

/// Runs every model on a thread of its own.
std::vector<Bits> at_the_same_time(const std::vector<const Model*>& models) {
  std::vector<Bits> bits(models.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < models.size(); ++i)
    threads.emplace_back([&bits, &models, i] { bits[i] = bits_of_run(*models[i]); });
  for (std::thread& thread : threads) thread.join();
  return bits;
}

TEST(SharedModel, ASecondRunOfAModelFindsItAsTheFirstDid) {
  for (const char* file : {"woodpecker/four-dof.yaml", "rolling/sphere-3d.yaml"}) {
    const Model model = short_run(file, "0.1");
    const std::size_t formulas = model.graph->size();
    const Bits first = bits_of_run(model), second = bits_of_run(model);
    EXPECT_EQ(first, second) << file;
    EXPECT_FALSE(first.rows.empty());
    EXPECT_EQ(model.graph->size(), formulas) << file;
  }
}

TEST(SharedModel, FourRunsOfOneModelAtOnceGiveTheBitsOfOne) {
  const Model plane = short_run("woodpecker/four-dof.yaml", "0.1");
  const Model space = short_run("rolling/sphere-3d.yaml", "0.2");
  for (const Model* model : {&plane, &space}) {
    const Bits alone = bits_of_run(*model);
    for (const Bits& bits : at_the_same_time({model, model, model, model}))
      EXPECT_EQ(bits, alone) << model->file;
  }
}

TEST(SharedModel, RunsOfDifferentModelsAndTheoriesDoNotDisturbEachOther) {
  const Model poisson = short_run("rod/falling.yaml", "0.6", {{"run.theory", "poisson"}});
  const Model newton = short_run("rod/falling.yaml", "0.6", {{"run.theory", "newton"}});
  const Model block = short_run("projection/block.yaml", "0.5");
  const Model balls = short_run("billiards/break.yaml", "0.1");
  const std::vector<const Model*> models{&poisson, &newton, &block, &balls};
  std::vector<Bits> alone;
  for (const Model* model : models) alone.push_back(bits_of_run(*model));
  const std::vector<Bits> together = at_the_same_time(models);
  for (std::size_t i = 0; i < models.size(); ++i)
    EXPECT_EQ(together[i], alone[i]) << models[i]->file;
  EXPECT_NE(alone[0], alone[1]);  // the theories differ, so equality above says something
}

}  // namespace
}  // namespace clack
