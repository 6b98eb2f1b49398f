// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/contact_sides.hpp"

#include <fmt/format.h>

#include <cmath>

#include "clack/error.hpp"
#include "clack/geometry/polyhedron.hpp"
#include "clack/geometry/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;

[[noreturn]] void refuse(const Model& model, const Contact& contact, const std::string& why,
                         const std::string& remedy) {
  throw ModelError("contact " + contact.name + ": " + why, model.where(contact.place), remedy);
}

/// A new shape that is forgotten here does not compile. Outlines touch with their vertices and edges, not as a whole.
std::optional<Side> side_of(const Shape& shape) {
  return std::visit(
      ShapeCases{[](const Ball& ball) -> std::optional<Side> {
                   return RoundSide{Vector3d::Zero(), ball.radius};
                 },
                 [](const HalfSpace& plane) -> std::optional<Side> { return plane; },
                 [](const SmoothShape& smooth) -> std::optional<Side> { return smooth; },
                 [](const Box& box) -> std::optional<Side> { return box; },
                 [](const Solid& solid) -> std::optional<Side> { return solid; },
                 [](const Outline&) -> std::optional<Side> { return std::nullopt; }},
      shape);
}

Vector3d in_space(const Eigen::Vector2d& v) { return {v.x(), v.y(), 0.0}; }

/// A straight edge as the half-plane behind its line, an arc as its circle.
Side side_of(const OutlineEdge& e) {
  if (e.is_convex_arc()) return RoundSide{in_space(e.centre), e.radius};
  if (e.is_concave_arc()) return HollowSide{in_space(e.centre), -e.radius};
  return HalfSpace{in_space(e.normal), e.normal.dot(e.start)};
}

void add_outline(const Outline& outline, std::vector<Side>& vertices, std::vector<Side>& edges) {
  for (const OutlineVertex& v : outline.vertices)
    vertices.push_back(RoundSide{in_space(v.point), 0.0});
  for (const OutlineEdge& e : outline.edges) edges.push_back(side_of(e));
}

void add_solid(const std::shared_ptr<const Polyhedron>& solid, std::vector<Side>& whole,
               std::vector<Side>& edges) {
  whole.push_back(Solid{solid});
  for (const PolyhedronEdge& edge : solid->edges) edges.push_back(edge.side);
}

/// What is drawn meets what has an outline only.
void refuse_half_outlines(const Model& model, const Contact& contact, const Between& between) {
  const bool is_first = is_drawn(model, between.first);
  if (!is_first && !is_drawn(model, between.second)) return;
  const Outline *a = outline_of(model, between.first), *b = outline_of(model, between.second);
  if (a && b)
    refuse(model, contact, "two half-planes have no distance", "let one of the bodies be bounded");
  const Body &drawn = model.bodies[(is_first ? between.first : between.second).body],
             &other = model.bodies[(is_first ? between.second : between.first).body];
  refuse(model, contact,
         "the polygon " + drawn.name + " has no contact with a point (" + other.name + ")",
         "name the body alone and give it a shape: a polygon, a polyline, a disk, a box or a "
         "half-plane");
}

/// A pin as large as its bore leaves no freedom.
void refuse_equal_radii(const Model& model, const Contact& contact, const Between& between,
                        const OutlinePair& pair) {
  if (!pair.first.has_arcs && !pair.second.has_arcs) return;
  for (const bool is_first : {true, false})
    for (const OutlineEdge& round : (is_first ? pair.first : pair.second).edges) {
      if (!round.is_convex_arc()) continue;
      for (const OutlineEdge& hollow : (is_first ? pair.second : pair.first).edges) {
        const bool is_equal =
            hollow.is_concave_arc() &&
            std::abs(round.radius + hollow.radius) <= outline_tolerances.equal_radii * round.radius;
        if (!is_equal) continue;
        const Body &pin = model.bodies[(is_first ? between.first : between.second).body],
                   &bore = model.bodies[(is_first ? between.second : between.first).body];
        refuse(model, contact,
               fmt::format("equal radii of a convex arc of {} and a concave arc of {}: {:.9g} m",
                           pin.name, bore.name, round.radius),
               "leave a clearance: a pin as large as its bore cannot be told from one that is "
               "welded in");
      }
    }
}

