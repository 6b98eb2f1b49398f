// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/nodes.hpp"

#include "clack/index.hpp"
#include "clack/mechanism/inertia.hpp"

namespace clack {
namespace {

void fill_touching(ContactSystem& system, ContactOptions& options, const Model& model,
                   const Snapshot& s, const TouchingContacts& touching) {
  system.dimension = s.tangents() + 1;
  system.materials = touching.materials;
  system.geometry = touching.geometry;
  system.names.reserve(touching.contacts.size());
  for (const ContactKey& c : touching.contacts) system.names.push_back(contact_name(model, c));
  options.rank_cutoff = model.tolerances.rank_cutoff;
}

void fill(ContactSystem& system, ContactOptions& options, const Model& model, const Snapshot& s,
          const TouchingContacts& touching, const double* v) {
  fill_touching(system, options, model, s, touching);
  system.mass_matrix = inertia_of(s).matrix;
  system.velocity = Eigen::Map<const Eigen::VectorXd>(v, s.speeds());
  system.bilateral = s.constraint_jacobian();
  system.normal_jacobian = s.normal_jacobian();
  system.tangent_jacobian = s.tangent_jacobian();
}

}  // namespace

double NodeTools::kinetic(double t, const std::vector<double>& y) const {
  return mechanism.energies(t, q(y), v(y)).kinetic;
}

double NodeTools::total_energy(double t, const std::vector<double>& y) const {
  const Energies e = mechanism.energies(t, q(y), v(y));
  return e.kinetic + e.potential;
}

std::vector<ContactGeometry> geometry_of(Mechanism& mechanism, std::span<const ContactKey> contacts,
                                         double t, const double* q, const double* v) {
  std::vector<ContactGeometry> geometry;
  geometry.reserve(contacts.size());
  for (const ContactKey& contact : contacts) {
    ContactGeometry& g = geometry.emplace_back();
    const ContactPlace place = mechanism.place_of(t, q, v, contact);
    if (!place.first_body.is_valid()) continue;
    const auto moves = [&](BodyIndex body) {
      const BodyKind kind = mechanism.model().bodies[body].kind;
      return kind == BodyKind::free || kind == BodyKind::placed;
    };
    const auto name = [&](BodyIndex body) {
      return moves(body) ? mechanism.model().bodies[body].name : "ground";
    };
    g.body_a = name(place.second_body);
    g.body_b = name(place.first_body);
    g.point = place.point;
    g.normal = place.normal;
    for (int a = 0; a < mechanism.tangents(); ++a) g.tangents.push_back(place.tangents.col(a));
    if (moves(place.second_body)) g.center_a = place.second_centre;
    if (moves(place.first_body)) g.center_b = place.first_centre;
  }
  return geometry;
}

ImpactProblem make_impact_problem(const Model& model, const Snapshot& s,
                                  const TouchingContacts& touching, const double* v) {
  ImpactProblem problem;
  fill(problem, problem.options, model, s, touching, v);
  problem.normal_surface_velocity = problem.normal_jacobian * problem.velocity - s.gap_rate();
  problem.tangent_surface_velocity = problem.tangent_jacobian * problem.velocity - s.slip();
  problem.bilateral_velocity = problem.bilateral * problem.velocity - s.constraint_rate();
  return problem;
}

ImpactProblem make_impact_problem(const Model& model, const Snapshot& s,
                                  const TouchingContacts& touching, const double* v,
                                  const ProblemPart& part) {
  ImpactProblem problem;
  fill_touching(problem, problem.options, model, s, touching);
  std::vector<int> tangents;
  for (const int i : part.contacts)
    for (int a = 0; a < s.tangents(); ++a) tangents.push_back(i * s.tangents() + a);
  problem.mass_matrix = s.mass_matrix()(part.speeds, part.speeds);
  problem.velocity = Eigen::Map<const Eigen::VectorXd>(v, s.speeds())(part.speeds);
  problem.bilateral.resize(0, number_of(part.speeds));
  problem.normal_jacobian = s.normal_jacobian()(part.contacts, part.speeds);
  problem.tangent_jacobian = s.tangent_jacobian()(tangents, part.speeds);
  problem.normal_surface_velocity =
      problem.normal_jacobian * problem.velocity - s.gap_rate()(part.contacts);
  problem.tangent_surface_velocity =
      problem.tangent_jacobian * problem.velocity - s.slip()(tangents);
  problem.bilateral_velocity.resize(0);
  return problem;
}

ContactProblem make_contact_problem(const Model& model, const Snapshot& s,
                                    const TouchingContacts& touching, const double* v,
                                    const Eigen::VectorXd& slip) {
  ContactProblem problem;
  fill(problem, problem.options, model, s, touching, v);
  problem.options.slip_tolerance = 0.0;  // the executor has decided already which slip is zero
  problem.normal_surface_velocity = problem.normal_jacobian * problem.velocity;
  problem.tangent_surface_velocity = problem.tangent_jacobian * problem.velocity - slip;
  problem.force = s.smooth_force();
  problem.bilateral_bias = s.constraint_bias();
  problem.gap_bias = s.gap_bias();
  problem.slip_bias = s.slip_bias();
  return problem;
}

}  // namespace clack
