#include "clack/hybrid/contact_set.hpp"

#include <algorithm>

namespace clack {

int source_of(ContactId contact) { return contact; }

const Contact& source_of(const Model& model, ContactId contact) {
  return model.contacts[source_of(contact)];
}

std::string name_of(const Model& model, ContactId contact) {
  return source_of(model, contact).name;
}

std::string names_of(const Model& model, const ContactSet& contacts) {
  std::string names;
  for (const ContactId c : contacts) names += " " + name_of(model, c);
  return names;
}

ContactSet possible_contacts(const Model& model) {
  ContactSet all;
  all.reserve(model.contacts.size());
  for (int i = 0; i < static_cast<int>(model.contacts.size()); ++i) all.push_back(i);
  return all;
}

bool contains(const ContactSet& set, ContactId contact) {
  return std::binary_search(set.begin(), set.end(), contact);
}

void insert(ContactSet& set, ContactId contact) {
  const auto at = std::lower_bound(set.begin(), set.end(), contact);
  if (at == set.end() || *at != contact) set.insert(at, contact);
}

ContactSet united(const ContactSet& first, const ContactSet& second) {
  ContactSet both;
  std::set_union(first.begin(), first.end(), second.begin(), second.end(),
                 std::back_inserter(both));
  return both;
}

GapMotions::GapMotions(const Model& model) {
  const std::size_t contacts = model.contacts.size();
  of.reserve(contacts);
  gap_.resize(contacts);
  rate_.resize(contacts);
  acceleration_.resize(contacts);
}

void gap_motion_of(Mechanism& mechanism, std::span<const ContactId> contacts, double t,
                   const double* q, const double* v, const double* a, GapMotions& motions) {
  motions.of.resize(contacts.size());
  if (contacts.empty()) return;
  mechanism.gap_motion(t, q, v, a, motions.gap_.data(), motions.rate_.data(),
                       motions.acceleration_.data());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactId c = contacts[i];
    motions.of[i] = {motions.gap_[c], motions.rate_[c], motions.acceleration_[c]};
  }
}

}  // namespace clack
