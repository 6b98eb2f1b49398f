// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/json_input.hpp"
#include "clack/report/mode_strip.hpp"
#include "clack/report/plot.hpp"
#include "clack/study/views.hpp"
#include "clack/trace/csv.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

struct PlotRequest {
  std::string run, x, file;
  int impact = -1;         // >= 0: its inside instead of the trace
  bool has_modes = false;  // the mode over time instead of columns
  std::vector<std::string> y;
  double width = 900.0, height = 480.0;
};

enum class PictureKind { svg, png, pdf };

PictureKind kind_of(const std::string& file) {
  const std::string kind = std::filesystem::path(file).extension().string();
  if (kind == ".svg") return PictureKind::svg;
  if (kind == ".png") return PictureKind::png;
  if (kind == ".pdf") return PictureKind::pdf;
  throw InputError("the kind of picture is not known from its name", file,
                   "write to a file ending in .svg, .png or .pdf");
}

void check(const PlotRequest& request) {
  (void)kind_of(request.file);
  if (request.has_modes && (!request.x.empty() || !request.y.empty() || request.impact >= 0))
    throw InputError("--modes draws the mode over time, not columns", "",
                     "leave --x, --y and --impact out");
  for (const double size : {request.width, request.height})
    if (!(size >= 100.0 && size <= 20000.0))
      throw InputError(fmt::format("the picture's size is {}, must be in [100, 20000]", size), "",
                       "give width and height in pixels");
}

/// RUN is the folder of a run or its trace.csv.
CsvTable read_run(const std::string& run) {
  std::filesystem::path path(run);
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) path /= "trace.csv";
  return parse_csv(read_input_file(path.string()), path.string());
}

/// The inside of an impact from histories.json of a run's folder.
CsvTable read_history(const std::string& run, int impact) {
  const std::string path = (std::filesystem::path(run) / "histories.json").string();
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    throw InputError("the run has no histories of impacts", path,
                     "run a model with impact law energetic and --histories above 0");
  const nlohmann::json document = read_json_file(path);
  std::string known;
  for (const nlohmann::json& entry : document) {
    const int own = entry.at("impact").get<int>();
    known += fmt::format("{}{}", known.empty() ? "" : ", ", own);
    if (own != impact) continue;
    CsvTable table;
    table.columns = entry.at("columns").get<std::vector<std::string>>();
    table.values.resize(table.columns.size());
    for (const nlohmann::json& row : entry.at("rows"))
      for (std::size_t k = 0; k < table.columns.size(); ++k)
        table.values[k].push_back(row.at(k).get<double>());
    return table;
  }
  throw InputError(
      fmt::format("impact {} has no history", impact), path,
      fmt::format("recorded are impacts {}; --histories of clack run records more", known));
}

ContactStatus status_named(const std::string& name) {
  for (const ContactStatus status :
       {ContactStatus::open, ContactStatus::stick, ContactStatus::trans, ContactStatus::slip})
    if (to_string(status) == name) return status;
  throw std::runtime_error("status " + name + " is not known");
}

/// The modes of a run from its events.json: contacts, their statuses after every event, impacts.
Trace modes_of_run(const nlohmann::json& document, const std::string& place) {
  Trace trace;
  try {
    trace.contacts = document.at("contacts").get<std::vector<std::string>>();
    std::map<std::string, int> number;
    for (const std::string& name : trace.contacts) number.emplace(name, number_of(number));
    std::map<int, ContactStatus> closed;
    for (const nlohmann::json& event : document.at("events")) {
      const double t = event.at("t").get<double>();
      if (!trace.modes.empty()) trace.modes.back().end = t;
      for (const auto& [name, status] : event.at("to").items()) {
        const ContactStatus to = status_named(status.get<std::string>());
        if (to == ContactStatus::open)
          closed.erase(number.at(name));
        else
          closed[number.at(name)] = to;
      }
      TraceMode& mode = trace.modes.emplace_back();
      mode.begin = mode.end = t;
      for (const auto& [contact, status] : closed) mode.closed.push_back({contact, status});
    }
    for (const nlohmann::json& impact : document.at("impacts")) {
      TraceImpact& hit = trace.impacts.emplace_back();
      hit.t = impact.at("t").get<double>();
      for (const nlohmann::json& name : impact.at("contacts"))
        hit.contacts.push_back(number.at(name.get<std::string>()));
    }
  } catch (const std::exception& e) {
    throw InputError(std::string("this is no document of a run: ") + e.what(), place,
                     "give the folder of a run");
  }
  return trace;
}

/// Whether the program ran and succeeded.
bool run_rsvg(std::vector<std::string> words) {
  words.insert(words.begin(), "rsvg-convert");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, "rsvg-convert", nullptr, nullptr, arguments.data(), environ) != 0)
    return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// What is drawn when nothing is asked for: the coordinates of the run, at most four.
std::vector<std::string> default_columns(const PlotRequest& request, const CsvTable& table,
                                         bool is_inside) {
  std::vector<std::string> names;
  const std::filesystem::path document = std::filesystem::path(request.run) / "events.json";
  std::error_code problem;
  if (is_inside)
    names = {"work"};
  else if (std::filesystem::exists(document, problem))
    names = read_json_file(document.string()).at("coordinates").get<std::vector<std::string>>();
  else
    names.assign(table.columns.begin() + 1, table.columns.end());
  constexpr std::size_t most = 4;
  if (names.size() > most) names.resize(most);
  if (names.empty())
    throw InputError("the run has no coordinates", request.run, "name columns with --y");
  return names;
}