bool has_box(const Side& side) {
  return std::holds_alternative<Box>(side) || std::holds_alternative<Solid>(side) ||
         std::holds_alternative<EdgeSide>(side);
}

/// What the plane has no distance for.
void refuse_planar(const Model& model, const Contact& contact, const ContactSides& sides) {
  for (const auto& [side, index] :
       {std::pair{sides.first, sides.first_body}, std::pair{sides.second, sides.second_body}}) {
    const Body& body = model.bodies[index];
    if (std::holds_alternative<Box>(*side))
      refuse(model, contact, "the shape of " + body.name + " has no contact of this kind",
             "name one of its corners, as in " + body.name +
                 ".bottom_left, or give gap and slip as formulas");
  }
  const auto *first = std::get_if<RoundSide>(sides.first),
             *second = std::get_if<RoundSide>(sides.second);
  if (!first && !second)
    refuse(model, contact, "two half-planes have no distance",
           "let one of the bodies be a disk, a point or a box");
  if (first && second && first->radius + second->radius <= 0.0)
    refuse(model, contact, "two points never touch",
           "give one of the bodies a disk or a half-plane as its shape");
}

}  // namespace

SidesTable::SidesTable(const Model& model) : dimension_(model.dimension) {
  for (const Body& body : model.bodies) {
    BodyFeatures& features = bodies_.emplace_back();
    if (const auto side = body.shape ? side_of(*body.shape) : std::nullopt)
      features.shape.push_back(*side);
    if (const Outline* outline = body.shape ? std::get_if<Outline>(&*body.shape) : nullptr)
      add_outline(*outline, features.vertices, features.outline_edges);
    else if (body.outline)
      add_outline(*body.outline, features.vertices, features.outline_edges);
    // Corners of boxes and polyhedra are the first points of their bodies.
    for (int k = 0; k < number_of(body.points); ++k) {
      const Vector3d& point = body.points[k].position;
      features.points.push_back(RoundSide{point, 0.0});
      const auto k_of = static_cast<std::size_t>(k);
      if (dimension_ == 3)
        features.corners.push_back(body.solid && k_of < body.solid->corners.size()
                                       ? body.solid->corner_sides[k_of]
                                       : CornerSide{point, {}});
    }
    if (body.solid) add_solid(body.solid, features.solid, features.solid_edges);
  }
  for (const SourceIndex i : indices(model.contacts)) {
    const Contact& contact = model.contacts[i];
    Source& source = sources_.emplace_back();
    source.kind = source_kind(model, contact);
    const Between* between = contact.between();
    if (!between) continue;
    for (const Attachment& end : {between->first, between->second}) {
      const Body& body = model.bodies[end.body];
      if (dimension_ == 3 && body.kind == BodyKind::placed)
        refuse(model, contact, "bodies placed by formulas have no shapes in space",
               "give gap and slip as formulas");
    }
    source.first_body = between->first.body;
    source.second_body = between->second.body;
    source.first_point = between->first.point().value_or(-1);
    source.second_point = between->second.point().value_or(-1);
    source.is_solids = is_solid_pair(model, contact);
    if (const auto pair = outlines_of(model, contact)) {
      add_outlines(model, contact, *pair, source);
      continue;
    }
    refuse_half_outlines(model, contact, *between);
    for (const FeatureOwner owner : {FeatureOwner::first_corner, FeatureOwner::second_corner}) {
      const ContactKey key{i, static_cast<int>(owner), 0, 0};
      const bool is_possible = owner == FeatureOwner::first_corner
                                   ? source.kind != SourceKind::pair || is_box(source.first_body)
                                   : source.kind == SourceKind::pair && is_box(source.second_body);
      if (is_possible) refuse_unknown(model, contact, of(key));
    }
  }
}

void SidesTable::add_outlines(const Model& model, const Contact& contact, const OutlinePair& pair,
                              Source& source) {
  const Between& between = *contact.between();
  refuse_equal_radii(model, contact, between, pair);
  const auto features = [&](const Attachment& end, const Outline& outline) {
    Source::Features found{0, outline.vertices.size(), 0};
    if (const auto one = end.shape()) {
      const NamedOutline& shape = model.bodies[end.body].shapes[*one];
      found.first_vertex = shape.first_vertex;
      found.first_edge = shape.first_edge;
    }
    return found;
  };
  source.is_outlines = true;
  source.first_features = features(between.first, pair.first);
  source.second_features = features(between.second, pair.second);
}

