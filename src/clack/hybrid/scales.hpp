// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "clack/hybrid/contact_set.hpp"

namespace clack {

/// What lengths and speeds of one contact are compared with: the sizes of its two bodies and their motion, nothing of the
/// rest of the model (docs/executor.md, Tolerances).
struct ContactScale {
  double length = 1.0;        // m: the smaller of the two bodies
  double place = 0.0;         // m: their largest coordinate, whose rounding is that of the gap
  double speed = 0.0;         // m/s: largest gap rate or slip at the start and while touching
  bool follows_time = false;  // the gap is a formula of t, whose rounding grows with t
};

/// Of all contacts, and of the model for its joints.
struct Scales {
  double length = 1.0;  // m: the largest of the contacts' lengths
  double place = 0.0;   // the largest coordinate at the start
  double speed = 0.0;   // m/s: the largest of the contacts' speeds
  Indexed<ContactScale, SourceIndex> contacts;

  const ContactScale& of(const ContactKey& contact) const { return contacts[contact.source]; }
  /// A contact that rests is not judged by its own roundings.
  double speed_of(const ContactKey& contact) const;
  void widen(const ContactKey& contact, double speed_seen);
};

/// Lengths and places at the start, from the gaps of `contacts` (all that are possible). A contact whose bodies have no size
/// (formulas, mass points) is measured by its own gap, or where that is rounding by the largest such gap, the largest
/// coordinate, 1 m. Speeds are left at zero.
Scales scales_at_start(Mechanism& mechanism, const ContactSet& contacts,
                       std::span<const GapMotion> gaps, const double* q, const double* v);

/// The smallest body in contacts, m; 0: none has a size.
double smallest_size(const Model& model);

/// Below: touches at the start, m.
double touch_limit(const Tolerances& tolerances, const ContactScale& scale);
/// Beyond: penetrates.
double penetration_limit(const Tolerances& tolerances, const ContactScale& scale);
/// A released gap guards again above this.
double rearm_limit(const Tolerances& tolerances, const ContactScale& scale, double t);
/// Drift of a closed gap beyond this is projected out; `joint` ones likewise, by the scales of the model.
double drift_limit(const Tolerances& tolerances, const ContactScale& scale);
double joint_drift_limit(const Tolerances& tolerances, const Scales& scales);

}  // namespace clack
