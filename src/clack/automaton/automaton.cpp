// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/automaton.hpp"

#include "clack/index.hpp"
#include "clack/model/contact_source.hpp"

#include <algorithm>
#include <set>

#include "clack/error.hpp"
#include "clack/json_input.hpp"

namespace clack {
namespace {

int power_of_three(int exponent) {
  int value = 1;
  while (exponent-- > 0) value *= 3;
  return value;
}

bool has_transition(int word) {
  for (; word > 0; word /= 3)
    if (word % 3 == 1) return true;
  return false;
}

/// Every transition has become slip.
int after_transition(int word) {
  int result = 0;
  for (int place = 1; word > 0; word /= 3, place *= 3) result += place * (word % 3 == 0 ? 0 : 2);
  return result;
}

/// Builds vertex by vertex; every strict subset of a vertex is a vertex as well.
class CompleteBuilder {
 public:
  explicit CompleteBuilder(Automaton& automaton) : a_(automaton) {
    for (Combination& closed : list_combinations(a_.list)) {
      const VertexIndex k(a_.vertices.size());
      index_.emplace(closed, k);
      a_.vertices.push_back({k.value, std::move(closed)});
    }
  }

  void build() {
    for (const VertexIndex k : indices(a_.vertices)) {
      const int words = power_of_three(a_.closed_count(k));
      for (int i = 0; i < words; ++i) a_.locations.push_back({k, i});
      if (k == none_closed) continue;
      a_.nodes.push_back({PlaceKind::impact_node, k});
      a_.nodes.push_back({PlaceKind::contact_node, k});
    }
    for (const VertexIndex k : indices(a_.vertices))
      if (k != none_closed) add_edges_of(k);
    std::stable_sort(
        a_.edges.begin(), a_.edges.end(),
        [](const AutomatonEdge& x, const AutomatonEdge& y) { return x.family < y.family; });
  }

 private:
  static constexpr VertexIndex none_closed{0};

  static AutomatonPlace location(VertexIndex k, int word) { return {PlaceKind::location, k, word}; }
  static AutomatonPlace impact(VertexIndex k) { return {PlaceKind::impact_node, k, 0}; }
  static AutomatonPlace contact(VertexIndex k) { return {PlaceKind::contact_node, k, 0}; }
  void add(EdgeFamily family, AutomatonPlace from, AutomatonPlace to) {
    a_.edges.push_back({family, from, to});
  }

  /// Positions of all strict subsets of I_k, the empty one included, in the order of the vertices.
  std::vector<VertexIndex> subsets_of(VertexIndex k) const {
    const Combination& closed = a_.vertices[k].closed;
    std::vector<VertexIndex> subsets;
    for (unsigned mask = 0; mask + 1 < (1U << closed.size()); ++mask) {
      Combination subset;
      for (std::size_t c = 0; c < closed.size(); ++c)
        if (mask >> c & 1U) subset.push_back(closed[c]);
      subsets.push_back(index_.at(subset));
    }
    std::sort(subsets.begin(), subsets.end());
    return subsets;
  }

  /// The rows of the table of docs/tasks/automaton.md, for one vertex k with N_k > 0.
  void add_edges_of(VertexIndex k) {
    const int words = power_of_three(a_.closed_count(k));
    const AutomatonPlace empty = location(none_closed, 0);
    add(EdgeFamily::f1, impact(k), contact(k));
    for (int i = 0; i < words; ++i) {
      if (!has_transition(i)) add(EdgeFamily::f3, location(k, i), contact(k));
      add(EdgeFamily::f4, contact(k), location(k, i));
      if (has_transition(i)) add(EdgeFamily::f5, location(k, i), location(k, after_transition(i)));
      add(EdgeFamily::f8, location(k, i), empty);
    }
    add(EdgeFamily::f8, impact(k), empty);
    for (const VertexIndex j : subsets_of(k)) {
      const int smaller_words = power_of_three(a_.closed_count(j));
      for (int i = 0; i < smaller_words; ++i) {
        add(EdgeFamily::f6, location(j, i), impact(k));
        add(EdgeFamily::f9, contact(k), location(j, i));
      }
      if (j == none_closed) continue;
      add(EdgeFamily::f2, impact(k), contact(j));
      for (int i = 0; i < words; ++i) add(EdgeFamily::f7, location(k, i), contact(j));
    }
  }

