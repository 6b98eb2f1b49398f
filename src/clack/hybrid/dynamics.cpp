// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/dynamics.hpp"

#include "clack/hybrid/admissible_forces.hpp"
#include "clack/hybrid/constant_flow.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

/// Whether anything moves by itself: bodies, surfaces, joints that depend on t.
bool is_driven(const Model& model) {
  const auto has_time = [&](const Expression& e) { return depends_on(e, model.time); };
  for (const Body& body : model.bodies) {
    if (body.kind == BodyKind::moving) return true;
    if (body.kind == BodyKind::placed && (std::ranges::any_of(body.position, has_time) ||
                                          (body.angle.is_valid() && has_time(body.angle))))
      return true;
    for (const RotationStep& step : body.rotation)
      if (const auto* turn = std::get_if<Turn>(&step); turn && has_time(turn->angle)) return true;
  }
  if (std::ranges::any_of(model.rates, has_time)) return true;
  for (const Contact& contact : model.contacts) {
    if (!contact.surface_velocity.empty()) return true;
    const GapFormulas* formulas = contact.formulas();
    if (formulas && has_time(formulas->gap)) return true;
  }
  return std::ranges::any_of(model.constraints, [&](const Constraint& constraint) {
    return std::ranges::any_of(constraint.rows, has_time) ||
           std::ranges::any_of(constraint.rates, has_time);
  });
}

double work_unit_of(Mechanism& mechanism) {
  constexpr double weightless = 1e-30;
  const Model& model = mechanism.model();
  if (!is_driven(model)) return weightless;
  std::vector<double> q, v;
  for (const Coordinate& c : model.coordinates) q.push_back(c.start);
  for (const Speed& s : model.speeds) v.push_back(s.start);
  const Energies e = mechanism.energies(0.0, q.data(), v.data());
  const double energy = std::max(std::abs(e.kinetic), std::abs(e.potential));
  return energy > 0.0 && std::isfinite(energy) ? 1.0 / energy : 1.0;
}

}  // namespace

ModeDynamics::ModeDynamics(Mechanism& mechanism, Formulation& formulation)
    : mechanism_(mechanism),
      formulation_(formulation),
      nq_(mechanism.coordinates()),
      n_(mechanism.speeds()),
      k_(mechanism.tangents()),
      rates_are_speeds_(mechanism.rates_are_speeds()),
      work_unit_(work_unit_of(mechanism)),
      prepared_(hybrid_tolerances.kept_selections) {
  last_state_.resize(nq_ + n_);
}

const std::shared_ptr<ModeDynamics::Prepared>& ModeDynamics::prepare(const RowSelection& rows) {
  return prepared_.get(rows, [&] {
    return std::make_shared<Prepared>(mechanism_.evaluator(rows), mechanism_.snapshot(rows));
  });
}

void ModeDynamics::enter(const Mode& mode, std::span<const ContactMaterial> materials,
                         double slip_floor, double rank_cutoff) {
  compile_flow();
  rows_ = mode.rows();
  current_ = prepare(rows_);
  evaluator_ = current_->evaluator.get();
  snapshot_ = &current_->snapshot;
  shape_.speeds = n_;
  shape_.tangents = k_;
  shape_.constraint_rows = snapshot_->constraint_rows();
  shape_.statuses.clear();
  is_stick_.clear();
  shape_.friction.clear();
  shape_.slip_direction.clear();
  shape_.static_friction.clear();
  shape_.slip_floor = slip_floor;
  shape_.rank_cutoff = rank_cutoff;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const bool is_free_to_slide =
        materials[i].static_friction == 0.0;  // without friction nothing sticks
    shape_.statuses.push_back(is_free_to_slide ? ContactStatus::slip : mode.closed[i].status);
    shape_.friction.push_back(materials[i].dynamic_friction);
    shape_.static_friction.push_back(materials[i].static_friction);
    for (int a = 0; a < k_; ++a) shape_.slip_direction.push_back(mode.closed[i].slip_direction[a]);
  }
  for (const ContactStatus status : shape_.statuses)
    is_stick_.push_back(status == ContactStatus::stick);
  formulation_.enter(shape_);
  const bool has_rows = !shape_.statuses.empty() || shape_.constraint_rows > 0;
  minimal_ = has_rows ? formulation_.minimal() : nullptr;
  reference_reaction_.clear();
  slip_reference_ = shape_.slip_direction;
  true_slip_.resize(slip_reference_.size());
  is_last_valid_ = false;
  Flow* const flow = flow_of_mode();
  flow_ = flow ? flow->program : nullptr;
}

/// The entry of the mode among the flows of its rows, counted; nothing where there are too many.
ModeDynamics::Flow* ModeDynamics::flow_of_mode() {
  std::vector<Flow>& flows = current_->flows;
  for (Flow& flow : flows)
    if (flow.statuses == shape_.statuses && flow.friction == shape_.friction &&
        flow.slip_direction == shape_.slip_direction) {
      ++flow.visits;
      return &flow;
    }
  if (number_of(flows) >= hybrid_tolerances.kept_flows) return nullptr;
  flows.push_back({shape_.statuses, shape_.friction, shape_.slip_direction, 1});
  return &flows.back();
}

