// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clack/complementarity/contact_status.hpp"
#include "clack/complementarity/solve_status.hpp"
#include "clack/index.hpp"

namespace clack {

/// The frictional contact problem with Coulomb's exact law: the one that laws, decisions and files
/// share. Block i of every vector belongs to contact i: NORMAL component first, then one (d = 2) or
/// two (d = 3) tangential ones. Find r so that u = W r + q obeys, for every contact,
///
///   r_N >= 0,  u_N >= 0,  r_N u_N = 0;   |r_T| <= mu r_N;   u_T != 0  =>  r_T = -mu r_N u_T/|u_T|
///
/// which is the same as  r = P_K(r - s uh),  uh = u + (mu |u_T|, 0),  for any one s > 0 (de Saxce).
/// W is kept by d x d blocks, row by row of contacts; blocks that are not stored are zero (a dense W
/// stores all of them). W may be singular, unsymmetric, indefinite. Parts that a problem does not
/// have are empty:
///
///   dynamic_mu   mu bounds sticking, dynamic_mu <= mu is what acts once the contact slips
///   offset       |r_T| <= R = offset + mu r_N: a bound without normal reaction (expansion phase)
///   direction    the slip is known (unit vector e):  r_T = -dynamic_mu r_N e,  u_T is free
///
/// A contact without friction and offset has r_T = 0 and no tangential law.
struct FrictionProblem {
  int dimension = 3;  // d: 2 or 3
  std::vector<int> row_start = {
      0};  // contacts + 1: blocks of row i are row_start[i] ... row_start[i + 1] - 1
  std::vector<int> column;     // contact of each block, increasing in a row
  std::vector<double> values;  // d*d numbers per block, row-major
  Eigen::VectorXd q;   // d * contacts: relative velocity (or acceleration) without reactions
  Eigen::VectorXd mu;  // contacts: friction coefficients >= 0
  Eigen::VectorXd dynamic_mu;  // contacts, or empty: mu
  Eigen::VectorXd offset;      // contacts, >= 0, or empty: 0
  Eigen::VectorXd direction;   // (d-1) contacts: unit or zero (not known), or empty: none is known
  double scale = 0.0;          // motion scale, see FrictionTolerances; 0: largest |q|

