// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/start.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "clack/contact/circumstances.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/continuity.hpp"
#include "clack/hybrid/instant.hpp"
#include "clack/hybrid/start_check.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/mechanism/inertia.hpp"
#include "clack/mechanism/tolerances.hpp"

namespace clack {
namespace {

/// Constraints determine what carries no inertia: not every formulation can use that.
void refuse_massless(const NodeTools& tools, const Snapshot& s) {
  std::string names;
  for (int j = 0; j < s.speeds(); ++j)
    if (s.mass_matrix()(j, j) == 0.0)
      names += (names.empty() ? "" : ", ") + tools.model.speeds[j].name;
  Circumstances now{.dimension = tools.model.dimension};
  now.massless_motion = names.empty() ? "a combination of speeds" : names;
  if (const std::string refusal = tools.parts.formulations.refusal(tools.theory.formulation, now);
      !refusal.empty())
    throw ModelError(refusal, tools.model.file, "set run: formulation: embedding");
}

/// What has no inertia must be determined by the constraints that are on.
void refuse_undetermined(const NodeTools& tools, const Eigen::MatrixXd& inertia) {
  const Eigen::VectorXd scale = inertia.diagonal().unaryExpr(
      [](double entry) { return entry > 0.0 ? 1.0 / std::sqrt(entry) : 1.0; });
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * inertia *
                                                             scale.asDiagonal());
  if (eigen.eigenvalues()[0] > mechanism_tolerances.massless) return;
  Eigen::Index speed = 0;
  eigen.eigenvectors().col(0).cwiseAbs().maxCoeff(&speed);
  throw ModelError(fmt::format("nothing determines the motion of {}: it has no inertia, and the "
                               "constraints that are on leave it free",
                               tools.model.speeds[static_cast<std::size_t>(speed)].name),
                   tools.model.file, "give it a mass or an inertia, or another constraint");
}

void refuse_equations(const NodeTools& tools, const Instant& at) {
  const Snapshot& s = tools.dynamics.snapshot_of(at.mode, {}, at.t, at.y.data());
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!s.mass_matrix().allFinite() ||
      !std::all_of(s.data() + s.at_force(), s.data() + s.at_gap(), is_finite))
    throw ModelError("the equations of motion are not finite at the start", tools.model.file,
                     "look for a division by zero or a root of a negative number in its formulas");
  if (s.speeds() == 0) return;
  const SmallestEigenvalue smallest = smallest_eigenvalue(s);
  if (s.constraint_rows() == 0 && smallest.value > 0.0) return;
  const Inertia inertia = inertia_of(s);
  if (smallest.value > 0.0 && inertia.added == 0.0) return;
  if (inertia.added > 0.0) {
    refuse_massless(tools, s);
    return refuse_undetermined(tools, inertia.matrix);
  }
  throw ModelError(
      fmt::format("the mass matrix is not positive definite at the start: smallest eigenvalue "
                  "{:.6g}",
                  smallest.value),
      tools.model.file, "give every coordinate a mass or an inertia");
}

/// All pairs that penetrate, with their depths, in one message; the place is the first one's.
void refuse_penetration(const NodeTools& tools, const Instant& at, const ContactSet& contacts,
                        const std::vector<GapMotion>& motions, const Scales& scales) {
  const Model& model = tools.model;
  const int shown = hybrid_tolerances.named_penetrations;
  std::string pairs;
  int count = 0;
  const Contact* first = nullptr;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (motions[i].gap >= -penetration_limit(model.tolerances, scales.of(contacts[i]))) continue;
    if (outlines_of(model, source_of(model, contacts[i]))) continue;  // refuse_overlap
    if (tools.mechanism.is_resting(contacts[i].source, tools.q(at.y)))
      continue;  // no contact there
    const Contact& c = source_of(model, contacts[i]);
    if (!first) first = &c;
    if (++count > shown) continue;
    pairs += (count > 1 ? ", contact " : "") + contact_name(model, contacts[i]);
    if (const Between* between = c.between())
      pairs += " (" + model.bodies[between->first.body].name + " and " +
               model.bodies[between->second.body].name + ")";
    pairs += fmt::format("{} by {:.6g} m", count > 1 ? "" : ": penetrates", -motions[i].gap);
  }
  if (!first) return;
  if (count > shown) pairs += fmt::format(" and {} more", count - shown);
  throw ModelError(fmt::format("contact {} at the start", pairs), model.where(first->place),
                   "move the bodies apart by that much, or set start values with --set NAME_0=...");
}

/// Of each contact its speed, and what the free motion gains over its length.
void widen_by_start(const NodeTools& tools, const Instant& at, ContactSet contacts,
                    const std::vector<GapMotion>& motions, Scales& scales) {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    scales.widen(contacts[i], std::abs(motions[i].rate));
  std::erase_if(contacts, [&](const ContactKey& c) {  // rows of feet that rest mean nothing
    return tools.mechanism.is_resting(c.source, tools.q(at.y));
  });
  const std::size_t at_once = hybrid_tolerances.start_rows;
  Eigen::VectorXd free;  // accelerations, the same for all contacts
  for (std::size_t begin = 0; begin < contacts.size(); begin += at_once) {
    const auto first = contacts.begin() + begin;
    const ContactSet some(first, first + std::min(at_once, contacts.size() - begin));
    const Snapshot& s = tools.snapshot(at, some);
    if (free.size() == 0)
      free = inertia_of(s).matrix.llt().solve(Eigen::VectorXd(s.smooth_force()));
    for (int i = 0; i < s.contacts(); ++i) {
      const double gain = std::abs(s.normal_jacobian().row(i).dot(free) + s.gap_bias()[i]);
      scales.widen(some[i], std::sqrt(gain * scales.of(some[i]).length));
      for (int a = 0; a < s.tangents(); ++a)
        scales.widen(some[i], std::abs(s.slip()[i * s.tangents() + a]));
    }
  }
}

