// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "clack/hybrid/constraint_forces.hpp"
#include "clack/hybrid/contact_set.hpp"
#include "clack/hybrid/dynamics.hpp"
#include "clack/hybrid/outline_guards.hpp"
#include "clack/hybrid/scales.hpp"
#include "clack/hybrid/solid_guards.hpp"
#include "clack/integrate/root_finding.hpp"

namespace clack {

enum class GuardKind {
  gap,            // of an open contact falling to zero
  normal_force,   // of a closed contact falling to zero
  stick_reserve,  // mu_s N - |T| of a sticking contact falling to zero
  admissible,     // hyperstatic forces: no admissible distribution is left
  slip,           // of a slipping contact reaching zero (space: slip(t) . slip(t-) falling to zero)
  formula,        // a watched formula of the model changes its sign
  border,         // a closed contact comes to the end of its feature
  outlines,       // two outlines touch, of any pair (the contact is known when they do)
  foot,           // a closest point comes to an end, to another one or to a centre of curvature
};

/// A quantity that is positive inside the mode; the mode ends where it falls to zero.
struct Guard {
  GuardKind kind = GuardKind::gap;
  ContactKey contact = {};
  int local = -1;        // index among the closed contacts of the mode
  int formula = -1;      // foot: which
  double sign = 1.0;     // formula, border: what makes it positive
  bool is_armed = true;  // false: it starts at zero and guards only once it has left zero
  double floor = 0.0;    // gap, border: guards again above this, m
  int border = 0;        // border: which; foot: which FootLimit
  double landing = std::numeric_limits<double>::infinity();  // of a flight too low to be seen, s
};

struct GuardCrossing {
  double t = 0.0;
  std::size_t guard = 0;
  bool gave_up = false;  // the search of two bodies did: nothing is known behind t
};

/// How a guard looks at the two ends of a step.
struct GuardSample {
  Sample sample;             // value and rate (rate NaN: not known)
  double second_rate = 0.0;  // gaps only
};

/// What a search of guards goes on from, as a value.
struct GuardMemory {
  std::vector<Guard> guards = {};
  std::vector<GuardSample> start = {}, end = {};  // at the ends of the last step
  std::vector<double> value_before = {};  // one step further back, for guards without a rate
  double step_before = 0.0;
  bool has_before = false;
  double force_floor = 0.0;
  double start_spin = 0.0,
         end_spin = 0.0;   // of the fastest body at the ends of the last step, rad/s
  ContactSet open = {};    // the contacts of the gap guards, which come first
  ContactSet closed = {};  // of the mode
  std::vector<double> begin = {}, begin_rate = {};  // state at the begin of the step and its rate
  std::vector<double> static_friction = {};         // of the closed contacts
  Indexed<double, SourceIndex> rearm = {};          // m
  ContactSet quiet = {};                            // of outlines, not searched in this mode
  std::vector<double> slow =
      {};  // per pair of outlines, then of polyhedra: slower approaches are none, m/s
  std::vector<double> widest =
      {};  // hyperstatic forces with the largest margin, of an earlier state; empty: not known
  double widest_margin = 0.0;  // N, of these there
  double piece =
      0.0;  // of a step, in which forces that follow t are searched next, s: known from the modes before
};

/// How the watched formulas of the model stand when a mode begins.
struct FormulaSides {
  /// At zero because they ended the mode before, ascending.
  std::span<const int> fired = {};
  /// The side of each switch, which are the last formulas; 0: it stays zero.
  std::span<const double> switches = {};
};

/// The guards of one mode, searched on the dense output of each step (docs/executor.md).
class GuardSet {
 public:
  GuardSet(const Model& model, Mechanism& mechanism, ModeDynamics& dynamics);

  /// Guards of a mode that begins at (t, y). `materials`: of its closed contacts; `released`:
  /// contacts that touch at this instant and are open; `at_border`: borders that are at zero because they ended the
  /// mode before, ascending.
  void enter(const Mode& mode, std::span<const ContactMaterial> materials,
             const ContactSet& released, const FormulaSides& formulas, const ContactSet& at_border,
             const Scales& scales, double t, const double* y, const double* dydt);
  /// The first crossing inside the last step of the integrator. Uses its dense output only where a
  /// guard is not certainly positive.
  std::optional<GuardCrossing> first_crossing(Integrator& integrator);
  /// The guards that end the mode at the crossing, in the order of guards: the one that was found, and formulas that
  /// vanish there to the tolerance of time. y: the state at the crossing.
  std::vector<Guard> fired_at(const GuardCrossing& crossing, const double* y);
  /// After a step without a crossing: its end becomes the start of the next.
  void advance(Integrator& integrator);

  const std::vector<Guard>& guards() const { return memory_.guards; }
  /// A formula of forces that jumped over zero when the mode was entered, as the guard that fires.
  const std::optional<Guard>& jumped() const { return jumped_; }
  const GuardMemory& memory() const { return memory_; }
  /// Goes on where a set of the same mode was.
  void restore(const GuardMemory& memory) { memory_ = memory; }

