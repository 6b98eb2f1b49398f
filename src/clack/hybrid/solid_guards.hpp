// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/solid_motion.hpp"

namespace clack {

/// A touch of two polyhedra inside a step.
struct SolidTouch {
  double t = 0.0;
  ContactKey contact;
  bool gave_up = false;  // the search did: nothing is known behind t
};

/// When do two polyhedra that are apart touch? Searched on the curve of the coordinates that the last step of the
/// integrator left, so that nothing tunnels (docs/executor.md). Of convex bodies A, B with a unit vector n that turns
/// with a constant spin w from t on, d = p - x_B of their corners p and u the rates of d on the curve:
///
///   s(tau) >= min_A n.(d + tau (u - w x d)) - max_B n.(d + tau (u - w x d)) - Acc tau^2/2
///   Acc    >= |x_A'' - x_B''| + |R_A''| r_A + |R_B''| r_B + 2 |w| (|x_A' - x_B'| + |R_A'| r_A + |R_B'| r_B)
///             + |w|^2 (|x_A - x_B| + r_A + r_B);      w = 0: -n.(x_A'' - x_B'') + |R_A''| r_A + |R_B''| r_B
///
/// bounds the separation along n. While it is positive they cannot touch: t goes on to where it vanishes, n is taken
/// anew. Any w is right; those with which n stands still, turns with A, with B, or stays across two edges are tried.
class SolidGuards {
 public:
  explicit SolidGuards(Mechanism& mechanism) : mechanism_(mechanism), motion_(mechanism) {}

  bool empty() const { return mechanism_.solids().empty(); }
  void take(Integrator& integrator);
  /// The first touch of a pair that begins apart, in the last step before `until`. `slow`: slower approaches are none, m/s.
  std::optional<SolidTouch> first(const SolidSource& solids, double until, double slow);

 private:
  struct Look;
  struct Bounds;
  const BodyMotions& place(double t);
  Look look(const SolidSource& solids, double t);
  Bounds bounds(const SolidSource& solids, double from, double to) const;
  /// How long the separation stays above minus `depth`, at least.
  double safe_time(const SolidSource& solids, const Look& at, const Bounds& bounds, double depth,
                   double longest) const;
  std::optional<SolidTouch> sunk(const SolidSource& solids, double before, double after,
                                 double level);

  Mechanism& mechanism_;
  SolidMotion motion_;
  Integrator* integrator_ = nullptr;
  std::vector<double> state_;
  std::vector<double> heights_,
      rates_;  // per corner of both, along the normal; rates per spin of the normal
  SolidWorkspace work_;
};

}  // namespace clack
