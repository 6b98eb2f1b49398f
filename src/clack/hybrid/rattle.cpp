// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/rattle.hpp"

#include "clack/hybrid/drift.hpp"

namespace clack {
namespace {

/// The contacts that stay: those that do not part, and those that rattle and part slowly.
struct Staying {
  ContactSet contacts;
  bool any_rattles = false;
};

Staying staying_contacts(const NodeTools& tools, const RunState& state,
                         const ContactSet& contacts) {
  const Tolerances& tol = tools.model.tolerances;
  const Eigen::VectorXd rates = tools.snapshot(state, contacts).gap_rate();
  Staying staying;
  for (int i = 0; i < number_of(contacts); ++i) {
    const double speed = state.scales.speed_of(contacts[i]);
    const bool parts = rates[i] > tol.gap_rate * speed;
    if (parts && !(rates[i] <= tol.zeno_speed * speed && state.accumulation.rattles(contacts[i])))
      continue;
    staying.contacts.push_back(contacts[i]);
    staying.any_rattles = staying.any_rattles || parts;
  }
  return staying;
}

}  // namespace

void hold_rattling(const NodeTools& tools, RunState& state, const ContactSet& contacts,
                   InstantRecord& record) {
  if (!state.accumulation.has_chattered()) return;
  const Staying staying = staying_contacts(tools, state, contacts);
  if (!staying.any_rattles) return;
  const Snapshot& s = tools.snapshot(state, staying.contacts);
  std::vector<bool> is_stick;
  for (int i = 0; i < s.contacts(); ++i)
    is_stick.push_back(s.slip().segment(i * s.tangents(), s.tangents()).norm() <=
                       tools.model.tolerances.gap_rate *
                           state.scales.speed_of(staying.contacts[i]));
  const Eigen::VectorXd change = velocity_correction(s, is_stick);
  if (!is_as_small_as_rates(s, is_stick, change)) return;
  const double before = tools.total_energy(state.t, state.y);
  for (int j = 0; j < tools.dynamics.speeds(); ++j) tools.v(state.y)[j] += change[j];
  record.corrections.push_back(tools.total_energy(state.t, state.y) - before);
  record.flags.emplace_back("chatter-completed");
}

}  // namespace clack
