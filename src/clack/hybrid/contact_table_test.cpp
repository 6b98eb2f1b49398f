// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/contact_table.hpp"

#include <gtest/gtest.h>

#include "clack/hybrid/run.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

const char* const tilted_box = R"(clack: 1
gravity: [0, -9.81]
bodies:
  box: {mass: 1, inertia: 0.1, position: [0, 2], angle: 0.3, shape: {box: {width: 1, height: 0.5}}, points: {hook: [0, 1]}}
  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
contacts:
  pair: {between: [box, floor], friction: 0.3, restitution: 0.2}
  hook: {between: [box.hook, floor]}
run: {until: 1.5}
)";

// The pair stands first in the model; its contacts are numbered after the fixed one, as they touch.
TEST(ContactTable, NumbersFixedContactsFirstAndPairsAsTheyTouch) {
  const Model model = read_model_text(tilted_box, "box.yaml");
  ContactTable table(model);
  EXPECT_EQ(table.number({.source = SourceIndex(1)}), 0);
  const ContactSet corners = possible_contacts(model, SourceIndex(0));
  EXPECT_EQ(table.number(corners[2]), 1);
  EXPECT_EQ(table.number(corners[0]), 2);
  EXPECT_EQ(table.number(corners[2]), 1);
}

TEST(ContactTable, ARunOfAPlanarBoxHasColumnsPerPairAndRowsPerContact) {
  const Trace trace = run(read_model_text(tilted_box, "box.yaml"));
  ASSERT_EQ(trace.status, RunStatus::done) << trace.reason;
  ASSERT_GE(trace.contacts.size(), 2u);
  EXPECT_EQ(trace.contacts[0], "hook");
  EXPECT_EQ(trace.contacts[1], "pair.bottom_left");  // the lower corner of a box turned to the left
  EXPECT_EQ(trace.pairs, std::vector<std::string>{"pair"});
  const auto column = [&](const std::string& name) {
    return std::find(trace.columns.begin(), trace.columns.end(), name) - trace.columns.begin();
  };
  const auto normal = column("normal_pair"), gap = column("gap_pair");
  ASSERT_LT(normal, static_cast<std::ptrdiff_t>(trace.columns.size()));
  EXPECT_EQ(column("normal_pair.bottom_left"), static_cast<std::ptrdiff_t>(trace.columns.size()));
  // At the end the box lies on two corners: their forces add up to its weight.
  const double* last = trace.rows.data() + (trace.row_count() - 1) * trace.columns.size();
  EXPECT_NEAR(last[normal], 9.81, 1e-9);
  EXPECT_NEAR(last[gap], 0.0, 1e-9);
  double sum = 0.0;
  int count = 0;
  for (const ContactRow& row : trace.contact_rows)
    if (row.t == last[0]) {
      sum += row.normal;
      ++count;
      EXPECT_NEAR(row.point[1], 0.0, 1e-9);
      EXPECT_EQ(row.direction[1], 1.0);
    }
  EXPECT_EQ(count, 2);
  EXPECT_NEAR(sum, 9.81, 1e-9);
}

}  // namespace
}  // namespace clack