 private:
  void add_contact_guards(const Mode& mode, const ContactSet& released);
  void add_formula_guards(const FormulaSides& known, double t, const double* y);
  void evaluate_formulas(double t, const double* y);
  void remember_formulas();
  double decisive_value(int formula, bool is_fired) const;
  /// A formula of forces that are zero in the whole mode never crosses anything.
  bool is_constant(const Guard& guard) const;
  void add_border_guards(const ContactSet& at_border, double t, const double* y);
  void add_foot_guards(double t, const double* y);
  /// Gap guards of the contacts that can touch in the last step: others go, new ones are sampled at its begin.
  void follow_neighbours(Integrator& integrator);
  void disarm_at_zero(double t);
  void sample_all(double t, const double* y, const double* dydt, std::vector<GuardSample>& samples);
  /// One guard at a state; it evaluates its own contact or formula only.
  Sample sample(const Guard& guard, double t, const double* y);
  /// Guard i at a time inside the last step. Forces and slips of all contacts come of one evaluation, which is kept: the
  /// searches of a step look at the same places.
  Sample sample_inside(Integrator& integrator, std::size_t i, double t);
  /// The same, kept: the pieces in which a step is searched follow each other.
  Sample sample_at_end(Integrator& integrator, std::size_t i, double t);
  Sample slip_sample(const Guard& guard) const;
  Sample foot_sample(const Guard& guard, double t, const double* y);
  /// The margin of hyperstatic forces at the end of a step: by the bound that follows from the widest forces before, or
  /// where there are none yet by the program.
  double margin_at_end(double t, const double* y);
  /// The program anew, from whose widest forces the next bounds follow.
  double renew_margin(double t, const double* y);
  double largest_known_margin() const;
  /// References of slips anew. Of a slow one they turn the friction at once: where that takes away forces of the mode
  /// these keep theirs, so that a mode ends when its forces do, not because a step ends.
  void align_slips(double t, const double* y);
  /// The guards of forces at the state where the next step starts; false, and nothing changed, where one does not hold.
  bool start_with_forces(double t, const double* y);
  bool is_certain(std::size_t i, double h) const;
  bool holds_at_zero(std::size_t i) const;
  /// The first touch of two outlines before `first`, if there is one.
  void search_outlines(Integrator& integrator, std::optional<GuardCrossing>& first);
  /// The first touch of two polyhedra that do not touch, before `first`.
  void search_solids(Integrator& integrator, std::optional<GuardCrossing>& first);
  /// The gap guard of an open contact, which is made where it was not expected to be near.
  std::size_t open_guard_of(const ContactKey& contact);
  /// What counts as zero for a guard that starts there: gaps by the model's tolerance, forces by
  /// rounding (a contact that touches without a force stays quiet).
  double floor_of(const Guard& guard) const;
  std::optional<double> search(Integrator& integrator, std::size_t i, double a, double b);
  std::optional<double> leaving_time(std::size_t i) const;
  /// `longest`: parts of the step that are searched at once.
  std::optional<double> search_armed(Integrator& integrator, std::size_t i, double a, double b,
                                     double longest);
  /// The same for forces that follow t by themselves, in pieces that grow as long as they resolve them.
  std::optional<double> search_timed(Integrator& integrator, std::size_t i, double a, double b);
  bool is_force(const Guard& guard) const;
  std::optional<double> search_unarmed(Integrator& integrator, std::size_t i, double a, double b,
                                       double longest);

  Mechanism& mechanism_;
  ModeDynamics& dynamics_;
  Tolerances tolerances_;
  GuardMemory memory_;
  OutlineGuards outlines_;
  SolidGuards solids_;
  GapMotions gaps_;
  ContactSet near_;
  GuardMemory renewed_;
  const bool is_timed_;      // loads follow t by themselves
  double next_piece_ = 0.0;  // GuardMemory::piece behind the last step; infinite: as it is
  std::vector<double> state_;
  std::vector<double> references_;  // of slips, of the step that ended
  std::vector<double> rates_;       // of the coordinates
  // Guards behind the gaps, looked at inside the last step: times, and one row of samples each.
  std::vector<double> look_times_;
  std::vector<Sample> looks_;
  std::size_t look_count_ = 0;
  struct PieceEnd {
    std::size_t guard = 0;
    double t = std::numeric_limits<double>::quiet_NaN();  // inside the last step; NaN: none
    Sample sample;
  } piece_end_;
  std::vector<FormulaValue> formulas_;
  WatchedForces forces_;
  struct FormulaBefore {
    double sign = 0.0, size = 0.0;  // 0: not known
  };
  std::vector<FormulaBefore> before_;  // the formulas of forces in the mode that ended
  std::optional<Guard> jumped_;
};

}  // namespace clack
