// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <vector>

#include "clack/index.hpp"

namespace clack {

/// Selects an entry of `contacts:` in a model.
using SourceIndex = Index<struct SourceTag>;

/// The identity of a contact: which entry of `contacts:` it comes from and, where two shapes have many pairs of
/// features, which of them touch. A key says everything: the contact's name, its bodies and coefficients follow from it
/// and from the model (contact_source.hpp). Contacts are ordered by their keys and by nothing else.
struct ContactKey {
  SourceIndex source;  // the entry in Model::contacts
  int owner = 0;       // whose feature decides: see FeatureOwner
  int first = 0;   // feature of the first shape (0: it has only one); outlines: the owner's vertex
  int second = 0;  // feature of the second shape; outlines: the edge of the other body
  friend auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

/// Contacts, ascending.
using ContactSet = std::vector<ContactKey>;

}  // namespace clack
