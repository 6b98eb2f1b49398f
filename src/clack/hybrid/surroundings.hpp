// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clack/contact/problem.hpp"
#include "clack/hybrid/contact_set.hpp"
#include "clack/hybrid/guards.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// What events of the model have made of its surroundings.
struct SurroundingsState {
  std::vector<int> fired;         // watched formulas that ended the last mode, ascending
  std::vector<bool> switched_on;  // constraints, by events; a formula for their activity hides this
  Indexed<int, SourceIndex> zone;  // in force, -1: none
  std::vector<Signal> signals;     // of the inputs
  std::vector<double> side;  // per switch of the formulas: sign of its condition (0: it stays zero)
  friend bool operator==(const SurroundingsState&, const SurroundingsState&) = default;
};

inline FormulaSides formula_sides(const SurroundingsState& state) {
  return {state.fired, state.side};
}

/// What somebody outside changes at an instant of the run.
struct OutsideChange {
  struct NewSignal {
    int input = 0;
    Signal signal;  // from this instant on; `since` is set where it acts
  };
  struct ConstraintSwitch {
    int constraint = 0;
    bool is_on = false;
  };
  std::vector<NewSignal> signals = {};
  std::vector<ConstraintSwitch> switches = {};
  std::vector<std::string> arrivals = {};  // what exists from here on: "contact floor"
  bool is_stop = false;
};

/// A model event, a constraint that comes or goes, or the border of a zone.
struct SwitchEvent {
  EventKind kind = EventKind::time;
  std::string label;
};

/// What the surroundings do at an instant.
struct SwitchResult {
  SurroundingsState state;
  std::vector<bool> constraints;  // active ones
  std::vector<SwitchEvent> events;
  bool is_constraint_on = false;  // one was switched on: speeds may jump
  bool is_formula_switched =
      false;  // a formula of the motion changed its branch: gaps, rates and slips may jump
  bool is_signal_changed = false;  // an input did: the same
  bool is_stop = false;            // a model event ends the run
};

/// Zones, switches and materials of a model, and the one order of its watched formulas:
///
///   model events | zones, contact by contact | activity of the constraints that have a formula | switches
///
/// (the order of Mechanism::formula_motion). A formula that has just ended a mode is at zero, so its
/// rate tells its side, else its value; so it is for one that is exactly zero.
///
/// Switches of the formulas (if, sign, abs, min, max) are held on one side inside a mode, so that the motion is smooth there.
/// `start` and `switch_at` leave the mechanism with the sides that hold from then on.
class Surroundings {
 public:
  Surroundings(const Model& model, Mechanism& mechanism);

  /// No formula is watched and no constraint comes or goes: nothing ever changes.
  bool is_constant() const { return count_ == 0 && activity_formula_.empty(); }
  int formulas() const { return count_; }
  /// The switch that a watched formula belongs to.
  std::optional<int> switch_of(int formula) const;
  /// Makes the mechanism read the branches of a state.
  void hold(const SurroundingsState& state) const;
  const ModelEvent* event_of(int formula) const;  // null: it belongs to a zone or a constraint
  int zone_formula(SourceIndex source, int zone) const { return zone_formula_[source] + zone; }
  std::optional<int> activity_formula(int constraint) const {
    return activity_formula_[constraint];
  }

  /// Before anything happened, with the zones that hold at (t, q, v).
  SurroundingsState start(double t, const double* q, const double* v) const;
  std::vector<bool> constraints_at_start() const;
  /// The sides of the switches at an instant; `fired` as they were guarded.
  void choose_sides(SurroundingsState& state, std::span<const Guard> fired, double t,
                    const double* q, const double* v) const;

  /// The instant (t, q, v) that the guards `fired` ended; `is_known_time`: constraints that become
  /// known at t do so now. `mode` is the one that ended, `forces` those of Model::watched_forces at its end.
  SwitchResult switch_at(const SurroundingsState& before, const Mode& mode,
                         std::span<const Guard> fired, bool is_known_time, double t,
                         const double* q, const double* v, std::span<const double> forces = {},
                         const OutsideChange* outside = nullptr) const;
  /// The next time after t at which a constraint becomes known, or the end of the run.
  double next_known_time(double t) const;

  /// Coefficients in force: those of the first zone that holds, else the contact's own.
  ContactMaterial material(const SurroundingsState& state, ContactKey contact) const;
  std::vector<ContactMaterial> materials(const SurroundingsState& state,
                                         std::span<const ContactKey> contacts) const;

 private:
  std::vector<FormulaValue> values(double t, const double* q, const double* v,
                                   std::span<const double> forces) const;
  Indexed<int, SourceIndex> zones_of(const std::vector<FormulaValue>& values,
                                     const std::vector<int>& fired) const;
  void carry_out(const ModelEvent& event, SwitchResult& result) const;
  void change_from_outside(const OutsideChange& outside, double t, const double* q, const double* v,
                           SwitchResult& result) const;
  bool is_active(int constraint, const SurroundingsState& state,
                 const std::vector<FormulaValue>& values, double t) const;

  const Model& model_;
  Mechanism& mechanism_;
  int count_ = 0, first_switch_ = 0;
  Indexed<int, SourceIndex> zone_formula_;            // of its first zone
  std::vector<std::optional<int>> activity_formula_;  // per constraint
};

}  // namespace clack
