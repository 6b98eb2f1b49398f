// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/dynamics.hpp"

#include "clack/hybrid/tolerances.hpp"

namespace clack {

ModeDynamics::ModeDynamics(Mechanism& mechanism, Formulation& formulation)
    : mechanism_(mechanism),
      formulation_(formulation),
      nq_(mechanism.coordinates()),
      n_(mechanism.speeds()),
      k_(mechanism.tangents()),
      rates_are_speeds_(mechanism.rates_are_speeds()),
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
  shape_.slip_floor = slip_floor;
  shape_.rank_cutoff = rank_cutoff;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const bool is_free_to_slide =
        materials[i].static_friction == 0.0;  // without friction nothing sticks
    shape_.statuses.push_back(is_free_to_slide ? ContactStatus::slip : mode.closed[i].status);
    shape_.friction.push_back(materials[i].dynamic_friction);
    for (int a = 0; a < k_; ++a) shape_.slip_direction.push_back(mode.closed[i].slip_direction[a]);
  }
  for (const ContactStatus status : shape_.statuses)
    is_stick_.push_back(status == ContactStatus::stick);
  formulation_.enter(shape_);
  const bool has_rows = !shape_.statuses.empty() || shape_.constraint_rows > 0;
  minimal_ = has_rows ? formulation_.minimal() : nullptr;
  slip_reference_ = shape_.slip_direction;
  true_slip_.resize(slip_reference_.size());
  is_last_valid_ = false;
}

void ModeDynamics::align_slip_reference(double t, const double* y) {
  if (k_ != 2 || shape_.statuses.empty()) return;
  evaluator_->evaluate(t, q(y), v(y), *snapshot_);
  for (std::size_t i = 0; i < shape_.statuses.size(); ++i) {
    const auto r = static_cast<Eigen::Index>(2 * i);
    const double x = snapshot_->slip()[r], z = snapshot_->slip()[r + 1], speed = std::hypot(x, z);
    if (shape_.statuses[i] != ContactStatus::slip || !(speed > shape_.slip_floor)) continue;
    slip_reference_[2 * i] = x / speed;
    slip_reference_[2 * i + 1] = z / speed;
  }
  is_last_valid_ = false;
}

void ModeDynamics::complete(double t, double* y) {
  evaluator_->evaluate(t, q(y), v(y), *snapshot_);
  minimal_->complete(*snapshot_, y + nq_);
  is_last_valid_ = false;
}

std::shared_ptr<EmbeddedProgram> ModeDynamics::embedded() const {
  if (!minimal_ || !rates_are_speeds_ || !minimal_->choice().dropped.empty()) return nullptr;
  for (std::size_t i = 0; i < shape_.statuses.size(); ++i)
    if (shape_.statuses[i] == ContactStatus::slip && shape_.friction[i] > 0.0) return nullptr;
  const SpeedChoice& choice = minimal_->choice();
  return mechanism_.embedded(rows_, is_stick_,
                             {choice.rows, choice.dependent, choice.independent});
}

void ModeDynamics::set_slip_references(const std::vector<double>& references) {
  slip_reference_ = references;
  is_last_valid_ = false;
}

/// Shows the formulation the slip that friction is to oppose, see align_slip_reference.
void ModeDynamics::solve_with_reference() {
  double* slip = snapshot_->data() + snapshot_->at_slip();
  std::copy_n(slip, true_slip_.size(), true_slip_.begin());
  for (std::size_t i = 0; i < shape_.statuses.size(); ++i) {
    if (shape_.statuses[i] != ContactStatus::slip || shape_.friction[i] == 0.0) continue;
    const double *reference = &slip_reference_[2 * i], *now = &true_slip_[2 * i];
    const double speed = std::hypot(now[0], now[1]);
    const double along = reference[0] * now[0] + reference[1] * now[1];
    const bool is_slow = !(speed > shape_.slip_floor);
    if (!is_slow && !(along < 0.0)) continue;
    const double shown = std::max(2.0 * shape_.slip_floor, std::numeric_limits<double>::min());
    for (std::size_t a = 0; a < 2; ++a) slip[2 * i + a] = is_slow ? shown * reference[a] : -now[a];
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
}

void ModeDynamics::write_rates(const double* y, double* dydt) const {
  if (rates_are_speeds_) {
    std::copy_n(v(y), n_, dydt);
  } else {
    mechanism_.coordinate_rates(q(y), v(y), dydt);
  }
  std::copy_n(forces_.acceleration.data(), n_, dydt + nq_);
  const double* speed = v(y);
  const double* row = snapshot_->data() + snapshot_->at_normal();
  double power = 0.0;
  const auto add = [&](const Eigen::VectorXd& force) {
    for (Eigen::Index i = 0; i < force.size(); ++i, row += n_) {
      double rate = 0.0;
      for (int j = 0; j < n_; ++j) rate += row[j] * speed[j];
      power += force[i] * rate;
    }
  };
  add(forces_.normal_force);  // rows lie in the buffer in this order
  add(forces_.friction_force);
  add(forces_.constraint_force);
  // A joint that is driven works; one that only drifts does not: its rate should be zero. What
  // drift costs is then missing from the ledger and shows as its error.
  power -= forces_.constraint_force.dot(snapshot_->constraint_rate());
  dydt[nq_ + n_] = work_unit * power;
  dydt[nq_ + n_ + 1] = work_unit * snapshot_->applied_power();
}

void ModeDynamics::call(void* self, double t, const double* y, double* dydt) {
  auto& dynamics = *static_cast<ModeDynamics*>(self);
  dynamics.evaluate(t, y);
  dynamics.write_rates(y, dydt);
}

const Snapshot& ModeDynamics::snapshot_of(const RowSelection& rows, double t, const double* y) {
  Prepared& prepared = *prepare(rows);
  if (&prepared.snapshot == snapshot_) is_last_valid_ = false;
  prepared.evaluator->evaluate(t, q(y), v(y), prepared.snapshot);
  return prepared.snapshot;
}

}  // namespace clack
