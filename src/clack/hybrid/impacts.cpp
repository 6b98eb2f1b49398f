#include <algorithm>
#include <cmath>

#include "clack/contact/tolerances.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/execution.hpp"
#include "clack/hybrid/islands.hpp"
#include "clack/hybrid/node_trace.hpp"
#include "clack/hybrid/nodes.hpp"

// The impact node (docs/executor.md): impacts until no closed contact approaches, chains that do
// not end, and the impact without approach.

namespace clack {

/// Impacts until nothing approaches; true when there was one.
bool Execution::resolve_impacts(const ContactSet& contacts, bool constraints_changed) {
  const Tolerances& tol = model_.tolerances;
  const int cap = tol.chain_cap > 0 ? tol.chain_cap : (model_.dimension == 2 ? 2000 : 200);
  for (;;) {
    const Snapshot& s = dynamics_.snapshot_of(rows_of(contacts), t_, y_.data());
    double approach = 0.0;
    bool has_jump = false;
    for (int i = 0; i < s.contacts(); ++i) {
      approach = std::max(approach, -s.gap_rate()[i]);
      speed_scale_ = std::max(speed_scale_, std::abs(s.gap_rate()[i]));
      for (int a = 0; a < s.tangents(); ++a)
        speed_scale_ = std::max(speed_scale_, std::abs(s.slip()[i * s.tangents() + a]));
    }
    for (int b = 0; constraints_changed && b < s.constraint_rows(); ++b) {
      double terms = 0.0;  // what the rate is made of
      for (int j = 0; j < s.speeds(); ++j)
        terms += std::abs(s.constraint_jacobian()(b, j) * v()[j]);
      has_jump = has_jump || std::abs(s.constraint_rate()[b]) > tol.gap_rate * terms;
    }
    if (approach <= tol.gap_rate * speed_scale_ && !has_jump) break;
    impact_speed_ = std::max(impact_speed_, approach);
    if (impacts_at_instant_ >= cap) {
      complete_chain(contacts);
      break;
    }
    constraints_changed = false;
    if (model_.policies.simultaneous) {
      resolve_one_impact(contacts, has_jump);
    } else {
      int most = 0;
      for (int i = 1; i < s.contacts(); ++i)
        if (s.gap_rate()[i] < s.gap_rate()[most]) most = i;
      resolve_one_impact(
          contacts.empty() ? contacts : ContactSet{contacts[static_cast<std::size_t>(most)]},
          has_jump);
    }
  }
  return impacts_at_instant_ > 0;
}

/// Contacts (local) that an impact concerns: the islands in which one approaches; all when a joint
/// jumps.
std::vector<int> Execution::impacting_contacts(const Snapshot& s, bool has_jump) const {
  std::vector<int> approaching;
  const double limit = model_.tolerances.gap_rate * speed_scale_;
  for (int i = 0; i < s.contacts(); ++i)
    if (has_jump || s.gap_rate()[i] < -limit) approaching.push_back(i);
  return has_jump ? approaching : Islands(s).contacts_with(approaching);
}

void Execution::resolve_one_impact(const ContactSet& contacts, bool has_jump) {
  const Snapshot& s = dynamics_.snapshot_of(rows_of(contacts), t_, y_.data());
  const ImpactProblem all = make_impact_problem(model_, s, contacts, materials_, v());
  const std::vector<int> part = impacting_contacts(s, has_jump);
  ImpactProblem problem = restricted_to(all, part);
  problem.options.record_path = options_.node_trace;
  if (const std::string refusal = law_->refuses(problem); !refusal.empty())
    throw Stop{refusal, "choose another --impact"};
  const ImpactResult result = law_->resolve(problem);
  ++impacts_at_instant_;
  if (options_.node_trace)
    log_impact_node(recorder_.trace(), t_, contacts, part, result.path);
  if (!has_answer(result.status)) {
    const bool is_none = result.status == SolveStatus::none_exists;
    std::string reason = fmt::format(
        "t = {:.9g} s: law {} {}", t_, law_->name(),
        is_none ? "has no admissible impulse"
                : fmt::format("found no impulse (residual {:.3g})", result.certificate.residual));
    for (const std::string& note : result.notes) reason += "; " + note;
    recorder_.flag(is_none ? "no-solution" : "not-converged");
    throw Stop{reason, "choose another --impact, or less friction"};
  }
  record_impact(contacts, part, s.gap_rate(), result);
}

/// Takes the velocities after an impact over and writes it down; contacts outside its islands have
/// no impulse.
void Execution::record_impact(const ContactSet& contacts, const std::vector<int>& part,
                              const Eigen::VectorXd& gap_rate, const ImpactResult& result) {
  TraceImpact impact;
  impact.t = t_;
  impact.contacts = contacts;
  impact.v_before.assign(v(), v() + dynamics_.speeds());
  impact.energy_before = kinetic();
  const int k = dynamics_.tangents();
  impact.normal_impulse.assign(contacts.size(), 0.0);
  impact.tangent_impulse.assign(contacts.size(),
                                std::vector<double>(static_cast<std::size_t>(k), 0.0));
  const double approach_limit = model_.tolerances.gap_rate * speed_scale_;
  const double least =
      part.empty() ? 0.0 : contact_tolerances.force * result.normal_impulse.cwiseAbs().maxCoeff();
  for (std::size_t p = 0; p < part.size(); ++p) {
    const auto e = static_cast<Eigen::Index>(p);
    const auto local = static_cast<std::size_t>(part[p]);
    impact.normal_impulse[local] = result.normal_impulse[e];
    for (int a = 0; a < k; ++a)
      impact.tangent_impulse[local][static_cast<std::size_t>(a)] =
          result.tangent_impulse[e * k + a];
    const bool takes_part =
        gap_rate[part[p]] < -approach_limit || std::abs(result.normal_impulse[e]) > least;
    if (takes_part && std::find(impact_contacts_.begin(), impact_contacts_.end(),
                                contacts[local]) == impact_contacts_.end())
      impact_contacts_.push_back(contacts[local]);
  }
  std::copy_n(result.velocity.data(), dynamics_.speeds(), v());
  impact.v_after.assign(v(), v() + dynamics_.speeds());
  impact.energy_after = kinetic();
  impact.normal_work = result.normal_work;
  impact.tangential_work = result.tangential_work;
  impact.certificate = result.certificate;
  impact.iterations = result.iterations;
  impact.flags = result.flags;
  for (const std::string& code : result.flags) recorder_.flag(code);
  for (const std::string& note : result.notes)
    recorder_.note(fmt::format("t = {:.9g} s: {}", t_, note));
  recorder_.impact_work(impact.energy_after - impact.energy_before);
  node_iterations_ += result.iterations;
  node_residual_ = std::max(node_residual_, result.certificate.residual);
  recorder_.trace().impacts.push_back(std::move(impact));
}

/// A chain of impacts at one instant that does not end: plastic projection of what is left (policy
/// complete).
void Execution::complete_chain(const ContactSet& contacts) {
  if (model_.policies.chain_limit == ChainPolicy::error)
    throw Stop{
        fmt::format("t = {:.9g} s: {} impacts chained at one instant and contacts still approach",
                    t_, impacts_at_instant_),
        "set policies: chain_limit: complete, or change the restitution"};
  if (options_.node_trace) log_closed_form_node(recorder_.trace(), t_, contacts);
  const double before = kinetic();
  const Snapshot& s = dynamics_.snapshot_of(rows_of(contacts), t_, y_.data());
  const std::vector<bool> no_stick(contacts.size(), false);
  const Eigen::VectorXd change = velocity_correction(s, no_stick);
  for (int j = 0; j < dynamics_.speeds(); ++j) v()[j] += change[j];
  recorder_.impact_work(kinetic() - before);
  recorder_.flag("chain-completed");
  recorder_.note(
      fmt::format("t = {:.9g} s: a chain of {} impacts was completed by a plastic impact", t_,
                  impacts_at_instant_));
}

/// An impact without approach (tangential shock): impulses that end the slip of every contact that
/// keeps touching.
///   J_N v+ = 0,  J_T v+ = 0  with  |L_T| <= mu L_N        (Painleve's no-solution case;
///   docs/theories/poisson.md)
void Execution::tangential_impact(const ContactSet& contacts) {
  const Snapshot& s = dynamics_.snapshot_of(rows_of(contacts), t_, y_.data());
  const std::vector<bool> all_stick(contacts.size(), true);
  TraceImpact impact;
  impact.t = t_;
  impact.contacts = contacts;
  impact.v_before.assign(v(), v() + dynamics_.speeds());
  if (options_.node_trace) log_closed_form_node(recorder_.trace(), t_, contacts);
  impact.energy_before = kinetic();
  const Eigen::VectorXd change = velocity_correction(s, all_stick);
  const Eigen::VectorXd momentum = s.mass_matrix() * change;
  const int k = s.tangents(), c = s.contacts();
  Eigen::MatrixXd rows(c * (1 + k) + s.constraint_rows(), s.speeds());
  rows << s.normal_jacobian(), s.tangent_jacobian(), s.constraint_jacobian();
  const Eigen::VectorXd impulse =
      rows.transpose().completeOrthogonalDecomposition().solve(momentum);
  for (int i = 0; i < c; ++i) {
    const double normal = impulse[i], tangent = impulse.segment(c + i * k, k).norm();
    const double mu =
        materials_[static_cast<std::size_t>(contacts[static_cast<std::size_t>(i)])].static_friction;
    if (normal < 0.0 || tangent > mu * normal * (1.0 + 1e-9))
      throw Stop{
          fmt::format(
              "t = {:.9g} s: no tangential impact either; contact {} would need impulses {:.6g} "
              "and {:.6g} N s",
              t_,
              model_.contacts[static_cast<std::size_t>(contacts[static_cast<std::size_t>(i)])].name,
              normal, tangent),
          "lower the friction"};
    impact.normal_impulse.push_back(normal);
    auto& t = impact.tangent_impulse.emplace_back();
    for (int a = 0; a < k; ++a) t.push_back(impulse[c + i * k + a]);
  }
  for (int j = 0; j < dynamics_.speeds(); ++j) v()[j] += change[j];
  impact.v_after.assign(v(), v() + dynamics_.speeds());
  impact.energy_after = kinetic();
  recorder_.impact_work(impact.energy_after - impact.energy_before);
  ++impacts_at_instant_;
  impact_contacts_ = contacts;
  recorder_.note(fmt::format("t = {:.9g} s: resolved as a tangential impact", t_));
  recorder_.trace().impacts.push_back(std::move(impact));
}

}  // namespace clack
