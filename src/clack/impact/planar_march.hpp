// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "clack/impact/planar_direction.hpp"

namespace clack {

/// The question of one event. Rows of G, motions and impulses are ordered as in Delassus.
struct PlanarEvent {
  std::span<const int> members;  // ascending; the first is the reference point
  const ClosureRows* closure = nullptr;
  double restitution = 0.0;      // e_* in [-1, 1]
  double reference_speed = 0.0;  // m/s: v_ref
};

/// A stretch of the march on which the slip states do not change: everything is a polynomial of the
/// impulse y of the reference point since its start.
///
///   impulses: x y,   motion: v + (G x) y,   work of the normal impulses: W + B y + A y^2
struct MarchSegment {
  double length = 0.0;                          // y at its end
  double work = 0.0, slope = 0.0, curve = 0.0;  // W, B, A
  double tangential_work = 0.0;                 // over the whole segment
  Eigen::VectorXd direction;                    // 2c: x
  Eigen::VectorXd change;                       // 2c: G x
  Eigen::VectorXd motion;                       // 2c: v at its start
  std::vector<SlipState> states;                // per member
};

/// How an event ended.
///   done            the terminal condition is met
///   tension         closure asks the `pulled` members to pull
///   no_state        no slip state is admissible, or the equations contradict each other
///   no_compression  the normal impulses would not lose work from the start
///   no_end          compression does not end: the work falls for ever
enum class MarchEnd { done, tension, no_state, no_compression, no_end };

struct [[nodiscard]] EventMarch {
  MarchEnd end = MarchEnd::done;
  double normal_work = 0.0, compression_work = 0.0;  // J: W_f, W_c
  double tangential_work = 0.0;                      // J
  double terminal_impulse = 0.0;                     // N s: p_f
  int states_counted = 1;  // most admissible slip states at one transition
  bool is_count_complete = true;
  bool is_locked = false;  // it ended because the impulses balance each other: nothing moves on
  double pull = 0.0;       // the lowest direction of a member that is pulled
};

/// Memory of marches; used again without allocation once it has grown.
struct MarchWorkspace {
  std::vector<MarchSegment> segments;  // of the last march, `segment_count` of them
  int segment_count = 0;
  std::vector<int> pulled;  // members (numbers among them) that closure asks to pull
  Eigen::VectorXd motion;   // 2c: at the end of the march
  // Inside.
  DirectionQuestion question;
  std::vector<int> resting;           // members that do not slip
  std::vector<SlipState> chosen;      // per resting member, the best so far
  Eigen::VectorXd direction, change;  // of the state that is tried
  Eigen::VectorXd chosen_direction, chosen_change;
  Eigen::VectorXd state_change;  // n: D^T x
};

/// One event of an impact with friction in the plane (P4, chapters 4 and 5, corrected;
/// docs/theories/energetic.md 2.3 to 2.5): all impulses are multiples of the normal impulse p of
/// the reference point, dP = x dp, with x from
///
///   x_nr = 1,  closure rows . x = 0,  sliding: x_t = -s mu_d x_n,  sticking: (G x)_t = 0,
///
/// velocities are piecewise linear in p and the normal work W piecewise quadratic. A segment ends
/// where a slip vanishes; then all points at rest choose anew among {stick, +, -}: x_n >= 0,
/// sticking inside the static cone, slip in the direction in which it starts; most sticking points
/// win, then the smallest change of motion |D^T x|. Compression ends at the lowest W so far, W_c, and the event at
///
///   e >= 0:  the first p with dW/dp >= 0 and W = (1 - e^2) W_c,
///   e < 0:   the first p at all with W = (1 - e^2) W_c (cut short during compression).
///
/// Impulses that balance each other (G x = 0, a body at rest between points that stick) move
/// nothing any more: there the event ends, locked, without giving work back.
/// Rank-deficient directions take the normal ratios nearest to those of the segment before.
EventMarch march_event(const Delassus& delassus, const std::vector<ContactMaterial>& materials,
                       const PlanarEvent& event, const Eigen::VectorXd& motion,
                       MarchWorkspace& work);

}  // namespace clack
