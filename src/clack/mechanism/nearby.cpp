// SPDX-License-Identifier: Apache-2.0
// Which contacts can touch on the way from one state to another.
#include <algorithm>

#include "clack/mechanism/mechanism.hpp"

namespace clack {

void Mechanism::nearby(const StepEnds& step, ContactSet& contacts) {
  if (!formula_neighbourhood_.is_trivial()) {
    end_rates_.resize(2 * coordinates_);
    coordinate_rates(step.t_begin, step.q_begin, step.v_begin, end_rates_.data());
    coordinate_rates(step.t_end, step.q_end, step.v_end, end_rates_.data() + coordinates_);
    load(step.t_end, step.q_end, step.v_end);
    const int held = 1 + coordinates_ + speeds_;
    formula_neighbourhood_.find(step, end_rates_, std::span(inputs_).subspan(held, motion_.inputs().size() - held),
                                contacts);
    return drop_resting(step.q_end, contacts);
  }
  if (neighbourhood_.is_trivial()) {
    contacts.assign(neighbourhood_.all().begin(), neighbourhood_.all().end());
    return drop_resting(step.q_end, contacts);
  }
  place(step.t_begin, step.q_begin, step.v_begin);
  neighbourhood_.begin(kinematics_.bodies());
  place(step.t_end, step.q_end, step.v_end);
  neighbourhood_.end(kinematics_.bodies());
  neighbourhood_.find(step.t_end - step.t_begin, contacts);
  drop_resting(step.q_end, contacts);
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
