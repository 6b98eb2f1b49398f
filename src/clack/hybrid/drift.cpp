// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/drift.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>

#include "clack/hybrid/tolerances.hpp"
#include "clack/mechanism/inertia.hpp"

namespace clack {

Drift drift_of(const Snapshot& s, const std::vector<bool>& is_stick) {
  Drift drift;
  const int k = s.tangents();
  const auto widen = [](double& largest, double value) {
    largest = std::max(largest, std::abs(value));
  };
  for (int i = 0; i < s.contacts(); ++i) {
    widen(drift.position, s.gap()[i]);
    widen(drift.velocity, s.gap_rate()[i]);
    if (is_stick[i])
      for (int a = 0; a < k; ++a) widen(drift.velocity, s.slip()[i * k + a]);
  }
  for (int b = 0; b < s.constraint_rows(); ++b) {
    widen(drift.position, s.constraint_value()[b]);
    widen(drift.velocity, s.constraint_rate()[b]);
  }
  return drift;
}

DriftExcess drift_excess(const Snapshot& s, const ContactSet& contacts,
                         const std::vector<bool>& is_stick, const Tolerances& tolerances,
                         const Scales& scales) {
  DriftExcess excess;
  const int k = s.tangents();
  const auto widen = [](double& largest, double value, double limit) {
    if (value != 0.0) largest = std::max(largest, std::abs(value) / limit);
  };
  for (int i = 0; i < s.contacts(); ++i) {
    const double speed = tolerances.drift * scales.speed_of(contacts[i]);
    widen(excess.position, s.gap()[i], drift_limit(tolerances, scales.of(contacts[i])));
    widen(excess.velocity, s.gap_rate()[i], speed);
    if (is_stick[i])
      for (int a = 0; a < k; ++a) widen(excess.velocity, s.slip()[i * k + a], speed);
  }
  for (int b = 0; b < s.constraint_rows(); ++b) {
    widen(excess.position, s.constraint_value()[b], joint_drift_limit(tolerances, scales));
    widen(excess.velocity, s.constraint_rate()[b], tolerances.drift * scales.speed);
  }
  return excess;
}

namespace {

/// Memory of one thread: every event of a run asks for corrections of the same few sizes.
DriftRows& kept_rows(int count) {
  constexpr int kept = 6;
  static thread_local std::array<DriftRows, kept + 1> memory;  // the last for all others
  return memory[std::min(count, kept)];
}

}  // namespace

Eigen::VectorXd position_correction(const Snapshot& s) {
  DriftRows& rows = kept_rows(s.contacts() + s.constraint_rows());
  rows.take_positions(s);
  return rows.correction();
}

Eigen::VectorXd velocity_correction(const Snapshot& s, const std::vector<bool>& is_stick) {
  DriftRows& rows = kept_rows(s.contacts() + s.constraint_rows());
  rows.take_rates(s, is_stick);
  return rows.correction();
}

bool is_as_small_as_rates(const Snapshot& s, const std::vector<bool>& is_zero,
                          const Eigen::VectorXd& change) {
  const Eigen::LLT<Eigen::MatrixXd> mass(inertia_of(s).matrix);
  double taken = 0.0;
  const auto take = [&](double rate, const auto& row) {
    const Eigen::VectorXd half = mass.matrixL().solve(row.transpose().eval());
    const double mobility = half.squaredNorm();
    if (mobility > 0.0) taken += rate * rate / mobility;
  };
  const int k = s.tangents();
  for (int i = 0; i < s.contacts(); ++i) {
    take(s.gap_rate()[i], s.normal_jacobian().row(i));
    for (int a = i * k; is_zero[i] && a < (i + 1) * k; ++a)
      take(s.slip()[a], s.tangent_jacobian().row(a));
  }
  const double size = change.dot(s.mass_matrix() * change), most = hybrid_tolerances.settling_size;
  return size <= most * most * taken;
}

namespace {

/// What rounding of the positions is measured by: the smallest of the contacts.
double least_length(const ContactSet& contacts, const Scales& scales) {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactKey& c : contacts)
    least = std::min(least, std::max(scales.of(c).length, scales.of(c).place));
  return contacts.empty() ? std::max(scales.length, scales.place) : least;
}

/// The largest rate that a projection would take away, in parts of the speeds that it is made of (of contacts: at least
/// of their scales).
double largest_jump(const Snapshot& s, const ContactSet& contacts,
                    const std::vector<bool>& is_stick, const double* v, const Scales& scales) {
  double jump = 0.0;
  const auto look = [&](double rate, const auto& row, double scale) {
    for (int j = 0; j < s.speeds(); ++j) scale += std::abs(row[j] * v[j]);
    if (scale > 0.0) jump = std::max(jump, std::abs(rate) / scale);
  };
  for (int i = 0; i < s.contacts(); ++i) {
    look(s.gap_rate()[i], s.normal_jacobian().row(i), scales.speed_of(contacts[i]));
    for (int a = i * s.tangents(); is_stick[i] && a < (i + 1) * s.tangents(); ++a)
      look(s.slip()[a], s.tangent_jacobian().row(a), scales.speed_of(contacts[i]));
  }
  for (int b = 0; b < s.constraint_rows(); ++b)
    look(s.constraint_rate()[b], s.constraint_jacobian().row(b), scales.speed);
  return jump;
}

/// Of a structure at rest only the rounding of forces that balance moves: accelerations of that size, all the time. In
/// sqrt(J).
double rest_noise(const Snapshot& s, double t) {
  const Eigen::VectorXd force = s.smooth_force();
  const double rounding =
      hybrid_tolerances.balance_rounding * std::numeric_limits<double>::epsilon() * std::abs(t);
  return rounding * std::sqrt(force.dot(inertia_of(s).matrix.llt().solve(force)));
}

/// How large a change of speeds, in sqrt(J), is rounding of the motion as a whole.
double motion_noise(const NodeTools& tools, const Instant& instant, const Snapshot& s) {
  const Eigen::Map<const Eigen::VectorXd> v(tools.v(instant.y), s.speeds());
  return std::max(rest_noise(s, instant.t),
                  hybrid_tolerances.drift_noise * std::sqrt(v.dot(s.mass_matrix() * v)));
}

/// A change of the speeds of a motion in the kinetic metric, in sqrt(J); none from rest.
double size_of_change(const NodeTools& tools, const Instant& instant, const Snapshot& s,
                      const std::vector<double>& y) {
  const Eigen::Map<const Eigen::VectorXd> before(tools.v(instant.y), s.speeds()),
      after(tools.v(y), s.speeds());
  if (before.isZero(0.0)) return 0.0;
  const Eigen::VectorXd change = after - before;
  return std::sqrt(change.dot(s.mass_matrix() * change));
}

/// All rows of a selection by name.
std::string names_of_rows(const Model& model, const RowSelection& rows) {
  std::string names = names_of(model, rows.contacts);
  for (const int c : rows.constraints) names += " " + model.constraints[c].name;
  return names;
}

}  // namespace

