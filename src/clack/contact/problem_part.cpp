// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/problem_part.hpp"

#include <numeric>

namespace clack {
namespace {

std::vector<int> tangents_of(const ContactSystem& system, const std::vector<int>& contacts) {
  std::vector<int> rows;
  for (const int i : contacts)
    for (int a = 0; a < system.tangents(); ++a) rows.push_back(i * system.tangents() + a);
  return rows;
}

Eigen::VectorXd some(const Eigen::VectorXd& whole, const std::vector<int>& places) {
  return whole.size() == 0 ? Eigen::VectorXd() : Eigen::VectorXd(whole(places));
}

template <class Item>
std::vector<Item> some(const std::vector<Item>& whole, const std::vector<int>& places) {
  std::vector<Item> items;
  if (whole.empty()) return items;
  for (const int i : places) items.push_back(whole[i]);
  return items;
}

// The list of names stands for the whole struct: a field that is added to it makes the binding fail
// (below, a missing initializer is an error).

ContactSystem cut_system(const ContactSystem& whole, const ProblemPart& part) {
  const auto& [dimension, mass_matrix, velocity, bilateral, normal_jacobian, tangent_jacobian,
               normal_surface_velocity, tangent_surface_velocity, materials, names, geometry] =
      whole;
  const std::vector<int> tangents = tangents_of(whole, part.contacts);
  return {.dimension = dimension,
          .mass_matrix = mass_matrix(part.speeds, part.speeds),
          .velocity = velocity(part.speeds),
          .bilateral = bilateral(part.bilateral, part.speeds),
          .normal_jacobian = normal_jacobian(part.contacts, part.speeds),
          .tangent_jacobian = tangent_jacobian(tangents, part.speeds),
          .normal_surface_velocity = some(normal_surface_velocity, part.contacts),
          .tangent_surface_velocity = some(tangent_surface_velocity, tangents),
          .materials = some(materials, part.contacts),
          .names = some(names, part.contacts),
          .geometry = some(geometry, part.contacts)};
}

}  // namespace

ContactProblem part_of(const ContactProblem& problem, const ProblemPart& part) {
  return {cut_system(problem, part),
          problem.force(part.speeds),
          some(problem.bilateral_bias, part.bilateral),
          some(problem.gap_bias, part.contacts),
          some(problem.slip_bias, tangents_of(problem, part.contacts)),
          problem.options};
}

ImpactProblem part_of(const ImpactProblem& problem, const ProblemPart& part) {
  return {cut_system(problem, part), some(problem.bilateral_velocity, part.bilateral),
          some(problem.external_impulse, part.speeds), problem.approach_limit, problem.options};
}

ImpactProblem restricted_to(const ImpactProblem& problem, const std::vector<int>& contacts) {
  ProblemPart part{std::vector<int>(problem.speeds()), contacts,
                   std::vector<int>(problem.bilateral.rows())};
  std::iota(part.speeds.begin(), part.speeds.end(), 0);
  std::iota(part.bilateral.begin(), part.bilateral.end(), 0);
  return part_of(problem, part);
}

}  // namespace clack
