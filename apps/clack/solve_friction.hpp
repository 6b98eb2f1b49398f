// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

namespace clack::command {

/// `clack solve friction FILE`, below `clack solve`.
void add_solve_friction(CLI::App& solve, int& exit_code);

}  // namespace clack::command
