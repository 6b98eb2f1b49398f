// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>
#include <numbers>

#include "clack/model/section_readers.hpp"

// What is allowed in a model and seldom meant: sentences for `clack check` and the notes of a run.

namespace clack {
namespace {

bool is_between(const Model& model, BodyIndex a, BodyIndex b) {
  return std::ranges::any_of(model.contacts, [&](const Contact& contact) {
    const Between* between = contact.between();
    if (!between) return false;
    const BodyIndex first = between->first.body, second = between->second.body;
    return (first == a && second == b) || (first == b && second == a);
  });
}

bool has_contact(const Model& model, BodyIndex body) {
  return std::ranges::any_of(model.contacts, [&](const Contact& contact) {
    const Between* between = contact.between();
    return between && (between->first.body == body || between->second.body == body);
  });
}

/// Radius of a ball around the body's origin that is inside its shape; none for half-spaces.
std::optional<double> inner_radius(const Shape& shape, int dimension) {
  using Radius = std::optional<double>;
  return std::visit(ShapeCases{[](const Ball& ball) -> Radius { return ball.radius; },
                               [](const HalfSpace&) -> Radius { return std::nullopt; },
                               [&](const Box& box) -> Radius {
                                 return box.half_extents.head(dimension).minCoeff();
                               },
                               [](const Ellipsoid& e) -> Radius { return e.semi_axes.minCoeff(); }},
                    shape);
}

Eigen::Vector3d place_at_start(const Reading& reading, const Body& body) {
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  for (int axis = 0; axis < reading.model.dimension; ++axis)
    place[axis] = reading.at_start(body.position[axis]);
  return place;
}

/// Two shapes are surely inside one another: balls within them overlap.
bool overlap(const Reading& reading, const Body& a, const Body& b) {
  const int dimension = reading.model.dimension;
  const std::optional<double> first = inner_radius(*a.shape, dimension),
                              second = inner_radius(*b.shape, dimension);
  return first && second &&
         (place_at_start(reading, a) - place_at_start(reading, b)).norm() < *first + *second;
}

}  // namespace

void add_remarks(Reading& reading, const yaml::Node& root) {
  Model& model = reading.model;
  const auto remark = [&](const std::string& sentence) { model.notes.push_back(sentence); };
  const bool is_free = std::ranges::any_of(
      model.bodies, [](const Body& body) { return body.kind == BodyKind::free; });
  if (is_free && !model.contacts.empty() && !root.find("gravity"))
    remark(
        "there is no gravity (the model does not give it); gravity: [0, 0] says that this is "
        "meant");
  const bool has_formula_contacts = std::ranges::any_of(
      model.contacts, [](const Contact& contact) { return !contact.between(); });
  for (const BodyIndex b : indices(model.bodies)) {
    const Body& body = model.bodies[b];
    if (model.dimension == 2 && body.kind != BodyKind::moving &&
        std::abs(reading.at_start(body.angle)) > 2.0 * std::numbers::pi)
      remark(fmt::format("body {}: its angle {:.6g} rad is more than a turn; angles are in rad",
                         body.name, reading.at_start(body.angle)));
    if (body.shape && !has_formula_contacts && !has_contact(model, b))
      remark(fmt::format("body {} has a shape but no contact: nothing touches it", body.name));
    for (BodyIndex other(0); body.shape && other < b; ++other)
      if (model.bodies[other].shape && !is_between(model, b, other) && !has_formula_contacts &&
          overlap(reading, body, model.bodies[other]))
        remark(fmt::format("bodies {} and {} overlap at the start and have no contact",
                           model.bodies[other].name, body.name));
  }
}

}  // namespace clack
