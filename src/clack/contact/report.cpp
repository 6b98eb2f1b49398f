// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/report.hpp"

#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

/// A violation that is no number is the worst of all.
void worsen(double& worst, double violation) {
  if (!(violation <= worst)) worst = violation;
}

/// Memory of one thread for motions that are looked at and forgotten: laws that are asked at every
/// impact of a run take none anew.
struct Scratch {
  Eigen::VectorXd product, before, after;
};
Scratch& scratch() {
  static thread_local Scratch memory;
  return memory;
}

double kinetic_energy(const ContactSystem& system, const Eigen::VectorXd& v) {
  Eigen::VectorXd& momentum = scratch().product;
  momentum.noalias() = system.mass_matrix * v;
  return 0.5 * v.dot(momentum);
}

/// Relative motions of the contact rows: normals first, then tangents.
void fill_relative_velocity(const ContactSystem& system, const Eigen::VectorXd& v,
                            Eigen::VectorXd& motion) {
  const Eigen::Index c = system.normal_jacobian.rows();
  motion.resize(c + system.tangent_jacobian.rows());
  motion.head(c).noalias() = system.normal_jacobian * v;
  motion.tail(motion.size() - c).noalias() = system.tangent_jacobian * v;
  if (system.normal_surface_velocity.size() > 0) motion.head(c) -= system.normal_surface_velocity;
  if (system.tangent_surface_velocity.size() > 0)
    motion.tail(motion.size() - c) -= system.tangent_surface_velocity;
}
Eigen::VectorXd relative_velocity(const ContactSystem& system, const Eigen::VectorXd& v) {
  Eigen::VectorXd motion;
  fill_relative_velocity(system, v, motion);
  return motion;
}

/// Largest products that should vanish: l_N xi_N, and bound |xi_T| + l_T . xi_T (friction must
/// oppose the motion with its full bound).
double complementarity_of(const ComplementarityPair& pair, int tangents) {
  double worst = 0.0;
  for (Eigen::Index i = 0; i < pair.normal_impulse.size(); ++i) {
    worsen(worst, std::abs(pair.normal_impulse[i] * pair.normal_motion[i]));
    if (pair.tangent_motion.size() == 0) continue;
    const auto motion = pair.tangent_motion.segment(i * tangents, tangents);
    const auto impulse = pair.tangent_impulse.segment(i * tangents, tangents);
    worsen(worst, std::abs(pair.tangent_bound[i] * motion.norm() + impulse.dot(motion)));
  }
  return worst;
}

void certify_forces(const ContactSystem& system, double ContactMaterial::*friction,
                    const Eigen::VectorXd& normal, const Eigen::VectorXd& tangent,
                    Certificate& certificate) {
  const int k = system.tangents();
  for (Eigen::Index i = 0; i < normal.size(); ++i) {
    worsen(certificate.adhesion, -normal[i]);
    if (tangent.size() == 0) continue;
    const double bound = system.materials[i].*friction * normal[i];
    worsen(certificate.cone, tangent.segment(i * k, k).norm() - bound);
  }
}

void fill_energies(const ImpactProblem& problem, ImpactResult& result) {
  result.energy_before = kinetic_energy(problem, problem.velocity);
  result.energy_after = kinetic_energy(problem, result.velocity);
}

/// Work of joints and external impulses at the mean velocity of the whole impact.
double joint_work(const ImpactProblem& problem, const Eigen::VectorXd& mean,
                  const ImpactResult& result) {
  double work = 0.0;
  if (result.bilateral_impulse.size() > 0)
    work += result.bilateral_impulse.dot(problem.bilateral * mean);
  if (problem.external_impulse.size() > 0) work += problem.external_impulse.dot(mean);
  return work;
}

