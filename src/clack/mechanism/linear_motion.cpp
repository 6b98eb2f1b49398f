// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/linear_motion.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <string>

#include "clack/linalg/pivoted_columns.hpp"
#include "clack/model/own_formulas.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Formulas = std::vector<Expression>;

/// Formulas of t, q, u, u' and x whose derivatives are wanted, and those derivatives as numbers.
class Derivatives {
 public:
  Derivatives(const Model& model, const MotionSymbols& motion, const Formulas& held,
              const std::vector<double>& at)
      : at_(at) {
    inputs_ = motion.inputs();
    inputs_.insert(inputs_.end(), held.begin(), held.end());
    for (const Coordinate& c : model.coordinates) q_.push_back(c.symbol);
    for (const Speed& s : model.speeds) u_.push_back(s.symbol);
  }
  MatrixXd by_coordinates(const Formulas& f) const { return table(f, q_); }
  MatrixXd by_speeds(const Formulas& f) const { return table(f, u_); }
  MatrixXd values(const std::vector<Formulas>& rows, int columns) const {
    Formulas outputs;
    for (const Formulas& row : rows) outputs.insert(outputs.end(), row.begin(), row.end());
    return numbers(outputs, number_of(rows), columns);
  }

 private:
  MatrixXd table(const Formulas& f, const Formulas& symbols) const {
    Formulas outputs;
    for (const Expression& e : f)
      for (const Expression& symbol : symbols) outputs.push_back(symbolic::derivative(e, symbol));
    return numbers(outputs, number_of(f), number_of(symbols));
  }
  MatrixXd numbers(const Formulas& outputs, int rows, int columns) const {
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> out(rows, columns);
    if (out.size() > 0) symbolic::Program(inputs_, outputs)(at_.data(), out.data());
    return out;
  }
  Formulas inputs_, q_, u_;
  std::vector<double> at_;
};

/// What vanishes at the level of positions: gaps, configurations, lengths of quaternions.
Formulas position_rows(const Model& model, const MotionSymbols& motion,
                       const std::vector<ModeRow>& rows) {
  Formulas positions;
  for (const ModeRow& row : rows)
    if (row.value.is_valid()) positions.push_back(row.value);
  const auto unit = [&](const std::array<int, 4>& quaternion) {
    Expression squared = motion.zero();
    for (const int k : quaternion) squared = squared + pow(model.coordinates[k].symbol, 2.0);
    positions.push_back(squared);
  };
  for (const std::array<int, 4>& quaternion : model.quaternions) unit(quaternion);
  return positions;
}

/// Columns: motions of q that keep the rows, one per independent coordinate, which are returned as well.
MatrixXd free_positions(const MatrixXd& rows, std::vector<int>& independent) {
  const int n = static_cast<int>(rows.cols());
  const std::vector<int> pivots =
      rows.rows() > 0 ? independent_columns(rows).independent : std::vector<int>();
  std::vector<bool> is_dependent(n, false);
  for (const int j : pivots) is_dependent[j] = true;
  for (int j = 0; j < n; ++j)
    if (!is_dependent[j]) independent.push_back(j);
  const int p = number_of(independent);
  MatrixXd motions = MatrixXd::Zero(n, p);
  for (int j = 0; j < p; ++j) motions(independent[j], j) = 1.0;
  if (pivots.empty()) return motions;
  const MatrixXd tied = rows(Eigen::all, independent), pivot = rows(Eigen::all, pivots);
  const MatrixXd others = -pivot.completeOrthogonalDecomposition().solve(tied);
  for (int i = 0; i < number_of(pivots); ++i) motions.row(pivots[i]) = others.row(i);
  return motions;
}

/// The rows of a mode at a state, in numbers.
struct LinearSystem {
  MatrixXd residual_q, residual_u, bias_q, bias_u, rate_q, rates_q, rates_u, position_q, M, B, F;
};

/// du' for a small change of position and speeds.
VectorXd acceleration_change(const LinearSystem& s, const Eigen::FullPivLU<MatrixXd>& lu,
                             const VectorXd& dq, const VectorXd& du) {
  VectorXd right(s.M.rows() + s.B.rows());
  right << -(s.residual_q * dq + s.residual_u * du), -(s.bias_q * dq + s.bias_u * du);
  return lu.solve(right).head(s.M.rows());
}

