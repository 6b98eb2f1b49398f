// SPDX-License-Identifier: Apache-2.0
// A run is an object: cut, saved, restored and cloned it gives the bits of one that is left alone.
#include "clack/hybrid/run.hpp"

#include <gtest/gtest.h>

#include <random>

#include "clack/error.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

Model gallery_model(const std::string& name, double until, const std::string& integrator) {
  std::vector<Override> overrides = {{"run.integrator", integrator}};
  if (integrator == "rk4") overrides.push_back({"run.step", std::to_string(until / 500.0)});
  Model model = load_model(CLACK_SOURCE_DIR "/models/" + name, overrides);
  model.run.until = std::min(model.run.until, until);
  return model;
}

void expect_equal_events(const std::vector<TraceEvent>& a, const std::vector<TraceEvent>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].t, b[i].t) << i;
    EXPECT_EQ(a[i].kind, b[i].kind) << i;
    EXPECT_EQ(a[i].contacts, b[i].contacts) << i;
    EXPECT_EQ(a[i].label, b[i].label) << i;
    EXPECT_EQ(a[i].iterations, b[i].iterations) << i;
    EXPECT_EQ(a[i].residual, b[i].residual) << i;
    EXPECT_EQ(a[i].drift, b[i].drift) << i;
    ASSERT_EQ(a[i].changes.size(), b[i].changes.size()) << i;
    for (std::size_t c = 0; c < a[i].changes.size(); ++c) {
      EXPECT_EQ(a[i].changes[c].contact, b[i].changes[c].contact) << i;
      EXPECT_EQ(a[i].changes[c].from, b[i].changes[c].from) << i;
      EXPECT_EQ(a[i].changes[c].to, b[i].changes[c].to) << i;
    }
  }
}

/// Bit for bit: what was recorded, where it ended, and the ledger.
void expect_equal_traces(const Trace& a, const Trace& b) {
  expect_equal_events(a.events, b.events);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.impacts.size(), b.impacts.size());
  EXPECT_EQ(a.final_time, b.final_time);
  EXPECT_EQ(a.final_q, b.final_q);
  EXPECT_EQ(a.final_v, b.final_v);
  EXPECT_EQ(a.reason, b.reason);
  EXPECT_EQ(a.energy.final, b.energy.final);
  EXPECT_EQ(a.energy.work_of_friction, b.energy.work_of_friction);
  EXPECT_EQ(a.energy.work_of_impacts, b.energy.work_of_impacts);
  EXPECT_EQ(a.energy.corrections, b.energy.corrections);
  EXPECT_EQ(a.energy.ledger_error, b.energy.ledger_error);
  EXPECT_EQ(a.counts.steps, b.counts.steps);
}

/// Puts what a piece of a run recorded behind the pieces before.
void append(Trace& whole, const Trace& piece) {
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(whole.events, piece.events);
  add(whole.rows, piece.rows);
  add(whole.impacts, piece.impacts);
  whole.final_time = piece.final_time;
  whole.final_q = piece.final_q;
  whole.final_v = piece.final_v;
  whole.reason = piece.reason;
  whole.energy = piece.energy;
  whole.counts = piece.counts;
}

/// The run in pieces: at every instant it is looked at, saved, and a fresh one goes on from there.
Trace run_in_pieces(const Model& model, const std::vector<double>& cuts) {
  Trace whole;
  auto piece = std::make_unique<Run>(model);
  for (const double t : cuts) {
    piece->advance_to(t);
    if (!piece->is_over()) {
      EXPECT_EQ(piece->time(), t);
      EXPECT_EQ(piece->look().t, t);
    }
    if (piece->is_over()) break;
    append(whole, piece->trace());
    const SavedRun saved = piece->save();
    piece = std::make_unique<Run>(model);
    piece->restore(saved);
  }
  piece->advance_to_end();
  append(whole, piece->trace());
  return whole;
}

struct Case {
  const char *model, *integrator;
  double until;
  int cuts;
};

TEST(SavedRun, EqualsTheUncutRunBitForBitAtAThousandRandomInstants) {
  const Case cases[] = {
      {"bouncing-ball/bouncing-ball.yaml", "dop853", 3.0, 100},
      {"woodpecker/three-dof.yaml", "dop853", 1.0, 150},
      {"woodpecker/four-dof.yaml", "dopri5", 0.5, 100},
      {"rod/falling.yaml", "dop853", 3.0, 100},
      {"block/tumbling.yaml", "dopri5", 2.0, 100},
      {"pendulum-wall/pendulum-wall.yaml", "rk4", 2.0, 100},
      {"rolling/sphere-3d.yaml", "dop853", 2.0, 100},
      {"incline/sphere.yaml", "dopri5", 1.0, 50},
      {"column/column.yaml", "dop853", 1.0, 50},
      {"billiards/break.yaml", "dop853", 1.0, 50},
      {"projection/cranks.yaml", "dop853", 1.0, 50},
      {"projection/biped.yaml", "dop853", 1.0, 50},
      {"slide-to-roll/slide-to-roll.yaml", "rk4", 2.0, 50},
  };
  std::mt19937_64 random(9);
  int instants = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.model) + " with " + c.integrator);
    const Model model = gallery_model(c.model, c.until, c.integrator);
    std::uniform_real_distribution<double> time(0.0, model.run.until);
    std::vector<double> cuts;
    for (int i = 0; i < c.cuts; ++i) cuts.push_back(time(random));
    std::sort(cuts.begin(), cuts.end());
    instants += c.cuts;
    expect_equal_traces(run_in_pieces(model, cuts), run(model));
  }
  EXPECT_GE(instants, 1000);
}

