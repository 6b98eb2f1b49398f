#pragma once
#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clack {

/// The frictional contact problem with Coulomb's exact law. Block i of every vector belongs to
/// contact i: NORMAL component first, then one (d = 2) or two (d = 3) tangential ones. Find r so
/// that u = W r + q obeys, for every contact,
///
///   r_N >= 0,  u_N >= 0,  r_N u_N = 0;   |r_T| <= mu r_N;   u_T != 0  =>  r_T = -mu r_N u_T/|u_T|
///
/// which is the same as  r = P_K(r - s uh),  uh = u + (mu |u_T|, 0),  for any one s > 0 (de Saxce).
/// W is kept by d x d blocks, row by row of contacts; blocks that are not stored are zero. W may be
/// singular, unsymmetric, indefinite.
struct FrictionProblem {
  int dimension = 3;  // d: 2 or 3
  std::vector<int> row_start = {
      0};  // contacts + 1: blocks of row i are row_start[i] ... row_start[i + 1] - 1
  std::vector<int> column;     // contact of each block, increasing in a row
  std::vector<double> values;  // d*d numbers per block, row-major
  Eigen::VectorXd q;   // d * contacts: relative velocity (or acceleration) without reactions
  Eigen::VectorXd mu;  // contacts: friction coefficients >= 0

  int contacts() const { return static_cast<int>(mu.size()); }
  int unknowns() const { return dimension * contacts(); }
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

/// u = W r + q.
Eigen::VectorXd contact_velocity(const FrictionProblem& problem,
                                 const Eigen::Ref<const Eigen::VectorXd>& reaction);
/// w_i = trace(W_ii)/d, inverse apparent mass of every contact.
Eigen::VectorXd inverse_apparent_mass(const FrictionProblem& problem);

/// How far an answer is from Coulomb's law, independent of units. With u recomputed from r and y_i
/// = w_i r_i - uh_i,
///
///   F_i = w_i r_i - P_K(y_i),   value = |F|_2 / |q|_2,   worst = max_i |F_i| / |q|_2
///
/// evaluated without cancellation (F = uh inside the cone, F = w r in the polar cone). q = 0:
/// absolute numbers. `floor` = eps | |W||r| + |q| |_2 / |q|_2: below a few times this the value
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
/// The same value with all w_i = 1: what published tables use. It depends on units; never used to
/// stop.
double plain_friction_residual(const FrictionProblem& problem,
                               const Eigen::Ref<const Eigen::VectorXd>& reaction);
/// |F_i| / |q| of every contact (absolute for q = 0).
Eigen::VectorXd contact_residuals(const FrictionProblem& problem,
                                  const Eigen::Ref<const Eigen::VectorXd>& reaction);

/// `limit`: best iterate only. `unsolvable`: proved, by complete enumeration.
enum class FrictionStatus { solved, limit, unsolvable };
std::string_view to_string(FrictionStatus status);

/// Flags: "rounding-limit" (the residual is at its rounding floor), "not-unique" (another solution
/// is known), "rest" (u = 0 within the tolerance), "absolute-residual" (q = 0), "indefinite" (see
/// friction_solver.hpp).
struct [[nodiscard]] FrictionResult {
  FrictionStatus status = FrictionStatus::limit;
  Eigen::VectorXd reaction;  // r
  Eigen::VectorXd velocity;  // u = W r + q, recomputed from r
  double residual = 0.0;     // FrictionResidual::value of `reaction`
  int worst_contact = -1;
  double worst = 0.0;
  long iterations = 0;  // sweeps, extragradient and Newton steps together
  double seconds = 0.0;
  std::vector<std::string> flags;
  std::vector<Eigen::VectorXd> solutions;  // enumeration: every reaction found

  bool has_flag(std::string_view flag) const;
};

/// Fills velocity, residual, worst and the status (`solved` when the residual is below the
/// tolerance or at its rounding floor).
void certify(const FrictionProblem& problem, double tolerance, FrictionResult& result);

}  // namespace clack
