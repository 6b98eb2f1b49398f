// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Every threshold of the friction problems, with its unit and reason. Without a unit they are
/// relative to the problem's own scale, so that units and masses do not matter:
///   motion scale  a = FrictionProblem::scale (m/s or m/s2),
///   force scale of row k = a / W_kk  (what stops a motion of size a at that row alone).
struct FrictionTolerances {
  // What counts as zero, as an answer, as another answer.
  double motion = 1e-10;    // motions below this are zero: ten digits above rounding
  double force = 1e-10;     // forces (relative to their row's scale) below this are zero
  double residual = 1e-9;   // an answer is believed up to this unit-free residual
  double enough = 1e-10;    // below this residual no further method is tried
  double target = 1e-13;    // what methods strive for in runs: rounding of a few contacts
  double distinct = 1e-7;   // two answers are different when their motions differ by more than this
  double near_miss = 1e-9;  // a state that misses by less than this is not refuted: no proof
  double rank = 1e-10;      // singular values (relative to the largest, rows scaled) below are zero
  double rest_miss = 10.0;  // equations of a state hold to this many `motion`
  double floor_factor = 4.0;  // a residual below this many rounding floors carries no information
  double stop_factor = 2.0;   // sweeps and Newton steps end at this many rounding floors

  // Sizes up to which contact states are enumerated (contacts).
  int planar_contacts = 8;    // at most 4^8 small linear systems
  int spatial_contacts = 4;   // 3^4 states, slip directions searched
  int fallback_contacts = 6;  // plane, when it only stands in for a method that failed
  int counted_contacts = 5;   // plane, when only the number of solutions is asked for
  int unique_contacts = 3;    // planar islands of files up to this size are always enumerated

  // Directions of slip in space.
  double on_circle = 1e-4;   // |z| - 1 of a root that is a direction: double roots split by 1e-8
  double cross_slip = 1e-9;  // motion across the slip direction that is zero
  double angle_step = 0.5;   // rad: longest Newton step on directions
  double angle_end = 1e-15;  // rad: shortest
  int angle_steps = 25;      // Newton steps from one start
  int starts[4] = {24, 12, 6, 5};  // per angle of the grid, for one to four unknown directions
  double first_angle = 0.3;        // rad: an angle without meaning, so that no value is special
  double difference = 1e-7;        // rad, of the numerical derivative: root of rounding

  // Sweeps.
  int patience = 400;         // sweeps without improvement before the next relaxation factor
  double improvement = 0.98;  // fall of the residual that counts as one
  long long_sweeps = 10000;   // budget of the method `sorprox`
  int quick_sweeps =
      10000;  // the same when second-order steps follow, which cost hundreds of sweeps each
  int second_order = 2000;  // Newton steps (factorisations); jammed heaps in runs need more:
  int second_order_run = 3000;
  int extragradient = 300;     // first-order steps before the first factorisation
  int rest_steps = 300;        // Newton steps for the question whether rest is possible
  double rest_accuracy = 0.1;  // of that question, relative to the tolerance asked for
  double moving_ratio = 0.05;  // it is answered with no when residual <= this times |u|/|q|
  int polish_steps = 3;        // Newton steps on the equations of clear states
  double guesses[4] = {
      1e-9, 1e-7, 1e-5,
      1e-3};  // motions that may be zero near an answer that is not converged (plane)

  double indefinite = 1e-6;  // eigenvalue below minus this part of the largest: W is indefinite
  int power_steps = 30;      // of the iteration for the largest eigenvalue
};

inline constexpr FrictionTolerances friction_tolerances{};

/// Constants of the proximal Newton method (friction_newton.hpp), on problems scaled to w_i = 1 and
/// |q| = 1; settled on the shipped files (docs/solvers-friction.md).
struct SecondOrderTolerances {
  double rho = 100.0;         // of the Alart-Curnier map; 1 is tried after a failure
  double fall = 3.0;          // the regularisation is divided by this after a success
  double growth = 4.0;        // and multiplied by this after a failure
  double largest = 1e3;       // up to this
  int failures = 400;         // proximal steps that may fail
  int newton_steps = 30;      // of one proximal step
  int halvings = 5;           // of the line search
  int memory = 10;            // |F| may rise to the largest of so many last values
  double slope = 1e-4;        // least relative fall of |F| for a full step
  double accuracy = 1e-3;     // of a proximal step, relative to its length and regularisation
  double halved = 0.5;        // a step that brings |F| down to this is good enough as a centre
  double rounding = 1e-15;    // |F| and steps below this are zero
  double small = 100.0;       // |F| below so many `rounding` is a success
  double floor_look = 1e-9;   // residual below which the rounding floor is looked at
  double rest_polish = 1e-3;  // the rest question goes on to this part of its tolerance: |u| counts
  int polish_steps = 8;       // for so many steps
  // Extragradient steps.
  double lipschitz = 0.9;    // a step is accepted when it changes the slope by less than this
  double step_fall = 0.7;    // else it is shortened by this
  int step_tries = 40;       // so many times
  double step_growth = 1.2;  // longer again
  int grow_every = 5;        // every so many steps
  int look_every = 20;       // steps between two looks at the residual
};

inline constexpr SecondOrderTolerances second_order_tolerances{};

}  // namespace clack
