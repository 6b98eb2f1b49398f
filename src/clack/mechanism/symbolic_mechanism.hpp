#pragma once
#include <map>
#include <vector>

#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/equations.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/mechanism/watched_formulas.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

/// A mechanism whose equations, gaps, rows and biases are formulas derived once and compiled per
/// row selection: planar free bodies, bodies placed by formulas of symbolic coordinates, and models
/// given by mass matrix and force.
class SymbolicMechanism final : public Mechanism {
 public:
  explicit SymbolicMechanism(const Model& shared);

  int coordinates() const override { return coordinates_; }
  int speeds() const override { return speeds_; }
  int tangents() const override { return tangents_; }
  int constraint_rows(int constraint) const override;
  bool rates_are_speeds() const override { return true; }
  std::unique_ptr<SnapshotEvaluator> evaluator(const RowSelection& rows) override;
  void gap_motion(double t, const double* q, const double* v, const double* a, double* gap,
                  double* gap_rate, double* gap_acceleration) override;
  void coordinate_rates(const double* q, const double* v, double* dqdt) const override;
  void displace(double* q, const double* speeds_displacement) const override;
  void normalise(double*) const override {}
  Energies energies(double t, const double* q, const double* v) override;
  bool has_applied_power() const override { return has_applied_power_; }
  int formulas() const override { return watched_.count(); }
  void formula_motion(double t, const double* q, const double* v, FormulaValue* values) override;

  const MotionSymbols& motion() const { return motion_; }
  const Equations& equations() const { return equations_; }
  const ContactFormulas& contact(int i) const { return contacts_[static_cast<std::size_t>(i)]; }

 private:
  struct ConstraintRow {
    Expression value, rate, bias;
    std::vector<Expression> row;
  };
  void derive_constraints(const Model& model);
  bool power_vanishes(const Model& model) const;
  const double* load(double t, const double* q, const double* v);

  const Model model_;  // with formulas of its own
  int coordinates_ = 0, speeds_ = 0, tangents_ = 1;
  bool has_applied_power_ = false;
  MotionSymbols motion_;
  Equations equations_;
  std::vector<ContactFormulas> contacts_;
  std::vector<std::vector<ConstraintRow>> constraints_;
  symbolic::Program gaps_, energies_;
  WatchedFormulas watched_;
  std::vector<double> inputs_, outputs_;
};

}  // namespace clack
