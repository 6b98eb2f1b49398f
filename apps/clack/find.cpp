// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "clack/json_output.hpp"
#include "clack/study/find.hpp"
#include "commands.hpp"
#include "interruption.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

using Json = nlohmann::ordered_json;

struct FindRequest {
  std::string study;
  std::vector<std::string> settings;
  std::optional<double> from, to;
  bool is_json = false;
};

Json side_json(const study::Probe& probe) {
  return {{"value", probe.value},
          {"class", study::class_of(probe.result)},
          {"status", std::string(study::to_string(probe.result.status))},
          {"values", probe.result.values},
          {"command", probe.command}};
}

int execute(const FindRequest& request) {
  const study::Study study =
      study::read_study(request.study, parse_settings(request.settings), study::Purpose::threshold,
                        {request.from, request.to});
  const Interruption interruption(std::nullopt);
  const study::Threshold found =
      study::find_threshold(study, [&] { return interruption.reason(); });
  if (request.is_json) {
    Json probes = Json::array();
    for (const study::Probe& probe : found.probes)
      probes.push_back({{"value", probe.value}, {"class", study::class_of(probe.result)}});
    fmt::print("{}\n", to_json_text({{"study", study.name},
                                     {"axis", study.search->axis},
                                     {"value", found.value()},
                                     {"low", side_json(found.low)},
                                     {"high", side_json(found.high)},
                                     {"runs", found.probes.size()},
                                     {"probes", probes}}));
    return 0;
  }
  fmt::print("{} changes from {} to {} at {} = {:.12g} (between {:.12g} and {:.12g}, {} runs)\n",
             study.name, study::class_of(found.low.result), study::class_of(found.high.result),
             study.search->axis, found.value(), found.low.value, found.high.value,
             found.probes.size());
  for (const study::Probe* side : {&found.low, &found.high})
    fmt::print("  {:<16} {}\n", study::class_of(side->result), side->command);
  return 0;
}

}  // namespace

void add_find(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<FindRequest>();
  CLI::App* command = program.add_subcommand(
      "find", "find where the class of a study's cases changes along one parameter");
  command->add_option("STUDY", request->study, "study file with sections classify and find")
      ->required();
  command->add_option("--set", request->settings, "NAME=FORMULA for all runs; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--from", request->from, "one end of the interval, instead of the study's");
  command->add_option("--to", request->to, "the other end");
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer(
      "Examples:\n"
      "  clack find studies/table-period-one.yaml\n"
      "  clack find studies/table-doubling.yaml --set e=0.8 --from 0.8 --to 1.2 --json\n"
      "Prints the threshold and the two runs that prove both sides.");
  command->callback([request, &exit_code] { exit_code = execute(*request); });
}

}  // namespace clack::command
