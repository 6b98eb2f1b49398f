// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "clack/atomic_file.hpp"
#include "clack/hybrid/draw.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/impact/law.hpp"
#include "clack/json_output.hpp"
#include "clack/nearest_name.hpp"
#include "clack/report/comparison.hpp"
#include "clack/terminal_text.hpp"
#include "clack/trace/difference.hpp"
#include "clack/trace/event_table.hpp"
#include "clack/trace/summary.hpp"
#include "commands.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

using Json = nlohmann::ordered_json;

/// A key of `run:` that takes several values here.
struct Varied {
  const char *option, *key, *help;
};
constexpr std::array<Varied, 7> varied{{
    {"--theory", "run.theory", ""},
    {"--formulation", "run.formulation", "accelerations inside a mode"},
    {"--decision", "run.decision", "next statuses after an event"},
    {"--impact", "run.impact", "impact laws"},
    {"--integrator", "run.integrator", "methods of the motion inside a mode"},
    {"--tolerance", "run.tolerance", "of the integrator"},
    {"--step", "run.step", "s, of integrators with a fixed step"},
}};

struct CompareRequest {
  std::string model;
  std::array<std::vector<std::string>, varied.size()> values;
  std::vector<std::string> settings;
  std::optional<std::string> until;
  std::string page;  // to write; empty: none
  bool is_json = false;
};

/// One way to run the model: every combination of the values is one, named after those that differ.
struct Variant {
  std::string name;
  std::vector<Override> overrides;
};

/// Whether a variant's integrator, if it names one, reads a fixed step.
bool takes_step(const Variant& variant) {
  const PartCatalogue catalogue = catalogue_of(standard_parts());
  for (const Override& o : variant.overrides) {
    if (o.name != "run.integrator") continue;
    const PartDescription* part = catalogue.part(PartKind::integrator, o.formula);
    return part == nullptr || std::ranges::any_of(part->options, [](const Option& option) {
             return option.key_in_model() == "step";
           });
  }
  return true;
}

std::vector<Variant> variants_of(const CompareRequest& request) {
  std::vector<Variant> variants(1);
  bool is_any = false, is_several = false;
  for (const auto& values : request.values) is_several = is_several || values.size() > 1;
  for (std::size_t k = 0; k < varied.size(); ++k) {
    const auto& values = request.values[k];
    if (values.empty()) continue;
    is_any = true;
    std::vector<Variant> longer;
    for (const Variant& variant : variants) {
      if (std::string_view(varied[k].key) == "run.step" && !takes_step(variant)) {
        longer.push_back(variant);
        continue;
      }
      for (const std::string& value : values) {
        Variant one = variant;
        one.overrides.push_back({varied[k].key, value});
        if (values.size() > 1 || !is_several) one.name += (one.name.empty() ? "" : ", ") + value;
        longer.push_back(std::move(one));
      }
    }
    variants = std::move(longer);
  }
  if (!is_any)
    throw InputError(
        "nothing to compare", "",
        "give --theory poisson,newton, --integrator dop853,dopri5 or --tolerance 1e-6,1e-9");
  return variants;
}

/// One run; `refusal` says why its theory cannot treat the model.
struct Contender {
  std::string name;
  Theory theory;
  Trace trace;
  Drawing drawing;  // only for a page
  std::string refusal;
  bool is_done() const { return refusal.empty() && trace.status == RunStatus::done; }
};

Model model_of(const CompareRequest& request, const Variant& variant) {
  std::vector<Override> overrides = parse_settings(request.settings);
  overrides.insert(overrides.end(), variant.overrides.begin(), variant.overrides.end());
  if (request.until) overrides.push_back({"run.until", *request.until});
  return load_model(request.model, overrides);
}

Contender run_variant(const CompareRequest& request, const Variant& variant) {
  const Model model = model_of(request, variant);
  Contender contender{
      variant.name, choose_theory(model.run, standard_parts(), model.dimension), {}, {}, {}};
  try {
    contender.trace = run(model);
    if (!request.page.empty()) contender.drawing = draw_run(model, contender.trace);
  } catch (const InputError& refusal) {
    contender.trace.status = RunStatus::stopped;
    contender.refusal = std::string(refusal.what()) + "; " + refusal.remedy();
  }
  return contender;
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
    Json json = {{"name", c.name},
                 {"theory", c.theory.name},
                 {"formulation", c.theory.formulation},
                 {"decision", c.theory.decision},
                 {"impact", c.theory.impact},
                 {"status", c.refusal.empty() ? std::string(to_string(t.status)) : "refused"},
                 {"reason", c.refusal.empty() ? t.reason : c.refusal}};
    if (c.refusal.empty()) {
      json["integrator"] = t.integrator;
      json["tolerance"] = t.tolerance;
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
      fmt::print("\n{} and {}: the same events to {:g}\n", first.name, other.name, events_alike);
      continue;
    }
    fmt::print("\n{} and {} first differ at event {} in: {}\n", first.name, other.name, d->event,
               d->what);
    for (const Contender* c : {&first, &other})
      fmt::print("  {:<12} {}\n", c->name, describe_event(c->trace, d->event));
  }
}

