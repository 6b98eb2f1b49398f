// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/metric_projection.hpp"

#include <Eigen/Cholesky>
#include <set>

#include "clack/index.hpp"
#include "clack/linalg/non_negative_least_squares.hpp"
#include "clack/linalg/projector.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

using RowSet = std::vector<int>;  // inequality rows, rising

struct SetAnswer {
  RowSet set;
  Projector projector;
  VectorXd x;            // n
  VectorXd force;        // n: M (x - x0)
  VectorXd multipliers;  // b + |set|: minimum norm (scaled rows)
  double unreached = 0.0;
};

class ActiveSets {
 public:
  ActiveSets(const MetricProjectionProblem& problem, const MetricProjectionTolerances& tolerances);

  MetricProjectionResult by_active_sets();
  MetricProjectionResult by_least_distance(int sets_before);

 private:
  void scale_rows(const MatrixXd& rows, const VectorXd& values, MatrixXd& scaled,
                  VectorXd& scaled_values, VectorXd& roots, bool is_equality);
  MatrixXd rows_of(const RowSet& set) const;
  VectorXd values_of(const RowSet& set) const;
  SetAnswer project(const RowSet& set) const;
  VectorXd slacks(const VectorXd& x) const { return rows_u_ * x - values_u_; }
  NonNegativeLeastSquares non_negative_multipliers(const MatrixXd& rows,
                                                   const VectorXd& force) const;
  bool has_non_negative_multipliers(const SetAnswer& answer) const;
  int row_to_leave(const SetAnswer& answer, bool by_index) const;
  int row_to_enter(const SetAnswer& answer, bool by_index) const;
  MetricProjectionResult contradiction(std::string note) const;
  MetricProjectionResult finish(const SetAnswer& answer) const;
  void distribute(MetricProjectionResult& result) const;

  const MetricProjectionProblem& given_;
  const MetricProjectionTolerances tolerances_;
  Eigen::Index n_, b_, c_;
  Eigen::LLT<MatrixXd> mass_;
  MatrixXd rows_b_, rows_u_;  // scaled to a M^-1 a^T = 1; zero rows stay zero
  VectorXd values_b_, values_u_, roots_b_, roots_u_;
  double scale_ = 0.0;
  std::string empty_contradiction_;
};

ActiveSets::ActiveSets(const MetricProjectionProblem& problem,
                       const MetricProjectionTolerances& tolerances)
    : given_(problem),
      tolerances_(tolerances),
      n_(problem.point.size()),
      b_(problem.equality_rows.rows()),
      c_(problem.inequality_rows.rows()) {
  require_mass_matrix(problem.mass_matrix);
  mass_.compute(problem.mass_matrix);
  scale_ = std::sqrt(std::max(0.0, problem.point.dot(problem.mass_matrix * problem.point)));
  scale_rows(problem.equality_rows, problem.equality_values, rows_b_, values_b_, roots_b_, true);
  scale_rows(problem.inequality_rows, problem.inequality_values, rows_u_, values_u_, roots_u_,
             false);
  if (b_ > 0) scale_ += values_b_.lpNorm<Eigen::Infinity>();
  if (c_ > 0) scale_ += values_u_.lpNorm<Eigen::Infinity>();
}

void ActiveSets::scale_rows(const MatrixXd& rows, const VectorXd& values, MatrixXd& scaled,
                            VectorXd& scaled_values, VectorXd& roots, bool is_equality) {
  scaled = MatrixXd::Zero(rows.rows(), n_);
  scaled_values = VectorXd::Zero(rows.rows());
  roots = VectorXd::Ones(rows.rows());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const VectorXd half = mass_.matrixL().solve(rows.row(i).transpose());
    const double root = half.stableNorm();
    if (root > 0.0) {
      roots[i] = root;
      scaled.row(i) = rows.row(i) / root;
      scaled_values[i] = values[i] / root;
    } else if (values[i] > 0.0 || (is_equality && values[i] != 0.0)) {
      empty_contradiction_ = fmt::format("{} row {} is zero but asks for {:.6g}",
                                         is_equality ? "equality" : "inequality", i, values[i]);
    }
  }
}

MatrixXd ActiveSets::rows_of(const RowSet& set) const {
  MatrixXd rows(b_ + number_of(set), n_);
  rows.topRows(b_) = rows_b_;
  rows.bottomRows(number_of(set)) = rows_u_(set, Eigen::all);
  return rows;
}

VectorXd ActiveSets::values_of(const RowSet& set) const {
  VectorXd values(b_ + number_of(set));
  values.head(b_) = values_b_;
  values.tail(number_of(set)) = values_u_(set);
  return values;
}

