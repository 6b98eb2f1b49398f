// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/laboratory/http.hpp"
#include "commands.hpp"

namespace clack::command {
namespace {

struct ServeRequest {
  std::string model;
  int port = 0;
  bool is_quiet = false;  // open no browser
  double seconds = 20.0;
};

constexpr rlim_t most_memory = 4ULL << 30U;  // bytes of address space

constexpr const char* first_model =
    "clack: 1\nname: a ball that bounces\nparameters: {h: 1, e: 0.7, g: 9.81}\ngravity: [0, "
    "-g]\nbodies:\n"
    "  ball: {mass: 1, inertia: 0.004, position: [0, h], velocity: [0.3, 0], shape: {disk: "
    "{radius: 0.1}}}\n"
    "  floor: {fixed: true, shape: {half-plane: {normal: [0, 1]}}}\n"
    "contacts:\n  touch: {between: [ball, floor], friction: 0.3, restitution: e}\nrun: {until: "
    "3}\n";

/// With a screen and a program for it; nothing happens otherwise.
void open_browser(const std::string& address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const std::string command = "xdg-open '" + address + "' >/dev/null 2>&1 &";
  if (std::system(command.c_str()) != 0) return;
}

int serve(const ServeRequest& request) {
  if (request.port < 0 || request.port > 65535)
    throw InputError(fmt::format("--port is {}, must be in [0, 65535]", request.port), "",
                     "leave it out: a free one is taken");
  if (!(request.seconds > 0.0 && request.seconds <= 3600.0))
    throw InputError(fmt::format("--time-limit is {:g}, must be in (0, 3600]", request.seconds), "",
                     "give seconds");
  LabModel model{first_model, "ball.yaml", std::filesystem::current_path().string()};
  if (!request.model.empty()) {
    const std::filesystem::path path(request.model);
    model = {read_input_file(request.model), path.filename().string(),
             std::filesystem::absolute(path).parent_path().string()};
  }
  const rlimit memory{most_memory, most_memory};
  setrlimit(RLIMIT_AS, &memory);
  LabLimits limits;
  limits.seconds = request.seconds;
  std::unique_ptr<Laboratory> laboratory;
  HttpService service;
  service.answer = [&](const LabRequest& asked) { return laboratory->answer(asked); };
  service.ready = [&](int port) {
    laboratory = std::make_unique<Laboratory>(model, fmt::format("127.0.0.1:{}", port), limits);
    const std::string address = fmt::format("http://127.0.0.1:{}/", port);
    fmt::print("{}\n", address);
    std::fflush(stdout);
    fmt::print(stderr, "Ctrl-C ends it; only programs on this machine can reach it\n");
    if (!request.is_quiet) open_browser(address);
  };
  serve_http(request.port, service);
  return 0;
}

}  // namespace

void add_serve(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<ServeRequest>();
  CLI::App* command = program.add_subcommand(
      "serve", "edit, run and watch a model in the browser, on this machine only");
  command->add_option("MODEL", request->model,
                      "model file (YAML) to begin with; it is not written to");
  command->add_option("--port", request->port, "of the loopback address (a free one)");
  command->add_option("--time-limit", request->seconds,
                      "seconds of the clock that a run may take (20)");
  command->add_flag("--no-browser", request->is_quiet, "print the address only");
  command->footer(
      "Examples:\n"
      "  clack serve\n"
      "  clack serve models/woodpecker/three-dof.yaml --no-browser --port 8080\n"
      "The address is the first line printed. Nothing is written to disk; every file of a run can "
      "be saved from the page.");
  command->callback([request, &exit_code] { exit_code = serve(*request); });
}

}  // namespace clack::command