/// Work of the contact impulses in the relative motion from `free_motion` to `after`, and the sum of
/// its absolute terms, J.
struct WorkAndEffort {
  double work = 0.0, effort = 0.0;
};
WorkAndEffort mean_work(const Eigen::VectorXd& free_motion, const Eigen::VectorXd& after,
                        const ImpactResult& result) {
  const Eigen::Index c = result.normal_impulse.size();
  WorkAndEffort out;
  out.work = 0.5 * result.normal_impulse.dot(free_motion.head(c) + after.head(c));
  out.effort = 0.5 * result.normal_impulse.cwiseAbs().dot(free_motion.head(c).cwiseAbs() +
                                                          after.head(c).cwiseAbs());
  if (result.tangent_impulse.size() == 0) return out;
  const Eigen::Index t = after.size() - c;
  out.work += 0.5 * result.tangent_impulse.dot(free_motion.tail(t) + after.tail(t));
  out.effort += 0.5 * result.tangent_impulse.cwiseAbs().dot(free_motion.tail(t).cwiseAbs() +
                                                            after.tail(t).cwiseAbs());
  return out;
}

/// What the impulses miss of their law by `residual`, they may add at every contact: the law is not to blame for that.
void flag_energy_gain(const WorkAndEffort& contacts, ImpactResult& result) {
  const double floor =
      std::max({contacts.effort, contact_tolerances.energy_floor * result.energy_before,
                contact_tolerances.energy_floor * result.energy_after});
  const double missed =
      static_cast<double>(result.normal_impulse.size()) * result.certificate.residual;
  const double part = missed > contact_tolerances.energy ? missed : contact_tolerances.energy;
  if (contacts.work <= part * floor || contacts.work <= 0.0) return;
  result.is_consistent = false;
  add_flag(result.flags, "energy-gain");
  result.notes.push_back(fmt::format(
      "the contacts add {:.6g} J to the kinetic energy ({:.10g} J before, {:.10g} J after)",
      contacts.work, result.energy_before, result.energy_after));
}

/// Statuses, and what the certificate says of motions.
void fill_statuses(const ImpactProblem& problem, const Eigen::VectorXd& after,
                   ImpactResult& result) {
  const Eigen::Index c = problem.contacts();
  const int k = problem.tangents();
  const double zero =
      problem.options.slip_tolerance *
      std::max(largest_speed(problem, problem.velocity), largest_speed(problem, result.velocity));
  result.statuses.resize(c);
  Certificate& certificate = result.certificate;
  for (Eigen::Index i = 0; i < c; ++i) {
    worsen(certificate.penetration, -after[i]);
    const double slip = after.size() > c ? after.segment(c + i * k, k).norm() : 0.0;
    result.statuses[i] = after[i] > zero ? ContactStatus::open
                         : slip > zero   ? ContactStatus::slip
                                         : ContactStatus::stick;
  }
  if (problem.bilateral.rows() == 0) return;
  Eigen::VectorXd miss = problem.bilateral * result.velocity;
  if (problem.bilateral_velocity.size() > 0) miss -= problem.bilateral_velocity;
  certificate.bilateral = miss.cwiseAbs().maxCoeff();
}

}  // namespace

Certificate largest_of(const Certificate& a, const Certificate& b) {
  const auto larger = [](double x, double y) { return y <= x ? x : y; };
  return {.penetration = larger(a.penetration, b.penetration),
          .adhesion = larger(a.adhesion, b.adhesion),
          .complementarity = larger(a.complementarity, b.complementarity),
          .cone = larger(a.cone, b.cone),
          .bilateral = larger(a.bilateral, b.bilateral),
          .residual = larger(a.residual, b.residual)};
}

void add_flag(std::vector<std::string>& flags, std::string_view flag) {
  if (std::find(flags.begin(), flags.end(), flag) == flags.end()) flags.emplace_back(flag);
}

void complete_impact(const ImpactProblem& problem, const std::vector<ComplementarityPair>& pairs,
                     ImpactResult& result) {
  complete_impact(problem, relative_velocity(problem, problem.velocity), pairs, result);
}

