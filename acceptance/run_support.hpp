// SPDX-License-Identifier: Apache-2.0
// What the whole-run tests share: reading traces by name, running models from files and from text,
// running the program.
#pragma once
#include "apps/clack/run_program.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/model/reader.hpp"
#include "clack/trace/trace.hpp"

namespace clack::acceptance {

inline std::string model_path(const std::string& name) {
  return CLACK_SOURCE_DIR "/models/" + name;
}

inline Trace run_file(const std::string& name, const std::vector<Override>& overrides = {}) {
  return run(load_model(model_path(name), overrides));
}

inline Trace run_text(const std::string& yaml, const std::vector<Override>& overrides = {}) {
  return run(load_model_text(yaml, "test.yaml", overrides));
}

inline std::size_t column(const Trace& trace, const std::string& name) {
  const auto found = std::find(trace.columns.begin(), trace.columns.end(), name);
  if (found == trace.columns.end()) throw std::runtime_error("no column " + name);
  return static_cast<std::size_t>(found - trace.columns.begin());
}

inline double at_row(const Trace& trace, std::size_t row, const std::string& name) {
  return trace.rows[row * trace.columns.size() + column(trace, name)];
}

/// The value in the last row recorded at t (after the event there).
inline double value_after(const Trace& trace, double t, const std::string& name) {
  for (std::size_t row = trace.row_count(); row-- > 0;)
    if (trace.rows[row * trace.columns.size()] == t) return at_row(trace, row, name);
  throw std::runtime_error("no row at that time");
}

inline double final_value(const Trace& trace, const std::string& name) {
  for (std::size_t i = 0; i < trace.coordinates.size(); ++i)
    if (trace.coordinates[i] == name) return trace.final_q[i];
  for (std::size_t i = 0; i < trace.speeds.size(); ++i)
    if (trace.speeds[i] == name) return trace.final_v[i];
  throw std::runtime_error("no coordinate or speed " + name);
}

inline int contact_index(const Trace& trace, const std::string& name) {
  const auto found = std::find(trace.contacts.begin(), trace.contacts.end(), name);
  if (found == trace.contacts.end()) throw std::runtime_error("no contact " + name);
  return static_cast<int>(found - trace.contacts.begin());
}

inline bool involves(const Trace& trace, const TraceEvent& event, const std::string& contact) {
  const int index = contact_index(trace, contact);
  return std::find(event.contacts.begin(), event.contacts.end(), index) != event.contacts.end();
}

inline std::vector<const TraceEvent*> events_of(const Trace& trace, EventKind kind,
                                                const std::string& contact = "") {
  std::vector<const TraceEvent*> found;
  for (const TraceEvent& event : trace.events)
    if (event.kind == kind && (contact.empty() || involves(trace, event, contact)))
      found.push_back(&event);
  return found;
}

/// Status of a contact in the mode that begins at or is running at t.
inline ContactStatus status_after(const Trace& trace, double t, const std::string& contact) {
  const int index = contact_index(trace, contact);
  ContactStatus status = ContactStatus::open;
  for (const TraceMode& mode : trace.modes)
    if (mode.begin <= t) status = mode.status_of(index);
  return status;
}

struct Range {
  double low = std::numeric_limits<double>::infinity(),
         high = -std::numeric_limits<double>::infinity();
};

inline Range range_of(const Trace& trace, const std::string& name, double from, double to) {
  Range range;
  const std::size_t c = column(trace, name), width = trace.columns.size();
  for (std::size_t row = 0; row < trace.row_count(); ++row) {
    const double t = trace.rows[row * width], value = trace.rows[row * width + c];
    if (t < from || t > to) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range;
}

inline bool has_flag(const Trace& trace, const std::string& flag) {
  return std::find(trace.flags.begin(), trace.flags.end(), flag) != trace.flags.end();
}

/// A number that reads back to the same bits.
inline std::string exact(double value) { return fmt::format("{:.17g}", value); }

using testing::ProgramFolder;

}  // namespace clack::acceptance
