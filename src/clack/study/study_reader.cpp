// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "clack/error.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/input_file.hpp"
#include "clack/model/formula_reader.hpp"
#include "clack/model/yaml_document.hpp"
#include "clack/nearest_name.hpp"
#include "clack/number_text.hpp"
#include "clack/study/cases.hpp"
#include "clack/study/checksum.hpp"
#include "clack/study/keep_reader.hpp"
#include "clack/study/observe.hpp"
#include "clack/study/study.hpp"
#include "clack/study/units.hpp"

namespace clack::study {
namespace {

constexpr StudyLimits limits;

/// What the readers of the sections share.
struct StudyReading {
  Study& study;
  FormulaReader& formulas;
  Purpose purpose;

  [[noreturn]] void fail(const yaml::Node& node, const std::string& what,
                         const std::string& remedy) const {
    throw ModelError(what, yaml::where(study.file, node), remedy);
  }
  void check_keys(const yaml::Node& map, const std::string& thing,
                  const std::vector<std::string>& known) const {
    yaml::check_keys(map, thing, known, study.file);
  }
  const std::string& text(const yaml::Node& node, const std::string& what) const {
    if (node.kind != yaml::Kind::text || node.text.empty())
      fail(node, what + " must be a text or a number", "write one value");
    return node.text;
  }
};

std::vector<std::string> spaced_values(double low, double high, long count, bool is_log) {
  std::vector<std::string> values;
  for (long i = 0; i < count; ++i) {
    const double u = count > 1 ? double(i) / double(count - 1) : 0.0;
    double x = is_log ? low * std::pow(high / low, u) : low + u * (high - low);
    if (i == count - 1 && count > 1) x = high;  // exactly
    values.emplace_back(std::string_view(NumberText(x)));
  }
  return values;
}

void read_range(StudyReading& reading, const yaml::Node& node, const std::string& thing, Axis& axis,
                bool is_sampled) {
  reading.check_keys(node, thing, {"from", "to", "count", "scale"});
  const yaml::Node *from = node.find("from"), *to = node.find("to"), *count = node.find("count");
  if (!from || !to)
    reading.fail(node, thing + " needs from and to", "write {from: 0.1, to: 0.5, count: 20}");
  axis.low = reading.formulas.number(*from, thing + ": from");
  axis.high = reading.formulas.number(*to, thing + ": to");
  axis.is_range = true;
  if (const yaml::Node* scale = node.find("scale")) {
    const std::string& value = reading.text(*scale, thing + ": scale");
    if (value != "linear" && value != "log")
      reading.fail(*scale, thing + ": scale is " + printable(value, 40), "write linear or log");
    axis.is_log = value == "log";
  }
  if (axis.is_log && !(axis.low > 0.0 && axis.high > 0.0))
    reading.fail(node,
                 fmt::format("{} is logarithmic from {:g} to {:g}", thing, axis.low, axis.high),
                 "both ends must be positive");
  if (is_sampled) {
    if (count)
      reading.fail(*count, thing + ": count stands beside sample",
                   "the number of cases is sample: count");
    return;
  }
  if (!count)
    reading.fail(node, thing + " needs count", "say how many values, or draw them with sample");
  axis.values = spaced_values(axis.low, axis.high,
                              reading.formulas.integer(*count, thing + ": count", 1, limits.cases),
                              axis.is_log);
}

void read_axes(StudyReading& reading, const yaml::Node& node) {
  if (node.kind != yaml::Kind::map || node.entries.empty())
    reading.fail(node, "axes is empty", "name what varies, e.g. mu: [0.1, 0.2, 0.3]");
  for (const yaml::Entry& entry : node.entries) {
    Axis axis;
    axis.name = entry.key;
    axis.place = entry.place;
    const std::string thing = "axis " + printable(entry.key, 60);
    if (entry.value.kind == yaml::Kind::list) {
      if (reading.study.sample)
        reading.fail(entry.value, thing + " is a list, samples are drawn from ranges",
                     "write {from: ..., to: ...}");
      for (const yaml::Node& item : entry.value.items)
        axis.values.push_back(reading.text(item, thing));
      if (axis.values.empty())
        reading.fail(entry.value, thing + " has no value", "list at least one");
    } else if (entry.value.kind == yaml::Kind::map) {
      read_range(reading, entry.value, thing, axis, reading.study.sample.has_value());
    } else {
      reading.fail(entry.value, thing + " must be a list or a range",
                   "write [0.1, 0.2] or {from: 0.1, to: 0.5, count: 20}");
    }
    reading.study.axes.push_back(std::move(axis));
  }
  double cases = reading.study.sample ? double(reading.study.sample->count) : 1.0;
  if (reading.study.sample && reading.study.sample->is_paired)
    cases *= double(reading.study.axes.size()) + 2.0;
  if (!reading.study.sample)
    for (const Axis& axis : reading.study.axes) cases *= double(axis.values.size());
  if (cases > double(limits.cases))
    reading.fail(node,
                 fmt::format("the axes make {:.3g} cases, at most {:.0e} are possible", cases,
                             double(limits.cases)),
                 "take fewer values, or draw cases with sample: {count: ...}");
}

void read_sample(StudyReading& reading, const yaml::Node& node) {
  reading.check_keys(node, "sample", {"count", "method", "seed"});
  Sample sample;
  const yaml::Node* count = node.find("count");
  if (!count)
    reading.fail(node, "sample needs count", "write sample: {count: 1000, method: sobol}");
  sample.count = reading.formulas.integer(*count, "sample: count", 1, limits.cases);
  if (const yaml::Node* method = node.find("method")) {
    const std::string& value = reading.text(*method, "sample: method");
    if (value != "sobol" && value != "random")
      reading.fail(*method, "sample: method is " + printable(value, 40), "write sobol or random");
    sample.method = value == "sobol" ? SampleMethod::sobol : SampleMethod::random;
  }
  if (const yaml::Node* seed = node.find("seed"))
    sample.seed = reading.formulas.integer(*seed, "sample: seed", 0, 1L << 62);
  sample.is_paired = reading.purpose == Purpose::sensitivity;
  reading.study.sample = sample;
}

void read_follow(StudyReading& reading, const yaml::Node& node) {
  const std::string& name = reading.text(node, "follow");
  std::vector<std::string> names;
  for (const Axis& axis : reading.study.axes) names.push_back(axis.name);
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    reading.fail(node, "follow: " + printable(name, 60) + " is no axis",
                 "axes are " + list_names(names));
  if (reading.study.sample)
    reading.fail(node, "follow does not go with sample",
                 "drawn cases have no neighbours; leave one out");
  reading.study.follow = static_cast<int>(found - names.begin());
}

void read_rules(StudyReading& reading, const yaml::Node& node) {
  if (node.kind != yaml::Kind::list || node.items.empty())
    reading.fail(node, "classify must be a list of rules",
                 "write [{jams: FORMULA}, {walks: otherwise}]");
  for (const yaml::Node& item : node.items) {
    if (item.kind != yaml::Kind::map || item.entries.size() != 1)
      reading.fail(item, "a rule of classify is one name with a formula",
                   "write {jams: stuck - 1}");
    const yaml::Entry& entry = item.entries.front();
    Rule rule{entry.key, reading.text(entry.value, "classify: " + printable(entry.key, 60)),
              entry.value.place};
    if (rule.formula == "otherwise") rule.formula.clear();
    if (!reading.study.classify.empty() && reading.study.classify.back().formula.empty())
      reading.fail(item, "classify: a rule stands behind otherwise", "put otherwise last");
    reading.study.classify.push_back(std::move(rule));
  }
}

void read_search(StudyReading& reading, const yaml::Node& node) {
  reading.check_keys(node, "find", {"axis", "from", "to", "tolerance"});
  const yaml::Node *axis = node.find("axis"), *from = node.find("from"), *to = node.find("to");
  if (!axis || !from || !to)
    reading.fail(node, "find needs axis, from and to",
                 "write find: {axis: mu, from: 0.1, to: 0.5}");
  Search search;
  search.axis = reading.text(*axis, "find: axis");
  search.from = reading.formulas.number(*from, "find: from");
  search.to = reading.formulas.number(*to, "find: to");
  search.place = node.place;
  if (const yaml::Node* tolerance = node.find("tolerance"))
    search.tolerance = reading.formulas.number_in(*tolerance, "find: tolerance", 1e-14, 1.0,
                                                  "it is a part of the value that is sought");
  if (search.from == search.to)
    reading.fail(node, "find: from and to are equal", "give an interval");
  reading.study.search = search;
}

/// Sections and `stop` become events of the model, so that they are located exactly.
void add_events(Study& study) {
  yaml::Node root = yaml::parse(study.model_text, study.model_file);
  yaml::Node list;
  list.kind = yaml::Kind::list;
  const auto add = [&](const std::string& name, const std::string& when,
                       const std::string& direction, const std::string& action) {
    yaml::Node event;
    event.kind = yaml::Kind::map;
    event.entries = {{"name", {}, yaml::text_node(name)},
                     {"when", {}, yaml::text_node(when)},
                     {"direction", {}, yaml::text_node(direction)},
                     {"do", {}, yaml::text_node(action)}};
    list.items.push_back(std::move(event));
  };
  for (const Kept& kept : study.keep)
    if (!kept.crossing.empty()) add(section_event(kept), kept.crossing, kept.direction, "record");
  if (!study.stop.empty()) add(std::string(stop_event), study.stop, "rising", "stop");
  if (list.items.empty()) return;
  if (yaml::Node* events = root.find("events"))
    events->items.insert(events->items.end(), list.items.begin(), list.items.end());
  else
    root.entries.push_back({"events", {}, list});
  study.model_text = yaml::to_yaml(root);
}

void read_sections(StudyReading& reading, const yaml::Node& root) {
  Study& study = reading.study;
  reading.check_keys(root, "",
                     {"study", "name", "about", "model", "set", "axes", "sample", "follow", "keep",
                      "classify", "stop", "find", "time_limit"});
  const yaml::Node* version = root.find("study");
  if (!version || version->text != "1")
    reading.fail(version ? *version : root, "this is no study file of format 1",
                 "begin it with  study: 1");
  if (const yaml::Node* name = root.find("name")) study.name = reading.text(*name, "name");
  if (const yaml::Node* about = root.find("about")) study.about = reading.text(*about, "about");
  const yaml::Node* model = root.find("model");
  if (!model)
    reading.fail(root, "the study names no model", "write model: FILE, relative to the study");
  study.model_file =
      (std::filesystem::path(study.file).parent_path() / reading.text(*model, "model"))
          .lexically_normal()
          .string();
  study.model_text = read_input_file(study.model_file);
  study.model_hash = checksum64(study.model_text);
  if (const yaml::Node* settings = root.find("set")) {
    if (settings->kind != yaml::Kind::map)
      reading.fail(*settings, "set must be a map", "write set: {mu: 0.3}");
    std::vector<Override> own;
    for (const yaml::Entry& entry : settings->entries)
      own.push_back({entry.key, reading.text(entry.value, "set: " + printable(entry.key, 60))});
    study.settings.insert(study.settings.begin(), own.begin(), own.end());
  }
  if (const yaml::Node* sample = root.find("sample")) read_sample(reading, *sample);
  if (const yaml::Node* axes = root.find("axes")) read_axes(reading, *axes);
  if (const yaml::Node* follow = root.find("follow")) read_follow(reading, *follow);
  if (const yaml::Node* keep = root.find("keep"))
    study.keep = read_keep(*keep, reading.formulas, study.file);
  if (const yaml::Node* rules = root.find("classify")) read_rules(reading, *rules);
  if (const yaml::Node* stop = root.find("stop")) study.stop = reading.text(*stop, "stop");
  if (const yaml::Node* search = root.find("find")) read_search(reading, *search);
  if (const yaml::Node* limit = root.find("time_limit"))
    study.time_limit = reading.formulas.positive(*limit, "time_limit");
  if (study.axes.empty() && !study.search)
    reading.fail(root, "nothing varies", "give axes, or find: {axis: ...}");
}

/// What a purpose needs of the sections, and what it would pass over.
void check_purpose(const StudyReading& reading, const yaml::Node& root, Purpose purpose) {
  const Study& study = reading.study;
  if (purpose == Purpose::cases && study.axes.empty())
    reading.fail(root, "the study has no axes", "add axes, or use clack find");
  if (purpose == Purpose::sensitivity && (!study.sample || study.keep.empty()))
    reading.fail(
        root, "sensitivities need samples of ranges and kept results",
        "write sample: {count: 512}, axes: {mu: {from: 0.1, to: 0.5}, ...} and keep: {...}");
  if (purpose != Purpose::threshold) return;
  if (!study.search)
    reading.fail(root, "the study has no section find",
                 "add find: {axis: NAME, from: a, to: b, tolerance: 1e-6}");
  if (study.classify.empty())
    reading.fail(root, "the study has no section classify",
                 "name the classes between which to search");
  for (const char* key : {"axes", "sample", "follow"})
    if (const yaml::Node* other = root.find(key))
      reading.fail(*other,
                   fmt::format("{} stands beside find, which varies {} alone", key,
                               printable(study.search->axis, 60)),
                   "put find into a study of its own; other values are given by set, or --set");
}

}  // namespace

std::string Study::where(Place place) const { return yaml::where(file, place); }

Study read_study(const std::string& path, const std::vector<Override>& settings, Purpose purpose,
                 const Interval& interval) {
  Study study;
  study.file = path;
  study.settings = settings;
  const std::string text = read_input_file(path);
  study.study_hash = checksum64(text);
  for (const Override& setting : settings)
    study.study_hash = checksum64(setting.name + "=" + setting.formula, study.study_hash);
  const yaml::Node root = yaml::parse(text, path);
  symbolic::Graph graph;
  FormulaReader formulas(graph, path);
  StudyReading reading{study, formulas, purpose};
  read_sections(reading, root);
  check_purpose(reading, root, purpose);
  if (purpose == Purpose::sensitivity)
    study.study_hash = checksum64("sensitivity", study.study_hash);
  if (study.search && interval.from) study.search->from = *interval.from;
  if (study.search && interval.to) study.search->to = *interval.to;
  add_events(study);
  if (study.name.empty()) study.name = std::filesystem::path(path).stem().string();
  study.units = units_of(yaml::parse(study.model_text, study.model_file), try_first_case(study));
  return study;
}

}  // namespace clack::study
