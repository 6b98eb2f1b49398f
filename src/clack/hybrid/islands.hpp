// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/mechanism/snapshot.hpp"

namespace clack {

/// Islands of a mechanism: speeds that influence each other through the mass matrix, a touching
/// contact or a joint. What happens in one island changes nothing in the others, so a node asks
/// only the islands that an event belongs to, and the rest keeps its motion to the last bit.
class Islands {
 public:
  explicit Islands(const Snapshot& snapshot);

  /// Island of a contact of the snapshot; -1 when it moves nothing.
  int of_contact(int local) const { return contact_[local]; }
  /// Contacts of the islands of the given contacts, ascending.
  std::vector<int> contacts_with(const std::vector<int>& locals) const;
  /// Speeds of these islands, ascending.
  std::vector<int> speeds_with(const std::vector<int>& locals) const;

 private:
  std::vector<int> islands_of(const std::vector<int>& locals) const;  // ascending
  int root(int speed);
  void join(const double* row, int size);

  std::vector<int> parent_;   // per speed
  std::vector<int> contact_;  // per contact: the island's root speed
};

}  // namespace clack
