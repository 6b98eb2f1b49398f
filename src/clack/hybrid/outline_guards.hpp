// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/geometry/closed_set.hpp"
#include "clack/geometry/outline_gap.hpp"
#include "clack/hybrid/contact_set.hpp"
#include "clack/integrate/dense_curve.hpp"

namespace clack {

/// A touch of two outlines inside a step.
struct OutlineTouch {
  double t = 0.0;
  ContactKey contact;    // the lowest of those that touch
  bool gave_up = false;  // the search did: nothing is known behind t
};

/// Pairs of outlines as guards, one per pair: when do they touch next? Searched on the curve of the coordinates that the
/// last step of the integrator left, with bounds of that curve, so that nothing tunnels (geometry/first_touch.hpp).
class OutlineGuards {
 public:
  explicit OutlineGuards(Mechanism& mechanism) : mechanism_(mechanism) {}

  bool empty() const { return mechanism_.outlines().empty(); }
  /// Contacts that a mode holds closed, those that lie between two of them on one line, and those on the next edges over
  /// convex corners: not searched.
  ContactSet quiet_contacts(const ContactSet& closed, double t, const double* q, const double* v);
  /// The first touch in the last step before `until`. `slow`: per pair, slower approaches are none, m/s.
  std::optional<OutlineTouch> first(Integrator& integrator, double until, const ContactSet& quiet,
                                    std::span<const double> slow);

 private:
  /// Poses, speeds and bounds, all of the curve of the coordinates itself.
  PairTrajectory trajectory_of(const OutlineSource& source);
  /// Pairs that can be near somewhere in the last step.
  const std::vector<int>& near_in_step();
  /// The curve at t, of the coordinates that a body needs; of all where it is moved by formulas.
  PlanarMotion motion_of(BodyIndex body, double t);
  /// The rate of a coordinate along its curve. In short steps the difference of places says little: where the rate that
  /// the speeds tell agrees to rounding, that one.
  double rate_of(int coordinate, double by_speeds, double t) const;
  void take_ranges(BodyIndex body, double from, double to);

  Mechanism& mechanism_;
  DenseCurve curve_;  // of coordinates and speeds
  TreeWorkspace work_;
  std::vector<double> q_, rates_, v_, told_;  // told_: the rates that the speeds tell
  MotionRanges ranges_;
};

/// The closed contacts of a pair of outlines at a state (polygon-contact 2.4).
struct OutlineClosing {
  ContactSet contacts;
  bool has_vertex_on_vertex = false;
};
OutlineClosing closed_outline_contacts(Mechanism& mechanism, const OutlineSource& source,
                                       const ClosedTolerances& tolerances, double t,
                                       const double* q, const double* v);

/// How far beyond the end of an edge a foot is on it, m.
double outline_slab(const OutlinePair& pair);

/// Where a contact is on its edge, and the corner at the nearer end.
struct OutlineEnd {
  double place = 0.0, turn = 0.0;  // m, rad
};
OutlineEnd outline_end(Mechanism& mechanism, const OutlineSource& source, const ContactKey& contact,
                       double t, const double* q, const double* v);

/// Signed gap of two outlines at a state, with the features that realise it.
PairGap outline_start_gap(Mechanism& mechanism, const OutlineSource& source, double t,
                          const double* q, const double* v);
/// The gap alone, m; not a number where they cross without a vertex inside.
double outline_gap(Mechanism& mechanism, const OutlineSource& source, double t, const double* q,
                   const double* v);

}  // namespace clack
