// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/progress.hpp"

#include <algorithm>
#include <cmath>

#include "clack/hybrid/tolerances.hpp"

namespace clack {

namespace {

/// A contact by a formula that cannot say what holds at the border of two of its branches.
bool rests_in_a_kink(const NodeTools& tools, const RunState& state) {
  if (tools.mechanism.switching().count() == 0) return false;
  return std::ranges::any_of(state.restless, [&](const ContactKey& contact) {
    return !tools.model.contacts[contact.source].between();
  });
}

}  // namespace

std::optional<Stop> count_visit(const NodeTools& tools, RunState& state, const Cause& cause) {
  const Model& model = tools.model;
  const double unit = std::max(1.0, std::abs(state.t)), passed = state.t - state.last_event_time;
  const bool is_progress = cause.is_start || cause.is_time;
  const bool is_visit = !is_progress && passed <= model.tolerances.time * unit;
  state.visits = is_visit ? state.visits + 1 : 0;
  // Every event counts one, and as much is taken off for the time that has passed: bursts with pauses count as what they
  // are on average.
  const double slack = std::min(passed / (hybrid_tolerances.creeping * unit), state.creeping + 1.0);
  state.creeping = is_progress ? 0 : state.creeping + 1 - static_cast<int>(slack);
  if (state.creeping == 0) state.restless.clear();
  for (const Guard& guard : cause.fired)
    if (guard.kind != GuardKind::formula) insert(state.restless, guard.contact);
  const bool is_stuck = state.visits > model.tolerances.instant_limit;
  if (!is_stuck && state.creeping <= hybrid_tolerances.creeping_limit) return std::nullopt;
  return Stop{
      fmt::format("t = {:.17g} s: {} lead nowhere; contacts{}", state.t,
                  is_stuck ? fmt::format("{} node visits at one instant", state.visits)
                           : fmt::format("{} events in less than {:.3g} s", state.creeping,
                                         state.creeping * hybrid_tolerances.creeping * unit),
                  names_of(model, state.restless)),
      rests_in_a_kink(tools, state)
          ? "a gap with a kink in which its body comes to rest (abs, min, max, if) is two contacts"
          : "the statuses repeat; try another decision, or report the model"};
}

std::optional<Stop> restless_switch(const NodeTools& tools, const RunState& state,
                                    const Cause& cause) {
  if (state.visits < hybrid_tolerances.switch_patience) return std::nullopt;
  for (const Guard& guard : cause.fired) {
    if (guard.kind != GuardKind::formula) continue;
    const auto found = tools.surroundings.switch_of(guard.formula);
    if (!found) continue;
    return Stop{fmt::format("t = {:.9g} s: a formula switches to and fro where {} = 0: each of its "
                            "branches leads back to the other",
                            state.t, tools.mechanism.switching().text(*found)),
                "dry friction belongs into a contact; else smooth the formula (x/sqrt(x^2 + e^2))"};
  }
  return std::nullopt;
}

}  // namespace clack
