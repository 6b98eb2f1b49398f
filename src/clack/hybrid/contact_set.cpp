// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/contact_set.hpp"

#include <algorithm>

namespace clack {

const Contact& source_of(const Model& model, const ContactKey& contact) {
  return model.contacts[contact.source];
}

std::string names_of(const Model& model, const ContactSet& contacts) {
  std::string names;
  for (const ContactKey& c : contacts) names += " " + contact_name(model, c);
  return names;
}

bool contains(const ContactSet& set, const ContactKey& contact) {
  return std::binary_search(set.begin(), set.end(), contact);
}

void insert(ContactSet& set, const ContactKey& contact) {
  const auto at = std::lower_bound(set.begin(), set.end(), contact);
  if (at == set.end() || *at != contact) set.insert(at, contact);
}

ContactSet united(const ContactSet& first, const ContactSet& second) {
  ContactSet both;
  std::set_union(first.begin(), first.end(), second.begin(), second.end(),
                 std::back_inserter(both));
  return both;
}

void gap_motion_of(Mechanism& mechanism, std::span<const ContactKey> contacts, double t,
                   const double* q, const double* v, const double* a, GapMotions& motions) {
  motions.of.resize(contacts.size());
  if (!contacts.empty()) mechanism.gap_motion(t, q, v, a, contacts, motions.of);
}

}  // namespace clack
