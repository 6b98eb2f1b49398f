#include "clack/hybrid/nodes.hpp"

namespace clack {
namespace {

void fill(ContactSystem& system, ContactOptions& options, const Model& model, const Snapshot& s,
          std::span<const int> contacts, std::span<const ContactMaterial> materials,
          const double* v) {
  system.dimension = s.tangents() + 1;
  system.mass_matrix = s.mass_matrix();
  system.velocity = Eigen::Map<const Eigen::VectorXd>(v, s.speeds());
  system.bilateral = s.constraint_jacobian();
  system.normal_jacobian = s.normal_jacobian();
  system.tangent_jacobian = s.tangent_jacobian();
  for (const int c : contacts) {
    system.materials.push_back(materials[static_cast<std::size_t>(c)]);
    system.names.push_back(model.contacts[static_cast<std::size_t>(c)].name);
  }
  options.rank_cutoff = model.tolerances.rank_cutoff;
}

}  // namespace

ImpactProblem make_impact_problem(const Model& model, const Snapshot& s,
                                  std::span<const int> contacts,
                                  std::span<const ContactMaterial> materials, const double* v) {
  ImpactProblem problem;
  fill(problem, problem.options, model, s, contacts, materials, v);
  problem.normal_surface_velocity = problem.normal_jacobian * problem.velocity - s.gap_rate();
  problem.tangent_surface_velocity = problem.tangent_jacobian * problem.velocity - s.slip();
  problem.bilateral_velocity = problem.bilateral * problem.velocity - s.constraint_rate();
  return problem;
}

ImpactProblem restricted_to(const ImpactProblem& problem, const std::vector<int>& contacts) {
  std::vector<int> tangents;
  for (const int c : contacts)
    for (int a = 0; a < problem.tangents(); ++a) tangents.push_back(c * problem.tangents() + a);
  ImpactProblem part = problem;
  part.normal_jacobian = problem.normal_jacobian(contacts, Eigen::all);
  part.tangent_jacobian = problem.tangent_jacobian(tangents, Eigen::all);
  part.normal_surface_velocity = problem.normal_surface_velocity(contacts);
  part.tangent_surface_velocity = problem.tangent_surface_velocity(tangents);
  part.materials.clear();
  part.names.clear();
  for (const int c : contacts) {
    part.materials.push_back(problem.materials[static_cast<std::size_t>(c)]);
    part.names.push_back(problem.names[static_cast<std::size_t>(c)]);
  }
  return part;
}

ContactProblem make_contact_problem(const Model& model, const Snapshot& s,
                                    std::span<const int> contacts,
                                    std::span<const ContactMaterial> materials, const double* v,
                                    const Eigen::VectorXd& slip) {
  ContactProblem problem;
  fill(problem, problem.options, model, s, contacts, materials, v);
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
