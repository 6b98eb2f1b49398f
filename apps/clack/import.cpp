// SPDX-License-Identifier: Apache-2.0
// clack import robot.urdf -o robot.yaml: other people's models as model files.
#include <filesystem>

#include "clack/atomic_file.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/input_file.hpp"
#include "clack/robot/robot.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

struct ImportRequest : robot::ModelOptions {
  std::string file, out;
};

/// By the root of the document, not by the name of the file.
robot::Robot read(const std::string& text, const std::string& file) {
  if (text.find("<mujoco") != std::string::npos) return robot::read_mjcf(text, file);
  if (text.find("<robot") != std::string::npos) return robot::read_urdf(text, file);
  throw InputError("this is neither URDF nor MJCF", file,
                   "give a file whose root is robot or mujoco");
}

int run_import(const ImportRequest& request) {
  if (!std::isfinite(request.friction) || request.friction < 0.0 || !std::isfinite(request.height))
    throw InputError("--friction must not be negative, --height finite", "", "leave them out");
  robot::Robot robot = read(read_input_file(request.file), request.file);
  const std::string text = robot::model_text(robot, request, request.file);
  const std::string head =
      "# Imported from " + std::filesystem::path(request.file).filename().string() + "\n";
  const Model model =
      load_model_text(head + text, request.out.empty() ? request.file : request.out);
  if (request.out.empty()) {
    std::fputs((head + text).c_str(), stdout);
  } else {
    write_file_atomically(request.out, head + text);
    fmt::print("{}: {} bodies, {} joints, {} contacts\n", request.out, model.bodies.size(),
               model.joints.size(), model.contacts.size());
  }
  std::FILE* said = request.out.empty() ? stderr : stdout;
  for (const std::string& note : robot.notes) fmt::print(said, "note: {}\n", note);
  for (const std::string& thing : robot.dropped) fmt::print(said, "dropped: {}\n", thing);
  return 0;
}

}  // namespace

void add_import(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<ImportRequest>();
  CLI::App* command = program.add_subcommand(
      "import", "turn a URDF or the rigid bodies of an MJCF into a model file");
  command->add_option("FILE", request->file, "robot.urdf, or robot.xml of MuJoCo")->required();
  command->add_option("-o,--out", request->out, "the model file; without it it is printed");
  command->add_flag("--ground", request->has_ground,
                    "add a floor at z = 0 that spheres, boxes and capsules touch");
  command->add_flag("--fixed", request->is_fixed, "hold the root link where it is");
  command->add_option("--friction", request->friction, "at the floor (0.5)");
  command->add_option("--height", request->height, "m, lifts the robot (0)");
  command->footer(
      "What has no counterpart is listed, one line each: dropped: WHAT.\n"
      "Examples:\n  clack import examples/robots/arm.urdf -o arm.yaml\n"
      "  clack import examples/robots/hopper.xml -o hopper.yaml");
  command->callback([request, &exit_code] { exit_code = run_import(*request); });
}

}  // namespace clack::command
