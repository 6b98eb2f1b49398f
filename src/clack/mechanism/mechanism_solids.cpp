// SPDX-License-Identifier: Apache-2.0
// What a mechanism says of pairs of polyhedra.
#include <fmt/format.h>

#include <algorithm>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/mechanism.hpp"

namespace clack {

/// Polyhedra (boxes are such) so deep in each other that no pair of their features shows it.
void Mechanism::refuse_deep_solids(const Model& model) const {
  for (const SolidSource& solids : solids_) {
    const double overlap =
        solid_overlap(solids.pair(), start_[solids.first_body], start_[solids.second_body],
                      model.tolerances.penetration * solids.size());
    if (!(overlap > 0.0)) continue;
    const Contact& contact = model.contacts[solids.source];
    throw ModelError(fmt::format("contact {} ({} and {}): penetrates by {:.6g} m at the start",
                                 contact.name, model.bodies[solids.first_body].name,
                                 model.bodies[solids.second_body].name, overlap),
                     model.where(contact.place), "move them apart by that much");
  }
}

const SolidSource* Mechanism::solids_of_source(SourceIndex source) const {
  const auto found = std::ranges::lower_bound(solids_, source, {}, &SolidSource::source);
  return found != solids_.end() && found->source == source ? &*found : nullptr;
}

ContactSet Mechanism::solid_contacts(double t, const double* q, const double* v) {
  ContactSet contacts;
  if (solids_.empty()) return contacts;
  nearby({t, t, q, v, q, v}, contacts);
  std::erase_if(contacts, [&](const ContactKey& c) { return !solids_of_source(c.source); });
  for (const SolidSource& solids : solids_) {
    const NearestFeatures nearest =
        nearest_features(solids.pair(), kinematics_.body(solids.first_body).pose,
                         kinematics_.body(solids.second_body).pose, solid_work_);
    contacts.push_back(contact_key(solids.source, nearest.contact));
  }
  std::ranges::sort(contacts);
  contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());
  return contacts;
}

double Mechanism::solid_gap(const SolidSource& solids, double t, const double* q, const double* v) {
  place(t, q, v);
  return nearest_features(solids.pair(), kinematics_.body(solids.first_body).pose,
                          kinematics_.body(solids.second_body).pose, solid_work_)
      .distance;
}

}  // namespace clack
