// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/input_file.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/model/path_patch.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {
namespace {

const std::vector<std::string> coefficient_keys = {
    "friction",      "dynamic_friction", "static_friction", "restitution", "tangential_restitution",
    "reversibility", "stiffness"};

std::vector<std::string> with_coefficients(std::vector<std::string> keys) {
  keys.insert(keys.end(), coefficient_keys.begin(), coefficient_keys.end());
  return keys;
}

/// Friction and restitution of a contact or zone; what is not given keeps the value of `own`.
Coefficients read_coefficients(Reading& reading, const yaml::Node& node, const std::string& thing,
                               const Coefficients& own) {
  auto& formulas = reading.formulas;
  Coefficients result = own;
  const yaml::Node* both = node.find("friction");
  const yaml::Node* dynamic = node.find("dynamic_friction");
  const yaml::Node* fixed = node.find("static_friction");
  if (both && (dynamic || fixed))
    reading.fail(*both, thing + ": friction sets both coefficients",
                 "give either friction, or dynamic_friction and static_friction");
  if (both)
    result.dynamic_friction = result.static_friction =
        formulas.not_negative(*both, thing + ": friction");
  if (dynamic)
    result.dynamic_friction = result.static_friction =
        formulas.not_negative(*dynamic, thing + ": dynamic_friction");
  if (fixed) result.static_friction = formulas.not_negative(*fixed, thing + ": static_friction");
  if (result.static_friction < result.dynamic_friction)
    reading.fail(fixed ? *fixed : node,
                 fmt::format("{}: static_friction is {}, must not be less than dynamic_friction {}",
                             thing, result.static_friction, result.dynamic_friction),
                 "raise static_friction or lower dynamic_friction");
  if (const yaml::Node* value = node.find("restitution"))
    result.restitution =
        formulas.number_in(*value, thing + ": restitution", reading.lowest_restitution, 1,
                           "use 0 for no rebound, 1 for a full one");
  if (const yaml::Node* value = node.find("tangential_restitution"))
    result.tangential_restitution =
        formulas.number_in(*value, thing + ": tangential_restitution", -1, 1, "use 0 for none");
  if (const yaml::Node* value = node.find("reversibility"))
    result.reversibility =
        formulas.number_in(*value, thing + ": reversibility", 0, 1, "use 0 for none");
  if (const yaml::Node* value = node.find("stiffness"))
    result.stiffness = formulas.positive(*value, thing + ": stiffness");
  return result;
}

/// One formula, or a list of them.
std::vector<Expression> formulas_of(Reading& reading, const yaml::Node& node,
                                    const std::string& what, int count, unsigned allowed) {
  if (node.kind == yaml::Kind::text && count == 1)
    return {reading.formulas.formula(node, what, allowed)};
  std::vector<Expression> result;
  for (const yaml::Node& item : reading.list(node, what, count))
    result.push_back(reading.formulas.formula(item, what, allowed));
  return result;
}

void read_rows(Reading& reading, GapFormulas& contact, const yaml::Node& node,
               const std::string& thing) {
  const int tangents = reading.model.dimension - 1;
  const int speeds = number_of(reading.model.speeds);
  if (const yaml::Node* row = node.find("normal_row"))
    contact.normal_row = formulas_of(reading, *row, thing + ": normal_row", speeds, allow_position);
  if (const yaml::Node* rows = node.find("tangent_rows");
      rows && !(rows->kind == yaml::Kind::list && rows->items.empty()))
    for (const yaml::Node& row : reading.list(*rows, thing + ": tangent_rows", tangents))
      contact.tangent_rows.push_back(
          formulas_of(reading, row, thing + ": tangent_rows", speeds, allow_position));
  if (const yaml::Node* bias = node.find("gap_bias"))
    contact.gap_bias = reading.formulas.formula(*bias, thing + ": gap_bias", allow_state);
  if (const yaml::Node* bias = node.find("slip_bias"))
    contact.slip_bias = formulas_of(reading, *bias, thing + ": slip_bias", tangents, allow_state);
}

GapFormulas read_formula_contact(Reading& reading, const yaml::Node& node,
                                 const std::string& thing) {
  GapFormulas contact;
  contact.gap = reading.formulas.formula(*node.find("gap"), thing + ": gap", allow_position);
  if (const yaml::Node* slip = node.find("slip")) {
    contact.slip =
        formulas_of(reading, *slip, thing + ": slip", reading.model.dimension - 1, allow_state);
    for (const Expression& formula : contact.slip)
      reading.check_linear(formula, *slip, thing + ": slip");
  }
  read_rows(reading, contact, node, thing);
  return contact;
}

/// A pair of outlines, at least one of which is drawn.
bool are_outlines(const Reading& reading, const Between& between) {
  const Model& model = reading.model;
  return (is_drawn(model, between.first) || is_drawn(model, between.second)) &&
         outline_of(model, between.first) && outline_of(model, between.second);
}

/// The same bodies, and shapes of which one is a part of the other.
bool are_same_shapes(const Between& a, const Between& b) {
  const auto meets = [](const Attachment& x, const Attachment& y) {
    return x.body == y.body && (!x.shape() || !y.shape() || x.shape() == y.shape());
  };
  return (meets(a.first, b.first) && meets(a.second, b.second)) ||
         (meets(a.first, b.second) && meets(a.second, b.first));
}

void refuse_formula_keys(const Reading& reading, const yaml::Node& node, const std::string& thing,
                         const char* instead) {
  for (const char* key : {"slip", "normal_row", "tangent_rows", "gap_bias", "slip_bias"})
    if (const yaml::Node* value = node.find(key))
      reading.fail(*value, fmt::format("{}: {} belongs to contacts given by gap", thing, key),
                   fmt::format("remove it, or give gap instead of {}", instead));
}

Between read_geometric_contact(Reading& reading, const yaml::Node& node, const std::string& thing) {
  refuse_formula_keys(reading, node, thing, "between");
  const yaml::Node& between = *node.find("between");
  const auto& ends = reading.list(between, thing + ": between", 2);
  Between contact;
  contact.first = contact_end(reading, ends[0], thing);
  contact.second = contact_end(reading, ends[1], thing);
  if (contact.first.body == contact.second.body)
    reading.fail(between, thing + ": between names the same body twice",
                 "name two different bodies");
  const auto moves = [&](Attachment end) {
    const BodyKind kind = reading.model.bodies[end.body].kind;
    return kind == BodyKind::free || kind == BodyKind::placed;
  };
  if (const yaml::Node* velocity = node.find("surface_velocity"))
    if (are_outlines(reading, contact))
      reading.fail(*velocity, thing + ": surface_velocity on a pair of polygons",
                   "let a body move instead: motion: {position: [...]}");
  for (const Contact& other : reading.model.contacts)
    if (const Between* taken = other.between(); taken && are_outlines(reading, contact) &&
                                                are_outlines(reading, *taken) &&
                                                are_same_shapes(*taken, contact))
      reading.fail(between, thing + ": contact " + other.name + " has the same two polygons",
                   "keep one of them; zones give other coefficients");
  if (!moves(contact.first) && !moves(contact.second))
    reading.fail(between, thing + ": neither of the two bodies moves freely",
                 "one must not be fixed or prescribed");
  return contact;
}

/// `bodies`: that the entry names, whose features its zones may name.
void read_zones(Reading& reading, Contact& contact, std::span<const BodyIndex> bodies,
                const yaml::Node& zones, const std::string& thing) {
  for (const yaml::Node& node : reading.list(zones, thing + ": zones")) {
    const std::string what = fmt::format("{}: zone {}", thing, contact.zones.size() + 1);
    reading.check_keys(node, what, with_coefficients({"where", "features"}));
    const yaml::Node *where = node.find("where"), *features = node.find("features");
    if ((where != nullptr) == (features != nullptr))
      reading.fail(node, what + " needs either where or features",
                   "give where: a formula that is positive inside the zone; or, on polygons, "
                   "features: [BODY.e3, ...]");
    Zone zone;
    zone.place = node.place;
    if (where)
      zone.where = reading.formulas.formula(*where, what + ": where", allow_position);
    else
      read_zone_features(reading, bodies, *features, what, zone);
    zone.coefficients = read_coefficients(reading, node, what, contact.coefficients);
    contact.zones.push_back(std::move(zone));
  }
}

bool needs_slip(const Contact& contact) {
  bool has_friction = contact.coefficients.static_friction > 0.0;
  for (const Zone& zone : contact.zones) has_friction |= zone.coefficients.static_friction > 0.0;
  const GapFormulas* formulas = contact.formulas();
  return formulas && has_friction && formulas->slip.empty() && formulas->tangent_rows.empty();
}

void add_contact(Reading& reading, Contact contact, const yaml::Node& node) {
  if (reading.contacts.contains(contact.name))
    reading.fail(node, "contact " + contact.name + ": this name is taken", "choose another name");
  reading.contacts[contact.name] = number_of(reading.model.contacts);
  reading.model.contacts.push_back(std::move(contact));
}

/// The contacts that a pair makes have names of their own, which no other entry may have.
void refuse_ambiguous_names(const Reading& reading, const yaml::Node& contacts) {
  for (const yaml::Entry& entry : contacts.entries) {
    const auto made = contact_named(reading.model, entry.key);
    if (!made) continue;
    const Contact& source = reading.model.contacts[made->source];
    if (source.name == entry.key || source.list == entry.key) continue;
    yaml::Node at = entry.value;
    at.place = entry.place;
    reading.fail(
        at,
        fmt::format("contact {}: a contact that {} makes has this name", entry.key, source.name),
        "choose another name");
  }
}

/// What an entry says of all its contacts.
void read_properties(Reading& reading, Contact& contact, std::span<const BodyIndex> bodies,
                     const yaml::Node& node, const std::string& thing) {
  contact.coefficients = read_coefficients(reading, node, thing, {});
  if (const yaml::Node* velocity = node.find("surface_velocity"))
    contact.surface_velocity = formulas_of(reading, *velocity, thing + ": surface_velocity",
                                           reading.model.dimension - 1, allow_time);
  if (const yaml::Node* zones = node.find("zones"))
    read_zones(reading, contact, bodies, *zones, thing);
  if (needs_slip(contact))
    reading.fail(node, thing + " has friction but no slip",
                 "give slip: the tangential velocity as a formula of the speeds");
}

/// A pressed contact has neither rows of its own nor a part in impacts.
std::vector<std::string> keys_of(const yaml::Node& node) {
  if (node.find("pressed"))
    return {"pressed",
            "slip",
            "friction",
            "dynamic_friction",
            "static_friction",
            "surface_velocity",
            "zones",
            "between",
            "gap",
            "among"};
  return with_coefficients({"between", "among", "gap", "pressed", "slip", "normal_row",
                            "tangent_rows", "gap_bias", "slip_bias", "surface_velocity", "zones",
                            "parameter"});
}

/// A contact goes on along the paths that begin where its own ends, and so on: NAME.PATH for each, unless an entry says more.
void add_pieces(Reading& reading, const yaml::Entry& entry, const yaml::Node& contacts,
                const yaml::Node& at) {
  const Model& model = reading.model;
  if (entry.value.find("parameter")) return;  // it holds on one piece
  const std::string toucher = toucher_in(reading, *entry.value.find("between")).text;
  for (const int piece : paths_beyond(model.paths, model.feet.back().path)) {
    if (touches_path(reading, contacts, toucher, piece)) continue;
    yaml::Node node = entry.value;
    for (yaml::Node& end : node.find("between")->items)
      if (end.text != toucher) end.text = model.paths[piece].name;
    Contact contact;
    contact.name = entry.key + "." + model.paths[piece].name;
    contact.place = entry.place;
    const std::string thing = "contact " + printable(contact.name, 60);
    contact.given = read_path_contact(reading, node, contact.name, thing);
    read_properties(reading, contact, {}, node, thing);
    add_contact(reading, std::move(contact), at);
  }
}

/// An entry `among`: a pair of each two bodies of its list, all alike.
void read_contact_list(Reading& reading, const yaml::Entry& entry, const yaml::Node& contacts,
                       const std::string& thing, const yaml::Node& at) {
  const yaml::Node& node = entry.value;
  refuse_formula_keys(reading, node, thing, "among");
  if (const yaml::Node* velocity = node.find("surface_velocity"))
    reading.fail(*velocity, thing + ": surface_velocity on a list of bodies",
                 "give it to one pair, between: [a, b]");
  const ContactList list = read_among(reading, *node.find("among"), contacts, thing);
  Contact alike;
  alike.list = entry.key;
  alike.place = entry.place;
  alike.given = Between{};
  read_properties(reading, alike, list.bodies, node, thing);
  for (const Between& pair : list.pairs) {
    Contact contact = alike;
    contact.name = fmt::format("{}.{}/{}", entry.key, reading.model.bodies[pair.first.body].name,
                               reading.model.bodies[pair.second.body].name);
    contact.given = pair;
    add_contact(reading, std::move(contact), at);
  }
}

}  // namespace

