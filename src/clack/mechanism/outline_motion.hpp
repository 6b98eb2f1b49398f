// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/geometry/first_touch.hpp"
#include "clack/mechanism/body_kinematics.hpp"
#include "clack/mechanism/touch.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/symbolic/interval_program.hpp"

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

/// What moves over a stretch of time: ranges of t, of coordinates and of their first two derivatives.
struct MotionRanges {
  symbolic::Interval t;
  std::vector<symbolic::Interval> q, v, a;
};

/// Bounds of the motion of two bodies, free ones from the ranges of their coordinates, placed and prescribed ones by
/// interval evaluation of their formulas.
class OutlineMotionBounds {
 public:
  OutlineMotionBounds(const Model& model, const MotionSymbols& motion);
  PairBounds of(BodyIndex first_body, BodyIndex second_body, const MotionRanges& ranges) const;

 private:
  struct BodyRange {
    symbolic::Interval velocity[2], acceleration[2], spin, spin_rate;
  };
  /// Outputs of a body moved by formulas: velocity and spin, their rates at dv/dt = 0, then per speed its column.
  struct Formulas {
    BodyIndex body;
    std::vector<int> speeds;
    symbolic::IntervalProgram program;
    std::size_t inputs = 0, outputs = 0;
  };
  BodyRange range_of(BodyIndex body, const MotionRanges& ranges) const;

  Indexed<int, BodyIndex> first_speed_;  // of free bodies, else -1
  std::vector<Formulas> formulas_;
};

}  // namespace clack
