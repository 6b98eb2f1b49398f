// SPDX-License-Identifier: Apache-2.0
// How a record is taken up again.
#include "clack/hybrid/recorder.hpp"
#include "clack/index.hpp"

namespace clack {

void Recorder::resume(const RecorderMemory& memory, double t, const Mode& mode) {
  memory_ = memory;
  memory_.touched.clear();
  for (const ContactKey& contact : memory.touched) number(contact);
  trace_.rows.clear();
  trace_.fine_rows.clear();
  trace_.contact_rows.clear();
  trace_.events.clear();
  trace_.impacts.clear();
  given_impacts_ = 0;
  trace_.modes.clear();
  trace_.jams.clear();
  trace_.node_visits.clear();
  trace_.flags.clear();
  trace_.notes.clear();
  enter_mode(t, mode);
}

void Recorder::copy(const Recorder& other) {
  trace_ = other.trace_;
  memory_ = other.memory_;
  table_ = other.table_;
  fine_rows_ = other.fine_rows_;
  given_impacts_ = other.given_impacts_;
  broken_ = other.broken_;
}

void Recorder::succeed(const Recorder& other) {
  copy(other);
  for (const SourceIndex source : indices(model_.contacts))
    if (source.value >= columns_contacts_) number({.source = source});
  for (int c = number_of(trace_.constraints); c < number_of(model_.constraints); ++c)
    trace_.constraints.push_back(model_.constraints[c].name);
  trace_.resolved_model = model_.resolved_yaml;
  trace_.arrived_contacts = number_of(model_.contacts) - columns_contacts_;
  trace_.arrived_constraints = number_of(model_.constraints) - columns_constraints_;
}

void Recorder::take_up(const SavedRecord& record) {
  trace_ = record.trace;
  given_impacts_ = record.given_impacts;
}

void Recorder::reserve(std::size_t rows) {
  trace_.rows.reserve(trace_.rows.size() + rows * trace_.columns.size());
  if (with_fine_rows_) fine_rows_.reserve(rows, dynamics_, trace_.fine_rows);
}

}  // namespace clack
