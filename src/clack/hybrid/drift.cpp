// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/drift.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <array>

#include "clack/hybrid/tolerances.hpp"
#include "clack/mechanism/inertia.hpp"

namespace clack {
namespace {

/// Rows with their values, and what a correction along them is computed in. Memory of one thread: every event of a run asks
/// for corrections of the same few sizes.
struct Rows {
  Eigen::MatrixXd rows;
  Eigen::VectorXd values;
  Eigen::LLT<Eigen::MatrixXd> mass;
  Eigen::MatrixXd half, scaled;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;

  static Rows& of(int count, int speeds) {
    static thread_local std::array<Rows, kept + 1>
        memory;  // by their number; the last for all others
    Rows& r = memory[std::min(count, kept)];
    r.rows.resize(count, speeds);
    r.values.resize(count);
    return r;
  }

 private:
  static constexpr int kept = 6;
};

/// -M^-1 R^T (R M^-1 R^T)^+ values, with rows made dimensionless through the mass: K = R L^-T.
Eigen::VectorXd smallest_correction(const Snapshot& snapshot, Rows& r) {
  const int n = snapshot.speeds();
  if (r.rows.rows() == 0) return Eigen::VectorXd::Zero(n);
  if (snapshot.constraint_rows() == 0)
    r.mass.compute(snapshot.mass_matrix());
  else
    r.mass.compute(inertia_of(snapshot).matrix);
  r.half = r.rows.transpose();
  r.mass.matrixL().solveInPlace(r.half);
  r.scaled = r.half.transpose();
  r.factor.setThreshold(hybrid_tolerances.drift_rank);
  r.factor.compute(r.scaled);
  Eigen::VectorXd change = r.factor.solve(r.values);
  r.mass.matrixU().solveInPlace(change);
  return -change;
}

Rows& rate_rows(const Snapshot& s, const std::vector<bool>& is_stick) {
  const int k = s.tangents(), n = s.speeds();
  int count = s.contacts() + s.constraint_rows();
  for (const bool stick : is_stick) count += stick ? k : 0;
  Rows& r = Rows::of(count, n);
  int at = 0;
  for (int i = 0; i < s.contacts(); ++i) {
    r.rows.row(at) = s.normal_jacobian().row(i);
    r.values[at++] = s.gap_rate()[i];
    if (!is_stick[i]) continue;
    for (int a = 0; a < k; ++a) {
      r.rows.row(at) = s.tangent_jacobian().row(i * k + a);
      r.values[at++] = s.slip()[i * k + a];
    }
  }
  for (int b = 0; b < s.constraint_rows(); ++b) {
    r.rows.row(at) = s.constraint_jacobian().row(b);
    r.values[at++] = s.constraint_rate()[b];
  }
  return r;
}

}  // namespace

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

Eigen::VectorXd position_correction(const Snapshot& s) {
  const int c = s.contacts(), b = s.constraint_rows();
  Rows& r = Rows::of(c + b, s.speeds());
  r.rows << s.normal_jacobian(), s.constraint_jacobian();
  r.values << s.gap(), s.constraint_value();
  return smallest_correction(s, r);
}

Eigen::VectorXd velocity_correction(const Snapshot& s, const std::vector<bool>& is_stick) {
  return smallest_correction(s, rate_rows(s, is_stick));
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

/// How much of the motion a change of speeds is, in the kinetic metric.
double kinetic_part(const NodeTools& tools, const Instant& instant, const std::vector<double>& y) {
  const Snapshot& s = tools.dynamics.snapshot_of(instant.mode.rows(), instant.t, y.data());
  const Eigen::Map<const Eigen::VectorXd> before(tools.v(instant.y), s.speeds()),
      after(tools.v(y), s.speeds());
  const Eigen::VectorXd change = after - before;
  // Of a structure at rest only the rounding of forces that balance moves: accelerations of that size, all the time.
  const Eigen::VectorXd force = s.smooth_force();
  const double rounding = hybrid_tolerances.drift_rounding *
                          std::numeric_limits<double>::epsilon() * std::abs(instant.t);
  const double noise = rounding * std::sqrt(force.dot(inertia_of(s).matrix.llt().solve(force)));
  const double size = std::sqrt(change.dot(s.mass_matrix() * change));
  if (size <= noise) return 0.0;
  const double whole = before.dot(s.mass_matrix() * before);
  return whole > 0.0 ? size / std::sqrt(whole) : 0.0;
}

/// Why the run cannot go on after a projection to the state y.
std::optional<Stop> drift_stop(const NodeTools& tools, const Instant& instant,
                               const DriftExcess& excess, double jump, const std::vector<double>& y,
                               const std::vector<bool>& is_stick) {
  const Tolerances& tol = tools.model.tolerances;
  const RowSelection rows = instant.mode.rows();
  const bool is_jump = jump > hybrid_tolerances.drift_jump &&
                       kinetic_part(tools, instant, y) > hybrid_tolerances.drift_noise;
  const bool was_far = excess.position * tol.drift > tol.penetration;
  if (!is_jump && !was_far) return std::nullopt;
  std::string reason = fmt::format("t = {:.9g} s: ", instant.t);
  if (is_jump) {
    reason += fmt::format(
        "speeds would jump by {:.3g} of their size to keep closed contacts and "
        "joints:{}",
        jump, names_of(tools.model, rows.contacts));
    return Stop{reason, "look for formulas that jump, or report the model"};
  }
  const Snapshot& s = tools.dynamics.snapshot_of(rows, instant.t, y.data());
  const DriftExcess left = drift_excess(s, rows.contacts, is_stick, tol, instant.scales);
  if (!(left.position * tol.drift > tol.penetration)) return std::nullopt;
  reason += fmt::format("closed contacts and joints are apart by {:.3g} and do not come together",
                        drift_of(s, is_stick).position);
  return Stop{reason, "check the formulas of gaps and constraints"};
}

}  // namespace

DriftProjection project_drift(const NodeTools& tools, const Instant& instant) {
  const HybridTolerances& own = hybrid_tolerances;
  DriftProjection result;
  const RowSelection rows = instant.mode.rows();
  result.y = instant.y;
  if (rows.contacts.empty() && rows.constraints.empty()) return result;
  std::vector<bool> is_stick;
  for (const ClosedContact& c : instant.mode.closed)
    is_stick.push_back(
        c.status == ContactStatus::stick &&
        tools.surroundings.material(instant.surroundings, c.contact).static_friction > 0.0);
  bool has_moved = false;
  const Tolerances& tol = tools.model.tolerances;
  const double rounding = own.drift_rounding * std::numeric_limits<double>::epsilon();
  DriftExcess excess;
  double jump = 0.0;
  for (int pass = 0; pass < own.position_passes; ++pass) {
    const Snapshot& s = tools.dynamics.snapshot_of(rows, instant.t, result.y.data());
    const Drift drift = drift_of(s, is_stick);
    if (pass == 0) {
      excess = drift_excess(s, rows.contacts, is_stick, tol, instant.scales);
      jump = largest_jump(s, rows.contacts, is_stick, tools.v(result.y), instant.scales);
    }
    if (drift.position <= rounding * least_length(rows.contacts, instant.scales)) break;
    result.size = std::max(result.size, drift.position);
    has_moved = true;
    const Eigen::VectorXd change = position_correction(s);
    tools.mechanism.displace(instant.t, tools.q(result.y), change.data());
  }
  for (int pass = 0; pass < own.velocity_passes; ++pass) {
    const Snapshot& s = tools.dynamics.snapshot_of(rows, instant.t, result.y.data());
    const Drift drift = drift_of(s, is_stick);
    if (drift.velocity == 0.0) break;
    has_moved = true;
    const Eigen::VectorXd change = velocity_correction(s, is_stick);
    for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(result.y)[j] += change[j];
  }
  if (has_moved)
    result.energy_change =
        tools.total_energy(instant.t, result.y) - tools.total_energy(instant.t, instant.y);
  result.is_large = excess.position > own.drift_flag;
  result.stop = drift_stop(tools, instant, excess, jump, result.y, is_stick);
  return result;
}

}  // namespace clack
