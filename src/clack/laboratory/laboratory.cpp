// SPDX-License-Identifier: Apache-2.0
#include "clack/laboratory/laboratory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "clack/error.hpp"
#include "clack/hybrid/draw.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/laboratory/lab_page.hpp"
#include "clack/model/yaml_document.hpp"
#include "clack/report/comparison.hpp"
#include "clack/report/report.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/json.hpp"

namespace clack {

using Json = nlohmann::json;

struct Laboratory::Run {
  long number = 0;
  std::string theory, assumes, report;
  Trace trace;
  Drawing drawing;
};

namespace {

/// The question cannot be answered; with a status of HTTP.
struct LabRefusal {
  int status = 400;
  std::string what;
};

LabResponse refused(int status, const std::string& what) {
  return {status, "application/json",
          Json{{"error", what}}.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

/// "FILE:LINE:COLUMN" at its end.
Json error_of(const InputError& e) {
  Json error = {{"line", 0}, {"column", 0}, {"what", e.what()}, {"help", e.remedy()}};
  const std::string& where = e.where();
  const std::size_t second = where.rfind(':'), first = second == std::string::npos || second == 0
                                                           ? std::string::npos
                                                           : where.rfind(':', second - 1);
  if (first == std::string::npos) return error;
  int line = 0, column = 0;
  const char* begin = where.data();
  const bool is_place =
      std::from_chars(begin + first + 1, begin + second, line).ec == std::errc() &&
      std::from_chars(begin + second + 1, begin + where.size(), column).ec == std::errc();
  if (is_place) error["line"] = line, error["column"] = column;
  return error;
}

Json parsed(const std::string& body) {
  Json document = Json::parse(body, nullptr, false);
  if (!document.is_object()) throw LabRefusal{400, "a JSON object is expected"};
  return document;
}

std::string text_of(const Json& document, const LabLimits& limits) {
  const auto text = document.find("text");
  if (text == document.end() || !text->is_string()) throw LabRefusal{400, "text is missing"};
  std::string model = text->get<std::string>();
  if (model.size() > limits.text) throw LabRefusal{413, "the model is too long"};
  return model;
}

/// Every value of a key `file` anywhere in the tree must lie in the folder.
void check_files(const yaml::Node& node, const std::filesystem::path& folder,
                 const std::string& file) {
  for (const yaml::Node& item : node.items) check_files(item, folder, file);
  for (const yaml::Entry& entry : node.entries) {
    check_files(entry.value, folder, file);
    if (entry.key != "file" || entry.value.kind != yaml::Kind::text) continue;
    std::error_code problem;
    const std::filesystem::path root = std::filesystem::weakly_canonical(folder, problem);
    const std::filesystem::path named =
        std::filesystem::weakly_canonical(folder / entry.value.text, problem);
    const std::filesystem::path inside = named.lexically_relative(root);
    if (problem || inside.empty() || *inside.begin() == "..")
      throw ModelError("file " + entry.value.text + " is outside the folder of the model",
                       yaml::where(file, entry.value), "copy it beside the model");
  }
}

std::vector<Override> overrides_of(const Json& document) {
  std::vector<Override> overrides;
  const auto number = [](const Json& value) { return fmt::format("{:.17g}", value.get<double>()); };
  if (const auto set = document.find("set"); set != document.end()) {
    if (!set->is_object()) throw LabRefusal{400, "set is a map of names and numbers"};
    for (const auto& [name, value] : set->items()) {
      if (!value.is_number()) throw LabRefusal{400, "set: a number is expected"};
      overrides.push_back({name, number(value)});
    }
  }
  for (const char* key : {"theory", "tolerance", "until"}) {
    const auto value = document.find(key);
    if (value == document.end() || value->is_null()) continue;
    if (value->is_string() && key == std::string("theory"))
      overrides.push_back({"run.theory", value->get<std::string>()});
    else if (value->is_number() && key != std::string("theory"))
      overrides.push_back({std::string("run.") + key, number(*value)});
    else
      throw LabRefusal{400, std::string(key) + " is not what is expected"};
  }
  return overrides;
}

}  // namespace

Laboratory::Laboratory(LabModel model, std::string address, LabLimits limits)
    : model_(std::move(model)), address_(std::move(address)), limits_(limits) {}
Laboratory::~Laboratory() = default;

LabResponse Laboratory::answer(const LabRequest& request) {
  const std::string port = address_.substr(address_.rfind(':') + 1), local = "localhost:" + port;
  if (request.host != address_ && request.host != local)
    return refused(403, "this host is not served");
  if (!request.origin.empty() && request.origin != "http://" + address_ &&
      request.origin != "http://" + local)
    return refused(403, "other origins are refused");
  try {
    if (request.method == "GET" && request.path == "/")
      return {200, "text/html; charset=utf-8", laboratory_page(model_.name, model_.text)};
    if (request.method == "POST" && request.path == "/check") return check(request.body);
    if (request.method == "POST" && request.path == "/run") return run(request.body);
    if (request.method == "GET" && request.path.starts_with("/runs/"))
      return file(request.path.substr(6));
    if (request.method == "GET" && request.path.starts_with("/compare/"))
      return compare(request.path.substr(9));
    return refused(404, "there is nothing here");
  } catch (const LabRefusal& refusal) {
    return refused(refusal.status, refusal.what);
  } catch (const InputError& e) {
    return {200, "application/json",
            Json{{"errors", {error_of(e)}}}.dump(-1, ' ', false, Json::error_handler_t::replace)};
  } catch (const std::bad_alloc&) {
    return refused(413, "this needs more memory than there is");
  } catch (const std::exception& e) {
    return refused(500, e.what());
  }
}

namespace {

Model lab_model(const LabModel& shown, const std::string& text,
                const std::vector<Override>& overrides) {
  const std::string file = (std::filesystem::path(shown.folder) / shown.name).string();
  check_files(yaml::parse(text, shown.name), shown.folder, shown.name);
  return load_model_text(text, file, overrides);
}

}  // namespace

LabResponse Laboratory::check(const std::string& body) const {
  const Json document = parsed(body);
  const Model model = lab_model(model_, text_of(document, limits_), {});
  Json parameters = Json::array();
  for (const Parameter& p : model.parameters)
    parameters.push_back({{"name", p.name}, {"value", p.value}});
  return {200, "application/json",
          Json{{"errors", Json::array()},
               {"name", model.name},
               {"parameters", parameters},
               {"theory", model.run.theory},
               {"tolerance", model.run.tolerance},
               {"until", model.run.until}}
              .dump(-1, ' ', false, Json::error_handler_t::replace)};
}

LabResponse Laboratory::run(const std::string& body) {
  const Json document = parsed(body);
  const long number = ++newest_;  // ends the run before
  Model model = lab_model(model_, text_of(document, limits_), overrides_of(document));
  const double rows = model.run.sample > 0.0 ? model.run.until / model.run.sample : 1000.0;
  if (!(rows <= limits_.rows))
    throw LabRefusal{413, fmt::format("{:.0f} rows are more than {:.0f}: give a larger sample",
                                      rows, limits_.rows)};
  model.tolerances.event_limit = std::min(model.tolerances.event_limit, limits_.events);
  const auto begin = std::chrono::steady_clock::now();
  RunOptions options;
  options.interruption = [&]() -> std::string {
    if (newest_ != number) return "a newer run has started";
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return seconds > limits_.seconds
               ? fmt::format("the time limit of {:g} s is over", limits_.seconds)
               : "";
  };
  auto made = std::make_shared<Run>();
  made->number = number;
  made->trace = clack::run(model, options);
  if (newest_ != number) throw LabRefusal{409, "a newer run has started"};
  made->trace.model_file = model_.name;
  made->theory = made->trace.theory;
  const PartCatalogue catalogue = catalogue_of(standard_parts());
  if (const PartDescription* law = catalogue.part(PartKind::impact_law, made->trace.impact))
    made->assumes = law->help;
  made->drawing = draw_run(model, made->trace);
  made->report = report_html(made->trace, made->drawing);
  const Trace& t = made->trace;
  const Json answer = {{"run", number},
                       {"status", std::string(to_string(t.status))},
                       {"reason", t.reason},
                       {"remedy", t.remedy},
                       {"events", t.counts.events},
                       {"impacts", t.counts.impacts},
                       {"ledger_error", t.energy.ledger_error},
                       {"dissipated", t.energy.dissipated},
                       {"seconds", t.wall_seconds}};
  const std::lock_guard lock(runs_lock_);
  runs_.push_back(std::move(made));
  while (runs_.size() > limits_.kept_runs) runs_.pop_front();
  return {200, "application/json", answer.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

std::shared_ptr<const Laboratory::Run> Laboratory::find(const std::string& number) {
  long wanted = 0;
  const auto end = std::from_chars(number.data(), number.data() + number.size(), wanted);
  const std::lock_guard lock(runs_lock_);
  if (end.ec == std::errc() && end.ptr == number.data() + number.size())
    for (const auto& run : runs_)
      if (run->number == wanted) return run;
  throw LabRefusal{404, "this run is not kept"};
}

LabResponse Laboratory::file(const std::string& path) {
  const std::size_t slash = path.find('/');
  const auto run = find(path.substr(0, slash));
  const std::string name = slash == std::string::npos ? "" : path.substr(slash + 1);
  if (name == "report.html") return {200, "text/html; charset=utf-8", run->report};
  if (name == "trace.csv") return {200, "text/csv; charset=utf-8", trace_csv(run->trace)};
  if (name == "events.json") return {200, "application/json", events_json(run->trace)};
  if (name == "model.yaml") return {200, "text/plain; charset=utf-8", run->trace.resolved_model};
  throw LabRefusal{404, "a run has report.html, trace.csv, events.json and model.yaml"};
}

LabResponse Laboratory::compare(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) throw LabRefusal{404, "two runs are compared"};
  std::vector<ComparedRun> runs;
  for (const auto& run : {find(path.substr(0, slash)), find(path.substr(slash + 1))})
    runs.push_back({fmt::format("run {}, {}", run->number, run->theory), run->assumes, run->trace,
                    run->drawing, ""});
  return {200, "text/html; charset=utf-8", comparison_html(runs.back().trace.model, runs)};
}

}  // namespace clack
