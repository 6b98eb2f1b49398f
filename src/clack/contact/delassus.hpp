// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "clack/contact/problem.hpp"

namespace clack {

/// What all impact laws and decisions share: contacts seen through the inverse mass.
///
///   M = L L^T,  x = L^T v  (so that |x|^2 / 2 is the kinetic energy)
///   K = J_b L^-T,  P = I - K^+ K        bilateral rows, which may be dependent
///   D = [J_N; J_T] L^-T P               contact rows, restricted to what the bilateral rows allow
///   G = D D^T = [G_NN G_NT; G_TN G_TT]  (docs/theories/poisson.md; the Delassus matrix, 1/kg)
///
/// Rows are ordered: all normals, then the tangents contact by contact. A contact impulse l changes
/// x by D^T l and the relative motion of the contacts by G l.
struct Delassus {
  int contacts = 0;
  int tangents = 1;                   // per contact
  Eigen::LLT<Eigen::MatrixXd> mass;   // L
  Eigen::MatrixXd contact_rows;       // c d x n: [J_N; J_T] L^-T
  Eigen::MatrixXd reduced_rows;       // c d x n: D
  Eigen::MatrixXd matrix;             // c d x c d: G
  Eigen::MatrixXd bilateral_rows;     // b x n: K
  Eigen::MatrixXd bilateral_inverse;  // n x b: K^+
  bool is_rank_near_cutoff =
      false;  // a singular value of K lies within a factor 100 of the cut-off

  int rows() const { return matrix.rows(); }
};

/// `system` must be valid (see validate). Contacts may be absent.
Delassus make_delassus(const ContactSystem& system, double rank_cutoff);
/// The same into an existing one, whose memory is used again.
void make_delassus(const ContactSystem& system, double rank_cutoff, Delassus& delassus);

/// The motion that would follow without contact forces.
struct FreeMotion {
  Eigen::VectorXd state;    // n, whitened: x = L^T v, or L^T dv/dt
  Eigen::VectorXd contact;  // c d: relative velocity or acceleration of the contact rows
  double scale = 0.0;       // largest sum of absolute terms in a row of `contact`
};

/// Velocity after the external impulse, with the bilateral rows enforced:
///   x = P (L^T v + L^-1 p) + K^+ bilateral_velocity.
FreeMotion free_velocity(const Delassus& delassus, const ImpactProblem& problem);
void free_velocity(const Delassus& delassus, const ImpactProblem& problem, FreeMotion& free);

/// Acceleration by the smooth force, with the bilateral rows enforced:
///   x = P L^-1 force - K^+ bilateral_bias.
FreeMotion free_acceleration(const Delassus& delassus, const ContactProblem& problem);
void free_acceleration(const Delassus& delassus, const ContactProblem& problem, FreeMotion& free);

/// v (or dv/dt) under the contact impulses (forces) `force`, ordered as the rows of G.
Eigen::VectorXd motion_under(const Delassus& delassus, const FreeMotion& free,
                             const Eigen::Ref<const Eigen::VectorXd>& force);

/// The minimum-norm bilateral impulse (force) that goes with a change of x that contacts and smooth
/// forces alone do not explain:  K^T lambda = change.
Eigen::VectorXd bilateral_reaction(const Delassus& delassus,
                                   const Eigen::Ref<const Eigen::VectorXd>& unexplained_change);

/// Reference speed of a system: the largest |speed| and surface velocity in it.
double largest_speed(const ContactSystem& system, const Eigen::VectorXd& velocity);

}  // namespace clack
