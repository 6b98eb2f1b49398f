// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/embedding.hpp"

#include <cmath>

#include "clack/formulation/tolerances.hpp"

namespace clack {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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
  growth_ = 0.0;
  const int r = choice_.rank(), p = static_cast<int>(choice_.independent.size());
  dependence_.setZero(r, p);
  tied_.setZero(r, p);
  gamma_.setZero(r);
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
  pivot_block_ = mode_.rows()(choice_.rows, choice_.dependent);
  tied_ = mode_.rows()(choice_.rows, choice_.independent);
  pivot_.compute(pivot_block_);
  turned_.compute(pivot_block_.transpose());
  dependence_ = -pivot_.solve(tied_);
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
  pivot_block_ = mode_.rows()(choice_.rows, choice_.dependent);
  pivot_.compute(pivot_block_);
  const VectorXd dependent = pivot_.solve(mode_.rate()(choice_.rows));
  for (int i = 0; i < choice_.rank(); ++i) v[choice_.dependent[i]] = -dependent[i];
}

/// M~, f~ and the accelerations without the coupling of friction.
void EmbeddingFormulation::embed() {
  const auto &I = choice_.independent, &D = choice_.dependent;
  const MatrixXd& M = mode_.mass();
  const int r = choice_.rank(), p = static_cast<int>(I.size());
  embedded_mass_ = M(I, I);
  embedded_force_ = mode_.force()(I);
  if (r > 0) {
    gamma_ = -pivot_.solve(mode_.bias()(choice_.rows));
    const MatrixXd MID = M(I, D), MDD = M(D, D);
    motion_inertia_ = MID.transpose() + MDD * dependence_;  // [M T]_D
    embedded_mass_ += MID * dependence_ + dependence_.transpose() * motion_inertia_;
    embedded_force_ += dependence_.transpose() * (mode_.force()(D) - MDD * gamma_) - MID * gamma_;
  }
  embedded_mass_ = (0.5 * (embedded_mass_ + embedded_mass_.transpose())).eval();
  is_positive_ = true;
  free_.setZero(p);
  if (p > 0) {
    inertia_.compute(embedded_mass_);
    // In units of kinetic energy, so that a grain beside a block, or kg m2 beside kg, is no motion without inertia.
    const VectorXd unit = inertia_.transpositionsP() * VectorXd(mode_.scale()(I));
    const VectorXd pivots = inertia_.vectorD().cwiseProduct(unit.cwiseAbs2());
    is_positive_ = inertia_.info() == Eigen::Success &&
                   pivots.minCoeff() > formulation_tolerances.inertia * pivots.maxCoeff();
    if (is_positive_) free_ = inertia_.solve(embedded_force_);
  }
}

/// The forces x, and with sliding friction what they do to the motion. False: none exist.
bool EmbeddingFormulation::distribute(ModeForces& forces) {
  const auto &I = choice_.independent, &D = choice_.dependent;
  const int m = mode_.count(), r = choice_.rank();
  forces.is_hyperstatic = r < m;
  x_.setZero(m);
  const auto accelerate = [&] {
    acceleration_.resize(mode_.speeds());
    for (std::size_t j = 0; j < I.size(); ++j) acceleration_[I[j]] = free_[j];
    if (r == 0) return;
    const VectorXd dependent = dependence_ * free_ + gamma_;
    for (int i = 0; i < r; ++i) acceleration_[D[i]] = dependent[i];
  };
  accelerate();
  if (r == 0) {  // rows that vanish feel no force at all
    if (m > 0) forces.null_forces = MatrixXd::Identity(m, m);
    return true;
  }
  rest_ = mode_.mass() * acceleration_ - mode_.force();
  const VectorXd along = turned_.solve(VectorXd(rest_(D)));  // T_a^T (M u' - f)
  if (!mode_.slides() && r == m) {
    for (int i = 0; i < r; ++i) x_[choice_.rows[i]] = along[i];
    return true;
  }
  const MatrixXd FD = mode_.columns()(Eigen::all, D), FI = mode_.columns()(Eigen::all, I);
  const MatrixXd on_motion = FI.transpose() + dependence_.transpose() * FD.transpose();  // T^T F^T
  MatrixXd system = turned_.solve(MatrixXd(FD.transpose()));
  if (!I.empty()) {
    const MatrixXd answer = inertia_.solve(on_motion);
    const MatrixXd MT =
        mode_.mass()(D, I) + mode_.mass()(D, D) * dependence_;  // dependent rows of M T
    system -= turned_.solve(MatrixXd(MT * answer));
  }
  if (r == m) {
    const Eigen::FullPivLU<MatrixXd> lu(system);
    if (!lu.isInvertible()) return false;
    x_ = lu.solve(along);
  } else {
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> orthogonal(r, m);
    orthogonal.setThreshold(cutoff_);
    orthogonal.compute(system);
    x_ = orthogonal.solve(along);
    forces.null_forces = orthogonal.colsPermutation() *
                         orthogonal.matrixZ().transpose().rightCols(m - orthogonal.rank());
  }
  if (!I.empty() && mode_.slides()) free_ += inertia_.solve(on_motion * x_);
  accelerate();
  return x_.allFinite();
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
