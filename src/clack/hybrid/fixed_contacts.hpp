// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/model/contact_key.hpp"

/// Contacts that the model fixes, by the number of their entry (tests only).
namespace clack::testing {

inline ContactKey fixed(int source) { return {.source = SourceIndex(source)}; }

inline ContactSet fixed_contacts(std::initializer_list<int> sources) {
  ContactSet set;
  for (const int source : sources) set.push_back(fixed(source));
  return set;
}

}  // namespace clack::testing
