// SPDX-License-Identifier: Apache-2.0
#include "clack/study/observe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "clack/error.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/input_file.hpp"
#include "clack/nearest_name.hpp"
#include "clack/number_text.hpp"
#include "clack/study/cases.hpp"
#include "clack/symbolic/parser.hpp"
#include "clack/symbolic/program.hpp"

namespace clack::study {
namespace {

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();

/// A formula of given names and the model's parameters, ready to be called.
class Observable {
 public:
  /// Throws InputError with what the text lacks; `thing` opens the message.
  Observable(const std::string& text, const std::vector<std::string>& names, const Model& model,
             const std::string& thing, const std::string& where) {
    symbolic::Graph graph;
    std::vector<symbolic::Expression> symbols;
    std::unordered_map<std::string, symbolic::Expression> meanings;
    for (const Parameter& parameter : model.parameters)
      meanings[parameter.name] = graph.number(parameter.value);
    for (const std::string& name : names) {
      symbols.push_back(graph.symbol("column " + name));
      meanings[name] = symbols.back();
    }
    symbolic::Names known;
    for (const auto& [name, value] : meanings) known.known_names.push_back(name);
    std::ranges::sort(known.known_names);  // messages do not depend on the order of a hash map
    known.resolve = [&](std::string_view name) {
      const auto found = meanings.find(std::string(name));
      return found == meanings.end() ? symbolic::Expression() : found->second;
    };
    try {
      const symbolic::Expression formula = symbolic::parse(graph, text, known);
      program_ = symbolic::Program(symbols, std::span(&formula, 1), symbolic::Backend::tape);
    } catch (const symbolic::ParseError& error) {
      throw InputError(thing + ": " + error.what() + " in " + printable(text, 80), where,
                       error.remedy());
    }
  }
  double operator()(const double* row) const {
    double value = not_there;
    program_(row, &value);
    return value;
  }

 private:
  symbolic::Program program_;
};

struct Rows {
  const Trace& trace;
  std::size_t width() const { return trace.columns.size(); }
  const double* at(std::size_t row) const { return trace.rows.data() + row * width(); }
  double time(std::size_t row) const { return at(row)[0]; }
  std::size_t count() const { return trace.row_count(); }
  /// The first row that is not before t, or not at t either.
  std::size_t first_from(double t) const {
    return search([&](double x) { return x >= t; });
  }
  std::size_t first_after(double t) const {
    return search([&](double x) { return x > t; });
  }

 private:
  template <class Test>
  std::size_t search(const Test& test) const {
    std::size_t low = 0, high = count();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      (test(time(middle)) ? high : low) = test(time(middle)) ? middle : middle + 1;
    }
    return low;
  }
};

double over_window(const Kept& kept, const Rows& rows, const Observable& formula) {
  const std::size_t begin = rows.first_from(kept.from), end = rows.first_after(kept.to);
  if (begin >= end) return not_there;
  double largest = not_there, smallest = not_there, sum = 0.0, before = 0.0;
  for (std::size_t i = begin; i < end; ++i) {
    const double value = formula(rows.at(i));
    if (!(value <= largest)) largest = value;
    if (!(value >= smallest)) smallest = value;
    if (i > begin) sum += 0.5 * (value + before) * (rows.time(i) - rows.time(i - 1));
    before = value;
  }
  if (kept.kind == KeepKind::maximum) return largest;
  if (kept.kind == KeepKind::minimum) return smallest;
  const double length = rows.time(end - 1) - rows.time(begin);
  return length > 0.0 ? sum / length : before;
}

bool is_meant(const Kept& kept, const Trace& trace, const TraceEvent& event) {
  if (!(event.t >= kept.from && event.t <= kept.to)) return false;
  if (!kept.crossing.empty()) return event.label == section_event(kept);
  if (event.kind != *kept.event) return false;
  return kept.contact.empty() || std::ranges::any_of(event.contacts, [&](int c) {
           return trace.contacts[c] == kept.contact;
         });
}

std::vector<double> at_section(const Kept& kept, const Rows& rows, const Observable& formula) {
  std::vector<double> values(kept.last, not_there);
  int place = kept.last;
  const auto& events = rows.trace.events;
  for (std::size_t k = events.size(); k-- > 0 && place > 0;) {
    if (!is_meant(kept, rows.trace, events[k])) continue;
    const std::size_t row = kept.side == Side::before ? rows.first_from(events[k].t)
                                                      : rows.first_after(events[k].t) - 1;
    if (row < rows.count()) values[--place] = formula(rows.at(row));
  }
  return values;
}

double energy_line(const EnergyLedger& energy, const std::string& name) {
  const std::pair<std::string_view, double> lines[] = {
      {"initial", energy.initial},
      {"final", energy.final},
      {"dissipated", energy.dissipated},
      {"work_of_forces", energy.work_of_forces},
      {"work_of_drives", energy.work_of_drives},
      {"work_of_friction", energy.work_of_friction},
      {"work_of_impacts", energy.work_of_impacts},
      {"corrections", energy.corrections},
      {"ledger_error", energy.ledger_error}};
  for (const auto& [line, value] : lines)
    if (line == name) return value;
  return not_there;
}

double cycle_value(const Trace& trace, const std::string& word) {
  if (!trace.cycle) return not_there;
  return word == "period" ? trace.cycle->period
         : word == "drop" ? trace.cycle->drop
                          : trace.cycle->multiplier;
}

std::vector<double> value_of(const Study& study, const Kept& kept, const Model& model,
                             const Rows& rows) {
  const Trace& trace = rows.trace;
  const auto formula = [&] {
    return Observable(kept.formula, trace.columns, model, "keep " + kept.name,
                      study.where(kept.place));
  };
  switch (kept.kind) {
    case KeepKind::final: {
      const Observable value = formula();
      return {rows.count() > 0 ? value(rows.at(rows.count() - 1)) : not_there};
    }
    case KeepKind::maximum:
    case KeepKind::minimum:
    case KeepKind::mean:
      return {over_window(kept, rows, formula())};
    case KeepKind::count:
      return {double(std::ranges::count_if(
          trace.events, [&](const TraceEvent& event) { return is_meant(kept, trace, event); }))};
    case KeepKind::section:
      return at_section(kept, rows, formula());
    case KeepKind::cycle:
      return {cycle_value(trace, kept.word)};
    case KeepKind::energy:
      return {energy_line(trace.energy, kept.word)};
    case KeepKind::derived:
      return {};  // observe
    case KeepKind::flag:
      return {std::ranges::find(trace.flags, kept.word) != trace.flags.end() ? 1.0 : 0.0};
  }
  return {};
}

std::vector<std::string> rule_names(const Study& study) {
  std::vector<std::string> names = {"t", "done", "events", "impacts"};
  for (const Kept& kept : study.keep)
    for (const std::string& column : kept.columns()) names.push_back(column);
  return names;
}

void check_contacts(const Study& study, const Trace& trace) {
  for (const Kept& kept : study.keep) {
    if (kept.contact.empty() || !trace.pairs.empty())
      continue;  // pairs make their contacts while running
    if (std::ranges::find(trace.contacts, kept.contact) == trace.contacts.end())
      throw ModelError("keep " + kept.name + ": there is no contact " + printable(kept.contact, 60),
                       study.where(kept.place), "contacts are " + list_names(trace.contacts));
  }
}

}  // namespace

