// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "clack/complementarity/lcp.hpp"
#include "clack/contact/problem.hpp"
#include "clack/parts/option.hpp"

namespace clack {

/// Speeds after one impact, by a law of a name (impact_law_names). What a problem leaves empty has its default: names, materials,
/// tangent rows and surface velocities zero. Throws InputError for a problem that is not valid and for one that the law does not
/// treat; that no solution exists or was found is a status of the result.
ImpactResult solve_impact(ImpactProblem problem, std::string_view law,
                          const OptionValues& options = {});

/// Forces and next statuses of closed contacts, by a decision of a name (decision_names). The same rules.
ContactResult solve_contact(ContactProblem problem, std::string_view decision,
                            const OptionValues& options = {});

struct LcpOptions {
  std::string solver = "lemke";  // lemke, enumeration (finds every solution)
  double tolerance = 1e-10;      // largest residual that is called solved
  long long limit = 0;           // most pivots or systems; 0: chosen from the size
};
/// z >= 0, w = M z + q >= 0, z.w = 0. Throws InputError for wrong sizes, numbers that are not finite, unknown solvers.
LcpResult solve_lcp(const Lcp& problem, const LcpOptions& options = {});

}  // namespace clack
