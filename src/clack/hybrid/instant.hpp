// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/contact_node.hpp"

namespace clack {

/// A contact whose status changed.
struct ContactChange {
  ContactKey contact;
  ContactStatus from = ContactStatus::open, to = ContactStatus::open;
};

/// A contact that came to the end of its feature, and those that continue it.
struct FeatureHandOver {
  ContactKey contact;
  ContactSet after = {};
  std::optional<double> place = {}, turn = {};  // outlines: on the edge, m; of the corner there
};

/// One transition or switch at an instant; the recorder numbers its contacts and writes it down.
struct InstantEvent {
  double t = 0.0;
  EventKind kind = EventKind::start;
  ContactSet contacts;  // that took part
  std::vector<ContactChange> changes;
  std::vector<FeatureHandOver> features;
  std::string label;
  int iterations = 0;
  double residual = 0.0, drift = 0.0;
  Certificate certificate = {};  // of the decision
};

/// The end of an accumulation of impacts: what happened when its contacts were closed.
struct CompletionRecord {
  double t = 0.0;           // the instant of its nodes, s
  double limit_time = 0.0;  // where the sequence ends and the motion goes on, s
  bool is_small = false;    // the correction takes no more than the accumulating motion had
  Mode before, after;
  NodePasses passes;
  std::vector<InstantEvent> events;
  std::vector<double> corrections;  // of the energy, J
  std::vector<std::string> flags, notes;
  std::optional<Stop> stop;
};

/// What happened at an instant, in order, as a value. The recorder writes it down.
struct InstantRecord {
  double t = 0.0;
  Mode before, after;
  std::vector<double> y;             // after
  NodePasses passes;                 // of the nodes, each with the problem it solved
  std::vector<InstantEvent> events;  // switches, then transitions
  std::vector<double> corrections;   // of the energy, J: drift that was projected out
  double work_of_inputs = 0.0;       // J, by signals that jumped
  double taken_by_corners = 0.0;     // <= 0, J: policies: smooth_below
  std::vector<std::string> flags, notes;
  std::optional<Stop> stop;                             // then nothing follows
  std::optional<Accumulation::Completion> accumulates;  // recognised at this instant
  std::optional<CompletionRecord> completion;           // and completed

  long event_count() const {
    return static_cast<long>(events.size() + (completion ? completion->events.size() : 0));
  }
};

/// An instant, in the order of docs/executor.md: switches, touching contacts, impacts, contact node,
/// drift, transition, accumulation. `state` comes as the mode ended and leaves as the next begins.
InstantRecord resolve_instant(const NodeTools& tools, RunState& state, const Cause& cause);

/// Contacts of the mode, those whose gap guard fired, those that reach zero within the time
/// tolerance, and those with zero gap that separate (docs/theories/poisson.md: the impact decides
/// on them).
/// `has_switched`: a formula did, and closed gaps may have opened by it.
ContactSet touching_contacts(const NodeTools& tools, const Instant& instant, const Cause& cause,
                             bool has_switched = false);
/// The same, and whether a corner met a corner and one of several contacts there was chosen.
OutlineClosing touching_closing(const NodeTools& tools, const Instant& instant, const Cause& cause,
                                bool has_switched = false);

/// Closes accumulating contacts (Zeno): in place of the rest of the sequence comes its limit. Gap rates and the slips
/// that vanish with them are zero, the contact node is asked. The state stays at the time of the last impact: what does
/// not take part has to be integrated to the limit time.
CompletionRecord close_accumulation(const NodeTools& tools, RunState& state,
                                    const Accumulation::Completion& completion);

/// The state has come to the limit time: the event of a completed accumulation.
void reach_limit(const NodeTools& tools, RunState& state,
                 const Accumulation::Completion& completion, CompletionRecord& record);

/// Makes the mode of an instant the one whose equations are evaluated.
void enter_mode(const NodeTools& tools, const Instant& instant);

/// The transitions of an instant from one mode to the next. A contact that comes to the end of its feature is no
/// detachment: those of its pair that close at the same point take over.
std::vector<InstantEvent> transition_events(const NodeTools& tools, const RunState& state,
                                            const Mode& before, const Cause& cause,
                                            const NodePasses& passes, double drift);

/// Contacts that took part in impacts among the passes, and whether there was one.
struct ImpactContacts {
  bool had_impact = false;
  ContactSet contacts;
};
ImpactContacts impact_contacts(const NodePasses& passes);

}  // namespace clack