void read_contacts(Reading& reading, const yaml::Node& contacts, EntryOrigin origin) {
  if (contacts.kind != yaml::Kind::map)
    reading.fail(contacts, "contacts: a map of names and contacts is expected here",
                 "write contacts: {tip: {between: [rod.tip, floor]}}");
  for (const yaml::Entry& entry : contacts.entries) {
    const yaml::Node& node = entry.value;
    if (origin_of(node) != origin) continue;
    const std::string thing = "contact " + printable(entry.key, 60);
    yaml::Node at = node;
    at.place = entry.place;
    check_label(reading, entry.key, "contact", at);
    reading.check_keys(node, thing, keys_of(node));
    int given = 0;
    for (const char* key : {"between", "gap", "among", "pressed"})
      given += node.find(key) != nullptr;
    if (given != 1)
      reading.fail(node, thing + " needs either between, among, gap or pressed",
                   "give between: [first, second], among: [a, b, c], gap: a formula, or pressed: "
                   "a force");
    if (node.find("among")) {
      read_contact_list(reading, entry, contacts, thing, at);
      continue;
    }
    Contact contact;
    contact.name = entry.key;
    contact.place = entry.place;
    std::vector<BodyIndex> bodies;
    const bool is_on_path = names_path(reading, node);
    if (const yaml::Node* parameter = node.find("parameter"); parameter && !is_on_path)
      reading.fail(*parameter, thing + ": parameter belongs to contacts with paths and surfaces",
                   "remove it");
    if (is_on_path) {
      refuse_formula_keys(reading, node, thing, "between");
      contact.given = read_path_contact(reading, node, entry.key, thing);
    } else if (node.find("pressed")) {
      contact.given = read_pressed_contact(reading, node, entry.key, thing);
    } else if (node.find("gap")) {
      contact.given = read_formula_contact(reading, node, thing);
    } else {
      const Between between = read_geometric_contact(reading, node, thing);
      bodies = {between.first.body, between.second.body};
      contact.given = between;
    }
    read_properties(reading, contact, bodies, node, thing);
    add_contact(reading, std::move(contact), at);
    if (is_on_path) add_pieces(reading, entry, contacts, at);
  }
  refuse_ambiguous_names(reading, contacts);
}

