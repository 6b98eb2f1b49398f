// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

/// One function per subcommand, each in the file of its name. It adds the subcommand with its options and examples
/// to the program; its callback does the work and leaves the exit code in `exit_code`.
namespace clack::command {

using Add = void (*)(CLI::App& program, int& exit_code);

void add_compare(CLI::App& program, int& exit_code);
void add_automaton(CLI::App& program, int& exit_code);
void add_check(CLI::App& program, int& exit_code);
void add_contact(CLI::App& program, int& exit_code);
void add_distance(CLI::App& program, int& exit_code);
void add_embed(CLI::App& program, int& exit_code);
void add_equations(CLI::App& program, int& exit_code);
void add_find(CLI::App& program, int& exit_code);
void add_gallery(CLI::App& program, int& exit_code);
void add_impact(CLI::App& program, int& exit_code);
void add_parts(CLI::App& program, int& exit_code);
void add_plot(CLI::App& program, int& exit_code);
void add_project(CLI::App& program, int& exit_code);
void add_run(CLI::App& program, int& exit_code);
void add_schema(CLI::App& program, int& exit_code);
void add_serve(CLI::App& program, int& exit_code);
void add_import(CLI::App& program, int& exit_code);
void add_solve(CLI::App& program, int& exit_code);
void add_sweep(CLI::App& program, int& exit_code);

}  // namespace clack::command
