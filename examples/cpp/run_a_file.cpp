// SPDX-License-Identifier: Apache-2.0
// Runs a model file and looks at the trace:   run_a_file models/woodpecker/three-dof.yaml phi_S
#include <clack/clack.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 3) return std::printf("run_a_file MODEL COLUMN\n"), 2;
  try {
    const clack::Model model = clack::load_model(argv[1], {{"run.until", "0.3"}});
    const clack::Trace trace = clack::run(model);
    const clack::ColumnView column = clack::column(trace, argv[2]);
    std::printf("%s with clack %s: %zu events, %zu impacts\n", model.name.c_str(), clack::version(),
                trace.events.size(), trace.impacts.size());
    std::printf("%s from %.6g to %.6g, at the end %.6g\n", argv[2], column.minCoeff(),
                column.maxCoeff(), column[column.size() - 1]);
    for (const clack::TraceEvent& event : trace.events)
      std::printf("%.7f %s\n", event.t, std::string(clack::to_string(event.kind)).c_str());
    clack::save_run(model, trace, "out");
  } catch (const clack::InputError& error) {
    std::printf("error: %s (%s)\nhelp: %s\n", error.what(), error.where().c_str(),
                error.remedy().c_str());
    return 2;
  }
}
