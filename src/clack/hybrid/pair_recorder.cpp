// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/hybrid/outline_guards.hpp"
#include "clack/hybrid/recorder.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

// What a row says of contacts that are made while running, and of what came from outside.

namespace clack {

/// One group of columns per entry of `contacts:`, and per pair of a list that is not long.
void Recorder::contact_columns() {
  for (const ContactKey& contact : table_.contacts())
    trace_.contacts.push_back(contact_name(model_, contact));
  for (const SourceIndex source : indices(model_.contacts))
    source_begin_.push_back(std::ranges::lower_bound(possible_, ContactKey{.source = source}) -
                            possible_.begin());
  source_begin_.push_back(possible_.size());
  for (SourceIndex first(0); first.value < columns_contacts_;) {
    const std::string& list = model_.contacts[first].list;
    SourceIndex last(first.value + 1);
    while (!list.empty() && last.value < columns_contacts_ && model_.contacts[last].list == list)
      ++last;
    if (last.value - first.value > hybrid_tolerances.pair_columns) {
      add_group(first, last);
      first = last;
    }
    for (; first != last; ++first) add_group(first, SourceIndex(first.value + 1));
  }
}

void Recorder::add_group(SourceIndex first, SourceIndex last) {
  const Contact& contact = model_.contacts[first];
  const bool is_one = last.value - first.value == 1;
  const std::string& name = is_one ? contact.name : contact.list;
  groups_.push_back({name, first, last});
  if (source_kind(model_, contact) == SourceKind::pair) trace_.pairs.push_back(name);
  trace_.columns.push_back("gap_" + name);
  trace_.columns.push_back("normal_" + name);
  if (model_.dimension == 2) {
    trace_.columns.push_back("tangent_" + name);
  } else {
    trace_.columns.push_back("tangent1_" + name);
    trace_.columns.push_back("tangent2_" + name);
  }
}

/// The smallest of the gaps of an entry. Of a long list only the pairs are looked at that can have it, or overlap.
double Recorder::gap_of_group(const ColumnGroup& group, double t, const double* q,
                              const double* v) {
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t i = source_begin_[group.first.value]; i < source_begin_[group.last.value]; ++i)
    gap = !(gap <= gaps_.of[i].gap) ? gaps_.of[i].gap : gap;
  for (SourceIndex source = group.first; source != group.last; ++source)
    if (const SolidSource* solids = mechanism_.solids_of_source(source))
      gap = std::min(gap, gap_of_solids(*solids, t, q, v));
  if (mechanism_.outlines().empty()) return gap;
  struct Reach {
    double least;  // of the gap, from the balls around the two
    const OutlineSource* pair;
  };
  std::vector<Reach> reaches;
  const BodyMotions* bodies = nullptr;
  for (SourceIndex source = group.first; source != group.last; ++source) {
    const OutlineSource* pair = mechanism_.outlines_of_source(source);
    if (!pair) continue;
    if (group.last.value - group.first.value == 1) return gap_of_outlines(*pair, t, q, v);
    if (!bodies) bodies = &mechanism_.bodies(t, q, v);
    const double centres =
        ((*bodies)[pair->first_body].pose.position - (*bodies)[pair->second_body].pose.position)
            .norm();
    reaches.push_back({centres - pair->first->radius - pair->second->radius, pair});
  }
  std::ranges::sort(reaches, {}, &Reach::least);
  for (const Reach& reach : reaches) {
    if (!(reach.least <= std::max(0.0, gap))) break;
    const double own = gap_of_outlines(*reach.pair, t, q, v);
    if (!(gap <= own)) gap = own;
  }
  return gap;
}

/// The signed gap of two outlines, or the drift of a contact that is held closed where that is lower.
double Recorder::gap_of_outlines(const OutlineSource& outlines, double t, const double* q,
                                 const double* v) {
  double gap = outline_gap(mechanism_, outlines, t, q, v);
  if (std::isnan(gap))
    overlap_ = fmt::format("contact {}: the polygons cross each other",
                           model_.contacts[outlines.source].name);
  else if (!(gap >= -hybrid_tolerances.domain * outlines.pair().size()))
    overlap_ = fmt::format("contact {}: the polygons overlap by {:.6g} m",
                           model_.contacts[outlines.source].name, -gap);
  const ContactSet& closed = dynamics_.rows().contacts;
  for (int i = 0; i < number_of(closed); ++i)
    if (closed[i].source == outlines.source) gap = std::min(gap, dynamics_.snapshot().gap()[i]);
  return gap;
}

/// The same of two polyhedra.
double Recorder::gap_of_solids(const SolidSource& solids, double t, const double* q,
                               const double* v) {
  double gap = mechanism_.solid_gap(solids, t, q, v);
  if (!(gap >= -hybrid_tolerances.domain * solids.size()))
    overlap_ = fmt::format("contact {}: the bodies overlap by {:.6g} m",
                           model_.contacts[solids.source].name, -gap);
  const ContactSet& closed = dynamics_.rows().contacts;
  for (int i = 0; i < number_of(closed); ++i)
    if (closed[i].source == solids.source) gap = std::min(gap, dynamics_.snapshot().gap()[i]);
  return gap;
}

/// The closed contacts of pairs one by one.
void Recorder::contact_rows(double t, const double* q, const double* v) {
  const ContactSet& closed = dynamics_.rows().contacts;
  const ModeForces& forces = dynamics_.forces();
  const Snapshot& s = dynamics_.snapshot();
  const int k = dynamics_.tangents();
  for (int local = 0; local < number_of(closed); ++local) {
    const SourceIndex source = closed[local].source;
    if (source_kind(model_, model_.contacts[source]) != SourceKind::pair &&
        source.value < columns_contacts_)
      continue;
    ContactRow row;
    row.t = t;
    row.contact = number(closed[local]);
    row.status = dynamics_.shape().statuses[local];
    row.gap = s.gap()[local];
    row.normal = forces.normal_force[local];
    const ContactPlace place = mechanism_.place_of(t, q, v, closed[local]);
    for (int a = 0; a < k; ++a) {
      row.tangent[a] = forces.friction_force[local * k + a];
      row.slip[a] = s.slip()[local * k + a];
    }
    for (int a = 0; a < 3; ++a) {
      row.point[a] = place.point[a];
      row.direction[a] = place.normal[a];
    }
    trace_.contact_rows.push_back(row);
  }
}

/// The rows of constraints that came from outside, while they are on.
void Recorder::constraint_rows(double t) {
  int at = 0;
  for (const int c : dynamics_.rows().constraints) {
    const Constraint& constraint = model_.constraints[c];
    for (int row = 0; row < number_of(constraint.rows); ++row, ++at) {
      if (c < columns_constraints_) continue;
      const bool is_position = constraint.kind_of(row) == ConstraintKind::configuration;
      trace_.constraint_rows.push_back({t, c, row,
                                        is_position ? dynamics_.snapshot().constraint_value()[at]
                                                    : dynamics_.snapshot().constraint_rate()[at],
                                        dynamics_.forces().constraint_force[at]});
    }
  }
}

}  // namespace clack