std::string section_event(const Kept& kept) { return "study_" + kept.name; }

const std::vector<std::string>& energy_lines() {
  static const std::vector<std::string> lines = {
      "initial",          "final",           "dissipated",  "work_of_forces", "work_of_drives",
      "work_of_friction", "work_of_impacts", "corrections", "ledger_error"};
  return lines;
}

std::vector<double> observe(const Study& study, const Model& model, const Trace& trace) {
  std::vector<double> values;
  std::vector<std::string> columns;  // so far
  for (const Kept& kept : study.keep) {
    if (kept.kind == KeepKind::derived) {
      const Observable formula(kept.formula, columns, model, "keep " + kept.name,
                               study.where(kept.place));
      values.push_back(formula(values.data()));
    } else {
      for (const double value : value_of(study, kept, model, Rows{trace})) values.push_back(value);
    }
    for (std::string& column : kept.columns()) columns.push_back(std::move(column));
  }
  return values;
}

std::string classify(const Study& study, const Model& model, const Trace& trace,
                     const std::vector<double>& values) {
  const std::vector<std::string> names = rule_names(study);
  std::vector<double> inputs = {trace.final_time, trace.status == RunStatus::done ? 1.0 : 0.0,
                                double(trace.counts.events), double(trace.counts.impacts)};
  inputs.insert(inputs.end(), values.begin(), values.end());
  for (const Rule& rule : study.classify) {
    if (rule.formula.empty()) return rule.name;
    const Observable formula(rule.formula, names, model, "classify: " + rule.name,
                             study.where(rule.place));
    if (formula(inputs.data()) > 0.0) return rule.name;
  }
  return "";
}

Model try_first_case(const Study& study) {
  std::vector<Override> overrides = study.settings;
  if (!study.axes.empty()) {
    const Case first = Cases(study).at(0);
    for (std::size_t k = 0; k < study.axes.size(); ++k)
      overrides.push_back({study.axes[k].name, first.values[k]});
  }
  if (study.search)
    overrides.push_back(
        {study.search->axis, std::string(std::string_view(NumberText(study.search->from)))});
  Model model = load_model_text(study.model_text, study.model_file, overrides);
  const Run run(model);
  check_contacts(study, run.trace());
  const std::vector<double> values = observe(study, model, run.trace());
  for (const Rule& rule : study.classify)
    if (!rule.formula.empty())
      (void)Observable(rule.formula, rule_names(study), model, "classify: " + rule.name,
                       study.where(rule.place));
  return model;
}

}  // namespace clack::study
