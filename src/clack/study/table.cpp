// SPDX-License-Identifier: Apache-2.0
#include "clack/study/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "clack/index.hpp"
#include "clack/json_output.hpp"
#include "clack/number_text.hpp"
#include "clack/trace/hdf5.hpp"
#include "clack/trace/summary.hpp"

namespace clack::study {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "\"";
}

/// In the order in which they first occur.
std::vector<std::pair<std::string, long>> counts_by(const StudyRecord& record,
                                                    const auto& name_of) {
  std::vector<std::pair<std::string, long>> counts;
  for (const RowRecord& row : record.rows) {
    const std::string name(name_of(row));
    auto found = std::ranges::find(counts, name, &std::pair<std::string, long>::first);
    if (found == counts.end()) found = counts.insert(counts.end(), {name, 0});
    ++found->second;
  }
  return counts;
}

std::string_view status_of(const RowRecord& row) { return to_string(row.status); }
const std::string& class_name_of(const RowRecord& row) { return row.class_name; }

Json count_json(const std::vector<std::pair<std::string, long>>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts)
    if (!name.empty()) json[name] = count;
  return json;
}

Json row_json(const StudyRecord& record, const RowRecord& row) {
  Json json = {{"case", row.number}, {"at", row.at}};
  if (record.follow) {
    json["direction"] = std::string(to_string(row.direction));
    json["followed"] = row.is_followed;
  }
  json["status"] = std::string(to_string(row.status));
  json["class"] = row.class_name;
  json["values"] = row.values;
  if (!row.reason.empty()) json["reason"] = row.reason;
  return json;
}

}  // namespace

std::string results_csv(const StudyRecord& record) {
  std::string text = "case";
  for (const AxisRecord& axis : record.axes) text += "," + quoted(axis.name);
  if (record.follow) text += ",direction,followed";
  text += ",status,class";
  for (const std::string& column : record.columns()) text += "," + quoted(column);
  text += ",reason\n";
  for (const RowRecord& row : record.rows) {
    text += std::to_string(row.number);
    for (const std::string& value : row.at) text += "," + quoted(value);
    if (record.follow)
      text += fmt::format(",{},{}", to_string(row.direction), row.is_followed ? 1 : 0);
    text += fmt::format(",{},{}", to_string(row.status), quoted(row.class_name));
    for (const double value : row.values) {
      text += ',';
      if (!std::isnan(value)) text += std::string_view(NumberText(value));
    }
    text += "," + quoted(row.reason) + "\n";
  }
  return text;
}

std::string results_json(const StudyRecord& record) {
  Json axes = Json::array(), varies = Json::array(), keep = Json::array(), rows = Json::array();
  for (const AxisRecord& axis : record.axes) {
    axes.push_back(axis.name);
    varies.push_back({{"name", axis.name},
                      {"unit", axis.unit},
                      {"scale", axis.is_log ? "log" : "linear"},
                      {"values", axis.values}});
  }
  for (const KeptRecord& kept : record.keep)
    keep.push_back({{"name", kept.name}, {"unit", kept.unit}, {"columns", kept.columns}});
  for (const RowRecord& row : record.rows) rows.push_back(row_json(record, row));
  Json document = {
      {"study", record.name},      {"about", record.about}, {"model", record.model_file},
      {"command", record.command}, {"axes", axes},          {"varies", varies}};
  if (record.follow) document["follow"] = *record.follow;
  document["drawn"] = record.is_drawn;
  document["keep"] = keep;
  document["columns"] = record.columns();
  document["rules"] = record.classes;
  document["total"] = record.total;
  document["finished"] = record.rows.size();
  document["statuses"] = count_json(counts_by(record, status_of));
  document["classes"] = count_json(counts_by(record, class_name_of));
  if (!record.sensitivity.empty()) {
    document["sensitivity"] = Json::array();
    for (const Sensitivity& one : record.sensitivity)
      document["sensitivity"].push_back(sensitivity_json(one));
  }
  document["cases"] = rows;
  return to_json_text(document) + "\n";
}

void write_results_hdf5(const StudyRecord& record, const std::string& path) {
  Hdf5Table table;
  std::string classes, statuses;
  for (const std::string& name : record.classes) classes += (classes.empty() ? "" : "\n") + name;
  for (const CaseStatus status :
       {CaseStatus::done, CaseStatus::stopped, CaseStatus::refused, CaseStatus::time_limit})
    statuses += (statuses.empty() ? "" : "\n") + std::string(to_string(status));
  table.texts = {{"study", record.name},
                 {"model", record.model_file},
                 {"command", record.command},
                 {"classes", classes},
                 {"statuses", statuses}};
  const auto add = [&](const char* name, const auto& value_of) {
    table.counts.push_back({name, {}});
    for (const RowRecord& row : record.rows)
      table.counts.back().second.push_back(static_cast<int>(value_of(row)));
  };
  add("/case", [](const RowRecord& row) { return row.number; });  // at most ten million
  add("/status", [](const RowRecord& row) { return row.status; });
  add("/class", [&](const RowRecord& row) {
    const auto found = std::ranges::find(record.classes, row.class_name);
    return found == record.classes.end() ? -1 : found - record.classes.begin();
  });
  if (record.follow) {
    add("/direction", [](const RowRecord& row) { return row.direction == Direction::up ? 1 : -1; });
    add("/followed", [](const RowRecord& row) { return row.is_followed; });
  }
  for (std::size_t k = 0; k < record.axes.size(); ++k) {
    std::vector<double> places;
    for (const RowRecord& row : record.rows) places.push_back(number_in(row.at[k]));
    table.numbers.push_back({"/axes/" + record.axes[k].name, std::move(places)});
  }
  const std::vector<std::string> columns = record.columns();
  for (int k = 0; k < number_of(columns); ++k)
    table.numbers.push_back({"/results/" + columns[k], record.column(k)});
  write_hdf5_table(table, path);
}

std::string study_summary(const StudyRecord& record) {
  std::string text =
      fmt::format("{}: {} of {} cases\n", record.name, record.rows.size(), record.total);
  for (const auto& [name, count] : counts_by(record, status_of))
    text += fmt::format("  {:<24} {:>8}\n", name, count);
  if (!record.classes.empty()) text += "classes\n";
  if (!record.classes.empty())
    for (const auto& [name, count] : counts_by(record, class_name_of))
      text += fmt::format("  {:<24} {:>8}\n", name.empty() ? "(none)" : name, count);
  if (!record.keep.empty())
    text += fmt::format("{:<26} {:>14} {:>14}\n", "kept", "smallest", "largest");
  std::size_t column = 0;
  for (const KeptRecord& kept : record.keep) {
    double low = std::nan(""), high = std::nan("");
    const std::size_t end = column + kept.columns.size();
    for (; column < end; ++column)
      for (const RowRecord& row : record.rows) {
        const double value = row.values[column];
        if (std::isnan(value)) continue;
        if (!(value >= low)) low = value;
        if (!(value <= high)) high = value;
      }
    text += fmt::format("  {:<24} {:>14} {:>14}{}{}\n", kept.name, short_number(low),
                        short_number(high), kept.unit.empty() ? "" : " ", kept.unit);
  }
  if (!record.sensitivity.empty()) text += sensitivity_text(record.sensitivity);
  return text;
}

}  // namespace clack::study
