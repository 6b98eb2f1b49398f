#include "clack/impact/newton.hpp"

#include "clack/contact/cone_friction.hpp"
#include "clack/contact/report.hpp"
#include "clack/contact/tolerances.hpp"

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
    const ContactMaterial& material = problem.materials[static_cast<std::size_t>(i)];
    part[i] = material.restitution * std::min(part[i], 0.0);
    part.segment(c + i * k, k) *= material.tangential_restitution;
  }
  return part;
}

ComplementarityPair pair_of(const ConeFriction& problem, const Eigen::VectorXd& impulse) {
  const Eigen::Index c = problem.contacts();
  const Eigen::VectorXd xi = problem.G * impulse + problem.b;
  ComplementarityPair pair;
  pair.normal_impulse = impulse.head(c);
  pair.normal_motion = xi.head(c);
  pair.tangent_impulse = impulse.tail(impulse.size() - c);
  pair.tangent_motion = xi.tail(impulse.size() - c);
  pair.tangent_bound = problem.friction.cwiseProduct(pair.normal_impulse);
  return pair;
}

}  // namespace

ImpactLawPart NewtonLaw::part() {
  ImpactLawPart part;
  part.name = "newton";
  part.help = "restitution as a ratio of velocities, Coulomb friction; plane and space";
  part.make = [](const OptionValues&) { return std::make_unique<NewtonLaw>(); };
  return part;
}

ImpactResult NewtonLaw::resolve(const ImpactProblem& problem) const {
  const Delassus delassus = make_delassus(problem, problem.options.rank_cutoff);
  const FreeMotion free = free_velocity(delassus, problem);
  ConeFriction friction;
  friction.tangents = problem.tangents();
  friction.G = delassus.matrix;
  friction.b = free.contact + restitution_part(problem);
  friction.scale = 2.0 * free.scale;
  friction.friction.resize(problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i)
    friction.friction[i] = problem.materials[static_cast<std::size_t>(i)].dynamic_friction;
  const ConeAnswer answer = solve_cone_friction(friction);

  ImpactResult result;
  apply_impulses(problem, delassus, free, answer.force, result);
  complete_impact(problem, free.contact, {pair_of(friction, answer.force)}, result);
  result.certificate.residual = answer.residual;
  result.iterations = answer.iterations;
  if (answer.method == ConeMethod::enumeration)
    result.notes.emplace_back("the sweeps did not converge; contact states were enumerated");
  if (!answer.is_solved()) {
    result.outcome = Outcome::no_solution;
    add_flag(result.flags, "not-converged");
    result.notes.push_back(
        fmt::format("contact solver did not converge: residual {:.3g} after {} sweeps",
                    answer.residual, answer.iterations));
  }
  return result;
}

}  // namespace clack
