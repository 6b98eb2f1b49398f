// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/node_trace.hpp"

#include "clack/index.hpp"

namespace clack {
namespace {

/// Names and numbers that all visits of one pass share.
class PassLog {
 public:
  PassLog(Trace& trace, double t, char kind, std::span<const int> contacts) : trace_(trace) {
    visit_.t = t;
    visit_.contacts.assign(contacts.begin(), contacts.end());
    visit_.mode = trace.modes.size();
    visit_.node = kind;
    visit_.node += '{';
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (i > 0) visit_.node += ',';
      visit_.node += trace.contacts[contacts[i]];
    }
    visit_.node += '}';
  }
  void add(std::string location) {
    visit_.location = std::move(location);
    trace_.node_visits.push_back(visit_);
  }

 private:
  Trace& trace_;
  NodeVisit visit_;
};

}  // namespace

std::string location_of(const SolverStep& step, int contacts) {
  int row = 0;
  switch (step.kind) {
    case SolverStep::Kind::update_normal:
      row = 0;
      break;
    case SolverStep::Kind::update_tangent:
      row = 1;
      break;
    case SolverStep::Kind::test_normal:
      row = 2;
      break;
    case SolverStep::Kind::test_tangent:
      row = 3;
      break;
    case SolverStep::Kind::passed:
      return std::to_string(4 * contacts + 1);
    case SolverStep::Kind::limit:
      return "limit";
  }
  return std::to_string(row * contacts + step.contact + 1);
}

void log_impact_node(Trace& trace, double t, std::span<const int> contacts,
                     std::span<const int> part, std::span<const SolverStep> path) {
  PassLog log(trace, t, 'I', contacts);
  log.add("en");
  for (SolverStep step : path) {
    if (step.contact >= 0) step.contact = part[step.contact];
    log.add(location_of(step, number_of(contacts)));
  }
  log.add("ex");
}

void log_contact_node(Trace& trace, double t, std::span<const int> contacts,
                      const ContactResult& result) {
  PassLog log(trace, t, 'C', contacts);
  log.add("en");
  for (const SolverStep& step : result.path) log.add(location_of(step, number_of(contacts)));
  log.add("ex");
  std::vector<int> closed;
  std::string word;
  bool has_transition = false;
  for (std::size_t i = 0; i < contacts.size() && i < result.statuses.size(); ++i) {
    if (result.statuses[i] == ContactStatus::open) continue;
    closed.push_back(contacts[i]);
    if (!word.empty()) word += ' ';
    word += to_string(result.statuses[i]);
    has_transition = has_transition || result.statuses[i] == ContactStatus::trans;
  }
  if (has_transition) PassLog(trace, t, 's', closed).add(word);
}

void log_closed_form_node(Trace& trace, double t, std::span<const int> contacts) {
  PassLog log(trace, t, 'I', contacts);
  log.add("en");
  log.add("ex");
}

}  // namespace clack
