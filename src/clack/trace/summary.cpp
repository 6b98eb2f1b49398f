// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/summary.hpp"

#include <fmt/format.h>

#include "clack/terminal_text.hpp"

namespace clack {
namespace {

std::string value_at(const std::vector<double>& values, std::size_t k) {
  return k < values.size() ? fmt::format("{:.10g}", values[k]) : "";
}

std::string final_state(const Trace& trace) {
  constexpr std::size_t most = 24;  // lines; the rest is in events.json
  const std::size_t lines = std::max(trace.coordinates.size(), trace.speeds.size());
  const std::size_t shown = std::min(lines, most);
  std::size_t name = 0, value = 0, speed = 0;
  const auto name_at = [](const std::vector<std::string>& names, std::size_t k) {
    return k < names.size() ? names[k] : std::string();
  };
  for (std::size_t k = 0; k < shown; ++k) {
    name = std::max(name, name_at(trace.coordinates, k).size());
    value = std::max(value, value_at(trace.final_q, k).size());
    speed = std::max(speed, name_at(trace.speeds, k).size());
  }
  std::string text = fmt::format("final state at t = {:.10g} s\n", trace.final_time);
  for (std::size_t k = 0; k < shown; ++k) {
    std::string line = fmt::format("  {:<{}}  {:<{}}   {:<{}}  {}", name_at(trace.coordinates, k),
                                   name, value_at(trace.final_q, k), value,
                                   name_at(trace.speeds, k), speed, value_at(trace.final_v, k));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  if (lines > shown) text += fmt::format("  ... {} more in events.json ...\n", lines - shown);
  return text;
}

std::string energy_line(const EnergyLedger& energy) {
  return fmt::format("energy {} J -> {} J, dissipated {} J, ledger error {:.1e}\n",
                     short_number(energy.initial), short_number(energy.final),
                     short_number(energy.dissipated), energy.ledger_error);
}

std::string certificate_line(const char* of, const Certificate& c, const char* motion,
                             const char* force) {
  return fmt::format(
      "worst {}: penetration {:.1e} {}, adhesion {:.1e} {}, complementarity {:.1e}, cone {:.1e} "
      "{}, bilateral {:.1e}, "
      "residual {:.1e}\n",
      of, c.penetration, motion, c.adhesion, force, c.complementarity, c.cone, force, c.bilateral,
      c.residual);
}

std::string count_of(long number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

}  // namespace

std::string open_ledger_text(const EnergyLedger& ledger) {
  const OpenLedger open = ledger.open.value_or(OpenLedger{});
  return fmt::format(
      "the energy ledger is open: error {:.3g}, corrections {:.3g} of {:.6g} J exchanged, at most "
      "{:.3g} is taken; the largest change, {:.3g} J, is between t = {:.9g} and {:.9g} s",
      ledger.ledger_error,
      ledger.exchanged > 0.0 ? open.corrections / ledger.exchanged : open.corrections,
      ledger.exchanged, open.limit, open.change, open.begin, open.end);
}

std::string short_number(double number) { return fmt::format("{:.6g}", number); }

std::string short_duration(double seconds) {
  if (!(seconds >= 0.0)) return "?";
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 60.0) return fmt::format("{:.1f} s", seconds);
  const long whole = static_cast<long>(std::min(seconds, 1e15));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string run_header(const Trace& trace) {
  const std::string file = trace.model_file.empty() ? "" : "  (" + trace.model_file + ")";
  return for_terminal(fmt::format("{}{}\ntheory {}: {}, {}, {}; {}, tolerance {:g}, until {} s\n",
                                  trace.model, file, trace.theory, trace.formulation,
                                  trace.decision, trace.impact, trace.integrator, trace.tolerance,
                                  short_number(trace.until)));
}

std::string run_summary(const Trace& trace) {
  std::string text = final_state(trace) + energy_line(trace.energy);
  if (trace.counts.impacts > 0)
    text += certificate_line("impact", trace.worst_impact, "m/s", "N s");
  if (!trace.contacts.empty())
    text += certificate_line("decision", trace.worst_decision, "m/s2", "N");
  text += fmt::format("{}, {}, {}, {} in {}\n", count_of(trace.counts.events, "event", "events"),
                      count_of(trace.counts.impacts, "impact", "impacts"),
                      count_of(trace.counts.steps, "step", "steps"),
                      count_of(trace.counts.evaluations, "evaluation", "evaluations"),
                      short_duration(trace.wall_seconds));
  if (!trace.flags.empty()) text += fmt::format("flags: {}\n", fmt::join(trace.flags, ", "));
  for (const std::string& note : trace.notes) text += "note: " + for_terminal(note) + "\n";
  return text;
}

}  // namespace clack
