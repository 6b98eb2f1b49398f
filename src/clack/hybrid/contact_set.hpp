#pragma once
#include <span>
#include <vector>

#include "clack/mechanism/mechanism.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// Which contact. An id is compared, ordered and handed on, nothing else: no arithmetic, no index
/// of an array. What belongs to a contact is asked for through the functions below.
using ContactId = int;

/// Contacts, ascending, each once.
using ContactSet = std::vector<ContactId>;

/// The entry of the model's `contacts:` that a contact comes from.
int source_of(ContactId contact);
const Contact& source_of(const Model& model, ContactId contact);
std::string name_of(const Model& model, ContactId contact);
/// Names one after the other, " left right", for messages.
std::string names_of(const Model& model, const ContactSet& contacts);

/// All contacts that a run of this model may see. The only way to visit "all".
ContactSet possible_contacts(const Model& model);

bool contains(const ContactSet& set, ContactId contact);
void insert(ContactSet& set, ContactId contact);
ContactSet united(const ContactSet& first, const ContactSet& second);

/// A gap and its derivatives along the motion: m, m/s, m/s2.
struct GapMotion {
  double gap = 0.0, rate = 0.0, acceleration = 0.0;
};

/// Where the answers of gap_motion_of go. The caller keeps it, so that asking allocates nothing.
struct GapMotions {
  explicit GapMotions(const Model& model);
  std::vector<GapMotion> of;  // per contact that was asked for, in that order

 private:
  friend void gap_motion_of(Mechanism&, std::span<const ContactId>, double, const double*,
                            const double*, const double*, GapMotions&);
  std::vector<double> gap_, rate_, acceleration_;  // of all possible contacts
};

/// Gaps of the given contacts at (t, q, v) moving with acceleration a.
void gap_motion_of(Mechanism& mechanism, std::span<const ContactId> contacts, double t,
                   const double* q, const double* v, const double* a, GapMotions& motions);

}  // namespace clack
