// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "clack/geometry/outline_pair.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// What an entry of `contacts:` makes.
enum class SourceKind {
  formula,  // one contact, by formulas
  fixed,    // one contact between two features that are known beforehand
  pair,     // the features of two shapes: contacts appear and vanish while running
};
SourceKind source_kind(const Model& model, const Contact& source);

/// Pairs: the feature that gives the contact its normal belongs to the other body. The order is that of the keys.
enum class FeatureOwner {
  first_corner = 0,   // a corner of the first body on the second
  second_corner = 1,  // a corner of the second body on the first
  edges = 2,          // an edge of each (space)
};

/// The outline of an end: of the body, or of one of its shapes; disks, boxes and half-planes have one, too.
const Outline* outline_of(const Model& model, const Attachment& end);
/// Whether it is drawn: a polygon, a polyline, a disk beside its body's origin, or one of several shapes.
bool is_drawn(const Model& model, const Attachment& end);
/// The two outlines of a source of which one is drawn; nothing otherwise.
std::optional<OutlinePair> outlines_of(const Model& model, const Contact& source);
/// Whether the source makes contacts of convex polyhedra (boxes in space, hulls, prisms with one another).
bool is_solid_pair(const Model& model, const Contact& source);
/// Whether some source makes contacts that are too many to be listed: outlines, polyhedra.
bool has_unlisted_pairs(const Model& model);
/// Features by name: BODY.vI or an arc BODY.eJ as a round, BODY.eJ as an edge; BODY.SHAPE.vI where there are several
/// shapes; a disk is BODY or BODY.SHAPE.
std::optional<int> round_named(const Model& model, const Attachment& end, const Outline& outline,
                               std::string_view name);
std::optional<int> edge_named(const Model& model, const Attachment& end, const Outline& outline,
                              std::string_view name);
ContactKey contact_key(SourceIndex source, const Candidate& candidate);
Candidate candidate_of(const ContactKey& contact);

/// Whether a contact of two outlines is at a corner, or on an edge, that has this name.
bool is_on(const Model& model, const ContactKey& contact, const NamedFeature& feature);

/// Every contact that a source can make, ascending; a formula or fixed source makes one. Pairs of outlines and of
/// polyhedra are not listed (none here): theirs are too many, and are made where the bodies are near.
ContactSet possible_contacts(const Model& model, SourceIndex source);
ContactSet possible_contacts(const Model& model);

/// The name of a contact. Pairs: NAME.CORNER for a box on a half-plane or half-space, NAME.BODY.cornerK and
/// NAME.edgeI.edgeJ for two polyhedra, BODY.vI/BODY.eJ for two outlines (vertex I of the one on edge J of the other).
std::string contact_name(const Model& model, const ContactKey& contact);
/// The contact of that name, if the model can make it.
std::optional<ContactKey> contact_named(const Model& model, std::string_view name);

}  // namespace clack
