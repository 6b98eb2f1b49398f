#include "clack/hybrid/execution.hpp"

#include <cmath>

#include "clack/contact/circumstances.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/start_check.hpp"

namespace clack {
namespace {

std::unique_ptr<Integrator> integrator_for(const Model& model, const IntegratorRegistry& known) {
  return known.make(model.run.integrator, model.options[PartKind::integrator],
                    {.relative_tolerance = model.run.tolerance,
                     .absolute_tolerance = model.run.tolerance});
}

ContactMaterial material_of(const Coefficients& c) {
  return {.dynamic_friction = c.dynamic_friction,
          .static_friction = c.static_friction,
          .restitution = c.restitution,
          .tangential_restitution = c.tangential_restitution,
          .reversibility = c.reversibility};
}

}  // namespace

Execution::Execution(const Model& model, const RunOptions& options)
    : model_(model),
      options_(options),
      theory_(choose_theory(model.run, options.parts)),
      mechanism_(make_mechanism(model)),
      formulation_(options.parts.formulations.make(theory_.formulation,
                                                   model.options[PartKind::formulation])),
      decision_(
          options.parts.decisions.make(theory_.decision, model.options[PartKind::decision])),
      law_(options.parts.impact_laws.make(theory_.impact, model.options[PartKind::impact_law])),
      integrator_(integrator_for(model, options.parts.integrators)),
      dynamics_(*mechanism_, *formulation_),
      guards_(*mechanism_, dynamics_, static_cast<int>(model.contacts.size()), model.tolerances),
      accumulation_(model.tolerances),
      recorder_(model, theory_, *mechanism_, dynamics_) {
  const std::size_t contacts = model.contacts.size();
  for (const Coordinate& c : model.coordinates) y_.push_back(c.start);
  for (const Speed& s : model.speeds) y_.push_back(s.start);
  y_.resize(static_cast<std::size_t>(dynamics_.size()), 0.0);
  ahead_.resize(y_.size());
  gap_.resize(contacts);
  gap_rate_.resize(contacts);
  gap_acceleration_.resize(contacts);
  mode_.statuses.assign(contacts, ContactStatus::open);
  mode_.slip_direction.assign(contacts * static_cast<std::size_t>(dynamics_.tangents()), 0.0);
  for (const Constraint& c : model.constraints) {
    switched_on_.push_back(c.is_active && c.known_from <= 0.0);
    mode_.constraints.push_back(switched_on_.back());
  }
  is_released_.assign(contacts, false);
  last_normal_force_.assign(contacts, 0.0);
  formulas_.resize(static_cast<std::size_t>(mechanism_->formulas()));
  is_formula_fired_.assign(formulas_.size(), false);
  for (const Contact& c : model.contacts) materials_.push_back(material_of(c.coefficients));
  active_zone_.assign(contacts, -1);
}

/// Materials in force: those of the first zone that holds at this state, else the contact's own.
void Execution::update_materials() {
  mechanism_->formula_motion(t_, q(), v(), formulas_.data());
  std::size_t formula = model_.events.size();
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    const Contact& contact = model_.contacts[i];
    int zone = -1;
    for (std::size_t z = 0; z < contact.zones.size(); ++z, ++formula) {
      const FormulaValue& f = formulas_[formula];
      const bool is_inside = is_formula_fired_[formula] ? f.rate > 0.0 : f.value > 0.0;
      if (zone < 0 && is_inside) zone = static_cast<int>(z);
    }
    active_zone_[i] = zone;
    materials_[i] =
        material_of(zone < 0 ? contact.coefficients
                             : contact.zones[static_cast<std::size_t>(zone)].coefficients);
  }
}