const Snapshot& DriftProjector::snapshot(const NodeTools& tools, const Instant& instant) const {
  return tools.dynamics.snapshot_of(rows_, instant.t, result_.y.data());
}

void DriftProjector::begin(const NodeTools& tools, const Instant& instant) {
  result_.y = instant.y;
  result_.size = result_.energy_change = 0.0;
  result_.is_large = false;
  result_.stop.reset();
  has_moved_ = false;
  missed_ = {};
  instant.mode.select_rows(rows_);
  is_stick_.clear();
  for (const ClosedContact& c : instant.mode.closed)
    is_stick_.push_back(
        c.status == ContactStatus::stick &&
        tools.surroundings.material(instant.surroundings, c.contact).static_friction > 0.0);
}

/// Positions, by Newton's method.
void DriftProjector::move(const NodeTools& tools, const Instant& instant) {
  const HybridTolerances& own = hybrid_tolerances;
  const double rounding = own.drift_rounding * std::numeric_limits<double>::epsilon();
  for (int pass = 0; pass < own.position_passes; ++pass) {
    const Snapshot& s = snapshot(tools, instant);
    const Drift drift = drift_of(s, is_stick_);
    if (pass == 0) {
      excess_ = drift_excess(s, rows_.contacts, is_stick_, tools.model.tolerances, instant.scales);
      jump_ = largest_jump(s, rows_.contacts, is_stick_, tools.v(result_.y), instant.scales);
    }
    if (drift.position <= rounding * least_length(rows_.contacts, instant.scales)) break;
    result_.size = std::max(result_.size, drift.position);
    has_moved_ = true;
    positions_.take_positions(s);
    tools.mechanism.displace(instant.t, tools.q(result_.y), positions_.correction().data());
  }
}

