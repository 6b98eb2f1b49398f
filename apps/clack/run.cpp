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
#include "clack/input_file.hpp"
#include "clack/model/yaml_document.hpp"
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
#include "steering.hpp"

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
  std::optional<std::string> realtime;
  std::string inputs, checkpoint, resume;
  std::optional<double> checkpoint_every;
  std::optional<double> time_limit;  // s of the clock
  bool has_hdf5 = false, has_node_trace = false, is_json = false, project = false,
       is_streaming = false;
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

Steering steering_of(const RunRequest& request) {
  if (request.threads < 1)
    throw InputError(fmt::format("--threads is {}, must be at least 1", request.threads), "",
                     "leave it out to use one");
  if (request.histories < 0)
    throw InputError(fmt::format("--histories is {}, must not be negative", request.histories), "",
                     "use 0 for none");
  if (request.time_limit && !(*request.time_limit > 0.0))
    throw InputError(fmt::format("--time-limit is {:g}, must be positive", *request.time_limit), "",
                     "give seconds, or leave it out");
  if (request.is_streaming && request.is_json)
    throw InputError("--stream and --json both print on stdout", "", "leave one of them out");
  if (request.checkpoint_every && request.checkpoint.empty())
    throw InputError("--checkpoint-every needs --checkpoint", "",
                     "name the file: --checkpoint FILE");
  if (request.checkpoint_every && !(*request.checkpoint_every >= 0.0))
    throw InputError(
        fmt::format("--checkpoint-every is {:g}, must not be negative", *request.checkpoint_every),
        "", "give seconds of the clock");
  if (!request.checkpoint.empty() && request.inputs == "-")
    throw InputError("--checkpoint cannot keep what is still to come on stdin", "",
                     "give the lines in a file: --inputs FILE");
  Steering steering;
  if (request.realtime) steering.rate = parse_rate(*request.realtime);
  steering.inputs = request.inputs;
  steering.is_streaming = request.is_streaming;
  steering.checkpoint = request.checkpoint;
  steering.checkpoint_every = request.checkpoint_every.value_or(steering.checkpoint_every);
  return steering;
}

/// Fixed ticks are steps of rk4, unless the model or the command line names an integrator.
void choose_tick_integrator(const Model& model, double ticks, std::vector<Override>& overrides) {
  const yaml::Node root = yaml::parse(model.resolved_yaml, model.file);
  const yaml::Node* run = root.find("run");
  if (run && run->find("integrator")) return;
  overrides.push_back({"run.integrator", "rk4"});
  overrides.push_back({"run.step", fmt::format("{:.17g}", 1.0 / ticks)});
}

std::string default_folder(const std::string& model) {
  return (std::filesystem::path("out") / std::filesystem::path(model).stem()).string();
}

/// A run that is about to go on, and what its checkpoints will say beside its state.
struct StartedRun {
  Checkpoint frame;
  std::unique_ptr<SteeredRun> run;
};

StartedRun start(const RunRequest& request, const Steering& steering, const RunOptions& options) {
  if (request.model.empty())
    throw InputError("MODEL is required", "", "name a model file, or a checkpoint with --resume");
  StartedRun started;
  Checkpoint& frame = started.frame;
  frame.overrides = overrides_of(request);
  Model model = load_model(request.model, frame.overrides);
  const std::size_t given = frame.overrides.size();
  if (steering.rate.ticks > 0.0)
    choose_tick_integrator(model, steering.rate.ticks, frame.overrides);
  if (frame.overrides.size() > given) model = load_model(request.model, frame.overrides);
  if (!steering.checkpoint.empty()) frame.model_text = read_input_file(request.model);
  frame.model_file = request.model;
  frame.node_trace = request.has_node_trace;
  frame.project = request.project;
  frame.histories = request.histories;
  frame.hdf5 = request.has_hdf5;
  frame.out = request.out.empty() ? default_folder(request.model) : request.out;
  started.run = std::make_unique<SteeredRun>(in_file(
      request.model, [&] { return std::make_unique<Simulation>(std::move(model), options); }));
  return started;
}

