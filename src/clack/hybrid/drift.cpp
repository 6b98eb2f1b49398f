#include "clack/hybrid/drift.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

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
  const Eigen::LLT<Eigen::MatrixXd> mass(Eigen::MatrixXd(snapshot.mass_matrix()));
  const Eigen::MatrixXd K = mass.matrixL().solve(r.rows.transpose()).transpose();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod;
  cod.setThreshold(1e-10);
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
    if (!is_stick[static_cast<std::size_t>(i)]) continue;
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
    if (is_stick[static_cast<std::size_t>(i)])
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

}  // namespace clack
