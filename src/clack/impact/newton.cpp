// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/newton.hpp"

#include <numeric>

#include "clack/complementarity/friction_solver.hpp"
#include "clack/complementarity/threads.hpp"
#include "clack/contact/friction_of.hpp"
#include "clack/contact/report.hpp"
#include "clack/contact/system_islands.hpp"
#include "clack/contact/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// e g-: what the law adds to the velocity after the impact before it becomes complementary. Normal
/// restitution answers approach only: a contact that separates already has none to give back.
Eigen::VectorXd restitution_part(const ImpactProblem& problem) {
  const int c = problem.contacts(), k = problem.tangents();
  Eigen::VectorXd part(c * (k + 1));
  part.head(c) = problem.normal_jacobian * problem.velocity;
  part.tail(c * k) = problem.tangent_jacobian * problem.velocity;
  if (problem.normal_surface_velocity.size() > 0) part.head(c) -= problem.normal_surface_velocity;
  if (problem.tangent_surface_velocity.size() > 0)
    part.tail(c * k) -= problem.tangent_surface_velocity;
  for (int i = 0; i < c; ++i) {
    const ContactMaterial& material = problem.materials[i];
    part[i] = material.restitution * std::min(part[i], 0.0);
    part.segment(c + i * k, k) *= material.tangential_restitution;
  }
  return part;
}

struct IslandImpact {
  ImpactResult result;     // velocity, impulses and what the solver says
  Eigen::VectorXd motion;  // xi, rows as in Delassus
};

IslandImpact resolve_island(const IslandPart<ImpactProblem>& part) {
  const ImpactProblem& problem = *part.problem;
  std::vector<int> contacts(problem.contacts());
  std::iota(contacts.begin(), contacts.end(), 0);
  const Eigen::VectorXd b = part.free.contact + restitution_part(problem);
  FrictionProblem friction;
  fill_friction_problem(part.delassus, b, 2.0 * part.free.scale, contacts, friction);
  for (const int i : contacts) friction.mu[i] = problem.materials[i].dynamic_friction;
  FrictionOptions options = run_friction_options();
  options.records_path = problem.options.record_path;
  const FrictionResult answer = solve_friction(friction, options);

  IslandImpact out;
  const Eigen::VectorXd impulse = forces_of(part.delassus, contacts, answer.reaction);
  apply_impulses(problem, part.delassus, part.free, impulse, out.result);
  out.motion = part.delassus.matrix * impulse + b;
  ImpactResult& result = out.result;
  result.certificate.residual = friction_residual(friction, answer.reaction).value;
  result.iterations = answer.iterations;
  result.path = answer.path;
  if (answer.method == FrictionMethod::enumeration && has_answer(answer.status))
    result.notes.emplace_back("the sweeps did not converge; contact states were enumerated");
  if (has_answer(answer.status)) return out;  // several: one of them will do
  if (answer.status == SolveStatus::not_converged &&
      answer.residual <= contact_tolerances.inexact_impulse) {
    add_flag(result.flags, "inexact-impulse");
    return out;
  }
  result.status = answer.status;
  const bool is_proved = answer.status == SolveStatus::none_exists;
  add_flag(result.flags, is_proved ? "no-solution" : "not-converged");
  result.notes.push_back(
      is_proved ? "no state of the contacts satisfies the law"
                : fmt::format("contact solver did not converge: residual {:.3g} after {} sweeps",
                              answer.residual, answer.iterations));
  return out;
}

/// The whole, as yet without what follows from velocity and impulses.
struct WholeImpact {
  ImpactResult result;
  Eigen::VectorXd free_motion;  // rows as in Delassus
  ComplementarityPair pair;

  explicit WholeImpact(const ImpactProblem& problem) {
    const int c = problem.contacts(), k = problem.tangents();
    result.velocity.resize(problem.speeds());
    result.normal_impulse = pair.normal_motion.setZero(c);
    result.tangent_impulse = pair.tangent_motion.setZero(c * k);
    result.bilateral_impulse.resize(problem.bilateral.rows());
    free_motion.resize(c * (k + 1));
  }

  /// The system is one island.
  WholeImpact(const IslandPart<ImpactProblem>& part, IslandImpact one)
      : result(std::move(one.result)), free_motion(part.free.contact) {
    const Eigen::Index c = part.delassus.contacts;
    pair.normal_motion = one.motion.head(c);
    pair.tangent_motion = one.motion.tail(one.motion.size() - c);
  }

  void join(const IslandPart<ImpactProblem>& part, IslandImpact one, int c, int k) {
    const auto& [speeds, contacts, bilateral] = part.island;
    const Eigen::Index own = part.delassus.contacts, tangents = own * k;
    put(one.result.velocity, speeds, 1, result.velocity);
    put(one.result.normal_impulse, contacts, 1, result.normal_impulse);
    put(one.result.tangent_impulse, contacts, k, result.tangent_impulse);
    put(one.result.bilateral_impulse, bilateral, 1, result.bilateral_impulse);
    put(one.motion.head(own), contacts, 1, pair.normal_motion);
    put(one.motion.tail(tangents), contacts, k, pair.tangent_motion);
    Eigen::VectorXd normal = free_motion.head(c), tangent = free_motion.tail(c * k);
    put(part.free.contact.head(own), contacts, 1, normal);
    put(part.free.contact.tail(tangents), contacts, k, tangent);
    free_motion << normal, tangent;
    if (!has_answer(one.result.status)) result.status = one.result.status;
    result.certificate = largest_of(result.certificate, one.result.certificate);
    result.iterations += one.result.iterations;
    for (const std::string& flag : one.result.flags) add_flag(result.flags, flag);
    for (std::string& note : one.result.notes) result.notes.push_back(std::move(note));
    for (SolverStep step : one.result.path) {
      if (step.contact >= 0) step.contact = contacts[step.contact];
      result.path.push_back(step);
    }
  }
};

}  // namespace

ImpactLawPart NewtonLaw::part() {
  ImpactLawPart part;
  part.name = "newton";
  part.help = "restitution as a ratio of velocities, Coulomb friction; plane and space";
  part.make = [](const OptionValues&) { return std::make_unique<NewtonLaw>(); };
  return part;
}

ImpactResult NewtonLaw::resolve(const ImpactProblem& problem) const {
  const std::vector<IslandPart<ImpactProblem>> parts = parts_of(problem);
  const int count = number_of(parts), c = problem.contacts();
  std::vector<IslandImpact> impacts(count);
  for_each_in_threads(count, problem.options.threads,
                      [&](int i) { impacts[i] = resolve_island(parts[i]); });
  WholeImpact whole =
      count == 1 ? WholeImpact(parts[0], std::move(impacts[0])) : WholeImpact(problem);
  for (int i = 0; i < count && count > 1; ++i)
    whole.join(parts[i], std::move(impacts[i]), c, problem.tangents());
  ImpactResult& result = whole.result;
  ComplementarityPair& pair = whole.pair;
  pair.normal_impulse = result.normal_impulse;
  pair.tangent_impulse = result.tangent_impulse;
  pair.tangent_bound.resize(c);
  for (int i = 0; i < c; ++i)
    pair.tangent_bound[i] = problem.materials[i].dynamic_friction * result.normal_impulse[i];
  // The notes of the solver come after what the energies say.
  std::vector<std::string> notes = std::exchange(result.notes, {});
  complete_impact(problem, whole.free_motion, {pair}, result);
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  return std::move(result);
}

}  // namespace clack
