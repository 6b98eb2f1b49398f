// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/smith.hpp"

#include "clack/contact/report.hpp"
#include "clack/impact/smith_contact.hpp"
#include "clack/impact/smith_tolerances.hpp"

namespace clack {
namespace {

/// Contact i of the system at the relative motion `motion` (rows as in Delassus).
SmithContact contact_of(const ImpactProblem& problem, const Delassus& delassus,
                        const Eigen::VectorXd& motion, double zero, int i) {
  const int c = delassus.contacts, k = delassus.tangents, at = c + i * k;
  const ContactMaterial& material = problem.materials[i];
  SmithContact contact;
  contact.normal_mobility = delassus.matrix(i, i);
  contact.coupling = delassus.matrix.block(at, i, k, 1);
  contact.tangential_mobility = delassus.matrix.block(at, at, k, k);
  contact.gap_rate = motion[i];
  contact.slip = motion.segment(at, k);
  contact.restitution = material.restitution;
  contact.static_friction = material.static_friction;
  contact.dynamic_friction = material.dynamic_friction;
  contact.zero_slip = zero;
  return contact;
}

/// What has happened so far.
struct Chain {
  Eigen::VectorXd impulse;  // rows as in Delassus
  Eigen::VectorXd motion;   // likewise: relative velocities
  Eigen::VectorXd bound;    // c: largest |tangent impulse|
  std::vector<ComplementarityPair> pairs;
};

void add_event(const ImpactProblem& problem, const Delassus& delassus, const FreeMotion& free,
               const SmithContact& contact, const SmithImpulse& impulse, int i, const Chain& chain,
               ImpactResult& result) {
  ImpactEvent event;
  event.contacts = {i};
  event.restitution = contact.restitution;
  event.normal_work = 0.5 * impulse.normal * contact.gap_rate * (1.0 - contact.restitution);
  event.compression_work = 0.5 * impulse.normal * contact.gap_rate / (1.0 + contact.restitution);
  event.terminal_impulse = impulse.normal;
  event.velocity = motion_under(delassus, free, chain.impulse);
  result.events.push_back(std::move(event));
  if (impulse.branch != SmithBranch::stick_discarded) return;
  add_flag(result.flags, "stick-discarded");
  result.notes.push_back(
      fmt::format("contact {}: sticking would add {:.6g} J; it slides with static friction instead",
                  problem.names[i], impulse.stick_gain));
}

void fail(SolveStatus status, std::string reason, ImpactResult& result) {
  result.status = status;
  add_flag(result.flags, status == SolveStatus::none_exists ? "no-solution" : "not-converged");
  result.notes.push_back(std::move(reason));
}

/// Contact after contact until none approaches by more than `zero`.
void run_chain(const ImpactProblem& problem, const Delassus& delassus, const FreeMotion& free,
               bool has_stick_branch, Chain& chain, ImpactResult& result) {
  const int c = delassus.contacts, k = delassus.tangents;
  const double zero = problem.options.slip_tolerance * free.scale;
  while (c > 0) {
    int i = 0;
    const double fastest = chain.motion.head(c).minCoeff(&i);
    if (!(fastest < -zero)) return;
    if (result.iterations == smith_tolerances.stages)
      return fail(SolveStatus::not_converged,
                  fmt::format("contacts still approach with {:.6g} m/s after {} impacts one by one",
                              -fastest, result.iterations),
                  result);
    ++result.iterations;
    const SmithContact contact = contact_of(problem, delassus, chain.motion, zero, i);
    const SmithImpulse impulse = strike(contact, has_stick_branch);
    if (!(impulse.residual <= result.certificate.residual))
      result.certificate.residual = impulse.residual;
    if (!has_answer(impulse.status))
      return fail(impulse.status, "contact " + problem.names[i] + ": " + impulse.reason, result);
    chain.impulse[i] += impulse.normal;
    chain.impulse.segment(c + i * k, k) += impulse.tangent;
    chain.motion += delassus.matrix.col(i) * impulse.normal;
    chain.motion += delassus.matrix.middleCols(c + i * k, k) * impulse.tangent;
    chain.bound[i] += impulse.friction * impulse.normal;
    ComplementarityPair& pair = chain.pairs.emplace_back();
    pair.normal_impulse = Eigen::VectorXd::Constant(1, impulse.normal);
    pair.normal_motion =
        Eigen::VectorXd::Constant(1, chain.motion[i] + contact.restitution * contact.gap_rate);
    add_event(problem, delassus, free, contact, impulse, i, chain, result);
  }
}

}  // namespace

ImpactLawPart SmithLaw::part() {
  ImpactLawPart part;
  part.name = "smith";
  part.help =
      "restitution as a ratio of velocities, Smith's friction, contacts one by one; plane and "
      "space";
  part.options = {
      boolean_option("stick_branch", true,
                     "a contact may stick in the cone of static friction; false: it slides by "
                     "Smith's rule always")};
  part.make = [](const OptionValues& values) {
    return std::make_unique<SmithLaw>(values.is_on("stick_branch"));
  };
  return part;
}

ImpactResult SmithLaw::resolve(const ImpactProblem& problem) const {
  const Delassus delassus = make_delassus(problem, problem.options.rank_cutoff);
  const FreeMotion free = free_velocity(delassus, problem);
  Chain chain;
  chain.motion = free.contact;
  chain.impulse = Eigen::VectorXd::Zero(free.contact.size());
  chain.bound = Eigen::VectorXd::Zero(delassus.contacts);
  ImpactResult result;
  run_chain(problem, delassus, free, has_stick_branch_, chain, result);
  apply_impulses(problem, delassus, free, chain.impulse, result);
  complete_impact(problem, free.contact, chain.pairs, result);
  // Sticking contacts answer to static friction, so the cone is that of each impulse.
  result.certificate.cone = 0.0;
  for (int i = 0; i < delassus.contacts; ++i) {
    const double tangent =
        result.tangent_impulse.segment(i * delassus.tangents, delassus.tangents).norm();
    result.certificate.cone = std::max(result.certificate.cone, tangent - chain.bound[i]);
  }
  return result;
}

}  // namespace clack
