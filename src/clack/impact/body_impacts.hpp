// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Geometry>
#include <cmath>

#include "clack/contact/problem.hpp"
#include "clack/contact/random_system.hpp"

/// Chains of balls and single bodies against fixed ground as impact problems (tests and benchmarks).
namespace clack::testing {

/// Restitution, friction and stiffness of one contact.
inline ContactMaterial material(double restitution, double dynamic = 0.0, double fixed = 0.0,
                                double stiffness = 1.0) {
  return {.dynamic_friction = dynamic,
          .static_friction = fixed,
          .restitution = restitution,
          .stiffness = stiffness};
}

inline ImpactProblem empty_problem(int dimension, const Eigen::MatrixXd& mass,
                                   const Eigen::VectorXd& velocity) {
  ImpactProblem p;
  p.dimension = dimension;
  p.mass_matrix = mass;
  p.velocity = velocity;
  p.bilateral.resize(0, velocity.size());
  p.normal_jacobian.resize(0, velocity.size());
  p.tangent_jacobian.resize(0, velocity.size());
  return p;
}

inline void add_rows(ImpactProblem& p, const Eigen::RowVectorXd& normal,
                     const Eigen::MatrixXd& tangents, const ContactMaterial& material,
                     ContactGeometry geometry = {}) {
  const Eigen::Index c = p.normal_jacobian.rows(), k = p.tangents(), n = p.velocity.size();
  p.normal_jacobian.conservativeResize(c + 1, n);
  p.tangent_jacobian.conservativeResize((c + 1) * k, n);
  p.normal_jacobian.row(c) = normal;
  p.tangent_jacobian.bottomRows(k) = tangents;
  p.normal_surface_velocity = Eigen::VectorXd::Zero(c + 1);
  p.tangent_surface_velocity = Eigen::VectorXd::Zero((c + 1) * k);
  p.materials.push_back(material);
  p.names.push_back("c" + std::to_string(c + 1));
  p.geometry.push_back(std::move(geometry));
}

/// Balls on a line, all touching; the first moves with 1 m/s.
inline ImpactProblem chain(const std::vector<double>& masses,
                           const std::vector<ContactMaterial>& materials) {
  const auto n = static_cast<Eigen::Index>(masses.size());
  ImpactProblem p = empty_problem(
      2, Eigen::Map<const Eigen::VectorXd>(masses.data(), n).asDiagonal().toDenseMatrix(),
      Eigen::VectorXd::Unit(n, 0));
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(n);
    row[i] = -1.0;
    row[i + 1] = 1.0;
    const auto m = std::min(static_cast<std::size_t>(i), materials.size() - 1);
    add_rows(p, row, Eigen::RowVectorXd::Zero(n), materials[m]);
  }
  return p;
}

/// A planar body at the origin, speeds (x', y', omega).
inline ImpactProblem planar_body(double mass, double inertia, const Eigen::Vector3d& velocity) {
  return empty_problem(2, Eigen::Vector3d(mass, mass, inertia).asDiagonal().toDenseMatrix(),
                       velocity);
}

inline void add_point(ImpactProblem& p, const Eigen::Vector2d& at, const Eigen::Vector2d& normal,
                      const ContactMaterial& material) {
  const Eigen::Vector2d tangent(normal.y(), -normal.x());
  const auto row = [&](const Eigen::Vector2d& d) {
    return Eigen::RowVector3d(d.x(), d.y(), at.x() * d.y() - at.y() * d.x());
  };
  ContactGeometry g;
  g.body_b = "body";
  g.point = Eigen::Vector3d(at.x(), at.y(), 0.0);
  g.normal = Eigen::Vector3d(normal.x(), normal.y(), 0.0);
  g.tangents = {Eigen::Vector3d(tangent.x(), tangent.y(), 0.0)};
  add_rows(p, row(normal), row(tangent), material, g);
}

/// A body in space with its mass centre at the origin, speeds (v, omega) in world axes.
inline ImpactProblem spatial_body(double mass, const Eigen::Matrix3d& inertia,
                                  const Eigen::Vector3d& v, const Eigen::Vector3d& w) {
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6);
  M.topLeftCorner<3, 3>() = mass * Eigen::Matrix3d::Identity();
  M.bottomRightCorner<3, 3>() = inertia;
  Eigen::VectorXd u(6);
  u << v, w;
  return empty_problem(3, M, u);
}

