// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/visited.hpp"

#include <algorithm>
#include <sstream>

namespace clack {
namespace {

/// A pass through a node, or the zero-time location after it.
struct NodePass {
  double t = 0.0;
  PlaceKind kind = PlaceKind::location;
  Combination contacts;
  std::vector<ContactStatus> modes;  // of a location
};

std::vector<ContactStatus> modes_from_text(const std::string& text) {
  std::vector<ContactStatus> modes;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    modes.push_back(word == "stick"   ? ContactStatus::stick
                    : word == "trans" ? ContactStatus::trans
                                      : ContactStatus::slip);
  return modes;
}

Combination closed_in(const TraceMode& mode) {
  Combination closed;
  for (const TraceStatus& c : mode.closed) closed.push_back(c.contact);
  return closed;
}

Combination set_union_of(const Combination& a, const Combination& b) {
  Combination both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// Passes that lead to each mode, in their order; one more for those after the last mode (a run
/// that stopped).
std::vector<std::vector<NodePass>> passes_by_mode(const Trace& trace) {
  std::vector<std::vector<NodePass>> passes(trace.modes.size() + 1);
  for (const NodeVisit& visit : trace.node_visits) {
    const bool is_location = visit.node.front() == 's';
    if (!is_location && visit.location != "en") continue;
    NodePass pass{visit.t, PlaceKind::location, visit.contacts, {}};
    std::sort(pass.contacts.begin(), pass.contacts.end());
    if (is_location)
      pass.modes = modes_from_text(visit.location);
    else
      pass.kind = visit.node.front() == 'I' ? PlaceKind::impact_node : PlaceKind::contact_node;
    passes[std::min(visit.mode, trace.modes.size())].push_back(std::move(pass));
  }
  return passes;
}

class VisitedBuilder {
 public:
  VisitedBuilder(const ContactList& list, std::int64_t limit) {
    a_.list = list;
    a_.counts = count_automaton(list);
    a_.is_visited = true;
    if (!is_listable(a_.counts, limit)) return;
    int id = 0;
    for (Combination& closed : list_combinations(list)) number_.emplace(std::move(closed), id++);
  }

  Automaton build(const Trace& trace) {
    const auto passes = passes_by_mode(trace);
    for (std::size_t m = 0; m < trace.modes.size(); ++m) {
      const TraceMode& mode = trace.modes[m];
      for (const NodePass& pass : passes[m]) visit(pass);
      const Combination closed = closed_in(mode);
      std::vector<ContactStatus> modes;
      for (const int c : closed) modes.push_back(mode.status_of(c));
      enter_location(mode.begin, mode.end, closed, modes);
    }
    for (const NodePass& pass : passes.back()) visit(pass);
    std::sort(a_.edges.begin(), a_.edges.end(), [](const AutomatonEdge& x, const AutomatonEdge& y) {
      return std::tie(x.family, x.from, x.to) < std::tie(y.family, y.from, y.to);
    });
    return std::move(a_);
  }

 private:
  const Combination& closed(const AutomatonPlace& place) const {
    return a_.vertices[place.vertex].closed;
  }

  VertexIndex vertex(const Combination& closed) {
    const auto [found, is_new] = vertex_.try_emplace(closed, VertexIndex(a_.vertices.size()));
    if (is_new) {
      const auto number = number_.find(closed);
      const int id = number != number_.end() ? number->second : closed.empty() ? 0 : ++last_id_;
      a_.vertices.push_back({id, closed});
    }
    return found->second;
  }

  void visit(const NodePass& pass) {
    if (pass.kind == PlaceKind::location) {
      enter_location(pass.t, pass.t, pass.contacts, pass.modes);
      return;
    }
    // A contact that closes without approaching: through the impact node of all, with zero impulse.
    if (pass.kind == PlaceKind::contact_node && has_place_ && place_.kind == PlaceKind::location) {
      const Combination& before = closed(place_);
      if (!std::includes(before.begin(), before.end(), pass.contacts.begin(), pass.contacts.end()))
        enter_node(pass.t, PlaceKind::impact_node, set_union_of(before, pass.contacts));
    }
    enter_node(pass.t, pass.kind, pass.contacts);
  }

  void enter_node(double t, PlaceKind kind, const Combination& contacts) {
    const AutomatonPlace place{kind, vertex(contacts), 0};
    const auto [found, is_new] = node_.try_emplace(place, a_.nodes.size());
    if (is_new) a_.nodes.push_back({kind, place.vertex, 0});
    ++a_.nodes[found->second].visits;
    move_to(t, t, place);
  }

  void enter_location(double begin, double end, const Combination& contacts,
                      const std::vector<ContactStatus>& modes) {
    const AutomatonPlace place{PlaceKind::location, vertex(contacts), word_of_modes(modes)};
    const auto [found, is_new] = location_.try_emplace(place, a_.locations.size());
    if (is_new) a_.locations.push_back({place.vertex, place.word});
    AutomatonLocation& location = a_.locations[found->second];
    ++location.visits;
    location.time += end - begin;
    move_to(begin, end, place);
  }

  void move_to(double begin, double end, const AutomatonPlace& place) {
    if (has_place_) {
      const EdgeFamily family = family_of(place_, place);
      const auto [found, is_new] = edge_.try_emplace({place_, place}, a_.edges.size());
      if (is_new) a_.edges.push_back({family, place_, place, 0});
      ++a_.edges[found->second].count;
    }
    // A completed accumulation decides at its last impact and jumps: intervals never overlap.
    if (!a_.execution.empty()) begin = std::max(begin, a_.execution.back().end);
    a_.execution.push_back({begin, std::max(begin, end), place});
    place_ = place;
    has_place_ = true;
  }

  EdgeFamily family_of(const AutomatonPlace& from, const AutomatonPlace& to) const {
    const Combination &before = closed(from), &after = closed(to);
    const bool is_same = before == after, is_opening = is_strict_subset(after, before);
    switch (from.kind) {
      case PlaceKind::impact_node:
        if (to.kind == PlaceKind::impact_node) return EdgeFamily::chain;
        if (to.kind == PlaceKind::contact_node && is_same) return EdgeFamily::f1;
        if (to.kind == PlaceKind::contact_node && is_opening) return EdgeFamily::f2;
        return to.kind == PlaceKind::location && after.empty() ? EdgeFamily::f8 : EdgeFamily::event;
      case PlaceKind::contact_node:
        if (to.kind != PlaceKind::location) return EdgeFamily::event;
        return is_same ? EdgeFamily::f4 : is_opening ? EdgeFamily::f9 : EdgeFamily::event;
      case PlaceKind::location:
        if (to.kind == PlaceKind::impact_node && is_strict_subset(before, after))
          return EdgeFamily::f6;
        if (to.kind == PlaceKind::contact_node && !after.empty())
          return is_same ? EdgeFamily::f3 : EdgeFamily::f7;
        if (to.kind == PlaceKind::location && is_same && from.word != to.word)
          return EdgeFamily::f5;
        return to.kind == PlaceKind::location && after.empty() && !before.empty()
                   ? EdgeFamily::f8
                   : EdgeFamily::event;
    }
    return EdgeFamily::event;
  }

  Automaton a_;
  std::map<Combination, int> number_;  // k of the complete automaton
  std::map<Combination, VertexIndex> vertex_;
  std::map<AutomatonPlace, std::size_t> location_, node_;
  std::map<std::pair<AutomatonPlace, AutomatonPlace>, std::size_t> edge_;
  AutomatonPlace place_;
  bool has_place_ = false;
  int last_id_ = 0;
};

}  // namespace

Automaton visited_automaton(const ContactList& list, const Trace& trace, std::int64_t limit) {
  return VisitedBuilder(list, limit).build(trace);
}

}  // namespace clack
