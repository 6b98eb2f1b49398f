// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/automaton_export.hpp"

#include "clack/index.hpp"
#include "clack/json_output.hpp"

namespace clack {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const NaturalNumber& number) {
  if (const auto value = number.to_int64()) return *value;
  return number.to_string();
}

std::vector<std::string> contact_names(const Automaton& a, VertexIndex vertex) {
  std::vector<std::string> names;
  for (const int c : a.vertices[vertex].closed) names.push_back(a.list.contacts[c]);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

AutomatonPlace place_of(const AutomatonLocation& location) {
  return {PlaceKind::location, location.vertex, location.word};
}
AutomatonPlace place_of(const AutomatonNode& node) { return {node.kind, node.vertex, 0}; }

std::string mode_words(const Automaton& a, const AutomatonLocation& location) {
  std::string text;
  for (const ContactStatus mode : modes_of_word(location.word, a.closed_count(location.vertex)))
    text += (text.empty() ? "" : " ") + std::string(to_string(mode));
  return text;
}

/// The table of docs/tasks/automaton.md.
struct FamilyRow {
  const char *edge, *exists, *guard;
  bool is_optional = false;
};
constexpr std::array family_rows = {
    FamilyRow{"I_k,ex -> C_k,en", "N_k > 0", "I_k: |gamma_N| <= tol"},
    FamilyRow{"I_k,ex -> C_j,en", "I_j strict subset of I_k, N_j > 0",
              "I_j: |gamma_N| <= tol; I_k minus I_j: gamma_N > tol"},
    FamilyRow{"s_k,i -> C_k,en", "no trans in i, N_k > 0",
              "a slip contact reaches gamma_T = 0, or a stick contact has |phi_T| > mu phi_N, or "
              "some phi_N < 0"},
    FamilyRow{"C_k,ex -> s_k,i", "all i, N_k > 0",
              "all f_N > 0 or gddot_N = 0; stick: gamma_T = 0, |f_T| < mu f_N or gddot_T = 0; "
              "trans: gamma_T = 0, "
              "gddot_T != 0; slip: gamma_T != 0"},
    FamilyRow{"s_k,i -> s_k,j", "i has trans, j = i with every trans replaced by slip",
              "all trans contacts have |gamma_T| > tol"},
    FamilyRow{"s_k,i -> I_j,en", "I_k strict subset of I_j, k = 0 included",
              "I_j: g_N <= 0 and gamma_N <= 0; all others in Pi_k: g_N > 0 or gamma_N > 0"},
    FamilyRow{"s_k,i -> C_j,en", "I_j strict subset of I_k, N_j > 0",
              "I_j: phi_N >= 0; rest: phi_N < 0", true},
    FamilyRow{"s_k,i -> S_0 (optional); I_k,ex -> S_0", "N_k > 0",
              "all phi_N < 0; all gamma_N > tol", true},
    FamilyRow{"C_k,ex -> s_j,i; C_k,ex -> S_0", "I_j strict subset of I_k",
              "rest of I_k: f_N = 0 and gddot_N > 0; mode words as in F4"},
};

Json families_json() {
  Json families = Json::array();
  for (std::size_t f = 0; f < family_rows.size(); ++f) {
    const FamilyRow& row = family_rows[f];
    families.push_back({{"family", std::string(to_string(static_cast<EdgeFamily>(f)))},
                        {"edge", row.edge},
                        {"exists_for", row.exists},
                        {"guard", row.guard},
                        {"reset", "identity"},
                        {"optional", row.is_optional}});
  }
  return families;
}

Json location_json(const Automaton& a, const AutomatonLocation& location) {
  Json modes = Json::array();
  for (const ContactStatus mode : modes_of_word(location.word, a.closed_count(location.vertex)))
    modes.push_back(std::string(to_string(mode)));
  const AutomatonPlace place = place_of(location);
  Json json = {{"id", place_name(a, place)},
               {"vertex", a.vertices[location.vertex].id},
               {"modes", modes},
               {"flow", flow_text(a, place)},
               {"domain", domain_text(a, place)}};
  if (a.is_visited) {
    json["visits"] = location.visits;
    json["time"] = location.time;
  }
  return json;
}

Json node_json(const Automaton& a, const AutomatonNode& node, bool has_internals) {
  const int n = a.closed_count(node.vertex);
  Json json = {{"id", place_name(a, place_of(node))},
               {"kind", node.kind == PlaceKind::impact_node ? "impact" : "contact"},
               {"vertex", a.vertices[node.vertex].id},
               {"locations", 4 * n + 3}};
  if (a.is_visited) json["visits"] = node.visits;
  if (!has_internals) return json;
  Json edges = Json::array();
  for (const NodeEdge& edge : node_edges(node.kind, contact_names(a, node.vertex)))
    edges.push_back({{"from", node_location_name(edge.from, n)},
                     {"to", node_location_name(edge.to, n)},
                     {"guard", edge.guard},
                     {"reset", edge.reset}});
  json["internal_edges"] = edges;
  return json;
}

Json edge_json(const Automaton& a, const AutomatonEdge& edge) {
  Json json = {{"family", std::string(to_string(edge.family))},
               {"from", place_name(a, edge.from)},
               {"to", place_name(a, edge.to)},
               {"guard", guard_text(a, edge)},
               {"reset", reset_text(edge)}};
  if (is_optional(edge)) json["optional"] = true;
  if (a.is_visited) json["count"] = edge.count;
  return json;
}

class AutomatonDocument {
 public:
  explicit AutomatonDocument(const TextSink& sink) : sink_(sink) {}
  void add(std::string_view key, const Json& value) {
    begin(key);
    sink_(to_json_text(value, -1));
  }
  template <class Items, class ToJson>
  void add_list(std::string_view key, const Items& items, const ToJson& to_json) {
    begin(key);
    sink_("[");
    bool is_first = true;
    for (const auto& item : items) {
      sink_(is_first ? "\n    " : ",\n    ");
      is_first = false;
      sink_(to_json_text(to_json(item), -1));
    }
    sink_(is_first ? "]" : "\n  ]");
  }
  void end() { sink_("\n}\n"); }

 private:
  void begin(std::string_view key) {
    sink_(is_first_ ? "{\n  " : ",\n  ");
    is_first_ = false;
    sink_(Json(std::string(key)).dump() + ": ");
  }
  const TextSink& sink_;
  bool is_first_ = true;
};

std::string dot_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// Like dot_text; "\n" in it is a line break of the label.
std::string dot_label(std::initializer_list<std::string> lines) {
  std::string label;
  for (const std::string& line : lines) {
    if (line.empty()) continue;
    const std::string quoted = dot_text(line);
    label += (label.empty() ? "" : "\\n") + quoted.substr(1, quoted.size() - 2);
  }
  return "\"" + label + "\"";
}

void write_dot_node(const Automaton& a, const AutomatonNode& node, bool has_internals,
                    const TextSink& sink) {
  const std::string id = place_name(a, place_of(node));
  const std::string visits = a.is_visited ? fmt::format("{} times", node.visits) : "";
  if (!has_internals) {
    sink(fmt::format("    {} [shape=ellipse, label={}];\n", dot_text(id), dot_label({id, visits})));
    return;
  }
  const std::vector<std::string> contacts = contact_names(a, node.vertex);
  const int n = number_of(contacts);
  sink(fmt::format("    subgraph {} {{\n      label={}; style=rounded;\n",
                   dot_text("cluster_" + id), dot_label({id, visits})));
  const auto inner = [&](int location) {
    return dot_text(id + "," + node_location_name(location, n));
  };
  for (int location = 0; location <= 4 * n + 2; ++location)
    sink(fmt::format("      {} [shape=ellipse];\n", inner(location)));
  for (const NodeEdge& edge : node_edges(node.kind, contacts))
    sink(fmt::format("      {} -> {} [label={}, fontsize=8];\n", inner(edge.from), inner(edge.to),
                     dot_label({edge.guard, edge.reset == "identity" ? "" : edge.reset})));
  sink("    }\n");
}

std::string dot_end(const Automaton& a, const AutomatonPlace& place, bool is_source,
                    bool has_internals) {
  std::string id = place_name(a, place);
  if (has_internals && place.kind != PlaceKind::location) id += is_source ? ",ex" : ",en";
  return dot_text(id);
}

}  // namespace

