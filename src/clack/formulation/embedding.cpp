// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/embedding.hpp"

#include <cmath>

#include "clack/formulation/tolerances.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// to = from(rows, columns); `to` has its size.
void gather(const MatrixXd& from, const std::vector<int>& rows, const std::vector<int>& columns,
            MatrixXd& to) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i) to(i, j) = from(rows[i], columns[j]);
}

void gather(const VectorXd& from, const std::vector<int>& rows, VectorXd& to) {
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
}

/// to = from(all, columns)^T
void gather_turned(const MatrixXd& from, const std::vector<int>& columns, MatrixXd& to) {
  to.resize(columns.size(), from.rows());
  for (std::size_t j = 0; j < columns.size(); ++j) to.row(j) = from.col(columns[j]).transpose();
}

}  // namespace

FormulationPart EmbeddingFormulation::part() {
  FormulationPart part;
  part.name = "embedding";
  part.help =
      "dependent speeds are eliminated; integrates the independent ones; masses may be singular";
  part.options = {
      in_model(names_option("independent", "speeds it begins with; then it chooses"),
               OptionSection::run),
      choice_option("embedding", {"online", "offline"},
                    "modes are built when they are first needed, or all before the motion begins")};
  part.make = [](const OptionValues& values) {
    return std::make_unique<EmbeddingFormulation>(values.chosen<EmbeddingTime>("embedding"));
  };
  return part;
}

void EmbeddingFormulation::enter(const ModeShape& shape) {
  mode_.enter(shape);
  cutoff_ = shape.rank_cutoff > 0.0 ? shape.rank_cutoff : formulation_tolerances.row_rank;
  has_choice_ = false;
  growth_ = 0.0;
}

void EmbeddingFormulation::take(SpeedChoice choice) {
  choice_ = std::move(choice);
  has_choice_ = true;
  ++choices_;
  growth_ = 0.0;
  const int r = choice_.rank(), p = static_cast<int>(choice_.independent.size());
  dependence_.setZero(r, p);
  tied_.setZero(r, p);
  pivot_block_.setZero(r, r);
  turned_block_.setZero(r, r);
  mass_tied_.setZero(p, r);
  mass_dependent_.setZero(r, r);
  motion_inertia_.setZero(r, p);
  for (VectorXd* of_dependent : {&gamma_, &bias_, &rest_, &along_}) of_dependent->setZero(r);
  embedded_mass_.setZero(p, p);
  for (VectorXd* of_independent : {&embedded_force_, &free_, &pushed_}) of_independent->setZero(p);
  acceleration_.setZero(mode_.speeds());
}

void EmbeddingFormulation::choose(const Snapshot& snapshot) {
  mode_.gather(snapshot);
  take(choose_speeds(mode_.rows(), mode_.scale(), cutoff_));
}

void EmbeddingFormulation::choose(const Snapshot& snapshot, const std::vector<int>& independent) {
  choose(snapshot);
  SpeedChoice choice = choice_;
  choice.independent = independent;
  choice.dependent.clear();
  for (int j = 0; j < mode_.speeds(); ++j)
    if (std::find(independent.begin(), independent.end(), j) == independent.end())
      choice.dependent.push_back(j);
  order_rows(mode_.rows(), choice);
  take(std::move(choice));
}

/// B_D with its factors, and D.
void EmbeddingFormulation::eliminate() {
  if (choice_.rank() == 0) return;
  gather(mode_.rows(), choice_.rows, choice_.dependent, pivot_block_);
  gather(mode_.rows(), choice_.rows, choice_.independent, tied_);
  turned_block_ = pivot_block_.transpose();
  pivot_.compute(pivot_block_);
  turned_.compute(turned_block_);
  dependence_ = pivot_.solve(tied_);
  dependence_ = -dependence_;
  growth_ = 0.0;
  for (Eigen::Index i = 0; i < dependence_.rows(); ++i)
    for (Eigen::Index j = 0; j < dependence_.cols(); ++j)
      growth_ =
          std::max(growth_, std::abs(dependence_(i, j)) * mode_.scale()[choice_.independent[j]] /
                                mode_.scale()[choice_.dependent[i]]);
}

