// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "clack/automaton/automaton_export.hpp"
#include "clack/automaton/spaceex.hpp"
#include "clack/automaton/visited.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/model/contact_source.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

struct AutomatonRequest {
  std::string input, format = "json", output;
  std::optional<std::int64_t> limit;  // of locations
  bool is_visited = false, has_internals = false;
};

/// Standard output, or a file that is there completely or not at all.
class AutomatonOutput {
 public:
  explicit AutomatonOutput(const std::string& path) : path_(path) {
    if (path.empty()) return;
    temporary_ = path + ".part-" + std::to_string(::getpid());
    if (std::filesystem::is_directory(path))
      throw InputError("a folder has this name", path, "choose another name for the output");
    file_ = std::fopen(temporary_.c_str(), "wbx");
    if (file_ == nullptr) fail();
  }
  AutomatonOutput(const AutomatonOutput&) = delete;
  AutomatonOutput& operator=(const AutomatonOutput&) = delete;
  ~AutomatonOutput() {
    if (file_ == stdout) return;
    if (file_ != nullptr) std::fclose(file_);
    if (file_ != nullptr) std::remove(temporary_.c_str());
  }
  void write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }
  void finish() {
    if (file_ == stdout) {
      if (std::fflush(stdout) != 0) fail();
      return;
    }
    std::FILE* file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
      const int reason = errno;
      std::remove(temporary_.c_str());
      errno = reason;
      fail();
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(std::string("the output cannot be written: ") + std::strerror(errno), path_,
                     "check that the folder exists, is writable and has room");
  }
  std::string path_, temporary_;
  std::FILE* file_ = stdout;
};

void write_automaton(const AutomatonRequest& request, const Automaton& automaton, bool is_listed,
                     const AffineAnswer& affine) {
  AutomatonOutput output(request.output);
  const TextSink sink = [&output](std::string_view text) { output.write(text); };
  const ExportOptions options{request.has_internals, is_listed};
  if (request.format == "dot")
    write_dot(automaton, options, sink);
  else if (request.format == "json")
    write_automaton_json(automaton, options, sink);
  else
    write_spaceex(automaton, affine, sink);
  output.finish();
}

int complain(const InputError& e) {
  std::fflush(stdout);
  fmt::print(stderr, "error: {}\nhelp: {}\n", e.what(), e.remedy());
  return 1;
}

/// Graphviz lays out some hundred locations in seconds and thousands not at all.
std::int64_t limit_of(const AutomatonRequest& request) {
  constexpr std::int64_t listed = 1'000'000, drawn = 100;
  return request.limit.value_or(request.format == "dot" && !request.is_visited ? drawn : listed);
}

/// Beyond the limit nothing is listed; as JSON the exact counts are written all the same.
int write_complete(const AutomatonRequest& request, const ContactList& list,
                   const AffineAnswer& affine) {
  try {
    write_automaton(request, build_automaton(list, limit_of(request)), true, affine);
    return 0;
  } catch (const NoAnswer& e) {
    if (request.format == "json") {
      Automaton sizes;
      sizes.list = list;
      sizes.counts = count_automaton(list);
      write_automaton(request, sizes, false, affine);
    }
    return complain(e);
  }
}

int execute_automaton(const AutomatonRequest& request) {
  if (request.limit && *request.limit < 1)
    throw InputError(fmt::format("--limit is {}, must be at least 1", *request.limit), "",
                     "leave it out for 1000000");
  AffineAnswer affine{std::nullopt, "a list of contacts has no equations of motion"};
  if (std::filesystem::path(request.input).extension() == ".json") {
    if (request.is_visited)
      throw InputError("--visited needs a model that can run", request.input,
                       "name a model file (YAML)");
    return write_complete(request, contact_list_from_json(request.input), affine);
  }
  const Model model = load_model(request.input);
  ContactList list = contact_list(model);
  if (request.format == "spaceex")
    affine = has_unlisted_pairs(model)
                 ? AffineAnswer{std::nullopt,
                                "contacts of polygons and polyhedra are made while running"}
                 : affine_model(model);
  if (!request.is_visited && has_unlisted_pairs(model))
    throw InputError(
        "contacts of polygons and polyhedra are made while running: the full automaton has no list",
        model.file, "use --visited for the part that a run visits");
  if (!request.is_visited) return write_complete(request, list, affine);
  RunOptions options;
  options.node_trace = true;
  const Trace trace = run(model, options);
  if (has_unlisted_pairs(model)) list.contacts = trace.contacts;  // those that touched
  write_automaton(request, visited_automaton(list, trace, limit_of(request)), true, affine);
  if (trace.status == RunStatus::done) return 0;
  return complain(NoAnswer(trace.reason, "", trace.remedy));
}

}  // namespace

void add_automaton(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<AutomatonRequest>();
  CLI::App* command = program.add_subcommand(
      "automaton", "the hybrid automaton of a model: all of it, or what a run visits");
  command->add_option("MODEL", request->input, "model file (YAML) or contact list (JSON)")
      ->required();
  command->add_flag("--visited", request->is_visited,
                    "run the model; only what it visits, with counts and times");
  command->add_option(
      "--limit", request->limit,
      "most locations that may be listed (1000000; all of an automaton as dot: 100)");
  command->add_option("--format", request->format, "json (default), dot, spaceex")
      ->check(CLI::IsMember({"json", "dot", "spaceex"}));
  command->add_flag("--internals", request->has_internals,
                    "list what is inside the computation nodes (json, dot)");
  command->add_option("-o,--output", request->output, "file to write (standard output)");
  command->footer(
      "Example: clack automaton models/woodpecker/three-dof.yaml --visited --format dot -o "
      "woodpecker.dot");
  command->callback([request, &exit_code] { exit_code = execute_automaton(*request); });
}

}  // namespace clack::command
