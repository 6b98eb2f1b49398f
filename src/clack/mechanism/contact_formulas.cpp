// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/contact_formulas.hpp"

#include "clack/error.hpp"
#include "clack/mechanism/contact_sides.hpp"

namespace clack {
namespace {

/// One side of a planar contact: a round point (radius 0: a corner) or a half-plane.
struct PlanarSide {
  const Body* body = nullptr;
  bool is_half_plane = false;
  PlanarVector centre = {};   // round: centre; half-plane: a point on its edge
  PlanarVector outward = {};  // half-plane: outward normal in the world
  double radius = 0.0;
};

/// Gap, normal from second to first, and the two material points that touch.
struct Touch {
  Expression gap;
  PlanarVector normal, on_first, on_second;
};

PlanarSide planar_side(const Body& body, const Side& side) {
  PlanarSide result{.body = &body};
  if (const auto* plane = std::get_if<HalfSpace>(&side)) {
    result.is_half_plane = true;
    result.outward = rotate(body, plane->normal);
    result.centre = world_point(body, plane->offset * plane->normal);
    return result;
  }
  const auto& round = std::get<RoundSide>(side);
  const bool is_centre = round.centre.isZero(0.0);
  result.centre = is_centre ? PlanarVector{body.position[0], body.position[1]}
                            : world_point(body, round.centre);
  result.radius = round.radius;
  return result;
}

Touch round_on_plane(const PlanarSide& round, const PlanarSide& plane,
                     const MotionSymbols& motion) {
  Touch touch;
  touch.normal = plane.outward;
  const Expression distance = dot(plane.outward, round.centre - plane.centre);
  touch.gap = distance - round.radius;
  touch.on_first = round.centre - motion.number(round.radius) * plane.outward;
  touch.on_second = touch.on_first - touch.gap * plane.outward;
  return touch;
}

Touch round_on_round(const PlanarSide& first, const PlanarSide& second,
                     const MotionSymbols& motion) {
  Touch touch;
  const PlanarVector d = first.centre - second.centre;
  const Expression length = sqrt(dot(d, d));
  touch.normal = (1.0 / length) * d;
  touch.gap = length - (first.radius + second.radius);
  touch.on_first = first.centre - motion.number(first.radius) * touch.normal;
  touch.on_second = second.centre + motion.number(second.radius) * touch.normal;
  return touch;
}

Touch touch_of(const PlanarSide& first, const PlanarSide& second, const MotionSymbols& motion) {
  if (second.is_half_plane) return round_on_plane(first, second, motion);
  if (!first.is_half_plane) return round_on_round(first, second, motion);
  Touch touch = round_on_plane(second, first, motion);
  std::swap(touch.on_first, touch.on_second);
  touch.normal = motion.number(-1.0) * touch.normal;
  return touch;
}

/// Gap and slip of a contact between bodies.
void geometric(const Model& model, const ContactKey& contact, const MotionSymbols& motion,
               ContactFormulas& f) {
  if (model.dimension == 3)
    throw ModelError("contact " + model.contacts[contact.source].name +
                         ": contacts between bodies in space are computed in numbers",
                     model.where(model.contacts[contact.source].place),
                     "give it by gap and slip formulas where formulas are needed");
  const SidesTable table(model);
  const ContactSides sides = table.of(contact);
  const PlanarSide first = planar_side(model.bodies[sides.first_body], *sides.first),
                   second = planar_side(model.bodies[sides.second_body], *sides.second);
  const Touch touch = touch_of(first, second, motion);
  f.gap = touch.gap;
  const PlanarVector tangent{touch.normal[1], -touch.normal[0]};
  const PlanarVector relative = material_velocity(*first.body, touch.on_first, motion) -
                                material_velocity(*second.body, touch.on_second, motion);
  f.slip = {dot(tangent, relative)};
}

}  // namespace

ContactFormulas contact_formulas(const Model& model, const ContactKey& key,
                                 const MotionSymbols& motion) {
  const Contact& contact = model.contacts[key.source];
  const int n = motion.speeds();
  const std::size_t tangents = model.dimension - 1;
  ContactFormulas f;
  const GapFormulas given = contact.formulas() ? *contact.formulas() : GapFormulas{};
  if (contact.formulas()) {
    f.gap = given.gap;
    f.slip = given.slip;
  } else {
    geometric(model, key, motion, f);
  }
  f.slip.resize(tangents, motion.zero());
  for (std::size_t a = 0; a < tangents && a < contact.surface_velocity.size(); ++a)
    f.slip[a] = f.slip[a] - contact.surface_velocity[a];

  f.gap_rate = motion.rate(f.gap);
  f.gap_bias = given.gap_bias.is_valid() ? given.gap_bias : motion.rate(f.gap_rate);
  f.normal_row = given.normal_row;
  if (f.normal_row.empty())
    for (int j = 0; j < n; ++j) f.normal_row.push_back(motion.speed_derivative(f.gap_rate, j));
  f.tangent_rows = given.tangent_rows;
  if (f.tangent_rows.empty())
    for (const Expression& slip : f.slip) {
      auto& row = f.tangent_rows.emplace_back();
      for (int j = 0; j < n; ++j) row.push_back(motion.speed_derivative(slip, j));
    }
  f.slip_bias = given.slip_bias;
  if (f.slip_bias.empty())
    for (const Expression& slip : f.slip) f.slip_bias.push_back(motion.rate(slip));
  return f;
}

}  // namespace clack
