// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/json_output.hpp"
#include "clack/nearest_name.hpp"
#include "clack/trace/event_table.hpp"
#include "clack/trace/summary.hpp"
#include "commands.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

using Json = nlohmann::ordered_json;

struct CompareRequest {
  std::string model;
  std::vector<std::string> theories, settings;
  std::optional<std::string> until;
  bool is_json = false;
};

/// One theory's run; `refusal` says why it cannot treat the model.
struct Contender {
  Theory theory;
  Trace trace;
  std::string refusal;
  bool is_done() const { return refusal.empty() && trace.status == RunStatus::done; }
};

/// The first event at which two runs are not the same, and in what.
struct Difference {
  std::size_t event = 0;
  std::string what;
};

Contender run_theory(const CompareRequest& request, const std::string& name) {
  std::vector<Override> overrides = parse_settings(request.settings);
  overrides.push_back({"run.theory", name});
  if (request.until) overrides.push_back({"run.until", *request.until});
  const Model model = load_model(request.model, overrides);
  Contender contender;
  contender.theory = choose_theory(model.run, standard_parts(), model.dimension);
  try {
    contender.trace = run(model);
  } catch (const InputError& refusal) {
    contender.trace.status = RunStatus::stopped;
    contender.refusal = std::string(refusal.what()) + "; " + refusal.remedy();
  }
  return contender;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b,
                          double& scale) {
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    scale = std::max({scale, std::abs(a[i]), std::abs(b[i])});
  }
  return largest;
}

/// Contacts by their names: each run numbers those that it makes in the order in which they touch.
std::vector<std::string> contact_names(const Trace& trace, const TraceEvent& event) {
  std::vector<std::string> names;
  for (const int contact : event.contacts) names.push_back(trace.contacts.at(contact));
  return names;
}

bool is_same_change(const Trace& of_a, const TraceEvent& a, const Trace& of_b,
                    const TraceEvent& b) {
  if (a.changes.size() != b.changes.size()) return false;
  for (std::size_t i = 0; i < a.changes.size(); ++i)
    if (of_a.contacts.at(a.changes[i].contact) != of_b.contacts.at(b.changes[i].contact) ||
        a.changes[i].from != b.changes[i].from || a.changes[i].to != b.changes[i].to)
      return false;
  return true;
}

/// Events agree when kind, contacts, statuses, time and, at an impact, the speeds afterwards do;
/// numbers to this part.
constexpr double alike = 1e-6;

/// After all impacts of an event's instant.
const std::vector<double>& speeds_after(const Trace& trace, const TraceEvent& event) {
  return trace.impacts.at(event.first_impact + event.impacts - 1).v_after;
}

std::optional<Difference> first_difference(const Trace& a, const Trace& b) {
  for (std::size_t i = 0; i < std::max(a.events.size(), b.events.size()); ++i) {
    if (i >= a.events.size() || i >= b.events.size())
      return Difference{i, "one run has no further event"};
    const TraceEvent &x = a.events[i], &y = b.events[i];
    if (x.kind != y.kind || contact_names(a, x) != contact_names(b, y) || x.label != y.label)
      return Difference{i, "event"};
    if (std::abs(x.t - y.t) > alike * std::max(x.t, y.t)) return Difference{i, "time"};
    if (x.impacts > 0 && y.impacts > 0) {
      double scale = 0.0;
      const double difference = largest_difference(speeds_after(a, x), speeds_after(b, y), scale);
      if (difference > alike * scale) return Difference{i, "speeds after the impact"};
    }
    if (!is_same_change(a, x, b, y)) return Difference{i, "statuses"};
  }
  return std::nullopt;
}

std::string joined_by(const char* separator, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text.empty() ? "-" : text;
}

std::string describe_event(const Trace& trace, std::size_t i) {
  if (i >= trace.events.size()) return "no further event";
  const TraceEvent& event = trace.events[i];
  std::string text = fmt::format("t = {:.9g} s  {}  {}", event.t, to_string(event.kind),
                                 describe_contacts(trace, event));
  if (!event.changes.empty()) text += "  " + describe_changes(trace, event);
  if (event.impacts == 0) return text;
  text += "  v =";
  for (const double v : speeds_after(trace, event)) text += " " + short_number(v);
  return text;
}

Json difference_json(const Trace& a, const Trace& b, const std::optional<Difference>& d) {
  if (!d) return nullptr;
  const auto event = [&](const Trace& trace) -> Json {
    if (d->event >= trace.events.size()) return nullptr;
    const TraceEvent& e = trace.events[d->event];
    Json contacts = Json::array();
    for (const int c : e.contacts) contacts.push_back(trace.contacts[c]);
    return {{"t", e.t}, {"kind", std::string(to_string(e.kind))}, {"contacts", contacts}};
  };
  return {{"event", d->event}, {"what", d->what}, {"first", event(a)}, {"this", event(b)}};
}

Json to_json(const std::string& model, const std::vector<Contender>& contenders) {
  Json theories = Json::array();
  for (const Contender& c : contenders) {
    const Trace& t = c.trace;
    Json json = {{"theory", c.theory.name},
                 {"formulation", c.theory.formulation},
                 {"decision", c.theory.decision},
                 {"impact", c.theory.impact},
                 {"status", c.refusal.empty() ? std::string(to_string(t.status)) : "refused"},
                 {"reason", c.refusal.empty() ? t.reason : c.refusal}};
    if (c.refusal.empty()) {
      json["counts"] = {{"events", t.counts.events}, {"impacts", t.counts.impacts}};
      json["final"] = {{"t", t.final_time}, {"q", t.final_q}, {"v", t.final_v}};
      json["energy"] = {{"initial", t.energy.initial},
                        {"final", t.energy.final},
                        {"dissipated", t.energy.dissipated},
                        {"ledger_error", t.energy.ledger_error}};
      json["flags"] = t.flags;
      if (contenders.front().refusal.empty())
        json["first_difference"] = difference_json(contenders.front().trace, t,
                                                   first_difference(contenders.front().trace, t));
    }
    theories.push_back(json);
  }
  return {{"model", model}, {"same_numbers", true}, {"theories", theories}};
}

