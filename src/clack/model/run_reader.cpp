// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "clack/index.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/model/settings.hpp"

namespace clack {
namespace {

/// A choice among names, read as the enumeration whose values stand in their order.
template <class Enumeration>
void read_choice(Reading& reading, const yaml::Node& map, const char* key,
                 const std::vector<std::string>& names, Enumeration& target) {
  const yaml::Node* value = map.find(key);
  if (value == nullptr) return;
  const std::string& name = reading.choice(*value, fmt::format("policies: {}", key), names);
  for (int i = 0; i < number_of(names); ++i)
    if (names[i] == name) target = static_cast<Enumeration>(i);
}

/// "1e-9", without the zero that formatting puts into exponents.
std::string short_exponent(double x) {
  std::string text = fmt::format("{:g}", x);
  if (const auto at = text.find("e-0"); at != std::string::npos) text.erase(at + 2, 1);
  return text;
}

struct Threshold {
  std::string_view key;
  double Tolerances::*value;
  double high;  // in (0, high)
  std::string_view help;
};

constexpr std::array<Threshold, 13> thresholds{{
    {"gap", &Tolerances::gap, 1.0, "touches at the start"},
    {"penetration", &Tolerances::penetration, 1.0, "starts too deep"},
    {"gap_rate", &Tolerances::gap_rate, 1.0, "approaches"},
    {"slip", &Tolerances::slip, 1.0, "may stick"},
    {"slip_passed", &Tolerances::slip_passed, 1.0,
     "has passed zero slip when it changed its sign (in space: turned by more than 90 degrees)"},
    {"force", &Tolerances::force, 1.0, "has no force (part of the largest force)"},
    {"time", &Tolerances::time, 1.0, "is the same event (part of the larger of 1 s and t)"},
    {"rearm_gap", &Tolerances::rearm_gap, 1.0, "m; guards again after release"},
    {"unseen_flight", &Tolerances::unseen_flight, 1e6,
     "flies lower than this many `rearm_gap`: it lands where its parabola does"},
    {"zeno_speed", &Tolerances::zeno_speed, 1.0,
     "accumulating impacts are completed below this speed"},
    {"zeno_ratio", &Tolerances::zeno_ratio, 1.0, "and only while they shrink by this factor"},
    {"drift", &Tolerances::drift, 1.0, "drift beyond this is projected out"},
    {"ledger", &Tolerances::ledger, 1e3,
     "the energy ledger is open (part of the energy exchanged; at least 1e4 times `run: "
     "tolerance`)"},
}};

struct Limit {
  std::string_view key;
  int Tolerances::*value;
  int low;
  std::string_view help;
};

constexpr std::array<Limit, 4> limits{{
    {"chatter", &Tolerances::chatter, 10,
     "impacts in a row below `zeno_speed` that do not shrink: their contacts are closed; contacts "
     "of as many part no "
     "slower"},
    {"chain_cap", &Tolerances::chain_cap, 0,
     "impacts chained at one instant (0: 2000 in the plane, 200 in space)"},
    {"instant_limit", &Tolerances::instant_limit, 1, "node visits at one instant"},
    {"tie_patience", &Tolerances::tie_patience, 1,
     "visits that find the mode just left; then the guard that ended it decides"},
}};

}  // namespace

const std::vector<Setting>& run_settings() {
  static const std::vector<Setting> settings = {
      {"until", "1", "s"},
      {"theory", "poisson, in space newton", "preset of the next three"},
      {"formulation", "the theory's", "accelerations inside a mode"},
      {"decision", "the theory's", "next statuses after an event"},
      {"impact", "the theory's", "impact law"},
      {"integrator", "dop853", "of the motion inside a mode"},
      {"tolerance", "1e-9", "of the integrator, in (0, 1)"},
      {"sample", "until/1000", "s between rows of the trace"},
      {"max_step", "none",
       "s; longest step of the integrator, for event formulas with narrow dips"}};
  return settings;
}

const std::vector<Setting>& policy_settings() {
  static const std::vector<Setting> settings = {
      {"painleve", "stop",
       "stop, tangential-impact, continuous-force: where no forces exist, or several"},
      {"chain_limit", "complete",
       "complete, error: a chain of impacts that reaches `chain_cap` ends without rebound, or the "
       "run stops"},
      {"simultaneous", "true",
       "true, false: touching contacts are hit together, or one by one, the fastest first"},
      {"drift", "project",
       "project, leave: drift of closed gaps and joints beyond `drift` is projected out, or stays"},
      {"smooth_below", "0",
       "rad: over convex corners of polygons that turn by less a contact slides on, without a "
       "flight; the energy it takes is in the ledger (0: none)"}};
  return settings;
}

const std::vector<Setting>& tolerance_settings() {
  static const std::vector<Setting> settings = [] {
    const Tolerances standard;
    std::vector<Setting> made;
    for (const Threshold& t : thresholds)
      made.push_back({t.key, short_exponent(standard.*t.value), t.help});
    for (const Limit& limit : limits)
      made.push_back({limit.key, fmt::format("{}", standard.*limit.value), limit.help});
    made.push_back({"event_limit", fmt::format("{}", standard.event_limit), "events per run"});
    made.push_back(
        {"rank_cutoff", fmt::format("{:g}", standard.rank_cutoff),
         "singular values that count as zero (0: 1e-5 in modes of `projection`, 1e-10 of "
         "`delassus`, size times rounding at impacts)"});
    return made;
  }();
  return settings;
}

void read_run(Reading& reading, const yaml::Node& node) {
  RunSettings& run = reading.model.run;
  auto& formulas = reading.formulas;
  if (const yaml::Node* value = node.find("until"))
    run.until = formulas.positive(*value, "run: until");
  const auto name = [&](const char* key, std::string& target) {
    if (const yaml::Node* value = node.find(key))
      target = reading.text(*value, fmt::format("run: {}", key));
  };
  name("theory", run.theory);
  name("formulation", run.formulation);
  name("decision", run.decision);
  name("impact", run.impact);
  name("integrator", run.integrator);
  if (const yaml::Node* value = node.find("tolerance")) {
    run.tolerance = formulas.positive(*value, "run: tolerance");
    if (run.tolerance >= 1.0)
      reading.fail(*value, fmt::format("run: tolerance is {}, must be less than 1", run.tolerance),
                   "use 1e-6 for a coarse run, 1e-12 for a fine one");
  }
  if (const yaml::Node* value = node.find("sample"))
    run.sample = formulas.positive(*value, "run: sample");
  if (const yaml::Node* value = node.find("max_step"))
    run.max_step = formulas.positive(*value, "run: max_step");
  constexpr double most_rows = 1e8;
  if (run.sample > 0.0 && run.until / run.sample > most_rows)
    reading.fail(*node.find("sample"),
                 fmt::format("run: sample {} makes more than {} rows", run.sample, most_rows),
                 "sample less often or run for a shorter time");
}

void read_policies(Reading& reading, const yaml::Node& node) {
  Policies& policies = reading.model.policies;
  read_choice(reading, node, "painleve", {"stop", "tangential-impact", "continuous-force"},
              policies.painleve);
  read_choice(reading, node, "chain_limit", {"complete", "error"}, policies.chain_limit);
  read_choice(reading, node, "drift", {"project", "leave"}, policies.drift);
  if (const yaml::Node* value = node.find("simultaneous"))
    policies.simultaneous = reading.boolean(*value, "policies: simultaneous");
  if (const yaml::Node* value = node.find("smooth_below"))
    policies.smooth_below =
        reading.formulas.number_in(*value, "policies: smooth_below", 0, 1.5,
                                   "give the largest angle of a corner, in rad; 0 for none");
}

void read_tolerances(Reading& reading, const yaml::Node& node) {
  Tolerances& tolerances = reading.model.tolerances;
  auto& formulas = reading.formulas;
  for (const Threshold& threshold : thresholds) {
    const yaml::Node* value = node.find(threshold.key);
    if (!value) continue;
    const std::string what = fmt::format("tolerances: {}", threshold.key);
    const double number = formulas.positive(*value, what);
    if (number >= threshold.high)
      reading.fail(*value,
                   fmt::format("{} is {}, must be less than {}", what, number, threshold.high),
                   "leave it out to take the default");
    tolerances.*threshold.value = number;
  }
  constexpr int largest = 1'000'000'000;
  if (const yaml::Node* value = node.find("rank_cutoff"))
    tolerances.rank_cutoff =
        formulas.number_in(*value, "tolerances: rank_cutoff", 0, 0.1, "0 takes the default");
  if (const yaml::Node* value = node.find("event_limit"))
    tolerances.event_limit = formulas.integer(*value, "tolerances: event_limit", 1, largest);
  for (const Limit& limit : limits)
    if (const yaml::Node* value = node.find(limit.key))
      tolerances.*limit.value = static_cast<int>(
          formulas.integer(*value, fmt::format("tolerances: {}", limit.key), limit.low, largest));
}

}  // namespace clack
