// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/impact_node.hpp"

#include "clack/contact/circumstances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clack/contact/tolerances.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/islands.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

std::vector<double> speeds_of(const NodeTools& tools, const std::vector<double>& y) {
  return {tools.v(y), tools.v(y) + tools.dynamics.speeds()};
}

/// The largest speed of contacts, which the speed scale has to cover.
double contact_speed(const Snapshot& s) {
  double speed = 0.0;
  for (int i = 0; i < s.contacts(); ++i) {
    speed = std::max(speed, std::abs(s.gap_rate()[i]));
    for (int a = 0; a < s.tangents(); ++a)
      speed = std::max(speed, std::abs(s.slip()[i * s.tangents() + a]));
  }
  return speed;
}

double approach_speed(const Snapshot& s) {
  double approach = 0.0;
  for (int i = 0; i < s.contacts(); ++i) approach = std::max(approach, -s.gap_rate()[i]);
  return approach;
}

/// Whether a joint's rate exceeds the rounding of what it is made of.
bool has_joint_jump(const Snapshot& s, const double* v, double tolerance) {
  for (int b = 0; b < s.constraint_rows(); ++b) {
    double terms = 0.0;
    for (int j = 0; j < s.speeds(); ++j) terms += std::abs(s.constraint_jacobian()(b, j) * v[j]);
    if (std::abs(s.constraint_rate()[b]) > tolerance * terms) return true;
  }
  return false;
}

/// Contacts (local) that an impact concerns: the islands in which one approaches; all when a joint
/// jumps.
std::vector<int> impacting_contacts(const Snapshot& s, bool has_jump, double approach_limit) {
  std::vector<int> approaching;
  for (int i = 0; i < s.contacts(); ++i)
    if (has_jump || s.gap_rate()[i] < -approach_limit) approaching.push_back(i);
  return has_jump ? approaching : Islands(s).contacts_with(approaching);
}

ContactSet took_part(const ImpactPass& pass, const Eigen::VectorXd& gap_rate,
                     double approach_limit) {
  ContactSet set;
  if (pass.part.empty()) return set;
  const Eigen::VectorXd& impulse = pass.result.normal_impulse;
  const double least = contact_tolerances.force * impulse.cwiseAbs().maxCoeff();
  for (int p = 0; p < static_cast<int>(pass.part.size()); ++p)
    if (gap_rate[pass.part[p]] < -approach_limit || std::abs(impulse[p]) > least)
      insert(set, pass.contacts[pass.part[p]]);
  return set;
}

/// One application of the law; the chain stops where it has no answer.
void apply_law(const NodeTools& tools, Instant& at, const ContactSet& contacts, bool has_jump,
               ImpactChain& chain) {
  const Snapshot& s = tools.snapshot(at, contacts);
  const double approach_limit = tools.model.tolerances.gap_rate * chain.speed_scale;
  ImpactPass pass;
  pass.contacts = contacts;
  pass.problem = make_impact_problem(
      tools.model, s,
      {contacts, tools.surroundings.materials(at.surroundings, contacts),
       geometry_of(tools.mechanism, contacts, at.t, tools.q(at.y), tools.v(at.y))},
      tools.v(at.y));
  pass.problem.options.threads = tools.threads;
  pass.problem.options.record_path = tools.records_paths;
  pass.part = impacting_contacts(s, has_jump, approach_limit);
  const bool is_whole = pass.part.size() == contacts.size();
  const ImpactProblem part = is_whole ? ImpactProblem{} : restricted_to(pass.problem, pass.part);
  const ImpactProblem& problem = is_whole ? pass.problem : part;
  if (const std::string refusal =
          tools.parts.impact_laws.refusal(tools.theory.impact, circumstances_of(problem));
      !refusal.empty()) {
    chain.stop = Stop{refusal, "choose another --impact; clack parts shows what each needs"};
    return;
  }
  pass.result = tools.law.resolve(problem);
  pass.v_before = speeds_of(tools, at.y);
  pass.energy_before = tools.kinetic(at.t, at.y);
  if (!has_answer(pass.result.status)) {
    const bool is_none = pass.result.status == SolveStatus::none_exists;
    std::string reason = fmt::format("t = {:.9g} s: law {} {}", at.t, tools.law.name(),
                                     is_none ? "has no admissible impulse"
                                             : fmt::format("found no impulse (residual {:.3g})",
                                                           pass.result.certificate.residual));
    for (const std::string& note : pass.result.notes) reason += "; " + note;
    chain.flags.push_back(is_none ? "no-solution" : "not-converged");
    chain.stop = Stop{reason, "choose another --impact, or less friction"};
    chain.passes.push_back(std::move(pass));
    return;
  }
  pass.took_part = took_part(pass, s.gap_rate(), approach_limit);
  std::copy_n(pass.result.velocity.data(), tools.dynamics.speeds(), tools.v(at.y));
  pass.v_after = speeds_of(tools, at.y);
  pass.energy_after = tools.kinetic(at.t, at.y);
  for (const std::string& code : pass.result.flags) chain.flags.push_back(code);
  for (const std::string& note : pass.result.notes)
    chain.notes.push_back(fmt::format("t = {:.9g} s: {}", at.t, note));
  chain.passes.push_back(std::move(pass));
}

