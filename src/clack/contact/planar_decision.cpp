#include "clack/contact/planar_decision.hpp"

#include "clack/contact/tolerances.hpp"

namespace clack {

PlanarDecision prepare_planar_decision(const ContactProblem& problem) {
  PlanarDecision prepared;
  prepared.delassus = make_delassus(problem, problem.options.rank_cutoff);
  prepared.free = free_acceleration(prepared.delassus, problem);
  prepared.states = contact_states(problem);
  const int c = problem.contacts();
  for (int i = 0; i < c; ++i)
    if (!prepared.states.is_separating[static_cast<std::size_t>(i)]) prepared.members.push_back(i);
  std::vector<int> rows = prepared.members;
  for (const int i : prepared.members) rows.push_back(c + i);
  PlanarFriction& friction = prepared.friction;
  friction.G = prepared.delassus.matrix(rows, rows);
  friction.b = prepared.free.contact(rows);
  friction.scale = prepared.free.scale;
  const auto size = static_cast<Eigen::Index>(prepared.members.size());
  friction.dynamic_friction.resize(size);
  friction.static_friction.resize(size);
  friction.slide.resize(prepared.members.size());
  for (std::size_t k = 0; k < prepared.members.size(); ++k) {
    const int i = prepared.members[k];
    const ContactMaterial& material = problem.materials[static_cast<std::size_t>(i)];
    friction.dynamic_friction[static_cast<Eigen::Index>(k)] = material.dynamic_friction;
    friction.static_friction[static_cast<Eigen::Index>(k)] = material.static_friction;
    const double direction = prepared.states.direction[i];
    friction.slide[k] = direction > 0.0 ? 1 : direction < 0.0 ? -1 : 0;
  }
  return prepared;
}

ContactResult finish_planar_decision(const ContactProblem& problem, const PlanarDecision& prepared,
                                     const PlanarAnswer& answer) {
  const int c = problem.contacts();
  const auto count = static_cast<Eigen::Index>(prepared.members.size());
  Eigen::VectorXd force = Eigen::VectorXd::Zero(2 * c);
  for (Eigen::Index k = 0; k < count; ++k) {
    force[prepared.members[static_cast<std::size_t>(k)]] = answer.force[k];
    force[c + prepared.members[static_cast<std::size_t>(k)]] = answer.force[count + k];
  }
  ContactResult result;
  complete_contact(problem, prepared.delassus, prepared.free, prepared.states, force, result);
  result.certificate.residual = answer.residual;
  result.iterations = answer.iterations;
  return result;
}

std::optional<WordAnswer> try_rest(const PlanarDecision& prepared) {
  if (!prepared.states.is_at_rest) return std::nullopt;
  return solve_word(prepared.friction, rest_word(prepared.friction), ForceNorm::euclidean);
}

std::vector<std::string> painleve_notes(const ContactProblem& problem,
                                        const PlanarDecision& prepared) {
  std::vector<std::string> notes;
  const PlanarFriction& friction = prepared.friction;
  const int c = friction.contacts();
  for (int i = 0; i < c; ++i) {
    const int s = friction.slide_of(i);
    if (s == 0) continue;
    const double mobility =
        friction.G(i, i) - s * friction.dynamic_friction[i] * friction.G(i, c + i);
    if (mobility > 0.0) continue;
    const int contact = prepared.members[static_cast<std::size_t>(i)];
    notes.push_back(
        fmt::format("contact {}: sliding mobility is {:.6g} 1/kg (Painleve); it is positive for "
                    "friction below {:.6g}",
                    problem.names[static_cast<std::size_t>(contact)], mobility,
                    friction.G(i, i) / std::abs(friction.G(i, c + i))));
  }
  return notes;
}

ContactResult no_planar_solution(const ContactProblem& problem, const PlanarDecision& prepared) {
  PlanarAnswer none;
  none.force = Eigen::VectorXd::Zero(2 * prepared.friction.contacts());
  none.residual = planar_residual(prepared.friction, none.force);
  ContactResult result = finish_planar_decision(problem, prepared, none);
  result.outcome = Outcome::no_solution;
  add_flag(result.flags, "no-solution");
  for (auto& note : painleve_notes(problem, prepared)) result.notes.push_back(std::move(note));
  return result;
}

}  // namespace clack
