// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/report/plot.hpp"
#include "clack/trace/csv.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

struct PlotRequest {
  std::string run, x = "t", file;
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

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void draw(const PlotRequest& request) {
  check(request);
  const CsvTable table = read_run(request.run);
  report::Plot plot;
  plot.title = joined(request.y);
  plot.x_label = request.x == "t" ? "t in s" : request.x;
  plot.width = request.width;
  plot.height = request.height;
  const std::vector<double>& x = table.column(request.x);
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
  command->add_option("--x", request->x, "column along the horizontal axis (t)");
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
      "  clack plot out/three-dof --x phi_S --y phi_S_dot -o portrait.svg");
  command->callback([request, &exit_code] {
    draw(*request);
    exit_code = 0;
  });
}

}  // namespace clack::command