/// `turn` turns the tangents about the normal.
inline void add_point(ImpactProblem& p, const Eigen::Vector3d& at, const Eigen::Vector3d& normal,
                      const ContactMaterial& material, double turn = 0.0) {
  const Eigen::Vector3d a = normal.unitOrthogonal(), b = normal.cross(a);
  const Eigen::Vector3d t1 = std::cos(turn) * a + std::sin(turn) * b, t2 = normal.cross(t1);
  const auto row = [&](const Eigen::Vector3d& d) {
    Eigen::Matrix<double, 1, 6> r;
    r << d.transpose(), at.cross(d).transpose();
    return r;
  };
  ContactGeometry g;
  g.body_b = "body";
  g.point = at;
  g.normal = normal;
  g.tangents = {t1, t2};
  Eigen::MatrixXd tangents(2, 6);
  tangents << row(t1), row(t2);
  add_rows(p, row(normal), tangents, material, g);
}

// States of docs/theories/energetic.md.

/// The planar block on its left corner, right corner coming down with 1 m/s.
inline ImpactProblem planar_block(const ContactMaterial& left, const ContactMaterial& right) {
  const double m = 2.5, b = 0.1087, h = 0.0645;
  ImpactProblem p = planar_body(m, m * (b * b + h * h) / 12, {0, -0.5, -1.0 / b});
  add_point(p, Eigen::Vector2d(-b / 2, -h / 2), {0, 1}, left);
  add_point(p, Eigen::Vector2d(b / 2, -h / 2), {0, 1}, right);
  return p;
}

/// The disc that meets floor and wall at one instant.
inline ImpactProblem ball_in_corner(const ContactMaterial& material) {
  ImpactProblem p = planar_body(1.0, 0.125, {8, -4.43, 0});
  add_point(p, Eigen::Vector2d(0, -0.5), {0, 1}, material);
  add_point(p, Eigen::Vector2d(0.5, 0), {-1, 0}, material);
  return p;
}

/// The sphere that meets floor and two walls at one instant.
inline ImpactProblem sphere_in_corner(const ContactMaterial& material) {
  const Eigen::Vector3d x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  ImpactProblem p =
      spatial_body(1.0, 0.1 * Eigen::Matrix3d::Identity(), {3, -2, -3.924}, {0, 0, 0});
  add_point(p, Eigen::Vector3d(-0.5 * z), z, material);
  add_point(p, Eigen::Vector3d(0.5 * x), Eigen::Vector3d(-x), material);
  add_point(p, Eigen::Vector3d(-0.5 * y), y, material);
  return p;
}

/// The sphere thrown along the diagonal of a corner.
inline ImpactProblem symmetric_corner(double speed, const ContactMaterial& material) {
  ImpactProblem p = spatial_body(1.0, 0.1 * Eigen::Matrix3d::Identity(),
                                 -speed * Eigen::Vector3d::Ones(), {0, 0, 0});
  for (int a = 0; a < 3; ++a)
    add_point(p, Eigen::Vector3d(-0.5 * Eigen::Vector3d::Unit(a)), Eigen::Vector3d::Unit(a),
              material, 0.3 * a);
  return p;
}

/// The block that rocked about its edge AB; corners A B C D, centred C' is (0, -b/2, -h/2).
enum class BlockPoints { three, four, centred };
inline ImpactProblem spatial_block(BlockPoints points, const ContactMaterial& material) {
  const double m = 2.5, l = 0.1087, b = 0.1087, h = 0.0645;
  const Eigen::Vector3d inertia(b * b + h * h, l * l + h * h, l * l + b * b);
  ImpactProblem p = spatial_body(m, (m / 12 * inertia).asDiagonal().toDenseMatrix(),
                                 {0, -0.085119425, -0.351715155}, {6.4713, 0, 0});
  const Eigen::Vector3d z(0, 0, 1);
  add_point(p, Eigen::Vector3d(-l / 2, b / 2, -h / 2), z, material);
  add_point(p, Eigen::Vector3d(l / 2, b / 2, -h / 2), z, material);
  if (points == BlockPoints::centred)
    add_point(p, Eigen::Vector3d(0, -b / 2, -h / 2), z, material);
  else
    add_point(p, Eigen::Vector3d(l / 2, -b / 2, -h / 2), z, material);
  if (points == BlockPoints::four)
    add_point(p, Eigen::Vector3d(-l / 2, -b / 2, -h / 2), z, material);
  return p;
}

