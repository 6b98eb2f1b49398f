// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "clack/hybrid/dynamics.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// Bodies that a mode holds at rest for good.
struct Jam {
  std::vector<BodyIndex> bodies;  // ascending
  ContactSet contacts;            // that push on them, ascending
  JamCause by = JamCause::friction;
  std::optional<double> load_factor;  // nothing: there is no largest
  bool is_factor_known = true;        // false: its program was not solved
  ContactSet resting;                 // all closed contacts of what is coupled to them
  std::vector<int> speeds;            // of what is coupled to them
};

/// What is held fast in the mode that the dynamics are in, at a state (docs/tasks/find-when-it-jams.md):
///
///   - speeds and accelerations of everything that is coupled are zero, and no load of it depends on t;
///   - all its closed contacts stick (or have no friction and do not slip);
///   - bodies that push on each other are pushed by fixed ones from two directions, or one of them is pushed along two
///     lines.
///
/// By shape: normal forces alone balance the load,  f + J_N^T N + J_C^T lambda = 0 with N >= 0. The load factor is that
/// of complementarity/load_factor.hpp: all forces but gravity are the live load, gravity the dead one; where there is
/// nothing but gravity, gravity is live. `exchanged`, `duration`: of the run, J and s; speeds below what the load
/// would give, or that energy, are none.
std::vector<Jam> find_jams(const Model& model, Mechanism& mechanism, ModeDynamics& dynamics,
                           double t, const double* y, double exchanged, double duration);

/// The largest speeds that count as rest, per speed of a jam, for rows of a trace.
std::vector<double> rest_speeds(const Snapshot& snapshot, const Jam& jam, double exchanged,
                                double duration);

/// The instant from which on the record shows a jam: the begin of the last modes in which its contacts have the statuses
/// of the end and its speeds are zero. `numbers`: of `resting` in the trace.
double begin_of_jam(const Trace& trace, const Jam& jam, const std::vector<int>& numbers,
                    const std::vector<double>& rest_speeds);

}  // namespace clack
