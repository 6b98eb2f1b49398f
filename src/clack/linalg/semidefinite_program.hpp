// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <string_view>
#include <vector>

namespace clack {

/// min c.x  subject to  sum_i x_i F_i - F_0 positive semidefinite, all F block diagonal and
/// symmetric (SDPA form).
struct SemidefiniteProgram {
  struct Entry {  // indices from 0; upper triangle, row <= column; the mirror entry is implied
    int block, row, column;
    double value;
  };
  struct Block {
    int size = 0;
    bool is_diagonal = false;
  };
  std::vector<Block> blocks;
  Eigen::VectorXd cost;                   // k
  std::vector<std::vector<Entry>> terms;  // k + 1: F_0, F_1, ..., F_k; none of F_1..F_k empty
};

enum class SdpStatus { solved, reduced_accuracy, infeasible, unbounded, failed };
std::string_view to_string(SdpStatus status);

struct [[nodiscard]] SdpResult {
  SdpStatus status = SdpStatus::failed;
  Eigen::VectorXd x;       // k
  double objective = 0.0;  // c.x
  int solver_code = 0;     // CSDP's own return code
};

/// By CSDP's interior point routine. Prints nothing and reads no file: all its parameters are set
/// here.
SdpResult solve(const SemidefiniteProgram& program);

}  // namespace clack