ContactSides SidesTable::outline_sides(const Source& source, const ContactKey& contact) const {
  const bool is_first = contact.owner == static_cast<int>(FeatureOwner::first_corner);
  const auto round = [&](const BodyFeatures& body, const Source::Features& features) {
    const int arc = contact.first - features.vertices;
    return arc < 0 ? &body.vertices[features.first_vertex + contact.first]
                   : &body.outline_edges[features.first_edge + arc];
  };
  const auto edge = [&](const BodyFeatures& body, const Source::Features& features) {
    return &body.outline_edges[features.first_edge + contact.second];
  };
  const BodyFeatures &a = bodies_[source.first_body], &b = bodies_[source.second_body];
  ContactSides sides{.first_body = source.first_body, .second_body = source.second_body};
  sides.first = is_first ? round(a, source.first_features) : edge(a, source.first_features);
  sides.second = is_first ? edge(b, source.second_features) : round(b, source.second_features);
  return sides;
}

ContactSides SidesTable::solid_sides(const Source& source, const ContactKey& contact) const {
  const BodyFeatures &a = bodies_[source.first_body], &b = bodies_[source.second_body];
  ContactSides sides{.first_body = source.first_body, .second_body = source.second_body};
  sides.has_border = true;
  switch (static_cast<FeatureOwner>(contact.owner)) {
    case FeatureOwner::first_corner:
      sides.first = &a.corners[contact.first];
      sides.second = &b.solid[0];
      break;
    case FeatureOwner::second_corner:
      sides.first = &a.solid[0];
      sides.second = &b.corners[contact.second];
      break;
    case FeatureOwner::edges:
      sides.first = &a.solid_edges[contact.first];
      sides.second = &b.solid_edges[contact.second];
      break;
  }
  return sides;
}

bool SidesTable::is_box(BodyIndex body) const {
  const std::vector<Side>& shape = bodies_[body].shape;
  return !shape.empty() &&
         (std::holds_alternative<Box>(shape[0]) || std::holds_alternative<Solid>(shape[0]));
}

const Side* SidesTable::end(BodyIndex body, int point, bool meets_box) const {
  const BodyFeatures& features = bodies_[body];
  if (point < 0) return &features.shape[0];
  return meets_box && dimension_ == 3 ? &features.corners[point] : &features.points[point];
}

ContactSides SidesTable::of(const ContactKey& contact) const {
  const Source& source = sources_[contact.source];
  const BodyIndex a = source.first_body, b = source.second_body;
  ContactSides sides{.first_body = a, .second_body = b};
  if (source.is_outlines) return outline_sides(source, contact);
  if (source.is_solids) return solid_sides(source, contact);
  int first_point = source.first_point, second_point = source.second_point;
  if (source.kind == SourceKind::pair) {
    switch (static_cast<FeatureOwner>(contact.owner)) {
      case FeatureOwner::first_corner:
        first_point = contact.first;
        break;
      case FeatureOwner::second_corner:
        second_point = contact.second;
        break;
      case FeatureOwner::edges:  // of polyhedra only
        break;
    }
  }
  sides.first = end(a, first_point, second_point < 0 && is_box(b));
  sides.second = end(b, second_point, first_point < 0 && is_box(a));
  sides.has_border = has_box(*sides.first) || has_box(*sides.second);
  return sides;
}

void SidesTable::refuse_unknown(const Model& model, const Contact& contact,
                                const ContactSides& sides) const {
  if (dimension_ == 2) return refuse_planar(model, contact, sides);
  if (has_distance(*sides.first, *sides.second)) return;
  refuse(model, contact, "there is no distance between these two shapes",
         "spheres and points go with every shape, ellipsoids (and other smooth shapes) with "
         "spheres, half-spaces and each other, boxes, hulls and prisms with half-spaces, spheres "
         "and each other");
}

}  // namespace clack
