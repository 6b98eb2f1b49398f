// SPDX-License-Identifier: Apache-2.0
#pragma once
// Impact problems of docs/theories/projection.md and questions about their answers, for tests.
#include <gtest/gtest.h>

#include "clack/impact/projection.hpp"

namespace clack::projection_examples {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

inline ImpactProblem problem_of(const MatrixXd& M, const MatrixXd& A, const VectorXd& v,
                                const std::vector<double>& e) {
  ImpactProblem p;
  p.dimension = 2;
  p.mass_matrix = M;
  p.velocity = v;
  p.bilateral = MatrixXd(0, v.size());
  p.normal_jacobian = A;
  p.tangent_jacobian = MatrixXd::Zero(A.rows(), v.size());
  p.normal_surface_velocity = VectorXd::Zero(A.rows());
  p.tangent_surface_velocity = VectorXd::Zero(A.rows());
  for (int i = 0; i < A.rows(); ++i) {
    ContactMaterial material;
    material.restitution = e[i];
    p.materials.push_back(material);
    p.names.push_back("c" + std::to_string(i + 1));
  }
  return p;
}

inline ProjectionLaw closed_form(InconsistentPolicy policy = InconsistentPolicy::allow) {
  return ProjectionLaw{{.mode = RestitutionMode::closed_form, .inconsistent = policy}};
}

inline bool has(const std::vector<std::string>& flags, std::string_view flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

inline bool says(const std::vector<std::string>& notes, std::string_view words) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

inline double energy_change(const ImpactResult& r) { return r.energy_after - r.energy_before; }

// docs/theories/projection.md: EX1, EX2 (cradle), EX4 (block), EX5 (three feet). Numbers of section
// 5, 40-digit oracle.

inline ImpactProblem cradle(double e) {
  MatrixXd A(2, 3);
  A << -1, 1, 0, 0, -1, 1;
  return problem_of(MatrixXd::Identity(3, 3), A, Vector3d(1, 0, 0), {e, e});
}

inline ImpactProblem block(double e1, double e2) {
  MatrixXd M = Vector3d(1, 1, 5.0 / 6.0).asDiagonal();
  MatrixXd A(2, 3);
  A << 0, 1, -0.5, 0, 1, 0.5;
  return problem_of(M, A, Vector3d(0, -0.6, 0.8), {e1, e2});
}

inline ImpactProblem three_feet() {
  MatrixXd M = Vector3d(1, 1, 5.0 / 6.0).asDiagonal();
  MatrixXd A(3, 3);
  A << 0, 1, -0.5, 0, 1, 0, 0, 1, 0.5;
  return problem_of(M, A, Vector3d(0, -1, 0.2), {0.2, 0.9, 0.4});
}

}  // namespace clack::projection_examples
