// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/archive.hpp"
#include "clack/hybrid/run.hpp"

/// The members of everything that a saved run and its trace consist of (archive.hpp). The order is that of the declarations.
namespace clack {

template <class A>
void fields(A& a, Like<ContactKey> auto& x) {
  auto& [source, owner, first, second] = x;
  a(source, owner, first, second);
}
template <class A>
void fields(A& a, Like<Signal> auto& x) {
  auto& [value, rate, acceleration, since] = x;
  a(value, rate, acceleration, since);
}
template <class A>
void fields(A& a, Like<Sample> auto& x) {
  auto& [value, rate] = x;
  a(value, rate);
}
template <class A>
void fields(A& a, Like<GuardSample> auto& x) {
  auto& [sample, second_rate] = x;
  a(sample, second_rate);
}
template <class A>
void fields(A& a, Like<Guard> auto& x) {
  auto& [kind, contact, local, formula, sign, is_armed, floor, border, landing] = x;
  a(kind, contact, local, formula, sign, is_armed, floor, border, landing);
}
template <class A>
void fields(A& a, Like<GuardCrossing> auto& x) {
  auto& [t, guard, gave_up] = x;
  a(t, guard, gave_up);
}
template <class A>
void fields(A& a, Like<GuardMemory> auto& x) {
  auto& [guards, start, end, value_before, step_before, has_before, force_floor, start_spin,
         end_spin, open, closed, begin, begin_rate, static_friction, rearm, quiet, slow, widest,
         widest_margin, piece] = x;
  a(guards, start, end, value_before, step_before, has_before, force_floor, start_spin, end_spin,
    open, closed, begin, begin_rate, static_friction, rearm, quiet, slow, widest, widest_margin,
    piece);
}
template <class A>
void fields(A& a, Like<ClosedContact> auto& x) {
  auto& [contact, status, slip_direction] = x;
  a(contact, status, slip_direction);
}
template <class A>
void fields(A& a, Like<Mode> auto& x) {
  auto& [closed, constraints] = x;
  a(closed, constraints);
}
template <class A>
void fields(A& a, Like<SurroundingsState> auto& x) {
  auto& [fired, switched_on, zone, signals, side] = x;
  a(fired, switched_on, zone, signals, side);
}
template <class A>
void fields(A& a, Like<ContactScale> auto& x) {
  auto& [length, place, speed, follows_time] = x;
  a(length, place, speed, follows_time);
}
template <class A>
void fields(A& a, Like<Scales> auto& x) {
  auto& [length, place, speed, contacts] = x;
  a(length, place, speed, contacts);
}
template <class A>
void fields(A& a, Like<Instant> auto& x) {
  auto& [t, y, mode, surroundings, scales, visits] = x;
  a(t, y, mode, surroundings, scales, visits);
}
template <class A>
void fields(A& a, Like<Knock> auto& x) {
  auto& [t, contacts, speed, loss, slip, is_completion] = x;
  a(t, contacts, speed, loss, slip, is_completion);
}
template <class A>
void fields(A& a, Like<Stop> auto& x) {
  auto& [reason, remedy] = x;
  a(reason, remedy);
}
inline void fields(ArchiveWriter& a, const Accumulation& x) { a(x.impacts()); }
inline void fields(ArchiveReader& a, Accumulation& x) {
  std::deque<Knock> impacts;
  a(impacts);
  x.remember(std::move(impacts));
}
/// Members of the base and its own: they cannot be bound together, so a change of its size asks for a look at this list.
template <class A, Like<RunState> State>
void fields(A& a, State& x) {
  static_assert(sizeof(RunState) == sizeof(Instant) + 2 * sizeof(ContactSet) +
                                        sizeof(Accumulation) + sizeof(ContactSet) + 6 * 8 +
                                        sizeof(std::optional<Stop>));
  using Base = std::conditional_t<std::is_const_v<State>, const Instant, Instant>;
  fields(a, static_cast<Base&>(x));
  a(x.released, x.at_border, x.accumulation, x.last_event_time, x.creeping, x.restless, x.last_step,
    x.mode_end, x.events, x.has_chosen_speeds, x.is_over, x.stop);
}
template <class A>
void fields(A& a, Like<PendingStep> auto& x) {
  auto& [status, crossing, reached] = x;
  a(status, crossing, reached);
}
template <class A>
void fields(A& a, Like<IntegratorCounts> auto& x) {
  auto& [accepted, rejected, evaluations] = x;
  a(accepted, rejected, evaluations);
}
template <class A>
void fields(A& a, Like<IntegratorMemory> auto& x) {
  auto& [dimension, time, time_before, next_step, error_before, was_rejected, is_dense_ready,
         is_start_finite, rows, counts] = x;
  a(dimension, time, time_before, next_step, error_before, was_rejected, is_dense_ready,
    is_start_finite, rows, counts);
}
template <class A>
void fields(A& a, Like<SpeedChoice> auto& x) {
  auto& [dependent, independent, rows, dropped, smallest_pivot, next_pivot] = x;
  a(dependent, independent, rows, dropped, smallest_pivot, next_pivot);
}
template <class A>
void fields(A& a, Like<OpenLedger> auto& x) {
  auto& [begin, end, change, corrections, limit] = x;
  a(begin, end, change, corrections, limit);
}
template <class A>
void fields(A& a, Like<EnergyLedger> auto& x) {
  auto& [initial, last, forces, drives, friction, impacts, normal, tangential, corners, corrections,
         dissipated, exchanged, error, check, open] = x;
  a(initial, last, forces, drives, friction, impacts, normal, tangential, corners, corrections,
    dissipated, exchanged, error, check, open);
}
template <class A>
void fields(A& a, Like<LedgerBook> auto& x) {
  auto& [sums, exchanged, imbalance, largest_imbalance, largest_check, corrections, balanced_at,
         largest_change, begin, end] = x;
  a(sums, exchanged, imbalance, largest_imbalance, largest_check, corrections, balanced_at,
    largest_change, begin, end);
}
template <class A>
void fields(A& a, Like<TraceCounts> auto& x) {
  auto& [steps, evaluations, events, impacts] = x;
  a(steps, evaluations, events, impacts);
}
template <class A>
void fields(A& a, Like<DomainScales> auto& x) {
  auto& [length, speed, force] = x;
  a(length, speed, force);
}
template <class A>
void fields(A& a, Like<RecorderMemory> auto& x) {
  auto& [sample_index, ledger, counts, touched, domain_scales] = x;
  a(sample_index, ledger, counts, touched, domain_scales);
}
template <class A>
void fields(A& a, Like<SavedRun> auto& x) {
  auto& [state, view, pending, integrator, guards, slip_references, reference_reaction, speeds,
         record] = x;
  a(state, view, pending, integrator, guards, slip_references, reference_reaction, speeds, record);
}
template <class A>
void fields(A& a, Like<ModelAddition> auto& x) {
  auto& [section, name, yaml, origin] = x;
  a(section, name, yaml, origin);
}

}  // namespace clack
