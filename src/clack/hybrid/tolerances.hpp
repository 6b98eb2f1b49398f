// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace clack {

/// Thresholds of this room that no model file sets (those are Tolerances of model/model.hpp), with
/// unit and reason.
struct HybridTolerances {
  // Of its size before: a formula of forces beyond this has jumped with the mode, below it has just crossed zero.
  double force_jump = 1e-6;
  // A smallest pivot of the rows below this part of the largest where a step fails: the rank falls here.
  double near_singular = 1e-4;
  // The contact node after a force guard: parts of the last step by which it looks ahead, from the
  // first by the factor up to the last. The first is far above the error of the located instant,
  // the last far below what the step's error control resolves; decades between matter little.
  double look_ahead_first = 1e-6, look_ahead_factor = 100.0;
  double look_ahead_last = 1.1e-2;  // 1e-2 and its rounding
  // Hyperstatic forces: further states, where the margin has fallen by these parts of the largest force. The first is a
  // hundred times the error that a decision may have, the last ten times what a row may miss its domain by.
  double far_first = 1e-7, far_factor = 10.0, far_last = 1.1e-5;
  double far_length = 1e-3;  // of the lengths, that contacts may move until there
  // A mode moves as decided: part of the decided acceleration that a contact has at least, and part of the largest force
  // by which its forces may miss their cones.
  double decided_part = 0.5, decided_margin = 1e-7;
  double settling_size =
      10.0;  // times the rates taken away that the change of speeds may be, in units of kinetic energy
  int settling_passes = 4;    // slips that become zero when others are set to zero, and so on
  double turned_slip = 1e-6;  // of a slip, or of what is frozen: a change that turns its friction

  // Impacts chained at one instant where the model gives no cap: chains that converge do so in far
  // fewer; in space one costs ten times as much.
  int plane_chain_cap = 2000, space_chain_cap = 200;

  // Part of mu L_N by which a tangential impact may leave its cone: rounding of the decomposition.
  double tangential_cone = 1e-9;

  // A given state violates rows beyond this part of its lengths and speeds; Newton passes that bring a start onto them.
  double state_violation = 1e-8;
  int state_passes = 40;

  // Projection of drift: Newton passes on positions (quadratic: three reach rounding from any drift
  // that a step leaves), passes on speeds (linear: the second removes rounding of the first).
  int position_passes = 3, velocity_passes = 2;
  double drift_rounding = 4.0;  // machine epsilons of the length scale: no drift left
  double drift_flag = 1e3;      // times Tolerances::drift: the correction is flagged
  double drift_with_history =
      100.0;  // integrator tolerances that drift may reach under a multistep method
  // The start or a constraint switched on, moved onto its constraints (--project): Newton steps from any distance, and
  // machine epsilons of the length scale that are left.
  int placement_passes = 50;
  double placement_rounding = 64.0;
  // Singular values of the drift rows below this part of the largest depend on others: between
  // rounding (1e-16) and rows that are nearly parallel by geometry.
  double drift_rank = 1e-10;

  // Rounding of the margin of hyperstatic forces, times Tolerances::force: it comes from an iteration.
  double margin_rounding = 1e3;
  // Steps are searched for zeros of forces that follow t in pieces: a piece that resolves them grows by this, another one
  // shrinks by it, down to this part of the step (as many periods as a force may have in a step).
  double piece_growth = 2.0, least_piece = 1e-6;
  // Part of the margin of the widest forces that a bound by them keeps; below, the program is asked again.
  double margin_kept = 0.5;

  // Space: the direction of slips below this many absolute tolerances of the integrator (m/s) is frozen.
  double frozen_slip = 10.0;

  // Turn of a body, in radians, within which gaps are searched at once: the gap of a point that turns by an eighth has
  // at most one extremum there.
  double searched_turn = 0.78539816339744831;

  // Two polyhedra that are apart. Of their size: nearer than this they touch, if they approach; a gap that rests is looked
  // at again before it can have sunk by the second.
  double solid_closed = 1e-12, solid_resting = 1e-9;
  // Looks at one step of the integrator, then the search gives up and says so (bodies that tumble need a few per step).
  int solid_steps = 200'000;
  // Halvings of a stretch without a bound, or towards a safe time; part of it to which that is known.
  int solid_halvings = 60;
  double solid_part = 1e-2;
  // Square of the sine of the angle between two edges that count as parallel.
  double solid_parallel = 1e-12;

  // Roundings of t by which a row may lie in front of the border that ended its mode.
  double looks_back = 64.0;

  // A guard that starts at zero: halvings of the step towards its start until it is positive (2^-60
  // of a step is below rounding of t), then further ones while it stays so.
  int unarmed_halvings = 60, unarmed_extra_halvings = 3;
  // Places in a step whose forces and slips are kept while its guards are searched: halvings of one guard and some more.
  std::size_t kept_looks = 128;

