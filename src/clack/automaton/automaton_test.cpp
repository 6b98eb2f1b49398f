// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/automaton.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "clack/error.hpp"

namespace clack {
namespace {

ContactList three_balls() { return {{"a", "b", "c"}, {"ab", "ac", "bc"}, {}}; }

ContactList plain_contacts(int count) {
  ContactList list;
  for (int c = 0; c < count; ++c) list.contacts.push_back("c" + std::to_string(c));
  return list;
}

std::int64_t value(const NaturalNumber& number) { return number.to_int64().value(); }

TEST(Automaton, HasTheCountsKnownForThreeBalls) {
  const AutomatonCounts counts = count_automaton(three_balls());
  EXPECT_EQ(value(counts.vertices), 8);
  EXPECT_EQ(value(counts.locations), 64);
  EXPECT_EQ(value(counts.nodes), 14);
  EXPECT_EQ(value(counts.node_locations), 138);
  EXPECT_EQ(value(counts.node_edges), 220);
  EXPECT_EQ(value(counts.combination_edges), 19);
  const std::array<std::pair<int, int>, 9> families = {
      {{7, 0}, {12, 0}, {26, 0}, {63, 0}, {37, 0}, {61, 0}, {216, 0}, {63, 7}, {54, 7}}};
  for (std::size_t f = 0; f < 9; ++f) {
    EXPECT_EQ(value(counts.edges[f].first), families[f].first) << "F" << f + 1;
    EXPECT_EQ(value(counts.edges[f].second), families[f].second) << "F" << f + 1;
  }
}

/// Every count again, from the lists.
void expect_counts_match_lists(const Automaton& a) {
  EXPECT_EQ(value(a.counts.vertices), a.vertices.size());
  EXPECT_EQ(value(a.counts.locations), static_cast<std::int64_t>(a.locations.size()));
  EXPECT_EQ(value(a.counts.nodes), static_cast<std::int64_t>(a.nodes.size()));
  std::int64_t node_locations = 0, internal_edges = 0, inclusions = 0;
  for (const AutomatonNode& node : a.nodes) {
    const std::size_t n = a.closed_count(node.vertex);
    const std::vector<NodeEdge> edges = node_edges(node.kind, std::vector<std::string>(n, "c"));
    std::set<int> places;
    for (const NodeEdge& edge : edges) places.insert(edge.from), places.insert(edge.to);
    node_locations += static_cast<std::int64_t>(places.size());
    internal_edges += static_cast<std::int64_t>(edges.size());
  }
  EXPECT_EQ(value(a.counts.node_locations), node_locations);
  EXPECT_EQ(value(a.counts.node_edges), internal_edges);
  for (const AutomatonVertex& small : a.vertices)
    for (const AutomatonVertex& large : a.vertices)
      inclusions += is_strict_subset(small.closed, large.closed) ? 1 : 0;
  EXPECT_EQ(value(a.counts.combination_edges), inclusions);
  std::array<std::int64_t, 9> first{}, second{};
  std::set<std::tuple<EdgeFamily, AutomatonPlace, AutomatonPlace>> distinct;
  for (const AutomatonEdge& edge : a.edges) {
    const bool is_second =
        (edge.family == EdgeFamily::f8 && edge.from.kind == PlaceKind::impact_node) ||
        (edge.family == EdgeFamily::f9 && edge.to.vertex == VertexIndex{0});
    ++(is_second ? second : first)[static_cast<std::size_t>(edge.family)];
    distinct.insert({edge.family, edge.from, edge.to});
  }
  EXPECT_EQ(distinct.size(), a.edges.size());
  for (std::size_t f = 0; f < 9; ++f) {
    EXPECT_EQ(value(a.counts.edges[f].first), first[f]) << "F" << f + 1;
    EXPECT_EQ(value(a.counts.edges[f].second), second[f]) << "F" << f + 1;
  }
}

TEST(Automaton, FormulasAgreeWithEnumerationUpToSixContacts) {
  for (int p = 0; p <= 6; ++p) {
    SCOPED_TRACE(p);
    expect_counts_match_lists(build_automaton(plain_contacts(p)));
  }
}

TEST(Automaton, FormulasAgreeWithEnumerationUnderExclusiveSets) {
  ContactList list = plain_contacts(5);
  list.exclusive = {{0, 1}, {1, 2, 3}};
  expect_counts_match_lists(build_automaton(list));
  list.exclusive = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
  const Automaton one_at_a_time = build_automaton(list);
  expect_counts_match_lists(one_at_a_time);
  EXPECT_EQ(one_at_a_time.locations.size(), 16U);
}

TEST(Automaton, WithoutContactsIsTheFreeMotionAlone) {
  const Automaton a = build_automaton({});
  ASSERT_EQ(a.locations.size(), 1U);
  EXPECT_EQ(place_name(a, {PlaceKind::location, VertexIndex{0}, 0}), "S_0");
  EXPECT_TRUE(a.nodes.empty());
  EXPECT_TRUE(a.edges.empty());
  EXPECT_EQ(domain_text(a, {}), "true");
}

TEST(Automaton, NumbersWordsWithTheLastContactFastest) {
  using enum ContactStatus;
  EXPECT_EQ(modes_of_word(0, 2), (std::vector{stick, stick}));
  EXPECT_EQ(modes_of_word(1, 2), (std::vector{stick, trans}));
  EXPECT_EQ(modes_of_word(2, 2), (std::vector{stick, slip}));
  EXPECT_EQ(modes_of_word(3, 2), (std::vector{trans, stick}));
  for (int word = 0; word < 81; ++word) EXPECT_EQ(word_of_modes(modes_of_word(word, 4)), word);
}

TEST(Automaton, RefusesToListMoreThanTheLimitButCounts) {
  try {
    static_cast<void>(build_automaton(plain_contacts(10)));  // 4^10 = 1 048 576
    FAIL();
  } catch (const NoAnswer& e) {
    EXPECT_NE(std::string(e.what()).find("1048576 locations"), std::string::npos) << e.what();
  }
  EXPECT_THROW(static_cast<void>(build_automaton(three_balls(), 63)), NoAnswer);
  EXPECT_EQ(count_automaton(plain_contacts(40)).locations, power(4, 40));
  EXPECT_EQ(count_automaton(plain_contacts(1000)).edges[6].first,
            power(7, 1000) + 1 - 2 * power(4, 1000));
}

TEST(Automaton, GuardsNameTheirContacts) {
  const Automaton a = build_automaton(three_balls());
  const auto guard = [&](std::string_view family, std::string_view from, std::string_view to) {
    for (const AutomatonEdge& edge : a.edges)
      if (to_string(edge.family) == family && place_name(a, edge.from) == from &&
          place_name(a, edge.to) == to)
        return guard_text(a, edge);
    return std::string("no such edge");
  };
  // k = 1 {ab}, k = 6 {ab, bc} as in P0.
  EXPECT_EQ(
      guard("F6", "s_1,1", "I_6"),
      "(all of {ab, bc}: g_N <= 0 and gamma_N <= 0) and (all of {ac}: g_N > 0 or gamma_N > 0)");
  EXPECT_EQ(guard("F2", "I_6", "C_1"),
            "(all of {ab}: |gamma_N| <= tol) and (all of {bc}: gamma_N > tol)");
  EXPECT_EQ(guard("F9", "C_1", "S_0"), "(all of {ab}: f_N = 0 and gddot_N > 0)");
  EXPECT_EQ(guard("F8", "I_6", "S_0"), "(all of {ab, bc}: gamma_N > tol)");
  EXPECT_EQ(guard("F5", "s_1,2", "s_1,3"), "(all of {ab}: |gamma_T| > tol)");
  EXPECT_EQ(guard("F3", "s_1,1", "C_1"),
            "(some of {ab}: |phi_T| > mu phi_N) or (some of {ab}: phi_N < 0)");
  EXPECT_EQ(guard("F6", "s_1,1", "I_3"), "no such edge");  // {ab} is not part of {bc}
  EXPECT_EQ(flow_text(a, {PlaceKind::location, VertexIndex{1}, 2}),
            "M vdot = h + (W_N + W_sl{ab}) phi_N; gddot_N = 0 on {ab}");
}

class ContactListFile : public ::testing::Test {
 protected:
  ContactList read(const std::string& text) {
    std::ofstream(path_) << text;
    return contact_list_from_json(path_);
  }
  void TearDown() override { std::remove(path_.c_str()); }
  const std::string path_ = (std::filesystem::temp_directory_path() /
                             ("clack-contacts-" + std::to_string(::getpid()) + ".json"))
                                .string();
};

TEST_F(ContactListFile, ReadsNamesAndSets) {
  const ContactList list = read(R"({"contacts": ["p", "q", "r"], "exclusive": [["r", "p"]]})");
  EXPECT_EQ(list.contacts, (std::vector<std::string>{"p", "q", "r"}));
  EXPECT_EQ(list.exclusive, (std::vector<Combination>{{0, 2}}));
}

TEST_F(ContactListFile, RefusesMistakes) {
  for (const char* text :
       {R"({})", R"({"contacts": "p"})", R"({"contacts": [1]})", R"({"contacts": ["p", "p"]})",
        R"({"contacts": ["p", "q"], "exclusive": [["p"]]})",
        R"({"contacts": ["p", "q"], "exclusive": [["p", "s"]]})",
        R"({"contacts": ["p", "q"], "exclusive": ["p"]})", R"({"contacts": [], "contact": []})"})
    EXPECT_THROW(static_cast<void>(read(text)), InputError) << text;
}

}  // namespace
}  // namespace clack
