// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/law.hpp"

namespace clack {

/// What law energetic reads in space.
struct SpatialEnergeticOptions {
  std::vector<double> restitution_sequence =
      {};                // per event, the last repeats; empty: the contacts'
  std::string hub = {};  // name of a contact; empty: the first member
  bool simultaneous = true;
  int max_events = 200;
};

/// Law energetic in space (P4, chapters 7 and 8, corrected: docs/errata.md). Each event has one
/// normal impulse as its variable; its points are tied by rigid-body closures (spatial_event.hpp).
/// Event 1: all contacts that do not separate; after each event those that approach are the next one
/// (the plane takes connected contacts that do not separate). One contact may lie between two moving
/// bodies and next to joints: only its 3 x 3 block of G counts. Several need one moving body, no
/// joints and no moving surfaces.
ImpactResult resolve_spatial_energetic(const ImpactProblem& problem,
                                       const SpatialEnergeticOptions& options);

/// Contact `contact` lacks the key `key` of its geometry.
LawRefusal without_geometry(std::string_view contact, std::string_view key);

/// Why several contacts cannot be treated; empty: they can.
std::optional<LawRefusal> spatial_energetic_refusal(const ImpactProblem& problem,
                                                    const SpatialEnergeticOptions& options);

}  // namespace clack
