// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

double rounding_at(double place) {
  return hybrid_tolerances.gap_rounding * std::numeric_limits<double>::epsilon() * place;
}

/// The smaller of the two bodies that have a size; 0: none has.
double smaller_size(const Model& model, const Contact& contact) {
  const Between* between = contact.between();
  if (!between) return 0.0;
  const double a = size_of(model, between->first), b = size_of(model, between->second);
  return a > 0.0 && b > 0.0 ? std::min(a, b) : std::max(a, b);
}

/// Whether a gap depends on t by itself and not only through coordinates: moving surfaces, bodies that are moved.
bool is_moved_by_time(const Model& model, const Contact& contact) {
  const auto depends = [&](const Expression& formula) {
    return formula.is_valid() && symbolic::depends_on(formula, model.time);
  };
  if (const GapFormulas* formulas = contact.formulas()) return depends(formulas->gap);
  const Between& between = *contact.between();
  for (const BodyIndex index : {between.first.body, between.second.body}) {
    const Body& body = model.bodies[index];
    if (body.kind == BodyKind::moving || depends(body.angle) ||
        std::ranges::any_of(body.position, depends))
      return true;
  }
  return false;
}

}  // namespace

double Scales::speed_of(const ContactKey& contact) const {
  return std::max(contacts[contact.source].speed, hybrid_tolerances.least_speed * speed);
}

void Scales::widen(const ContactKey& contact, double speed_seen) {
  ContactScale& own = contacts[contact.source];
  own.speed = std::max(own.speed, speed_seen);
  speed = std::max(speed, speed_seen);
}

Scales scales_at_start(Mechanism& mechanism, const ContactSet& contacts,
                       std::span<const GapMotion> gaps, const double* q, const double* v) {
  const Model& model = mechanism.model();
  Scales scales;
  for (int i = 0; i < mechanism.coordinates(); ++i)
    scales.place = std::max(scales.place, std::abs(q[i]));
  const BodyMotions& bodies = mechanism.bodies(0.0, q, v);
  scales.contacts.resize(model.contacts.size());
  Indexed<double, SourceIndex> gap(model.contacts.size(), 0.0);  // largest of each source
  for (std::size_t i = 0; i < contacts.size(); ++i)
    gap[contacts[i].source] = std::max(gap[contacts[i].source], std::abs(gaps[i].gap));
  double widest = 0.0, largest = 0.0;  // gap of a contact without a size; size
  for (const SourceIndex i : indices(gap)) {
    ContactScale& own = scales.contacts[i];
    own.length = smaller_size(model, model.contacts[i]);
    own.place = own.length;
    own.follows_time = is_moved_by_time(model, model.contacts[i]);
    const Between* between = model.contacts[i].between();
    for (const BodyIndex body : between ? std::vector{between->first.body, between->second.body}
                                        : std::vector<BodyIndex>{})
      own.place = std::max(own.place, bodies[body].pose.position.cwiseAbs().maxCoeff());
    if (!between) own.place = scales.place;
    if (!(own.length > 0.0)) widest = std::max(widest, gap[i]);
    largest = std::max(largest, own.length);
  }
  const double least = rounding_at(scales.place);
  const double common = widest > least ? widest : scales.place > 0.0 ? scales.place : 1.0;
  for (const SourceIndex i : indices(gap))
    if (ContactScale& own = scales.contacts[i]; !(own.length > 0.0))
      own.length = gap[i] > least ? gap[i] : common;
  scales.length = largest > 0.0 ? largest : common;
  return scales;
}

double smallest_size(const Model& model) {
  double smallest = 0.0;
  for (const Contact& contact : model.contacts)
    if (const double size = smaller_size(model, contact); size > 0.0)
      smallest = smallest > 0.0 ? std::min(smallest, size) : size;
  return smallest;
}

double touch_limit(const Tolerances& tolerances, const ContactScale& scale) {
  return std::max(tolerances.gap * scale.length, rounding_at(scale.place));
}

double penetration_limit(const Tolerances& tolerances, const ContactScale& scale) {
  return std::max(tolerances.penetration * scale.length, 10.0 * rounding_at(scale.place));
}

double rearm_limit(const Tolerances& tolerances, const ContactScale& scale, double t) {
  const double way =
      scale.follows_time ? std::abs(t) * scale.speed : 0.0;  // whose rounding is that of t
  return std::max(tolerances.rearm_gap * std::min(1.0, scale.length),
                  hybrid_tolerances.drift_rounding * std::numeric_limits<double>::epsilon() *
                      std::max(scale.place, way));
}

double drift_limit(const Tolerances& tolerances, const ContactScale& scale) {
  return std::max(tolerances.drift * scale.length, rounding_at(scale.place));
}

double joint_drift_limit(const Tolerances& tolerances, const Scales& scales) {
  return std::max(tolerances.drift * scales.length, rounding_at(scales.place));
}

}  // namespace clack
