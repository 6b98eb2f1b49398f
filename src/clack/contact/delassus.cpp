// SPDX-License-Identifier: Apache-2.0
#include "clack/contact/delassus.hpp"

#include <Eigen/SVD>

#include "clack/contact/tolerances.hpp"

namespace clack {
namespace {

/// K^+ by singular values; those below cutoff * largest count as zero.
void invert_bilateral_rows(Delassus& delassus, double rank_cutoff) {
  const Eigen::MatrixXd& k = delassus.bilateral_rows;
  const double larger = static_cast<double>(std::max(k.rows(), k.cols()));
  const double relative = rank_cutoff > 0.0 ? rank_cutoff
                                            : contact_tolerances.rank_rounding * larger *
                                                  std::numeric_limits<double>::epsilon();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(k, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& sigma = svd.singularValues();
  const double cutoff = relative * (sigma.size() > 0 ? sigma[0] : 0.0);
  Eigen::VectorXd inverse = Eigen::VectorXd::Zero(sigma.size());
  for (Eigen::Index i = 0; i < sigma.size(); ++i) {
    if (sigma[i] > cutoff) inverse[i] = 1.0 / sigma[i];
    const double near = contact_tolerances.near_cutoff;
    if (sigma[i] > cutoff / near && sigma[i] < cutoff * near) delassus.is_rank_near_cutoff = true;
  }
  delassus.bilateral_inverse = svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
}

/// Contact rows of the motion x minus (or plus) what surfaces or biases contribute.
void fill_contact_motion(const Delassus& delassus, const Eigen::VectorXd& normal_part,
                         const Eigen::VectorXd& tangent_part, double sign, FreeMotion& free) {
  free.contact.noalias() = delassus.contact_rows * free.state;
  const Eigen::Index c = delassus.contacts;
  if (normal_part.size() > 0) free.contact.head(c) += sign * normal_part;
  if (tangent_part.size() > 0) free.contact.tail(free.contact.size() - c) += sign * tangent_part;
  free.scale = 0.0;
  for (Eigen::Index i = 0; i < free.contact.size(); ++i) {
    double size = delassus.contact_rows.row(i).cwiseAbs().dot(free.state.cwiseAbs().transpose());
    if (i < c && normal_part.size() > 0) size += std::abs(normal_part[i]);
    if (i >= c && tangent_part.size() > 0) size += std::abs(tangent_part[i - c]);
    free.scale = std::max(free.scale, size);
  }
}

void project(const Delassus& delassus, Eigen::VectorXd& x) {
  if (delassus.bilateral_rows.rows() == 0) return;
  x -= delassus.bilateral_inverse * (delassus.bilateral_rows * x);
}

}  // namespace

Delassus make_delassus(const ContactSystem& system, double rank_cutoff) {
  Delassus delassus;
  make_delassus(system, rank_cutoff, delassus);
  return delassus;
}

void make_delassus(const ContactSystem& system, double rank_cutoff, Delassus& delassus) {
  delassus.is_rank_near_cutoff = false;
  delassus.bilateral_rows.resize(0, system.velocity.size());
  delassus.bilateral_inverse.resize(system.velocity.size(), 0);
  delassus.contacts = system.contacts();
  delassus.tangents = system.tangents();
  delassus.mass.compute(system.mass_matrix);
  const Eigen::Index c = system.normal_jacobian.rows(), n = system.velocity.size();
  delassus.contact_rows.resize(c + system.tangent_jacobian.rows(), n);
  delassus.contact_rows.topRows(c) = system.normal_jacobian;
  delassus.contact_rows.bottomRows(system.tangent_jacobian.rows()) = system.tangent_jacobian;
  delassus.mass.matrixU().solveInPlace<Eigen::OnTheRight>(delassus.contact_rows);
  delassus.reduced_rows = delassus.contact_rows;
  if (system.bilateral.rows() > 0) {
    delassus.bilateral_rows = system.bilateral;
    delassus.mass.matrixU().solveInPlace<Eigen::OnTheRight>(delassus.bilateral_rows);
    invert_bilateral_rows(delassus, rank_cutoff);
    delassus.reduced_rows -=
        (delassus.contact_rows * delassus.bilateral_inverse) * delassus.bilateral_rows;
    // What the bilateral rows hold entirely is left with rounding noise: that is no mobility.
    for (Eigen::Index k = 0; k < delassus.reduced_rows.rows(); ++k)
      if (delassus.reduced_rows.row(k).norm() <=
          contact_tolerances.rank * delassus.contact_rows.row(k).norm())
        delassus.reduced_rows.row(k).setZero();
  }
  delassus.matrix.noalias() = delassus.reduced_rows * delassus.reduced_rows.transpose();
}

FreeMotion free_velocity(const Delassus& delassus, const ImpactProblem& problem) {
  FreeMotion free;
  free_velocity(delassus, problem, free);
  return free;
}

void free_velocity(const Delassus& delassus, const ImpactProblem& problem, FreeMotion& free) {
  free.state.resize(problem.velocity.size());
  free.state.noalias() = delassus.mass.matrixU() * problem.velocity;
  if (problem.external_impulse.size() > 0)
    free.state += delassus.mass.matrixL().solve(problem.external_impulse);
  project(delassus, free.state);
  if (problem.bilateral_velocity.size() > 0)
    free.state += delassus.bilateral_inverse * problem.bilateral_velocity;
  fill_contact_motion(delassus, problem.normal_surface_velocity, problem.tangent_surface_velocity,
                      -1.0, free);
}

FreeMotion free_acceleration(const Delassus& delassus, const ContactProblem& problem) {
  FreeMotion free;
  free_acceleration(delassus, problem, free);
  return free;
}

void free_acceleration(const Delassus& delassus, const ContactProblem& problem, FreeMotion& free) {
  free.state = problem.force;
  delassus.mass.matrixL().solveInPlace(free.state);
  project(delassus, free.state);
  if (problem.bilateral_bias.size() > 0)
    free.state -= delassus.bilateral_inverse * problem.bilateral_bias;
  fill_contact_motion(delassus, problem.gap_bias, problem.slip_bias, 1.0, free);
}

Eigen::VectorXd motion_under(const Delassus& delassus, const FreeMotion& free,
                             const Eigen::Ref<const Eigen::VectorXd>& force) {
  Eigen::VectorXd x = free.state;
  x.noalias() += delassus.reduced_rows.transpose() * force;
  delassus.mass.matrixU().solveInPlace(x);
  return x;
}

Eigen::VectorXd bilateral_reaction(const Delassus& delassus,
                                   const Eigen::Ref<const Eigen::VectorXd>& unexplained_change) {
  if (delassus.bilateral_rows.rows() == 0) return Eigen::VectorXd(0);
  return delassus.bilateral_inverse.transpose() * unexplained_change;
}

double largest_speed(const ContactSystem& system, const Eigen::VectorXd& velocity) {
  double speed = velocity.size() > 0 ? velocity.cwiseAbs().maxCoeff() : 0.0;
  if (system.normal_surface_velocity.size() > 0)
    speed = std::max(speed, system.normal_surface_velocity.cwiseAbs().maxCoeff());
  if (system.tangent_surface_velocity.size() > 0)
    speed = std::max(speed, system.tangent_surface_velocity.cwiseAbs().maxCoeff());
  return speed;
}

}  // namespace clack
