// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <optional>
#include <vector>

#include "clack/hybrid/contact_set.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// Accumulating impacts (Zeno), recognised by contraction.
///
/// Impacts whose contacts repeat in a pattern of p (1: a bouncing ball, 2: a rocking pair, ...)
/// have durations D_k = t_k - t_(k-p). When the last durations shrink by nearly the same ratio r <
/// 1 and the approach speed is small against the speed scale, the rest of the geometric series is
/// summed:
///
///   t_infinity = t_k + D_k r / (1 - r)                    (bouncing ball: r = e)
///
/// Many contacts can also chatter for ever: each small impact kicks a neighbour, and what gravity
/// feeds in, restitution takes out. When `chatter` impacts in a row are that small and nothing
/// contracts, the contacts of the last ones are closed where they are (ratio 1).
///
/// A plain value: a copy remembers the same impacts.
class Accumulation {
 public:
  explicit Accumulation(const Tolerances& tolerances) : tolerances_(tolerances) {}

  struct Completion {
    double time = 0.0;    // t_infinity, s
    double ratio = 0.0;   // r; 1: chatter
    ContactSet contacts;  // that are closed there
  };

  /// One impact instant; `speed` is the largest approach speed in it.
  void add(double t, const ContactSet& contacts, double speed);
  /// The impacts of a completed accumulation become one entry, so that accumulations that
  /// accumulate themselves (a corner that bounces to rest between the knocks of a rocking block)
  /// are recognised as well.
  void collapse(const Completion& completion);
  std::optional<Completion> completed(double speed_scale) const;

 private:
  struct Impact {
    double t = 0.0;
    ContactSet contacts;
    double speed = 0.0;
    bool is_completion = false;
  };
  std::optional<double> contraction(int pattern) const;
  bool is_chatter(double speed_limit) const;
  ContactSet contacts_of_last(int impacts) const;

  Tolerances tolerances_;
  std::deque<Impact> impacts_;
};

}  // namespace clack
