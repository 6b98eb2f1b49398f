// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs of the woodpecker toy that have settled, and tables of their events.
#include "acceptance/run_support.hpp"

namespace clack::acceptance::woodpecker {

/// One line of an event table: time in ms, what happens where, and the status of that contact
/// afterwards.
struct Line {
  double ms;
  EventKind kind;
  std::string contact;
  ContactStatus after;
};

inline const std::string three = "woodpecker/three-dof.yaml", four = "woodpecker/four-dof.yaml";

constexpr auto open = ContactStatus::open, stick = ContactStatus::stick, slip = ContactStatus::slip;
constexpr auto impact = EventKind::impact, detach = EventKind::detach;

/// The start state of another run, as overrides.
inline std::vector<Override> start_from(const Trace& trace, std::vector<Override> more) {
  for (std::size_t i = 0; i < trace.coordinates.size(); ++i)
    more.push_back({trace.coordinates[i] + "_0", exact(trace.final_q[i])});
  for (std::size_t i = 0; i < trace.speeds.size(); ++i)
    more.push_back({trace.speeds[i] + "_0", exact(trace.final_v[i])});
  return more;
}

/// Impacts at `contact` that follow an impact at `after`: the section of the return map.
inline std::vector<double> returns_of(const Trace& trace, const std::string& contact,
                                      const std::string& after) {
  std::vector<double> times;
  bool is_due = false;
  for (const TraceEvent& event : trace.events) {
    if (event.kind != impact) continue;
    if (is_due && involves(trace, event, contact)) times.push_back(event.t);
    is_due = involves(trace, event, after);
  }
  return times;
}

/// A run that has settled on the limit cycle, and two periods of the cycle with dense rows.
struct Settled {
  Trace approach, cycle;
  double begin = 0.0, end = 0.0;  // one period of `cycle`
  double period() const { return end - begin; }
  double drop() const { return value_after(cycle, begin, "y_M") - value_after(cycle, end, "y_M"); }
};

inline Settled settle(const std::string& file, const std::string& contact, const std::string& after,
                      std::vector<Override> settings, const std::string& until,
                      const std::string& sample) {
  settings.push_back({"run.tolerance", "1e-12"});
  std::vector<Override> long_run = settings;
  long_run.push_back({"run.until", until});
  Settled settled;
  settled.approach = run_file(file, long_run);
  settings.push_back({"run.until", "0.31"});
  settings.push_back({"run.sample", sample});
  settled.cycle = run_file(file, start_from(settled.approach, settings));
  const std::vector<double> times = returns_of(settled.cycle, contact, after);
  if (times.size() < 2) throw std::runtime_error("no full period");
  settled.begin = times[0];
  settled.end = times[1];
  return settled;
}

/// Checks that each line of the table happens at its time, counted from `zero`.
inline void expect_lines(const Trace& trace, double zero, const std::vector<Line>& lines,
                         double tolerance_ms) {
  for (const Line& line : lines) {
    double nearest = std::numeric_limits<double>::infinity();
    ContactStatus after = ContactStatus::trans;
    for (const TraceEvent* event : events_of(trace, line.kind, line.contact)) {
      const double ms = (event->t - zero) * 1e3;
      if (std::abs(ms - line.ms) >= std::abs(nearest - line.ms)) continue;
      nearest = ms;
      after = status_after(trace, event->t, line.contact);
    }
    EXPECT_NEAR(nearest, line.ms, tolerance_ms) << to_string(line.kind) << " " << line.contact;
    EXPECT_EQ(after, line.after) << to_string(line.kind) << " " << line.contact << " at " << line.ms
                                 << " ms";
  }
}

/// Multiplier of the return map from the periods of an approach: (T_(n+1) - T_n) shrinks by it.
inline double multiplier_of(const std::vector<double>& returns) {
  double best = 0.0;
  for (std::size_t n = 0; n + 3 < returns.size(); ++n) {
    const double before = returns[n + 2] - 2.0 * returns[n + 1] + returns[n];
    const double change = returns[n + 3] - 2.0 * returns[n + 2] + returns[n + 1];
    // Far down the approach (linear regime), still well above the error of the integration.
    if (std::abs(before) > 1e-8) best = change / before;
  }
  return best;
}

inline const TraceImpact& impact_at(const Trace& trace, double t) {
  for (const TraceImpact& candidate : trace.impacts)
    if (candidate.t == t) return candidate;
  throw std::runtime_error("no impact at that time");
}

}  // namespace clack::acceptance::woodpecker
