// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ctime>

#include "clack/complementarity/sorprox.hpp"
#include "clack/complementarity/sphere_pile.hpp"
#include "clack/index.hpp"

/// Spheres fall onto the plane and settle into a pile: a time-stepping program written out by hand,
/// all contacts of a step in one problem for SORPROX. Deterministic; no dense matrix.
namespace clack::bench {

inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The impulses of the step before, where the same two bodies touched (both lists are ordered).
inline Eigen::VectorXd warm_start(const std::vector<Touch>& before, const std::vector<Touch>& now) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(3 * number_of(now));
  auto old = before.begin();
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto is_earlier = [&](const Touch& c) {
      return c.b < now[i].b || (c.b == now[i].b && c.a < now[i].a);
    };
    while (old != before.end() && is_earlier(*old)) ++old;
    if (old != before.end() && old->a == now[i].a && old->b == now[i].b)
      out.segment<3>(3 * i) = now[i].frame * old->impulse;
  }
  return out;
}

struct SettlingOptions {
  double step = 2e-3;     // s
  double gravity = 9.81;  // m/s2
  double rest = 1e-5;     // settled: this part of the largest kinetic energy is left
  int step_limit = 1200;
  int sweep_limit = 100;          // per step
  double sweep_tolerance = 1e-5;  // largest w_i |change of r_i| of a sweep, in gravity * step
};

struct Settling {
  std::vector<Touch> touches;  // of the last step, and its problem and answer
  FrictionProblem problem;
  Eigen::VectorXd reaction;
  int steps = 0;
  long contact_sweeps = 0;                    // contacts times sweeps, summed over the steps
  double sweep_seconds = 0.0, seconds = 0.0;  // processor time: sweeps only, everything
  double largest_energy = 0.0, energy = 0.0;  // kinetic, J
  double penetration = 0.0;                   // largest of all steps, m
};

/// One Moreau step  v+ = v + h g + M^-1 J^T r,  x+ = x + h v+  without restitution.
inline void pile_step(Spheres& s, const SettlingOptions& options, Settling& run) {
  const double h = options.step, fall = options.gravity * h;
  // Farther than a sphere gets in one step, with an allowance for being hit by others.
  const double usual = std::sqrt(2.0 * s.kinetic_energy() / (s.mass * s.count()));
  std::vector<double> reach;
  for (Vector3d& v : s.velocity) {
    v(2) -= fall;
    reach.push_back(std::min(h * (1.25 * v.norm() + usual), s.radius));
  }
  std::vector<Touch> touches = find_touches(s, reach);
  for (const Touch& c : touches) run.penetration = std::max(run.penetration, -c.gap);
  run.problem = pile_problem(s, touches, h);
  SorproxSweeper sweeper(run.problem);
  sweeper.set_reaction(warm_start(run.touches, touches));
  const double begin = processor_seconds();
  double change = touches.empty() ? 0.0 : 1e300;
  for (int k = 0; k < options.sweep_limit && change > options.sweep_tolerance * fall; ++k) {
    change = sweeper.sweep(1.0);
    run.contact_sweeps += run.problem.contacts();
  }
  run.sweep_seconds += processor_seconds() - begin;
  run.reaction = sweeper.reaction_vector();
  apply_impulses(s, touches, run.reaction);
  run.touches = std::move(touches);
  for (int b = 0; b < s.count(); ++b) s.position[b] += h * s.velocity[b];
}

/// What floor and walls carry in the last step, as part of the weight: 1 at rest.
inline double carried_weight(const Spheres& s, const SettlingOptions& options,
                             const Settling& run) {
  double carried = 0.0;
  for (const Touch& c : run.touches)
    if (c.a < 0) carried += c.impulse(2);
  return carried / (options.step * options.gravity * s.mass * s.count());
}

/// Steps until the kinetic energy has fallen to the stated part of its maximum, or to the limit.
inline Settling settle(Spheres& s, const SettlingOptions& options = {}) {
  Settling run;
  const double begin = processor_seconds();
  do {
    pile_step(s, options, run);
    run.energy = s.kinetic_energy();
    run.largest_energy = std::max(run.largest_energy, run.energy);
  } while (++run.steps < options.step_limit && run.energy > options.rest * run.largest_energy);
  run.seconds = processor_seconds() - begin;
  return run;
}

}  // namespace clack::bench