nlohmann::ordered_json counts_json(const AutomatonCounts& counts) {
  Json edges = Json::object();
  for (std::size_t f = 0; f < counts.edges.size(); ++f)
    edges[std::string(to_string(static_cast<EdgeFamily>(f)))] = to_json(counts.edges[f].total());
  const auto parts = [](const FamilyCount& count) {
    return Json::array({to_json(count.first), to_json(count.second)});
  };
  return {{"vertices", to_json(counts.vertices)},
          {"locations", to_json(counts.locations)},
          {"nodes", to_json(counts.nodes)},
          {"node_locations", to_json(counts.node_locations)},
          {"node_edges", to_json(counts.node_edges)},
          {"combination_edges", to_json(counts.combination_edges)},
          {"edges", edges},
          {"edge_parts", {{"F8", parts(counts.edges[7])}, {"F9", parts(counts.edges[8])}}}};
}

void write_automaton_json(const Automaton& a, const ExportOptions& options, const TextSink& sink) {
  AutomatonDocument document(sink);
  document.add("entities", a.list.entities);
  document.add("contacts", a.list.contacts);
  Json exclusive = Json::array();
  for (const Combination& set : a.list.exclusive) {
    Json names = Json::array();
    for (const int c : set) names.push_back(a.list.contacts[c]);
    exclusive.push_back(names);
  }
  document.add("exclusive", exclusive);
  document.add("visited", a.is_visited);
  document.add("listed", options.is_listed);
  document.add("families", families_json());
  document.add_list("vertices", indices(a.vertices), [&](VertexIndex k) {
    return Json{{"id", a.vertices[k].id}, {"closed", contact_names(a, k)}};
  });
  document.add_list("locations", a.locations,
                    [&](const AutomatonLocation& l) { return location_json(a, l); });
  document.add_list("nodes", a.nodes,
                    [&](const AutomatonNode& n) { return node_json(a, n, options.has_internals); });
  document.add_list("edges", a.edges, [&](const AutomatonEdge& e) { return edge_json(a, e); });
  if (a.is_visited)
    document.add_list("execution", a.execution, [&](const ExecutionInterval& i) {
      return Json{{"begin", i.begin}, {"end", i.end}, {"location", place_name(a, i.place)}};
    });
  document.add("counts", counts_json(a.counts));
  document.end();
}

