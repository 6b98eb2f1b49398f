// SPDX-License-Identifier: Apache-2.0
#include "clack/model/contact_source.hpp"

#include <fmt/format.h>

#include <charconv>

#include "clack/geometry/polyhedron.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

int box_corners(const Model& model) { return model.dimension == 2 ? 4 : 8; }

/// The shape that a contact uses as a whole, or nothing.
const Shape* whole_shape(const Model& model, const Attachment& end) {
  const Body& body = model.bodies[end.body];
  return std::holds_alternative<WholeShape>(end.at) && body.shape ? &*body.shape : nullptr;
}

/// How many corners and edges of each body take part.
struct PairFeatures {
  int first_corners = 0, second_corners = 0;
  bool is_pair() const { return first_corners + second_corners > 0; }
  bool is_listed = true;
  int first_edges = 0, second_edges = 0;  // of pairs that are not listed
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
  const auto is_solid = [](const Shape& shape) { return std::holds_alternative<Solid>(shape); };
  const auto solid_corners = [&](const Attachment& end) {
    return static_cast<int>(model.bodies[end.body].solid->corners.size());
  };
  if (is_solid(*first) && std::holds_alternative<HalfSpace>(*second))
    return {solid_corners(between->first), 0};
  if (is_solid(*second) && std::holds_alternative<HalfSpace>(*first))
    return {0, solid_corners(between->second)};
  const bool is_first_bounded = is_solid(*first) || is_first_box,
             is_second_bounded = is_solid(*second) || is_second_box;
  if (model.dimension == 3 && is_first_bounded && is_second_bounded) {
    const auto edges = [&](const Attachment& end) {
      return static_cast<int>(model.bodies[end.body].solid->edges.size());
    };
    return {.first_corners = solid_corners(between->first),
            .second_corners = solid_corners(between->second),
            .is_listed = false,
            .first_edges = edges(between->first),
            .second_edges = edges(between->second)};
  }
  if (is_first_box && std::holds_alternative<HalfSpace>(*second)) return {corners, 0};
  if (is_second_box && std::holds_alternative<HalfSpace>(*first)) return {0, corners};
  return {};
}

int to_int(FeatureOwner owner) { return static_cast<int>(owner); }

/// The body or shape that a feature of an outline belongs to, and whether that is nothing but a disk.
struct FeatureHome {
  std::string name;
  bool is_disk = false;
};
FeatureHome home_of(const Model& model, const Attachment& end, const Outline& outline, int first,
                    int NamedOutline::*begin) {
  const Body& body = model.bodies[end.body];
  if (const auto one = end.shape())
    return {body.name + "." + body.shapes[*one].name, outline.is_disk()};
  if (body.shapes.empty()) return {body.name, outline.is_disk()};
  const NamedOutline* home = &body.shapes.front();
  const auto has_any = [&](const NamedOutline& shape) {
    return begin == &NamedOutline::first_edge || !shape.outline.vertices.empty();
  };
  for (const NamedOutline& shape : body.shapes)
    if (shape.*begin <= first && has_any(shape)) home = &shape;
  return {body.name + "." + home->name, home->outline.is_disk()};
}

std::string edge_name(const Model& model, const Attachment& end, const Outline& outline, int edge) {
  const FeatureHome home = home_of(model, end, outline, edge, &NamedOutline::first_edge);
  const OutlineEdge& e = outline.edges[OutlineEdgeIndex(edge)];
  if (home.is_disk) return home.name;
  return fmt::format("{}.{}{}", home.name, e.is_corner ? 'v' : 'e', e.label);
}

std::string round_name(const Model& model, const Attachment& end, const Outline& outline,
                       int round) {
  const int vertices = outline.vertices.size();
  if (round >= vertices) return edge_name(model, end, outline, round - vertices);
  const int label = outline.vertices[OutlineVertexIndex(round)].label;
  return fmt::format("{}.v{}",
                     home_of(model, end, outline, round, &NamedOutline::first_vertex).name, label);
}

