// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/hybrid/steered_run.hpp"

namespace clack {

/// Fixed ticks: each advances a run by exactly 1/rate, all events inside it included, and measures how long that took. Whoever
/// drives the loop waits for the clock in between. Once the mode of a tick is built it locks nothing, touches no file and
/// allocates nothing, also where drift of joints or closed contacts is projected out: rows of the trace and times go to memory
/// that is reserved here.
class TickLoop {
 public:
  /// `rate` in Hz, ticks from the time of the run to `until`.
  TickLoop(SteeredRun& run, double rate, double until);

  /// The time of the tick that comes next, s: tick k is at k/rate, without sums that would drift.
  double next_time() const;
  bool is_over() const { return run_.is_over() || ticks_ >= last_; }
  /// Advances to `next_time()`.
  void tick();
  /// The clock came so much too late to a tick, s.
  void note_lateness(double seconds);

  /// What a document says of it.
  TraceRealtime summary() const;

 private:
  SteeredRun& run_;
  double rate_;
  long ticks_ = 0, last_ = 0, overruns_ = 0;
  double late_max_ = 0.0;
  std::vector<double> seconds_;  // of the work of each tick
};

}  // namespace clack
