// SPDX-License-Identifier: Apache-2.0
// Same input, same bits; and what must not matter does not: order, sampling, output options,
// threads, units, directions.
#include "acceptance/run_support.hpp"

namespace clack::acceptance::determinism {
namespace {

const std::string toy = "'" CLACK_SOURCE_DIR "/models/woodpecker/four-dof.yaml' --until 0.4";

TEST(Determinism, TwoRunsOfTheProgramWriteTheSameBytes) {
  const ProgramFolder folder;
  for (const char* name : {"woodpecker/four-dof.yaml --until 0.4", "rod/falling.yaml",
                           "slide-to-roll/slide-to-roll.yaml"}) {
    const std::string model = model_path(name);
    ASSERT_EQ(folder.clack("run " + model + " --out a").exit_code, 0) << name;
    ASSERT_EQ(folder.clack("run " + model + " --out b").exit_code, 0) << name;
    EXPECT_FALSE(folder.read("a/trace.csv").empty());
    EXPECT_EQ(folder.read("a/trace.csv"), folder.read("b/trace.csv")) << name;
    EXPECT_EQ(folder.read("a/events.json"), folder.read("b/events.json")) << name;
  }
}

TEST(Determinism, OutputOptionsAndThreadsDoNotReachTheNumbers) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.clack("run " + toy + " --out a").exit_code, 0);
  ASSERT_EQ(folder.clack("run " + toy + " --out b --hdf5 --threads 4 --json").exit_code, 0);
  EXPECT_EQ(folder.read("a/trace.csv"), folder.read("b/trace.csv"));
  EXPECT_EQ(folder.read("a/events.json"), folder.read("b/events.json"));
}

// Balls of a break hit in several islands at once: the model that gives threads something to share.
TEST(Determinism, ManyIslandsOnManyThreadsWriteTheSameBytes) {
  const ProgramFolder folder;
  const std::string model =
      "run '" + model_path("billiards/break.yaml") + "' --until 0.3 --threads ";
  ASSERT_EQ(folder.clack(model + "1 --out one").exit_code, 0);
  for (const char* threads : {"2", "3", "8"}) {
    ASSERT_EQ(folder.clack(model + threads + " --out many").exit_code, 0);
    EXPECT_EQ(folder.read("one/trace.csv"), folder.read("many/trace.csv")) << threads;
    EXPECT_EQ(folder.read("one/events.json"), folder.read("many/events.json")) << threads;
  }
}

TEST(Determinism, SamplingChangesNoEventAndNoFinalBit) {
  const auto sampled = [](const char* dt) {
    return run_file("woodpecker/four-dof.yaml", {{"run.until", "0.4"}, {"run.sample", dt}});
  };
  const Trace coarse = sampled("0.1"), fine = sampled("1e-4");
  ASSERT_EQ(coarse.events.size(), fine.events.size());
  for (std::size_t i = 0; i < coarse.events.size(); ++i)
    EXPECT_EQ(coarse.events[i].t, fine.events[i].t);
  EXPECT_EQ(coarse.final_q, fine.final_q);
  EXPECT_EQ(coarse.final_v, fine.final_v);
  EXPECT_GT(fine.row_count(), coarse.row_count());
}

TEST(Determinism, TheResolvedModelRunsToTheSameBits) {
  const ProgramFolder folder;
  ASSERT_EQ(folder.clack("run " + toy + " --set mu=0.35 --set phi_S_0=-0.3 --out a").exit_code, 0);
  ASSERT_EQ(folder.clack("run a/model.yaml --out b").exit_code, 0);
  EXPECT_EQ(folder.read("a/trace.csv"), folder.read("b/trace.csv"));
}

/// Two disks and a rod on a floor, in a given order of bodies and contacts.
Trace scene(bool is_swapped, const std::string& gravity = "[0, -9.81]",
            const std::string& normal = "[0, 1]", double turn = 0.0, double unit = 1.0) {
  const double c = std::cos(turn), s = std::sin(turn);
  const auto at = [&](double x, double y) {
    return fmt::format("[{}, {}]", exact(unit * (c * x - s * y)), exact(unit * (s * x + c * y)));
  };
  const std::string disk = fmt::format(
      "  disk: {{mass: 1, inertia: {}, position: {}, velocity: {}, spin: 5, shape: {{disk: "
      "{{radius: {}}}}}}}\n",
      exact(0.02 * unit * unit), at(0, 0.5), at(0.7, 0), exact(0.2 * unit));
  const std::string rod = fmt::format(
      "  rod: {{mass: 0.5, inertia: {0}, position: {1}, angle: {2}, points: {{l: [{3}, 0], r: "
      "[{4}, 0]}}}}\n",
      exact(0.04 * unit * unit), at(3, 0.6), exact(0.3 + turn), exact(-0.5 * unit),
      exact(0.5 * unit));
  const std::string floor =
      "  floor: {fixed: true, shape: {half-plane: {normal: " + normal + "}}}\n";
  const std::string how = ", friction: 0.3, restitution: 0.4}\n";
  const std::string a = "  d: {between: [disk, floor]" + how,
                    l = "  l: {between: [rod.l, floor]" + how,
                    r = "  r: {between: [rod.r, floor]" + how;
  return run_text("clack: 1\ngravity: " + gravity + "\nbodies:\n" +
                  (is_swapped ? rod + floor + disk : disk + rod + floor) + "contacts:\n" +
                  (is_swapped ? r + a + l : a + l + r) + "run: {until: 0.8, tolerance: 1e-12}\n");
}

