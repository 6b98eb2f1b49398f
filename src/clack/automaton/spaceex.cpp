// SPDX-License-Identifier: Apache-2.0
#include "clack/automaton/spaceex.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "clack/automaton/spaceex_xml.hpp"
#include "clack/automaton/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// Fifteen digits when they are the number up to rounding of the elimination, else all.
std::string number_text(double value) {
  const std::string digits = fmt::format("{:.15g}", value);
  const bool is_same =
      std::abs(std::stod(digits) - value) <= affine_tolerances.digits * std::abs(value);
  return is_same ? digits : fmt::format("{}", value);
}

using Rows = Eigen::MatrixXd;  // affine functions of (q, v, 1), one per row

/// Conditions on affine functions that hold together; constant ones are decided at once.
class AffineConditions {
 public:
  explicit AffineConditions(const std::vector<std::string>& variables) : variables_(variables) {}

  AffineConditions& add(const Eigen::RowVectorXd& row, std::string_view relation) {
    const Eigen::Index n = row.size() - 1;
    if (row.head(n).lpNorm<Eigen::Infinity>() <= affine_tolerances.zero) {
      const double value = std::abs(row[n]) <= affine_tolerances.zero ? 0.0 : row[n];
      const bool holds = relation == ">="   ? value >= 0.0
                         : relation == ">"  ? value > 0.0
                         : relation == "<=" ? value <= 0.0
                                            : value == 0.0;
      is_possible_ = is_possible_ && holds;
      return *this;
    }
    text_ += (text_.empty() ? "" : " & ") + affine_text(row, variables_) + " " +
             std::string(relation) + " 0";
    return *this;
  }
  AffineConditions& add_all(const Rows& rows, std::string_view relation) {
    for (Eigen::Index i = 0; i < rows.rows(); ++i) add(rows.row(i), relation);
    return *this;
  }
  bool is_possible() const { return is_possible_; }
  const std::string& text() const { return text_; }

  static std::string affine_text(const Eigen::RowVectorXd& row,
                                 const std::vector<std::string>& variables) {
    std::string text;
    const auto term = [&](double coefficient, const std::string& name) {
      if (std::abs(coefficient) <= affine_tolerances.zero) return;
      if (!text.empty())
        text += coefficient < 0.0 ? " - " : " + ";
      else if (coefficient < 0.0)
        text += "-";
      const double size = std::abs(coefficient);
      if (name.empty())
        text += number_text(size);
      else
        text += size == 1.0 ? name : number_text(size) + "*" + name;
    };
    for (Eigen::Index i = 0; i + 1 < row.size(); ++i) term(row[i], variables[i]);
    term(row[row.size() - 1], "");
    return text.empty() ? "0" : text;
  }

 private:
  const std::vector<std::string>& variables_;
  std::string text_;
  bool is_possible_ = true;
};

/// The exact automaton of an affine model.
class AffineAutomaton {
 public:
  AffineAutomaton(const Automaton& automaton, const AffineModel& model)
      : a_(automaton), m_(model), n_(model.mass_matrix.rows()), inverse_mass_(model.mass_matrix) {
    std::vector<std::string> names = model.coordinates;
    names.insert(names.end(), model.speeds.begin(), model.speeds.end());
    state_ = variable_names(names);
    xml_.variables = state_;
    xml_.variables.emplace_back("clock");
    xml_.comments = {
        "Exact: affine flows, computation nodes replaced by their closed forms (impacts: Newton's "
        "law, all touching contacts "
        "at once).",
        "Without friction the mode words of a contact combination are one location. Strict "
        "inequalities are meant; guards "
        "that differ only by them overlap when read as closed sets, and contacts that touch at the "
        "same instant may then be "
        "resolved as a smaller set. Accumulating impacts are not completed."};
  }

  XmlAutomaton build() {
    for (const VertexIndex k : indices(a_.vertices)) add_locations(k);
    for (const VertexIndex k : indices(a_.vertices)) add_transitions(k);
    return std::move(xml_);
  }

 private:
  struct Places {
    int flow = 0, impact = 0, impact_exit = 0, contact = 0;
  };
  const Combination& closed(VertexIndex k) const { return a_.vertices[k].closed; }