/// A chain of impacts at one instant that does not end: plastic projection of what is left (policy
/// complete).
void complete_chain(const NodeTools& tools, Instant& at, const ContactSet& contacts,
                    ImpactChain& chain) {
  const std::size_t impacts = chain.passes.size();
  if (tools.model.policies.chain_limit == ChainPolicy::error) {
    chain.stop = Stop{
        fmt::format("t = {:.9g} s: {} impacts chained at one instant and contacts still approach",
                    at.t, impacts),
        "set policies: chain_limit: complete, or change the restitution"};
    return;
  }
  ImpactPass pass;
  pass.kind = ImpactKind::chain_completion;
  pass.contacts = contacts;
  pass.v_before = speeds_of(tools, at.y);
  pass.energy_before = tools.kinetic(at.t, at.y);
  const Snapshot& s = tools.snapshot(at, contacts);
  const Eigen::VectorXd change = velocity_correction(s, std::vector<bool>(contacts.size(), false));
  for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(at.y)[j] += change[j];
  pass.v_after = speeds_of(tools, at.y);
  pass.energy_after = tools.kinetic(at.t, at.y);
  chain.passes.push_back(std::move(pass));
  chain.flags.push_back("chain-completed");
  chain.notes.push_back(fmt::format(
      "t = {:.9g} s: a chain of {} impacts was completed by a plastic impact", at.t, impacts));
}

int chain_cap(const Model& model) {
  if (model.tolerances.chain_cap > 0) return model.tolerances.chain_cap;
  return model.dimension == 2 ? hybrid_tolerances.plane_chain_cap
                              : hybrid_tolerances.space_chain_cap;
}

/// Policy `simultaneous: false`: the contact that approaches fastest, alone.
ContactSet fastest(const Snapshot& s, const ContactSet& contacts) {
  int most = 0;
  for (int i = 1; i < s.contacts(); ++i)
    if (s.gap_rate()[i] < s.gap_rate()[most]) most = i;
  return contacts.empty() ? contacts : ContactSet{contacts[most]};
}

}  // namespace

OutlineClosing with_outline_contacts(const NodeTools& tools, const Instant& instant, bool is_start,
                                     ContactSet contacts) {
  OutlineClosing result;
  Mechanism& mechanism = tools.mechanism;
  if (mechanism.outlines().empty()) {
    result.contacts = std::move(contacts);
    return result;
  }
  std::erase_if(contacts, [&](const ContactKey& c) {
    return mechanism.outlines_of_source(c.source) != nullptr;
  });
  const Tolerances& tol = tools.model.tolerances;
  const double window = tol.time * std::max(1.0, std::abs(instant.t));
  for (const OutlineSource& source : mechanism.outlines()) {
    const double rounding = hybrid_tolerances.outline_band * source.pair().size();
    const double drift = 2.0 * tol.drift * instant.scales.length;
    ClosedTolerances closed;
    closed.gap = is_start ? std::max(rounding, tol.gap * instant.scales.length)
                          : 2.0 * rounding + drift + window * instant.scales.speed;
    closed.slab = std::max(closed.gap, outline_slab(source.pair()));
    closed.speed = tol.gap_rate * instant.scales.speed;
    const OutlineClosing closing = closed_outline_contacts(mechanism, source, closed, instant.t,
                                                           tools.q(instant.y), tools.v(instant.y));
    result.has_vertex_on_vertex |= closing.has_vertex_on_vertex;
    contacts = united(contacts, closing.contacts);
  }
  result.contacts = std::move(contacts);
  return result;
}

