// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/geometry/first_touch.hpp"
#include "clack/mechanism/body_kinematics.hpp"
#include "clack/mechanism/touch.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/symbolic/interval_program.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

/// A source whose two bodies are outlines.
struct OutlineSource {
  SourceIndex source;
  BodyIndex first_body, second_body;
  const Outline *first = nullptr, *second = nullptr;

  OutlinePair pair() const { return {*first, *second}; }
};
std::vector<OutlineSource> outline_sources(const Model& model);

PlanarMotion planar_motion(const BodyMotion& body);

/// How far a closed contact is from the ends of its edge (0) and its normal from the ends of the cone of its round (1),
/// with the rate of that. Ends at reflex corners are no border: the next edge blocks the way there.
///
///   both ends: s (L - s)/L      one: s, or L - s      none: constant
constexpr int outline_borders = 2;
BorderMotion outline_border(const OutlinePair& pair, const Candidate& candidate, int border,
                            const PlanarMotion& first, const PlanarMotion& second);

/// What moves over a stretch of time: ranges of t, of coordinates and of the first two derivatives of their curves.
struct MotionRanges {
  symbolic::Interval t;
  std::vector<symbolic::Interval> q, rate, acceleration;
};

/// Bounds of the motion of two bodies over a stretch of time, along given curves of the coordinates (whatever the speeds
/// of the model are): free bodies from the ranges of their own coordinates, placed and prescribed ones by interval
/// evaluation of the derivatives of their pose x(t, q),
///
///   x'  = x_t + sum_i x_i q_i'
///   x'' = x_tt + sum_i (2 x_ti q_i' + x_i q_i'') + sum_ij x_ij q_i' q_j'
class OutlineMotionBounds {
 public:
  OutlineMotionBounds(const Model& model, const MotionSymbols& motion);
  /// The numbers of the model's inputs from now on.
  void set_signals(const std::vector<double>& numbers) { signals_ = numbers; }
  PairBounds of(BodyIndex first_body, BodyIndex second_body, const MotionRanges& ranges) const;
  /// |v| of the origin of a body, at most.
  double speed_of(BodyIndex body, const MotionRanges& ranges) const;
  /// Whether the ranges of all coordinates are needed, not only those of the body itself.
  bool is_by_formulas(BodyIndex body) const { return formulas_of(body) != nullptr; }
  /// The velocity of a body that is moved by formulas, along a curve of the coordinates. `inputs`: as of MotionSymbols.
  void set_velocity(BodyIndex body, const double* inputs, const double* rates,
                    PlanarMotion& motion) const;

 private:
  struct BodyRange {
    symbolic::Interval velocity[2], acceleration[2], spin, spin_rate;
  };
  /// A body moved by formulas. Outputs, three (x, y, angle) each: x_t, x_i; then x_tt, x_ti, x_ij for j <= i.
  struct Formulas {
    BodyIndex body;
    std::vector<int> coordinates;  // on which the pose depends
    symbolic::IntervalProgram program;
    symbolic::Program first;  // x_t and x_i in numbers
    std::size_t inputs = 0, outputs = 0;
  };
  const Formulas* formulas_of(BodyIndex body) const;
  BodyRange range_of(BodyIndex body, const MotionRanges& ranges) const;

  Indexed<int, BodyIndex> first_coordinate_;  // of free bodies, else -1
  std::vector<Formulas> formulas_;
  std::size_t speeds_ = 0;  // of the model
  std::vector<double> signals_;
};

}  // namespace clack