  // Accumulation: longest pattern of contact sets, repeats of it that are compared (three durations
  // give two ratios), impacts remembered, and by which part of 1 - r two ratios may differ.
  int longest_pattern = 4, pattern_repeats = 4, remembered_impacts = 1000;
  double steady_ratio = 0.1;
  // The correction that completes an accumulation, in parts of the energy of the accumulating motion (its estimate is
  // good to the steadiness of the ratio), above some roundings of the energies themselves.
  double completion_energy = 2.0, energy_rounding = 64.0;

  // Limit cycles: longest period in returns; change per period, relative to the state, that still
  // is periodic; and below which the change is integration error and no approach.
  int longest_period = 4;
  double nearly_periodic = 0.02, resolved_change = 1e-6;

  // Progress: events that follow each other closer than this part of the larger of 1 s and t creep; so many in a row lead
  // nowhere (a true accumulation is recognised after a few dozen and ends far above this spacing).
  double creeping = 1e-8;
  int creeping_limit = 10000;
  // Switches of one formula at one instant; then it leads nowhere.
  int switch_patience = 20;

  // Rates and slips that count as zero are left alone below this part of the speeds that they are made of: rounding.
  double rate_rounding = 1e-13;

  // Speed of a contact that rests, in parts of the largest one: its rates are rounding of the bodies' speeds.
  double least_speed = 1e-3;
  // A jump of speeds by this part of their size is no drift, unless it is rounding of the motion as a whole (this part of
  // it in the kinetic metric): projecting it out would change the motion.
  double drift_noise = 1e-6;
  // Forces that balance leave accelerations of rounding: machine epsilons of those that they would give alone. The systems
  // of the formulations have condition numbers in the hundreds.
  double balance_rounding = 1e3;
  double drift_jump = 1e-2;
  // Part of the rates of rows that the best speeds leave: the rows contradict each other.
  double drift_contradiction = 1e-2;

  // The start: gaps below this many machine epsilons of the largest coordinate are rounding.
  double gap_rounding = 64.0;
  // Gaps below this part of the sizes of bodies are no length to measure by: everything touches.
  double touching_size = 1e-9;
  int named_penetrations = 10;  // in one message
  int start_rows = 64;          // contacts whose rows are looked at together: bounds the memory

  // Modes and node questions whose evaluators are kept; a mechanism changes between few at a time.
  int kept_selections = 32;
  // Modes with their choices of speeds that are built before the motion begins, where a model asks for all of them (P2, design
  // III): each is some kB of code and a tenth of a millisecond.
  std::size_t modes_before_start = 10'000;
  // Programs that a worker makes for what is announced: a guess of what will be needed, which others then wait for.
  std::size_t programs_ahead = 24;
  // Of each of these: modes whose flow is kept compiled (statuses and directions of slip of the same contacts), and visits
  // after which that pays: compiling costs as much as some hundred evaluations, a mode that comes back has more.
  int kept_flows = 16, visits_to_compile = 2;

  // Part of the scales of the run by which a condition of a mode's domain may be broken; the run stops beyond it (`outside-domain`).
  double domain = 1e-6;

  // 1/s: a margin that needs longer than a millisecond for the band of its border drifts.
  double border_drift = 1e3;

  // Points of two contacts of a pair closer than this part of the length scale are one: a feature hands over there.
  double same_point = 1e-6;

  // Places in a step at which the mass matrix is looked at, when the equations could not be solved somewhere in it.
  int mass_samples = 16;

  // Integrator tolerances that the ledger's error may reach: errors of single steps add up over a run.
  double ledger_steps = 1e4;
  // Outlines, of their size: gaps below this are closed in a search (rounding of placed points); at an instant contacts
  // that are held by a mode may have drifted by twice Tolerances::drift besides.
  double outline_band = 1e-12;
  // Of the smaller outline: a foot that far beyond the end of an edge is on it. Above what drift of a closed contact moves
  // the foot on the next edge, in the search as at the instant, so that both agree.
  double outline_slab = 1e-10;

  // Jams. Contacts with less than this part of the largest force do not push; normals closer than this angle are one
  // direction; speeds and accelerations below this part of what the load would give are rest; a load is balanced to this.
  double jam_force = 1e-9, jam_direction = 1e-6, jam_rest = 1e-8, jam_balance = 1e-8;

  // Of the largest outline: bodies whose boxes are farther apart do not touch at an instant (tolerances there
  // are far below).
  double touching_margin = 1e-3;
  // Pairs of an entry `among` up to which each has columns of its own in the trace; more have those of their entry.
  int pair_columns = 64;

  // A formula of speeds below this part of its size in the step vanishes together with the one that was found.
  double vanished_formula = 1e-12;

  int kept_notes = 100;        // sentences in one trace
  double foreseen_rows = 1e4;  // memory for at most so many rows is taken at the start

  // Rows of the trace for which a loop of ticks reserves memory: for events, and at most so many for its ticks.
  std::size_t reserved_rows = 20'000, reserved_ticks = 100'000;
};
inline constexpr HybridTolerances hybrid_tolerances;

}  // namespace clack