  Automaton& a_;
  std::map<Combination, VertexIndex> index_;
};

}  // namespace

std::string_view to_string(EdgeFamily family) {
  switch (family) {
    case EdgeFamily::f1:
      return "F1";
    case EdgeFamily::f2:
      return "F2";
    case EdgeFamily::f3:
      return "F3";
    case EdgeFamily::f4:
      return "F4";
    case EdgeFamily::f5:
      return "F5";
    case EdgeFamily::f6:
      return "F6";
    case EdgeFamily::f7:
      return "F7";
    case EdgeFamily::f8:
      return "F8";
    case EdgeFamily::f9:
      return "F9";
    case EdgeFamily::chain:
      return "chain";
    case EdgeFamily::event:
      return "event";
  }
  return "";
}

NaturalNumber AutomatonCounts::all_edges() const {
  NaturalNumber sum;
  for (const FamilyCount& family : edges) sum += family.total();
  return sum;
}

AutomatonCounts count_automaton(const ContactList& list) {
  const CombinationSums p = sum_combinations(list);
  const NaturalNumber closed = p.at_1 - 1;  // vertices with a closed contact
  AutomatonCounts counts;
  counts.vertices = p.at_1;
  counts.locations = p.at_3;
  counts.nodes = 2 * closed;
  counts.node_locations = 8 * p.slope_at_1 + 6 * closed;
  counts.node_edges = 16 * p.slope_at_1 + 4 * closed;
  counts.combination_edges = p.at_2 - p.at_1;
  counts.edges = {FamilyCount{closed, 0},
                  FamilyCount{p.at_2 + 1 - 2 * p.at_1, 0},
                  FamilyCount{p.at_2 - 1, 0},
                  FamilyCount{p.at_3 - 1, 0},
                  FamilyCount{p.at_3 - p.at_2, 0},
                  FamilyCount{p.at_4 - p.at_3, 0},
                  FamilyCount{p.at_6 + 1 - 2 * p.at_3, 0},
                  FamilyCount{p.at_3 - 1, closed},
                  FamilyCount{p.at_4 + 1 - p.at_3 - p.at_1, closed}};
  return counts;
}

bool is_listable(const AutomatonCounts& counts, std::int64_t limit) {
  const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(limit, 0));
  return counts.locations <= NaturalNumber(most) &&
         counts.all_edges() <=
             NaturalNumber(most) * NaturalNumber(static_cast<std::uint64_t>(edges_per_location));
}

Automaton build_automaton(const ContactList& list, std::int64_t limit) {
  Automaton automaton;
  automaton.list = list;
  automaton.counts = count_automaton(list);
  if (!is_listable(automaton.counts, limit))
    throw NoAnswer(
        fmt::format(
            "the automaton has {} locations and {} edges, more than may be listed ({} and {})",
            automaton.counts.locations.to_short_string(),
            automaton.counts.all_edges().to_short_string(), limit,
            (NaturalNumber(static_cast<std::uint64_t>(limit)) *
             NaturalNumber(static_cast<std::uint64_t>(edges_per_location)))
                .to_string()),
        "", "use --visited for the part that a run visits, or raise --limit");
  CompleteBuilder(automaton).build();
  return automaton;
}

ContactList contact_list(const Model& model) {
  ContactList list;
  for (const Body& body : model.bodies) list.entities.push_back(body.name);
  if (model.bodies.empty())
    for (const Coordinate& coordinate : model.coordinates) list.entities.push_back(coordinate.name);
  const ContactSet contacts = possible_contacts(model);
  for (const ContactKey& key : contacts) list.contacts.push_back(contact_name(model, key));
  for (const ContactSet& set : model.exclusive) {
    auto& members = list.exclusive.emplace_back();
    for (const ContactKey& key : set)
      members.push_back(static_cast<int>(std::lower_bound(contacts.begin(), contacts.end(), key) -
                                         contacts.begin()));
  }
  return list;
}

