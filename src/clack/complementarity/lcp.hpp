// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string_view>
#include <vector>

namespace clack {

/// Linear complementarity problem: find z with  z >= 0,  w = M z + q >= 0,  z.w = 0.
struct Lcp {
  Eigen::MatrixXd M;  // n x n, any matrix
  Eigen::VectorXd q;  // n
};

/// `ray`: Lemke ended on a secondary ray, which says nothing about solvability unless M belongs to
/// a class (copositive, ...) for which it does. `unsolvable`: proved. `limit`: pivots or size.
enum class LcpStatus { solved, ray, unsolvable, limit };
std::string_view to_string(LcpStatus status);

struct [[nodiscard]] LcpResult {
  LcpStatus status = LcpStatus::limit;
  Eigen::VectorXd z, w;   // w = M z + q, recomputed from z
  double residual = 0.0;  // unit-free, see lcp_residual
  int pivots = 0;
  bool is_singular = false;  // enumeration: M is singular on a solution face
  std::vector<Eigen::VectorXd>
      solutions;  // enumeration: every solution z (vertices of solution faces)
};

/// max_k |min(z_k, w_k)| / max_k |q_k|, with w recomputed from z (q = 0: absolute).
double lcp_residual(const Lcp& problem, const Eigen::Ref<const Eigen::VectorXd>& z);

/// Throws InputError unless M is n x n for the n numbers of q and all numbers are finite.
void check_lcp(const Lcp& problem);

}  // namespace clack