/// Speeds; rows and masses do not depend on them.
void DriftProjector::slow(const NodeTools& tools, const Instant& instant) {
  for (int pass = 0; pass < hybrid_tolerances.velocity_passes; ++pass) {
    const Snapshot& s = snapshot(tools, instant);
    if (drift_of(s, is_stick_).velocity == 0.0) break;
    has_moved_ = true;
    if (pass == 0)
      rates_.take_rates(s, is_stick_);
    else
      rates_.take_rate_values(s, is_stick_);
    const Eigen::VectorXd& change = rates_.correction();
    if (pass == 0) missed_ = rates_.missed();
    for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(result_.y)[j] += change[j];
  }
}

/// Why the run cannot go on.
std::optional<Stop> DriftProjector::stop(const NodeTools& tools, const Instant& instant) const {
  const Tolerances& tol = tools.model.tolerances;
  const bool is_fast = jump_ > hybrid_tolerances.drift_jump,
             was_far = excess_.position * tol.drift > tol.penetration;
  if (!is_fast && !was_far) return std::nullopt;
  const std::string when = fmt::format("t = {:.9g} s: ", instant.t);
  const Snapshot& s = snapshot(tools, instant);
  const double noise = motion_noise(tools, instant, s);
  if (is_fast && missed_.left > hybrid_tolerances.drift_contradiction * missed_.before &&
      missed_.left > noise)
    return Stop{
        fmt::format("{}closed contacts and joints contradict each other, no speeds keep all of "
                    "them; rates of {:.3g} are left:{}",
                    when, drift_of(s, is_stick_).velocity, names_of_rows(tools.model, rows_)),
        "look for constraints that exclude each other, or switch one off before the other"};
  if (is_fast && size_of_change(tools, instant, s, result_.y) > noise)
    return Stop{fmt::format("{}speeds would jump by {:.3g} of their size to keep closed contacts "
                            "and joints:{}",
                            when, jump_, names_of_rows(tools.model, rows_)),
                "look for formulas that jump, or report the model"};
  const DriftExcess left = drift_excess(s, rows_.contacts, is_stick_, tol, instant.scales);
  if (!was_far || !(left.position * tol.drift > tol.penetration)) return std::nullopt;
  return Stop{fmt::format("{}closed contacts and joints are apart by {:.3g} and do not come "
                          "together",
                          when, drift_of(s, is_stick_).position),
              "check the formulas of gaps and constraints"};
}

const DriftProjection& DriftProjector::project(const NodeTools& tools, const Instant& instant) {
  begin(tools, instant);
  if (rows_.contacts.empty() && rows_.constraints.empty()) return result_;
  move(tools, instant);
  slow(tools, instant);
  if (has_moved_)
    result_.energy_change =
        tools.total_energy(instant.t, result_.y) - tools.total_energy(instant.t, instant.y);
  result_.is_large = excess_.position > hybrid_tolerances.drift_flag;
  result_.stop = stop(tools, instant);
  return result_;
}

DriftProjection project_drift(const NodeTools& tools, const Instant& instant) {
  static thread_local DriftProjector projector;  // for its memory
  return projector.project(tools, instant);
}

}  // namespace clack