// Equalities on the set: x = x0 + S (A+ w - x0); S and A+ as in the closed-form impact.
SetAnswer ActiveSets::project(const RowSet& set) const {
  SetAnswer out;
  out.set = set;
  const MatrixXd rows = rows_of(set);
  const VectorXd values = values_of(set);
  ProjectorOptions options;
  options.rank_cutoff = given_.rank_cutoff;
  out.projector = make_projector(given_.mass_matrix, rows, options);
  const VectorXd target = out.projector.pseudo_inverse * values - given_.point;
  out.x = given_.point + out.projector.impact_projector * target;
  out.force = given_.mass_matrix * (out.x - given_.point);
  out.multipliers = out.projector.pseudo_inverse.transpose() * out.force;
  if (rows.rows() > 0) {
    out.unreached = unreachable_part(out.projector, rows, values).lpNorm<Eigen::Infinity>();
  }
  return out;
}

// rows^T y = force in the kinetic metric, y_u >= 0, in least squares.
NonNegativeLeastSquares ActiveSets::non_negative_multipliers(const MatrixXd& rows,
                                                             const VectorXd& force) const {
  const MatrixXd columns = mass_.matrixL().solve(MatrixXd(rows.transpose()));
  return solve_non_negative(columns, mass_.matrixL().solve(force), b_);
}

bool ActiveSets::has_non_negative_multipliers(const SetAnswer& answer) const {
  const auto found = non_negative_multipliers(rows_of(answer.set), answer.force);
  return found.residual <= tolerances_.multiplier * scale_;
}

// The place in the set of the row that leaves, or -1.
int ActiveSets::row_to_leave(const SetAnswer& answer, bool by_index) const {
  const int size = number_of(answer.set);
  int chosen = -1;
  if (answer.unreached > tolerances_.contradiction * scale_) {
    const VectorXd slack = slacks(answer.x);
    double most = tolerances_.slack * scale_;
    for (int k = 0; k < size; ++k) {
      if (slack[answer.set[k]] <= most) continue;
      chosen = k;
      if (by_index) return chosen;
      most = slack[answer.set[k]];
    }
    return chosen;
  }
  double least = -tolerances_.multiplier * scale_;
  for (int k = 0; k < size; ++k) {
    if (answer.multipliers[b_ + k] >= least) continue;
    chosen = k;
    if (by_index) break;
    least = answer.multipliers[b_ + k];
  }
  const bool is_dependent = answer.projector.rank < answer.multipliers.size();
  if (chosen >= 0 && is_dependent && has_non_negative_multipliers(answer)) return -1;
  return chosen;
}

int ActiveSets::row_to_enter(const SetAnswer& answer, bool by_index) const {
  const VectorXd slack = slacks(answer.x);
  double least = -tolerances_.slack * scale_;
  int chosen = -1;
  for (int i = 0; i < c_; ++i) {
    if (slack[i] >= least) continue;
    if (std::binary_search(answer.set.begin(), answer.set.end(), i)) continue;
    chosen = i;
    if (by_index) return chosen;
    least = slack[i];
  }
  return chosen;
}

MetricProjectionResult ActiveSets::by_active_sets() {
  if (!empty_contradiction_.empty()) return contradiction(empty_contradiction_);
  RowSet set;
  for (int i = 0; i < c_; ++i) {
    if (!rows_u_.row(i).isZero(0.0)) set.push_back(i);
  }
  std::set<RowSet> visited;
  bool by_index = false;
  const int limit = tolerances_.sets_in_any_case + tolerances_.sets_per_row * c_;
  for (int sets = 1; sets <= limit; ++sets) {
    if (!visited.insert(set).second) {
      if (by_index) return by_least_distance(sets);
      by_index = true;
      visited.clear();
      visited.insert(set);
    }
    const SetAnswer answer = project(set);
    const int leaving = row_to_leave(answer, by_index);
    if (leaving >= 0) {
      set.erase(set.begin() + leaving);
      continue;
    }
    if (answer.unreached > tolerances_.contradiction * scale_) return by_least_distance(sets);
    const int entering = row_to_enter(answer, by_index);
    if (entering < 0) {
      MetricProjectionResult result = finish(answer);
      result.sets = sets;
      return result;
    }
    set.insert(std::upper_bound(set.begin(), set.end(), entering), entering);
  }
  return by_least_distance(limit);
}

