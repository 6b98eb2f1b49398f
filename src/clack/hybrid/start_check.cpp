// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/start_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/contact/circumstances.hpp"
#include "clack/contact/decision.hpp"
#include "clack/formulation/formulation.hpp"
#include "clack/formulation/speed_choice.hpp"
#include "clack/formulation/tolerances.hpp"
#include "clack/hybrid/nodes.hpp"
#include "clack/hybrid/outline_guards.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/impact/law.hpp"
#include "clack/index.hpp"
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
  double speed = 0.0;
  for (const GapMotion& g : motions.of) speed = std::max(speed, std::abs(g.rate));
  const Scales scales = scales_at_start(mechanism, possible, motions.of, q.data(), v.data());
  ContactSet closed;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    const GapMotion& g = motions.of[i];
    ContactStart start{possible[i], g.gap, g.rate, StartStatus::open, false};
    if (mechanism.is_resting(possible[i].source, q.data()))
      start.status = StartStatus::open;
    else if (g.gap < -penetration_limit(model.tolerances, scales.of(possible[i])))
      start.status = StartStatus::penetrating;
    else if (g.gap <= touch_limit(model.tolerances, scales.of(possible[i])))
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

/// Whether a speed is that of a pad, which rests for good.
bool is_of_pad(const Model& model, int speed) {
  return std::ranges::any_of(model.contacts, [&](const Contact& contact) {
    return contact.is_pressed() && std::ranges::count(contact.formulas()->pad->speeds, speed) > 0;
  });
}

/// Rows of the constraints alone, at a snapshot that has them.
StartFreedom freedom_of(const Model& model, const std::vector<int>& constraints,
                        const Snapshot& snapshot) {
  StartFreedom freedom;
  Eigen::VectorXd scale(snapshot.speeds());
  for (int j = 0; j < snapshot.speeds(); ++j) {
    const double inertia = snapshot.mass_matrix()(j, j);
    scale[j] = inertia > 0.0 ? 1.0 / std::sqrt(inertia) : 1.0;
  }
  const SpeedChoice choice = choose_speeds(Eigen::MatrixXd(snapshot.constraint_jacobian()), scale,
                                           formulation_tolerances.row_rank);
  for (const int j : choice.independent)
    if (!is_of_pad(model, j)) freedom.independent.push_back(model.speeds[j].name);
  freedom.degrees = number_of(freedom.independent);
  std::vector<std::string> names;
  for (const int c : constraints)
    for (std::size_t r = 0; r < model.constraints[c].rows.size(); ++r)
      names.push_back(model.constraints[c].rows.size() == 1
                          ? model.constraints[c].name
                          : fmt::format("{} {}", model.constraints[c].name, r + 1));
  for (const int r : choice.dropped) freedom.redundant.push_back(names[r]);
  return freedom;
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

StartReport inspect_start(const Model& model, const TheoryParts& parts) {
  StartReport report;
  report.theory = choose_theory(model.run, parts, model.dimension);
  const auto mechanism = make_mechanism(model);
  std::vector<double> q, v;
  for (const Coordinate& c : model.coordinates) q.push_back(c.start);
  for (const Speed& s : model.speeds) v.push_back(s.start);
  RowSelection rows;
  ContactSet possible = possible_contacts(model);
  report.outlines = inspect_outlines(model, *mechanism, q, v, possible);
  possible = united(possible, mechanism->solid_contacts(0.0, q.data(), v.data()));
  rows.contacts = inspect_contacts(model, *mechanism, q, v, possible, report.contacts);
  int constraint_rows = 0;
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    if (!model.constraints[i].is_active || model.constraints[i].known_from > 0.0) continue;
    rows.constraints.push_back(i);
    constraint_rows += mechanism->constraint_rows(i);
  }
  // The parts of the theory, asked about what is closed.
  Snapshot snapshot(mechanism->speeds(), mechanism->tangents(), number_of(rows.contacts),
                    constraint_rows);
  mechanism->evaluator(rows)->evaluate(0.0, q.data(), v.data(), snapshot);
  report.freedom = freedom_of(model, rows.constraints, snapshot);
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
  const auto law =
      parts.impact_laws.make(report.theory.impact, model.options[PartKind::impact_law]);
  if (const auto refused = law->refusal(impact); refused && report.parts.back().refusal.empty())
    report.parts.back().refusal =
        fmt::format("law {}: {}; {}", law->name(), refused->what, refused->remedy);
  // Restitutions that could raise the energy.
  if (rows.contacts.size() > 1)
    report.consistency = restitution_consistency(impact, model.tolerances.rank_cutoff);
  return report;
}

}  // namespace clack
