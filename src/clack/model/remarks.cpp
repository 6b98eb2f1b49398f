// SPDX-License-Identifier: Apache-2.0
#include <numbers>
#include <set>

#include "clack/geometry/polyhedron.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/symbolic/program.hpp"

// What is allowed in a model and seldom meant: sentences for `clack check` and the notes of a run.

namespace clack {
namespace {

/// Bodies of contacts between bodies, the smaller index first, and who has any.
struct Touches {
  std::set<std::pair<int, int>> pairs;
  std::vector<bool> has_contact;
  bool has_formulas = false;  // contacts given by formulas: shapes are there to be looked at

  explicit Touches(const Model& model) : has_contact(model.bodies.size(), false) {
    for (const Contact& contact : model.contacts) {
      const Between* between = contact.between();
      if (!between) {
        has_formulas = true;
        continue;
      }
      const int first = between->first.body.value, second = between->second.body.value;
      pairs.insert(std::minmax(first, second));
      has_contact[first] = has_contact[second] = true;
    }
  }
};

/// Position and angle of every body at the start, by one program: four numbers each.
std::vector<double> places_at_start(const Model& model) {
  std::vector<Expression> inputs{model.time}, outputs;
  std::vector<double> start{0.0};
  for (const Coordinate& coordinate : model.coordinates) {
    inputs.push_back(coordinate.symbol);
    start.push_back(coordinate.start);
  }
  add_input_symbols(model, inputs, start);
  std::vector<std::size_t> slots;
  std::size_t slot = 0;
  const auto add = [&](const Expression& formula) {
    if (formula.is_valid()) {
      outputs.push_back(formula);
      slots.push_back(slot);
    }
    ++slot;
  };
  for (const Body& body : model.bodies) {
    for (const Expression& x : body.position) add(x);
    add(body.angle);
  }
  std::vector<double> found(outputs.size()), values(slot, 0.0);
  symbolic::Program(inputs, outputs, symbolic::Backend::tape)(start.data(), found.data());
  for (std::size_t i = 0; i < found.size(); ++i) values[slots[i]] = found[i];
  return values;
}

/// Radius of a ball around the body's origin that is inside its shape; 0 for half-spaces, which have none.
double inner_radius(const Shape& shape, int dimension) {
  return std::visit(
      ShapeCases{[](const Ball& ball) { return ball.radius; }, [](const HalfSpace&) { return 0.0; },
                 [&](const Box& box) { return box.half_extents.head(dimension).minCoeff(); },
                 [](const SmoothShape& smooth) { return smooth.body->inner_radius(); },
                 [](const Solid& solid) { return solid.body->inner_radius; },
                 [](const Outline& outline) {
                   const Eigen::Vector2d origin = Eigen::Vector2d::Zero();
                   return contains(outline, origin) ? boundary_distance(outline, origin) : 0.0;
                 }},
      shape);
}

struct InnerBall {
  int body = 0;
  Eigen::Vector3d centre;
  double radius = 0.0;
};

/// Bodies whose inner balls overlap, the smaller index first, ascending. Sorted along x, so that bodies apart cost nothing.
std::set<std::pair<int, int>> overlapping(const Model& model, const std::vector<double>& places) {
  std::vector<InnerBall> balls;
  double largest = 0.0;
  for (const BodyIndex index : indices(model.bodies)) {
    const std::size_t b = index.value;
    const Body& body = model.bodies[index];
    const double radius = body.shape ? inner_radius(*body.shape, model.dimension) : 0.0;
    if (!(radius > 0.0)) continue;
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (int axis = 0; axis < model.dimension; ++axis) centre[axis] = places[4 * b + axis];
    balls.push_back({static_cast<int>(b), centre, radius});
    largest = std::max(largest, radius);
  }
  std::ranges::sort(balls, {}, [](const InnerBall& ball) { return ball.centre.x(); });
  std::set<std::pair<int, int>> found;
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1;
         j < balls.size() && balls[j].centre.x() - balls[i].centre.x() < balls[i].radius + largest;
         ++j)
      if ((balls[i].centre - balls[j].centre).norm() < balls[i].radius + balls[j].radius)
        found.insert(std::minmax(balls[i].body, balls[j].body));
  return found;
}

}  // namespace

void add_remarks(Reading& reading, const yaml::Node& root) {
  Model& model = reading.model;
  constexpr std::size_t most = 20;  // sentences; a model that repeats a mistake repeats it often
  const auto remark = [&](const std::string& sentence) {
    if (model.notes.size() < most) model.notes.push_back(sentence);
  };
  if (model.bodies.empty()) return;
  const bool is_free = std::ranges::any_of(
      model.bodies, [](const Body& body) { return body.kind == BodyKind::free; });
  if (is_free && !model.contacts.empty() && !root.find("gravity"))
    remark(
        "there is no gravity (the model does not give it); gravity: [0, 0] says that this is "
        "meant");
  const Touches touches(model);
  const std::vector<double> places = places_at_start(model);
  for (const BodyIndex index : indices(model.bodies)) {
    const std::size_t b = index.value;
    const Body& body = model.bodies[index];
    const double angle = places[4 * b + 3];
    if (model.dimension == 2 && body.kind != BodyKind::moving &&
        std::abs(angle) > 2.0 * std::numbers::pi)
      remark(fmt::format("body {}: its angle {:.6g} rad is more than a turn; angles are in rad",
                         body.name, angle));
    if (body.shape && !touches.has_formulas && !touches.has_contact[b])
      remark(fmt::format("body {} has a shape but no contact: nothing touches it", body.name));
  }
  if (touches.has_formulas) return;
  for (const std::pair<int, int>& pair : overlapping(model, places))
    if (!touches.pairs.contains(pair))
      remark(fmt::format("bodies {} and {} overlap at the start and have no contact",
                         model.bodies[BodyIndex(pair.first)].name,
                         model.bodies[BodyIndex(pair.second)].name));
}

}  // namespace clack
