// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/hybrid/impact_node.hpp"
#include "clack/hybrid/works.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// The books of a run. The balance
///   kinetic + potential - initial = forces + drives + friction + impacts + corrections + imbalance
/// is drawn at every event; what an impact changes is booked from the works of its impulses, not from the energies:
///   normal, tangential: impulse . relative rate (what its law integrated);  drives: impulse . surface velocity.
struct LedgerBook {
  EnergyLedger sums;               // of jumps; the integrated works are added by `closed`
  double exchanged = 0.0;          // largest energy or work so far, J
  double imbalance = 0.0;          // at the last balance, J
  double largest_imbalance = 0.0;  // J
  double largest_check = 0.0;      // J, of all rows
  double corrections = 0.0;        // sum of their sizes, J
  double balanced_at = 0.0;        // s, the last balance
  double largest_change = 0.0;     // of the imbalance between two balances, J
  double begin = 0.0, end = 0.0;   // s, where that was

  void begin_with(double t, const Energies& energies);
  void impact(const ImpactPass& pass);
  /// Work of signals from outside that jumped, J.
  void drive(double work);
  void correct(double energy_change);
  void slide_over_corner(double energy_change);  // policies: smooth_below
  /// Work that went to and fro between two balances counts as exchanged.
  void exchange(const Works& works);
  /// T + V minus what the books say it should be, J.
  double imbalance_of(const Energies& energies, const Works& works) const;
  /// The same at a row of the trace (the dissertation's check function, P4 ch. 6: T(t) - T(0) - W(0->t)); the largest
  /// is kept.
  double check(const Energies& energies, const Works& works);
  void balance(double t, const Energies& energies, const Works& works);
  /// All lines at the end. `limit`: part of the exchanged energy that imbalance and corrections may reach; beyond it
  /// the ledger is open.
  EnergyLedger closed(const Energies& energies, const Works& works, double limit) const;
};

/// Tolerances::ledger, and never less than what the integrator's tolerance leaves.
double ledger_limit(const Model& model);

}  // namespace clack
