// SPDX-License-Identifier: Apache-2.0
#include "clack/linalg/semidefinite_program.hpp"

#include "clack/module.hpp"

namespace clack {

std::string_view to_string(SdpStatus status) {
  switch (status) {
    case SdpStatus::solved:
      return "solved";
    case SdpStatus::reduced_accuracy:
      return "reduced-accuracy";
    case SdpStatus::infeasible:
      return "infeasible";
    case SdpStatus::unbounded:
      return "unbounded";
    case SdpStatus::failed:
      return "failed";
  }
  return "";
}

SdpResult solve(const SemidefiniteProgram& program) {
  static const auto solve_by_csdp = module_function<void(const SemidefiniteProgram&, SdpResult&)>(
      "semidefinite_program", "clack_solve_semidefinite_program");
  SdpResult result;
  solve_by_csdp(program, result);
  return result;
}

}  // namespace clack
