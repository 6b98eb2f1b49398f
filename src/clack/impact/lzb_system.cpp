// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb_system.hpp"

#include "clack/impact/lzb_tolerances.hpp"

namespace clack {

double largest_contact_speed(const Eigen::VectorXd& contact_motion) {
  return contact_motion.size() > 0 ? contact_motion.lpNorm<Eigen::Infinity>() : 0.0;
}

void make_lzb_system(const ImpactProblem& problem, const Delassus& delassus, const FreeMotion& free,
                     double eta, Unloading unloading, double approach_limit, LzbSystem& system) {
  system.tangent_row.clear();
  system.delassus_row.clear();
  const int c = system.contacts = problem.contacts();
  const int k = system.tangents = problem.tangents();
  system.eta = eta;
  system.is_whole = eta == std::floor(eta);
  system.unloading = unloading;
  system.speed_unit = -free.contact.head(c).minCoeff();
  system.mobility_unit = delassus.matrix.diagonal().head(c).maxCoeff();
  system.slip_zero = lzb_tolerances.slip * largest_contact_speed(free.contact) / system.speed_unit;
  system.approach = approach_limit / system.speed_unit;
  for (Eigen::VectorXd* coefficients :
       {&system.stiffness, &system.restitution, &system.static_friction, &system.dynamic_friction})
    coefficients->resize(c);
  for (int i = 0; i < c; ++i) system.delassus_row.push_back(i);
  for (int i = 0; i < c; ++i) {
    const ContactMaterial& material = problem.materials[i];
    system.stiffness[i] = material.stiffness;
    system.restitution[i] = material.restitution;
    system.static_friction[i] = material.static_friction;
    system.dynamic_friction[i] = material.dynamic_friction;
    const bool has_friction = material.static_friction > 0.0 &&
                              delassus.matrix.diagonal().segment(c + i * k, k).maxCoeff() > 0.0;
    system.tangent_row.push_back(has_friction ? static_cast<int>(system.delassus_row.size()) : -1);
    for (int a = 0; a < k && has_friction; ++a) system.delassus_row.push_back(c + i * k + a);
  }
  system.stiffness /= system.stiffness.maxCoeff();
  const auto rows = static_cast<Eigen::Index>(system.delassus_row.size());
  system.G.resize(rows, rows);
  system.start.resize(rows);
  for (Eigen::Index r = 0; r < rows; ++r) {
    const int from = system.delassus_row[r];
    system.start[r] = free.contact[from] / system.speed_unit;
    for (Eigen::Index s = 0; s < rows; ++s)
      system.G(r, s) = delassus.matrix(from, system.delassus_row[s]) / system.mobility_unit;
  }
}

void gather_tangents(const LzbSystem& system, std::span<const int> a, std::span<const int> b,
                     Eigen::MatrixXd& out) {
  const int k = system.tangents;
  const auto rows = static_cast<Eigen::Index>(a.size() * k);
  const auto columns = static_cast<Eigen::Index>(b.size() * k);
  if (out.rows() < rows || out.cols() < columns)
    out.resize(std::max(rows, out.rows()), std::max(columns, out.cols()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      out.block(i * k, j * k, k, k) =
          system.G.block(system.tangent_row[a[i]], system.tangent_row[b[j]], k, k);
}

}  // namespace clack