/// The snapshot was evaluated with the dependent speeds at zero, so its rates are B_I u_I + C.
void EmbeddingFormulation::complete(const Snapshot& snapshot, double* v) {
  mode_.gather(snapshot);
  if (choice_.rank() == 0) return;
  gather(mode_.rows(), choice_.rows, choice_.dependent, pivot_block_);
  pivot_.compute(pivot_block_);
  gather(mode_.rate(), choice_.rows, bias_);
  rest_ = pivot_.solve(bias_);
  for (int i = 0; i < choice_.rank(); ++i) v[choice_.dependent[i]] = -rest_[i];
}

/// M~ and f~.
void EmbeddingFormulation::embed() {
  const auto &I = choice_.independent, &D = choice_.dependent;
  const MatrixXd& M = mode_.mass();
  const int r = choice_.rank(), p = static_cast<int>(I.size());
  gather(mode_.force(), I, embedded_force_);
  if (r > 0) {
    gather(mode_.bias(), choice_.rows, bias_);
    gamma_ = pivot_.solve(bias_);
    gamma_ = -gamma_;
    gather(M, I, D, mass_tied_);
    gather(M, D, D, mass_dependent_);
    motion_inertia_.noalias() = mass_dependent_ * dependence_;  // [M T]_D
    motion_inertia_ += mass_tied_.transpose();
    gather(mode_.force(), D, rest_);
    rest_.noalias() -= mass_dependent_ * gamma_;
    embedded_force_.noalias() += dependence_.transpose() * rest_;
    embedded_force_.noalias() -= mass_tied_ * gamma_;
  }
  for (int j = 0; j < p; ++j)
    for (int i = j; i < p; ++i) {
      double entry = M(I[i], I[j]);
      for (int k = 0; k < r; ++k)
        entry += mass_tied_(i, k) * dependence_(k, j) + dependence_(k, i) * motion_inertia_(k, j);
      embedded_mass_(i, j) = embedded_mass_(j, i) = entry;
    }
}

/// The accelerations without the coupling of friction.
void EmbeddingFormulation::move_freely() {
  is_positive_ = true;
  if (embedded_mass_.rows() == 0) return;
  inertia_.compute(embedded_mass_);
  // In units of kinetic energy, so that a grain beside a block, or kg m2 beside kg, is no motion without inertia.
  unit_.resize(embedded_mass_.rows());
  gather(mode_.scale(), choice_.independent, unit_);
  unit_.noalias() = inertia_.transpositionsP() * unit_;
  const auto pivots = inertia_.vectorD().array() * unit_.array().square();
  is_positive_ = inertia_.info() == Eigen::Success &&
                 pivots.minCoeff() > formulation_tolerances.inertia * pivots.maxCoeff();
  if (is_positive_)
    free_ = inertia_.solve(embedded_force_);
  else
    free_.setZero();
}

/// u' = T u_I' + gamma
void EmbeddingFormulation::accelerate() {
  const auto &I = choice_.independent, &D = choice_.dependent;
  for (std::size_t j = 0; j < I.size(); ++j) acceleration_[I[j]] = free_[j];
  for (int i = 0; i < choice_.rank(); ++i)
    acceleration_[D[i]] = dependence_.row(i).dot(free_) + gamma_[i];
}

