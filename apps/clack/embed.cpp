// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/embed.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "clack/json_output.hpp"
#include "commands.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

struct EmbedCommand {
  std::string model, constraints, state, formulation = "embedding";
  std::vector<std::string> settings;
  bool project = false, linearize = false, is_json = false;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

nlohmann::ordered_json linear_json(const Model& model, const LinearMotion& linear) {
  nlohmann::ordered_json out;
  out["coordinates"] = nlohmann::ordered_json::array();
  for (const int k : linear.coordinates) out["coordinates"].push_back(model.coordinates[k].name);
  out["speeds"] = nlohmann::ordered_json::array();
  for (const int j : linear.speeds) out["speeds"].push_back(model.speeds[j].name);
  out["A"] = nlohmann::ordered_json::array();
  for (Eigen::Index i = 0; i < linear.A.rows(); ++i)
    out["A"].push_back(to_json_list(Eigen::VectorXd(linear.A.row(i))));
  out["eigenvalues"] = nlohmann::ordered_json::array();
  for (const std::complex<double>& x : linear.eigenvalues)
    out["eigenvalues"].push_back({x.real(), x.imag()});
  return out;
}

std::string json_of(const Model& model, const EmbedAnswer& answer) {
  nlohmann::ordered_json out;
  out["independent"] = answer.independent;
  out["dependent"] = answer.dependent;
  out["acceleration"] = to_json_list(answer.acceleration);
  out["constraint_forces"] = nlohmann::ordered_json::object();
  for (const EmbeddedForce& force : answer.forces)
    out["constraint_forces"][force.name] = force.values;
  out["rank"] = answer.rank;
  out["condition"] = answer.condition;
  out["state"] = {{"t", answer.state.t}, {"q", answer.state.q}, {"v", answer.state.v}};
  out["form_seconds"] = answer.form_seconds;
  out["embed_seconds"] = answer.embed_seconds;
  out["compile_seconds"] = answer.compile_seconds;
  out["operations"] = answer.operations;
  if (answer.linear) out["linear"] = linear_json(model, *answer.linear);
  return to_json_text(out) + "\n";
}

/// For people: speeds with their rows of D, accelerations, forces, times.
std::string table_of(const Model& model, const EmbedAnswer& answer) {
  std::string text = fmt::format("{} speeds, rank {}: {} independent\n\n", model.speeds.size(),
                                 answer.rank, answer.independent.size());
  text += fmt::format("{:<16}{:>18}{:>18}   {}\n", "speed", "value", "acceleration", "from");
  for (std::size_t j = 0; j < model.speeds.size(); ++j) {
    const std::string& name = model.speeds[j].name;
    std::string from = "independent";
    for (std::size_t i = 0; i < answer.dependent.size(); ++i) {
      if (answer.dependent[i] != name) continue;
      from.clear();
      for (std::size_t k = 0; k < answer.independent.size(); ++k)
        from += fmt::format("{}{:.6g} {}", k == 0 ? "" : " + ",
                            answer.dependence(static_cast<int>(i), static_cast<int>(k)),
                            answer.independent[k]);
      if (from.empty()) from = "the rows alone";
    }
    text += fmt::format("{:<16}{:>18.10g}{:>18.10g}   {}\n", name, answer.state.v[j],
                        answer.acceleration[static_cast<int>(j)], from);
  }
  for (const EmbeddedForce& force : answer.forces) {
    text += fmt::format("\nforce of {}:", force.name);
    for (const double value : force.values) text += fmt::format(" {:.10g}", value);
  }
  if (!answer.forces.empty()) text += "\n";
  if (answer.linear) {
    text +=
        fmt::format("\neigenvalues of the motion around this state ({} coordinates, {} speeds):\n",
                    answer.linear->coordinates.size(), answer.linear->speeds.size());
    for (const std::complex<double>& x : answer.linear->eigenvalues)
      text += x.imag() == 0.0 ? fmt::format("  {:.10g}\n", x.real())
                              : fmt::format("  {:.10g} {:+.10g} i\n", x.real(), x.imag());
  }
  if (answer.position_move > 0.0 || answer.speed_move > 0.0)
    text +=
        fmt::format("\nthe state was moved onto the rows by up to {:.3g}, its speeds by {:.3g}\n",
                    answer.position_move, answer.speed_move);
  text +=
      fmt::format("\nforming {:.3g} ms, embedding {:.3g} ms, compiling {:.3g} ms ({} operations)\n",
                  1e3 * answer.form_seconds, 1e3 * answer.embed_seconds,
                  1e3 * answer.compile_seconds, answer.operations);
  return text;
}

void print_embedding(const EmbedCommand& command) {
  const Model model = load_model(command.model, parse_settings(command.settings));
  EmbedRequest request;
  request.names = split(command.constraints);
  request.project = command.project;
  request.formulation = command.formulation;
  request.linearize = command.linearize;
  if (!command.state.empty()) request.state = read_state(command.state, model);
  const EmbedAnswer answer = embed(model, request);
  std::fputs((command.is_json ? json_of(model, answer) : table_of(model, answer)).c_str(), stdout);
}

}  // namespace

void add_embed(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<EmbedCommand>();
  CLI::App* command = program.add_subcommand(
      "embed", "constraints of one mode at one state: independent speeds, accelerations, forces");
  command->add_option("MODEL", request->model, "model file (YAML)")->required();
  command->add_option(
      "--constraints", request->constraints,
      "names of constraints and contacts (NAME:slip, NAME:stick), with commas; all others are off");
  command->add_option("--state", request->state,
                      "JSON file {\"t\", \"q\", \"v\"}; default: the model's start");
  command->add_flag("--project", request->project, "move a given state onto the constraints");
  command->add_option("--formulation", request->formulation, "default: embedding");
  command->add_flag("--linearize", request->linearize,
                    "derivatives of the motion around the state, and their eigenvalues");
  command->add_option("--set", request->settings, "NAME=FORMULA; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer(
      "Examples:\n"
      "  clack embed models/four-bar/four-bar.yaml --constraints loop\n"
      "  clack embed models/conveyor/conveyor.yaml --constraints belt:stick --json\n"
      "  clack embed models/chain/chain-2.yaml --constraints tip --linearize");
  command->callback([request, &exit_code] {
    print_embedding(*request);
    exit_code = 0;
  });
}

}  // namespace clack::command
