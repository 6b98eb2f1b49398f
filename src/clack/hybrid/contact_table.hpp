// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <vector>

#include "clack/model/contact_source.hpp"

namespace clack {

/// Numbers of contacts in a record, run-long: those that the model fixes in its order, then those of pairs in the
/// order of their first touch. Numbers name contacts in a trace; they never order anything.
class ContactTable {
 public:
  /// `known`: entries of `contacts:` that have been there from the start.
  ContactTable(const Model& model, int known);
  explicit ContactTable(const Model& model);

  int number(const ContactKey& contact);
  const std::vector<ContactKey>& contacts() const { return contacts_; }  // by number

 private:
  std::vector<ContactKey> contacts_;
  std::map<ContactKey, int> numbers_;
};

}  // namespace clack
