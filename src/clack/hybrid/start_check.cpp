// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/start_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/contact/circumstances.hpp"
#include "clack/contact/decision.hpp"
#include "clack/formulation/formulation.hpp"
#include "clack/hybrid/nodes.hpp"
#include "clack/hybrid/outline_guards.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/impact/law.hpp"
#include "clack/mechanism/mechanism.hpp"

namespace clack {
namespace {

/// Pairs of outlines: their gaps. Adds the contacts of those that touch.
std::vector<OutlineStart> inspect_outlines(const Model& model, Mechanism& mechanism,
                                           const std::vector<double>& q,
                                           const std::vector<double>& v, ContactSet& touching) {
  std::vector<OutlineStart> found;
  for (const OutlineSource& source : mechanism.outlines()) {
    const PairGap gap = outline_start_gap(mechanism, source, 0.0, q.data(), v.data());
    const double size = source.pair().size();
    ClosedTolerances tolerances;
    tolerances.gap = model.tolerances.gap * size;
    tolerances.slab = 2.0 * tolerances.gap;
    const OutlineClosing closing =
        closed_outline_contacts(mechanism, source, tolerances, 0.0, q.data(), v.data());
    touching = united(touching, closing.contacts);
    const bool may_start = gap.gap && *gap.gap >= -model.tolerances.penetration * size;
    found.push_back({source.source, gap, may_start});
  }
  return found;
}

/// Gaps and rates: which contacts are closed. Returns those. `possible`: fixed contacts, all of pairs of boxes, those of
/// outlines that touch.
ContactSet inspect_contacts(const Model& model, Mechanism& mechanism, const std::vector<double>& q,
                            const std::vector<double>& v, const ContactSet& possible,
                            std::vector<ContactStart>& contacts) {
  GapMotions motions;
  gap_motion_of(mechanism, possible, 0.0, q.data(), v.data(), nullptr, motions);
  std::vector<double> gaps;
  double speed = 0.0;
  for (const GapMotion& g : motions.of) {
    gaps.push_back(g.gap);
    speed = std::max(speed, std::abs(g.rate));
  }
  double length = length_scale(gaps, q);
  for (const OutlineSource& source : mechanism.outlines())
    length = std::max(length, source.pair().size());
  ContactSet closed;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    const GapMotion& g = motions.of[i];
    ContactStart start{possible[i], g.gap, g.rate, StartStatus::open, false};
    if (g.gap < -model.tolerances.penetration * length)
      start.status = StartStatus::penetrating;
    else if (g.gap <= model.tolerances.gap * length)
      start.status = StartStatus::closed;
    start.is_approaching = start.status == StartStatus::closed &&
                           g.rate < -model.tolerances.gap_rate * speed && speed > 0.0;
    if (start.status == StartStatus::closed) closed.push_back(possible[i]);
    const bool is_same_pair =
        !contacts.empty() && contacts.back().contact.source == possible[i].source;
    if (is_same_pair && contacts.back().status == StartStatus::open &&
        start.gap < contacts.back().gap)
      contacts.back() = start;
    else if (!is_same_pair || start.status != StartStatus::open)
      contacts.push_back(start);
  }
  return closed;
}

}  // namespace

std::string_view to_string(StartStatus status) {
  switch (status) {
    case StartStatus::open:
      return "open";
    case StartStatus::closed:
      return "closed";
    case StartStatus::penetrating:
      return "penetrating";
  }
  return "";
}

bool StartReport::is_ready() const {
  return std::none_of(contacts.begin(), contacts.end(),
                      [](const ContactStart& c) { return c.status == StartStatus::penetrating; }) &&
         std::all_of(outlines.begin(), outlines.end(),
                     [](const OutlineStart& o) { return o.may_start; }) &&
         std::all_of(parts.begin(), parts.end(),
                     [](const TheoryPart& p) { return p.refusal.empty(); });
}

double length_scale(std::span<const double> gaps, std::span<const double> coordinates) {
  double gap = 0.0, place = 0.0;
  for (const double g : gaps) gap = std::max(gap, std::abs(g));
  for (const double x : coordinates) place = std::max(place, std::abs(x));
  const double rounding =
      hybrid_tolerances.gap_rounding * std::numeric_limits<double>::epsilon() * place;
  if (gap > rounding) return gap;
  return place > 0.0 ? place : 1.0;
}

StartReport inspect_start(const Model& model, const TheoryParts& parts) {
  StartReport report;
  report.theory = choose_theory(model.run, parts);
  const auto mechanism = make_mechanism(model);
  std::vector<double> q, v;
  for (const Coordinate& c : model.coordinates) q.push_back(c.start);
  for (const Speed& s : model.speeds) v.push_back(s.start);
  RowSelection rows;
  ContactSet possible = possible_contacts(model);
  report.outlines = inspect_outlines(model, *mechanism, q, v, possible);
  rows.contacts = inspect_contacts(model, *mechanism, q, v, possible, report.contacts);
  int constraint_rows = 0;
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    if (!model.constraints[i].is_active || model.constraints[i].known_from > 0.0) continue;
    rows.constraints.push_back(static_cast<int>(i));
    constraint_rows += mechanism->constraint_rows(static_cast<int>(i));
  }
  // The parts of the theory, asked about what is closed.
  Snapshot snapshot(mechanism->speeds(), mechanism->tangents(),
                    static_cast<int>(rows.contacts.size()), constraint_rows);
  mechanism->evaluator(rows)->evaluate(0.0, q.data(), v.data(), snapshot);
  const Surroundings surroundings(model, *mechanism);
  const TouchingContacts touching{
      rows.contacts,
      surroundings.materials(surroundings.start(0.0, q.data(), v.data()), rows.contacts),
      geometry_of(*mechanism, rows.contacts, 0.0, q.data(), v.data())};
  const ImpactProblem impact = make_impact_problem(model, snapshot, touching, v.data());
  const ContactProblem contact =
      make_contact_problem(model, snapshot, touching, v.data(), snapshot.slip());
  ModeShape shape;
  shape.speeds = mechanism->speeds();
  shape.tangents = mechanism->tangents();
  shape.constraint_rows = constraint_rows;
  for (const ContactMaterial& material : touching.materials) {
    shape.statuses.push_back(ContactStatus::slip);
    shape.friction.push_back(material.dynamic_friction);
    for (int a = 0; a < shape.tangents; ++a) shape.slip_direction.push_back(a == 0 ? 1.0 : 0.0);
  }
  const auto ask = [&](const auto& registry, PartKind kind, const std::string& name,
                       const Circumstances& now) {
    report.parts.push_back({std::string(run_key(kind)), name, registry.refusal(name, now)});
  };
  ask(parts.formulations, PartKind::formulation, report.theory.formulation,
      circumstances_of(shape));
  ask(parts.decisions, PartKind::decision, report.theory.decision, circumstances_of(contact));
  ask(parts.impact_laws, PartKind::impact_law, report.theory.impact, circumstances_of(impact));
  // Restitutions that could raise the energy.
  if (rows.contacts.size() > 1)
    report.consistency = restitution_consistency(impact, model.tolerances.rank_cutoff);
  return report;
}

}  // namespace clack