void write_dot(const Automaton& a, const ExportOptions& options, const TextSink& sink) {
  // Without newrank dot loses edges between clusters; curves around hundreds of nodes take it minutes.
  constexpr std::size_t many = 200;
  const char* ranks =
      a.edges.size() > many ? "newrank=true; nslimit=10; splines=line; " : "newrank=true; ";
  sink(
      fmt::format("digraph automaton {{\n  compound=true; {}node [fontname=\"sans-serif\"]; edge "
                  "[fontname=\"sans-serif\"];\n",
                  ranks));
  Indexed<std::vector<const AutomatonLocation*>, VertexIndex> locations(a.vertices.size());
  Indexed<std::vector<const AutomatonNode*>, VertexIndex> nodes(a.vertices.size());
  for (const AutomatonLocation& l : a.locations) locations[l.vertex].push_back(&l);
  for (const AutomatonNode& n : a.nodes) nodes[n.vertex].push_back(&n);
  for (const VertexIndex k : indices(a.vertices)) {
    const std::string title =
        fmt::format("{}: {{{}}}", a.vertices[k].id, joined(contact_names(a, k)));
    sink(fmt::format("  subgraph cluster_{} {{\n    label={};\n", a.vertices[k].id,
                     dot_text(title)));
    for (const AutomatonLocation* l : locations[k]) {
      const std::string id = place_name(a, place_of(*l));
      const std::string visits =
          a.is_visited ? fmt::format("{} times, {:.6g} s", l->visits, l->time) : "";
      sink(fmt::format("    {} [shape=box, label={}];\n", dot_text(id),
                       dot_label({id, mode_words(a, *l), visits})));
    }
    for (const AutomatonNode* n : nodes[k]) write_dot_node(a, *n, options.has_internals, sink);
    sink("  }\n");
  }
  for (const AutomatonEdge& edge : a.edges) {
    std::string label(to_string(edge.family));
    if (a.is_visited) label += fmt::format(" ({})", edge.count);
    sink(fmt::format("  {} -> {} [label={}{}];\n",
                     dot_end(a, edge.from, true, options.has_internals),
                     dot_end(a, edge.to, false, options.has_internals), dot_text(label),
                     is_optional(edge) ? ", style=dashed" : ""));
  }
  sink("}\n");
}

}  // namespace clack
