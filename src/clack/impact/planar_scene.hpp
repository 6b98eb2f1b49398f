// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/contact/random_system.hpp"

/// Rigid bodies in the plane as impact problems, for tests and benchmarks.
namespace clack::testing {

/// Free bodies with speeds (x', y', omega) each.
struct PlanarScene {
  struct Body {
    Eigen::Vector2d centre{0, 0};
    double mass = 1.0, inertia = 1.0;
    Eigen::Vector3d velocity{0, 0, 0};
  };
  static constexpr int ground = -1;
  std::vector<Body> bodies;
  ContactMaterial material;

  ImpactProblem start() const {
    const auto n = static_cast<Eigen::Index>(3 * bodies.size());
    ImpactProblem p;
    p.mass_matrix = Eigen::MatrixXd::Zero(n, n);
    p.velocity.resize(n);
    p.bilateral.resize(0, n);
    p.normal_jacobian.resize(0, n);
    p.tangent_jacobian.resize(0, n);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(3 * k);
      p.mass_matrix.diagonal().segment<3>(i) << bodies[k].mass, bodies[k].mass, bodies[k].inertia;
      p.velocity.segment<3>(i) = bodies[k].velocity;
    }
    return p;
  }

  static std::string name_of(int body) {
    return body == ground ? "ground" : "body" + std::to_string(body + 1);
  }

  /// The normal points from a to b.
  void add_contact(ImpactProblem& p, const std::string& name, int a, int b,
                   const Eigen::Vector2d& point, const Eigen::Vector2d& normal) const {
    const Eigen::Vector2d tangent(normal.y(), -normal.x());
    const Eigen::Index c = p.normal_jacobian.rows(), n = p.velocity.size();
    p.normal_jacobian.conservativeResize(c + 1, n);
    p.tangent_jacobian.conservativeResize(c + 1, n);
    p.normal_jacobian.row(c) = row(a, b, point, normal);
    p.tangent_jacobian.row(c) = row(a, b, point, tangent);
    p.normal_surface_velocity = Eigen::VectorXd::Zero(c + 1);
    p.tangent_surface_velocity = Eigen::VectorXd::Zero(c + 1);
    p.materials.push_back(material);
    p.names.push_back(name);
    ContactGeometry& g = p.geometry.emplace_back();
    g.body_a = name_of(a);
    g.body_b = name_of(b);
    g.point = Eigen::Vector3d(point.x(), point.y(), 0.0);
    g.normal = Eigen::Vector3d(normal.x(), normal.y(), 0.0);
    g.tangents = {Eigen::Vector3d(tangent.x(), tangent.y(), 0.0)};
  }

 private:
  Eigen::RowVectorXd row(int a, int b, const Eigen::Vector2d& point,
                         const Eigen::Vector2d& d) const {
    Eigen::RowVectorXd r = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(3 * bodies.size()));
    for (const auto& [body, sign] : {std::pair{a, -1.0}, std::pair{b, 1.0}}) {
      if (body == ground) continue;
      const Eigen::Vector2d arm = point - bodies[body].centre;
      r.segment<3>(3 * body) +=
          sign * Eigen::RowVector3d(d.x(), d.y(), arm.x() * d.y() - arm.y() * d.x());
    }
    return r;
  }
};

/// The ball of P4 chapter 6: radius 0.5, floor below and wall on the right, inertia k m R^2.
inline ImpactProblem ball_in_corner(double e, const Eigen::Vector3d& velocity = {8.0, -4.43, 0.0},
                                    double mu = 0.35, double mu_static = 0.6, double k = 0.5) {
  PlanarScene scene;
  scene.bodies = {{{0, 0}, 1.0, k * 0.25, velocity}};
  scene.material = {.dynamic_friction = mu, .static_friction = mu_static, .restitution = e};
  ImpactProblem p = scene.start();
  scene.add_contact(p, "floor", PlanarScene::ground, 0, {0.0, -0.5}, {0.0, 1.0});
  scene.add_contact(p, "wall", PlanarScene::ground, 0, {0.5, 0.0}, {-1.0, 0.0});
  return p;
}

