#include "clack/mechanism/contact_formulas.hpp"

#include "clack/error.hpp"

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

PlanarSide planar_side(const Model& model, const Contact& contact, const Attachment& attachment) {
  const Body& body = model.bodies[static_cast<std::size_t>(attachment.body)];
  PlanarSide side{.body = &body};
  if (attachment.point >= 0 || !body.shape) {
    side.centre = world_point(model, attachment);
    return side;
  }
  if (const auto* ball = std::get_if<Ball>(&*body.shape)) {
    side.centre = {body.position[0], body.position[1]};
    side.radius = ball->radius;
    return side;
  }
  if (const auto* plane = std::get_if<HalfSpace>(&*body.shape)) {
    side.is_half_plane = true;
    side.outward = rotate(body, plane->normal);
    side.centre = world_point(body, plane->offset * plane->normal);
    return side;
  }
  throw ModelError(
      "contact " + contact.name + ": the shape of " + body.name + " has no contact of this kind",
      model.where(contact.place),
      "name one of its corners, as in " + body.name +
          ".bottom_left, or give gap and slip as formulas");
}

Touch round_on_plane(const PlanarSide& round, const PlanarSide& plane, const MotionSymbols& motion) {
  Touch touch;
  touch.normal = plane.outward;
  const Expression distance = dot(plane.outward, round.centre - plane.centre);
  touch.gap = distance - round.radius;
  touch.on_first = round.centre - motion.number(round.radius) * plane.outward;
  touch.on_second = touch.on_first - touch.gap * plane.outward;
  return touch;
}

Touch round_on_round(const PlanarSide& first, const PlanarSide& second, const MotionSymbols& motion) {
  Touch touch;
  const PlanarVector d = first.centre - second.centre;
  const Expression length = sqrt(dot(d, d));
  touch.normal = (1.0 / length) * d;
  touch.gap = length - (first.radius + second.radius);
  touch.on_first = first.centre - motion.number(first.radius) * touch.normal;
  touch.on_second = second.centre + motion.number(second.radius) * touch.normal;
  return touch;
}

Touch touch_of(const Model& model, const Contact& contact, const PlanarSide& first, const PlanarSide& second,
               const MotionSymbols& motion) {
  if (first.is_half_plane && second.is_half_plane)
    throw ModelError("contact " + contact.name + ": two half-planes have no distance",
                     model.where(contact.place),
                     "let one of the bodies be a disk, a point or a box");
  if (second.is_half_plane) return round_on_plane(first, second, motion);
  if (first.is_half_plane) {
    Touch touch = round_on_plane(second, first, motion);
    std::swap(touch.on_first, touch.on_second);
    touch.normal = motion.number(-1.0) * touch.normal;
    return touch;
  }
  if (first.radius + second.radius <= 0.0)
    throw ModelError("contact " + contact.name + ": two points never touch",
                     model.where(contact.place),
                     "give one of the bodies a disk or a half-plane as its shape");
  return round_on_round(first, second, motion);
}

void geometric(const Model& model, const Contact& contact, const MotionSymbols& motion,
               ContactFormulas& f) {
  if (model.dimension != 2)
    throw ModelError(
        "contact " + contact.name + ": bodies placed by formulas have no shapes in space",
        model.where(contact.place), "give gap and slip as formulas");
  const PlanarSide first = planar_side(model, contact, contact.first),
             second = planar_side(model, contact, contact.second);
  const Touch touch = touch_of(model, contact, first, second, motion);
  f.gap = touch.gap;
  const PlanarVector tangent{touch.normal[1], -touch.normal[0]};
  const PlanarVector relative = material_velocity(*first.body, touch.on_first, motion) -
                                material_velocity(*second.body, touch.on_second, motion);
  f.slip = {dot(tangent, relative)};
}

}  // namespace

ContactFormulas contact_formulas(const Model& model, const Contact& contact,
                                 const MotionSymbols& motion) {
  const int n = motion.speeds();
  const std::size_t tangents = static_cast<std::size_t>(model.dimension - 1);
  ContactFormulas f;
  if (contact.is_formula) {
    f.gap = contact.gap;
    f.slip = contact.slip;
  } else {
    geometric(model, contact, motion, f);
  }
  f.slip.resize(tangents, motion.zero());
  for (std::size_t a = 0; a < tangents && a < contact.surface_velocity.size(); ++a)
    f.slip[a] = f.slip[a] - contact.surface_velocity[a];

  f.gap_rate = motion.rate(f.gap);
  f.gap_bias = contact.gap_bias.is_valid() ? contact.gap_bias : motion.rate(f.gap_rate);
  f.normal_row = contact.normal_row;
  if (f.normal_row.empty())
    for (int j = 0; j < n; ++j) f.normal_row.push_back(motion.speed_derivative(f.gap_rate, j));
  f.tangent_rows = contact.tangent_rows;
  if (f.tangent_rows.empty())
    for (const Expression& slip : f.slip) {
      auto& row = f.tangent_rows.emplace_back();
      for (int j = 0; j < n; ++j) row.push_back(motion.speed_derivative(slip, j));
    }
  f.slip_bias = contact.slip_bias;
  if (f.slip_bias.empty())
    for (const Expression& slip : f.slip) f.slip_bias.push_back(motion.rate(slip));
  return f;
}

}  // namespace clack