/// Two outlines that overlap at the start, with the features and the depth.
void refuse_overlap(const Model& model, const OutlineSource& source, const PairGap& gap) {
  const double size = source.pair().size();
  const bool is_fine = gap.gap && *gap.gap >= -model.tolerances.penetration * size;
  if (is_fine) return;
  const Contact& contact = model.contacts[source.source];
  const std::string bodies =
      fmt::format("contact {} ({} and {})", contact.name, model.bodies[source.first_body].name,
                  model.bodies[source.second_body].name);
  if (!gap.gap)
    throw ModelError(bodies + ": the polygons cross each other at the start",
                     model.where(contact.place), "move them apart");
  std::string features;
  for (const ClosestPair& closest : gap.contacts)
    if (closest.gap <= *gap.gap && features.empty())
      features = contact_name(model, contact_key(source.source, closest.candidate));
  throw ModelError(
      fmt::format("{}: penetrates by {:.6g} m at {} at the start", bodies, -*gap.gap, features),
      model.where(contact.place), fmt::format("move them apart by {:.6g} m", -*gap.gap));
}

/// Outlines: none may overlap. Adds their nearest contacts.
void add_outlines(const NodeTools& tools, const Instant& at, ContactSet& contacts) {
  for (const OutlineSource& source : tools.mechanism.outlines()) {
    const PairGap gap =
        outline_start_gap(tools.mechanism, source, at.t, tools.q(at.y), tools.v(at.y));
    refuse_overlap(tools.model, source, gap);
    for (const ClosestPair& closest : gap.contacts)
      insert(contacts, contact_key(source.source, closest.candidate));
  }
}

}  // namespace

Scales check_start(const NodeTools& tools, const Instant& at) {
  refuse_equations(tools, at);
  ContactSet contacts = possible_contacts(tools.model);
  add_outlines(tools, at, contacts);
  contacts = united(contacts, tools.mechanism.solid_contacts(at.t, tools.q(at.y), tools.v(at.y)));
  GapMotions motions;
  gap_motion_of(tools.mechanism, contacts, at.t, tools.q(at.y), tools.v(at.y), nullptr, motions);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const GapMotion& g = motions.of[i];
    if (!std::isfinite(g.gap) || !std::isfinite(g.rate))
      throw ModelError("contact " + contact_name(tools.model, contacts[i]) +
                           ": its gap is not finite at the start",
                       tools.model.where(source_of(tools.model, contacts[i]).place),
                       "check the gap formula and the start values");
  }
  Scales scales =
      scales_at_start(tools.mechanism, contacts, motions.of, tools.q(at.y), tools.v(at.y));
  widen_by_start(tools, at, contacts, motions.of, scales);
  refuse_penetration(tools, at, contacts, motions.of, scales);
  return scales;
}

void require_parts(const NodeTools& tools, const Instant& instant) {
  const ContactSet contacts = touching_contacts(tools, instant, Cause{.is_start = true});
  if (tools.model.contacts.empty()) return;
  const Snapshot& s = tools.snapshot(instant, contacts);
  const TouchingContacts touching{
      contacts, tools.surroundings.materials(instant.surroundings, contacts),
      geometry_of(tools.mechanism, contacts, instant.t, tools.q(instant.y), tools.v(instant.y))};
  const Circumstances impact =
      circumstances_of(make_impact_problem(tools.model, s, touching, tools.v(instant.y)));
  const auto require = [&](const std::string& refusal, const char* remedy) {
    if (!refusal.empty()) throw ModelError(refusal, tools.model.file, remedy);
  };
  require(tools.parts.decisions.refusal(tools.theory.decision, impact),
          "choose another --decision or --theory; clack parts shows what each needs");
  require(tools.parts.impact_laws.refusal(tools.theory.impact, impact),
          "choose another --impact or --theory; clack parts shows what each needs");
}

std::vector<std::string> settle_constraints(const NodeTools& tools, Instant& instant) {
  Instant start = instant;  // with constraints that a formula switches on
  start.mode.constraints = tools.surroundings
                               .switch_at(start.surroundings, start.mode, {}, false, start.t,
                                          tools.q(start.y), tools.v(start.y))
                               .constraints;
  const std::vector<Violation> violations = violated_constraints(tools, start);
  if (violations.empty()) return {};
  const std::string where =
      tools.model.where(tools.model.constraints[violations[0].constraint].place);
  if (!tools.may_project)
    throw ModelError(describe(tools.model, violations) + " at the start", where,
                     "set start values that satisfy it, or move them onto it with --project");
  std::vector<std::string> notes;
  const ContactSet touching = touching_contacts(tools, start, Cause{.is_start = true});
  if (const auto stop = project_start(tools, start, violations, touching, notes))
    throw ModelError(stop->reason, where, stop->remedy);
  instant.y = start.y;
  return notes;
}

}  // namespace clack