StartedRun resume(const RunRequest& request, const RunOptions& options) {
  const bool has_flags = std::ranges::any_of(
      request.flags, [](const RunFlag& flag) { return flag.value.has_value(); });
  if (!request.model.empty() || has_flags || !request.settings.empty() || !request.inputs.empty() ||
      request.realtime)
    throw InputError("--resume goes on with the model, settings and inputs of its checkpoint", "",
                     "leave MODEL, --set, --inputs, --realtime and settings of the run out");
  StartedRun started;
  started.frame = checkpoint_from(read_input_file(request.resume), request.resume);
  Checkpoint& frame = started.frame;
  started.run = std::make_unique<SteeredRun>(
      in_file(frame.model_file, [&] { return resumed(frame, options); }));
  started.run->set_acted(std::move(frame.acted));
  for (const std::string& line : frame.waiting)
    started.run->put(parse_input_line(line, request.resume));
  frame.run = {};
  frame.record = {};
  if (!request.out.empty()) frame.out = request.out;
  return started;
}

/// Runs, and leaves the trace; the files of lines are part of the results.
Trace simulate(const RunRequest& request, const Steering& steering,
               const Interruption& interruption, StartedRun& started) {
  std::optional<ProgressLine> progress;
  RunOptions options;
  const auto start_time = std::chrono::steady_clock::now();
  options.progress = [&](double t) {
    if (steering.rate.pace > 0.0)
      pace(start_time + std::chrono::duration_cast<std::chrono::nanoseconds>(
                            std::chrono::duration<double>(t / steering.rate.pace)),
           interruption);
    if (progress) progress->show(t);
  };
  options.interruption = [&] { return interruption.reason(); };
  options.node_trace = request.has_node_trace;
  options.threads = request.threads;
  options.project = request.project;
  options.histories = request.histories;
  started = request.resume.empty() ? start(request, steering, options) : resume(request, options);
  progress.emplace(started.run->simulation().model().run.until);
  const auto clock = std::chrono::steady_clock::now();
  drive(*started.run, steering, started.frame, interruption);
  Trace trace = started.run->simulation().take_trace();
  trace.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  return trace;
}

int execute(const RunRequest& request) {
  const Steering steering = steering_of(request);
  const Interruption interruption(request.time_limit);
  StartedRun started;
  const Trace trace = simulate(request, steering, interruption, started);
  const Model& model = started.run->simulation().model();
  const std::string& folder = started.frame.out;
  RunFolder files(folder);
  write_run_files(trace, files, report_html(trace, draw_run(model, trace)));
  std::string lines;
  for (const std::string& line : started.run->acted()) lines += line + "\n";
  if (!steering.inputs.empty() || !lines.empty()) files.write("inputs.jsonl", lines);
  if (started.frame.hdf5) write_hdf5(trace, files.path("trace.h5"));
  files.publish();
  if (request.is_json)
    std::fputs(events_json(trace, WallTime::included).c_str(), stdout);
  else if (!steering.is_streaming)
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

void add_steering(CLI::App& command, RunRequest& request) {
  command.add_option(
      "--realtime", request.realtime,
      "RATE: fixed ticks against the clock (1kHz, 500Hz), or a plain number that paces "
      "the run, in simulated seconds per second");
  command.add_option("--inputs", request.inputs,
                     "FILE or - (stdin): inputs, switches, constraints and contacts as JSON lines");
  command.add_flag("--stream", request.is_streaming,
                   "print a JSON line with state and forces per tick or sample");
  command.add_option("--checkpoint", request.checkpoint,
                     "FILE from which --resume goes on after a crash");
  command.add_option("--checkpoint-every", request.checkpoint_every,
                     "seconds of the clock between two checkpoints (60)");
  command.add_option("--resume", request.resume, "FILE: go on from a checkpoint, without MODEL");
}

}  // namespace

void add_run(CLI::App& program, int& exit_code) {
  const PartCatalogue catalogue = catalogue_of(standard_parts());
  const auto request = std::make_shared<RunRequest>();
  request->flags = run_flags(catalogue);
  CLI::App* command =
      program.add_subcommand("run", "simulate a model, event by event, and write a report");
  command->add_option("MODEL", request->model, "model file (YAML)");
  for (RunFlag& flag : request->flags) command->add_option("--" + flag.key, flag.value, flag.help);
  command
      ->add_option("--set", request->settings,
                   "NAME=FORMULA: a parameter, NAME_0 or NAME_dot_0; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--out", request->out, "folder of the results (out/MODEL-NAME)");
  command->add_option("--threads", request->threads,
                      "that solvers may use (1); results do not depend on it");
  command->add_option(
      "--histories", request->histories,
      "impacts whose inside is recorded in histories.json (20), with laws that have one");
  add_steering(*command, *request);
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
  command->callback([request, &exit_code] { exit_code = execute(*request); });
}

}  // namespace clack::command
