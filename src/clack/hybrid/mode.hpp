#pragma once
#include <vector>

#include "clack/complementarity/contact_status.hpp"
#include "clack/mechanism/snapshot.hpp"

namespace clack {

/// A dynamical location of the automaton: statuses of all contacts and activity of all constraints,
/// by model index. `trans` never appears: it lasts zero time.
struct Mode {
  std::vector<ContactStatus> statuses;
  std::vector<double> slip_direction;  // tangents per contact, unit where a contact slips
  std::vector<bool> constraints;

  bool is_closed(int contact) const {
    return statuses[static_cast<std::size_t>(contact)] != ContactStatus::open;
  }
  /// The rows that this mode needs.
  RowSelection rows() const {
    RowSelection rows;
    for (std::size_t i = 0; i < statuses.size(); ++i)
      if (statuses[i] != ContactStatus::open) rows.contacts.push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < constraints.size(); ++i)
      if (constraints[i]) rows.constraints.push_back(static_cast<int>(i));
    return rows;
  }
};

}  // namespace clack