/// Through librsvg's program, which takes the place of this file when it is done.
void write_picture(const std::string& file, const std::string& svg) {
  const PictureKind kind = kind_of(file);
  if (kind == PictureKind::svg) {
    write_file_atomically(file, svg);
    return;
  }
  const std::string source = file + ".part.svg", target = file + ".part";
  write_file_atomically(source, report::with_plain_colours(svg));
  const bool is_done = run_rsvg({"-f", kind == PictureKind::png ? "png" : "pdf", "-z",
                                 kind == PictureKind::png ? "2" : "1", "-o", target, source});
  std::remove(source.c_str());
  std::error_code problem;
  if (is_done) std::filesystem::rename(target, file, problem);
  if (is_done && !problem) return;
  std::remove(target.c_str());
  throw InputError("the picture cannot be made: rsvg-convert is missing or failed", file,
                   "install librsvg2-bin, or write to a file ending in .svg");
}

report::Plot plot_of(const PlotRequest& request) {
  const bool is_inside = request.impact >= 0;
  const CsvTable table =
      is_inside ? read_history(request.run, request.impact) : read_run(request.run);
  const std::string along = !request.x.empty() ? request.x : is_inside ? table.columns.at(1) : "t";
  const std::vector<std::string> names =
      request.y.empty() ? default_columns(request, table, is_inside) : request.y;
  report::Plot plot;
  plot.title = joined(names);
  plot.x_label = along == "t" ? "t in s" : along;
  plot.width = request.width;
  plot.height = request.height;
  const std::vector<double>& x = table.column(along);
  plot.is_over_time = std::is_sorted(x.begin(), x.end());
  plot.columns = static_cast<int>(2.0 * request.width);
  plot.most_points = 200000;
  for (const std::string& name : names)
    plot.series.push_back({name, x, table.column(name), number_of(plot.series), false});
  plot.has_legend = plot.series.size() > 1;
  if (plot.has_legend) plot.title = names.size() > 4 ? "" : plot.title;
  return plot;
}

/// The folder of a study, or its results.json; empty: RUN is something else.
std::string study_results(const std::string& run) {
  std::filesystem::path path(run);
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) path /= "results.json";
  return path.filename() == "results.json" && std::filesystem::exists(path, problem) ? path.string()
                                                                                     : "";
}

std::string study_svg(const PlotRequest& request, const std::string& results) {
  if (request.has_modes || request.impact >= 0)
    throw InputError("--modes and --impact draw a run, this is a study", results,
                     "choose a result with --y");
  if (request.y.size() > 1)
    throw InputError(
        fmt::format("a picture of a study shows one result, --y names {}", request.y.size()), "",
        "draw one picture per result");
  return study::view_svg(study::read_record(results),
                         {request.x, request.y.empty() ? "" : request.y.front()},
                         study::field_of(request.width, request.height));
}

void draw(const PlotRequest& request) {
  check(request);
  if (const std::string results = study_results(request.run); !results.empty()) {
    write_picture(request.file, report::standalone(study_svg(request, results)));
    return;
  }
  if (!request.has_modes) {
    write_picture(request.file, report::standalone_svg(plot_of(request)));
    return;
  }
  const std::string document = (std::filesystem::path(request.run) / "events.json").string();
  const Trace trace = modes_of_run(read_json_file(document), document);
  const report::ModeStrip strip = report::draw_mode_strip(trace, request.width);
  if (strip.svg.empty())
    throw InputError("no contact of the run ever touches", document, "draw columns with --y");
  write_picture(request.file, report::standalone(strip.svg));
}

}  // namespace

void add_plot(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<PlotRequest>();
  CLI::App* command =
      program.add_subcommand("plot", "draw columns of a run's trace, or the results of a study");
  command->add_option("RUN", request->run, "folder of a run or of a study, or its trace.csv")
      ->required();
  command->add_option("--x", request->x,
                      "column along the horizontal axis (t; impulse or time); of a study: an axis");
  command
      ->add_option("--impact", request->impact,
                   "K: the inside of impact K (as in events.json, from 0) instead of the trace")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--y", request->y,
                   "columns, separated by commas (the first coordinates); of a study: a kept "
                   "result, or class")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag("--modes", request->has_modes,
                    "the mode over time: a strip per contact, impacts as marks");
  command->add_option("-o,--out", request->file, "picture to write: FILE.svg, FILE.png or FILE.pdf")
      ->required();
  command->add_option("--width", request->width, "pixels (900)");
  command->add_option("--height", request->height, "pixels (480)");
  command->footer(
      "Examples:\n"
      "  clack plot out/three-dof --y phi_S,phi_M -o swing.svg\n"
      "  clack plot out/three-dof --modes -o modes.png\n"
      "  clack plot out/three-dof --x phi_S --y phi_S_dot -o portrait.svg\n"
      "  clack plot out/five-balls --impact 0 --x impulse --y work -o work.svg\n"
      "  clack plot out/woodpecker-map --y class -o map.svg");
  command->callback([request, &exit_code] {
    draw(*request);
    exit_code = 0;
  });
}

}  // namespace clack::command
