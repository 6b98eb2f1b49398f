// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "clack/hybrid/outline_guards.hpp"
#include "clack/hybrid/recorder.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

// What a row says of pairs of shapes, whose contacts are made while running.

namespace clack {

/// The signed gap of two outlines, or the drift of a contact that is held closed where that is lower.
double Recorder::gap_of_outlines(const OutlineSource& outlines, double t, const double* q,
                                 const double* v) {
  double gap = outline_gap(mechanism_, outlines, t, q, v);
  if (std::isnan(gap))
    overlap_ = fmt::format("contact {}: the polygons cross each other",
                           model_.contacts[outlines.source].name);
  else if (!(gap >= -hybrid_tolerances.domain * outlines.pair().size()))
    overlap_ = fmt::format("contact {}: the polygons overlap by {:.6g} m",
                           model_.contacts[outlines.source].name, -gap);
  const ContactSet& closed = dynamics_.rows().contacts;
  for (int i = 0; i < number_of(closed); ++i)
    if (closed[i].source == outlines.source) gap = std::min(gap, dynamics_.snapshot().gap()[i]);
  return gap;
}

/// The closed contacts of pairs one by one.
void Recorder::contact_rows(double t, const double* q, const double* v) {
  const ContactSet& closed = dynamics_.rows().contacts;
  const ModeForces& forces = dynamics_.forces();
  const Snapshot& s = dynamics_.snapshot();
  const int k = dynamics_.tangents();
  for (int local = 0; local < number_of(closed); ++local) {
    if (source_kind(model_, model_.contacts[closed[local].source]) != SourceKind::pair) continue;
    ContactRow row;
    row.t = t;
    row.contact = number(closed[local]);
    row.status = dynamics_.shape().statuses[local];
    row.gap = s.gap()[local];
    row.normal = forces.normal_force[local];
    const ContactPlace place = mechanism_.place_of(t, q, v, closed[local]);
    for (int a = 0; a < k; ++a) {
      row.tangent[a] = forces.friction_force[local * k + a];
      row.slip[a] = s.slip()[local * k + a];
    }
    for (int a = 0; a < 3; ++a) {
      row.point[a] = place.point[a];
      row.direction[a] = place.normal[a];
    }
    trace_.contact_rows.push_back(row);
  }
}

}  // namespace clack
