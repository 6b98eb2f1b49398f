// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/draw.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/report/gallery_page.hpp"
#include "clack/report/report.hpp"
#include "clack/terminal_text.hpp"
#include "clack/trace/summary.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

namespace fs = std::filesystem;

struct GalleryRequest {
  std::string folder;
  std::string which = "all";
  std::string out = "out/gallery";
  std::optional<std::string> until;
};

/// The models that came with this program: installed beside it, else those of its sources.
fs::path own_models() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = (program.parent_path() / "../share/clack/models").lexically_normal();
  return fs::is_directory(installed, ignored) ? installed : fs::path(CLACK_MODELS);
}

/// The folder given, else ./models, else the models that came with this program.
fs::path models_folder(const std::string& given) {
  const fs::path folder = !given.empty()               ? fs::path(given)
                          : fs::is_directory("models") ? "models"
                                                       : own_models();
  if (!fs::is_directory(folder))
    throw InputError("there is no folder of models", folder.string(),
                     "name one with --models FOLDER");
  return folder;
}

std::vector<fs::path> models_in(const fs::path& folder, const std::string& which) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).string();
    if (entry.is_regular_file() && entry.path().extension() == ".yaml" &&
        (which == "all" || name.find(which) != std::string::npos))
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty())
    throw InputError("no model is called " + which.substr(0, 60), folder.string(),
                     "clack gallery lists them; run all runs all");
  return files;
}

void list(const fs::path& folder) {
  for (const fs::path& file : models_in(folder, "all")) {
    fmt::print("{}\n", file.string());
    try {
      const Model model = load_model(file.string());
      fmt::print("  {}\n", for_terminal(model.name));
      if (!model.about.empty()) fmt::print("  {}\n", for_terminal(model.about));
    } catch (const InputError& e) {
      fmt::print("  cannot be read: {} ({})\n", e.what(), e.where());
    }
  }
}

/// An end for a reason of mechanics, which a model may be there to show.
bool is_explained_by_physics(const Trace& trace) {
  return std::any_of(trace.flags.begin(), trace.flags.end(), [](const std::string& flag) {
    return flag == "no-solution" || flag == "several-solutions";
  });
}

void make_folder(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem)
    throw InputError("the folder cannot be made: " + problem.message(), folder.string(),
                     "name another one with --out");
}

/// Writes the report of a run below the folder of the gallery and makes its card.
GalleryCard report_of(const Model& model, const Trace& trace, const fs::path& folder,
                      const fs::path& name) {
  const Drawing drawing = draw_run(model, trace);
  GalleryCard card = gallery_card(trace, drawing, model.about);
  make_folder(folder / name);
  write_file_atomically((folder / name / "report.html").string(), report_html(trace, drawing));
  card.report = (name / "report.html").generic_string();
  return card;
}

/// Runs one model and prints its line; true when it did what it should.
bool run_one(const fs::path& file, const fs::path& name, std::size_t width,
             const GalleryRequest& request, std::vector<GalleryCard>& cards) {
  std::string status, rest;
  bool is_right = false;
  try {
    std::vector<Override> overrides;
    if (request.until) overrides.push_back({"run.until", *request.until});
    const Model model = load_model(file.string(), overrides);
    const Trace trace = run(model);
    cards.push_back(report_of(model, trace, request.out, name));
    is_right =
        (trace.status == RunStatus::done && !trace.energy.open) || is_explained_by_physics(trace);
    if (!is_right) cards.back().status = "failed";
    status = !is_right ? "failed" : trace.status == RunStatus::done ? "done" : "stopped";
    rest = fmt::format("{:>10}  {:>7}  {:>7}  {:>8.1e}  {:>10}", short_number(trace.final_time),
                       trace.counts.events, trace.counts.impacts, trace.energy.ledger_error,
                       short_duration(trace.wall_seconds));
    if (!trace.reason.empty()) rest += "\n    " + trace.reason;
  } catch (const InputError& e) {
    status = "failed";
    rest = fmt::format("{:>10}  {:>7}  {:>7}  {:>8}  {:>10}\n    {}", "-", "-", "-", "-", "-",
                       e.what());
    if (!e.where().empty()) rest += " (" + e.where() + ")";
    cards.push_back({.name = name.generic_string(),
                     .file = file.string(),
                     .status = "failed",
                     .reason = e.what()});
  }
  fmt::print("{:<{}}  {:<7}  {}\n", file.string(), width, status, rest);
  std::fflush(stdout);
  return is_right;
}

int run_models(const GalleryRequest& request) {
  const fs::path folder = models_folder(request.folder);
  const std::vector<fs::path> files = models_in(folder, request.which);
  std::size_t width = 5, right = 0;
  for (const fs::path& file : files) width = std::max(width, file.string().size());
  fmt::print("{:<{}}  {:<7}  {:>10}  {:>7}  {:>7}  {:>8}  {:>10}\n", "model", width, "status",
             "t, s", "events", "impacts", "ledger", "time");
  std::vector<GalleryCard> cards;
  for (const fs::path& file : files) {
    const fs::path name = file.lexically_relative(folder).replace_extension();
    right += run_one(file, name, width, request, cards) ? 1 : 0;
  }
  const fs::path page = fs::path(request.out) / "index.html";
  make_folder(request.out);
  write_file_atomically(page.string(), gallery_html(cards));
  fmt::print("{} of {} models run\nindex {}\n", right, files.size(), page.string());
  return right == files.size() ? 0 : 1;
}

}  // namespace

void add_gallery(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<GalleryRequest>();
  CLI::App* command =
      program.add_subcommand("gallery", "list the models that come with Clack, or run them");
  command->add_option("--models", request->folder,
                      "folder of models (./models, else those that came with the program)");
  command->require_subcommand(0, 1);
  CLI::App* run_command = command->add_subcommand(
      "run", "run models, print how each ended, write their reports and a page of them all");
  run_command->add_option("WHICH", request->which,
                          "all (default), or part of a name, e.g. woodpecker");
  run_command->add_option("--out", request->out, "folder of the pages (out/gallery)");
  run_command->add_option("--until", request->until,
                          "simulated time in s instead of each model's own");
  const std::string examples =
      "Examples:\n"
      "  clack gallery\n"
      "  clack gallery run all\n"
      "  clack gallery run woodpecker --until 0.5\n"
      "Exit code 1: a model failed. One that stops where mechanics has no or several answers did "
      "not.";
  command->footer(examples);
  run_command->footer(examples);
  run_command->callback([request, &exit_code] { exit_code = run_models(*request); });
  command->callback([request, command, &exit_code] {
    if (!command->get_subcommands().empty()) return;
    list(models_folder(request->folder));
    exit_code = 0;
  });
}

}  // namespace clack::command
