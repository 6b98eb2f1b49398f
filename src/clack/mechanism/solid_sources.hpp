// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/geometry/solid_distance.hpp"
#include "clack/mechanism/body_kinematics.hpp"
#include "clack/model/contact_source.hpp"

namespace clack {

/// A source whose two bodies are convex polyhedra.
struct SolidSource {
  SourceIndex source;
  BodyIndex first_body, second_body;
  const Polyhedron *first = nullptr, *second = nullptr;

  SolidPair pair() const { return {*first, *second}; }
  double size() const { return std::max(first->size, second->size); }
};
/// Ascending; refers to the polyhedra of the bodies of the model.
std::vector<SolidSource> solid_sources(const Model& model);

inline ContactKey contact_key(SourceIndex source, const SolidContact& contact) {
  return {source, static_cast<int>(contact.owner), contact.first, contact.second};
}

/// How far the points of two bodies can come nearer to each other on a step than they are at its begin, m: the way of the
/// origins as in Neighbourhood, and both turns times the radii.
double approach(const SolidSource& source, const BodyMotions& begin, const BodyMotions& end,
                double duration);

}  // namespace clack
