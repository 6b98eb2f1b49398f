// SPDX-License-Identifier: Apache-2.0
#include "clack/study/record.hpp"

#include <cstdlib>
#include <limits>
#include <map>

#include "clack/error.hpp"
#include "clack/json_input.hpp"

namespace clack::study {
namespace {

std::string unit_of(const Study& study, const std::string& name) {
  const auto found = study.units.find(name);
  return found == study.units.end() ? "" : found->second;
}

/// The unit a kept result says itself, or that of what it is: times in s, energies in J, counts in nothing.
std::string unit_of(const Study& study, const Kept& kept) {
  if (!kept.unit.empty()) return kept.unit;
  if (kept.kind == KeepKind::energy) return kept.word == "ledger_error" ? "" : "J";
  if (kept.kind == KeepKind::cycle) return kept.word == "period" ? "s" : "";
  if (kept.kind == KeepKind::count || kept.kind == KeepKind::flag) return "";
  return kept.formula == "t" ? "s" : unit_of(study, kept.formula);
}

Direction direction_named(const std::string& name) {
  if (name == "up") return Direction::up;
  return name == "down" ? Direction::down : Direction::none;
}

std::optional<double> number_or_nothing(const nlohmann::json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<double>();
}

double number_or_nan(const nlohmann::json& value) {
  return number_or_nothing(value).value_or(std::numeric_limits<double>::quiet_NaN());
}

RowRecord row_from(const nlohmann::json& json) {
  RowRecord row;
  row.number = json.at("case");
  row.at = json.at("at").get<std::vector<std::string>>();
  row.direction = direction_named(json.value("direction", ""));
  row.is_followed = json.value("followed", false);
  row.status = case_status(json.at("status").get<std::string>()).value();
  row.class_name = json.at("class");
  row.reason = json.value("reason", "");
  for (const nlohmann::json& value : json.at("values")) row.values.push_back(number_or_nan(value));
  return row;
}

StudyRecord record_from(const nlohmann::json& json) {
  StudyRecord record;
  record.name = json.at("study");
  record.about = json.at("about");
  record.model_file = json.at("model");
  record.command = json.at("command");
  for (const nlohmann::json& axis : json.at("varies"))
    record.axes.push_back({axis.at("name"), axis.at("unit"),
                           axis.at("values").get<std::vector<std::string>>(),
                           axis.at("scale") == "log"});
  if (json.contains("follow")) record.follow = json.at("follow").get<int>();
  record.is_drawn = json.at("drawn");
  for (const nlohmann::json& kept : json.at("keep"))
    record.keep.push_back(
        {kept.at("name"), kept.at("unit"), kept.at("columns").get<std::vector<std::string>>()});
  record.classes = json.at("rules").get<std::vector<std::string>>();
  record.total = json.at("total");
  for (const nlohmann::json& row : json.at("cases")) record.rows.push_back(row_from(row));
  if (json.contains("sensitivity"))
    for (const nlohmann::json& one : json.at("sensitivity"))
      record.sensitivity.push_back(sensitivity_from(one));
  return record;
}

}  // namespace

std::vector<std::string> StudyRecord::columns() const {
  std::vector<std::string> all;
  for (const KeptRecord& kept : keep)
    all.insert(all.end(), kept.columns.begin(), kept.columns.end());
  return all;
}

std::vector<double> StudyRecord::column(int index) const {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const RowRecord& row : rows) values.push_back(row.values[index]);
  return values;
}

StudyRecord record_of(const Study& study, const std::vector<CaseResult>& results) {
  StudyRecord record;
  record.name = study.name;
  record.about = study.about;
  record.model_file = study.model_file;
  Study fixed = study;
  fixed.axes.clear();
  record.command = rerun_command(fixed, {});
  for (const Axis& axis : study.axes)
    record.axes.push_back({axis.name, unit_of(study, axis.name),
                           study.sample ? std::vector<std::string>{} : axis.values, axis.is_log});
  record.follow = study.follow;
  record.is_drawn = study.sample.has_value();
  for (const Kept& kept : study.keep)
    record.keep.push_back({kept.name, unit_of(study, kept), kept.columns()});
  for (const Rule& rule : study.classify) record.classes.push_back(rule.name);
  const Cases cases(study);
  record.total = cases.count();
  for (const CaseResult& result : results) {
    const Case one = cases.at(result.number);
    record.rows.push_back({result.number, one.values, one.direction, result.is_followed,
                           result.status, result.class_name, result.reason, result.values});
  }
  if (study.sample && study.sample->is_paired) {
    const std::vector<std::string> columns = record.columns();
    for (int k = 0; k < number_of(columns); ++k)
      record.sensitivity.push_back(sensitivity_of(study, columns[k], results, k));
  }
  return record;
}

StudyRecord read_record(const std::string& path) {
  const nlohmann::json document = read_json_file(path);
  try {
    return record_from(document);
  } catch (const std::exception& e) {
    throw InputError(std::string("these are no results of a study: ") + e.what(), path,
                     "give the folder of a study that clack sweep has written");
  }
}

double number_in(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' ? number : std::numeric_limits<double>::quiet_NaN();
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " in " + unit;
}

std::string_view to_string(Direction direction) {
  return direction == Direction::none ? "" : direction == Direction::down ? "down" : "up";
}

}  // namespace clack::study