/// Final values by name, and the same events, to within `tolerance`.
void expect_same_motion(const Trace& first, const Trace& second, double tolerance) {
  ASSERT_EQ(first.status, RunStatus::done) << first.reason;
  ASSERT_EQ(second.status, RunStatus::done) << second.reason;
  for (const std::string& name : first.coordinates)
    EXPECT_NEAR(final_value(first, name), final_value(second, name), tolerance) << name;
  ASSERT_EQ(first.impacts.size(), second.impacts.size());
  for (std::size_t i = 0; i < first.impacts.size(); ++i)
    EXPECT_NEAR(first.impacts[i].t, second.impacts[i].t, tolerance);
}

TEST(Invariance, OrderOfBodiesAndContactsChangesOnlyRounding) {
  expect_same_motion(scene(false), scene(true), 1e-9);
}

TEST(Invariance, ATurnedSceneMovesTurned) {
  const double turn = 0.6;
  const Trace straight = scene(false);
  const Trace turned =
      scene(false, "[9.81*sin(0.6), -9.81*cos(0.6)]", "[-sin(0.6), cos(0.6)]", turn);
  ASSERT_EQ(turned.status, RunStatus::done) << turned.reason;
  const double x = final_value(straight, "rod.x"), y = final_value(straight, "rod.y");
  EXPECT_NEAR(final_value(turned, "rod.x"), x * std::cos(turn) - y * std::sin(turn), 1e-9);
  EXPECT_NEAR(final_value(turned, "rod.y"), x * std::sin(turn) + y * std::cos(turn), 1e-9);
  EXPECT_NEAR(final_value(turned, "rod.angle"), final_value(straight, "rod.angle") + turn, 1e-9);
  EXPECT_NEAR(final_value(turned, "disk.angle"), final_value(straight, "disk.angle"), 1e-9);
  // How long the tail of an accumulation is seen depends on rounding of the turned coordinates;
  // what comes before it does not.
  const auto strong = [](const Trace& trace) {
    return std::count_if(trace.impacts.begin(), trace.impacts.end(), [](const TraceImpact& impact) {
      return impact.energy_before - impact.energy_after > 1e-9;
    });
  };
  EXPECT_EQ(strong(straight), strong(turned));
}

TEST(Invariance, LengthsInMillimetresGiveTheSameTimesAndAngles) {
  const Trace metres = scene(false);
  const Trace millimetres = scene(false, "[0, -9810]", "[0, 1]", 0.0, 1000.0);
  ASSERT_EQ(millimetres.status, RunStatus::done) << millimetres.reason;
  EXPECT_NEAR(final_value(millimetres, "rod.x") / 1000, final_value(metres, "rod.x"), 1e-8);
  EXPECT_NEAR(final_value(millimetres, "rod.angle"), final_value(metres, "rod.angle"), 1e-8);
  ASSERT_EQ(metres.impacts.size(), millimetres.impacts.size());
  for (std::size_t i = 0; i < metres.impacts.size(); ++i)
    EXPECT_NEAR(metres.impacts[i].t, millimetres.impacts[i].t, 1e-8);
}

TEST(Invariance, OrderOfTheWoodpeckersContactsChangesOnlyRounding) {
  std::ifstream stream(model_path("woodpecker/four-dof.yaml"));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  // Move the last contact (UL) to the front.
  const std::size_t contacts = text.find("contacts:\n") + 10, last = text.find("  UL:\n"),
                    end = text.find("\ncycle:");
  ASSERT_NE(last, std::string::npos);
  const std::string moved = text.substr(0, contacts) + text.substr(last, end - last) +
                            text.substr(contacts, last - contacts) + text.substr(end);
  const std::vector<Override> settings = {{"run.until", "0.12"}, {"run.tolerance", "1e-12"}};
  const Trace plain = run_text(text, settings), swapped = run_text(moved, settings);
  EXPECT_EQ(swapped.contacts[0], "UL");
  ASSERT_EQ(plain.events.size(), swapped.events.size());
  for (std::size_t i = 0; i < plain.events.size(); ++i)
    EXPECT_NEAR(plain.events[i].t, swapped.events[i].t, 1e-9);
  for (std::size_t i = 0; i < plain.final_q.size(); ++i)
    EXPECT_NEAR(plain.final_q[i], swapped.final_q[i], 1e-9);
}

}  // namespace
}  // namespace clack::acceptance::determinism
