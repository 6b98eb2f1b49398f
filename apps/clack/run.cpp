// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "clack/error.hpp"
#include "clack/hybrid/draw.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/nearest_name.hpp"
#include "clack/report/report.hpp"
#include "clack/trace/event_table.hpp"
#include "clack/trace/hdf5.hpp"
#include "clack/trace/json.hpp"
#include "clack/trace/output.hpp"
#include "clack/trace/summary.hpp"
#include "commands.hpp"
#include "in_file.hpp"
#include "interruption.hpp"
#include "part_choices.hpp"
#include "progress.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

/// A flag that stands for a key of the model's `run` section.
struct RunFlag {
  std::string key, help;
  std::optional<std::string> value = {};
};

struct RunRequest {
  std::string model, out;
  std::vector<RunFlag> flags;
  std::vector<std::string> settings;  // NAME=FORMULA
  int threads = 1, histories = 20;
  double realtime = 0.0;             // simulated seconds per second; 0: as fast as it goes
  std::optional<double> time_limit;  // s of the clock
  bool has_realtime = false, has_hdf5 = false, has_node_trace = false, is_json = false,
       project = false;
};

std::vector<RunFlag> run_flags(const PartCatalogue& catalogue) {
  const auto part = [&](PartKind kind, const std::string& remark) {
    return RunFlag{std::string(run_key(kind)), list_names(catalogue.names(kind)) + remark};
  };
  return {{"until", "simulated time in s"},
          {"theory", list_names(catalogue.theory_names()) + " (the model's, else the first)"},
          part(PartKind::formulation, " (the theory's)"),
          part(PartKind::decision, " (the theory's)"),
          part(PartKind::impact_law, ": impact law (the theory's)"),
          part(PartKind::integrator, " (the first)"),
          {"tolerance", "of the integrator (1e-9)"},
          {"sample", "interval of the rows of trace.csv in s (until/1000)"}};
}

std::vector<Override> overrides_of(const RunRequest& request) {
  std::vector<Override> overrides = parse_settings(request.settings);
  for (const RunFlag& flag : request.flags)
    if (flag.value) overrides.push_back({"run." + flag.key, *flag.value});
  return overrides;
}

bool is_stdout_coloured() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

void print_text(const Trace& trace, const std::string& folder) {
  const TableStyle style{is_stdout_coloured(), 40};
  std::string text = run_header(trace) + "\n";
  text += trace.cycle ? "the limit cycle, event by event\n" + period_table(trace, style)
                      : event_table(trace, style);
  text += "\n" + run_summary(trace);
  text += "report " + (std::filesystem::path(folder) / "report.html").string() + "\n";
  std::fputs(text.c_str(), stdout);
}

/// Waits for a time of the clock, and no longer than until somebody interrupts.
void pace(std::chrono::steady_clock::time_point until, const Interruption& interruption) {
  constexpr auto patience = std::chrono::milliseconds(50);
  while (std::chrono::steady_clock::now() < until && interruption.reason().empty())
    std::this_thread::sleep_until(std::min(until, std::chrono::steady_clock::now() + patience));
}

std::string default_folder(const std::string& model) {
  return (std::filesystem::path("out") / std::filesystem::path(model).stem()).string();
}