/// The forces x, and with sliding friction what they do to the motion. False: none exist.
bool EmbeddingFormulation::distribute(ModeForces& forces) {
  const int m = mode_.count(), r = choice_.rank();
  forces.is_hyperstatic = r < m;
  x_.setZero(m);
  accelerate();
  if (r == 0) {  // rows that vanish feel no force at all
    if (m > 0) forces.null_forces = MatrixXd::Identity(m, m);
    return true;
  }
  for (int i = 0; i < r; ++i) {
    const int d = choice_.dependent[i];
    rest_[i] = mode_.mass().col(d).dot(acceleration_) - mode_.force()[d];
  }
  along_ = turned_.solve(rest_);  // T_a^T (M u' - f)
  if (!mode_.slides() && r == m) {
    for (int i = 0; i < r; ++i) x_[choice_.rows[i]] = along_[i];
    return true;
  }
  couple();
  if (r == m) {
    if (!solve_coupled()) return false;
  } else {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> orthogonal(r, m);
    orthogonal.setThreshold(cutoff_);
    orthogonal.compute(system_);
    x_ = orthogonal.solve(along_);
    forces.null_forces = orthogonal.colsPermutation() *
                         orthogonal.matrixZ().transpose().rightCols(m - orthogonal.rank());
  }
  if (!choice_.independent.empty() && mode_.slides()) {
    embedded_force_.noalias() = on_motion_ * x_;
    pushed_ = inertia_.solve(embedded_force_);
    free_ += pushed_;
  }
  accelerate();
  return x_.allFinite();
}

/// T^T F^T and S.
void EmbeddingFormulation::couple() {
  gather_turned(mode_.columns(), choice_.dependent, on_dependent_);
  gather_turned(mode_.columns(), choice_.independent, on_motion_);
  on_motion_.noalias() += dependence_.transpose() * on_dependent_;  // T^T F^T
  system_ = turned_.solve(on_dependent_);
  if (choice_.independent.empty()) return;
  answer_ = inertia_.solve(on_motion_);
  on_dependent_.noalias() = motion_inertia_ * answer_;
  turned_answer_ = turned_.solve(on_dependent_);
  system_ -= turned_answer_;
}

/// S x = T_a^T (M u' - f), S square. False where S is singular.
bool EmbeddingFormulation::solve_coupled() {
  coupled_.compute(system_);
  if (!coupled_.isInvertible()) return false;
  const auto &row = coupled_.permutationP().indices(), &column = coupled_.permutationQ().indices();
  for (Eigen::Index i = 0; i < along_.size(); ++i) rest_[row[i]] = along_[i];
  coupled_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(rest_);
  coupled_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(rest_);
  for (Eigen::Index i = 0; i < rest_.size(); ++i) x_[column[i]] = rest_[i];
  return true;
}

/// What the rows that were left out miss, relative to what the smooth forces alone would give them: a mechanism at rest
/// has no other size.
double EmbeddingFormulation::missed_rows() const {
  if (choice_.dropped.empty()) return 0.0;
  const VectorXd& scale = mode_.scale();
  const double motion =
      scale.cwiseProduct(mode_.force()).norm() + acceleration_.cwiseQuotient(scale).norm();
  double missed = 0.0;
  for (const int r : choice_.dropped) {
    const double left = mode_.rows().row(r).dot(acceleration_) + mode_.bias()[r];
    const double size = mode_.rows().row(r).transpose().cwiseProduct(scale).norm() * motion +
                        std::abs(mode_.bias()[r]);
    if (size > 0.0) missed = std::max(missed, std::abs(left) / size);
  }
  return missed;
}

void EmbeddingFormulation::solve(const Snapshot& snapshot, ModeForces& forces) {
  if (!has_choice_)
    choose(snapshot);
  else
    mode_.gather(snapshot);
  eliminate();
  embed();
  move_freely();
  forces.is_finite = is_positive_ && distribute(forces);
  if (!is_positive_) {
    acceleration_.setConstant(mode_.speeds(), std::numeric_limits<double>::quiet_NaN());
    x_.setZero(mode_.count());
  }
  forces.is_finite = forces.is_finite && acceleration_.allFinite() &&
                     missed_rows() <= formulation_tolerances.unreachable;
  mode_.scatter(acceleration_, x_, forces);
}

}  // namespace clack
