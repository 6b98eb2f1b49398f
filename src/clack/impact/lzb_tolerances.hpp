// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Numbers of law lzb. Its inside is in units in which the largest approach speed, the largest
/// diagonal of the normal part of G and the largest stiffness are 1, so that compressions and impact
/// time are of the order 1: none of these has another unit.
struct LzbTolerances {
  double integration = 1e-13;        // relative, of the integrator
  double integration_floor = 1e-14;  // absolute: speeds are known to 1e-16, smaller ones are noise
  double zero = 1e-13;               // speeds below this are rounding of speeds of size 1
  double together = 1e-9;            // events within this impact time are one (symmetric bodies)
  double slip = 1e-11;          // of the largest contact speed: slower slips at the start are none
  double spatial_slip = 1e-10;  // the same, where a slip in space is called stopped
  double slip_acceleration = 1e-10;  // of the sum of its absolute terms: smaller ones vanish
  double reserve = 1e-12;            // relative excess of a stick force that is rounding
  double rank = 1e-11;          // eigenvalues of stuck rows (relative to the largest) that are zero
  double least_weight = 1e-14;  // of the largest: keeps the shares of dependent rows defined
  double energy = 1e-24;        // of the kinetic energy: a contact that stores less stores nothing
  double approach = 1e-10;      // of the largest contact speed: slower approach is none
  double immobile = 1e-13;      // of the largest diagonal of G: a contact that no impulse moves
  double longest = 1e9;         // impact time of one phase: beyond it nothing happens any more
  double first_step = 0.05;     // impact time is of the order 1
  double brisk = 1e-3;        // approach speed, or compression, above which a contact sets the pace
  double locked = 1e-11;      // speeds of loaded contacts that do not move any more
  int sweeps = 50;            // of Jacobi's rotations; they need about six
  int sets_per_contact = 10;  // active sets of friction at rest; they need about one
  int phases = 2000;          // after which a chain of phases is unfinished
  long steps = 20000;         // of the integrator in one phase; it needs some 20
  long evaluations = 5'000'000;  // in one impact; 2000 phases need about a tenth
};

inline constexpr LzbTolerances lzb_tolerances{};

}  // namespace clack