/// The rocking block of P4 on its lower corners: left at rest, right falling with 1 m/s.
inline ImpactProblem rocking_block(double mu, double mu_static, double x_speed) {
  constexpr double m = 2.5, b = 0.1087, h = 0.0645;
  PlanarScene scene;
  scene.bodies = {{{0, 0}, m, m * (b * b + h * h) / 12.0, {x_speed, -0.5, -1.0 / b}}};
  scene.material = {.dynamic_friction = mu, .static_friction = mu_static};
  ImpactProblem p = scene.start();
  scene.add_contact(p, "left", PlanarScene::ground, 0, {-b / 2, -h / 2}, {0.0, 1.0});
  scene.add_contact(p, "right", PlanarScene::ground, 0, {b / 2, -h / 2}, {0.0, 1.0});
  return p;
}

/// Balls on strings in a row, one speed each (L q'), effective mass m (1 + 2/5 (R/L)^2); the first
/// moves with v.
inline ImpactProblem balls_on_strings(const std::vector<double>& masses, double v, double e) {
  constexpr double L = 0.3, R = 0.05;
  const int n = static_cast<int>(masses.size());
  ImpactProblem p;
  p.mass_matrix = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) p.mass_matrix(i, i) = masses[i] * (1.0 + 0.4 * R * R / (L * L));
  p.velocity = Eigen::VectorXd::Zero(n);
  p.velocity[0] = v;
  p.bilateral.resize(0, n);
  p.normal_jacobian = Eigen::MatrixXd::Zero(n - 1, n);
  p.tangent_jacobian = Eigen::MatrixXd::Zero(n - 1, n);
  p.normal_surface_velocity = p.tangent_surface_velocity = Eigen::VectorXd::Zero(n - 1);
  for (int i = 0; i + 1 < n; ++i) {
    p.normal_jacobian(i, i) = -1.0;
    p.normal_jacobian(i, i + 1) = 1.0;
    p.materials.push_back({.restitution = e});
    p.names.push_back(std::to_string(i + 1) + std::to_string(i + 2));
    ContactGeometry& g = p.geometry.emplace_back();
    g.body_a = "ball" + std::to_string(i + 1);
    g.body_b = "ball" + std::to_string(i + 2);
    g.point = Eigen::Vector3d(R * (2 * i + 1), 0, 0);
    g.normal = Eigen::Vector3d::UnitX();
  }
  return p;
}

/// One to three bodies with one to five contacts at random places, all approaching or resting.
inline ImpactProblem random_planar_bodies(RandomSystem& random, double friction) {
  PlanarScene scene;
  const int bodies = 1 + static_cast<int>(random.uniform(0.0, 3.0));
  const int contacts = 1 + static_cast<int>(random.uniform(0.0, 5.0));
  for (int k = 0; k < bodies; ++k)
    scene.bodies.push_back({{random.uniform(-1, 1), random.uniform(-1, 1)},
                            std::exp(random.uniform(-2.0, 2.0)),
                            std::exp(random.uniform(-3.0, 1.0)),
                            {random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}});
  ImpactProblem p = scene.start();
  scene.material.restitution = random.uniform(0.0, 1.0);
  for (int i = 0; i < contacts; ++i) {
    const int b = i % bodies;
    int a = static_cast<int>(random.uniform(-1.0, static_cast<double>(bodies)));
    if (a == b || random.uniform(0.0, 1.0) < 0.4) a = PlanarScene::ground;
    scene.material.dynamic_friction =
        random.uniform(0.0, 1.0) < 0.2 ? 0.0 : random.uniform(0.0, friction);
    scene.material.static_friction = scene.material.dynamic_friction * random.uniform(1.0, 1.7);
    const double angle = random.uniform(-3.14, 3.14);
    scene.add_contact(p, "c" + std::to_string(i + 1), a, b,
                      {random.uniform(-1, 1), random.uniform(-1, 1)},
                      {std::cos(angle), std::sin(angle)});
    const double rate = p.normal_jacobian.row(i).dot(p.velocity);
    if (rate <= 0.0) continue;  // turned round: it approaches
    p.normal_jacobian.row(i) *= -1.0;
    p.tangent_jacobian.row(i) *= -1.0;
    *p.geometry[i].normal *= -1.0;
    p.geometry[i].tangents[0] *= -1.0;
  }
  return p;
}

}  // namespace clack::testing