void complete_impact(const ImpactProblem& problem, const Eigen::VectorXd& free_motion,
                     const std::vector<ComplementarityPair>& pairs, ImpactResult& result) {
  const Eigen::VectorXd mean = 0.5 * (problem.velocity + result.velocity);
  fill_energies(problem, result);
  result.normal_work = result.normal_impulse.dot(problem.normal_jacobian * mean);
  result.tangential_work = result.tangent_impulse.size() > 0
                               ? result.tangent_impulse.dot(problem.tangent_jacobian * mean)
                               : 0.0;
  result.joint_work = joint_work(problem, mean, result);
  const Eigen::VectorXd after = relative_velocity(problem, result.velocity);
  flag_energy_gain(mean_work(free_motion, after, result), result);
  fill_statuses(problem, after, result);
  certify_forces(problem, &ContactMaterial::dynamic_friction, result.normal_impulse,
                 result.tangent_impulse, result.certificate);
  for (const ComplementarityPair& pair : pairs)
    worsen(result.certificate.complementarity, complementarity_of(pair, problem.tangents()));
}

void complete_marched_impact(const ImpactProblem& problem, const Eigen::VectorXd& free_velocity,
                             const MarchedWorks& works, ImpactResult& result) {
  fill_energies(problem, result);
  result.normal_work = works.normal;
  result.tangential_work = works.tangential;
  if (problem.normal_surface_velocity.size() > 0)
    result.normal_work += result.normal_impulse.dot(problem.normal_surface_velocity);
  if (problem.tangent_surface_velocity.size() > 0)
    result.tangential_work += result.tangent_impulse.dot(problem.tangent_surface_velocity);
  const bool has_jump = problem.bilateral.rows() > 0 || problem.external_impulse.size() > 0;
  if (has_jump) {
    const Eigen::VectorXd jump = 0.5 * (problem.velocity - free_velocity);
    result.joint_work = joint_work(problem, 0.5 * (problem.velocity + result.velocity), result) +
                        result.normal_impulse.dot(problem.normal_jacobian * jump) +
                        result.tangent_impulse.dot(problem.tangent_jacobian * jump);
  }
  Eigen::VectorXd &before = scratch().before, &after = scratch().after;
  fill_relative_velocity(problem, free_velocity, before);
  fill_relative_velocity(problem, result.velocity, after);
  WorkAndEffort work = mean_work(before, after, result);
  work.work = works.normal + works.tangential;
  flag_energy_gain(work, result);
  fill_statuses(problem, after, result);
  certify_forces(problem, &ContactMaterial::static_friction, result.normal_impulse,
                 result.tangent_impulse, result.certificate);
}

void apply_impulses(const ImpactProblem& problem, const Delassus& delassus, const FreeMotion& free,
                    const Eigen::VectorXd& impulse, ImpactResult& result) {
  const Eigen::Index c = delassus.contacts;
  result.velocity = free.state;
  result.velocity.noalias() += delassus.reduced_rows.transpose() * impulse;
  delassus.mass.matrixU().solveInPlace(result.velocity);
  result.normal_impulse = impulse.head(c);
  result.tangent_impulse = impulse.tail(impulse.size() - c);
  if (problem.bilateral.rows() == 0) return;
  Eigen::VectorXd change = delassus.mass.matrixU() * (result.velocity - problem.velocity);
  change -= delassus.contact_rows.transpose() * impulse;
  if (problem.external_impulse.size() > 0)
    change -= delassus.mass.matrixL().solve(problem.external_impulse);
  result.bilateral_impulse = bilateral_reaction(delassus, change);
  if (delassus.is_rank_near_cutoff) add_flag(result.flags, "rank-near-cutoff");
}

ContactStates contact_states(const ContactProblem& problem) {
  ContactStates states;
  contact_states(problem, states);
  return states;
}

