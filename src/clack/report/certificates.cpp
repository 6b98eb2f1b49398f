// SPDX-License-Identifier: Apache-2.0
#include "clack/report/certificates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "clack/report/manual.hpp"
#include "clack/report/markup.hpp"
#include "clack/report/tables.hpp"

namespace clack::report {
namespace {

constexpr std::size_t most_named = 3;  // events that a flag names

struct FlagWords {
  std::string_view code, words;
};
constexpr std::array flags_in_words = {
    FlagWords{"energy-gain",
              "An impact raised the energy: its law is inconsistent with these coefficients here."},
    FlagWords{"negative-impulse",
              "A contact pulls at an impact; the impulse is reported as the law gives it."},
    FlagWords{"restitution-inconsistent",
              "The restitution matrix can gain energy for some velocity."},
    FlagWords{"restitution-least-squares",
              "Dependent rows with unequal restitution: the wanted rates are met in the "
              "least-squares sense."},
    FlagWords{"hyperstatic",
              "Forces or impulses are not unique; the smallest admissible ones are shown."},
    FlagWords{"motion-not-unique",
              "Redundant contacts slide, so that neither forces nor motion are unique; the "
              "smallest admissible forces are followed."},
    FlagWords{"outside-domain", "A row breaks a condition of its mode; the run stopped there."},
    FlagWords{"inexact-impulse",
              "Impulses of jammed contacts were used with a residual between 1e-9 and 1e-6."},
    FlagWords{"not-unique", "The motion is not unique; one solution is reported."},
    FlagWords{"no-solution", "No admissible forces exist (every state of the contacts was tried)."},
    FlagWords{"several-solutions", "There is more than one way to go on."},
    FlagWords{
        "chain-completed",
        "A chain of impacts at one instant reached its cap and was ended by a plastic impact."},
    FlagWords{"zeno-completed", "Accumulating impacts were completed at their limit."},
    FlagWords{"chatter-completed",
              "Many small impacts in a row did not fade; their contacts were closed and let go no "
              "slower than these."},
    FlagWords{"tie-broken", "A tie to rounding: the guard that ended the mode decided."},
    FlagWords{"points-dropped",
              "Members of an impact that could not take part were left out of it."},
    FlagWords{"tension", "The closure asked points of an impact to pull; they were left out."},
    FlagWords{"locked", "Impulses balance each other and move nothing; no work was given back."},
    FlagWords{
        "stick-kept",
        "Points need more friction than they have, but no slip of them can grow; they are held."},
    FlagWords{"several-slip-states",
              "Several slip states were admissible; the one with most sticking points was taken."},
    FlagWords{"chain-cut",
              "The chain of events of an impact was ended by its limit; contacts still approach."},
    FlagWords{"chain-unfinished", "The chain of events of a law reached its own cap."},
    FlagWords{"rank-near-cutoff", "The pose is nearly singular."},
    FlagWords{"ledger-open",
              "Energy appeared or went beyond what the tolerance explains: these numbers are not "
              "to be trusted as they are."},
    FlagWords{"drift-corrected",
              "Closed contacts or joints had drifted far when they were put right."},
    FlagWords{"rows-contradict",
              "Rows that depend on each other ask for different accelerations; the least-squares "
              "motion is used."},
    FlagWords{"rows-redundant", "Rows depend on each other and agree; they count once."},
    FlagWords{"not-converged",
              "An iteration ended at its limit; this says nothing about the mechanics."},
    FlagWords{"rounding-limit", "A residual is at the rounding of the data; less is not possible."},
    FlagWords{"stick-discarded", "A sticking answer gained energy and was discarded."},
    FlagWords{"recompressed", "Compression began again after restitution had begun."},
    FlagWords{"vertex-vertex", "Two corners met; the normal between them is a choice."},
    FlagWords{"jam", "Bodies are held at rest by contacts from at least two directions."},
};

std::string event_button(std::size_t event, double t) {
  return fmt::format(
      "<button type=\"button\" class=\"link\" data-event=\"{}\">event {} at {} s</button>", event,
      event, pretty(t, 9));
}

/// The event to which an impact belongs.
std::optional<std::size_t> event_of_impact(const Trace& trace, std::size_t impact) {
  for (std::size_t k = 0; k < trace.events.size(); ++k)
    if (impact >= trace.events[k].first_impact &&
        impact < trace.events[k].first_impact + trace.events[k].impacts)
      return k;
  return std::nullopt;
}

/// Where a law is violated most.
struct Worst {
  double number = 0.0;
  std::optional<std::size_t> event;
  bool is_impact = false;
};
Worst worst_of(const Trace& trace, std::size_t law) {
  Worst worst;
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const double number = numbers_of(trace.events[k].certificate)[law];
    if (!(number <= worst.number)) worst = {number, k, false};
  }
  std::optional<std::size_t> impact;
  for (std::size_t k = 0; k < trace.impacts.size(); ++k) {
    const double number = numbers_of(trace.impacts[k].certificate)[law];
    if (!(number <= worst.number)) worst = {number, std::nullopt, true}, impact = k;
  }
  if (impact) worst.event = event_of_impact(trace, *impact);
  return worst;
}

std::string law_line(const Trace& trace, std::size_t law) {
  const Worst worst = worst_of(trace, law);
  std::string text = "<li>" + explained(law_names()[law], law_words()[law]) + ": ";
  if (worst.number == 0.0) return text + "holds exactly.</li>\n";
  text += fmt::format("violated by at most <b>{}</b>, {}", pretty(worst.number, 2),
                      worst.is_impact ? "by an impact" : "by a decision");
  if (worst.event) text += ", " + event_button(*worst.event, trace.events[*worst.event].t);
  return text + ".</li>\n";
}

std::string ledger_line(const EnergyLedger& energy) {
  return fmt::format(
      "<li{}>{}: what came in and went out explains the change to <b>{}</b> of the {} J that "
      "were exchanged{}.</li>\n",
      energy.open ? " class=\"bad\"" : "", explained("ledger_error", "Energy"),
      pretty(energy.ledger_error, 2), pretty(energy.exchanged, 4),
      energy.open ? "; the ledger is open" : "");
}

/// A flag of the run, with the first of the impacts that raised it.
std::string flag_line(const Trace& trace, const std::string& flag) {
  const std::string_view words = flag_words(flag);
  std::string text = "<li>" + flag_label(flag) + " " + std::string(words);
  std::size_t count = 0;
  std::string named;
  for (std::size_t k = 0; k < trace.impacts.size(); ++k) {
    if (std::ranges::find(trace.impacts[k].flags, flag) == trace.impacts[k].flags.end()) continue;
    if (++count > most_named) continue;
    if (const auto event = event_of_impact(trace, k))
      named += " " + event_button(*event, trace.events[*event].t);
  }
  if (count > 0)
    text += fmt::format(" At {} impact{}:{}{}", count, count > 1 ? "s" : "", named,
                        count > most_named ? " …" : "");
  return text + "</li>\n";
}

}  // namespace

