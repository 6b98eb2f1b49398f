// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/contact_table.hpp"

#include "clack/index.hpp"

namespace clack {

ContactTable::ContactTable(const Model& model, int known) {
  for (const SourceIndex source : indices(model.contacts))
    if (source.value < known && source_kind(model, model.contacts[source]) != SourceKind::pair)
      number({.source = source});
}

ContactTable::ContactTable(const Model& model) : ContactTable(model, number_of(model.contacts)) {}

int ContactTable::number(const ContactKey& contact) {
  const auto [place, is_new] = numbers_.emplace(contact, number_of(contacts_));
  if (is_new) contacts_.push_back(contact);
  return place->second;
}

}  // namespace clack