/// Length: see length_scale. Speed: largest contact speed so far, and what
/// the free motion gains over that length.
void Execution::set_scales() {
  double speed = 0.0;
  for (const double rate : gap_rate_) speed = std::max(speed, std::abs(rate));
  length_scale_ =
      length_scale(gap_, {y_.data(), static_cast<std::size_t>(dynamics_.coordinates())});
  Mode all = mode_;
  for (ContactStatus& s : all.statuses) s = ContactStatus::slip;
  const Snapshot& s = dynamics_.snapshot_of(all.rows(), t_, y_.data());
  const Eigen::VectorXd free =
      Eigen::MatrixXd(s.mass_matrix()).llt().solve(Eigen::VectorXd(s.smooth_force()));
  double acceleration = 0.0;
  for (int i = 0; i < s.contacts(); ++i)
    acceleration =
        std::max(acceleration, std::abs(s.normal_jacobian().row(i).dot(free) + s.gap_bias()[i]));
  for (int i = 0; i < s.contacts() * s.tangents(); ++i)
    speed = std::max(speed, std::abs(s.slip()[i]));
  speed_scale_ = std::max(speed, std::sqrt(acceleration * length_scale_));
}

/// Refuses a start that no run can begin from: non-finite equations, indefinite mass, penetration.
void Execution::check_start() {
  const Snapshot& s = dynamics_.snapshot_of({}, t_, y_.data());
  for (std::size_t i = 0; i < Snapshot::size(s.speeds(), s.tangents(), 0, 0); ++i)
    if (!std::isfinite(s.data()[i]))
      throw ModelError(
          "the equations of motion are not finite at the start", model_.file,
          "look for a division by zero or a root of a negative number in its formulas");
  if (s.speeds() > 0) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::MatrixXd(s.mass_matrix()),
                                                               Eigen::EigenvaluesOnly);
    if (!(eigen.eigenvalues()[0] > 0.0))
      throw ModelError(
          fmt::format(
              "the mass matrix is not positive definite at the start: smallest eigenvalue {:.6g}",
              eigen.eigenvalues()[0]),
          model_.file, "give every coordinate a mass or an inertia");
  }
  std::vector<double> zero(static_cast<std::size_t>(dynamics_.speeds()), 0.0);
  mechanism_->gap_motion(t_, q(), v(), zero.data(), gap_.data(), gap_rate_.data(),
                         gap_acceleration_.data());
  for (std::size_t i = 0; i < gap_.size(); ++i)
    if (!std::isfinite(gap_[i]) || !std::isfinite(gap_rate_[i]))
      throw ModelError(
          "contact " + model_.contacts[i].name + ": its gap is not finite at the start",
          model_.where(model_.contacts[i].place), "check the gap formula and the start values");
  set_scales();
  refuse_penetration();
}

/// All pairs that penetrate, with their depths, in one message; the place is the first one's.
void Execution::refuse_penetration() const {
  constexpr int shown = 10;
  std::string pairs;
  int count = 0;
  const Contact* first = nullptr;
  for (std::size_t i = 0; i < gap_.size(); ++i) {
    if (gap_[i] >= -model_.tolerances.penetration * length_scale_) continue;
    const Contact& c = model_.contacts[i];
    if (!first) first = &c;
    if (++count > shown) continue;
    pairs += (count > 1 ? ", contact " : "") + c.name;
    if (!c.is_formula)
      pairs += " (" + model_.bodies[static_cast<std::size_t>(c.first.body)].name + " and " +
               model_.bodies[static_cast<std::size_t>(c.second.body)].name + ")";
    pairs += fmt::format("{} by {:.6g} m", count > 1 ? "" : ": penetrates", -gap_[i]);
  }
  if (!first) return;
  if (count > shown) pairs += fmt::format(" and {} more", count - shown);
  throw ModelError(fmt::format("contact {} at the start", pairs), model_.where(first->place),
                   "move the bodies apart by that much, or set start values with --set NAME_0=...");
}