  Rows gap_rows(const Combination& set) const { return rows_of(set, 0, true); }
  Rows rate_rows(const Combination& set) const { return rows_of(set, n_, false); }
  Rows rows_of(const Combination& set, Eigen::Index at, bool has_offset) const {
    Rows rows = Rows::Zero(number_of(set), 2 * n_ + 1);
    for (std::size_t i = 0; i < set.size(); ++i) {
      const int r = i;
      rows.row(r).segment(at, n_) = m_.gap_rows.row(set[i]);
      if (has_offset) rows(r, 2 * n_) = m_.gap_offsets[set[i]];
    }
    return rows;
  }
  Eigen::MatrixXd jacobian(const Combination& set) const {
    Eigen::MatrixXd rows(number_of(set), n_);
    for (std::size_t i = 0; i < set.size(); ++i) rows.row(i) = m_.gap_rows.row(set[i]);
    return rows;
  }
  /// x with (G M^-1 G^T) x = -right; minimum norm where contacts are redundant.
  Rows reaction(const Combination& set, const Rows& right) const {
    if (set.empty()) return Rows(0, right.cols());
    const Eigen::MatrixXd G = jacobian(set);
    const Eigen::MatrixXd delassus = G * inverse_mass_.solve(G.transpose());
    return -delassus.completeOrthogonalDecomposition().solve(right);
  }
  Rows acceleration(const Combination& set, const Rows& force) const {
    return inverse_mass_.solve(m_.force + jacobian(set).transpose() * force);
  }
  Rows normal_force(const Combination& set) const {
    return reaction(set, jacobian(set) * inverse_mass_.solve(m_.force));
  }

  void add_locations(VertexIndex k) {
    Places places;
    const Combination& set = closed(k);
    const Rows force = normal_force(set), acceleration_rows = acceleration(set, force);
    AffineConditions domain(state_);
    domain.add_all(gap_rows(reachable_contacts(a_.list, set)), ">=").add_all(force, ">=");
    domain.add_all(gap_rows(set), "==").add_all(rate_rows(set), "==");
    std::string flow, rest;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const std::size_t q = i, v = n_ + i;
      flow += state_[q] + "' == " + state_[v] + " & ";
      rest += state_[q] + "' == 0 & " + state_[v] + "' == 0 & ";
    }
    for (Eigen::Index i = 0; i < n_; ++i)
      flow += state_[n_ + i] +
              "' == " + AffineConditions::affine_text(acceleration_rows.row(i), state_) + " & ";
    const std::string id = std::to_string(a_.vertices[k].id);
    places.flow = xml_.add({(set.empty() ? "S_" : "s_") + id,
                            domain.is_possible() ? domain.text() : "clock <= 0",
                            flow + (domain.is_possible() ? "clock' == 0" : "clock' == 1")});
    if (!set.empty()) {
      places.impact = xml_.add({"I_" + id + "_en", "clock <= 0", rest + "clock' == 1"});
      places.impact_exit = xml_.add({"I_" + id + "_ex", "clock <= 0", rest + "clock' == 1"});
      places.contact = xml_.add({"C_" + id, "clock <= 0", rest + "clock' == 1"});
    }
    places_.push_back(places);
    index_.emplace(set, k);
  }

  void add(int source, int target, std::string_view label, const AffineConditions& guard,
           const std::string& assignment = "") {
    if (!guard.is_possible()) return;
    const std::string reset = assignment.empty() ? "clock := 0" : assignment + " & clock := 0";
    xml_.transitions.push_back({source, target, std::string(label), guard.text(), reset});
  }

  static Combination without_set(const Combination& set, const Combination& part) {
    Combination rest;
    std::set_difference(set.begin(), set.end(), part.begin(), part.end(), std::back_inserter(rest));
    return rest;
  }

  void add_transitions(VertexIndex k) {
    const Combination& set = closed(k);
    const Places& here = places_[k];
    for (const auto& [larger, j] : index_) {  // F6
      if (!is_strict_subset(set, larger)) continue;
      const Combination closing = without_set(larger, set);
      AffineConditions guard(state_);
      guard.add_all(gap_rows(closing), "<=").add_all(rate_rows(closing), "<=");
      guard.add_all(gap_rows(without_set(reachable_contacts(a_.list, set), larger)), ">");
      add(here.flow, places_[j].impact, "F6", guard);
    }
    if (set.empty()) return;
    const Rows force = normal_force(set);
    for (Eigen::Index i = 0; i < force.rows();
         ++i) {  // F3: a force that is constant never falls to zero
      if (force.row(i).head(2 * n_).lpNorm<Eigen::Infinity>() <= affine_tolerances.zero) continue;
      add(here.flow, here.contact, "F3", AffineConditions(state_).add(force.row(i), "<="));
    }
    for (unsigned mask = 0; mask < (1U << set.size()); ++mask) {
      Combination part;
      for (std::size_t c = 0; c < set.size(); ++c)
        if (mask >> c & 1U) part.push_back(set[c]);
      add_subset_transitions(here, set, part);
    }
  }

  /// `part` of the touching contacts takes an impulse; keeps touching; stays closed.
  void add_subset_transitions(const Places& here, const Combination& set, const Combination& part) {
    const Combination rest = without_set(set, part);
    add_impact(here, part, rest);
    const auto found = index_.find(part);
    if (found == index_.end()) return;
    const Places& there = places_[found->second];
    AffineConditions leaving(state_);
    leaving.add_all(rate_rows(part), "==").add_all(rate_rows(rest), ">");
    add(here.impact_exit, part.empty() ? there.flow : there.contact,
        part.empty()   ? "F8"
        : rest.empty() ? "F1"
                       : "F2",
        leaving);
    const Rows force = normal_force(part);
    AffineConditions staying(state_);
    staying.add_all(force, ">=").add_all(jacobian(rest) * acceleration(part, force), ">");
    add(here.contact, there.flow, rest.empty() ? "F4" : "F9", staying);
  }

  /// v+ = v + M^-1 G_B^T lambda,  lambda = -(G_B M^-1 G_B^T)^-1 (1 + e) G_B v > 0,  the others: gap
  /// rate + e gap rate- >= 0.
  void add_impact(const Places& here, const Combination& part, const Combination& rest) {
    const auto scaled_rates = [&](const Combination& set) {
      Rows rows = rate_rows(set);
      for (std::size_t i = 0; i < set.size(); ++i) rows.row(i) *= 1.0 + m_.restitution[set[i]];
      return rows;
    };
    const Eigen::MatrixXd G = jacobian(part);
    if (!part.empty() && G.fullPivHouseholderQr().rank() < G.rows())
      return;  // a smaller set gives the same speeds
    const Rows impulse = reaction(part, scaled_rates(part));
    const Rows change = inverse_mass_.solve(G.transpose() * impulse);
    AffineConditions guard(state_);
    guard.add_all(impulse, ">").add_all(scaled_rates(rest) + jacobian(rest) * change, ">=");
    std::string assignment;
    for (Eigen::Index i = 0; i < n_ && !part.empty(); ++i) {
      Eigen::RowVectorXd row = change.row(i);
      if (row.lpNorm<Eigen::Infinity>() <= affine_tolerances.zero) continue;
      row[n_ + i] += 1.0;
      assignment += (assignment.empty() ? "" : " & ") + state_[n_ + i] +
                    " := " + AffineConditions::affine_text(row, state_);
    }
    add(here.impact, here.impact_exit, "impact", guard, assignment);
  }

  const Automaton& a_;
  const AffineModel& m_;
  Eigen::Index n_;
  Eigen::LLT<Eigen::MatrixXd> inverse_mass_;
  std::vector<std::string> state_;
  XmlAutomaton xml_;
  Indexed<Places, VertexIndex> places_;
  std::map<Combination, VertexIndex> index_;
};

