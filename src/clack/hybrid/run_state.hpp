// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "clack/hybrid/accumulation.hpp"
#include "clack/hybrid/guards.hpp"
#include "clack/hybrid/scales.hpp"
#include "clack/hybrid/surroundings.hpp"

namespace clack {

/// A run ends here for a reason that the trace explains.
struct Stop {
  std::string reason, remedy;
};

/// Where a run is: what the nodes of an instant read.
struct Instant {
  double t = 0.0;         // s
  std::vector<double> y;  // q, v and the two works (ModeDynamics)
  Mode mode;
  SurroundingsState surroundings;
  Scales scales;
  int visits = 0;  // of the nodes at this instant, after the first
};

/// A state of the motion that has just ended, a little beyond its end.
struct StateAhead {
  double t = 0.0;
  std::vector<double> y;
};

/// What ended a mode, and how the mode was at its end.
struct Cause {
  std::vector<Guard> fired = {};
  bool is_start = false, is_time = false;
  const OutsideChange* outside = nullptr;  // somebody outside changes something at this instant
  /// Space, a slip guard: direction of the slip at the start of the step.
  std::array<double, 2> slip_before = {};
  /// Contacts of the mode with their forces at its end, N. One that goes on under another key is listed with that.
  ContactSet closed = {};
  Eigen::VectorXd normal_force = {}, friction_force = {};
  std::vector<double> watched_forces = {};  // Model::watched_forces; empty: all are zero
  /// A force guard: where the old motion would go (HybridTolerances::look_ahead_first).
  std::vector<StateAhead> ahead = {};

  bool is_force_guard_fired() const;
  /// Normal force at the end of the mode; zero for a contact that was open.
  double normal_force_of(ContactKey contact) const;
  bool has_fired(GuardKind kind, ContactKey contact) const;
};

/// Everything that the future of a run depends on between two steps of it, but for the memories of
/// integrator and guards inside a mode (SavedRun). A plain value.
struct RunState : Instant {
  ContactSet released;   // touch at the begin of the mode and are open
  ContactSet at_border;  // came to the end of their feature, which ended the last mode
  Accumulation accumulation{Tolerances{}};
  double last_event_time = 0.0;  // s
  int creeping = 0;              // events in a row that followed each other too closely to lead on
  ContactSet restless;           // contacts of the guards that ended modes meanwhile
  double last_step = 0.0;        // s, of the integrator; bounds the first one of the next mode
  double mode_end = 0.0;         // s, where the mode ends if no guard ends it
  long events = 0;               // recorded so far
  bool has_chosen_speeds = false;  // those of the model (run: independent) were taken
  bool is_over = false;
  std::optional<Stop> stop;  // why it is over; nothing: its end or a model event
};

}  // namespace clack
