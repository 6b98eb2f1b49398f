// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/model/section_readers.hpp"

// Entries of contacts that name many bodies, and zones that name corners and edges.

namespace clack {
namespace {

using BodyPair = std::pair<BodyIndex, BodyIndex>;

bool moves_freely(const Body& body) {
  return body.kind == BodyKind::free || body.kind == BodyKind::placed;
}

/// Pairs of whole shapes that other entries give.
std::set<BodyPair> pairs_between(const Reading& reading, const yaml::Node& contacts) {
  std::set<BodyPair> given;
  for (const yaml::Entry& entry : contacts.entries) {
    const yaml::Node* between = entry.value.find("between");
    if (!between || between->kind != yaml::Kind::list || between->items.size() != 2) continue;
    std::vector<BodyIndex> ends;
    for (const yaml::Node& end : between->items)
      for (const BodyIndex b : indices(reading.model.bodies))
        if (reading.model.bodies[b].name == end.text) ends.push_back(b);
    if (ends.size() == 2) given.insert(std::minmax(ends[0], ends[1]));
  }
  return given;
}

/// `all`, or a list of bodies.
std::vector<Attachment> ends_of(Reading& reading, const yaml::Node& among,
                                const std::string& thing) {
  std::vector<Attachment> ends;
  if (among.kind == yaml::Kind::text) {
    if (among.text != "all")
      reading.fail(among, fmt::format("{}: among is {}", thing, printable(among.text, 60)),
                   "give a list of bodies, [a, b, c], or all");
    for (const BodyIndex b : indices(reading.model.bodies))
      if (reading.model.bodies[b].shape) ends.push_back({b, WholeShape{}});
  } else {
    for (const yaml::Node& item : reading.list(among, thing + ": among")) {
      const Attachment end = contact_end(reading, item, thing);
      if (end.point())
        reading.fail(item, fmt::format("{}: among names the point {}", thing, item.text),
                     "name bodies, which take part with their shapes");
      for (const Attachment& other : ends)
        if (other.body == end.body)
          reading.fail(item, fmt::format("{}: among names {} twice", thing, item.text),
                       "remove one of them");
      ends.push_back(end);
    }
  }
  return ends;
}

}  // namespace

Attachment contact_end(Reading& reading, const yaml::Node& node, const std::string& thing) {
  Attachment end = reading.place_on(node, thing + ": between");
  if (end.point() || end.shape()) return end;
  end.at = WholeShape{};
  const Body& body = reading.model.bodies[end.body];
  if (!body.shape)
    reading.fail(node, fmt::format("{}: body {} has no shape", thing, body.name),
                 "give it a shape, or name one of its points: " + body.name + ".POINT");
  return end;
}

ContactList read_among(Reading& reading, const yaml::Node& among, const yaml::Node& contacts,
                       const std::string& thing) {
  const std::vector<Attachment> ends = ends_of(reading, among, thing);
  const std::set<BodyPair> given = pairs_between(reading, contacts);
  ContactList list;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    list.bodies.push_back(ends[i].body);
    for (std::size_t j = i + 1; j < ends.size(); ++j) {
      const BodyIndex a = ends[i].body, b = ends[j].body;
      const bool can_meet =
          moves_freely(reading.model.bodies[a]) || moves_freely(reading.model.bodies[b]);
      if (can_meet && !given.contains(std::minmax(a, b))) list.pairs.push_back({ends[i], ends[j]});
    }
  }
  if (list.pairs.empty())
    reading.fail(among, thing + ": among has no two bodies that can move against each other",
                 "name at least two bodies, one of which is not fixed or prescribed");
  return list;
}

namespace {

/// The outline that a body brings into contacts as a whole.
const Outline* whole_outline(const Model& model, BodyIndex body) {
  return model.bodies[body].shape ? outline_of(model, {body, WholeShape{}}) : nullptr;
}

/// A corner, else an edge (an arc, a disk) of this name, among all shapes of the body.
std::optional<NamedFeature> feature_named(const Model& model, BodyIndex body,
                                          const std::string& name) {
  const Outline* outline = whole_outline(model, body);
  if (!outline) return std::nullopt;
  const Attachment end{body, WholeShape{}};
  const auto round = round_named(model, end, *outline, name);
  if (round && *round < outline->vertices.size()) return NamedFeature{body, true, *round};
  if (const auto edge = edge_named(model, end, *outline, name))
    return NamedFeature{body, false, *edge};
  return std::nullopt;
}

/// "box has v0 to v3 and e0 to e3".
std::string known_features(const Body& body, const Outline& outline) {
  if (body.shapes.empty())
    return fmt::format("{0} has v0 to v{1} and e0 to e{2}", body.name, outline.vertices.size() - 1,
                       number_of(outline.edges) - 1);
  std::string shapes;
  for (const NamedOutline& shape : body.shapes) shapes += (shapes.empty() ? "" : ", ") + shape.name;
  return fmt::format("{0} has the shapes {1}: write {0}.SHAPE.v0 or {0}.SHAPE.e0", body.name,
                     shapes);
}

}  // namespace

void read_zone_features(Reading& reading, std::span<const BodyIndex> bodies,
                        const yaml::Node& features, const std::string& what, Zone& zone) {
  const Model& model = reading.model;
  zone.where = model.graph->number(-1.0);
  for (const yaml::Node& node : reading.list(features, what + ": features")) {
    const std::string& name = reading.text(node, what + ": features");
    const std::string owner = name.substr(0, name.find('.'));
    const auto found = std::ranges::find_if(bodies, [&](BodyIndex b) {
      return model.bodies[b].name == owner && whole_outline(model, b) != nullptr;
    });
    if (found == bodies.end())
      reading.fail(node, fmt::format("{}: features names {}", what, printable(name, 60)),
                   "name corners and edges of the polygons of this contact: BODY.v0, BODY.e3, "
                   "BODY.SHAPE.v0");
    const auto feature = feature_named(model, *found, name);
    if (!feature)
      reading.fail(node, fmt::format("{}: {} does not exist", what, printable(name, 60)),
                   known_features(model.bodies[*found], *whole_outline(model, *found)));
    zone.features.push_back(*feature);
  }
}

}  // namespace clack
