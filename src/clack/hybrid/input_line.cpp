// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/input_line.hpp"

#include <array>

#include "clack/json_input.hpp"
#include "clack/json_output.hpp"

namespace clack {
namespace {

constexpr std::array<std::string_view, 6> contents{"input", "constraint", "contact",
                                                   "on",    "off",        "stop"};
constexpr const char* line_remedy =
    "write for example {\"t\": 1.5, \"input\": {\"push\": 2}} with one of input, constraint, "
    "contact, "
    "on, off, stop";

double number_of_line(const nlohmann::json& value, const std::string& what,
                      const std::string& where) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    throw InputError(what + " is no finite number", where, line_remedy);
  return value.get<double>();
}

Signal signal_of(const nlohmann::json& value, const std::string& name, const std::string& where) {
  const std::string what = "input " + printable(name, 60);
  if (!value.is_array()) return {.value = number_of_line(value, what, where)};
  if (value.size() != 3)
    throw InputError(fmt::format("{} has {} numbers, needs 3", what, value.size()), where,
                     "give a number or [value, rate, acceleration]");
  return {.value = number_of_line(value[0], what + ": value", where),
          .rate = number_of_line(value[1], what + ": rate", where),
          .acceleration = number_of_line(value[2], what + ": acceleration", where)};
}

const nlohmann::json& object_of(const nlohmann::json& line, const std::string& key,
                                const std::string& where) {
  const nlohmann::json& value = line.at(key);
  if (!value.is_object() || value.empty())
    throw InputError(key + " is no object with names", where, line_remedy);
  return value;
}

std::string name_of(const nlohmann::json& line, const std::string& key, const std::string& where) {
  const nlohmann::json& value = line.at(key);
  if (!value.is_string() || value.get<std::string>().empty())
    throw InputError(key + " is no name of a constraint", where, line_remedy);
  return value.get<std::string>();
}

void read_additions(const nlohmann::json& line, const std::string& key, InputLine& result) {
  for (const auto& [name, entry] : object_of(line, key, result.where).items()) {
    if (!entry.is_object())
      throw InputError(key + " " + printable(name, 60) + " is no object", result.where,
                       "give it the keys of model files");
    if (key == "contact" && !entry.contains("gap"))
      throw InputError("contact " + printable(name, 60) + " has no gap", result.where,
                       "contacts from outside are given by formulas: {\"gap\": \"y - 0.1\"}");
    result.additions.push_back({key + "s", name, entry.dump(), result.where});
  }
}

}  // namespace

std::string InputLine::at(double acted) const {
  std::string text = "{\"t\":";
  append_json_number(text, acted);
  return text + "," + content + "}";
}

InputLine parse_input_line(const std::string& text, const std::string& where) {
  InputLine result;
  result.where = where;
  const nlohmann::json line = [&] {
    try {
      return parse_json(text, where);
    } catch (const InputError& e) {
      throw InputError(e.what(), where, line_remedy);
    }
  }();
  std::vector<std::string_view> known(contents.begin(), contents.end());
  known.push_back("t");
  check_keys(line, "", known, where);
  std::string key;
  for (const std::string_view name : contents)
    if (line.contains(std::string(name))) {
      if (!key.empty())
        throw InputError(fmt::format("the line has both {} and {}", key, name), where,
                         "write two lines");
      key = name;
    }
  if (key.empty()) throw InputError("the line says nothing", where, line_remedy);
  if (line.contains("t")) {
    result.t = number_of_line(line.at("t"), "t", where);
    if (*result.t < 0.0)
      throw InputError(fmt::format("t is {}, must not be negative", *result.t), where, line_remedy);
  }
  if (key == "input")
    for (const auto& [name, value] : object_of(line, key, where).items())
      result.inputs.emplace_back(name, signal_of(value, name, where));
  if (key == "constraint" || key == "contact") read_additions(line, key, result);
  if (key == "on") result.on = name_of(line, key, where);
  if (key == "off") result.off = name_of(line, key, where);
  if (key == "stop" && line.at("stop") != true)
    throw InputError("stop is not true", where, "write {\"stop\": true}, or leave the line out");
  result.is_stop = key == "stop";
  result.content = nlohmann::json(key).dump() + ":" + line.at(key).dump();
  return result;
}

std::vector<InputLine> parse_input_file(const std::string& text, const std::string& file) {
  std::vector<InputLine> lines;
  std::size_t begin = 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    lines.push_back(parse_input_line(line, fmt::format("{}:{}", file, number)));
  }
  return lines;
}

}  // namespace clack