TEST(SavedRun, EqualsTheUncutRunWhenItIsCutExactlyAtEvents) {
  const Model model = gallery_model("woodpecker/three-dof.yaml", 0.5, "dop853");
  const Trace uncut = run(model);
  std::vector<double> cuts;
  for (const TraceEvent& event : uncut.events)
    if (cuts.empty() || event.t > cuts.back()) cuts.push_back(event.t);
  cuts.pop_back();  // the end
  ASSERT_GT(cuts.size(), 10U);
  expect_equal_traces(run_in_pieces(model, cuts), uncut);
}

TEST(SavedRun, CanBeRestoredAgainAndAgainIntoTheSameRun) {
  const Model model = gallery_model("rod/falling.yaml", 2.0, "dop853");
  clack::Run reference(model);
  reference.advance_to(0.3);
  const SavedRun saved = reference.save();
  reference.advance_to_end();
  clack::Run other(model);
  for (int round = 0; round < 3; ++round) {
    other.restore(saved);
    EXPECT_EQ(other.time(), 0.3);
    other.advance_to_end();
    EXPECT_EQ(other.trace().final_q, reference.trace().final_q);
    EXPECT_EQ(other.trace().final_v, reference.trace().final_v);
  }
}

TEST(SavedRun, WithCvodeIsRefusedWithASentence) {
  const Model model = gallery_model("bouncing-ball/bouncing-ball.yaml", 1.0, "cvode");
  clack::Run run(model);
  run.advance_to(0.1);
  try {
    static_cast<void>(run.save());
    FAIL() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cvode"), std::string::npos);
    EXPECT_FALSE(error.remedy().empty());
  }
}

TEST(RunObject, AdvancedInSmallTicksEqualsTheUncutRun) {
  const Model model = gallery_model("woodpecker/three-dof.yaml", 0.4, "dop853");
  clack::Run ticking(model);
  for (int i = 1; !ticking.is_over(); ++i) ticking.advance_to(1e-3 * i);
  expect_equal_traces(ticking.trace(), run(model));
}

TEST(RunObject, ClonesGoOnAlikeAndLeaveTheirOriginalAlone) {
  const Model model = gallery_model("woodpecker/three-dof.yaml", 0.4, "dop853");
  clack::Run original(model);
  original.advance_to(0.2);
  const auto twin = original.clone();
  twin->advance_to_end();
  EXPECT_EQ(original.time(), 0.2);
  original.advance_to_end();
  expect_equal_traces(twin->trace(), original.trace());
  expect_equal_traces(original.trace(), run(model));
}

TEST(RunObject, StopsAtEveryInstantOnItsWay) {
  const Model model = gallery_model("bouncing-ball/bouncing-ball.yaml", 3.0, "dop853");
  const Trace uncut = run(model);
  clack::Run stepping(model);
  std::vector<double> instants;
  while (stepping.advance_to_next_event()) instants.push_back(stepping.time());
  std::vector<double> expected;  // the ball is thrown at 0, which is over when the run exists
  for (const TraceEvent& event : uncut.events)
    if (event.kind == EventKind::impact) expected.push_back(event.t);
  ASSERT_GT(expected.size(), 2U);
  for (std::size_t i = 0; i + 1 < expected.size(); ++i) EXPECT_EQ(instants[i], expected[i]) << i;
}

const char* const block_at_rest = R"(clack: 1
dimension: 2
gravity: [0, -10]
bodies:
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
  block: {mass: 3, inertia: 1, position: [0, 0], points: {foot: [0, 0]}}
forces: [{on: block, force: [4, 0]}]
contacts: {foot: {between: [block.foot, floor], friction: 0.5}}
run: {until: 1}
)";

TEST(RunObject, ShowsForcesAndStatusesWithoutBeingDisturbed) {
  const Model model = read_model_text(block_at_rest, "block.yaml");
  clack::Run run(model);
  run.advance_to(0.37);
  const RunView view = run.look();
  EXPECT_EQ(view.t, 0.37);
  ASSERT_EQ(view.contacts.size(), 1U);
  EXPECT_EQ(view.contacts[0].status, ContactStatus::stick);
  EXPECT_NEAR(view.contacts[0].normal_force, 30.0, 1e-12);       // m g
  EXPECT_NEAR(view.contacts[0].friction_force[0], -4.0, 1e-12);  // against the push
  EXPECT_NEAR(view.q[0], 0.0, 1e-12);
  run.advance_to(0.1);  // is over: nothing happens
  EXPECT_EQ(run.time(), 0.37);
}

TEST(RunObject, ThatWasStoppedSaysWhyAndStaysSoWhenRestored) {
  const Model model = read_model(CLACK_SOURCE_DIR "/models/rod/painleve.yaml");
  clack::Run run(model);
  run.advance_to_end();
  ASSERT_TRUE(run.stop().has_value());
  EXPECT_NE(run.stop()->reason.find("no admissible forces"), std::string::npos);
  clack::Run other(model);
  other.restore(run.save());
  EXPECT_TRUE(other.is_over());
  EXPECT_EQ(other.stop()->reason, run.stop()->reason);
}

}  // namespace
}  // namespace clack
