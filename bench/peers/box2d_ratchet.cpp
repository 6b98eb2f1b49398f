// SPDX-License-Identifier: Apache-2.0
#include "box2d_ratchet.hpp"

#include <box2d/box2d.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace clack::bench {
namespace {

constexpr double cm = 100.0;  // per m
constexpr int velocity_iterations = 8, position_iterations = 3;

b2Vec2 point(double x, double y) {
  return b2Vec2(static_cast<float>(cm * x), static_cast<float>(cm * y));
}

b2Body* part(b2World& world, b2Vec2 at, double angle, double inertia, double spin,
             const std::vector<std::vector<b2Vec2>>& pieces) {
  b2BodyDef def;
  def.type = b2_dynamicBody;
  def.position = at;
  def.angle = static_cast<float>(angle);
  def.angularVelocity = static_cast<float>(spin);
  def.allowSleep = false;
  b2Body* const body = world.CreateBody(&def);
  for (const std::vector<b2Vec2>& piece : pieces) {
    b2PolygonShape shape;
    shape.Set(piece.data(), static_cast<int32>(piece.size()));
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.friction = 0.15F;
    fixture.density = 1.0F;
    body->CreateFixture(&fixture);
  }
  const b2MassData mass{1.0F, b2Vec2(0, 0), static_cast<float>(cm * cm * inertia)};
  body->SetMassData(&mass);
  b2BodyDef nothing;
  b2RevoluteJointDef pin;
  pin.Initialize(world.CreateBody(&nothing), body, at);
  world.CreateJoint(&pin);
  return body;
}

/// Twelve teeth, each with the middle of the wheel one convex piece.
std::vector<std::vector<b2Vec2>> wheel_pieces() {
  const auto root = [](int k) {
    const double a = (30.0 * k - 2.0) * std::numbers::pi / 180.0;
    return point(0.04 * std::cos(a), 0.04 * std::sin(a));
  };
  std::vector<std::vector<b2Vec2>> pieces;
  for (int k = 0; k < 12; ++k) {
    const double a = 30.0 * k * std::numbers::pi / 180.0;
    pieces.push_back(
        {point(0, 0), root(k), point(0.05 * std::cos(a), 0.05 * std::sin(a)), root(k + 1)});
  }
  return pieces;
}

std::vector<std::vector<b2Vec2>> pawl_pieces() {
  const b2Vec2 a = point(0.006, -0.006), b = point(0.006, 0.006), c = point(-0.056, 0.004),
               d = point(-0.060, -0.012), e = point(-0.050, -0.006);
  return {{a, b, c, e}, {c, d, e}};
}

class FirstImpulse : public b2ContactListener {
 public:
  void PostSolve(b2Contact*, const b2ContactImpulse* impulse) override {
    for (int32 k = 0; k < impulse->count; ++k) seen |= impulse->normalImpulses[k] > 0.0F;
  }
  bool seen = false;
};

}  // namespace

Box2dRatchet box2d_ratchet(double step, double until) {
  b2World world(b2Vec2(0, 0));
  FirstImpulse listener;
  world.SetContactListener(&listener);
  b2Body* const wheel = part(world, point(0, 0), 0.3, 2.0e-4, 2.0, wheel_pieces());
  b2Body* const pawl =
      part(world, point(0.06, 0.057), 0.012239168201888329, 1.2e-5, 0.0, pawl_pieces());
  Box2dRatchet result;
  for (int k = 0; k * step < until; ++k) {
    wheel->ApplyTorque(static_cast<float>(cm * cm * 0.01), true);
    pawl->ApplyTorque(static_cast<float>(cm * cm * 0.02 * (0.5 - pawl->GetAngle())), true);
    world.Step(static_cast<float>(step), velocity_iterations, position_iterations);
    if (listener.seen && result.first_impact == 0.0) result.first_impact = (k + 1) * step;
  }
  result.wheel_angle = wheel->GetAngle();
  return result;
}

}  // namespace clack::bench
