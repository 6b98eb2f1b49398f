// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/visited.hpp"

#include "clack/automaton/automaton_export.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"

namespace clack {
namespace {

struct VisitedRun {
  Model model;
  Trace trace;
  Automaton automaton;
};

VisitedRun visit_model(const std::string& name, const std::vector<Override>& overrides = {}) {
  VisitedRun visited;
  visited.model = read_model(CLACK_SOURCE_DIR "/models/" + name, overrides);
  RunOptions options;
  options.node_trace = true;
  visited.trace = run(visited.model, options);
  visited.automaton = visited_automaton(contact_list(visited.model), visited.trace);
  return visited;
}

long edge_count(const Automaton& a, std::string_view family, std::string_view from,
                std::string_view to) {
  for (const AutomatonEdge& edge : a.edges)
    if (to_string(edge.family) == family && place_name(a, edge.from) == from &&
        place_name(a, edge.to) == to)
      return edge.count;
  return 0;
}

/// What holds for every run: intervals follow each other, dwell times add up, every edge but events
/// is of the complete automaton.
void expect_is_an_execution(const VisitedRun& visited) {
  const Automaton& a = visited.automaton;
  double total = 0.0;
  long visits = 0;
  for (const AutomatonLocation& location : a.locations) total += location.time;
  for (const AutomatonLocation& location : a.locations) visits += location.visits;
  EXPECT_NEAR(total, visited.trace.final_time, 1e-9 * visited.trace.final_time);
  for (std::size_t i = 0; i + 1 < a.execution.size(); ++i) {
    EXPECT_LE(a.execution[i].begin, a.execution[i].end);
    EXPECT_LE(a.execution[i].end, a.execution[i + 1].begin);
  }
  const Automaton complete = build_automaton(a.list);
  std::set<std::tuple<EdgeFamily, std::string, std::string>> known;
  for (const AutomatonEdge& edge : complete.edges)
    known.insert({edge.family, place_name(complete, edge.from), place_name(complete, edge.to)});
  for (const AutomatonEdge& edge : a.edges) {
    if (edge.family == EdgeFamily::chain || edge.family == EdgeFamily::event) continue;
    EXPECT_EQ(known.count({edge.family, place_name(a, edge.from), place_name(a, edge.to)}), 1U)
        << to_string(edge.family) << " " << place_name(a, edge.from) << " "
        << place_name(a, edge.to);
  }
}

TEST(VisitedAutomaton, BouncingBallFliesAndComesToRest) {
  const VisitedRun visited = visit_model("bouncing-ball/bouncing-ball.yaml");
  expect_is_an_execution(visited);
  const Automaton& a = visited.automaton;
  const auto impacts = static_cast<long>(visited.trace.impacts.size());
  // One more at the accumulation time, with zero impulse and on to the contact node.
  EXPECT_EQ(edge_count(a, "F6", "S_0", "I_1"), impacts + 1);
  EXPECT_EQ(edge_count(a, "F1", "I_1", "C_1"), 1);
  EXPECT_EQ(edge_count(a, "F8", "I_1", "S_0"), impacts);
  EXPECT_EQ(edge_count(a, "F4", "C_1", "s_1,3"),
            1);  // slip: without friction, at the accumulation time
  // Accumulation at 4.0637 s (docs/tasks/automaton.md), rest until 5 s.
  for (const AutomatonLocation& location : a.locations)
    EXPECT_NEAR(location.time,
                location.vertex == VertexIndex{0} ? 4.063712768871578 : 5 - 4.063712768871578,
                1e-6);
}

TEST(VisitedAutomaton, WoodpeckerVisitsAFewOfItsLocations) {
  const VisitedRun visited = visit_model("woodpecker/three-dof.yaml");
  expect_is_an_execution(visited);
  const Automaton& a = visited.automaton;
  EXPECT_EQ(a.counts.locations, NaturalNumber(64));
  EXPECT_LT(a.locations.size(), 20U);
  EXPECT_GE(a.vertices.size(), 3);
  long impacts = 0;
  for (const AutomatonNode& node : a.nodes)
    if (node.kind == PlaceKind::impact_node) impacts += node.visits;
  EXPECT_GE(impacts, static_cast<long>(visited.trace.impacts.size()));
  std::string text;
  write_automaton_json(a, {}, [&text](std::string_view part) { text += part; });
  const nlohmann::json json = nlohmann::json::parse(text);
  EXPECT_TRUE(json.at("visited"));
  EXPECT_EQ(json.at("execution").size(), a.execution.size());
  EXPECT_GT(json.at("locations").at(0).at("visits"), 0);
}

TEST(VisitedAutomaton, SlidingBallPassesThroughItsContactNode) {
  const VisitedRun visited = visit_model("slide-to-roll/slide-to-roll.yaml");
  expect_is_an_execution(visited);
  EXPECT_EQ(edge_count(visited.automaton, "F3", "s_1,3", "C_1"),
            1);  // slip -> C -> stick (docs/tasks/automaton.md)
  EXPECT_EQ(edge_count(visited.automaton, "F4", "C_1", "s_1,1"), 1);
}

TEST(VisitedAutomaton, ShowsTheTransitionInstantOfABallOnASteepSlope) {
  const VisitedRun visited = visit_model("incline/sphere.yaml", {{"angle", "pi/3"}, {"mu", "0.3"}});
  expect_is_an_execution(visited);
  EXPECT_EQ(edge_count(visited.automaton, "F4", "C_1", "s_1,2"),
            1);  // trans, then slip (docs/tasks/automaton.md)
  EXPECT_EQ(edge_count(visited.automaton, "F5", "s_1,2", "s_1,3"), 1);
}

TEST(VisitedAutomaton, NumbersVerticesByVisitWhenTheCompleteGraphIsTooLarge) {
  const VisitedRun visited = visit_model("woodpecker/three-dof.yaml", {{"run.until", "0.2"}});
  const Automaton by_visit = visited_automaton(contact_list(visited.model), visited.trace, 10);
  EXPECT_EQ(by_visit.locations.size(), visited.automaton.locations.size());
  std::set<int> ids;
  for (const AutomatonVertex& vertex : by_visit.vertices) EXPECT_TRUE(ids.insert(vertex.id).second);
  EXPECT_LE(*ids.rbegin(), by_visit.vertices.size());
}

}  // namespace
}  // namespace clack
