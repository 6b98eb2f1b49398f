// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "clack/index.hpp"
#include "clack/report/mode_strip.hpp"

namespace clack::report {
namespace {

constexpr std::size_t most_modes = 20'000, most_marks = 20'000;

/// One letter per strip: o(pen), s(tick), l (slip), n (constraint on).
std::string letters_of(const TraceMode& mode, const ModeStrip& strip) {
  std::string letters;
  for (const int contact : strip.contacts) {
    const ContactStatus status = mode.status_of(contact);
    letters += status == ContactStatus::open ? 'o' : status == ContactStatus::stick ? 's' : 'l';
  }
  for (const int constraint : strip.constraints) {
    const auto c = static_cast<std::size_t>(constraint);
    letters += c < mode.constraints.size() && mode.constraints[c] ? 'n' : 'o';
  }
  return letters;
}

template <class Numbers>
std::string listed(const Numbers& numbers) {
  std::string text = "[";
  for (const auto number : numbers)
    text += fmt::format("{}{:.15g}", text.size() > 1 ? "," : "", static_cast<double>(number));
  return text + "]";
}

std::string impacts_of(const Trace& trace, const ModeStrip& strip) {
  std::map<int, std::vector<double>> times;
  std::size_t count = 0;
  for (const TraceImpact& impact : trace.impacts)
    for (const int contact : impact.contacts)
      if (count++ < most_marks) times[contact].push_back(impact.t);
  std::string text = "[";
  for (const int contact : strip.contacts)
    text += (text.size() > 1 ? "," : "") + listed(times[contact]);
  return text + "]";
}

}  // namespace

std::string modes_script(const Trace& trace, const ModeStrip& strip,
                         const std::vector<int>& locations) {
  if (trace.modes.empty() || trace.modes.size() > most_modes) return "";
  std::map<std::string, int> known;
  std::vector<std::string> names;
  std::vector<int> of;
  std::vector<double> times;
  for (const TraceMode& mode : trace.modes) {
    const std::string letters = letters_of(mode, strip);
    const auto [place, is_new] = known.emplace(letters, number_of(names));
    if (is_new) names.push_back(letters);
    of.push_back(place->second);
    times.push_back(mode.begin);
  }
  times.push_back(trace.modes.back().end);
  std::string text =
      fmt::format("{{\"rows\":{},\"names\":[", strip.contacts.size() + strip.constraints.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    text += fmt::format("{}\"{}\"", k > 0 ? "," : "", names[k]);
  text += "],\"t\":" + listed(times) + ",\"of\":" + listed(of) +
          ",\"location\":" + listed(locations) + ",\"impacts\":" + impacts_of(trace, strip) + "}";
  return "<script type=\"application/json\" id=\"modes\">" + text + "</script>\n";
}

}  // namespace clack::report
