#pragma once
#include <optional>
#include <vector>

#include "clack/hybrid/dynamics.hpp"
#include "clack/integrate/root_finding.hpp"

namespace clack {

enum class GuardKind {
  gap,            // of an open contact falling to zero
  normal_force,   // of a closed contact falling to zero
  stick_reserve,  // mu_s N - |T| of a sticking contact falling to zero
  admissible,     // hyperstatic forces: no admissible distribution is left
  slip,           // of a slipping contact reaching zero (space: slip(t) . slip(t-) falling to zero)
  formula,        // a watched formula of the model changes its sign
};

/// A quantity that is positive inside the mode; the mode ends where it falls to zero.
struct Guard {
  GuardKind kind = GuardKind::gap;
  int contact = -1;  // model index
  int local = -1;    // index among the closed contacts of the mode
  int formula = -1;
  double sign = 1.0;     // formula: what makes it positive
  bool is_armed = true;  // false: it starts at zero and guards only once it has left zero
  double landing = std::numeric_limits<double>::infinity();  // of a flight too low to be seen, s
};

struct GuardCrossing {
  double t = 0.0;
  std::size_t guard = 0;
};

/// How a guard looks at the two ends of a step.
struct GuardSample {
  Sample sample;             // value and rate (rate NaN: not known)
  double second_rate = 0.0;  // gaps only
};

/// The guards of one mode, searched on the dense output of each step (docs/executor.md).
class GuardSet {
 public:
  GuardSet(Mechanism& mechanism, ModeDynamics& dynamics, int contacts,
           const Tolerances& tolerances);

  /// Guards of a mode that begins at (t, y); `is_released[i]`: contact i touches at this instant
  /// and is open. `fired_formulas`: watched formulas that are at zero because they ended the mode
  /// before.
  void enter(const Mode& mode, std::span<const ContactMaterial> materials,
             const std::vector<bool>& is_released, const std::vector<bool>& is_formula_fired,
             double t, const double* y, const double* dydt);
  /// The first crossing inside the last step of the integrator. Uses its dense output only where a
  /// guard is not certainly positive.
  std::optional<GuardCrossing> first_crossing(Integrator& integrator);
  /// After a step without a crossing: its end becomes the start of the next.
  void advance(Integrator& integrator);

  const std::vector<Guard>& guards() const { return guards_; }
  Guard& guard(std::size_t i) { return guards_[i]; }
  /// Value of a guard at a state (not inside a search).
  double value(const Guard& guard, double t, const double* y);
  /// Gaps at the end of the last step.
  std::span<const double> gaps_at_end() const { return gap_; }

 private:
  void sample_all(double t, const double* y, const double* dydt, std::vector<GuardSample>& samples);
  Sample sample(const Guard& guard, double t, const double* y, bool has_gaps, bool has_formulas);
  bool is_certain(std::size_t i, double h) const;
  /// What counts as zero for a guard that starts there: gaps by the model's tolerance, forces by
  /// rounding (a contact that touches without a force stays quiet).
  double floor_of(const Guard& guard) const;
  std::optional<double> search(Integrator& integrator, std::size_t i, double a, double b);
  std::optional<double> search_unarmed(Integrator& integrator, std::size_t i, double a, double b);

  Mechanism& mechanism_;
  ModeDynamics& dynamics_;
  Tolerances tolerances_;
  std::vector<Guard> guards_;
  std::vector<GuardSample> start_, end_;
  std::vector<double> value_before_;  // one step further back, for guards without a rate
  double step_before_ = 0.0;
  bool has_before_ = false;
  double force_floor_ = 0.0;
  std::vector<double> gap_, gap_rate_, gap_acceleration_, no_acceleration_, state_,
      static_friction_;
  std::vector<FormulaValue> formulas_;
};

}  // namespace clack