/// A contact by its name: an entry, or one that a pair makes.
ContactKey read_contact_name(Reading& reading, const yaml::Node& name, const std::string& what) {
  if (const auto key = contact_named(reading.model, reading.text(name, what))) return *key;
  const SourceIndex source(reading.index(name, what, "contact", reading.contacts));
  reading.fail(
      name, fmt::format("{}: {} is a pair of shapes that makes several contacts", what, name.text),
      "name one of them, such as " +
          (possible_contacts(reading.model, source).empty()
               ? contact_name(reading.model, {source, 0, 0, 0})
               : contact_name(reading.model, possible_contacts(reading.model, source)[0])));
}

void read_exclusive(Reading& reading, const yaml::Node& exclusive) {
  for (const yaml::Node& set : reading.list(exclusive, "exclusive")) {
    ContactSet members;
    for (const yaml::Node& name : reading.list(set, "exclusive")) {
      const ContactKey member = read_contact_name(reading, name, "exclusive");
      if (outlines_of(reading.model, reading.model.contacts[member.source]))
        reading.fail(name, fmt::format("exclusive: {} is a contact of two polygons", name.text),
                     "their contacts are made where they touch: remove it");
      if (std::find(members.begin(), members.end(), member) != members.end())
        reading.fail(name, fmt::format("exclusive: {} stands twice in one set", name.text),
                     "remove one of them");
      members.push_back(member);
    }
    if (members.size() < 2)
      reading.fail(set, "exclusive: a set needs at least two contacts", "write [[left, right]]");
    reading.model.exclusive.push_back(std::move(members));
  }
}

void read_cycle(Reading& reading, const yaml::Node& cycle) {
  reading.check_keys(cycle, "cycle", {"at", "after", "along"});
  const yaml::Node* at = cycle.find("at");
  if (!at)
    reading.fail(cycle, "cycle needs at", "give at: the contact whose impact marks a period");
  CycleSection section;
  section.contact = read_contact_name(reading, *at, "cycle: at");
  if (const yaml::Node* after = cycle.find("after"))
    section.after = read_contact_name(reading, *after, "cycle: after");
  if (const yaml::Node* along = cycle.find("along"))
    section.along = reading.coordinate(*along, "cycle: along");
  reading.model.cycle = section;
}

}  // namespace clack