/// Why impacts come out differently: what each of the laws adds to momentum, in its own words.
void print_laws(const std::vector<Contender>& contenders) {
  std::vector<std::string> laws;
  bool has_impacts = false;
  for (const Contender& c : contenders) {
    has_impacts = has_impacts || (c.refusal.empty() && c.trace.counts.impacts > 0);
    if (std::find(laws.begin(), laws.end(), c.theory.impact) == laws.end())
      laws.push_back(c.theory.impact);
  }
  if (!has_impacts || laws.size() < 2) return;
  fmt::print("\nmomentum alone does not decide an impact; what the laws add to it:\n");
  const ImpactLawRegistry registry = impact_laws();
  for (const std::string& law : laws) fmt::print("{:<12} {}\n", law, registry.find(law).help);
}

void print_text(const std::string& model, const std::vector<Contender>& contenders) {
  fmt::print(
      "{}\nevery theory gets the same numbers: the same start, friction and restitution, read in "
      "its own sense\n\n",
      model);
  std::vector<std::string> names, status, parts;
  for (const Contender& c : contenders) {
    names.push_back(c.name);
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
    fmt::print("{:<12} = {}, {}, {}; flags {}\n", c.name, c.theory.formulation, c.theory.decision,
               c.theory.impact, joined_by(", ", c.trace.flags));
    if (!c.refusal.empty()) fmt::print("{:<12}   {}\n", "", for_terminal(c.refusal));
    if (c.refusal.empty() && !c.is_done())
      fmt::print("{:<12}   {}\n", "", for_terminal(c.trace.reason));
  }
  print_laws(contenders);
  print_differences(contenders);
}

void write_page(const CompareRequest& request, const std::string& model,
                std::vector<Contender>& contenders) {
  const PartCatalogue catalogue = catalogue_of(standard_parts());
  std::vector<ComparedRun> runs;
  for (Contender& c : contenders) {
    const PartDescription* law = catalogue.part(PartKind::impact_law, c.theory.impact);
    runs.push_back(
        {c.name, law ? std::string(law->help) : "", c.trace, std::move(c.drawing), c.refusal});
  }
  write_file_atomically(request.page, comparison_html(model, runs));
}

int compare(const CompareRequest& request) {
  if (!request.page.empty() && std::filesystem::path(request.page).extension() != ".html")
    throw InputError("a page is written as HTML", request.page, "name a file ending in .html");
  const std::vector<Variant> variants = variants_of(request);
  std::string name;
  for (const Variant& variant : variants) {  // unknown names first, before anything runs
    const Model model = model_of(request, variant);
    (void)choose_theory(model.run, standard_parts(), model.dimension);
    name = model.name;
  }
  std::vector<Contender> contenders;
  for (const Variant& variant : variants) contenders.push_back(run_variant(request, variant));
  if (!request.page.empty()) write_page(request, name, contenders);
  if (request.is_json)
    fmt::print("{}\n", to_json_text(to_json(name, contenders), 2));
  else
    print_text(for_terminal(name), contenders);
  if (!request.page.empty() && !request.is_json) fmt::print("\npage {}\n", request.page);
  for (const Contender& c : contenders)
    if (!c.is_done()) return 1;
  return 0;
}

}  // namespace

void add_compare(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<CompareRequest>();
  CLI::App* command = program.add_subcommand(
      "compare", "run one model by several theories, methods or steps and put them side by side");
  command->add_option("MODEL", request->model, "model file (YAML)")->required();
  for (std::size_t k = 0; k < varied.size(); ++k) {
    const std::string help =
        k == 0 ? "some of " + list_names(catalogue_of(standard_parts()).theory_names()) +
                     ", separated by commas; the first is what others are compared with"
               : varied[k].help;
    command->add_option(varied[k].option, request->values[k], help)
        ->delimiter(',')
        ->allow_extra_args(false);
  }
  command->add_option("--set", request->settings, "NAME=FORMULA; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--until", request->until, "simulated time in s");
  command->add_option("--html", request->page,
                      "FILE.html: also write a page with motions, plots and events side by side");
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer(
      "Examples:\n"
      "  clack compare models/projection/three-feet.yaml --theory poisson,projection\n"
      "  clack compare models/cradle/three-balls.yaml --theory newton,poisson,energetic --html "
      "cradle.html\n"
      "  clack compare models/woodpecker/three-dof.yaml --integrator dop853,rk4 --step 1e-4,1e-5 "
      "--html methods.html\n"
      "  clack compare models/rod/falling.yaml --theory poisson,newton --set mu=0.1 --until 1 "
      "--json\n"
      "Exit code 1: a theory refuses the model or stops early.");
  command->callback([request, &exit_code] { exit_code = compare(*request); });
}

}  // namespace clack::command
