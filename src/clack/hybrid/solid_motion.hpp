// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/integrate/dense_curve.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/symbolic/interval_program.hpp"

namespace clack {

/// How a body in space moves over a stretch of time, on the curve of its coordinates: a point r of it is at x + R r.
struct SolidRange {
  symbolic::Interval velocity[3], acceleration[3];  // x', x''
  double turning = 0.0, bending = 0.0;              // |R' r| <= turning |r|, |R'' r| <= bending |r|
};

/// The same at an instant: what the curve says of a body.
struct SolidRate {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(), spin = Eigen::Vector3d::Zero();
  double velocity_rounding = 0.0, spin_rounding = 0.0;  // not known better
};

/// Enclosures of the motion of polyhedra along a curve of the coordinates, whatever the speeds of the model are.
///
///   free       x in Bernstein form; of the quaternion p, which R takes at unit length, with m <= |p|:
///              |w| <= 2 |p'|/m,   |w'| <= 2 |p''|/m + 4 |p'|^2/m^2,   turning |w|,   bending |w'| + |w|^2
///   by formulas  x' and R', x'' and R'' by interval evaluation of their derivatives along (t, q_i), as in the plane
///              (mechanism/outline_motion.hpp);   turning |R'|_F / sqrt 2,   bending |R''|_F
class SolidMotion {
 public:
  explicit SolidMotion(Mechanism& mechanism);

  void take(Integrator& integrator) { curve_.take(integrator, mechanism_.coordinates()); }
  SolidRange over(BodyIndex body, double from, double to) const;
  SolidRate at(BodyIndex body, double t) const;

 private:
  static constexpr std::size_t numbers = 12;  // of a pose: x, then R row by row
  /// A body moved by formulas. Outputs, twelve each: R and x by t and by each coordinate; then by pairs of these.
  struct Formulas {
    BodyIndex body;
    std::vector<int> coordinates;  // on which the pose depends
    std::vector<int>
        held;  // of each further input: its place among the numbers of the inputs, -1: a branch
    symbolic::IntervalProgram pose, program;
    std::size_t outputs = 0;
  };
  /// x', R' and x'', R'' of a body moved by formulas.
  struct PoseRates {
    std::array<symbolic::Interval, numbers> first, second;
  };
  const Formulas* formulas_of(BodyIndex body) const;
  void add_formulas(BodyIndex body);
  std::vector<symbolic::Interval> inputs_of(const Formulas& formulas, double from, double to) const;
  PoseRates rates_of(const Formulas& formulas, double from, double to) const;
  SolidRange free_range(const Body& body, double from, double to) const;

  Mechanism& mechanism_;
  DenseCurve curve_;
  std::vector<Formulas> formulas_;
};

}  // namespace clack