void contact_states(const ContactProblem& problem, ContactStates& states) {
  const int c = problem.contacts(), k = problem.tangents();
  Eigen::VectorXd& motion = scratch().before;
  fill_relative_velocity(problem, problem.velocity, motion);
  const double zero = problem.options.slip_tolerance * largest_speed(problem, problem.velocity);
  states.is_separating.resize(c);
  states.is_slipping.resize(c);
  states.direction.setZero(c * k);
  states.is_at_rest = true;
  for (int i = 0; i < c; ++i) {
    const auto index = i;
    states.is_separating[index] = motion[i] > zero;
    const auto slip = motion.segment(c + i * k, k);
    const double size = slip.norm();
    states.is_slipping[index] = size > zero;
    if (size > zero) states.direction.segment(i * k, k) = slip / size;
    if (size > zero && !states.is_separating[index]) states.is_at_rest = false;
  }
}

void complete_contact(const ContactProblem& problem, const Delassus& delassus,
                      const FreeMotion& free, const ContactStates& states,
                      const Eigen::VectorXd& force, ContactResult& result) {
  const Eigen::Index c = delassus.contacts;
  const int k = problem.tangents();
  result.acceleration = motion_under(delassus, free, force);
  result.normal_force = force.head(c);
  result.friction_force = force.tail(force.size() - c);
  Eigen::VectorXd &caused = scratch().product, &motion = scratch().after;
  caused.noalias() = delassus.matrix * force;
  motion = free.contact + caused;
  result.gap_acceleration = motion.head(c);
  result.slip_acceleration = motion.tail(motion.size() - c);
  if (problem.bilateral.rows() > 0) {
    Eigen::VectorXd change = delassus.mass.matrixU() * result.acceleration;
    change -=
        delassus.contact_rows.transpose() * force + delassus.mass.matrixL().solve(problem.force);
    result.bilateral_force = bilateral_reaction(delassus, change);
    Eigen::VectorXd miss = problem.bilateral * result.acceleration;
    if (problem.bilateral_bias.size() > 0) miss += problem.bilateral_bias;
    result.certificate.bilateral = miss.cwiseAbs().maxCoeff();
    if (delassus.is_rank_near_cutoff) add_flag(result.flags, "rank-near-cutoff");
  }

  // What counts as no motion: a part of the free motion, and never less than the rounding of large
  // forces that cancel.
  constexpr double rounding = contact_tolerances.rounding * std::numeric_limits<double>::epsilon();
  const Eigen::VectorXd terms = delassus.matrix.cwiseAbs() * force.cwiseAbs();
  result.statuses.assign(c, ContactStatus::open);
  Certificate& certificate = result.certificate;
  for (Eigen::Index i = 0; i < c; ++i) {
    const auto index = i;
    const ContactMaterial& material = problem.materials[index];
    const double normal = result.normal_force[i];
    worsen(certificate.adhesion, -normal);
    if (states.is_separating[index]) continue;
    worsen(certificate.penetration, -motion[i]);
    worsen(certificate.complementarity, std::abs(normal * motion[i]));
    const double zero = std::max(contact_tolerances.motion * free.scale, rounding * terms[i]);
    if (motion[i] > zero) continue;
    const auto slip = motion.segment(c + i * k, k);
    const auto friction = result.friction_force.segment(i * k, k);
    const bool is_moving = slip.norm() > zero && material.static_friction > 0.0;
    const bool is_slipping = states.is_slipping[index];
    result.statuses[index] = is_slipping ? ContactStatus::slip
                             : is_moving ? ContactStatus::trans
                                         : ContactStatus::stick;
    const bool is_sliding = is_slipping || is_moving;
    const double bound =
        (is_sliding ? material.dynamic_friction : material.static_friction) * normal;
    worsen(certificate.cone, friction.norm() - bound);
    if (is_slipping) {
      const auto opposite = states.direction.segment(i * k, k) * bound;
      worsen(certificate.cone, (friction + opposite).norm());
    } else if (is_moving) {
      worsen(certificate.complementarity, std::abs(bound * slip.norm() + friction.dot(slip)));
    }
  }
}

}  // namespace clack
