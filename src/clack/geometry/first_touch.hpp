// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>

#include "clack/geometry/closed_set.hpp"

namespace clack {

/// How fast two bodies move over a stretch of time, at most: their origins relative to each other, and their turning.
struct PairBounds {
  double speed = 0.0, acceleration = 0.0;  // |v1 - v2|, |a1 - a2|
  double first_spin = 0.0, second_spin = 0.0, first_spin_rate = 0.0, second_spin_rate = 0.0;
};

/// The motion of two bodies, and bounds of it that hold.
struct PairTrajectory {
  std::function<void(double t, PlanarMotion& first, PlanarMotion& second)> at;
  std::function<PairBounds(double from, double to)> bounds;
};

/// What is left to the search: from when on two outlines touch is decided with these.
struct TouchSearch {
  ClosedTolerances tolerances;
  double thinnest_skin = 0.0;              // m
  std::span<const Candidate> closed = {};  // ascending; contacts that are not looked for
};

/// The tolerances of two outlines by themselves; `speed`: the largest in the motion.
TouchSearch touch_search(const OutlinePair& pair, double speed);

enum class TouchOutcome { touches, misses, gave_up };

/// The first touch of two outlines on [from, to], without tunnelling (polygon-contact 2.7):
///
///   V   >= |v1 - v2| + |w1| R1 + |w2| R2                                     no two points approach faster
///   Acc >= |a1 - a2| + (|al1| + w1^2) R1 + (|al2| + w2^2) rho + 2 |w2| (V + |w2| rho)    |g''| of a candidate
///
/// Candidates farther apart than `skin` cannot touch before skin/V. Those within it are followed one by one: from g > 0
/// contact cannot come before
///
///   tau = (g' + sqrt(g'^2 + 2 Acc g))/Acc
///
/// Arcs (polygon-contact 2.11): g is the distance d of two centres, up to a sign and a constant, and Acc follows from
///
///   -|a1 - a2| <= d'' <= |a1 - a2| + |v1 - v2|^2/d         a, v: of the centres, fixed to their bodies
///
/// so steps of tau never jump over a root, however short the contact would be. At a root V1 to V4 decide; behind one
/// that is none the search goes on. The earliest over all candidates is the touch.
struct FirstTouch {
  TouchOutcome outcome = TouchOutcome::misses;
  double t = 0.0;
  std::vector<Candidate> candidates;  // that touch then, ascending
  int evaluations = 0;
};
FirstTouch first_touch(const OutlinePair& pair, const PairTrajectory& trajectory, double from,
                       double to, const TouchSearch& search, TreeWorkspace& work);

/// Bodies with constant acceleration and constant angular velocity.
struct FreeFlight {
  Eigen::Vector2d position = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero(),
                  acceleration = Eigen::Vector2d::Zero();
  double angle = 0.0, spin = 0.0;
};
PairTrajectory free_flights(const FreeFlight& first, const FreeFlight& second);

}  // namespace clack
