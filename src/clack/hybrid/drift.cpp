// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/drift.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "clack/hybrid/tolerances.hpp"
#include "clack/mechanism/inertia.hpp"

namespace clack {
namespace {

struct Rows {
  Eigen::MatrixXd rows;
  Eigen::VectorXd values;
};

/// -M^-1 R^T (R M^-1 R^T)^+ values, with rows made dimensionless through the mass: K = R L^-T.
Eigen::VectorXd smallest_correction(const Snapshot& snapshot, const Rows& r) {
  const int n = snapshot.speeds();
  if (r.rows.rows() == 0) return Eigen::VectorXd::Zero(n);
  const Eigen::LLT<Eigen::MatrixXd> mass(inertia_of(snapshot).matrix);
  const Eigen::MatrixXd K = mass.matrixL().solve(r.rows.transpose()).transpose();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
  cod.setThreshold(hybrid_tolerances.drift_rank);
  cod.compute(K);
  const Eigen::VectorXd x = cod.solve(r.values);
  return -(mass.matrixU().solve(x));
}

Rows rate_rows(const Snapshot& s, const std::vector<bool>& is_stick) {
  const int k = s.tangents(), n = s.speeds();
  int count = s.contacts() + s.constraint_rows();
  for (const bool stick : is_stick) count += stick ? k : 0;
  Rows r{Eigen::MatrixXd(count, n), Eigen::VectorXd(count)};
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

Eigen::VectorXd position_correction(const Snapshot& s) {
  const int c = s.contacts(), b = s.constraint_rows();
  Rows r{Eigen::MatrixXd(c + b, s.speeds()), Eigen::VectorXd(c + b)};
  r.rows << s.normal_jacobian(), s.constraint_jacobian();
  r.values << s.gap(), s.constraint_value();
  return smallest_correction(s, r);
}

Eigen::VectorXd velocity_correction(const Snapshot& s, const std::vector<bool>& is_stick) {
  return smallest_correction(s, rate_rows(s, is_stick));
}

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
  const double energy_before = tools.total_energy(instant.t, result.y);
  const double rounding = own.drift_rounding * std::numeric_limits<double>::epsilon();
  for (int pass = 0; pass < own.position_passes; ++pass) {
    const Snapshot& s = tools.dynamics.snapshot_of(rows, instant.t, result.y.data());
    const Drift drift = drift_of(s, is_stick);
    if (drift.position <= rounding * instant.scales.length) break;
    result.size = std::max(result.size, drift.position);
    const Eigen::VectorXd change = position_correction(s);
    tools.mechanism.displace(tools.q(result.y), change.data());
  }
  for (int pass = 0; pass < own.velocity_passes; ++pass) {
    const Snapshot& s = tools.dynamics.snapshot_of(rows, instant.t, result.y.data());
    const Drift drift = drift_of(s, is_stick);
    if (drift.velocity == 0.0) break;
    const Eigen::VectorXd change = velocity_correction(s, is_stick);
    for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(result.y)[j] += change[j];
  }
  result.energy_change = tools.total_energy(instant.t, result.y) - energy_before;
  result.is_large =
      result.size > own.drift_flag * tools.model.tolerances.drift * instant.scales.length;
  return result;
}

}  // namespace clack
