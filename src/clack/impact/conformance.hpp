// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "clack/contact/random_system.hpp"
#include "clack/impact/law.hpp"
#include "clack/impact/planar_scene.hpp"

/// What every impact law must do, on hundreds of random problems each (tests only).
namespace clack::testing {

/// What the law under test supports and promises.
struct LawClaims {
  bool has_friction = true;
  bool has_bodies = false;          // asks about rigid bodies in the plane with their geometry
  bool is_spatial = false;          // treats dimension 3 as well
  bool never_gains_energy = false;  // on the problems generated here
  bool keeps_out = true;            // no contact approaches afterwards
  bool ignores_order = true;        // of the contacts
  double friction = 0.5;            // largest coefficient used
  double tolerance = 1e-8;          // relative to the speeds
  int problems = 200;               // per property
  int unfinished = 0;               // problems whose chain may reach its cap
  int allowed_exceptions = 2;       // problems with several solutions may depend on the order
};

inline bool has_flag(const std::vector<std::string>& flags, std::string_view flag) {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

class LawConformance {
 public:
  LawConformance(const ImpactLaw& law, const LawClaims& claims)
      : law_(law), claims_(claims), random_(20240) {}

  void check() {
    for (int k = 0; k < claims_.problems; ++k) {
      problem_ = next_problem(k);
      result_ = law_.resolve(problem_);
      if (result_.status != SolveStatus::solved) {
        ++(result_.status == SolveStatus::unfinished ? unfinished_ : unsolved_);
        continue;
      }
      check_balance();
      check_energy();
      if (claims_.ignores_order) check_order();
      check_mirror();
      check_units();
      check_coordinates();
      check_moving_frame();
    }
    EXPECT_LE(unfinished_, claims_.unfinished) << law_.name();
    EXPECT_LE(unsolved_, claims_.allowed_exceptions) << law_.name();
    EXPECT_LE(exceptions_, claims_.allowed_exceptions * 5) << law_.name();
  }

 private:
  ImpactProblem next_problem(int k) {
    if (claims_.has_bodies) {
      ImpactProblem bodies = random_planar_bodies(random_, claims_.friction);
      if (k % 5 == 4) {
        bodies.bilateral = random_.matrix(1, bodies.speeds());
        bodies.bilateral_velocity = bodies.bilateral * bodies.velocity;
      }
      return bodies;
    }
    const int dimension = claims_.is_spatial && k % 2 == 1 ? 3 : 2;
    const int c = 1 + k % 3, n = c * dimension + 1 + k % 2;
    const double friction = claims_.has_friction ? claims_.friction : 0.0;
    auto problem = random_.system<ImpactProblem>(n, c, dimension, friction);
    // Weak coupling between contacts: several solutions stay rare.
    for (int i = 0; i < c; ++i) {
      problem.normal_jacobian(i, i) += 2.0;
      for (int a = 0; a < dimension - 1; ++a)
        problem.tangent_jacobian(i * (dimension - 1) + a, c + i * (dimension - 1) + a) += 2.0;
    }
    for (int i = 0; i < c; ++i)  // every contact approaches
      if (problem.normal_jacobian.row(i).dot(problem.velocity) > 0.0)
        problem.normal_jacobian.row(i) *= -1.0;
    if (k % 5 == 4) {
      problem.bilateral = random_.matrix(1, n);
      problem.bilateral_velocity = problem.bilateral * problem.velocity;
    }
    return problem;
  }

  double size() const { return 1.0 + problem_.velocity.cwiseAbs().maxCoeff(); }

  void expect_same(const Eigen::VectorXd& a, const Eigen::VectorXd& b, double scale) {
    if ((a - b).size() > 0 && (a - b).cwiseAbs().maxCoeff() > claims_.tolerance * scale)
      ++exceptions_;
  }

  void check_balance() {
    Eigen::VectorXd momentum = problem_.mass_matrix * (result_.velocity - problem_.velocity) -
                               problem_.normal_jacobian.transpose() * result_.normal_impulse;
    if (result_.tangent_impulse.size() > 0)
      momentum -= problem_.tangent_jacobian.transpose() * result_.tangent_impulse;
    if (problem_.bilateral.rows() > 0 && result_.bilateral_impulse.size() > 0)
      momentum -= problem_.bilateral.transpose() * result_.bilateral_impulse;
    const double scale = size() * problem_.mass_matrix.cwiseAbs().maxCoeff();
    EXPECT_LE(momentum.cwiseAbs().maxCoeff(), claims_.tolerance * scale) << "momentum";
    const double smallest = problem_.gap_rates(result_.velocity).minCoeff();
    if (claims_.keeps_out) {
      EXPECT_GE(smallest, -claims_.tolerance * size()) << "penetration";
    }
    EXPECT_NEAR(result_.certificate.penetration, std::max(0.0, -smallest),
                claims_.tolerance * size());
    EXPECT_NEAR(result_.certificate.adhesion, std::max(0.0, -result_.normal_impulse.minCoeff()),
                claims_.tolerance * scale);
  }

  void check_energy() {
    const auto energy = [&](const Eigen::VectorXd& v) {
      return 0.5 * v.dot(problem_.mass_matrix * v);
    };
    const double before = energy(problem_.velocity), after = energy(result_.velocity);
    EXPECT_NEAR(result_.energy_before, before, 1e-10 * (before + after));
    EXPECT_NEAR(result_.energy_after, after, 1e-10 * (before + after));
    EXPECT_NEAR(result_.normal_work + result_.tangential_work + result_.joint_work, after - before,
                1e-8 * (before + after));
    if (problem_.bilateral.rows() > 0) return;  // driven rows do work of their own
    const bool gains = after - before > 1e-7 * before;
    if (gains) {
      EXPECT_TRUE(has_flag(result_.flags, "energy-gain")) << before << " to " << after;
      EXPECT_FALSE(result_.is_consistent);
    }
    if (before - after > 1e-7 * before) {
      EXPECT_FALSE(has_flag(result_.flags, "energy-gain"));
    }
    if (claims_.never_gains_energy) {
      EXPECT_FALSE(gains) << before << " to " << after;
    }
  }

  /// Contacts listed in the opposite order.
  void check_order() {
    ImpactProblem turned = problem_;
    const int c = problem_.contacts(), k = problem_.tangents();
    for (int i = 0; i < c; ++i) {
      const int from = c - 1 - i, to = i;
      turned.normal_jacobian.row(i) = problem_.normal_jacobian.row(c - 1 - i);
      turned.tangent_jacobian.middleRows(i * k, k) =
          problem_.tangent_jacobian.middleRows((c - 1 - i) * k, k);
      turned.materials[to] = problem_.materials[from];
      turned.names[to] = problem_.names[from];
      if (!problem_.geometry.empty()) turned.geometry[to] = problem_.geometry[from];
    }
    expect_same(law_.resolve(turned).velocity, result_.velocity, size());
  }

  /// Tangents turned around: the same motion, tangential impulses with the other sign.
  void check_mirror() {
    ImpactProblem mirrored = problem_;
    mirrored.tangent_jacobian *= -1.0;
    for (ContactGeometry& geometry : mirrored.geometry)
      for (Eigen::Vector3d& tangent : geometry.tangents) tangent *= -1.0;
    const ImpactResult result = law_.resolve(mirrored);
    expect_same(result.velocity, result_.velocity, size());
    expect_same(-result.tangent_impulse, result_.tangent_impulse,
                size() * problem_.mass_matrix.cwiseAbs().maxCoeff());
  }

  /// Grams instead of kilograms, millimetres per second instead of metres per second.
  void check_units() {
    ImpactProblem scaled = problem_;
    scaled.mass_matrix *= 1e3;
    scaled.velocity *= 1e3;
    scaled.bilateral_velocity *= 1e3;
    const ImpactResult result = law_.resolve(scaled);
    expect_same(result.velocity / 1e3, result_.velocity, size());
    expect_same(result.normal_impulse / 1e6, result_.normal_impulse,
                size() * problem_.mass_matrix.cwiseAbs().maxCoeff());
  }

  /// v = T v': other speeds, the same mechanism.
  void check_coordinates() {
    const int n = problem_.speeds();
    const Eigen::MatrixXd map = random_.matrix(n, n) + 3.0 * Eigen::MatrixXd::Identity(n, n);
    ImpactProblem other = problem_;
    other.mass_matrix = map.transpose() * problem_.mass_matrix * map;
    other.mass_matrix = (0.5 * (other.mass_matrix + other.mass_matrix.transpose())).eval();
    other.velocity = map.partialPivLu().solve(problem_.velocity);
    other.normal_jacobian = problem_.normal_jacobian * map;
    other.tangent_jacobian = problem_.tangent_jacobian * map;
    other.bilateral = problem_.bilateral * map;
    expect_same(map * law_.resolve(other).velocity, result_.velocity, 100.0 * size());
  }

  /// Seen from a moving frame: every surface and every body moves along.
  void check_moving_frame() {
    if (problem_.bilateral.rows() > 0) return;
    const Eigen::VectorXd shift = random_.vector(problem_.speeds());
    ImpactProblem moving = problem_;
    moving.velocity += shift;
    moving.normal_surface_velocity += problem_.normal_jacobian * shift;
    moving.tangent_surface_velocity += problem_.tangent_jacobian * shift;
    expect_same(law_.resolve(moving).velocity - shift, result_.velocity, size());
  }

  const ImpactLaw& law_;
  LawClaims claims_;
  RandomSystem random_;
  ImpactProblem problem_;
  ImpactResult result_;
  int unsolved_ = 0, unfinished_ = 0, exceptions_ = 0;
};

inline void check_impact_law(const ImpactLaw& law, const LawClaims& claims = {}) {
  LawConformance(law, claims).check();
}

}  // namespace clack::testing
