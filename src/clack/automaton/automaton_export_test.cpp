// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/automaton_export.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace clack {
namespace {

std::string exported(const Automaton& automaton, const ExportOptions& options,
                     void (*write)(const Automaton&, const ExportOptions&, const TextSink&)) {
  std::string text;
  write(automaton, options, [&text](std::string_view part) { text += part; });
  return text;
}

Automaton listed_balls() { return build_automaton({{"a", "b", "c"}, {"ab", "ac", "bc"}, {}}); }

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST(AutomatonJson, HasTheKeysOfTheContractAndEveryEdgeEndsAtAnId) {
  const nlohmann::json json =
      nlohmann::json::parse(exported(listed_balls(), {}, write_automaton_json));
  EXPECT_EQ(json.at("entities").size(), 3U);
  EXPECT_EQ(json.at("contacts"), (nlohmann::json{"ab", "ac", "bc"}));
  EXPECT_EQ(json.at("vertices").at(6), (nlohmann::json{{"id", 6}, {"closed", {"ab", "bc"}}}));
  std::set<std::string> ids;
  for (const auto& location : json.at("locations")) {
    EXPECT_TRUE(ids.insert(location.at("id")).second);
    EXPECT_EQ(location.at("modes").size(),
              json["vertices"][location.at("vertex").get<std::size_t>()]["closed"].size());
  }
  std::size_t node_locations = 0;
  for (const auto& node : json.at("nodes")) {
    EXPECT_TRUE(ids.insert(node.at("id")).second);
    EXPECT_TRUE(node.at("kind") == "impact" || node.at("kind") == "contact");
    node_locations += node.at("locations").get<std::size_t>();
  }
  EXPECT_EQ(node_locations, 138U);
  std::map<std::string, int> families;
  for (const auto& edge : json.at("edges")) {
    ++families[edge.at("family")];
    EXPECT_TRUE(ids.count(edge.at("from")) == 1 && ids.count(edge.at("to")) == 1) << edge;
    EXPECT_FALSE(edge.at("guard").get<std::string>().empty());
    EXPECT_EQ(edge.at("reset"), "identity");
    EXPECT_EQ(edge.contains("optional"),
              edge["family"] == "F7" ||
                  (edge["family"] == "F8" && edge["from"].get<std::string>()[0] == 's'));
  }
  const auto& counts = json.at("counts");
  for (const auto& [family, count] : families) EXPECT_EQ(counts.at("edges").at(family), count);
  EXPECT_EQ(counts.at("edges").at("F8"), 70);
  EXPECT_EQ(counts.at("edge_parts").at("F9"), (nlohmann::json{54, 7}));
  EXPECT_EQ(counts.at("combination_edges"), 19);
}

TEST(AutomatonJson, ListsTheInsideOfNodesOnRequest) {
  const nlohmann::json json =
      nlohmann::json::parse(exported(listed_balls(), {true, true}, write_automaton_json));
  std::size_t edges = 0;
  for (const auto& node : json.at("nodes")) edges += node.at("internal_edges").size();
  EXPECT_EQ(edges, 220U);
}

TEST(AutomatonJson, WritesCountsBeyondSixtyThreeBitsAsDecimalText) {
  ContactList list;
  for (int c = 0; c < 64; ++c) list.contacts.push_back("c" + std::to_string(c));
  const nlohmann::ordered_json counts = counts_json(count_automaton(list));
  EXPECT_EQ(counts.at("vertices"), "18446744073709551616");
  list.contacts.resize(31);
  EXPECT_EQ(counts_json(count_automaton(list)).at("locations"), 4611686018427387904);
}

TEST(AutomatonDot, HasOneClusterPerVertexAndBalancedText) {
  const std::string dot = exported(listed_balls(), {}, write_dot);
  EXPECT_EQ(occurrences(dot, "subgraph cluster_"), 8U);
  EXPECT_EQ(occurrences(dot, "shape=box"), 64U);
  EXPECT_EQ(occurrences(dot, "shape=ellipse"), 14U);
  EXPECT_EQ(occurrences(dot, " -> "), 7U + 12 + 26 + 63 + 37 + 61 + 216 + 70 + 61);
  EXPECT_EQ(occurrences(dot, "{"), occurrences(dot, "}"));
  EXPECT_EQ(occurrences(dot, "\"") % 2, 0U);
}

TEST(AutomatonDot, ShowsTheInsideOfNodesOnRequest) {
  const std::string dot = exported(listed_balls(), {true, true}, write_dot);
  EXPECT_EQ(occurrences(dot, "shape=ellipse"), 138U);
  EXPECT_NE(dot.find("\"I_6,ex\" -> \"C_1,en\" [label=\"F2\"]"), std::string::npos);
}

TEST(AutomatonDot, IsReadByGraphviz) {
  if (std::system("dot -V > /dev/null 2>&1") != 0) GTEST_SKIP() << "graphviz is not installed";
  const auto path = std::filesystem::temp_directory_path() / "clack-automaton.dot";
  std::ofstream(path) << exported(build_automaton({{}, {"a \"quoted\" name", "b"}, {}}),
                                  {true, true}, write_dot);
  EXPECT_EQ(std::system(("dot -Tsvg '" + path.string() + "' > /dev/null").c_str()), 0);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace clack
