#pragma once
#include <memory>
#include <span>

#include "clack/mechanism/snapshot.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// Fills snapshots for one row selection. Made when a mode is entered for the first time;
/// evaluating allocates nothing.
class SnapshotEvaluator {
 public:
  virtual ~SnapshotEvaluator() = default;
  virtual void evaluate(double t, const double* q, const double* v, Snapshot& snapshot) = 0;
};

struct Energies {
  double kinetic = 0.0, potential = 0.0;  // J
};

/// A formula that the executor watches: its value and its rate along the motion.
struct FormulaValue {
  double value = 0.0, rate = 0.0;
};

/// Numbers from a model at q and v. Contacts and constraints are numbered as in the model.
class Mechanism {
 public:
  virtual ~Mechanism() = default;
  virtual int coordinates() const = 0;
  virtual int speeds() const = 0;
  virtual int tangents() const = 0;  // 1 in the plane, 2 in space
  virtual int constraint_rows(int constraint) const = 0;
  virtual bool rates_are_speeds() const = 0;  // dq/dt = v, component by component

  virtual std::unique_ptr<SnapshotEvaluator> evaluator(const RowSelection& rows) = 0;
  /// Gap of every contact with its first two derivatives along the motion with acceleration a (n).
  virtual void gap_motion(double t, const double* q, const double* v, const double* a, double* gap,
                          double* gap_rate, double* gap_acceleration) = 0;
  virtual void coordinate_rates(const double* q, const double* v, double* dqdt) const = 0;
  /// Moves q by a small amount expressed in speeds (dq = N(q) dv); keeps quaternions of unit
  /// length.
  virtual void displace(double* q, const double* speeds_displacement) const = 0;
  virtual void normalise(double* q) const = 0;
  virtual Energies energies(double t, const double* q, const double* v) = 0;
  /// False when applied_power of the snapshots vanishes identically (everything derives from the
  /// potential).
  virtual bool has_applied_power() const = 0;

  /// Watched formulas, in this order: model events, then zones (contact by contact), then activity
  /// of constraints that give a formula for it.
  virtual int formulas() const = 0;
  virtual void formula_motion(double t, const double* q, const double* v, FormulaValue* values) = 0;
};

/// The implementation that suits the model. Throws ModelError.
std::unique_ptr<Mechanism> make_mechanism(const Model& model);

}  // namespace clack