/// BODY.vI/BODY.eJ of a pair of outlines.
std::string outline_contact_name(const Model& model, const ContactKey& contact) {
  const OutlinePair pair = *outlines_of(model, model.contacts[contact.source]);
  const Between& between = *model.contacts[contact.source].between();
  const bool is_first = contact.owner == to_int(FeatureOwner::first_corner);
  const Attachment &owner = is_first ? between.first : between.second,
                   &support = is_first ? between.second : between.first;
  return round_name(model, owner, is_first ? pair.first : pair.second, contact.first) + "/" +
         edge_name(model, support, is_first ? pair.second : pair.first, contact.second);
}

/// The number at the end of a name.
std::optional<int> last_number(std::string_view text) {
  const std::size_t at = text.find_last_not_of("0123456789") + 1;
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  return problem == std::errc{} ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<int> round_named(const Model& model, const Attachment& end, const Outline& outline,
                               std::string_view name) {
  const auto number = last_number(name);
  const int vertices = outline.vertices.size();
  for (int i = 0; number && i < vertices; ++i)
    if (outline.vertices[OutlineVertexIndex(i)].label == *number &&
        outline.corner(OutlineVertexIndex(i)) == Corner::convex &&
        round_name(model, end, outline, i) == name)
      return i;
  const auto arc = edge_named(model, end, outline, name);
  if (arc && outline.edges[OutlineEdgeIndex(*arc)].is_convex_arc()) return vertices + *arc;
  for (int i = 0; number && i < vertices; ++i)  // one that never touches
    if (outline.vertices[OutlineVertexIndex(i)].label == *number &&
        round_name(model, end, outline, i) == name)
      return i;
  return std::nullopt;
}

std::optional<int> edge_named(const Model& model, const Attachment& end, const Outline& outline,
                              std::string_view name) {
  const auto number = last_number(name);
  for (const OutlineEdgeIndex j : indices(outline.edges)) {
    const bool may_be = outline.is_disk(j) || (number && outline.edges[j].label == *number);
    if (may_be && edge_name(model, end, outline, j.value) == name) return j.value;
  }
  return std::nullopt;
}

namespace {

std::optional<ContactKey> outline_contact_named(const Model& model, SourceIndex source,
                                                std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto pair = outlines_of(model, model.contacts[source]);
  if (!pair) return std::nullopt;
  const Between& between = *model.contacts[source].between();
  for (const PairSide owner : {PairSide::first, PairSide::second}) {
    const bool is_first = owner == PairSide::first;
    const auto round = round_named(model, is_first ? between.first : between.second,
                                   is_first ? pair->first : pair->second, name.substr(0, slash));
    const auto edge = edge_named(model, is_first ? between.second : between.first,
                                 is_first ? pair->second : pair->first, name.substr(slash + 1));
    if (!round || !edge) continue;
    const Candidate candidate{owner, OutlineVertexIndex(*round), OutlineEdgeIndex(*edge)};
    const bool are_rounds = !pair->is_vertex(candidate) && pair->edge(candidate).is_convex_arc();
    if (is_first || !are_rounds) return contact_key(source, candidate);
  }
  return std::nullopt;
}

}  // namespace

const Outline* outline_of(const Model& model, const Attachment& end) {
  const Body& body = model.bodies[end.body];
  if (const auto one = end.shape()) return &body.shapes[*one].outline;
  if (!std::holds_alternative<WholeShape>(end.at) || !body.shape) return nullptr;
  if (const auto* drawn = std::get_if<Outline>(&*body.shape)) return drawn;
  return body.outline ? &*body.outline : nullptr;
}

bool is_drawn(const Model& model, const Attachment& end) {
  if (end.shape()) return true;
  const Shape* shape = whole_shape(model, end);
  return shape && std::holds_alternative<Outline>(*shape);
}

std::optional<OutlinePair> outlines_of(const Model& model, const Contact& source) {
  const Between* between = source.between();
  if (!between || !(is_drawn(model, between->first) || is_drawn(model, between->second)))
    return std::nullopt;
  const Outline *a = outline_of(model, between->first), *b = outline_of(model, between->second);
  if (!a || !b || (!a->is_bounded && !b->is_bounded)) return std::nullopt;
  return std::optional<OutlinePair>(std::in_place, OutlinePair{*a, *b});
}

bool is_solid_pair(const Model& model, const Contact& source) {
  const PairFeatures features = features_of(model, source);
  return features.is_pair() && !features.is_listed;
}

bool has_unlisted_pairs(const Model& model) {
  for (const Contact& contact : model.contacts)
    if (outlines_of(model, contact) || is_solid_pair(model, contact)) return true;
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
  const Attachment &owner = is_first ? between.first : between.second,
                   &support = is_first ? between.second : between.first;
  // One of several shapes counts for itself, what is named counts through all shapes of its body.
  const auto shape_of = [&](const Attachment& end) -> const NamedOutline* {
    const auto one = end.shape();
    return one ? &model.bodies[end.body].shapes[*one] : nullptr;
  };
  const NamedOutline *own = shape_of(owner), *other = shape_of(support);
  const int vertices = outline_of(model, owner)->vertices.size(), arc = contact.first - vertices;
  if (feature.is_vertex)
    return feature.body == owner.body && arc < 0 &&
           feature.index == contact.first + (own ? own->first_vertex : 0);
  const bool is_round =
      feature.body == owner.body && arc >= 0 && feature.index == arc + (own ? own->first_edge : 0);
  return is_round || (feature.body == support.body &&
                      feature.index == contact.second + (other ? other->first_edge : 0));
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
  if (!features.is_listed) return {};
  ContactSet keys;
  for (int k = 0; k < features.first_corners; ++k)
    keys.push_back({source, to_int(FeatureOwner::first_corner), k, 0});
  for (int k = 0; k < features.second_corners; ++k)
    keys.push_back({source, to_int(FeatureOwner::second_corner), 0, k});
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

namespace {

/// Of two polyhedra (boxes are such): corners are looked through, edges are numbers.
std::optional<ContactKey> solid_contact_named(const Model& model, SourceIndex source,
                                              std::string_view name) {
  const PairFeatures features = features_of(model, model.contacts[source]);
  const auto is_called = [&](const ContactKey& key) { return contact_name(model, key) == name; };
  for (int k = 0; k < std::max(features.first_corners, features.second_corners); ++k)
    for (const ContactKey& key : {ContactKey{source, to_int(FeatureOwner::first_corner), k, 0},
                                  ContactKey{source, to_int(FeatureOwner::second_corner), 0, k}}) {
      const bool is_first = key.owner == to_int(FeatureOwner::first_corner);
      if (k < (is_first ? features.first_corners : features.second_corners) && is_called(key))
        return key;
    }
  const std::size_t at = name.rfind('.');
  const auto first = last_number(name.substr(0, at)), second = last_number(name);
  if (at == std::string_view::npos || !first || !second) return std::nullopt;
  if (*first < 1 || *first > features.first_edges || *second < 1 || *second > features.second_edges)
    return std::nullopt;
  const ContactKey key{source, to_int(FeatureOwner::edges), *first - 1, *second - 1};
  return is_called(key) ? std::optional(key) : std::nullopt;
}

}  // namespace

std::optional<ContactKey> contact_named(const Model& model, std::string_view name) {
  for (const SourceIndex source : indices(model.contacts)) {
    if (const auto key = outline_contact_named(model, source, name)) return key;
    if (!name.starts_with(model.contacts[source].name)) continue;
    if (is_solid_pair(model, model.contacts[source]))
      if (const auto key = solid_contact_named(model, source, name)) return key;
    for (const ContactKey& key : possible_contacts(model, source))
      if (contact_name(model, key) == name) return key;
  }
  return std::nullopt;
}

}  // namespace clack
