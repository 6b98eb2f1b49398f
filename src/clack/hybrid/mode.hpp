// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "clack/complementarity/contact_status.hpp"
#include "clack/hybrid/contact_set.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/snapshot.hpp"

namespace clack {

/// A closed contact of a mode: stick or slip (`trans` lasts zero time and never appears).
struct ClosedContact {
  ContactKey contact = {};
  ContactStatus status = ContactStatus::slip;
  std::array<double, 2> slip_direction = {};  // unit where it slips; the plane uses the first
  friend bool operator==(const ClosedContact&, const ClosedContact&) = default;
};

/// A dynamical location of the automaton: the closed contacts and the activity of all constraints.
/// What is not listed is open.
struct Mode {
  std::vector<ClosedContact> closed;  // ascending by contact
  std::vector<bool> constraints;      // by model index
  friend bool operator==(const Mode&, const Mode&) = default;

  const ClosedContact* find(ContactKey contact) const {
    const auto at = std::ranges::lower_bound(closed, contact, {}, &ClosedContact::contact);
    return at != closed.end() && at->contact == contact ? &*at : nullptr;
  }
  bool is_closed(ContactKey contact) const { return find(contact) != nullptr; }
  ContactStatus status_of(ContactKey contact) const {
    const ClosedContact* found = find(contact);
    return found ? found->status : ContactStatus::open;
  }
  ContactSet contacts() const {
    ContactSet set;
    for (const ClosedContact& c : closed) set.push_back(c.contact);
    return set;
  }
  /// The rows that this mode needs.
  RowSelection rows() const { return rows_with(contacts()); }
  void select_rows(RowSelection& rows) const {
    rows.contacts.clear();
    for (const ClosedContact& c : closed) rows.contacts.push_back(c.contact);
    select_constraints(rows);
  }
  /// Its constraints together with other contacts.
  RowSelection rows_with(const ContactSet& contacts) const {
    RowSelection rows;
    select_rows(contacts, rows);
    return rows;
  }
  /// The same into a selection that is there already.
  void select_rows(const ContactSet& contacts, RowSelection& rows) const {
    rows.contacts.assign(contacts.begin(), contacts.end());
    select_constraints(rows);
  }

 private:
  void select_constraints(RowSelection& rows) const {
    rows.constraints.clear();
    for (int i = 0; i < number_of(constraints); ++i)
      if (constraints[i]) rows.constraints.push_back(i);
  }
};

/// Closed contacts and their statuses, whatever the directions of slip.
inline bool has_same_statuses(const Mode& a, const Mode& b) {
  return std::ranges::equal(a.closed, b.closed, [](const ClosedContact& x, const ClosedContact& y) {
    return x.contact == y.contact && x.status == y.status;
  });
}

}  // namespace clack
