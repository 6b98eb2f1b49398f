// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/input_file.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

/// A number, or [value, rate, acceleration].
Signal read_signal(Reading& reading, const yaml::Node& node, const std::string& thing) {
  if (node.kind != yaml::Kind::list) return {.value = reading.formulas.number(node, thing)};
  const std::vector<yaml::Node>& parts = reading.list(node, thing, 3);
  return {.value = reading.formulas.number(parts[0], thing + ": value"),
          .rate = reading.formulas.number(parts[1], thing + ": rate"),
          .acceleration = reading.formulas.number(parts[2], thing + ": acceleration")};
}

}  // namespace

void read_inputs(Reading& reading, const yaml::Node& inputs) {
  if (inputs.kind != yaml::Kind::map)
    reading.fail(inputs, "inputs: a map of names and values at the start is expected here",
                 "write inputs: {push: 0}");
  Model& model = reading.model;
  for (const yaml::Entry& entry : inputs.entries) {
    yaml::Node at = entry.value;
    at.place = entry.place;
    reading.formulas.check_name(entry.key, "input", at);
    Input input;
    input.name = entry.key;
    input.place = entry.place;
    input.start = read_signal(reading, entry.value, "input " + printable(entry.key, 60));
    symbolic::Graph& graph = *model.graph;
    input.symbols = {graph.symbol(entry.key), graph.symbol(entry.key + ".rate"),
                     graph.symbol(entry.key + ".acceleration"), graph.symbol(entry.key + ".since")};
    const Expression passed = model.time - input.symbols[3];
    reading.formulas.add_symbol(
        entry.key,
        input.symbols[0] + passed * input.symbols[1] + 0.5 * passed * passed * input.symbols[2],
        allow_time);
    model.inputs.push_back(std::move(input));
  }
}

void add_input_symbols(const Model& model, std::vector<Expression>& symbols,
                       std::vector<double>& numbers) {
  for (const Input& input : model.inputs) {
    symbols.insert(symbols.end(), input.symbols.begin(), input.symbols.end());
    const Signal& s = input.start;
    numbers.insert(numbers.end(), {s.value, s.rate, s.acceleration, s.since});
  }
}

}  // namespace clack