void print_line(const std::string& head, const std::vector<std::string>& cells) {
  std::string line = fmt::format("{:<16}", head);
  for (const std::string& cell : cells) line += fmt::format("  {:>18}", cell);
  fmt::print("{}\n", line);
}

template <class Cell>
void print_row(const std::string& head, const std::vector<Contender>& contenders,
               const Cell& cell) {
  std::vector<std::string> cells;
  for (const Contender& c : contenders) cells.push_back(c.refusal.empty() ? cell(c.trace) : "-");
  print_line(head, cells);
}

void print_states(const std::vector<Contender>& contenders) {
  const Trace* known = nullptr;
  for (const Contender& c : contenders)
    if (c.refusal.empty() && known == nullptr) known = &c.trace;
  if (known == nullptr) return;
  print_row("final t, s", contenders, [](const Trace& t) { return short_number(t.final_time); });
  for (std::size_t i = 0; i < known->coordinates.size(); ++i)
    print_row(known->coordinates[i], contenders,
              [i](const Trace& t) { return fmt::format("{:.9g}", t.final_q[i]); });
  for (std::size_t i = 0; i < known->speeds.size(); ++i)
    print_row(known->speeds[i], contenders,
              [i](const Trace& t) { return fmt::format("{:.9g}", t.final_v[i]); });
}

void print_differences(const std::vector<Contender>& contenders) {
  const Contender& first = contenders.front();
  for (std::size_t i = 1; i < contenders.size() && first.refusal.empty(); ++i) {
    const Contender& other = contenders[i];
    if (!other.refusal.empty()) continue;
    const auto d = first_difference(first.trace, other.trace);
    if (!d) {
      fmt::print("\n{} and {}: the same events to {:g}\n", first.theory.name, other.theory.name,
                 alike);
      continue;
    }
    fmt::print("\n{} and {} first differ at event {} in: {}\n", first.theory.name,
               other.theory.name, d->event, d->what);
    for (const Contender* c : {&first, &other})
      fmt::print("  {:<12} {}\n", c->theory.name, describe_event(c->trace, d->event));
  }
}

void print_text(const std::string& model, const std::vector<Contender>& contenders) {
  fmt::print(
      "{}\nevery theory gets the same numbers: the same start, friction and restitution, read in "
      "its own sense\n\n",
      model);
  std::vector<std::string> names, status, parts;
  for (const Contender& c : contenders) {
    names.push_back(c.theory.name);
    status.push_back(c.refusal.empty() ? std::string(to_string(c.trace.status)) : "refused");
  }
  print_line("theory", names);
  print_line("status", status);
  print_row("events", contenders, [](const Trace& t) { return std::to_string(t.counts.events); });
  print_row("impacts", contenders, [](const Trace& t) { return std::to_string(t.counts.impacts); });
  print_states(contenders);
  print_row("energy, J", contenders, [](const Trace& t) { return short_number(t.energy.final); });
  print_row("dissipated, J", contenders,
            [](const Trace& t) { return short_number(t.energy.dissipated); });
  print_row("ledger error", contenders,
            [](const Trace& t) { return fmt::format("{:.1e}", t.energy.ledger_error); });
  fmt::print("\n");
  for (const Contender& c : contenders) {
    fmt::print("{:<12} = {}, {}, {}; flags {}\n", c.theory.name, c.theory.formulation,
               c.theory.decision, c.theory.impact, joined_by(", ", c.trace.flags));
    if (!c.refusal.empty()) fmt::print("{:<12}   {}\n", "", c.refusal);
    if (c.refusal.empty() && !c.is_done()) fmt::print("{:<12}   {}\n", "", c.trace.reason);
  }
  print_differences(contenders);
}

int compare(const CompareRequest& request) {
  const Model model = load_model(request.model, parse_settings(request.settings));
  for (const std::string& name : request.theories) {  // unknown names first, before anything runs
    RunSettings settings;
    settings.theory = name;
    (void)choose_theory(settings, standard_parts(), model.dimension);
  }
  std::vector<Contender> contenders;
  for (const std::string& name : request.theories) contenders.push_back(run_theory(request, name));
  if (request.is_json)
    fmt::print("{}\n", to_json_text(to_json(model.name, contenders), 2));
  else
    print_text(model.name, contenders);
  for (const Contender& c : contenders)
    if (!c.is_done()) return 1;
  return 0;
}

}  // namespace

void add_compare(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<CompareRequest>();
  CLI::App* command = program.add_subcommand(
      "compare", "run one model by several theories and put them side by side");
  command->add_option("MODEL", request->model, "model file (YAML)")->required();
  command
      ->add_option("--theory", request->theories,
                   "some of " + list_names(catalogue_of(standard_parts()).theory_names()) +
                       ", separated by commas; the first is what others are compared with")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--set", request->settings, "NAME=FORMULA; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--until", request->until, "simulated time in s");
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer(
      "Examples:\n"
      "  clack compare models/projection/three-feet.yaml --theory poisson,projection\n"
      "  clack compare models/rod/falling.yaml --theory poisson,newton --set mu=0.1 --until 1 "
      "--json\n"
      "Exit code 1: a theory refuses the model or stops early.");
  command->callback([request, &exit_code] { exit_code = compare(*request); });
}

}  // namespace clack::command
