// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "clack/mechanism/mechanism.hpp"
#include "clack/model/contact_source.hpp"

namespace clack {

/// The entry of the model's `contacts:` that a contact comes from.
const Contact& source_of(const Model& model, const ContactKey& contact);
/// Names one after the other, " left right", for messages.
std::string names_of(const Model& model, const ContactSet& contacts);

bool contains(const ContactSet& set, const ContactKey& contact);
void insert(ContactSet& set, const ContactKey& contact);
ContactSet united(const ContactSet& first, const ContactSet& second);

/// Where the answers of gap_motion_of go. The caller keeps it, so that asking allocates nothing.
struct GapMotions {
  std::vector<GapMotion> of;  // per contact that was asked for, in that order
};

/// Gaps of the given contacts at (t, q, v) moving with acceleration a (nullptr: accelerations are not wanted).
void gap_motion_of(Mechanism& mechanism, std::span<const ContactKey> contacts, double t,
                   const double* q, const double* v, const double* a, GapMotions& motions);

}  // namespace clack
