// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/impact_node.hpp"

#include "clack/contact/circumstances.hpp"
#include "clack/contact/system_islands.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "clack/contact/tolerances.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/islands.hpp"
#include "clack/hybrid/outline_contacts.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/inertia.hpp"

namespace clack {
namespace {

std::vector<double> speeds_of(const NodeTools& tools, const std::vector<double>& y) {
  return {tools.v(y), tools.v(y) + tools.dynamics.speeds()};
}

/// The speeds of contacts, which their scales have to cover.
void widen_scales(const Snapshot& s, std::vector<double>& scale) {
  for (int i = 0; i < s.contacts(); ++i) {
    scale[i] = std::max(scale[i], std::abs(s.gap_rate()[i]));
    for (int a = 0; a < s.tangents(); ++a)
      scale[i] = std::max(scale[i], std::abs(s.slip()[i * s.tangents() + a]));
  }
}

/// The largest approach in parts of the scales.
double approach_speed(const Snapshot& s, const std::vector<double>& scale) {
  double approach = 0.0;
  for (int i = 0; i < s.contacts(); ++i)
    if (s.gap_rate()[i] < 0.0) approach = std::max(approach, -s.gap_rate()[i] / scale[i]);
  return approach;
}

/// What counts as an approach of a touching contact, m/s.
double approach_limit(const NodeTools& tools, const ImpactChain& chain, int contact) {
  return tools.model.tolerances.gap_rate * chain.speed_scale[contact];
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

constexpr int many_speeds = 100;  // below, the cube is no more than the rest of an event

/// What an impact concerns.
struct Concerned {
  /// Local: of the islands in which one approaches; all when a joint jumps. Those that are pressed by a constant force are
  /// left out by who asks: it has no impulse.
  std::vector<int> contacts;
  /// Of these islands, where others stay as they are. They are told of mechanisms of many speeds without joints, since laws
  /// cost the cube of the speeds; else empty.
  std::vector<int> speeds;
};

Concerned concerned_by_impact(const Snapshot& s, bool has_jump, const std::vector<double>& limit) {
  std::vector<int> approaching;
  for (int i = 0; i < s.contacts(); ++i)
    if (has_jump || s.gap_rate()[i] < -limit[i]) approaching.push_back(i);
  if (has_jump) return {approaching, {}};
  const Islands islands(s);
  Concerned concerned{islands.contacts_with(approaching), {}};
  if (s.constraint_rows() > 0 || s.speeds() < many_speeds) return concerned;
  concerned.speeds = islands.speeds_with(approaching);
  if (number_of(concerned.speeds) == s.speeds()) concerned.speeds.clear();
  return concerned;
}

/// What the law is asked: about all that touches, or about the islands that the impact concerns.
ImpactProblem question_of(const NodeTools& tools, const Instant& at, const Snapshot& s,
                          const ContactSet& contacts, const Concerned& concerned) {
  const auto problem_of = [&](const ContactSet& asked, const auto&... part) {
    return make_impact_problem(
        tools.model, s,
        {asked, tools.surroundings.materials(at.surroundings, asked),
         geometry_of(tools.mechanism, asked, at.t, tools.q(at.y), tools.v(at.y))},
        tools.v(at.y), part...);
  };
  if (concerned.speeds.empty()) return problem_of(contacts);
  ContactSet asked;
  for (const int i : concerned.contacts) asked.push_back(contacts[i]);
  return problem_of(asked, ProblemPart{concerned.speeds, concerned.contacts, {}});
}

/// Speeds of islands that an impact does not concern stay as they are.
void complete_velocity(const double* v, int count, const std::vector<int>& speeds,
                       ImpactResult& result) {
  if (speeds.empty() || result.velocity.size() == 0)
    return;  // all were asked, or there is no answer
  Eigen::VectorXd velocity = Eigen::Map<const Eigen::VectorXd>(v, count);
  put(result.velocity, speeds, 1, velocity);
  result.velocity = std::move(velocity);
}

ContactSet took_part(const ImpactPass& pass, const Eigen::VectorXd& gap_rate,
                     const std::vector<double>& limit) {
  ContactSet set;
  if (pass.part.empty()) return set;
  const Eigen::VectorXd& impulse = pass.result.normal_impulse;
  const double least = contact_tolerances.force * impulse.cwiseAbs().maxCoeff();
  for (int p = 0; p < number_of(pass.part); ++p)
    if (gap_rate[pass.part[p]] < -limit[pass.part[p]] || std::abs(impulse[p]) > least)
      insert(set, pass.contacts[pass.part[p]]);
  return set;
}

/// The law's works are those of its impulses along the motion of the mechanism (contact/report.hpp). A joint that was
/// violated in speed (the start, one that is switched on) loses energy as a normal impact does.
ImpactWorks works_of(const ImpactProblem& problem, const ImpactResult& result) {
  const double normal_drive = result.normal_impulse.dot(problem.normal_surface_velocity);
  const double tangent_drive = result.tangent_impulse.size() > 0
                                   ? result.tangent_impulse.dot(problem.tangent_surface_velocity)
                                   : 0.0;
  double joint_drive = 0.0, joint_heat = 0.0;
  if (result.bilateral_impulse.size() > 0) {
    const Eigen::VectorXd mean = 0.5 * (problem.velocity + result.velocity);
    joint_drive = result.bilateral_impulse.dot(problem.bilateral_velocity);
    joint_heat = result.bilateral_impulse.dot(problem.bilateral * mean) - joint_drive;
  }
  return {result.normal_work - normal_drive + joint_heat, result.tangential_work - tangent_drive,
          normal_drive + tangent_drive + joint_drive};
}

/// Why the law does not answer such a problem.
std::optional<Stop> refusal_of(const NodeTools& tools, const ImpactProblem& problem, double t) {
  if (const std::string refusal =
          tools.parts.impact_laws.refusal(tools.theory.impact, circumstances_of(problem));
      !refusal.empty())
    return Stop{refusal, "choose another --impact; clack parts shows what each needs"};
  if (const auto refusal = tools.law.refusal(problem))
    return Stop{fmt::format("t = {:.9g} s: law {}: {}", t, tools.law.name(), refusal->what),
                refusal->remedy};
  return std::nullopt;
}

/// One application of the law; the chain stops where it has no answer.
void apply_law(const NodeTools& tools, Instant& at, const ContactSet& contacts,
               const std::vector<double>& limit, bool has_jump, ImpactChain& chain) {
  const Snapshot& s = tools.snapshot(at, contacts);
  ImpactPass pass;
  pass.contacts = contacts;
  pass.constraints = at.mode.rows().constraints;
  Concerned concerned = concerned_by_impact(s, has_jump, limit);
  std::erase_if(concerned.contacts,
                [&](int i) { return source_of(tools.model, contacts[i]).is_pressed(); });
  pass.problem = question_of(tools, at, s, contacts, concerned);
  if (!limit.empty()) pass.problem.approach_limit = *std::ranges::min_element(limit);
  pass.problem.options.threads = tools.threads;
  pass.problem.options.record_path = tools.records_paths;
  pass.problem.options.record_history = tools.records_history;
  pass.part = std::move(concerned.contacts);
  const bool is_asked = pass.problem.contacts() == number_of(pass.part);
  const ImpactProblem part = is_asked ? ImpactProblem{} : restricted_to(pass.problem, pass.part);
  const ImpactProblem& problem = is_asked ? pass.problem : part;
  chain.stop = refusal_of(tools, problem, at.t);
  if (chain.stop) return;
  pass.result = tools.law.resolve(problem);
  complete_velocity(tools.v(at.y), s.speeds(), concerned.speeds, pass.result);
  pass.v_before = speeds_of(tools, at.y);
  pass.energy_before = tools.kinetic(at.t, at.y);
  chain.is_unfinished = pass.result.status == SolveStatus::unfinished;
  if (!has_answer(pass.result.status) && !chain.is_unfinished) {
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
  if (const double added = pass.result.bilateral_impulse.size() > 0 ? inertia_of(s).added : 0.0;
      added > 0.0)
    pass.result.bilateral_impulse -=
        added * (s.constraint_jacobian() * (pass.result.velocity - pass.problem.velocity));
  pass.took_part = took_part(pass, s.gap_rate(), limit);
  std::copy_n(pass.result.velocity.data(), tools.dynamics.speeds(), tools.v(at.y));
  pass.v_after = speeds_of(tools, at.y);
  pass.energy_after = tools.kinetic(at.t, at.y);
  pass.works = works_of(problem, pass.result);
  for (const std::string& code : pass.result.flags) chain.flags.push_back(code);
  for (const std::string& note : pass.result.notes)
    chain.notes.push_back(fmt::format("t = {:.9g} s: {}", at.t, note));
  chain.passes.push_back(std::move(pass));
}

/// A chain of impacts at one instant that does not end: plastic projection of what is left (policy
/// complete).
void complete_chain(const NodeTools& tools, Instant& at, const ContactSet& contacts,
                    ImpactChain& chain) {
  std::size_t impacts = 0;  // events of a law count one by one
  for (const ImpactPass& pass : chain.passes)
    impacts += std::max<std::size_t>(1, pass.result.events.size());
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
  pass.works.normal = pass.energy_after - pass.energy_before;
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
int fastest(const Snapshot& s) {
  int most = 0;
  for (int i = 1; i < s.contacts(); ++i)
    if (s.gap_rate()[i] < s.gap_rate()[most]) most = i;
  return most;
}

/// After an impact: the closed contacts of outlines, with the scales of their pairs.
void renew_outline_contacts(const NodeTools& tools, Instant& at, ContactSet& contacts,
                            ImpactChain& chain) {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    at.scales.widen(contacts[i], chain.speed_scale[i]);
  contacts = with_outline_contacts(tools, at, false, std::move(contacts)).contacts;
  chain.speed_scale.clear();
  for (const ContactKey& c : contacts) chain.speed_scale.push_back(at.scales.speed_of(c));
}

}  // namespace

ImpactChain visit_impact_node(const NodeTools& tools, const Instant& instant,
                              const ContactSet& touching, bool may_jump) {
  const Tolerances& tol = tools.model.tolerances;
  ContactSet contacts = touching;
  ImpactChain chain;
  for (const ContactKey& c : contacts) chain.speed_scale.push_back(instant.scales.speed_of(c));
  std::optional<Instant> moved;  // by the impacts so far
  while (!chain.stop) {
    const Instant& at = moved ? *moved : instant;
    const Snapshot& s = tools.snapshot(at, contacts);
    widen_scales(s, chain.speed_scale);
    const double approach = approach_speed(s, chain.speed_scale);
    const bool has_jump = may_jump && has_joint_jump(s, tools.v(at.y), tol.gap_rate);
    if (approach <= tol.gap_rate && !has_jump) break;
    chain.approach_speed = std::max(chain.approach_speed, approach);
    if (!moved) moved = instant;
    if (chain.is_unfinished || number_of(chain.passes) >= chain_cap(tools.model)) {
      complete_chain(tools, *moved, contacts, chain);
      break;
    }
    may_jump = false;
    std::vector<double> limit;
    for (int i = 0; i < s.contacts(); ++i) limit.push_back(approach_limit(tools, chain, i));
    if (tools.model.policies.simultaneous || contacts.empty()) {
      apply_law(tools, *moved, contacts, limit, has_jump, chain);
    } else {
      const int one = fastest(s);
      apply_law(tools, *moved, {contacts[one]}, {limit[one]}, has_jump, chain);
    }
    if (!chain.stop && !tools.mechanism.outlines().empty())
      renew_outline_contacts(tools, *moved, contacts, chain);
  }
  chain.scales = moved ? std::move(moved->scales) : instant.scales;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    chain.scales.widen(contacts[i], chain.speed_scale[i]);
  chain.y = moved ? std::move(moved->y) : instant.y;
  return chain;
}

TangentialImpact tangential_impact(const NodeTools& tools, const Instant& instant,
                                   const ContactSet& touching) {
  ContactSet contacts = touching;
  std::erase_if(contacts,
                [&](const ContactKey& c) { return source_of(tools.model, c).is_pressed(); });
  const Snapshot& s = tools.snapshot(instant, contacts);
  TangentialImpact impact;
  ImpactPass& pass = impact.pass;
  pass.kind = ImpactKind::tangential;
  pass.contacts = pass.took_part = contacts;
  pass.constraints = instant.mode.rows().constraints;
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
  pass.result.bilateral_impulse = impulse.tail(s.constraint_rows());
  impact.y = instant.y;
  for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(impact.y)[j] += change[j];
  pass.v_after = speeds_of(tools, impact.y);
  pass.energy_after = tools.kinetic(instant.t, impact.y);
  const Eigen::VectorXd mean =
      0.5 * (Eigen::Map<const Eigen::VectorXd>(pass.v_before.data(), s.speeds()) +
             Eigen::Map<const Eigen::VectorXd>(pass.v_after.data(), s.speeds()));
  pass.result.normal_work = pass.result.normal_impulse.dot(s.normal_jacobian() * mean);
  pass.result.tangential_work = pass.result.tangent_impulse.dot(s.tangent_jacobian() * mean);
  // Both rates end at zero, so that relative works are half of impulse times rate before.
  pass.works.normal = 0.5 * pass.result.normal_impulse.dot(s.gap_rate());
  pass.works.tangential = 0.5 * pass.result.tangent_impulse.dot(s.slip());
  pass.works.drives =
      pass.energy_after - pass.energy_before - pass.works.normal - pass.works.tangential;
  return impact;
}

}  // namespace clack