// With z = L^T (x - x0), equalities eliminated by z = z_b + N y:  min |y|  with  (rows N) y >= what
// is left.
MetricProjectionResult ActiveSets::by_least_distance(int sets_before) {
  if (!empty_contradiction_.empty()) return contradiction(empty_contradiction_);
  const SetAnswer start = project({});
  if (start.unreached > tolerances_.contradiction * scale_) {
    return contradiction(fmt::format("the equalities contradict each other by {:.3g} of the scale",
                                     start.unreached / scale_));
  }
  // An M-orthonormal basis of N(A_b): columns V with V^T M V = I.
  const MatrixXd& null_basis = start.projector.null_basis;
  const MatrixXd reduced = null_basis.transpose() * given_.mass_matrix * null_basis;
  const MatrixXd basis = reduced.llt().matrixL().solve(null_basis.transpose()).transpose();
  const VectorXd wanted = -slacks(start.x);
  const ShortestVector shortest = shortest_vector(rows_u_ * basis, wanted);
  if (!shortest.is_feasible) {
    return contradiction(
        "no motion satisfies all rows: they contradict each other (a pinched body)");
  }
  RowSet set;
  for (int i = 0; i < c_; ++i) {
    if (shortest.multipliers[i] > tolerances_.multiplier * scale_) set.push_back(i);
  }
  SetAnswer answer = project(set);  // the same point with full accuracy, if the set is right
  const VectorXd rough = start.x + basis * shortest.y;
  const double apart =
      std::sqrt(std::max(0.0, (rough - answer.x).dot(given_.mass_matrix * (rough - answer.x))));
  if (apart > tolerances_.same_point * (scale_ + shortest.y.norm())) {
    answer.x = rough;
    answer.force = given_.mass_matrix * (rough - given_.point);
  }
  MetricProjectionResult result = finish(answer);
  result.used_quadratic_program = true;
  result.sets = sets_before;
  return result;
}

MetricProjectionResult ActiveSets::contradiction(std::string note) const {
  MetricProjectionResult out;
  out.status = MetricProjectionStatus::contradictory;
  out.point = given_.point;
  out.generalised_multiplier = VectorXd::Zero(n_);
  out.equality_multipliers = VectorXd::Zero(b_);
  out.inequality_multipliers = VectorXd::Zero(c_);
  out.notes.push_back(std::move(note));
  return out;
}

MetricProjectionResult ActiveSets::finish(const SetAnswer& answer) const {
  MetricProjectionResult out;
  out.status = MetricProjectionStatus::solved;
  out.point = answer.x;
  out.generalised_multiplier = answer.force;
  const VectorXd slack = slacks(answer.x);
  for (int i = 0; i < c_; ++i) {
    if (slack[i] <= tolerances_.slack * scale_ && !rows_u_.row(i).isZero(0.0))
      out.closed.push_back(i);
  }
  for (const int i : answer.set) {
    if (!std::binary_search(out.closed.begin(), out.closed.end(), i)) {
      out.closed.insert(std::upper_bound(out.closed.begin(), out.closed.end(), i), i);
    }
  }
  out.is_near_cutoff = answer.projector.is_near_cutoff;
  out.notes = answer.projector.notes;
  distribute(out);
  return out;
}

// Over every row with zero slack, so that the answer depends neither on the order of the rows nor
// on the path of the active sets.
void ActiveSets::distribute(MetricProjectionResult& result) const {
  result.equality_multipliers = VectorXd::Zero(b_);
  result.inequality_multipliers = VectorXd::Zero(c_);
  const Eigen::Index u = number_of(result.closed);
  MatrixXd rows(b_ + u, n_);
  if (b_ > 0) rows.topRows(b_) = given_.equality_rows;
  if (u > 0) rows.bottomRows(u) = given_.inequality_rows(result.closed, Eigen::all);
  const Distribution found =
      distribute_force(given_.mass_matrix, rows, b_, result.generalised_multiplier, scale_,
                       given_.rank_cutoff, tolerances_);
  result.is_unique = found.is_unique;
  if (found.is_near_cutoff && !result.is_near_cutoff) {
    result.is_near_cutoff = true;
    result.notes.insert(result.notes.end(), found.notes.begin(), found.notes.end());
  }
  // Nearly dependent rows can lose every digit of their single distribution; optimality says that a
  // non-negative one exists within rounding of the force.
  const VectorXd multipliers =
      found.is_admissible ? found.multipliers
                          : non_negative_multipliers(rows, result.generalised_multiplier).x;
  result.equality_multipliers = multipliers.head(b_);
  for (Eigen::Index k = 0; k < u; ++k)
    result.inequality_multipliers[result.closed[k]] = multipliers[b_ + k];
}

}  // namespace

std::string_view to_string(MetricProjectionStatus status) {
  switch (status) {
    case MetricProjectionStatus::solved:
      return "solved";
    case MetricProjectionStatus::contradictory:
      return "contradictory";
    case MetricProjectionStatus::limit:
      return "limit";
  }
  return "";
}

MetricProjectionResult project_in_metric(const MetricProjectionProblem& problem,
                                         const MetricProjectionTolerances& tolerances) {
  return ActiveSets(problem, tolerances).by_active_sets();
}

MetricProjectionResult project_by_least_distance(const MetricProjectionProblem& problem,
                                                 const MetricProjectionTolerances& tolerances) {
  return ActiveSets(problem, tolerances).by_least_distance(0);
}

}  // namespace clack