XmlAutomaton structure_only(const Automaton& a, const std::string& reason) {
  XmlAutomaton xml;
  xml.variables = {"clock"};
  xml.comments = {"Structure only: SpaceEx treats affine systems, and this model is none (" +
                  reason +
                  "). Locations and labelled transitions are complete, flows, guards and resets of "
                  "the motion are left out."};
  std::map<AutomatonPlace, int> id;
  const auto add = [&](const AutomatonPlace& place, bool is_zero_time) {
    id[place] = xml.add({place_name(a, place), is_zero_time ? "clock <= 0" : "", "clock' == 1"});
  };
  for (const AutomatonLocation& l : a.locations) {
    const auto modes = modes_of_word(l.word, a.closed_count(l.vertex));
    add({PlaceKind::location, l.vertex, l.word},
        std::find(modes.begin(), modes.end(), ContactStatus::trans) != modes.end());
  }
  for (const AutomatonNode& n : a.nodes) add({n.kind, n.vertex, 0}, true);
  for (const AutomatonEdge& e : a.edges)
    xml.transitions.push_back(
        {id.at(e.from), id.at(e.to), std::string(to_string(e.family)), "", "clock := 0"});
  return xml;
}

}  // namespace

void write_spaceex(const Automaton& automaton, const AffineAnswer& affine, const TextSink& sink) {
  write_xml(affine.model ? AffineAutomaton(automaton, *affine.model).build()
                         : structure_only(automaton, affine.reason),
            sink);
}

}  // namespace clack
