// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/mode_flow.hpp"

#include <gtest/gtest.h>

#include "clack/hybrid/run.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

Model crank(const std::string& formulation, const std::string& more = "") {
  return load_model_text(
      "clack: 1\nname: crank\ndimension: 2\ngravity: [0, -9.8]\nparameters: {p0: "
      "-asin(0.3*sin(0.5)), pd0: "
      "-0.3*cos(0.5)*9/cos(p0)}\ncoordinates:\n  th: {start: 0.5, rate: 9}\n  ph: {start: p0, "
      "rate: pd0}\n"
      "  x: {start: 0.3*cos(0.5) + cos(p0), rate: -0.3*sin(0.5)*9 - sin(p0)*pd0}\nbodies:\n"
      "  crank: {mass: 1, inertia: 0.01, position: [0.15*cos(th), 0.15*sin(th)], angle: th}\n"
      "  rod: {mass: 2, inertia: 0.2, position: [0.3*cos(th) + 0.5*cos(ph), 0.3*sin(th) + "
      "0.5*sin(ph)], angle: ph}\n"
      "  slider: {mass: 5, position: [x, 0]}\nconstraints:\n"
      "  loop: {configuration: [0.3*cos(th) + cos(ph) - x, 0.3*sin(th) + sin(ph)]}\n" +
          more + "run: {until: 2, theory: embedding, formulation: " + formulation + "}\n",
      "crank.yaml");
}

// Between steps as well: dense output is completed by the rows.
TEST(ModeFlow, SpeedsKeepTheConstraintsAtEveryTime) {
  const Model model = crank("embedding");
  clack::Run run(model);
  for (double t = 0.013; t < 2.0; t += 0.0171) {
    run.advance_to(t);
    const RunView view = run.look();
    const double th = view.q[0], ph = view.q[1];
    EXPECT_NEAR(-0.3 * std::sin(th) * view.v[0] - std::sin(ph) * view.v[1] - view.v[2], 0.0, 1e-14);
    EXPECT_NEAR(0.3 * std::cos(th) * view.v[0] + std::cos(ph) * view.v[1], 0.0, 1e-14);
  }
}

TEST(ModeFlow, SavedRunsGoOnToTheLastBit) {
  const Model model = crank("embedding");
  clack::Run whole(model);
  whole.advance_to_end();
  for (const double cut : {0.2, 0.61, 1.1, 1.7}) {
    clack::Run first(model), second(model);
    first.advance_to(cut);
    second.restore(first.save());
    second.advance_to_end();
    EXPECT_EQ(second.trace().final_q, whole.trace().final_q) << cut;
    EXPECT_EQ(second.trace().final_v, whole.trace().final_v) << cut;
  }
}

// Off and on at one instant: nothing happens to the motion.
TEST(ModeFlow, SwitchesOffAndOnAtOneInstantChangeNothing) {
  const std::string events =
      "events:\n  - {name: blink, when: t - 0.5, do: [{constraint_off: loop}, {constraint_on: "
      "loop}]}\n";
  const Model plain = crank("embedding"), switched = crank("embedding", events);
  clack::Run one(plain), other(switched);
  one.advance_to_end();
  other.advance_to_end();
  ASSERT_EQ(other.trace().status, RunStatus::done) << other.trace().reason;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(
        one.trace().final_q[i], other.trace().final_q[i],
        1e-7 *
            std::max(1.0, std::abs(one.trace().final_q[i])));  // the steps differ after the blink
}

}  // namespace
}  // namespace clack