ContactList contact_list_from_json(const std::string& path) {
  const nlohmann::json document = read_json_file(path);
  constexpr std::array<std::string_view, 3> keys = {"contacts", "exclusive", "entities"};
  check_keys(document, "", keys, path);
  const auto names = [&](const nlohmann::json& value, const std::string& place) {
    if (!value.is_array())
      throw InputError(place + " is " + json_excerpt(value) + ", must be a list of names", path,
                       "write [\"a\", \"b\"]");
    std::vector<std::string> list;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_string() || value[i].get<std::string>().empty())
        throw InputError(json_path(place, i) + " is " + json_excerpt(value[i]) + ", must be a name",
                         path, "put the name in quotes");
      const std::string name = value[i].get<std::string>();
      if (std::find(list.begin(), list.end(), name) != list.end())
        throw InputError(place + ": " + printable(name, 60) + " stands twice", path,
                         "remove one of them");
      list.push_back(name);
    }
    return list;
  };
  ContactList list;
  list.contacts = names(get_value(document, "contacts", "", path), "contacts");
  if (document.contains("entities")) list.entities = names(document["entities"], "entities");
  if (!document.contains("exclusive")) return list;
  const nlohmann::json& exclusive = document["exclusive"];
  if (!exclusive.is_array())
    throw InputError("exclusive is " + json_excerpt(exclusive) + ", must be a list of sets", path,
                     "write [[\"a\", \"b\"]]");
  const std::vector<std::string_view> known(list.contacts.begin(), list.contacts.end());
  for (std::size_t s = 0; s < exclusive.size(); ++s) {
    Combination members;
    for (const std::string& name : names(exclusive[s], json_path("exclusive", s))) {
      const auto found = std::find(list.contacts.begin(), list.contacts.end(), name);
      if (found == list.contacts.end()) {
        const std::string nearest = nearest_name(name, std::span<const std::string_view>(known));
        throw InputError(
            json_path("exclusive", s) + ": unknown contact " + printable(name, 60), path,
            nearest.empty() ? "name one of the contacts" : "did you mean " + nearest + "?");
      }
      members.push_back(static_cast<int>(found - list.contacts.begin()));
    }
    if (members.size() < 2)
      throw InputError(json_path("exclusive", s) + ": a set needs at least two contacts", path,
                       "write [\"a\", \"b\"]");
    std::sort(members.begin(), members.end());
    list.exclusive.push_back(std::move(members));
  }
  return list;
}

std::vector<ContactStatus> modes_of_word(int word, int contacts) {
  constexpr std::array order = {ContactStatus::stick, ContactStatus::trans, ContactStatus::slip};
  std::vector<ContactStatus> modes(contacts);
  for (auto mode = modes.rbegin(); mode != modes.rend(); ++mode, word /= 3) *mode = order[word % 3];
  return modes;
}

int word_of_modes(const std::vector<ContactStatus>& modes) {
  int word = 0;
  for (const ContactStatus mode : modes)
    word = 3 * word + (mode == ContactStatus::stick ? 0 : mode == ContactStatus::trans ? 1 : 2);
  return word;
}

std::string place_name(const Automaton& automaton, const AutomatonPlace& place) {
  const int k = automaton.vertices[place.vertex].id;
  switch (place.kind) {
    case PlaceKind::impact_node:
      return fmt::format("I_{}", k);
    case PlaceKind::contact_node:
      return fmt::format("C_{}", k);
    case PlaceKind::location:
      break;
  }
  return k == 0 ? "S_0" : fmt::format("s_{},{}", k, place.word + 1);
}

Combination reachable_contacts(const ContactList& list, const Combination& closed) {
  Combination reachable;
  for (int c = 0; c < number_of(list.contacts); ++c) {
    if (std::binary_search(closed.begin(), closed.end(), c)) continue;
    Combination larger = closed;
    larger.insert(std::lower_bound(larger.begin(), larger.end(), c), c);
    if (is_allowed(list, larger)) reachable.push_back(c);
  }
  return reachable;
}

}  // namespace clack
