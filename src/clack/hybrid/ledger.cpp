// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/ledger.hpp"

#include <cmath>

#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

/// Not a number is larger than anything.
void widen(double& largest, double value) {
  if (!(std::abs(value) <= largest)) largest = std::abs(value);
}

}  // namespace

void LedgerBook::begin_with(double t, const Energies& energies) {
  *this = {};
  sums.initial = energies.kinetic + energies.potential;
  widen(exchanged, energies.kinetic);
  widen(exchanged, energies.potential);
  balanced_at = begin = end = t;
}

void LedgerBook::impact(const ImpactPass& pass) {
  const double heat = pass.works.normal + pass.works.tangential;
  sums.work_of_normal_impacts += pass.works.normal;
  sums.work_of_tangential_impacts += pass.works.tangential;
  sums.work_of_impacts += heat;
  sums.work_of_drives += pass.works.drives;
  widen(exchanged, sums.work_of_impacts);
  widen(exchanged, sums.work_of_drives);
  widen(exchanged, pass.energy_before);
}

void LedgerBook::drive(double work) {
  sums.work_of_drives += work;
  widen(exchanged, sums.work_of_drives);
}

void LedgerBook::correct(double energy_change) {
  sums.corrections += energy_change;
  corrections += std::abs(energy_change);
}

void LedgerBook::slide_over_corner(double energy_change) {
  sums.work_of_corners += energy_change;
  widen(exchanged, sums.work_of_corners);
}

void LedgerBook::exchange(const Works& works) {
  widen(exchanged, works.forces);
  widen(exchanged, works.drives);
  widen(exchanged, works.friction);
}

double LedgerBook::imbalance_of(const Energies& energies, const Works& works) const {
  return energies.kinetic + energies.potential -
         (sums.initial + works.forces + works.drives + works.friction + sums.work_of_drives +
          sums.work_of_impacts + sums.work_of_corners + sums.corrections);
}

double LedgerBook::check(const Energies& energies, const Works& works) {
  const double now = imbalance_of(energies, works);
  widen(largest_check, now);
  return now;
}

void LedgerBook::balance(double t, const Energies& energies, const Works& works) {
  exchange(works);
  widen(exchanged, energies.kinetic);
  widen(exchanged, energies.kinetic + energies.potential - sums.initial);
  const double now = imbalance_of(energies, works);
  widen(largest_imbalance, now);
  if (!(std::abs(now - imbalance) <= largest_change)) {
    largest_change = std::abs(now - imbalance);
    begin = balanced_at;
    end = t;
  }
  imbalance = now;
  balanced_at = t;
}

EnergyLedger LedgerBook::closed(const Energies& energies, const Works& works, double limit) const {
  EnergyLedger ledger = sums;
  ledger.final = energies.kinetic + energies.potential;
  ledger.work_of_forces += works.forces;
  ledger.work_of_drives += works.drives;
  ledger.work_of_friction += works.friction;
  ledger.dissipated =
      0.0 - (ledger.work_of_friction + ledger.work_of_impacts + ledger.work_of_corners);
  ledger.exchanged = exchanged;
  const auto part = [&](double amount) { return exchanged > 0.0 ? amount / exchanged : amount; };
  ledger.ledger_error = part(largest_imbalance);
  ledger.check = largest_check;
  if (!(part(largest_imbalance) <= limit) || !(part(corrections) <= limit))
    ledger.open = OpenLedger{begin, end, largest_change, corrections, limit};
  return ledger;
}

double ledger_limit(const Model& model) {
  return std::max(model.tolerances.ledger, hybrid_tolerances.ledger_steps * model.run.tolerance);
}

}  // namespace clack
