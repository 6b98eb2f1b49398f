// SPDX-License-Identifier: Apache-2.0
#include "clack/model/repeat.hpp"

#include <gtest/gtest.h>

#include "clack/model/reader.hpp"

namespace clack {
namespace {

std::vector<std::string> keys_of(const std::string& yaml) {
  symbolic::Graph graph;
  FormulaReader formulas(graph, "f");
  yaml::Node section = yaml::parse(yaml, "f");
  symbolic::Names names;
  names.resolve = [&](std::string_view name) {
    return name == "n" ? graph.number(4) : Expression{};
  };
  expand_repeats(section, "things", formulas, names);
  std::vector<std::string> keys;
  for (const yaml::Entry& entry : section.entries)
    keys.push_back(entry.key + "=" + entry.value.find("x")->text);
  return keys;
}

using Texts = std::vector<std::string>;

TEST(Repeat, WritesTheIndexIntoNamesAndFormulas) {
  EXPECT_EQ(keys_of("first: {x: 0}\n"
                    "\"b{i}\": {x: \"2*{i} + {i-1}\", repeat: {count: 2, as: i}}\n"
                    "last: {x: 9}\n"),
            (Texts{"first=0", "b1=2*1 + 0", "b2=2*2 + 1", "last=9"}));
}

TEST(Repeat, CountsAreFormulasOfParameters) {
  EXPECT_EQ(keys_of("\"{i}{i+1}\": {x: q, repeat: {count: n - 1, as: i}}"),
            (Texts{"12=q", "23=q", "34=q"}));
  EXPECT_EQ(keys_of("\"b{i}\": {x: q, repeat: {from: 0, to: n - 3, as: i}}"),
            (Texts{"b0=q", "b1=q"}));
  EXPECT_EQ(keys_of("\"b{i}\": {x: q, repeat: {count: 0, as: i}}"), Texts{});
}

TEST(Repeat, NestedLoopsMakeAllPairs) {
  EXPECT_EQ(
      keys_of(
          "\"{i}-{j}\": {x: q, repeat: [{count: n - 2, as: i}, {from: i + 1, to: n - 1, as: j}]}"),
      (Texts{"1-2=q", "1-3=q", "2-3=q"}));
}

TEST(Repeat, MakesAColumnOfBallsWithMassesOfTheirOwn) {
  const std::string yaml = R"(
clack: 1
parameters: {n: 3, "m{i}": {value: "{i}/10", repeat: {count: n, as: i}}}
bodies:
  ground: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}
  ball{i}: {mass: "m{i}", inertia: 1, position: [0, "2*{i}"], shape: {disk: {radius: 0.5}}, repeat: {count: n, as: i}}
contacts:
  ground: {between: [ball1, ground]}
  "{i}{i+1}": {between: ["ball{i+1}", "ball{i}"], repeat: {count: n - 1, as: i}}
)";
  const Model model = read_model_text(yaml, "m.yaml", {{"n", "4"}, {"m2", "7"}});
  ASSERT_EQ(model.bodies.size(), 5u);
  EXPECT_EQ(model.bodies[BodyIndex(2)].mass, 7.0);
  EXPECT_EQ(model.bodies[BodyIndex(4)].mass, 0.4);
  EXPECT_EQ(model.coordinates[10].name, "ball4.y");
  EXPECT_EQ(model.coordinates[10].start, 8.0);
  ASSERT_EQ(model.contacts.size(), 4u);
  EXPECT_EQ(model.contacts[SourceIndex(3)].name, "34");
  EXPECT_EQ(model.contacts[SourceIndex(3)].between()->first.body, BodyIndex(4));
  EXPECT_EQ(read_model_text(model.resolved_yaml, "r.yaml").bodies[BodyIndex(2)].mass, 7.0);
}

}  // namespace
}  // namespace clack
