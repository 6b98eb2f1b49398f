// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Geometry>

#include "clack/contact/problem.hpp"
#include "clack/index.hpp"

/// Free spheres in space as contact systems (tests only): velocity blocks (v, omega) of 6 per
/// sphere, docs/theories/newton.md
namespace clack::testing {

struct SphereScene {
  struct Sphere {
    Eigen::Vector3d centre;
    double mass = 1.0, radius = 1.0;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
  };
  std::vector<Sphere> spheres;
  ContactMaterial material;

  template <class Problem>
  Problem start() const {
    const int n = 6 * number_of(spheres);
    Problem problem;
    problem.dimension = 3;
    problem.mass_matrix = Eigen::MatrixXd::Zero(n, n);
    problem.velocity.resize(n);
    problem.bilateral.resize(0, n);
    problem.normal_jacobian.resize(0, n);
    problem.tangent_jacobian.resize(0, n);
    problem.normal_surface_velocity.resize(0);
    problem.tangent_surface_velocity.resize(0);
    for (std::size_t k = 0; k < spheres.size(); ++k) {
      const int row = 6 * k;
      const Sphere& s = spheres[k];
      problem.mass_matrix.diagonal().segment(row, 3).setConstant(s.mass);
      problem.mass_matrix.diagonal()
          .segment(row + 3, 3)
          .setConstant(0.4 * s.mass * s.radius * s.radius);
      problem.velocity.segment(row, 3) = s.velocity;
      problem.velocity.segment(row + 3, 3) = s.spin;
    }
    return problem;
  }

  /// Sphere b on sphere a (a < 0: on a fixed plane with the given normal); the normal points to b.
  void add_contact(ContactSystem& system, const std::string& name, int a, int b,
                   Eigen::Vector3d normal = Eigen::Vector3d::UnitY()) const {
    const auto& sb = spheres[b];
    if (a >= 0) normal = (sb.centre - spheres[a].centre).normalized();
    const Eigen::Vector3d t1 = normal.unitOrthogonal(), t2 = normal.cross(t1);
    const int c = system.contacts(), n = system.speeds();
    system.normal_jacobian.conservativeResize(c + 1, n);
    system.tangent_jacobian.conservativeResize(2 * c + 2, n);
    const auto row = [&](const Eigen::Vector3d& direction) {
      Eigen::RowVectorXd jacobian = Eigen::RowVectorXd::Zero(n);
      const Eigen::Vector3d arm_b = -sb.radius * normal;
      jacobian.segment<3>(6 * b) = direction.transpose();
      jacobian.segment<3>(6 * b + 3) = arm_b.cross(direction).transpose();
      if (a >= 0) {
        const Eigen::Vector3d arm_a = spheres[a].radius * normal;
        jacobian.segment<3>(6 * a) = -direction.transpose();
        jacobian.segment<3>(6 * a + 3) = -arm_a.cross(direction).transpose();
      }
      return jacobian;
    };
    system.normal_jacobian.row(c) = row(normal);
    system.tangent_jacobian.row(2 * c) = row(t1);
    system.tangent_jacobian.row(2 * c + 1) = row(t2);
    system.normal_surface_velocity = Eigen::VectorXd::Zero(c + 1);
    system.tangent_surface_velocity = Eigen::VectorXd::Zero(2 * c + 2);
    system.materials.push_back(material);
    system.names.push_back(name);
  }
};

}  // namespace clack::testing
