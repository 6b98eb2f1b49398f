#include <fmt/format.h>

#include "clack/model/section_readers.hpp"

namespace clack {

bool is_energetic(const RunSettings& run) {
  return (run.impact.empty() ? run.theory : run.impact) == "energetic";
}

const std::vector<std::string>& run_keys() {
  static const std::vector<std::string> keys = {"until",  "theory",     "formulation", "decision",
                                                "impact", "integrator", "step",        "tolerance",
                                                "sample", "lcp_size"};
  return keys;
}

void read_run(Reading& reading, const yaml::Node& node) {
  RunSettings& run = reading.model.run;
  auto& formulas = reading.formulas;
  reading.check_keys(node, "run", run_keys());
  if (const yaml::Node* value = node.find("until"))
    run.until = formulas.positive(*value, "run: until");
  // The names of theories and their parts belong to the rooms that implement them; only the text is
  // taken here.
  const auto name = [&](const char* key, std::string& target, Place& place) {
    if (const yaml::Node* value = node.find(key)) {
      target = reading.text(*value, fmt::format("run: {}", key));
      place = value->place;
    }
  };
  name("theory", run.theory, run.theory_place);
  name("formulation", run.formulation, run.formulation_place);
  name("decision", run.decision, run.decision_place);
  name("impact", run.impact, run.impact_place);
  if (const yaml::Node* value = node.find("integrator"))
    run.integrator =
        reading.choice(*value, "run: integrator", {"dop853", "dopri5", "rk4", "cvode", "ida"});
  if (const yaml::Node* value = node.find("step"))
    run.step = formulas.positive(*value, "run: step");
  if (run.integrator == "rk4" && run.step == 0.0)
    reading.fail(node, "run: integrator rk4 needs a step", "give step: ... in s");
  if (const yaml::Node* value = node.find("tolerance")) {
    run.tolerance = formulas.positive(*value, "run: tolerance");
    if (run.tolerance >= 1.0)
      reading.fail(*value, fmt::format("run: tolerance is {}, must be less than 1", run.tolerance),
                   "use 1e-6 for a coarse run, 1e-12 for a fine one");
  }
  if (const yaml::Node* value = node.find("sample"))
    run.sample = formulas.positive(*value, "run: sample");
  constexpr double most_rows = 1e8;
  if (run.sample > 0.0 && run.until / run.sample > most_rows)
    reading.fail(*node.find("sample"),
                 fmt::format("run: sample {} makes more than {} rows", run.sample, most_rows),
                 "sample less often or run for a shorter time");
  if (const yaml::Node* value = node.find("lcp_size"))
    run.lcp_size = reading.choice(*value, "run: lcp_size", {"compact", "full"});
}

const std::vector<std::string>& policy_keys() {
  static const std::vector<std::string> keys = {
      "painleve",  "chain_limit", "inconsistent", "simultaneous",         "projection",
      "embedding", "baumgarte",   "closure",      "restitution_sequence", "smooth_below"};
  return keys;
}

void read_policies(Reading& reading, const yaml::Node& node) {
  Policies& policies = reading.model.policies;
  auto& formulas = reading.formulas;
  reading.check_keys(node, "policies", policy_keys());
  const auto choose = [&](const char* key, std::string& target,
                          const std::vector<std::string>& choices) {
    if (const yaml::Node* value = node.find(key))
      target = reading.choice(*value, fmt::format("policies: {}", key), choices);
  };
  std::string painleve = "stop", chain_limit = "complete";
  choose("painleve", painleve, {"stop", "tangential-impact", "continuous-force"});
  policies.painleve = painleve == "stop"                ? PainlevePolicy::stop
                      : painleve == "tangential-impact" ? PainlevePolicy::tangential_impact
                                                        : PainlevePolicy::continuous_force;
  choose("chain_limit", chain_limit, {"complete", "error"});
  policies.chain_limit = chain_limit == "complete" ? ChainPolicy::complete : ChainPolicy::error;
  choose("inconsistent", policies.inconsistent, {"error", "allow", "project"});
  choose("projection", policies.projection, {"unilateral", "closed-form"});
  choose("embedding", policies.embedding, {"online", "offline"});
  choose("closure", policies.closure, {"rigid-body", "signed"});
  if (const yaml::Node* value = node.find("simultaneous"))
    policies.simultaneous = reading.boolean(*value, "policies: simultaneous");
  if (const yaml::Node* value = node.find("baumgarte")) {
    const auto& items = reading.list(*value, "policies: baumgarte", 2);
    for (std::size_t k = 0; k < 2; ++k)
      policies.baumgarte[k] = formulas.not_negative(items[k], "policies: baumgarte");
  }
  if (const yaml::Node* value = node.find("restitution_sequence"))
    for (const yaml::Node& item : reading.list(*value, "policies: restitution_sequence"))
      policies.restitution_sequence.push_back(
          formulas.number_in(item, "policies: restitution_sequence", -1, 1,
                             "the energetic coefficient is in [-1, 1]"));
  if (const yaml::Node* value = node.find("smooth_below"))
    policies.smooth_below =
        formulas.number_in(*value, "policies: smooth_below", 0, 3.2, "give an angle in rad");
}

namespace {

struct Threshold {
  const char* key;
  double Tolerances::*value;
  double high;  // in (0, high)
};

constexpr std::array<Threshold, 12> thresholds{{{"gap", &Tolerances::gap, 1.0},
                                                {"penetration", &Tolerances::penetration, 1.0},
                                                {"gap_rate", &Tolerances::gap_rate, 1.0},
                                                {"slip", &Tolerances::slip, 1.0},
                                                {"slip_passed", &Tolerances::slip_passed, 1.0},
                                                {"force", &Tolerances::force, 1.0},
                                                {"time", &Tolerances::time, 1.0},
                                                {"rearm_gap", &Tolerances::rearm_gap, 1.0},
                                                {"unseen_flight", &Tolerances::unseen_flight, 1e6},
                                                {"zeno_speed", &Tolerances::zeno_speed, 1.0},
                                                {"zeno_ratio", &Tolerances::zeno_ratio, 1.0},
                                                {"drift", &Tolerances::drift, 1.0}}};

struct Limit {
  const char* key;
  int Tolerances::*value;
  int low;
};

constexpr std::array<Limit, 4> limits{{{"chain_cap", &Tolerances::chain_cap, 0},
                                       {"instant_limit", &Tolerances::instant_limit, 1},
                                       {"chatter", &Tolerances::chatter, 10},
                                       {"tie_patience", &Tolerances::tie_patience, 1}}};

}  // namespace

const std::vector<std::string>& tolerance_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names;
    for (const Threshold& threshold : thresholds) names.emplace_back(threshold.key);
    for (const Limit& limit : limits) names.emplace_back(limit.key);
    for (const char* key : {"rank_cutoff", "event_limit"}) names.emplace_back(key);
    return names;
  }();
  return keys;
}

void read_tolerances(Reading& reading, const yaml::Node& node) {
  Tolerances& tolerances = reading.model.tolerances;
  auto& formulas = reading.formulas;
  reading.check_keys(node, "tolerances", tolerance_keys());
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
