#pragma once
#include <array>
#include <chrono>
#include <memory>
#include <vector>

#include "clack/contact/decision.hpp"
#include "clack/hybrid/accumulation.hpp"
#include "clack/hybrid/dynamics.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/guards.hpp"
#include "clack/hybrid/recorder.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/impact/law.hpp"

namespace clack {

/// A run ends here for a reason that the trace explains.
struct Stop {
  std::string reason, remedy;
};

/// One execution of the hybrid automaton of a model: flow inside a mode, then an instant, and so
/// on.
class Execution {
 public:
  Execution(const Model& model, const RunOptions& options);
  Trace run();

 private:
  /// What ended a mode.
  struct Cause {
    std::vector<Guard> fired = {};
    bool is_start = false, is_time = false;
    double step = 0.0;  // length of the step in which it happened, s
    /// Space, a slip guard: direction of the slip at the start of that step.
    std::array<double, 2> slip_before{};
  };
  /// Contacts with zero gap at an instant, by model index, ascending.
  using ContactSet = std::vector<int>;

  // execution.cpp: set-up and flow
  void check_start();
  void refuse_penetration() const;
  void set_scales();
  void update_materials();
  void enter_mode(const Mode& mode);
  std::optional<Cause> flow();
  Cause cause_at(const GuardCrossing& crossing);
  double next_time_event() const;
  void correct_drift_in_flow();
  void explain_failure(StepStatus status);

  // instant.cpp and impacts.cpp: what happens at an instant, in the order of docs/executor.md
  void resolve_instant(const Cause& cause);
  bool switch_constraints_and_zones(const Cause& cause);
  ContactSet touching(const Cause& cause);
  bool resolve_impacts(const ContactSet& contacts, bool constraints_changed);
  std::vector<int> impacting_contacts(const Snapshot& snapshot, bool has_jump) const;
  void resolve_one_impact(const ContactSet& contacts, bool has_jump);
  void record_impact(const ContactSet& contacts, const std::vector<int>& part,
                     const Eigen::VectorXd& gap_rate, const ImpactResult& result);
  void complete_chain(const ContactSet& contacts);
  ContactSet persistent(const ContactSet& contacts);
  void decide(const ContactSet& contacts, const Cause& cause, bool had_impact);
  ContactResult decide_at(const ContactSet& contacts, const Cause& cause, bool had_impact, double t,
                          const double* y);
  Mode mode_after(const ContactSet& contacts, const ContactResult& result) const;
  void handle_no_decision(const ContactSet& contacts, const ContactResult& result,
                          const Cause& cause);
  ContactResult most_continuous(const ContactSet& contacts, const ContactResult& found) const;
  void tangential_impact(const ContactSet& contacts);
  double project_drift();
  void advance_briefly(double duration);
  void complete_accumulation(const Accumulation::Completion& completion);
  bool is_slip_reversed(const Mode& before, const Cause& cause, int contact) const;
  void record_transition(const Mode& before, const Cause& cause, bool had_impact, double drift);

  bool is_force_guard_fired(const Cause& cause) const;
  RowSelection rows_of(const ContactSet& contacts) const;
  double* q() { return y_.data(); }
  double* v() { return y_.data() + dynamics_.coordinates(); }
  double kinetic();
  double total_energy();

  const Model& model_;
  RunOptions options_;
  Theory theory_;
  std::unique_ptr<Mechanism> mechanism_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Decision> decision_;
  std::unique_ptr<ImpactLaw> law_;
  std::unique_ptr<Integrator> integrator_;
  ModeDynamics dynamics_;
  GuardSet guards_;
  Accumulation accumulation_;
  Recorder recorder_;

  double t_ = 0.0;
  std::vector<double> y_, ahead_, gap_, gap_rate_, gap_acceleration_;
  Mode mode_;
  std::vector<ContactMaterial> materials_;
  std::vector<int> active_zone_;
  std::vector<bool> is_released_, is_formula_fired_, is_stick_;
  std::vector<bool> switched_on_;  // constraints by events; formulas may hide them
  std::vector<FormulaValue> formulas_;
  double length_scale_ = 1.0, speed_scale_ = 0.0;
  double last_event_time_ = 0.0, last_step_ = 0.0;
  int visits_at_instant_ = 0;
  bool stop_requested_ = false;
  int impacts_at_instant_ = 0;
  double impact_speed_ = 0.0;
  ContactProblem contact_problem_;         // the last question to the contact node
  std::vector<double> last_normal_force_;  // per contact, when the last mode ended
  std::vector<int> impact_contacts_;
  int node_iterations_ = 0;
  double node_residual_ = 0.0;
};

}  // namespace clack