/// Until the next constraint becomes known, or the end.
double Execution::next_time_event() const {
  double next = model_.run.until;
  for (std::size_t i = 0; i < model_.constraints.size(); ++i) {
    const Constraint& c = model_.constraints[i];
    if (c.known_from > t_) next = std::min(next, c.known_from);
  }
  return next;
}

Execution::Cause Execution::cause_at(const GuardCrossing& crossing) {
  Cause cause;
  cause.step = integrator_->time() - integrator_->time_before();
  const Guard& guard = guards_.guards()[crossing.guard];
  cause.fired.push_back(guard);
  if (guard.kind == GuardKind::slip && dynamics_.tangents() == 2)
    cause.slip_before = {dynamics_.slip_reference(2 * guard.local),
                         dynamics_.slip_reference(2 * guard.local + 1)};
  return cause;
}

void Execution::explain_failure(StepStatus status) {
  Stop stop;
  const std::string at = fmt::format("t = {:.9g} s", integrator_->time());
  switch (status) {
    case StepStatus::step_too_small:
      stop = {
          at + ": the step size has fallen to rounding; forces or formulas become singular here",
          "look at the last rows of trace.csv: a normal force that grows without bound is a "
          "Painleve configuration"};
      break;
    case StepStatus::not_finite:
      stop = {at + ": the equations of motion are not finite here",
              "check the formulas of the model near this state"};
      break;
    case StepStatus::limit:
      stop = {at + ": the integrator has reached its limit of steps",
              "raise the tolerance or shorten the run"};
      break;
    case StepStatus::ok:
      return;
  }
  dynamics_.evaluate(integrator_->time(), integrator_->state().data());
  const ModeForces& forces = dynamics_.forces();
  for (std::size_t l = 0; l < dynamics_.rows().contacts.size(); ++l)
    stop.reason +=
        fmt::format("; contact {}: {} with normal force {:.6g} N",
                    model_.contacts[static_cast<std::size_t>(dynamics_.rows().contacts[l])].name,
                    to_string(dynamics_.shape().statuses[l]),
                    forces.normal_force[static_cast<Eigen::Index>(l)]);
  throw stop;
}

/// Projects drift out between events when it exceeds its tolerance.
void Execution::correct_drift_in_flow() {
  if (dynamics_.rows().contacts.empty() && dynamics_.rows().constraints.empty()) return;
  dynamics_.evaluate(integrator_->time(), integrator_->state().data());
  const Drift drift = drift_of(dynamics_.snapshot(), is_stick_);
  const Tolerances& tol = model_.tolerances;
  if (drift.position <= tol.drift * length_scale_ && drift.velocity <= tol.drift * speed_scale_)
    return;
  t_ = integrator_->time();
  std::copy(integrator_->state().begin(), integrator_->state().end(), y_.begin());
  project_drift();
  const double next = integrator_->next_step();
  recorder_.add_counts(integrator_->counts());
  integrator_->reset(dynamics_.right_hand_side(), t_, y_, next);
}

/// Makes a mode the one whose equations are evaluated.
void Execution::enter_mode(const Mode& mode) {
  dynamics_.enter(mode, materials_, model_.tolerances.slip * speed_scale_,
                  model_.tolerances.rank_cutoff);
  dynamics_.align_slip_reference(t_, y_.data());
}

