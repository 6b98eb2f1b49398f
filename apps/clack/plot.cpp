// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/json_input.hpp"
#include "clack/report/plot.hpp"
#include "clack/trace/csv.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

struct PlotRequest {
  std::string run, x, file;
  int impact = -1;  // >= 0: its inside instead of the trace
  std::vector<std::string> y;
  double width = 900.0, height = 480.0;
};

void check(const PlotRequest& request) {
  const std::string kind = std::filesystem::path(request.file).extension().string();
  if (kind == ".png")
    throw InputError(
        "plots are written as SVG, not as PNG", request.file,
        "write to a file ending in .svg; any browser shows it and can save it as an image");
  if (kind != ".svg")
    throw InputError("the kind of picture is not known from its name", request.file,
                     "write to a file ending in .svg");
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
  throw InputError(fmt::format("impact {} has no history", impact), path,
                   fmt::format("recorded are impacts {}; --histories of clack run records more", known));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void draw(const PlotRequest& request) {
  check(request);
  const bool is_inside = request.impact >= 0;
  const CsvTable table =
      is_inside ? read_history(request.run, request.impact) : read_run(request.run);
  const std::string along = !request.x.empty() ? request.x : is_inside ? table.columns.at(1) : "t";
  report::Plot plot;
  plot.title = joined(request.y);
  plot.x_label = along == "t" ? "t in s" : along;
  plot.width = request.width;
  plot.height = request.height;
  const std::vector<double>& x = table.column(along);
  plot.is_over_time = std::is_sorted(x.begin(), x.end());
  plot.columns = static_cast<int>(2.0 * request.width);
  plot.most_points = 200000;
  for (const std::string& name : request.y)
    plot.series.push_back({name, x, table.column(name), number_of(plot.series), false});
  plot.has_legend = plot.series.size() > 1;
  if (plot.has_legend) plot.title = request.y.size() > 4 ? "" : plot.title;
  write_file_atomically(request.file, report::standalone_svg(plot));
}

}  // namespace

void add_plot(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<PlotRequest>();
  CLI::App* command = program.add_subcommand("plot", "draw columns of a run's trace");
  command->add_option("RUN", request->run, "folder of a run, or its trace.csv")->required();
  command->add_option("--x", request->x, "column along the horizontal axis (t; impulse or time)");
  command
      ->add_option("--impact", request->impact,
                   "K: the inside of impact K (as in events.json, from 0) instead of the trace")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--y", request->y, "columns, separated by commas")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("-o,--out", request->file, "picture to write, FILE.svg")->required();
  command->add_option("--width", request->width, "pixels (900)");
  command->add_option("--height", request->height, "pixels (480)");
  command->footer(
      "Examples:\n"
      "  clack plot out/three-dof --y phi_S,phi_M -o swing.svg\n"
      "  clack plot out/three-dof --x phi_S --y phi_S_dot -o portrait.svg\n"
      "  clack plot out/five-balls --impact 0 --x impulse --y work -o work.svg");
  command->callback([request, &exit_code] {
    draw(*request);
    exit_code = 0;
  });
}

}  // namespace clack::command