/// When a mode ends that has been there before, its flow is compiled for the next time: the formulation knows then whether
/// its answers are constant.
void ModeDynamics::compile_flow() {
  if (!current_ || flow_ || !rates_are_speeds_ || minimal_) return;
  const auto response = formulation_.constant_response();
  if (!response) return;
  for (Flow& flow : current_->flows) {
    const bool is_mode = flow.statuses == shape_.statuses && flow.friction == shape_.friction &&
                         flow.slip_direction == shape_.slip_direction;
    if (!is_mode || flow.visits < hybrid_tolerances.visits_to_compile) continue;
    if (auto formulas = current_->evaluator->constant_formulas())
      flow.program = std::make_shared<const symbolic::Program>(
          constant_flow(std::move(*formulas), *snapshot_, shape_, *response, work_unit_));
  }
}

bool ModeDynamics::align_slip_reference(double t, const double* y) {
  if (k_ != 2 || shape_.statuses.empty()) return false;
  evaluator_->evaluate(t, q(y), v(y), *snapshot_);
  bool has_turned = false;
  for (std::size_t i = 0; i < shape_.statuses.size(); ++i) {
    const int r = 2 * i;
    const double x = snapshot_->slip()[r], z = snapshot_->slip()[r + 1], speed = std::hypot(x, z);
    if (shape_.statuses[i] != ContactStatus::slip || !(speed > shape_.slip_floor)) continue;
    has_turned = has_turned || (speed < 3.0 * shape_.slip_floor && shape_.friction[i] > 0.0);
    slip_reference_[2 * i] = x / speed;
    slip_reference_[2 * i + 1] = z / speed;
  }
  is_last_valid_ = false;
  return has_turned;
}

void ModeDynamics::return_slow_references(const std::vector<double>& before) {
  for (std::size_t i = 0; i < shape_.statuses.size(); ++i)
    if (snapshot_->slip().segment(2 * i, 2).norm() < 3.0 * shape_.slip_floor)
      std::copy_n(&before[2 * i], 2, &slip_reference_[2 * i]);
  is_last_valid_ = false;
}

void ModeDynamics::complete(double t, double* y) {
  evaluator_->evaluate(t, q(y), v(y), *snapshot_);
  minimal_->complete(*snapshot_, y + nq_);
  is_last_valid_ = false;
}

bool ModeDynamics::has_embedded_equations() const {
  if (!minimal_ || !minimal_->choice().dropped.empty()) return false;
  for (std::size_t i = 0; i < shape_.statuses.size(); ++i)
    if (shape_.statuses[i] == ContactStatus::slip && shape_.friction[i] > 0.0) return false;
  return mechanism_.has_embedded_formulas(rows_);
}

std::shared_ptr<EmbeddedProgram> ModeDynamics::embedded() const {
  if (!has_embedded_equations()) return nullptr;
  const SpeedChoice& choice = minimal_->choice();
  return mechanism_.embedded(rows_, is_stick_, {choice.rows, choice.dependent, choice.independent});
}

bool ModeDynamics::is_embedding_built() const {
  if (!has_embedded_equations()) return true;
  const SpeedChoice& choice = minimal_->choice();
  return mechanism_.is_built(rows_, is_stick_, {choice.rows, choice.dependent, choice.independent});
}

void ModeDynamics::set_slip_references(const std::vector<double>& references) {
  slip_reference_ = references;
  is_last_valid_ = false;
}

/// Shows the formulation the slip that friction is to oppose, see align_slip_reference. Up to the
/// floor that is the reference, from thrice the floor on the slip itself, its part along the
/// reference turned to the front; forces are continuous in between and through a slip that turns.
void ModeDynamics::solve_with_reference() {
  double* slip = snapshot_->data() + snapshot_->at_slip();
  std::copy_n(slip, true_slip_.size(), true_slip_.begin());
  const double floor = shape_.slip_floor;
  for (std::size_t i = 0; i < shape_.statuses.size(); ++i) {
    if (shape_.statuses[i] != ContactStatus::slip || shape_.friction[i] == 0.0) continue;
    const double *reference = &slip_reference_[2 * i], *now = &true_slip_[2 * i];
    const double speed = std::hypot(now[0], now[1]);
    const double along = reference[0] * now[0] + reference[1] * now[1];
    if (speed >= 3.0 * floor && speed > 0.0 && !(along < 0.0)) continue;
    const double back = std::min(along, 0.0);
    const double own = floor > 0.0 ? std::clamp((speed - floor) / (2.0 * floor), 0.0, 1.0)
                                   : (speed > 0.0 ? 1.0 : 0.0);
    const double shown = std::max({speed, 3.0 * floor, std::numeric_limits<double>::min()});
    double d[2], length = 0.0;
    for (int a = 0; a < 2; ++a) {
      const double turned = now[a] - 2.0 * back * reference[a];
      d[a] = (own > 0.0 ? own * turned / speed : 0.0) + (1.0 - own) * reference[a];
      length += d[a] * d[a];
    }
    for (int a = 0; a < 2; ++a) slip[2 * i + a] = shown * d[a] / std::sqrt(length);
  }
  formulation_.solve(*snapshot_, forces_);
  std::copy(true_slip_.begin(), true_slip_.end(), slip);
}

