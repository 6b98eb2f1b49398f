// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/run_archive.hpp"

/// The members of a trace (archive.hpp). What is not written to files (wall time, ticks) is left out.
namespace clack {

template <class A>
void fields(A& a, Like<Certificate> auto& x) {
  auto& [penetration, adhesion, complementarity, cone, bilateral, residual] = x;
  a(penetration, adhesion, complementarity, cone, bilateral, residual);
}
template <class A>
void fields(A& a, Like<ImpactEvent> auto& x) {
  auto& [contacts, restitution, normal, compression, tangential, terminal, energy, velocity] = x;
  a(contacts, restitution, normal, compression, tangential, terminal, energy, velocity);
}
template <class A>
void fields(A& a, Like<HistoryRows> auto& x) {
  auto& [width, values] = x;
  a(width, values);
}
template <class A>
void fields(A& a, Like<ImpactHistory> auto& x) {
  auto& [columns, rows] = x;
  a(columns, rows);
}
template <class A>
void fields(A& a, Like<StatusChange> auto& x) {
  auto& [contact, from, to] = x;
  a(contact, from, to);
}
template <class A>
void fields(A& a, Like<FeatureChange> auto& x) {
  auto& [contact, after, place, turn] = x;
  a(contact, after, place, turn);
}
template <class A>
void fields(A& a, Like<TraceEvent> auto& x) {
  auto& [t, kind, contacts, changes, features, label, independent, iterations, residual, drift,
         certificate, first_impact, impacts] = x;
  a(t, kind, contacts, changes, features, label, independent, iterations, residual, drift,
    certificate, first_impact, impacts);
}
template <class A>
void fields(A& a, Like<ConstraintImpulse> auto& x) {
  auto& [constraint, rows] = x;
  a(constraint, rows);
}
template <class A>
void fields(A& a, Like<TraceImpact> auto& x) {
  auto& [t, contacts, v_before, v_after, normal_impulse, tangent_impulse, constraint_impulses,
         energy_before, energy_after, normal_work, tangential_work, joint_work, events, history,
         certificate, iterations, flags] = x;
  a(t, contacts, v_before, v_after, normal_impulse, tangent_impulse, constraint_impulses,
    energy_before, energy_after, normal_work, tangential_work, joint_work, events, history,
    certificate, iterations, flags);
}
template <class A>
void fields(A& a, Like<TraceStatus> auto& x) {
  auto& [contact, status] = x;
  a(contact, status);
}
template <class A>
void fields(A& a, Like<TraceMode> auto& x) {
  auto& [begin, end, closed, constraints, signals, first_row] = x;
  a(begin, end, closed, constraints, signals, first_row);
}
template <class A>
void fields(A& a, Like<ContactRow> auto& x) {
  auto& [t, contact, status, gap, normal, tangent, slip, point, direction] = x;
  a(t, contact, status, gap, normal, tangent, slip, point, direction);
}
template <class A>
void fields(A& a, Like<ConstraintRecord> auto& x) {
  auto& [t, constraint, row, value, force] = x;
  a(t, constraint, row, value, force);
}
template <class A>
void fields(A& a, Like<TraceJam> auto& x) {
  auto& [t, bodies, contacts, by, load_factor] = x;
  a(t, bodies, contacts, by, load_factor);
}
template <class A>
void fields(A& a, Like<NodeVisit> auto& x) {
  auto& [t, node, location, contacts, mode] = x;
  a(t, node, location, contacts, mode);
}
template <class A>
void fields(A& a, Like<TraceCycle> auto& x) {
  auto& [period, drop, multiplier, begin, end] = x;
  a(period, drop, multiplier, begin, end);
}
template <class A>
void fields(A& a, Like<Trace> auto& x) {
  auto& [model, model_file, theory, formulation, decision, impact, integrator, dimension, tolerance,
         until, status, reason, remedy, coordinates, speeds, constraints, contacts, pairs, columns,
         csv_columns, rows, inputs, arrived_contacts, arrived_constraints, fine_rows, contact_rows,
         constraint_rows, events, impacts, modes, jams, node_visits, final_time, final_q, final_v,
         energy, worst_impact, worst_decision, cycle, counts, flags, notes, resolved_model,
         wall_seconds, realtime] = x;
  a(model, model_file, theory, formulation, decision, impact, integrator, dimension, tolerance,
    until, status, reason, remedy, coordinates, speeds, constraints, contacts, pairs, columns,
    csv_columns, rows, inputs, arrived_contacts, arrived_constraints, fine_rows, contact_rows,
    constraint_rows, events, impacts, modes, jams, node_visits, final_time, final_q, final_v,
    energy, worst_impact, worst_decision, cycle, counts, flags, notes, resolved_model);
  static_cast<void>(wall_seconds);
  static_cast<void>(realtime);
}

}  // namespace clack