/// Integrates the current mode until a guard falls to zero, the next known time or the end (then:
/// nothing).
std::optional<Execution::Cause> Execution::flow() {
  enter_mode(mode_);
  const FormulationRegistry& known = options_.parts.formulations;
  const Circumstances now = circumstances_of(dynamics_.shape());
  if (const std::string refusal = known.refusal(theory_.formulation, now); !refusal.empty())
    throw Stop{refusal, "choose another --formulation; clack parts shows what each needs"};
  is_stick_.clear();
  for (const ContactStatus s : dynamics_.shape().statuses)
    is_stick_.push_back(s == ContactStatus::stick);
  double first_step = last_step_;
  if (t_ > last_event_time_) first_step = std::min(first_step, t_ - last_event_time_);
  last_event_time_ = t_;
  integrator_->reset(dynamics_.right_hand_side(), t_, y_, first_step);
  guards_.enter(mode_, materials_, is_released_, is_formula_fired_, t_, y_.data(),
                integrator_->rate().data());
  recorder_.row(t_, y_.data());
  const double t_end = next_time_event();
  for (;;) {
    if (!(t_ < t_end)) {
      recorder_.add_counts(integrator_->counts());
      if (t_ >= model_.run.until) return std::nullopt;
      return Cause{.is_time = true};
    }
    const StepStatus status = integrator_->step(t_end);
    if (status != StepStatus::ok) {
      t_ = integrator_->time();
      std::copy(integrator_->state().begin(), integrator_->state().end(), y_.begin());
      recorder_.add_counts(integrator_->counts());
      explain_failure(status);
    }
    const auto crossing = guards_.first_crossing(*integrator_);
    recorder_.sample_step(*integrator_, crossing ? crossing->t : integrator_->time());
    if (crossing) {
      t_ = crossing->t;
      integrator_->dense(t_, y_);
      mechanism_->normalise(q());
      Cause cause = cause_at(*crossing);
      last_step_ = cause.step;
      dynamics_.align_slip_reference(t_, y_.data());  // friction opposes a slip that turned
      recorder_.row(t_, y_.data());
      std::fill(last_normal_force_.begin(), last_normal_force_.end(), 0.0);
      for (std::size_t l = 0; l < dynamics_.rows().contacts.size(); ++l)
        last_normal_force_[static_cast<std::size_t>(dynamics_.rows().contacts[l])] =
            dynamics_.forces().normal_force[static_cast<Eigen::Index>(l)];
      recorder_.add_counts(integrator_->counts());
      return cause;
    }
    last_step_ = integrator_->next_step();
    t_ = integrator_->time();
    std::copy(integrator_->state().begin(), integrator_->state().end(), y_.begin());
    guards_.advance(*integrator_);
    correct_drift_in_flow();
    if (options_.progress) options_.progress(t_);
    if (t_ >= t_end) recorder_.row(t_, y_.data());
  }
}

double Execution::kinetic() { return mechanism_->energies(t_, q(), v()).kinetic; }

double Execution::total_energy() {
  const Energies e = mechanism_->energies(t_, q(), v());
  return e.kinetic + e.potential;
}

Trace Execution::run() {
  const auto clock = std::chrono::steady_clock::now();
  Trace& trace = recorder_.trace();
  check_start();
  update_materials();
  recorder_.begin(t_, y_.data());
  try {
    resolve_instant(Cause{.is_start = true});
    while (!stop_requested_) {
      const auto cause = flow();
      if (!cause) break;
      resolve_instant(*cause);
      if (static_cast<long>(trace.events.size()) > model_.tolerances.event_limit)
        throw Stop{fmt::format("t = {:.9g} s: the limit of {} events is reached", t_,
                               model_.tolerances.event_limit),
                   "impacts may accumulate slower than tolerances: zeno_ratio, or raise "
                   "tolerances: event_limit"};
    }
  } catch (const Stop& stop) {
    trace.status = RunStatus::stopped;
    trace.reason = stop.reason;
    trace.remedy = stop.remedy;
    if (trace.row_count() == 0) {  // it stopped at the start: the start is what there is
      enter_mode(mode_);
      recorder_.row(t_, y_.data());
    }
  }
  TraceEvent end;
  end.t = t_;
  end.kind = EventKind::end;
  trace.events.push_back(end);
  recorder_.finish(t_, y_.data());
  if (model_.cycle) trace.cycle = find_cycle(model_, trace);
  trace.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  return std::move(trace);
}

Trace run(const Model& model, const RunOptions& options) { return Execution(model, options).run(); }

}  // namespace clack
