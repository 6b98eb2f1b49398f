// SPDX-License-Identifier: Apache-2.0
#include "clack/study/table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "clack/json_output.hpp"
#include "clack/number_text.hpp"
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

std::string_view direction_name(Direction direction) { return direction == Direction::down ? "down" : "up"; }

std::vector<std::string> kept_columns(const Study& study) {
  std::vector<std::string> columns;
  for (const Kept& kept : study.keep)
    for (std::string& column : kept.columns()) columns.push_back(std::move(column));
  return columns;
}

/// In the order in which they first occur.
std::vector<std::pair<std::string, long>> counts_by(const std::vector<CaseResult>& results,
                                                    const auto& name_of) {
  std::vector<std::pair<std::string, long>> counts;
  for (const CaseResult& result : results) {
    const std::string name(name_of(result));
    auto found = std::ranges::find(counts, name, &std::pair<std::string, long>::first);
    if (found == counts.end()) found = counts.insert(counts.end(), {name, 0});
    ++found->second;
  }
  return counts;
}

Json count_json(const std::vector<std::pair<std::string, long>>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts)
    if (!name.empty()) json[name] = count;
  return json;
}

}  // namespace

std::string results_csv(const Study& study, const std::vector<CaseResult>& results) {
  const Cases cases(study);
  std::string text = "case";
  for (const Axis& axis : study.axes) text += "," + quoted(axis.name);
  if (study.follow) text += ",direction,followed";
  text += ",status,class";
  for (const std::string& column : kept_columns(study)) text += "," + quoted(column);
  text += ",reason\n";
  for (const CaseResult& result : results) {
    const Case one = cases.at(result.number);
    text += std::to_string(result.number);
    for (const std::string& value : one.values) text += "," + quoted(value);
    if (study.follow)
      text += fmt::format(",{},{}", direction_name(one.direction), result.is_followed ? 1 : 0);
    text += fmt::format(",{},{}", to_string(result.status), quoted(result.class_name));
    for (const double value : result.values) {
      text += ',';
      if (!std::isnan(value)) text += std::string_view(NumberText(value));
    }
    text += "," + quoted(result.reason) + "\n";
  }
  return text;
}

std::string results_json(const Study& study, const std::vector<CaseResult>& results) {
  const Cases cases(study);
  Json axes = Json::array(), rows = Json::array();
  for (const Axis& axis : study.axes) axes.push_back(axis.name);
  for (const CaseResult& result : results) {
    const Case one = cases.at(result.number);
    Json row = {{"case", result.number}, {"at", one.values}};
    if (study.follow) {
      row["direction"] = std::string(direction_name(one.direction));
      row["followed"] = result.is_followed;
    }
    row["status"] = std::string(to_string(result.status));
    row["class"] = result.class_name;
    row["values"] = result.values;
    if (!result.reason.empty()) row["reason"] = result.reason;
    rows.push_back(std::move(row));
  }
  const auto status = counts_by(results, [](const CaseResult& r) { return to_string(r.status); });
  const auto classes = counts_by(results, [](const CaseResult& r) { return r.class_name; });
  return to_json_text({{"study", study.name}, {"model", study.model_file}, {"axes", axes},
                       {"columns", kept_columns(study)}, {"total", cases.count()},
                       {"finished", results.size()}, {"statuses", count_json(status)},
                       {"classes", count_json(classes)}, {"cases", rows}}) + "\n";
}

std::string study_summary(const Study& study, const std::vector<CaseResult>& results) {
  std::string text = fmt::format("{}: {} of {} cases\n", study.name, results.size(), Cases(study).count());
  for (const auto& [name, count] :
       counts_by(results, [](const CaseResult& r) { return to_string(r.status); }))
    text += fmt::format("  {:<24} {:>8}\n", name, count);
  if (!study.classify.empty()) text += "classes\n";
  if (!study.classify.empty())
    for (const auto& [name, count] : counts_by(results, [](const CaseResult& r) { return r.class_name; }))
      text += fmt::format("  {:<24} {:>8}\n", name.empty() ? "(none)" : name, count);
  if (!study.keep.empty()) text += fmt::format("{:<26} {:>14} {:>14}\n", "kept", "smallest", "largest");
  std::size_t column = 0;
  for (const Kept& kept : study.keep) {
    double low = std::nan(""), high = std::nan("");
    const std::size_t end = column + kept.columns().size();
    for (; column < end; ++column)
      for (const CaseResult& result : results) {
        const double value = result.values[column];
        if (std::isnan(value)) continue;
        if (!(value >= low)) low = value;
        if (!(value <= high)) high = value;
      }
    text += fmt::format("  {:<24} {:>14} {:>14}\n", kept.name, short_number(low), short_number(high));
  }
  return text;
}

}  // namespace clack::study
