// SPDX-License-Identifier: Apache-2.0
#include "clack/model/contact_source.hpp"

#include <fmt/format.h>

#include <charconv>

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

/// BODY.vI/BODY.eJ of a pair of outlines.
std::string outline_contact_name(const Model& model, const ContactKey& contact) {
  const Between& between = *model.contacts[contact.source].between();
  const Body &first = model.bodies[between.first.body], &second = model.bodies[between.second.body];
  const bool is_first = contact.owner == to_int(FeatureOwner::first_corner);
  return fmt::format("{}.v{}/{}.e{}", (is_first ? first : second).name, contact.first,
                     (is_first ? second : first).name, contact.second);
}

/// The number at the end of `text` after `prefix`, in [0, count).
std::optional<int> number_after(std::string_view text, const std::string& prefix, int count) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = problem == std::errc{} && end == text.data() + text.size();
  return is_number && value >= 0 && value < count ? std::optional(value) : std::nullopt;
}

std::optional<ContactKey> outline_contact_named(const Model& model, SourceIndex source,
                                                std::string_view name) {
  const auto pair = outlines_of(model, model.contacts[source]);
  const std::size_t slash = name.find('/');
  if (!pair || slash == std::string_view::npos) return std::nullopt;
  const Between& between = *model.contacts[source].between();
  for (const FeatureOwner owner : {FeatureOwner::first_corner, FeatureOwner::second_corner}) {
    const bool is_first = owner == FeatureOwner::first_corner;
    const Outline &corners = is_first ? pair->first : pair->second,
                  &edges = is_first ? pair->second : pair->first;
    const Body& mine = model.bodies[(is_first ? between.first : between.second).body];
    const Body& other = model.bodies[(is_first ? between.second : between.first).body];
    const auto vertex =
        number_after(name.substr(0, slash), mine.name + ".v", corners.vertices.size());
    const auto edge = number_after(name.substr(slash + 1), other.name + ".e", edges.edges.size());
    if (vertex && edge) return ContactKey{source, to_int(owner), *vertex, *edge};
  }
  return std::nullopt;
}

}  // namespace

std::optional<OutlinePair> outlines_of(const Model& model, const Contact& source) {
  const Between* between = source.between();
  if (!between) return std::nullopt;
  const Shape *first = whole_shape(model, between->first),
              *second = whole_shape(model, between->second);
  if (!first || !second) return std::nullopt;
  const Outline *a = std::get_if<Outline>(first), *b = std::get_if<Outline>(second);
  if (!a || !b) return std::nullopt;
  return std::optional<OutlinePair>(std::in_place, OutlinePair{*a, *b});
}

bool has_outline_pairs(const Model& model) {
  for (const Contact& contact : model.contacts)
    if (outlines_of(model, contact)) return true;
  return false;
}

ContactKey contact_key(SourceIndex source, const Candidate& candidate) {
  return {source,
          to_int(candidate.owner == PairSide::first ? FeatureOwner::first_corner
                                                    : FeatureOwner::second_corner),
          candidate.vertex.value, candidate.edge.value};
}

Candidate candidate_of(const ContactKey& contact) {
  return {contact.owner == to_int(FeatureOwner::first_corner) ? PairSide::first : PairSide::second,
          OutlineVertexIndex(contact.first), OutlineEdgeIndex(contact.second)};
}

bool is_on(const Model& model, const ContactKey& contact, const NamedFeature& feature) {
  const Between& between = *model.contacts[contact.source].between();
  const bool is_first = contact.owner == to_int(FeatureOwner::first_corner);
  const BodyIndex corner = (is_first ? between.first : between.second).body,
                  edge = (is_first ? between.second : between.first).body;
  return feature.is_vertex ? feature.body == corner && feature.index == contact.first
                           : feature.body == edge && feature.index == contact.second;
}

SourceKind source_kind(const Model& model, const Contact& source) {
  if (source.formulas()) return SourceKind::formula;
  const bool is_pair = features_of(model, source).is_pair() || outlines_of(model, source);
  return is_pair ? SourceKind::pair : SourceKind::fixed;
}

ContactSet possible_contacts(const Model& model, SourceIndex source) {
  if (outlines_of(model, model.contacts[source])) return {};
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
  if (outlines_of(model, source)) return outline_contact_name(model, contact);
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
    if (const auto key = outline_contact_named(model, source, name)) return key;
    if (!name.starts_with(model.contacts[source].name)) continue;
    for (const ContactKey& key : possible_contacts(model, source))
      if (contact_name(model, key) == name) return key;
  }
  return std::nullopt;
}

}  // namespace clack
