// SPDX-License-Identifier: Apache-2.0
// The woodpecker toy as it is drawn against the toy by formulas: the same events.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "acceptance/run_support.hpp"

namespace clack::acceptance {
namespace {

struct NamedEvent {
  EventKind kind;
  double t = 0.0;
  std::set<std::string> contacts;
};

/// All events but the start and the end, with the names of the formula model.
std::vector<NamedEvent> named_events(const Trace& trace) {
  static const std::map<std::string, std::string> names{{"sleeve.right.v0/pole.e1", "LR"},
                                                        {"sleeve.right.v3/pole.e1", "UR"},
                                                        {"sleeve.left.v1/pole.e3", "LL"},
                                                        {"sleeve.left.v2/pole.e3", "UL"},
                                                        {"bird.beak.v0/pole.e1", "beak"}};
  std::vector<NamedEvent> found;
  for (const TraceEvent& event : trace.events) {
    if (event.contacts.empty()) continue;
    NamedEvent named{event.kind, event.t, {}};
    for (const int c : event.contacts) {
      const auto known = names.find(trace.contacts[c]);
      named.contacts.insert(known == names.end() ? trace.contacts[c] : known->second);
    }
    found.push_back(named);
  }
  return found;
}

// Both runs integrate to 1e-9 of the motion; what is left is drift and rounding, and behind an accumulation what its limit is known to.
void expect_same_toy(const std::string& beak) {
  const std::vector<Override> overrides{{"r_S", beak}, {"run.until", "3*0.1398"}};
  const Trace drawn = run_file("woodpecker/four-dof-polygons.yaml", overrides);
  const Trace formulas = run_file("woodpecker/four-dof.yaml", overrides);
  ASSERT_EQ(drawn.status, RunStatus::done) << drawn.reason;
  ASSERT_EQ(formulas.status, RunStatus::done) << formulas.reason;
  const auto mine = named_events(drawn), wanted = named_events(formulas);
  ASSERT_EQ(mine.size(), wanted.size());
  bool has_accumulated = false;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    SCOPED_TRACE(fmt::format("event {} at {} ms", k, 1e3 * wanted[k].t));
    EXPECT_EQ(to_string(mine[k].kind), to_string(wanted[k].kind));
    EXPECT_EQ(mine[k].contacts, wanted[k].contacts);
    EXPECT_NEAR(mine[k].t, wanted[k].t, has_accumulated ? 1e-6 : 1e-9);
    has_accumulated = has_accumulated || wanted[k].kind == EventKind::zeno;
  }
  EXPECT_TRUE(has_accumulated);
  EXPECT_LT(drawn.energy.ledger_error, 1e-8);
}

TEST(DrawnWoodpecker, HasTheEventsOfTheFormulas) { expect_same_toy("0.002"); }
TEST(DrawnWoodpecker, WithAPointedBeakToo) { expect_same_toy("0"); }

}  // namespace
}  // namespace clack::acceptance
