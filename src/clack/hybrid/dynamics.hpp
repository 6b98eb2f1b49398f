// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>

#include "clack/bounded_cache.hpp"
#include "clack/contact/problem.hpp"
#include "clack/formulation/formulation.hpp"
#include "clack/hybrid/mode.hpp"
#include "clack/hybrid/works.hpp"
#include "clack/integrate/integrator.hpp"
#include "clack/mechanism/mechanism.hpp"

namespace clack {

/// The flow of the current mode, y = (q, v, works of forces, drives and friction).
///
/// The works are carried along for the energy ledger. Where nothing is driven they follow from what the motion resolves:
/// they are stored in units of 1e30 J, weigh nothing in the error control of the integrator and do not change the steps.
/// A surface that moves can be seen by the works alone (a block that slips on a shaken table has a constant acceleration
/// between two events): there they are stored in units of the energy at the start and are under error control.
class ModeDynamics {
 public:
  static constexpr int work_count = 3;  // numbers of y that are works

  ModeDynamics(Mechanism& mechanism, Formulation& formulation);

  int size() const { return nq_ + n_ + work_count; }
  int coordinates() const { return nq_; }
  int speeds() const { return n_; }
  const Mechanism& mechanism() const { return mechanism_; }
  int tangents() const { return k_; }
  const double* q(const double* y) const { return y; }
  const double* v(const double* y) const { return y + nq_; }
  const double* a(const double* dydt) const { return dydt + nq_; }
  Works works(const double* y) const {
    const double* work = y + nq_ + n_;
    return {work[0] / work_unit_, work[1] / work_unit_, work[2] / work_unit_};
  }

  /// The rates of the works in y, from powers in W.
  void write_powers(const Works& power, double* rate) const;

  /// Sizes everything for a mode; the evaluators of the latest row selections are kept. `materials`
  /// are those of the mode's closed contacts, in their order.
  void enter(const Mode& mode, std::span<const ContactMaterial> materials, double slip_floor,
             double rank_cutoff);
  RightHandSide right_hand_side() {
    return {flow_ ? &ModeDynamics::call_program : &ModeDynamics::call, this};
  }
  /// Whether that is one program (constant_flow.hpp): in modes that come back and whose mass matrix and rows are constant.
  bool is_flow_compiled() const { return flow_ != nullptr; }

  /// What chooses the speeds to integrate; nothing where all are, or where the mode has no rows.
  MinimalSpeeds* minimal() const { return minimal_; }
  /// Fills the dependent speeds of y, which come as zero, from the others.
  void complete(double t, double* y);
  /// The compiled equations of the mode's choice of speeds; nothing where
  /// friction slides, rows depend on each other or numbers stand in place of formulas.
  std::shared_ptr<EmbeddedProgram> embedded() const;
  /// False: they would be compiled, but have not been yet.
  bool is_embedding_built() const;

  /// Snapshot and forces of the mode at a state; free when it is the state evaluated last.
  void evaluate(double t, const double* y);
  /// Whether the equations had no answer at some state since this was asked last.
  bool was_unsolved() { return std::exchange(was_unsolved_, false); }
  /// The same with forces that may be shown: hyperstatic ones are the smallest admissible.
  void evaluate_shown(double t, const double* y);
  const Snapshot& snapshot() const { return *snapshot_; }
  const ModeForces& forces() const { return forces_; }
  const RowSelection& rows() const { return rows_; }
  const ModeShape& shape() const { return shape_; }
  const std::vector<bool>& is_stick() const { return is_stick_; }  // per closed contact

  /// In space friction opposes the slip as long as that has not turned by more than 90 degrees from
  /// the reference (unit, the slip at the start of a step); beyond, the part along the reference is
  /// turned to the front: the flow is continuous through a slip that turns or passes zero, so that the
  /// instant is found exactly. A slip below the floor has no direction of its own and leaves the
  /// reference alone. True where the friction of a slip slower than thrice the floor may have turned with it.
  bool align_slip_reference(double t, const double* y);
  /// Such slips get the references again that they had `before`.
  void return_slow_references(const std::vector<double>& before);
  double slip_reference(int row) const { return slip_reference_[row]; }
  /// All of it, to be given back to the same mode later.
  const std::vector<double>& slip_references() const { return slip_reference_; }
  void set_slip_references(const std::vector<double>& references);
  /// Choices among hyperstatic forces start from the one at this state from now on: at the begin of a mode and of every
  /// step. So they depend on where steps begin, never on who asked for forces in between.
  void keep_reaction(double t, const double* y);
  const std::vector<double>& reference_reaction() const { return reference_reaction_; }
  void set_reference_reaction(const std::vector<double>& reaction) {
    reference_reaction_ = reaction;
  }

  /// The numbers of any other row selection at a state (for the nodes).
  const Snapshot& snapshot_of(const RowSelection& rows, double t, const double* y);
  /// The same with the constraints of a mode together with other contacts.
  const Snapshot& snapshot_of(const Mode& mode, const ContactSet& contacts, double t,
                              const double* y);

 private:
  /// The flow of a mode that comes back, compiled where it is constant (constant_flow.hpp).
  struct Flow {
    std::vector<ContactStatus> statuses;
    std::vector<double> friction, slip_direction;
    int visits = 0;
    std::shared_ptr<const symbolic::Program> program = nullptr;
  };
  struct Prepared {
    std::unique_ptr<SnapshotEvaluator> evaluator;
    Snapshot snapshot;
    std::vector<Flow> flows = {};
    Prepared(std::unique_ptr<SnapshotEvaluator> e, Snapshot s)
        : evaluator(std::move(e)), snapshot(std::move(s)) {}
  };
  static void call(void* self, double t, const double* y, double* dydt);
  static void call_program(void* self, double t, const double* y, double* dydt);
  bool has_embedded_equations() const;
  void compile_flow();
  Flow* flow_of_mode();
  const std::shared_ptr<Prepared>& prepare(const RowSelection& rows);
  void write_rates(const double* y, double* dydt) const;
  Works powers(const double* v) const;  // W
  void solve_with_reference();
  void choose_forces();

  Mechanism& mechanism_;
  Formulation& formulation_;
  int nq_, n_, k_;
  bool rates_are_speeds_;
  double work_unit_;  // units of y per J
  BoundedCache<RowSelection, Prepared> prepared_;
  std::shared_ptr<Prepared> current_;              // of the mode
  std::shared_ptr<const symbolic::Program> flow_;  // of the mode, where it is compiled
  RowSelection rows_;
  ModeShape shape_;
  std::vector<bool> is_stick_;
  SnapshotEvaluator* evaluator_ = nullptr;
  Snapshot* snapshot_ = nullptr;
  RowSelection asked_;  // by snapshot_of, kept so that asking allocates nothing
  ModeForces forces_;
  MinimalSpeeds* minimal_ = nullptr;
  std::vector<double> last_state_;
  std::vector<double> slip_reference_, true_slip_;  // space: two numbers per closed contact
  double last_time_ = 0.0;
  bool is_last_valid_ = false;
  bool was_unsolved_ = false;
  bool is_chosen_ = false;                  // the forces are the smallest admissible ones
  Eigen::VectorXd reaction_;                // of the last choice
  std::vector<double> reference_reaction_;  // from which choices start; empty: from nothing
};

}  // namespace clack
