// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/progress.hpp"

#include <algorithm>
#include <cmath>

#include "clack/hybrid/tolerances.hpp"

namespace clack {

std::optional<Stop> count_visit(const Model& model, RunState& state, const Cause& cause) {
  const double unit = std::max(1.0, std::abs(state.t)), passed = state.t - state.last_event_time;
  const bool is_progress = cause.is_start || cause.is_time;
  const bool is_visit = !is_progress && passed <= model.tolerances.time * unit;
  const bool is_creeping = !is_progress && passed <= hybrid_tolerances.creeping * unit;
  state.visits = is_visit ? state.visits + 1 : 0;
  state.creeping = is_creeping ? state.creeping + 1 : 0;
  if (!is_creeping) state.restless.clear();
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
      "the statuses repeat; try another decision, or report the model"};
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
