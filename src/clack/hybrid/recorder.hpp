// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/constraint_forces.hpp"
#include "clack/hybrid/contact_table.hpp"
#include "clack/hybrid/domain_check.hpp"
#include "clack/hybrid/drift.hpp"
#include "clack/hybrid/executor.hpp"
#include "clack/hybrid/fine_rows.hpp"
#include "clack/hybrid/instant.hpp"
#include "clack/hybrid/ledger.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// What a record goes on from when its run is resumed: the next sample and the ledger so far. The
/// motion does not depend on it.
struct RecorderMemory {
  long sample_index = 1;  // of the next row at a multiple of the sample interval
  LedgerBook ledger;
  TraceCounts counts;
  std::vector<ContactKey> touched;  // contacts of pairs, in the order of their first touch
  DomainScales domain_scales;       // against which rows are judged
};

/// The record itself, for a run that goes on in another program.
struct SavedRecord {
  Trace trace;
  std::size_t given_impacts = 0;  // that events of the trace have
};

/// The only writer of a run's trace: rows, events, impacts, modes and the energy ledger. It only
/// looks; nothing in the run depends on it.
class Recorder {
 public:
  Recorder(const Model& model, const Theory& theory, Mechanism& mechanism, ModeDynamics& dynamics,
           const RunOptions& options);

  const Trace& trace() const { return trace_; }
  Trace take_trace() { return std::move(trace_); }
  const RecorderMemory& memory() const { return memory_; }
  /// Contacts that the record knows: fixed ones and those that touched.
  ContactSet contacts() const {
    ContactSet set(table_.contacts().begin(), table_.contacts().end());
    std::ranges::sort(set);
    return set;
  }
  /// An empty trace that begins at t in a mode, with the sums of what came before.
  void resume(const RecorderMemory& memory, double t, const Mode& mode);
  /// The record of another run of the same model becomes this one's.
  void copy(const Recorder& other);
  SavedRecord save() const { return {trace_, given_impacts_}; }
  /// After `resume`: the trace so far.
  void take_up(const SavedRecord& record);
  /// Memory for so many further rows.
  void reserve(std::size_t rows);
  /// The record of a run of the same model without its last arrivals becomes this one's.
  void succeed(const Recorder& other);

  void begin(double t, const double* y);
  /// Sample rows at multiples of the interval in (after, until] of the integrator's last step.
  void sample_step(Integrator& integrator, double until);
  /// A row at a state of the current mode.
  void row(double t, const double* y);
  /// The same where a guard has ended the mode: its quantity is at zero, on either side.
  void last_row(double t, const double* y);
  /// The first row outside the domain of its mode (domain_check.hpp).
  const std::optional<BrokenRow>& broken() const { return broken_; }
  void instant(InstantRecord&& record);
  /// A formulation chose its independent speeds anew.
  void reselect(double t, std::vector<std::string> independent);
  void remark(const std::string& code, const std::string& sentence) {
    flag(code);
    note(sentence);
  }
  /// Drift that was projected out between two steps.
  void drift(const DriftProjection& drift);
  /// A step in which nothing happened.
  void step(const double* y) { memory_.ledger.exchange(dynamics_.works(y)); }
  void add_counts(const IntegratorCounts& counts);
  /// A sentence for the reader of the results.
  void note(const std::string& sentence);
  void set_realtime(TraceRealtime realtime) { trace_.realtime = std::move(realtime); }
  /// The ledger at a state.
  EnergyLedger ledger(double t, const double* y) const;
  /// The end of the run, because of `stop` if there is one.
  void finish(double t, const double* y, const std::optional<Stop>& stop);

 private:
  void enter_mode(double t, const Mode& mode);
  /// The number of a contact in the trace; one of a pair is listed when it is first asked for.
  int number(const ContactKey& contact);
  std::vector<int> numbers(std::span<const ContactKey> contacts);
  void add_event(const InstantEvent& event);
  /// Entries of `contacts:` with columns of their own: one source, or all pairs of a long list.
  struct ColumnGroup {
    std::string name;
    SourceIndex first, last;  // sources [first, last)
  };
  void add_group(SourceIndex first, SourceIndex last);
  double gap_of_group(const ColumnGroup& group, double t, const double* q, const double* v);
  double gap_of_solids(const SolidSource& solids, double t, const double* q, const double* v);
  double gap_of_outlines(const OutlineSource& outlines, double t, const double* q, const double* v);
  void contact_rows(double t, const double* q, const double* v);
  void constraint_rows(double t);
  void passes(double t, const NodePasses& passes);
  void impact(double t, const ImpactPass& pass);
  void give_impacts(std::size_t first);
  void contact_columns();
  void flag(const std::string& code);
  /// What is held fast at the end.
  void add_jams(double t, const double* y);
  /// Draws the balance of the ledger.
  void audit(double t, const double* y);
  template <class Record>
  void write(Record& record);

  const Model& model_;
  Mechanism& mechanism_;
  ModeDynamics& dynamics_;
  Trace trace_;
  RecorderMemory memory_;
  bool with_nodes_ = false, with_fine_rows_ = true;
  int columns_contacts_ = 0, columns_constraints_ = 0,
      columns_inputs_ = 0;         // entries that have columns
  std::size_t given_impacts_ = 0;  // that events of the trace have
  double sample_ = 0.0;
  ContactTable table_;
  std::vector<std::size_t>
      source_begin_;  // per source: its first contact in possible_; one more at the end
  std::vector<ColumnGroup> groups_;
  ContactSet possible_;
  GapMotions gaps_;
  ForceColumns forces_;
  std::vector<double> state_;
  FineRows fine_rows_;
  std::optional<BrokenRow> broken_;
  std::string overlap_;  // of outlines, at the last row
};

/// Period, advance and multiplier of a limit cycle from the last returns to the model's section;
/// empty when the motion is not (nearly) periodic.
std::optional<TraceCycle> find_cycle(const Model& model, const Trace& trace);

}  // namespace clack