MatrixXd assemble(const LinearSystem& s, const LinearQuestion& question, const MatrixXd& free_q,
                  const std::vector<int>& coordinates) {
  const auto &I = question.order.independent, &D = question.order.dependent;
  const int n = static_cast<int>(s.M.rows()), m = static_cast<int>(s.B.rows());
  const int p = number_of(I), r = number_of(D), c = number_of(coordinates);
  MatrixXd saddle = MatrixXd::Zero(n + m, n + m);
  saddle.topLeftCorner(n, n) = s.M;
  saddle.topRightCorner(n, m) = -s.F.transpose();
  saddle.bottomLeftCorner(m, n) = s.B;
  const Eigen::FullPivLU<MatrixXd> lu(saddle);
  const MatrixXd pivot = r > 0 ? MatrixXd(s.B(question.order.rows, D)) : MatrixXd::Identity(1, 1);
  const Eigen::PartialPivLU<MatrixXd> dependent(pivot);
  MatrixXd A = MatrixXd::Zero(c + p, c + p);
  for (int column = 0; column < c + p; ++column) {
    VectorXd dq = VectorXd::Zero(free_q.rows()), du = VectorXd::Zero(n);
    if (column < c) dq = free_q.col(column);
    if (column >= c) du[I[column - c]] = 1.0;
    if (r > 0) {
      const VectorXd missing = s.rate_q * dq + s.B * du;
      const VectorXd follow = -dependent.solve(VectorXd(missing(question.order.rows)));
      for (int i = 0; i < r; ++i) du[D[i]] = follow[i];
    }
    const VectorXd q_rate = s.rates_q * dq + s.rates_u * du;
    const VectorXd u_rate = acceleration_change(s, lu, dq, du);
    for (int k = 0; k < c; ++k) A(k, column) = q_rate[coordinates[k]];
    for (int j = 0; j < p; ++j) A(c + j, column) = u_rate[I[j]];
  }
  return A;
}

/// r = M u' - f - F^T x and c = B u' + bias, u' and x as symbols.
LinearSystem system_at(const Model& model, const MotionSymbols& motion, const Equations& equations,
                       const std::vector<ModeRow>& rows, const LinearQuestion& question) {
  const int n = motion.speeds(), m = number_of(rows);
  Formulas accelerations, forces, held;
  std::vector<double> at{question.t};
  at.insert(at.end(), question.q.begin(), question.q.end());
  at.insert(at.end(), question.v.begin(), question.v.end());
  for (const Input& input : model.inputs)
    at.insert(at.end(), {input.start.value, input.start.rate, input.start.acceleration, 0.0});
  for (int j = 0; j < n; ++j) {
    accelerations.push_back(model.graph->symbol("acceleration " + std::to_string(j)));
    at.push_back(question.acceleration[j]);
  }
  for (int i = 0; i < m; ++i) {
    forces.push_back(model.graph->symbol("force " + std::to_string(i)));
    at.push_back(question.forces[i]);
  }
  held = accelerations;
  held.insert(held.end(), forces.begin(), forces.end());
  Formulas residuals, biases, row_rates, rates;
  std::vector<Formulas> B, F;
  for (int j = 0; j < n; ++j) {
    Expression r = -equations.force[j];
    for (int k = 0; k < n; ++k) r = r + equations.mass_matrix[j][k] * accelerations[k];
    for (int i = 0; i < m; ++i) r = r - rows[i].force_row[j] * forces[i];
    residuals.push_back(r);
  }
  for (const ModeRow& row : rows) {
    Expression c = row.equation.bias;
    for (int j = 0; j < n; ++j) c = c + row.equation.row[j] * accelerations[j];
    biases.push_back(c);
    row_rates.push_back(row.equation.rate);
    B.push_back(row.equation.row);
    F.push_back(row.force_row);
  }
  for (int k = 0; k < motion.coordinates(); ++k) rates.push_back(motion.coordinate_rate(k));
  const Derivatives d(model, motion, held, at);
  LinearSystem s;
  s.residual_q = d.by_coordinates(residuals);
  s.residual_u = d.by_speeds(residuals);
  s.bias_q = d.by_coordinates(biases);
  s.bias_u = d.by_speeds(biases);
  s.rate_q = d.by_coordinates(row_rates);
  s.rates_q = d.by_coordinates(rates);
  s.rates_u = d.by_speeds(rates);
  s.position_q = d.by_coordinates(position_rows(model, motion, rows));
  s.M = d.values(equations.mass_matrix, n);
  s.B = d.values(B, n);
  s.F = d.values(F, n);
  return s;
}

std::vector<std::complex<double>> sorted_eigenvalues(const MatrixXd& A) {
  std::vector<std::complex<double>> values;
  if (A.size() == 0) return values;
  for (const std::complex<double>& x : A.eigenvalues()) values.push_back(x);
  std::ranges::sort(values, [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
  });
  return values;
}

}  // namespace

LinearMotion linearize(const Model& shared, const LinearQuestion& question) {
  const Model model = with_own_formulas(shared);
  const MotionSymbols motion(model);
  const Equations equations = derive_equations(model, motion);
  const std::vector<ModeRow> rows =
      mode_rows(model, motion, question.contacts, question.constraints);
  const LinearSystem s = system_at(model, motion, equations, rows, question);
  LinearMotion out;
  const MatrixXd free_q = free_positions(s.position_q, out.coordinates);
  out.speeds = question.order.independent;
  out.A = assemble(s, question, free_q, out.coordinates);
  out.eigenvalues = sorted_eigenvalues(out.A);
  return out;
}

}  // namespace clack