std::string_view flag_words(std::string_view code) {
  for (const FlagWords& flag : flags_in_words)
    if (flag.code == code) return flag.words;
  return "";
}

std::vector<std::string_view> known_flags() {
  std::vector<std::string_view> codes;
  for (const FlagWords& flag : flags_in_words) codes.push_back(flag.code);
  return codes;
}

std::array<std::string_view, 6> law_words() {
  return {"No contact penetrates",
          "No contact pulls",
          "What is open carries nothing, what carries is closed",
          "Friction stays within its cone",
          "Joints hold",
          "The solver's own residual, unit-free"};
}

std::array<std::string_view, 6> law_names() {
  return {"penetration", "adhesion", "complementarity", "cone", "bilateral", "residual"};
}

std::array<double, 6> numbers_of(const Certificate& c) {
  return {c.penetration, c.adhesion, c.complementarity, c.cone, c.bilateral, c.residual};
}

std::string flag_label(const std::string& flag) {
  const std::string css = flag == "ledger-open" ? "flag red" : "flag";
  if (!flag_words(flag).empty()) return explained(flag, escape(flag), css);
  return fmt::format("<span class=\"{}\">{}</span>", css, escape(flag));
}

std::string certificate_words(const Trace& trace) {
  std::string html = "<ul class=\"words\">\n";
  for (std::size_t law = 0; law < law_words().size(); ++law) html += law_line(trace, law);
  html += ledger_line(trace.energy);
  for (const std::string& flag : trace.flags) html += flag_line(trace, flag);
  for (const std::string& note : trace.notes) html += "<li>" + escape(note) + "</li>\n";
  html += "</ul>\n<script type=\"application/json\" id=\"laws\">[";
  for (std::size_t law = 0; law < law_words().size(); ++law)
    html +=
        fmt::format("{}[\"{}\",\"{}\"]", law > 0 ? "," : "", law_words()[law], law_names()[law]);
  return html + "]</script>\n";
}

}  // namespace clack::report