  int contacts() const { return number_of(mu); }
  int unknowns() const { return dimension * contacts(); }
  int tangents() const { return dimension - 1; }
  double dynamic_mu_of(int i) const { return dynamic_mu.size() == 0 ? mu[i] : dynamic_mu[i]; }
  double offset_of(int i) const { return offset.size() == 0 ? 0.0 : offset[i]; }
  bool is_sliding(int i) const {
    return direction.size() > 0 &&
           direction.segment(i * tangents(), tangents()).squaredNorm() > 0.5;
  }
  /// The contact has a tangential law whose direction is still to be found.
  bool has_tangent_law(int i) const {
    return !is_sliding(i) && (mu[i] > 0.0 || offset_of(i) > 0.0);
  }
  double motion_scale() const {
    return scale > 0.0 ? scale : q.size() == 0 ? 0.0 : q.cwiseAbs().maxCoeff();
  }
  /// The block of contacts (i, i); row-major.
  const double* diagonal_block(int i) const;
};

/// One entry of a matrix in triplet form; repeated places are added.
struct MatrixEntry {
  int row = 0, column = 0;
  double value = 0.0;
};

/// Builds the block storage from scalar entries of W (d nc square), repeated ones added. Every
/// diagonal block is stored.
FrictionProblem make_friction_problem(int dimension, std::span<const MatrixEntry> entries,
                                      const Eigen::Ref<const Eigen::VectorXd>& q,
                                      const Eigen::Ref<const Eigen::VectorXd>& mu);
/// The same for a small dense W; blocks that are entirely zero are left out.
FrictionProblem make_friction_problem(int dimension, const Eigen::Ref<const Eigen::MatrixXd>& W,
                                      const Eigen::Ref<const Eigen::VectorXd>& q,
                                      const Eigen::Ref<const Eigen::VectorXd>& mu);
/// W as a dense matrix (small problems, tests).
Eigen::MatrixXd dense_delassus(const FrictionProblem& problem);

/// Throws InputError naming the contact when mu < 0, a number is not finite, counts disagree, or a
/// contact has no inertia (w_i = trace(W_ii)/d <= 0).
void check_friction_problem(const FrictionProblem& problem, const std::string& where);

/// u = W r + q. The sum of a row takes all normal reactions first, then the tangential ones.
Eigen::VectorXd contact_velocity(const FrictionProblem& problem,
                                 const Eigen::Ref<const Eigen::VectorXd>& reaction);
/// motion += W r, in the same order.
void add_motion(const FrictionProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& reaction,
                Eigen::VectorXd& motion);
/// w_i = trace(W_ii)/d, inverse apparent mass of every contact.
Eigen::VectorXd inverse_apparent_mass(const FrictionProblem& problem);

/// The same problem with the columns of sliding contacts bent by their known friction; these
/// contacts have mu = 0 then and nothing is known any more.
FrictionProblem without_known_slips(const FrictionProblem& problem);
/// The reaction of `problem` that belongs to one of the bent problem, in place.
void restore_known_slips(const FrictionProblem& problem, Eigen::VectorXd& reaction);
/// Sliding mobility  W_NN - mu W_NT e  of a contact with known slip; Painleve when <= 0.
double sliding_mobility(const FrictionProblem& problem, int contact);

/// How far an answer is from Coulomb's law, independent of units. With u recomputed from r and y_i
/// = w_i r_i - uh_i,
///
///   F_i = w_i r_i - P_K(y_i),   value = |F|_2 / |q|_2,   worst = max_i |F_i| / |q|_2
///
/// evaluated without cancellation (F = uh inside the cone, F = w r in the polar cone). Where the
/// slip is known, or the bound has an offset, the cone is a ray or a disk over r_N >= 0:
///
///   F_N = w r_N - max(0, w r_N - u_N);    F_T = w (r_T + mu r_N e)   or   w r_T - P_{|.| <= w R}(w
///   r_T - u_T)
///
/// mu is the dynamic coefficient where the contact moves, else the static one. q = 0: absolute
/// numbers. `floor` = eps | |W||r| + |q| |_2 / |q|_2: below a few times this the value
/// carries no information.
struct FrictionResidual {
  double value = 0.0;
  double worst = 0.0;
  int worst_contact = -1;  // -1 when there is no contact
  double floor = 0.0;
  bool is_absolute = false;
};
FrictionResidual friction_residual(const FrictionProblem& problem,
                                   const Eigen::Ref<const Eigen::VectorXd>& reaction);
/// The same where u = W r + q is at hand, without the floor; takes no memory.
FrictionResidual friction_residual(const FrictionProblem& problem,
                                   const Eigen::Ref<const Eigen::VectorXd>& reaction,
                                   const Eigen::Ref<const Eigen::VectorXd>& velocity);
/// The same value with all w_i = 1: what published tables use. It depends on units; never used to
/// stop.
double plain_friction_residual(const FrictionProblem& problem,
                               const Eigen::Ref<const Eigen::VectorXd>& reaction);
/// |F_i| / |q| of every contact (absolute for q = 0).
Eigen::VectorXd contact_residuals(const FrictionProblem& problem,
                                  const Eigen::Ref<const Eigen::VectorXd>& reaction);

/// What found an answer.
enum class FrictionMethod { none, free, rest, sweeps, second_order, enumeration, lemke };

/// One step of a sweeping method, for logs (docs/tasks/automaton.md).
struct SolverStep {
  enum class Kind { update_normal, update_tangent, test_normal, test_tangent, passed, limit };
  Kind kind = Kind::passed;
  int contact = -1;
};

/// The one answer struct.
/// Flags: "rounding-limit" (the residual is at its rounding floor), "not-unique" (another solution
/// is known), "rest" (u = 0 within the tolerance), "absolute-residual" (q = 0), "indefinite" (see
/// friction_solver.hpp).
struct [[nodiscard]] FrictionResult {
  SolveStatus status = SolveStatus::not_converged;
  FrictionMethod method = FrictionMethod::none;
  Eigen::VectorXd reaction;  // r
  Eigen::VectorXd velocity;  // u = W r + q, recomputed from r
  double residual = 0.0;     // FrictionResidual::value of `reaction`
  int worst_contact = -1;
  double worst = 0.0;
  long iterations = 0;  // sweeps, extragradient and Newton steps together
  double seconds = 0.0;
  std::vector<std::string> flags;
  bool is_hyperstatic = false;  // other reactions give the same velocity; these are the smallest
  std::vector<Eigen::VectorXd> solutions;  // enumeration: every reaction found
  std::vector<SolverStep> path;  // of the sweeps, when asked for (SorproxOptions::records_path)

  bool has_flag(std::string_view flag) const;
};

/// What every contact does: open (no reaction), stick or slip, motions and forces below `tolerance`
/// |q| counting as zero. For people and polishing; the certificate is the residual.
std::vector<ContactStatus> contact_statuses(const FrictionProblem& problem,
                                            const FrictionResult& result, double tolerance);

/// Fills velocity, residual, worst and the status (`solved` when the residual is below the
/// tolerance or at its rounding floor).
void certify(const FrictionProblem& problem, double tolerance, FrictionResult& result);

}  // namespace clack