ImpactChain visit_impact_node(const NodeTools& tools, const Instant& instant,
                              const ContactSet& touching, bool may_jump) {
  const Tolerances& tol = tools.model.tolerances;
  ContactSet contacts = touching;
  ImpactChain chain;
  chain.speed_scale = instant.scales.speed;
  std::optional<Instant> moved;  // by the impacts so far
  while (!chain.stop) {
    const Instant& at = moved ? *moved : instant;
    const Snapshot& s = tools.snapshot(at, contacts);
    chain.speed_scale = std::max(chain.speed_scale, contact_speed(s));
    const double approach = approach_speed(s);
    const bool has_jump = may_jump && has_joint_jump(s, tools.v(at.y), tol.gap_rate);
    if (approach <= tol.gap_rate * chain.speed_scale && !has_jump) break;
    chain.approach_speed = std::max(chain.approach_speed, approach);
    if (!moved) moved = instant;
    if (static_cast<int>(chain.passes.size()) >= chain_cap(tools.model)) {
      complete_chain(tools, *moved, contacts, chain);
      break;
    }
    may_jump = false;
    const ContactSet asked = tools.model.policies.simultaneous ? contacts : fastest(s, contacts);
    apply_law(tools, *moved, asked, has_jump, chain);
    if (!chain.stop)
      contacts = with_outline_contacts(tools, *moved, false, std::move(contacts)).contacts;
  }
  chain.y = moved ? std::move(moved->y) : instant.y;
  return chain;
}

TangentialImpact tangential_impact(const NodeTools& tools, const Instant& instant,
                                   const ContactSet& contacts) {
  const Snapshot& s = tools.snapshot(instant, contacts);
  TangentialImpact impact;
  ImpactPass& pass = impact.pass;
  pass.kind = ImpactKind::tangential;
  pass.contacts = pass.took_part = contacts;
  pass.part.resize(contacts.size());
  std::iota(pass.part.begin(), pass.part.end(), 0);
  pass.v_before = speeds_of(tools, instant.y);
  pass.energy_before = tools.kinetic(instant.t, instant.y);
  const Eigen::VectorXd change = velocity_correction(s, std::vector<bool>(contacts.size(), true));
  const Eigen::VectorXd momentum = s.mass_matrix() * change;
  const int k = s.tangents(), c = s.contacts();
  Eigen::MatrixXd rows(c * (1 + k) + s.constraint_rows(), s.speeds());
  rows << s.normal_jacobian(), s.tangent_jacobian(), s.constraint_jacobian();
  const Eigen::VectorXd impulse =
      rows.transpose().completeOrthogonalDecomposition().solve(momentum);
  for (int i = 0; i < c; ++i) {
    const double normal = impulse[i], tangent = impulse.segment(c + i * k, k).norm();
    const double mu =
        tools.surroundings.material(instant.surroundings, contacts[i]).static_friction;
    if (!(normal < 0.0) && !(tangent > mu * normal * (1.0 + hybrid_tolerances.tangential_cone)))
      continue;
    impact.stop =
        Stop{fmt::format(
                 "t = {:.9g} s: no tangential impact either; contact {} would need impulses {:.6g} "
                 "and {:.6g} N s",
                 instant.t, contact_name(tools.model, contacts[i]), normal, tangent),
             "lower the friction"};
    return impact;
  }
  pass.result.normal_impulse = impulse.head(c);
  pass.result.tangent_impulse = impulse.segment(c, c * k);
  impact.y = instant.y;
  for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(impact.y)[j] += change[j];
  pass.v_after = speeds_of(tools, impact.y);
  pass.energy_after = tools.kinetic(instant.t, impact.y);
  return impact;
}

}  // namespace clack
