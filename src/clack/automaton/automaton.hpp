// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clack/automaton/combinations.hpp"
#include "clack/complementarity/contact_status.hpp"
#include "clack/index.hpp"
#include "clack/model/model.hpp"

// The multi-rigid-body hybrid automaton (O'Toole and Navarro-Lopez 2012; docs/tasks/automaton.md):
// contact combinations, dynamical locations, computation nodes and the edges between them. Built
// complete on request, or from what a run visited (visited.hpp).

namespace clack {

/// F1..F9 are the families of docs/tasks/automaton.md. `chain`: an impact node runs again because a
/// contact still approaches (design 5, item 3). `event`: what the model does by itself
/// (constraints, zones, known times, completed accumulations).
enum class EdgeFamily { f1, f2, f3, f4, f5, f6, f7, f8, f9, chain, event };
std::string_view to_string(EdgeFamily family);

enum class PlaceKind { location, impact_node, contact_node };

/// Position in Automaton::vertices. Not the number k of a vertex (`id`), which an automaton of what a
/// run visited takes over from the complete one.
using VertexIndex = Index<struct VertexTag>;

/// A location s_k,i or a node I_k, C_k. Edges into a node arrive at its entrance, edges out of it
/// leave from its exit.
struct AutomatonPlace {
  PlaceKind kind = PlaceKind::location;
  VertexIndex vertex{0};
  int word = 0;  // locations: i - 1, from 0 to 3^N_k - 1
  friend auto operator<=>(const AutomatonPlace&, const AutomatonPlace&) = default;
};

struct AutomatonVertex {
  int id = 0;  // k; 0 is the empty combination
  Combination closed;
};

struct AutomatonLocation {
  VertexIndex vertex{0};
  int word = 0;
  long visits = 0;
  double time = 0.0;  // s spent in it
};

struct AutomatonNode {
  PlaceKind kind = PlaceKind::impact_node;
  VertexIndex vertex{0};
  long visits = 0;
};

struct AutomatonEdge {
  EdgeFamily family = EdgeFamily::f1;
  AutomatonPlace from, to;
  long count = 0;  // how often a run took it
};

/// One interval [t_i, t_i'] of a hybrid time trajectory; begin = end in nodes and in locations with
/// a contact in transition.
struct ExecutionInterval {
  double begin = 0.0, end = 0.0;
  AutomatonPlace place;
};

/// Families F8 and F9 have two kinds of edges: `first` + `second` as in the table of
/// docs/tasks/automaton.md.
struct FamilyCount {
  NaturalNumber first, second;
  NaturalNumber total() const { return first + second; }
};

struct AutomatonCounts {
  NaturalNumber vertices, locations, nodes, node_locations, node_edges, combination_edges;
  std::array<FamilyCount, 9> edges;
  NaturalNumber all_edges() const;
};

/// Exact for any number of contacts; p is the polynomial of sum_combinations:
///
///   vertices p(1), locations p(3), nodes 2 (p(1) - 1), node locations 8 p'(1) + 6 (p(1) - 1),
///   node edges 16 p'(1) + 4 (p(1) - 1), inclusions p(2) - p(1)
///   F1 p(1) - 1          F2 p(2) - 2 p(1) + 1    F3 p(2) - 1
///   F4 p(3) - 1          F5 p(3) - p(2)          F6 p(4) - p(3)
///   F7 p(6) - 2 p(3) + 1 F8 (p(3) - 1) + (p(1) - 1)    F9 (p(4) - p(3) - p(1) + 1) + (p(1) - 1)
AutomatonCounts count_automaton(const ContactList& list);

struct Automaton {
  ContactList list;
  Indexed<AutomatonVertex, VertexIndex> vertices;
  std::vector<AutomatonLocation> locations;
  std::vector<AutomatonNode> nodes;
  std::vector<AutomatonEdge> edges;
  AutomatonCounts counts;  // of the complete automaton
  bool is_visited = false;
  std::vector<ExecutionInterval> execution;  // visited only

  int closed_count(VertexIndex vertex) const { return number_of(vertices[vertex].closed); }
};

/// How many edges may be listed per location allowed by the limit.
inline constexpr std::int64_t edges_per_location = 10;

/// Whether the complete automaton may be listed: at most `limit` locations and `edges_per_location`
/// times as many edges.
bool is_listable(const AutomatonCounts& counts, std::int64_t limit);

/// The complete automaton. Throws NoAnswer with the counts when it is not listable.
Automaton build_automaton(const ContactList& list, std::int64_t limit = 1'000'000);

ContactList contact_list(const Model& model);
/// {"contacts": [names], "exclusive": [[names], ...], "entities": [names]?}; mistakes throw
/// InputError.
ContactList contact_list_from_json(const std::string& path);

/// Word number i - 1 of a vertex with n closed contacts: last contact varies fastest, in the order
/// stick, trans, slip.
std::vector<ContactStatus> modes_of_word(int word, int contacts);
int word_of_modes(const std::vector<ContactStatus>& modes);

/// s_6,2 (S_0 for the empty combination), I_6, C_6.
std::string place_name(const Automaton& automaton, const AutomatonPlace& place);

/// Contacts outside I_k that some neighbour of k closes:  Pi_k minus I_k.
Combination reachable_contacts(const ContactList& list, const Combination& closed);

/// One internal edge of a SORPROX node with N contacts; locations en = 0, 1..4N+1, ex = 4N+2.
struct NodeEdge {
  int from = 0, to = 0;
  std::string guard, reset;
};
std::vector<NodeEdge> node_edges(PlaceKind kind, const std::vector<std::string>& contacts);
std::string node_location_name(int location, int contacts);  // en, 1, ..., ex

// Texts, in the letters of docs/tasks/automaton.md.
std::string guard_text(const Automaton& automaton, const AutomatonEdge& edge);
std::string reset_text(const AutomatonEdge& edge);
std::string flow_text(const Automaton& automaton, const AutomatonPlace& location);
std::string domain_text(const Automaton& automaton, const AutomatonPlace& location);
/// F7, and the part of F8 that leaves a dynamical location: the sign of a bilateral force does not
/// tell which contacts open, so an execution enters the contact node instead
/// (docs/tasks/automaton.md).
bool is_optional(const AutomatonEdge& edge);

}  // namespace clack
