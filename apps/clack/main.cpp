// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/library/version.hpp"
#include "clack/nearest_name.hpp"
#include "clack/terminal_text.hpp"
#include "commands.hpp"

namespace {

void print_error(const std::string& what, const std::string& where, const std::string& remedy) {
  const std::string place = where.empty() ? "" : " (" + where + ")";
  fmt::print(stderr, "error: {}{}\nhelp: {}\n", clack::for_terminal(what),
             clack::for_terminal(place), clack::for_terminal(remedy));
}

/// What is wrong with the command line; a word that is no subcommand gets the nearest one.
int refuse(CLI::App& program, const std::string& first, const std::string& what) {
  std::vector<std::string> known;
  for (const CLI::App* command : program.get_subcommands([](CLI::App*) { return true; }))
    known.push_back(command->get_name());
  const bool is_unknown = !first.empty() && first[0] != '-' &&
                          std::find(known.begin(), known.end(), first) == known.end();
  const std::string nearest =
      is_unknown ? clack::nearest_name_of(first, std::span<const std::string>(known)) : "";
  print_error(is_unknown ? "unknown subcommand " + clack::printable(first, 60) : what, "",
              nearest.empty()
                  ? "clack --help lists the subcommands, clack SUBCOMMAND --help their options"
                  : "did you mean " + nearest + "?");
  return 2;
}

int run(int argc, char** argv) {
  CLI::App program{
      "Clack simulates mechanisms that hit, stick, slip, jam and let go, event by event.", "clack"};
  program.set_version_flag("--version", std::string("clack ") + clack::version());
  program.require_subcommand(1);
  int exit_code = 0;
  constexpr std::array commands = {
      clack::command::add_run,       clack::command::add_plot,     clack::command::add_solve,
      clack::command::add_sweep,     clack::command::add_find,     clack::command::add_project,
      clack::command::add_impact,    clack::command::add_contact,  clack::command::add_equations,
      clack::command::add_embed,     clack::command::add_compare,  clack::command::add_gallery,
      clack::command::add_automaton, clack::command::add_check,    clack::command::add_schema,
      clack::command::add_parts,     clack::command::add_distance, clack::command::add_serve,
      clack::command::add_import};
  for (const auto add : commands) add(program, exit_code);
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    return program.exit(e);
  } catch (const CLI::CallForAllHelp& e) {
    return program.exit(e);
  } catch (const CLI::CallForVersion& e) {
    return program.exit(e);
  } catch (const CLI::ParseError& e) {
    return refuse(program, argc > 1 ? argv[1] : "", e.what());
  }
  return exit_code;
}

/// What was printed has to have arrived.
int flushed(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  print_error(std::string("the output cannot be written: ") + std::strerror(errno), "",
              "make room where it goes");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its writer
  try {
    return flushed(run(argc, argv));
  } catch (const clack::NoAnswer& e) {
    print_error(e.what(), e.where(), e.remedy());
    return 1;
  } catch (const clack::InputError& e) {
    print_error(e.what(), e.where(), e.remedy());
    return 2;
  } catch (const std::bad_alloc&) {
    print_error("the input needs more memory than there is", "", "make the problem smaller");
    return 2;
  } catch (const std::exception& e) {
    print_error(std::string("internal: ") + e.what(), "",
                "please report this with the input that caused it");
    return 3;
  }
}
