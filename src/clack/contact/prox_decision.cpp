#include "clack/contact/prox_decision.hpp"

#include "clack/contact/cone_friction.hpp"
#include "clack/contact/enumeration_decision.hpp"
#include "clack/contact/planar_decision.hpp"
#include "clack/contact/report.hpp"
#include "clack/contact/rest.hpp"
#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

struct Prepared {
  Delassus delassus;
  FreeMotion free;
  ContactStates states;
  std::vector<int> members;  // contacts that do not separate
  ConeFriction friction;     // over the members, static friction where the slip is zero
  Eigen::VectorXd dynamic;   // dynamic friction of the members
};

Prepared prepare(const ContactProblem& problem) {
  Prepared prepared;
  prepared.delassus = make_delassus(problem, problem.options.rank_cutoff);
  prepared.free = free_acceleration(prepared.delassus, problem);
  prepared.states = contact_states(problem);
  const int c = problem.contacts(), k = problem.tangents();
  std::vector<int> rows;
  for (int i = 0; i < c; ++i)
    if (!prepared.states.is_separating[static_cast<std::size_t>(i)]) prepared.members.push_back(i);
  rows = prepared.members;
  for (const int i : prepared.members)
    for (int a = 0; a < k; ++a) rows.push_back(c + i * k + a);
  ConeFriction& friction = prepared.friction;
  friction.tangents = k;
  friction.G = prepared.delassus.matrix(rows, rows);
  friction.b = prepared.free.contact(rows);
  friction.scale = prepared.free.scale;
  const auto size = static_cast<Eigen::Index>(prepared.members.size());
  friction.friction.resize(size);
  friction.direction = Eigen::VectorXd::Zero(size * k);
  prepared.dynamic.resize(size);
  for (Eigen::Index m = 0; m < size; ++m) {
    const int i = prepared.members[static_cast<std::size_t>(m)];
    const ContactMaterial& material = problem.materials[static_cast<std::size_t>(i)];
    const bool is_slipping = prepared.states.is_slipping[static_cast<std::size_t>(i)];
    prepared.dynamic[m] = material.dynamic_friction;
    friction.friction[m] = is_slipping ? material.dynamic_friction : material.static_friction;
    friction.direction.segment(m * k, k) = prepared.states.direction.segment(i * k, k);
  }
  return prepared;
}

ContactResult finish(const ContactProblem& problem, const Prepared& prepared,
                     const ConeAnswer& answer) {
  const int c = problem.contacts(), k = problem.tangents();
  const auto size = static_cast<Eigen::Index>(prepared.members.size());
  Eigen::VectorXd force = Eigen::VectorXd::Zero(c * (k + 1));
  for (Eigen::Index m = 0; m < size; ++m) {
    const int i = prepared.members[static_cast<std::size_t>(m)];
    force[i] = answer.force[m];
    force.segment(c + i * k, k) = answer.force.segment(size + m * k, k);
  }
  ContactResult result;
  complete_contact(problem, prepared.delassus, prepared.free, prepared.states, force, result);
  result.certificate.residual = answer.residual;
  result.iterations = answer.iterations;
  return result;
}

/// Steps 2 and 3 of the header.
ConeAnswer solve_with_both_frictions(const Prepared& prepared) {
  ConeFriction friction = prepared.friction;
  const int c = friction.contacts(), k = friction.tangents;
  ConeAnswer answer;
  int iterations = 0;
  for (int round = 0; round <= c; ++round) {
    answer = solve_cone_friction(friction);
    iterations += answer.iterations;
    answer.iterations = iterations;
    if (!answer.is_solved()) return answer;
    const Eigen::VectorXd motion = friction.G * answer.force + friction.b;
    const double zero = contact_tolerances.motion * friction.scale;
    int fastest = -1;
    double speed = 0.0;
    for (int i = 0; i < c; ++i) {
      const double slip = motion.segment(c + i * k, k).norm();
      if (friction.is_sliding(i) || motion[i] > zero || slip <= zero) continue;
      if (friction.friction[i] <= prepared.dynamic[i] || slip <= speed) continue;
      fastest = i;
      speed = slip;
    }
    if (fastest < 0) return answer;
    friction.friction[fastest] =
        prepared.dynamic[fastest];  // slips: the direction follows by itself
  }
  return answer;
}

std::vector<std::string> painleve(const ContactProblem& problem, const Prepared& prepared) {
  std::vector<std::string> notes;
  for (int i = 0; i < prepared.friction.contacts(); ++i) {
    if (!prepared.friction.is_sliding(i)) continue;
    const double mobility = sliding_mobility(prepared.friction, i);
    if (mobility > 0.0) continue;
    const auto contact = static_cast<std::size_t>(prepared.members[static_cast<std::size_t>(i)]);
    notes.push_back(fmt::format("contact {}: sliding mobility is {:.6g} 1/kg (Painleve)",
                                problem.names[contact], mobility));
  }
  return notes;
}

ContactResult no_solution(const ContactProblem& problem, const Prepared& prepared,
                          const ConeAnswer& answer, const std::vector<std::string>& paradox) {
  ContactResult result = finish(problem, prepared, answer);
  result.outcome = Outcome::no_solution;
  add_flag(result.flags, paradox.empty() ? "not-converged" : "no-solution");
  result.notes = paradox;
  result.notes.push_back(fmt::format("no forces found: residual {:.3g} after {} iterations",
                                     answer.residual, answer.iterations));
  return result;
}

}  // namespace

DecisionPart ProxDecision::part() {
  DecisionPart part;
  part.name = "prox";
  part.help = "projected Gauss-Seidel sweeps; plane and space";
  part.make = [](const OptionValues&) { return std::make_unique<ProxDecision>(); };
  return part;
}

ContactResult ProxDecision::decide(const ContactProblem& problem) const {
  const Prepared prepared = prepare(problem);
  if (prepared.states.is_at_rest) {
    if (const auto rest = forces_at_rest(prepared.friction)) {
      ConeAnswer answer;
      answer.force = rest->force;
      answer.method = ConeMethod::sorprox;
      answer.residual = rest->residual;
      ContactResult result = finish(problem, prepared, answer);
      if (rest->is_hyperstatic) add_flag(result.flags, "hyperstatic");
      return result;
    }
  }
  const std::vector<std::string> paradox = painleve(problem, prepared);
  const bool is_countable =
      problem.dimension == 2 && prepared.friction.contacts() <= contact_tolerances.counted_contacts;
  if (!paradox.empty() && is_countable) return EnumerationDecision{}.decide(problem);
  const ConeAnswer answer = solve_with_both_frictions(prepared);
  if (!answer.is_solved()) return no_solution(problem, prepared, answer, paradox);
  ContactResult result = finish(problem, prepared, answer);
  result.notes.insert(result.notes.end(), paradox.begin(), paradox.end());
  return result;
}

}  // namespace clack