void ModeDynamics::evaluate(double t, const double* y) {
  if (is_last_valid_ && t == last_time_ && std::equal(last_state_.begin(), last_state_.end(), y))
    return;
  std::copy_n(y, last_state_.size(), last_state_.begin());
  last_time_ = t;
  is_last_valid_ = true;
  evaluator_->evaluate(t, q(y), v(y), *snapshot_);
  if (k_ == 2)
    solve_with_reference();
  else
    formulation_.solve(*snapshot_, forces_);
  if (!forces_.is_finite) was_unsolved_ = true;
  is_chosen_ = false;
  if (forces_.is_hyperstatic && forces_.null_accelerations.cols() > 0) choose_forces();
}

void ModeDynamics::evaluate_shown(double t, const double* y) {
  evaluate(t, y);
  if (forces_.is_hyperstatic && !is_chosen_) choose_forces();
}

/// Sliding friction follows the normal forces: where these are not unique the motion is not either,
/// and it is the one of the smallest admissible forces.
void ModeDynamics::choose_forces() {
  reaction_ =
      Eigen::Map<const Eigen::VectorXd>(reference_reaction_.data(), number_of(reference_reaction_));
  take_smallest_admissible(shape_, forces_, reaction_);
  is_chosen_ = true;
}

void ModeDynamics::keep_reaction(double t, const double* y) {
  if (!forces_.is_hyperstatic) return;
  evaluate_shown(t, y);
  if (is_chosen_) reference_reaction_.assign(reaction_.begin(), reaction_.end());
}

void ModeDynamics::write_rates(const double* y, double* dydt) const {
  if (rates_are_speeds_) {
    std::copy_n(v(y), n_, dydt);
  } else {
    mechanism_.coordinate_rates(last_time_, q(y), v(y), dydt);
  }
  std::copy_n(forces_.acceleration.data(), n_, dydt + nq_);
  const Works power = powers(v(y));
  write_powers(power, dydt + nq_ + n_);
}

void ModeDynamics::write_powers(const Works& power, double* rate) const {
  rate[0] = work_unit_ * power.forces;
  rate[1] = work_unit_ * power.drives;
  rate[2] = work_unit_ * power.friction;
}

/// A joint or surface that is driven works; one that only drifts does not: its rate should be zero. What drift costs is
/// then missing from the ledger and shows as its error.
Works ModeDynamics::powers(const double* v) const {
  Works power{snapshot_->applied_power(), snapshot_->drive_power(), 0.0};
  const double* row = snapshot_->data() + snapshot_->at_normal();
  const auto drive = [&](const Eigen::VectorXd& force, const auto& rate) {
    for (Eigen::Index i = 0; i < force.size(); ++i, row += n_) {
      double along = 0.0;
      for (int j = 0; j < n_; ++j) along += row[j] * v[j];
      power.drives += force[i] * (along - rate[i]);
    }
  };
  drive(forces_.normal_force, snapshot_->gap_rate());  // rows lie in the buffer in this order
  drive(forces_.friction_force, snapshot_->slip());
  drive(forces_.constraint_force, snapshot_->constraint_rate());
  for (std::size_t i = 0; i < shape_.statuses.size(); ++i) {
    if (shape_.statuses[i] != ContactStatus::slip || shape_.friction[i] == 0.0) continue;
    for (int a = 0; a < k_; ++a) {
      const auto r = static_cast<Eigen::Index>(i) * k_ + a;
      power.friction += forces_.friction_force[r] * snapshot_->slip()[r];
    }
  }
  return power;
}

void ModeDynamics::call(void* self, double t, const double* y, double* dydt) {
  auto& dynamics = *static_cast<ModeDynamics*>(self);
  dynamics.evaluate(t, y);
  dynamics.write_rates(y, dydt);
}

void ModeDynamics::call_program(void* self, double t, const double* y, double* dydt) {
  auto& dynamics = *static_cast<ModeDynamics*>(self);
  (*dynamics.flow_)(dynamics.evaluator_->load(t, dynamics.q(y), dynamics.v(y)), dydt);
}

const Snapshot& ModeDynamics::snapshot_of(const Mode& mode, const ContactSet& contacts, double t,
                                          const double* y) {
  mode.select_rows(contacts, asked_);
  return snapshot_of(asked_, t, y);
}

const Snapshot& ModeDynamics::snapshot_of(const RowSelection& rows, double t, const double* y) {
  Prepared& prepared = *prepare(rows);
  if (&prepared.snapshot == snapshot_) is_last_valid_ = false;
  prepared.evaluator->evaluate(t, q(y), v(y), prepared.snapshot);
  return prepared.snapshot;
}

}  // namespace clack
