// SPDX-License-Identifier: Apache-2.0
#include "clack/model/contact_source.hpp"

#include <fmt/format.h>

#include "clack/index.hpp"

namespace clack {
namespace {

constexpr int box_edges = 12;

int box_corners(const Model& model) { return model.dimension == 2 ? 4 : 8; }

/// The shape that a contact uses as a whole, or nothing.
const Shape* whole_shape(const Model& model, const Attachment& end) {
  const Body& body = model.bodies[end.body];
  return std::holds_alternative<WholeShape>(end.at) && body.shape ? &*body.shape : nullptr;
}

/// How many corners of each body take part, and how many edges.
struct PairFeatures {
  int first_corners = 0, second_corners = 0, edges = 0;
  bool is_pair() const { return first_corners + second_corners > 0; }
};

PairFeatures features_of(const Model& model, const Contact& source) {
  const Between* between = source.between();
  if (!between) return {};
  const Shape *first = whole_shape(model, between->first),
              *second = whole_shape(model, between->second);
  if (!first || !second) return {};
  const bool is_first_box = std::holds_alternative<Box>(*first),
             is_second_box = std::holds_alternative<Box>(*second);
  const int corners = box_corners(model);
  if (is_first_box && std::holds_alternative<HalfSpace>(*second)) return {corners, 0, 0};
  if (is_second_box && std::holds_alternative<HalfSpace>(*first)) return {0, corners, 0};
  if (is_first_box && is_second_box && model.dimension == 3) return {corners, corners, box_edges};
  return {};
}

int to_int(FeatureOwner owner) { return static_cast<int>(owner); }

}  // namespace

SourceKind source_kind(const Model& model, const Contact& source) {
  if (source.formulas()) return SourceKind::formula;
  return features_of(model, source).is_pair() ? SourceKind::pair : SourceKind::fixed;
}

ContactSet possible_contacts(const Model& model, SourceIndex source) {
  const PairFeatures features = features_of(model, model.contacts[source]);
  if (!features.is_pair()) return {{.source = source}};
  ContactSet keys;
  for (int k = 0; k < features.first_corners; ++k)
    keys.push_back({source, to_int(FeatureOwner::first_corner), k, 0});
  for (int k = 0; k < features.second_corners; ++k)
    keys.push_back({source, to_int(FeatureOwner::second_corner), 0, k});
  for (int i = 0; i < features.edges; ++i)
    for (int j = 0; j < features.edges; ++j)
      keys.push_back({source, to_int(FeatureOwner::edges), i, j});
  return keys;
}

ContactSet possible_contacts(const Model& model) {
  ContactSet keys;
  for (const SourceIndex source : indices(model.contacts)) {
    const ContactSet some = possible_contacts(model, source);
    keys.insert(keys.end(), some.begin(), some.end());
  }
  return keys;
}

std::string contact_name(const Model& model, const ContactKey& contact) {
  const Contact& source = model.contacts[contact.source];
  const PairFeatures features = features_of(model, source);
  if (!features.is_pair()) return source.name;
  const auto owner = static_cast<FeatureOwner>(contact.owner);
  if (owner == FeatureOwner::edges)
    return fmt::format("{}.edge{}.edge{}", source.name, contact.first + 1, contact.second + 1);
  const bool is_first = owner == FeatureOwner::first_corner;
  const Between& between = *source.between();
  const Body& body = model.bodies[(is_first ? between.first : between.second).body];
  const int corner = is_first ? contact.first : contact.second;
  const bool is_on_plane = features.first_corners == 0 || features.second_corners == 0;
  if (is_on_plane)
    return source.name + "." + body.points[corner].name;  // a box's corners come first
  return fmt::format("{}.{}.corner{}", source.name, body.name, corner + 1);
}

std::optional<ContactKey> contact_named(const Model& model, std::string_view name) {
  for (const SourceIndex source : indices(model.contacts)) {
    if (!name.starts_with(model.contacts[source].name)) continue;
    for (const ContactKey& key : possible_contacts(model, source))
      if (contact_name(model, key) == name) return key;
  }
  return std::nullopt;
}

}  // namespace clack