/// The rod whose lower end hits the floor, in the plane: m = L = 1, angle to the floor, and its
/// contact velocities.
inline ImpactProblem rod(double angle, double slip, double gap_rate, const ContactMaterial& m) {
  const Eigen::Vector2d at(-0.5 * std::cos(angle), -0.5 * std::sin(angle));
  // No spin: the contact moves as the mass centre does.
  ImpactProblem p = planar_body(1.0, 1.0 / 12, {slip, gap_rate, 0});
  add_point(p, at, {0, 1}, m);
  return p;
}

/// A homogeneous box whose lowest corner hits the floor; attitude Rz(az) Ry(ay) Rx(ax).
inline ImpactProblem box(const Eigen::Vector3d& sides, const Eigen::Vector3d& angles,
                         const Eigen::Vector3d& v, const Eigen::Vector3d& w,
                         const ContactMaterial& m) {
  const double mass = 2.0;
  const Eigen::Matrix3d R = (Eigen::AngleAxisd(angles[2], Eigen::Vector3d::UnitZ()) *
                             Eigen::AngleAxisd(angles[1], Eigen::Vector3d::UnitY()) *
                             Eigen::AngleAxisd(angles[0], Eigen::Vector3d::UnitX()))
                                .toRotationMatrix();
  const Eigen::Vector3d s = sides.cwiseAbs2();
  const Eigen::Vector3d inertia =
      mass / 12 * Eigen::Vector3d(s[1] + s[2], s[0] + s[2], s[0] + s[1]);
  Eigen::Vector3d corner;
  for (int a = 0; a < 3; ++a) corner[a] = R(2, a) > 0.0 ? -0.5 * sides[a] : 0.5 * sides[a];
  ImpactProblem p = spatial_body(mass, R * inertia.asDiagonal() * R.transpose(), v, w);
  add_point(p, Eigen::Vector3d(R * corner), Eigen::Vector3d::UnitZ(), m);
  return p;
}

/// A random body in space or in the plane with random points and normals around it, all of which
/// approach; for laws that need bodies.
inline ImpactProblem random_body(RandomSystem& random, int dimension, int points, double friction,
                                 const ContactMaterial* common = nullptr) {
  const auto draw = [&] {
    const double mu = random.uniform(0.0, friction);
    return material(random.uniform(0.0, 1.0), mu, mu * random.uniform(1.0, 1.5),
                    std::exp(random.uniform(-2.3, 2.3)));
  };
  if (dimension == 2) {
    ImpactProblem p =
        planar_body(random.uniform(0.5, 3.0), random.uniform(0.1, 1.0), 2.0 * random.vector(3));
    for (int i = 0; i < points; ++i) {
      const double a = random.uniform(0.0, 6.28), b = a + random.uniform(-0.6, 0.6);
      add_point(p, Eigen::Vector2d(-std::cos(a), -std::sin(a)),
                Eigen::Vector2d(std::cos(b), std::sin(b)), common ? *common : draw());
      if (p.gap_rates(p.velocity)[i] > 0.0) {
        p.normal_jacobian.row(i) *= -1.0;
        *p.geometry[i].normal *= -1.0;
      }
    }
    return p;
  }
  const Eigen::Matrix3d root = random.matrix(3, 3);
  ImpactProblem p = spatial_body(random.uniform(0.5, 3.0),
                                 0.3 * (root * root.transpose() + Eigen::Matrix3d::Identity()),
                                 2.0 * random.vector(3), 2.0 * random.vector(3));
  for (int i = 0; i < points; ++i) {
    const Eigen::Vector3d at = Eigen::Vector3d(random.vector(3)).normalized();
    const Eigen::Vector3d normal = Eigen::Vector3d(-at + 0.5 * random.vector(3)).normalized();
    add_point(p, at, normal, common ? *common : draw(), random.uniform(0.0, 6.28));
    if (p.gap_rates(p.velocity)[i] > 0.0) {
      p.normal_jacobian.row(i) *= -1.0;
      p.tangent_jacobian.row(2 * i + 1) *= -1.0;
      *p.geometry[i].normal *= -1.0;
      p.geometry[i].tangents[1] *= -1.0;
    }
  }
  return p;
}

}  // namespace clack::testing
