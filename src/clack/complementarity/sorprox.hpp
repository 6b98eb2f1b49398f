// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// In which order one sweep visits the unknowns. `by_component`: all normal reactions, then all
/// tangential ones, as the contact and impact nodes of the multi-rigid-body automaton do
/// (docs/theories/newton.md). `by_contact`: normal and tangential part of one contact together;
/// half the memory traffic. Both have the same fixed points.
enum class SorproxOrder { by_contact, by_component };

struct SorproxOptions {
  double tolerance = 1e-8;   // on the unit-free residual
  long sweep_limit = 10000;  // over all relaxation factors together
  std::vector<double> relaxation = {1.0, 0.6,
                                    0.3};  // next one when the residual has stopped falling
  SorproxOrder order = SorproxOrder::by_contact;
  Eigen::VectorXd start;      // warm start; empty: 0 (reproducible)
  bool records_path = false;  // FrictionResult::path: every update, and the tests after a sweep
  std::function<void(long sweeps, double residual)> progress;
};

/// SORPROX: Gauss-Seidel with projection. With xi = W f + b (b = q) and the blocks A, B, C of W
/// (normal-normal, normal-tangential, tangential-tangential), for every contact i
///
///   Phi_N = -(1/A_ii) [sum_{j != i} A_ij f_N,j + sum_j B_ij f_T,j + b_N]
///   f_N  <- max(0, (1 - a) f_N + a Phi_N)
///   f_T  <- proj_{|.| <= offset + mu f_N} (f_T - (a / lambda_max(C_ii)) xi_T)
///
/// (corrected equations 15, 16, 18, 19 of P0; the scalar tangential step keeps friction opposite to
/// the slip also where C_ii is not a multiple of the identity). For mu = 0 and W symmetric positive
/// semidefinite it converges for 0 < a < 2; with friction there is no guarantee, hence the restarts
/// from the best iterate with smaller a, and status
/// `not_converged`. About 30 ns per contact and sweep with
/// ten neighbours; no dense matrix is formed.
FrictionResult solve_sorprox(const FrictionProblem& problem, const SorproxOptions& options = {});

/// The prepared problem, for callers that sweep themselves (benchmarks).
class SorproxSweeper {
 public:
  explicit SorproxSweeper(const FrictionProblem& problem);
  /// One sweep over all contacts with relaxation a; returns max_i w_i |change of f_i|, a velocity.
  double sweep(double relaxation, SorproxOrder order = SorproxOrder::by_contact);

  const std::vector<double>& reaction() const { return f_; }
  void set_reaction(const Eigen::Ref<const Eigen::VectorXd>& reaction);
  Eigen::VectorXd reaction_vector() const;

 private:
  struct Diagonal {
    double block[9];      // W_ii, row-major
    double normal_step;   // 1 / A_ii
    double tangent_step;  // 1 / lambda_max(C_ii)
    double weight;        // w_i
    double mu;
    double offset;  // |f_T| <= offset + mu f_N
  };
  void neighbour_velocity(int contact, double* xi) const;
  double update(int contact, double relaxation, bool does_normal, bool does_tangent);
  double sweep_by_contact_avx2(double relaxation);

  int dimension_;
  int contacts_;
  bool has_avx2_ = false;
  std::vector<int> row_start_, column_;  // off-diagonal blocks; column_ holds d * contact
  std::vector<double> blocks_;  // off-diagonal, column-major, padded at the end for 4-wide loads
  std::vector<Diagonal> diagonal_;
  std::vector<double> q_, f_;
};

}  // namespace clack