int execute(const RunRequest& request) {
  if (request.threads < 1)
    throw InputError(fmt::format("--threads is {}, must be at least 1", request.threads), "",
                     "leave it out to use one");
  if (request.histories < 0)
    throw InputError(fmt::format("--histories is {}, must not be negative", request.histories), "",
                     "use 0 for none");
  if (request.has_realtime && !(request.realtime > 0.0 && std::isfinite(request.realtime)))
    throw InputError(fmt::format("--realtime is {:g}, must be positive", request.realtime), "",
                     "use 1 for real time, 0.1 for ten times slower, or leave it out");
  if (request.time_limit && !(*request.time_limit > 0.0))
    throw InputError(fmt::format("--time-limit is {:g}, must be positive", *request.time_limit), "",
                     "give seconds, or leave it out");
  const Interruption interruption(request.time_limit);
  const Model model = load_model(request.model, overrides_of(request));
  Trace trace;
  {
    ProgressLine progress(model.run.until);
    RunOptions options;
    const auto start = std::chrono::steady_clock::now();
    options.progress = [&](double t) {
      if (request.realtime > 0.0)
        pace(start + std::chrono::duration_cast<std::chrono::nanoseconds>(
                         std::chrono::duration<double>(t / request.realtime)),
             interruption);
      progress.show(t);
    };
    options.interruption = [&] { return interruption.reason(); };
    options.node_trace = request.has_node_trace;
    options.threads = request.threads;
    options.project = request.project;
    options.histories = request.histories;
    trace = in_file(request.model, [&] { return run(model, options); });
  }
  const std::string folder = request.out.empty() ? default_folder(request.model) : request.out;
  RunFolder files(folder);
  write_run_files(trace, files, report_html(trace, draw_run(model, trace)));
  if (request.has_hdf5) write_hdf5(trace, files.path("trace.h5"));
  files.publish();
  if (request.is_json)
    std::fputs(events_json(trace, WallTime::included).c_str(), stdout);
  else
    print_text(trace, folder);
  if (trace.status == RunStatus::done && !trace.energy.open) return 0;
  std::fflush(stdout);
  if (trace.status != RunStatus::done)
    fmt::print(stderr, "error: {}\nhelp: {}; all results up to here are in {}\n", trace.reason,
               trace.remedy, folder);
  else
    fmt::print(stderr, "error: {}\nhelp: lower --tolerance, or look at {} around that time\n",
               open_ledger_text(trace.energy),
               (std::filesystem::path(folder) / "report.html").string());
  return 1;
}

}  // namespace

void add_run(CLI::App& program, int& exit_code) {
  const PartCatalogue catalogue = catalogue_of(standard_parts());
  const auto request = std::make_shared<RunRequest>();
  request->flags = run_flags(catalogue);
  CLI::App* command =
      program.add_subcommand("run", "simulate a model, event by event, and write a report");
  command->add_option("MODEL", request->model, "model file (YAML)")->required();
  for (RunFlag& flag : request->flags) command->add_option("--" + flag.key, flag.value, flag.help);
  command
      ->add_option("--set", request->settings,
                   "NAME=FORMULA: a parameter, NAME_0 or NAME_dot_0; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--out", request->out, "folder of the results (out/MODEL-NAME)");
  command->add_option("--threads", request->threads,
                      "that solvers may use (1); results do not depend on it");
  command->add_option("--histories", request->histories,
                      "impacts whose inside is recorded in histories.json (20), with laws that have one");
  CLI::Option* realtime = command->add_option(
      "--realtime", request->realtime, "RATE: pace the run, in simulated seconds per second");
  command->add_option("--time-limit", request->time_limit,
                      "seconds of the clock; then the run stops and writes what it has");
  command->add_flag("--hdf5", request->has_hdf5, "also write trace.h5");
  command->add_flag("--node-trace", request->has_node_trace,
                    "log every location of the computation nodes");
  command->add_flag("--project", request->project,
                    "move the state onto constraints that do not hold where they begin");
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer(
      choices_text(catalogue) +
      "\nExamples:\n"
      "  clack run models/woodpecker/three-dof.yaml\n"
      "  clack run models/rod/painleve.yaml --set mu=1.2 --set theta0=0.9 --out out/rod\n"
      "  clack run models/bouncing-ball/bouncing-ball.yaml --until 1 --json\n"
      "Exit code 1: the run ended early for a reason that is explained; 2: the model is not "
      "valid.");
  command->callback([request, realtime, &exit_code] {
    request->has_realtime = realtime->count() > 0;
    exit_code = execute(*request);
  });
}

}  // namespace clack::command
