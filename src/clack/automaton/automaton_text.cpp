// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "clack/automaton/automaton.hpp"
#include "clack/index.hpp"

// Guards, resets, flows and domains as text (docs/tasks/automaton.md).

namespace clack {
namespace {

std::string set_text(const Automaton& automaton, const Combination& contacts) {
  std::string text = "{";
  for (std::size_t i = 0; i < contacts.size(); ++i)
    text += (i > 0 ? ", " : "") + automaton.list.contacts[contacts[i]];
  return text + "}";
}

const Combination& closed_of(const Automaton& automaton, const AutomatonPlace& place) {
  return automaton.vertices[place.vertex].closed;
}

Combination without(const Combination& a, const Combination& b) {
  Combination rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

/// The contacts of a location that are in a given mode.
Combination contacts_in(const Automaton& automaton, const AutomatonPlace& place,
                        ContactStatus mode) {
  const Combination& closed = closed_of(automaton, place);
  const std::vector<ContactStatus> modes = modes_of_word(place.word, number_of(closed));
  Combination result;
  for (std::size_t i = 0; i < closed.size(); ++i)
    if (modes[i] == mode) result.push_back(closed[i]);
  return result;
}

/// Conditions that hold together; empty sets of contacts say nothing.
class Conditions {
 public:
  explicit Conditions(const Automaton& automaton, std::string_view word = " and ")
      : a_(automaton), word_(word) {}
  Conditions& all(const Combination& contacts, std::string_view what) {
    if (!contacts.empty()) add(fmt::format("all of {}: {}", set_text(a_, contacts), what));
    return *this;
  }
  Conditions& some(const Combination& contacts, std::string_view what) {
    if (!contacts.empty()) add(fmt::format("some of {}: {}", set_text(a_, contacts), what));
    return *this;
  }
  std::string text() const { return text_.empty() ? "true" : text_; }

 private:
  void add(const std::string& condition) {
    if (!text_.empty()) text_ += word_;
    text_ += "(" + condition + ")";
  }
  const Automaton& a_;
  std::string word_, text_;
};

/// F4 and F9: what the contact node has found, for a location that it leads to.
Conditions& add_mode_conditions(Conditions& conditions, const Automaton& a,
                                const AutomatonPlace& location) {
  return conditions.all(closed_of(a, location), "f_N > 0 or gddot_N = 0")
      .all(contacts_in(a, location, ContactStatus::stick),
           "gamma_T = 0, and |f_T| < mu f_N or gddot_T = 0")
      .all(contacts_in(a, location, ContactStatus::trans), "gamma_T = 0 and gddot_T != 0")
      .all(contacts_in(a, location, ContactStatus::slip), "gamma_T != 0");
}

}  // namespace

std::string guard_text(const Automaton& a, const AutomatonEdge& edge) {
  const Combination &from = closed_of(a, edge.from), &to = closed_of(a, edge.to);
  const Combination opened = without(from, to);
  Conditions conditions(a);
  switch (edge.family) {
    case EdgeFamily::f1:
      return conditions.all(from, "|gamma_N| <= tol").text();
    case EdgeFamily::f2:
      return conditions.all(to, "|gamma_N| <= tol").all(opened, "gamma_N > tol").text();
    case EdgeFamily::f3:
      return Conditions(a, " or ")
          .some(contacts_in(a, edge.from, ContactStatus::slip), "gamma_T = 0")
          .some(contacts_in(a, edge.from, ContactStatus::stick), "|phi_T| > mu phi_N")
          .some(from, "phi_N < 0")
          .text();
    case EdgeFamily::f4:
      return add_mode_conditions(conditions, a, edge.to).text();
    case EdgeFamily::f5:
      return conditions.all(contacts_in(a, edge.from, ContactStatus::trans), "|gamma_T| > tol")
          .text();
    case EdgeFamily::f6:
      return conditions.all(to, "g_N <= 0 and gamma_N <= 0")
          .all(without(reachable_contacts(a.list, from), to), "g_N > 0 or gamma_N > 0")
          .text();
    case EdgeFamily::f7:
      return conditions.all(to, "phi_N >= 0").all(opened, "phi_N < 0").text();
    case EdgeFamily::f8:
      return conditions
          .all(from, edge.from.kind == PlaceKind::location ? "phi_N < 0" : "gamma_N > tol")
          .text();
    case EdgeFamily::f9:
      conditions.all(opened, "f_N = 0 and gddot_N > 0");
      return add_mode_conditions(conditions, a, edge.to).text();
    case EdgeFamily::chain:
      return conditions.some(to, "gamma_N < -tol").text();
    case EdgeFamily::event:
      return "an event of the model";
  }
  return "";
}

std::string reset_text(const AutomatonEdge& edge) {
  // Velocities change on the last internal edge of an impact node, forces inside both nodes; the
  // rest is identity.
  return edge.family == EdgeFamily::event ? "as the event says" : "identity";
}

bool is_optional(const AutomatonEdge& edge) {
  return edge.family == EdgeFamily::f7 ||
         (edge.family == EdgeFamily::f8 && edge.from.kind == PlaceKind::location);
}

std::string flow_text(const Automaton& a, const AutomatonPlace& location) {
  const Combination& closed = closed_of(a, location);
  if (closed.empty()) return "M vdot = h";
  const Combination stick = contacts_in(a, location, ContactStatus::stick),
                    trans = contacts_in(a, location, ContactStatus::trans),
                    slip = contacts_in(a, location, ContactStatus::slip);
  std::string columns = "W_N";
  if (!trans.empty()) columns += " + W_tr" + set_text(a, trans);
  if (!slip.empty()) columns += " + W_sl" + set_text(a, slip);
  if (trans.size() + slip.size() > 0) columns = "(" + columns + ")";
  std::string text = "M vdot = h + " + columns + " phi_N";
  if (!stick.empty()) text += " + W_st" + set_text(a, stick) + " phi_T";
  text += "; gddot_N = 0 on " + set_text(a, closed);
  if (!stick.empty()) text += "; gddot_T = 0 on " + set_text(a, stick);
  return text;
}

std::string domain_text(const Automaton& a, const AutomatonPlace& location) {
  const Combination& closed = closed_of(a, location);
  return Conditions(a)
      .all(closed, "phi_N >= 0")
      .all(reachable_contacts(a.list, closed), "g_N > 0 or gamma_N > 0")
      .all(contacts_in(a, location, ContactStatus::stick), "gamma_T = 0 and |phi_T| <= mu phi_N")
      .all(contacts_in(a, location, ContactStatus::trans), "gamma_T = 0 and gddot_T != 0")
      .all(contacts_in(a, location, ContactStatus::slip), "gamma_T != 0")
      .text();
}

std::string node_location_name(int location, int contacts) {
  if (location == 0) return "en";
  return location == 4 * contacts + 2 ? "ex" : std::to_string(location);
}

std::vector<NodeEdge> node_edges(PlaceKind kind, const std::vector<std::string>& contacts) {
  const int n = number_of(contacts);
  std::vector<NodeEdge> edges = {{0, 1, "true", "f_N := 0, f_T := 0"}};
  const auto name = [&](int i) { return contacts[i]; };
  for (int i = 0; i < n; ++i) {
    edges.push_back({i + 1, i + 2, fmt::format("Phi_N,{} >= 0", name(i)),
                     fmt::format("f_N,{0} := Phi_N,{0}", name(i))});
    edges.push_back(
        {i + 1, i + 2, fmt::format("Phi_N,{} < 0", name(i)), fmt::format("f_N,{} := 0", name(i))});
  }
  for (int i = 0; i < n; ++i) {
    const int at = n + i + 1;
    edges.push_back({at, at + 1, fmt::format("|Phi_T,{0}| <= mu f_N,{0}", name(i)),
                     fmt::format("f_T,{0} := Phi_T,{0}", name(i))});
    edges.push_back({at, at + 1, fmt::format("|Phi_T,{0}| > mu f_N,{0}", name(i)),
                     fmt::format("f_T,{0} := mu f_N,{0} Phi_T,{0}/|Phi_T,{0}|", name(i))});
  }
  for (int i = 0; i < n; ++i) {
    const int at = 2 * n + i + 1;
    edges.push_back(
        {at, at + 1, fmt::format("|f_N,{0} - max(0, Phi_N,{0})| < delta", name(i)), "identity"});
    edges.push_back(
        {at, 1, fmt::format("|f_N,{0} - max(0, Phi_N,{0})| >= delta", name(i)), "identity"});
  }
  for (int i = 0; i < n; ++i) {
    const int at = 3 * n + i + 1;
    edges.push_back(
        {at, at + 1, fmt::format("|f_T,{0} - proj(Phi_T,{0})| < delta", name(i)), "identity"});
    edges.push_back(
        {at, 1, fmt::format("|f_T,{0} - proj(Phi_T,{0})| >= delta", name(i)), "identity"});
  }
  edges.push_back(
      {4 * n + 1, 4 * n + 2, "true",
       kind == PlaceKind::impact_node ? "v := v + M^-1 (W_N f_N + W_T f_T)" : "identity"});
  return edges;
}

}  // namespace clack
