// SPDX-License-Identifier: Apache-2.0
#include "clack/formulation/projection.hpp"

#include "clack/formulation/tolerances.hpp"

namespace clack {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ConstrainedMotion project_motion(const Projector& projector,
                                 const Eigen::Ref<const MatrixXd>& mass_matrix,
                                 const Eigen::Ref<const MatrixXd>& jacobian,
                                 const Eigen::Ref<const VectorXd>& force,
                                 const Eigen::Ref<const VectorXd>& bias,
                                 const Stabilisation& stabilisation) {
  ConstrainedMotion out;
  VectorXd wanted = -bias;
  const double a = stabilisation.rate;
  if (a > 0.0 && stabilisation.row_rate.size() > 0) wanted -= 2.0 * a * stabilisation.row_rate;
  if (a > 0.0 && stabilisation.row_value.size() > 0) wanted -= a * a * stabilisation.row_value;
  const VectorXd target = projector.pseudo_inverse * wanted;
  out.acceleration = projector.feasible_mobility * force + projector.impact_projector * target;
  out.constraint_force = mass_matrix * out.acceleration - force;
  out.multipliers = projector.pseudo_inverse.transpose() * out.constraint_force;
  if (jacobian.rows() > 0) {
    out.unreachable = unreachable_part(projector, jacobian, wanted).lpNorm<Eigen::Infinity>();
  }
  return out;
}

FormulationPart ProjectionFormulation::part() {
  FormulationPart part;
  part.name = "projection";
  part.help = "oblique projector by one singular value decomposition; dependent rows need no care";
  part.needs.no_sliding_friction = true;
  part.needs.positive_mass = true;
  part.make = [](const OptionValues&) { return std::make_unique<ProjectionFormulation>(); };
  return part;
}

void ProjectionFormulation::enter(const ModeShape& shape) {
  shape_ = shape;
  n_ = shape.speeds;
  k_ = shape.tangents;
  c_ = static_cast<int>(shape.statuses.size());
  b_ = shape.constraint_rows;
  stick_at_.assign(shape.statuses.size(), -1);
  m_ = c_;
  for (std::size_t i = 0; i < shape.statuses.size(); ++i) {
    if (shape.statuses[i] != ContactStatus::stick) continue;
    stick_at_[i] = m_;
    m_ += k_;
  }
  m_ += b_;
  cutoff_ = shape.rank_cutoff > 0.0 ? shape.rank_cutoff : motion_rank_cutoff;
  scale_.setOnes(n_);
  mass_.setZero(n_, n_);
  rows_.setZero(m_, n_);
  unit_rows_.setZero(m_, n_);
  row_space_.setZero(n_, n_);
  feasible_.setZero(n_, n_);
  product_.setZero(n_, n_);
  constraint_inertia_.setZero(n_, n_);
  for (VectorXd* v : {&bias_, &lengths_, &unit_bias_, &multipliers_, &small_, &longest_yet_})
    v->setZero(m_);
  for (VectorXd* v : {&target_, &acceleration_, &work_, &force_, &smooth_force_}) v->setZero(n_);
  if (m_ > 0) svd_ = Eigen::JacobiSVD<MatrixXd>(m_, n_, Eigen::ComputeFullU | Eigen::ComputeThinV);
  factor_ = Eigen::LLT<MatrixXd>(n_);
}

/// Speeds in units of 1/sqrt(M_jj): the mass matrix then has ones on its diagonal.
void ProjectionFormulation::gather_mass(const Snapshot& s) {
  mass_ = s.mass_matrix();
  for (int j = 0; j < n_; ++j) scale_[j] = mass_(j, j) > 0.0 ? 1.0 / std::sqrt(mass_(j, j)) : 1.0;
  for (int j = 0; j < n_; ++j) {
    mass_.row(j) *= scale_[j];
    mass_.col(j) *= scale_[j];
  }
  smooth_force_ = scale_.cwiseProduct(s.smooth_force());
}

/// Rows and biases in the order normal, sticking friction, constraints; then the same at unit
/// length.
void ProjectionFormulation::gather_rows(const Snapshot& s) {
  rows_.topRows(c_) = s.normal_jacobian();
  bias_.head(c_) = s.gap_bias();
  for (int i = 0; i < c_; ++i) {
    const int at = stick_at_[i];
    if (at < 0) continue;
    rows_.middleRows(at, k_) = s.tangent_jacobian().middleRows(i * k_, k_);
    bias_.segment(at, k_) = s.slip_bias().segment(i * k_, k_);
  }
  rows_.bottomRows(b_) = s.constraint_jacobian();
  bias_.tail(b_) = s.constraint_bias();
  for (int j = 0; j < n_; ++j) rows_.col(j) *= scale_[j];
  const double zero_row = 8.0 * std::max({m_, n_, 1}) * std::numeric_limits<double>::epsilon();
  double longest = 0.0;
  for (int i = 0; i < m_; ++i) {
    lengths_[i] = rows_.row(i).norm();
    longest = std::max(longest, lengths_[i]);
    longest_yet_[i] = std::max(longest_yet_[i], lengths_[i]);
  }
  for (int i = 0; i < m_; ++i) {
    if (lengths_[i] > std::max(zero_row * longest, cutoff_ * longest_yet_[i])) {
      unit_rows_.row(i) = rows_.row(i) / lengths_[i];
      unit_bias_[i] = bias_[i] / lengths_[i];
    } else {  // a vanishing row constrains nothing
      unit_rows_.row(i).setZero();
      unit_bias_[i] = 0.0;
      lengths_[i] = 0.0;
    }
  }
}

int ProjectionFormulation::decompose() {
  if (m_ == 0) return 0;
  svd_.compute(unit_rows_);
  const auto& sigma = svd_.singularValues();
  int rank = 0;
  while (rank < sigma.size() && sigma[rank] > cutoff_ * sigma[0]) ++rank;
  return rank;
}

/// False when rows that depend on each other ask for different accelerations.
bool ProjectionFormulation::accelerate(int rank) {
  target_.setZero();
  small_ = unit_bias_;
  row_space_.setZero();
  for (int i = 0; i < rank; ++i) {
    const double part = svd_.matrixU().col(i).dot(unit_bias_);
    target_.noalias() -= (part / svd_.singularValues()[i]) * svd_.matrixV().col(i);
    small_.noalias() -= part * svd_.matrixU().col(i);  // what no acceleration reaches
    row_space_.noalias() += svd_.matrixV().col(i) * svd_.matrixV().col(i).transpose();
  }
  feasible_.setIdentity();
  feasible_ -= row_space_;
  product_.noalias() = mass_ * feasible_;
  constraint_inertia_.noalias() = feasible_ * product_;
  const double nu = rank < n_ ? constraint_inertia_.trace() / (n_ - rank) : mass_.trace() / n_;
  constraint_inertia_ += nu * row_space_;
  factor_.compute(constraint_inertia_);
  if (factor_.info() != Eigen::Success) return false;
  force_ = smooth_force_;
  force_.noalias() -= mass_ * target_;
  work_.noalias() = feasible_ * force_;
  factor_.solveInPlace(work_);
  acceleration_.noalias() = feasible_ * work_;
  acceleration_ += target_;
  // A locked mechanism at rest neither moves nor has biases above rounding: the free acceleration
  // of its rows (at unit length, speeds scaled: at most |force|) is the size to compare with then.
  const double size = m_ > 0 ? unit_bias_.lpNorm<Eigen::Infinity>() + smooth_force_.norm() +
                                   acceleration_.lpNorm<Eigen::Infinity>()
                             : 0.0;
  return m_ == 0 || small_.lpNorm<Eigen::Infinity>() <= formulation_tolerances.unreachable * size;
}

/// Minimum-norm multipliers of the rows as given, from  f = M dv/dt - force  (in force_).
void ProjectionFormulation::distribute(int rank, ModeForces& forces) {
  small_.setZero();
  for (int i = 0; i < rank; ++i) {
    const double part = svd_.matrixV().col(i).dot(force_) / svd_.singularValues()[i];
    small_.noalias() += part * svd_.matrixU().col(i);
  }
  for (int i = 0; i < m_; ++i) multipliers_[i] = lengths_[i] > 0.0 ? small_[i] / lengths_[i] : 0.0;
  forces.is_hyperstatic = rank < m_;
  if (rank == m_) return;
  orthonormal_null_forces(rank, forces.null_forces);
  silent_.noalias() = forces.null_forces.transpose() * multipliers_;
  multipliers_.noalias() -= forces.null_forces * silent_;
}

/// Orthonormal force distributions of the rows as given that move nothing, by Gram-Schmidt, twice
/// for full accuracy; allocates only when the rank has changed.
void ProjectionFormulation::orthonormal_null_forces(int rank, MatrixXd& null_forces) {
  const Index count = m_ - rank;
  null_forces.resize(m_, count);
  null_forces = svd_.matrixU().rightCols(count);
  silent_.resize(count);
  for (int i = 0; i < m_; ++i) {
    if (lengths_[i] > 0.0) null_forces.row(i) /= lengths_[i];
  }
  for (Index j = 0; j < count; ++j) {
    auto column = null_forces.col(j);
    column.normalize();
    for (int pass = 0; pass < 2; ++pass) {
      for (Index k = 0; k < j; ++k) {
        column -= null_forces.col(k).dot(column) * null_forces.col(k);
      }
      column.normalize();
    }
  }
}

void ProjectionFormulation::solve(const Snapshot& snapshot, ModeForces& forces) {
  gather_mass(snapshot);
  gather_rows(snapshot);
  const int rank = decompose();
  forces.is_finite = accelerate(rank);
  force_.noalias() = mass_ * acceleration_;
  force_ -= smooth_force_;
  distribute(rank, forces);
  scatter(forces);
}

void ProjectionFormulation::scatter(ModeForces& forces) const {
  forces.acceleration = scale_.cwiseProduct(acceleration_);
  forces.normal_force = multipliers_.head(c_);
  forces.friction_force.resize(c_ * k_);
  forces.friction_force.setZero();
  for (int i = 0; i < c_; ++i) {
    const int at = stick_at_[i];
    if (at >= 0) forces.friction_force.segment(i * k_, k_) = multipliers_.segment(at, k_);
  }
  forces.constraint_force = multipliers_.tail(b_);
}

}  // namespace clack
