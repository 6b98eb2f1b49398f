// SPDX-License-Identifier: Apache-2.0
// The stories in Box2D, with 8 velocity and 3 position iterations, as its manual proposes.
#include <box2d/box2d.h>

#include "stories.hpp"

using namespace stories;

namespace {

constexpr int velocity_iterations = 8, position_iterations = 3;

b2Body* body(b2World& world, b2BodyType type, b2Vec2 at, float angle = 0.0F) {
  b2BodyDef def;
  def.type = type;
  def.position = at;
  def.angle = angle;
  def.allowSleep = false;
  return world.CreateBody(&def);
}
void fix(b2Body* body, const b2Shape& shape, double friction, double restitution, double mass) {
  b2FixtureDef def;
  def.shape = &shape;
  def.friction = static_cast<float>(friction);
  def.restitution = static_cast<float>(restitution);
  def.density = 1.0F;
  b2Fixture* fixture = body->CreateFixture(&def);
  if (mass > 0.0) {
    fixture->SetDensity(static_cast<float>(mass / body->GetMass()));
    body->ResetMassData();
  }
}
void floor_of(b2World& world, double friction, double restitution, double slope = 0.0) {
  b2EdgeShape edge;
  const auto c = static_cast<float>(100.0 * std::cos(slope)),
             s = static_cast<float>(100.0 * std::sin(slope));
  edge.SetTwoSided(b2Vec2(-c, s), b2Vec2(c, -s));
  fix(body(world, b2_staticBody, b2Vec2(0, 0)), edge, friction, restitution, 0.0);
}
void step(b2World& world, double dt) {
  world.Step(static_cast<float>(dt), velocity_iterations, position_iterations);
}

void ball(double dt) {
  const Ball s;
  b2World world(b2Vec2(0, static_cast<float>(-g)));
  floor_of(world, 0, 0);
  b2Body* ball = body(world, b2_dynamicBody, b2Vec2(0, static_cast<float>(s.height + s.radius)));
  b2CircleShape circle;
  circle.m_radius = static_cast<float>(s.radius);
  fix(ball, circle, 0, s.restitution, 1);
  Bounces seen;
  for (double t = 0; t < 10; t += dt) {
    step(world, dt);
    seen.see(t + dt, ball->GetPosition().y - s.radius, ball->GetLinearVelocity().y);
  }
  std::printf("ball apex %.4f rest %.3f\n", seen.apex, seen.rest);
}

void cradle(double dt, double apart) {
  const Cradle s;
  b2World world(b2Vec2(0, 0));
  b2Body* balls[3];
  b2CircleShape circle;
  circle.m_radius = static_cast<float>(s.radius);
  for (int k = 0; k < 3; ++k) {
    balls[k] = body(world, b2_dynamicBody, b2Vec2(static_cast<float>(s.place(k, apart)), 0));
    fix(balls[k], circle, 0, 1, 1);
  }
  balls[0]->SetLinearVelocity(b2Vec2(static_cast<float>(s.speed), 0));
  for (double t = 0; t < 1; t += dt) step(world, dt);
  std::printf("cradle apart %.0e speeds %.3f %.3f %.3f\n", apart, balls[0]->GetLinearVelocity().x,
              balls[1]->GetLinearVelocity().x, balls[2]->GetLinearVelocity().x);
}

void creep(double dt) {
  const Creep s;
  b2World world(b2Vec2(0, static_cast<float>(-g)));
  floor_of(world, s.friction, 0, s.slope());
  const double high = s.half + 0.01;  // with the skin of polygons
  b2Body* block = body(world, b2_dynamicBody,
                       b2Vec2(static_cast<float>(high * std::sin(s.slope())),
                              static_cast<float>(high * std::cos(s.slope()))),
                       static_cast<float>(-s.slope()));
  b2PolygonShape box;
  box.SetAsBox(static_cast<float>(s.half), static_cast<float>(s.half));
  fix(block, box, s.friction, 0, 1);
  for (double t = 0; t < 1; t += dt) step(world, dt);  // it settles
  const b2Vec2 from = block->GetPosition();
  for (double t = 0; t < s.seconds; t += dt) step(world, dt);
  std::printf("creep %.3e\n", static_cast<double>((block->GetPosition() - from).Length()));
}

void rod(double dt) {
  const Rod s;
  b2World world(b2Vec2(0, static_cast<float>(-g)));
  floor_of(world, s.friction, 0);
  const double thin = 0.01;
  b2Body* rod = body(world, b2_dynamicBody,
                     b2Vec2(0, static_cast<float>(0.5 * s.length * std::sin(s.angle) + thin)),
                     static_cast<float>(-s.angle));
  b2PolygonShape box;
  box.SetAsBox(static_cast<float>(0.5 * s.length), static_cast<float>(thin));
  fix(rod, box, s.friction, 0, s.mass);
  rod->SetLinearVelocity(b2Vec2(static_cast<float>(s.speed), 0));
  for (int k = 0; k < 2; ++k) step(world, dt);
  std::printf("rod slip %.3f\n", s.slip(rod->GetLinearVelocity().x, rod->GetAngularVelocity()));
}

void pendulum(double dt) {
  const Pendulum s;
  b2World world(b2Vec2(0, static_cast<float>(-g)));
  b2Body* last = body(world, b2_staticBody, b2Vec2(0, 0));
  b2Body* rods[2];
  b2Vec2 at(0, 0);
  for (int k = 0; k < 2; ++k) {
    const double a = k == 0 ? s.first : s.second;
    const b2Vec2 half(static_cast<float>(0.5 * s.length * std::sin(a)),
                      static_cast<float>(-0.5 * s.length * std::cos(a)));
    rods[k] = body(world, b2_dynamicBody, at + half);
    const b2MassData mass{static_cast<float>(s.mass), b2Vec2(0, 0),
                          static_cast<float>(s.inertia())};
    rods[k]->SetMassData(&mass);
    b2RevoluteJointDef joint;
    joint.Initialize(last, rods[k], at);
    world.CreateJoint(&joint);
    at += 2.0F * half;
    last = rods[k];
  }
  for (double t = 0; t < s.seconds; t += dt) step(world, dt);
  double energy = 0.0;
  for (const b2Body* rod : rods)
    energy += s.energy(rod->GetPosition().y, rod->GetLinearVelocity().x, rod->GetLinearVelocity().y,
                       rod->GetAngularVelocity());
  std::printf("pendulum %.3e\n", (energy - s.start()) / s.largest_kinetic());
}

}  // namespace

int main(int argc, char** argv) {
  const double dt = step_of(argc, argv);
  ball(dt);
  for (const double apart : {0.0, 1e-6}) cradle(dt, apart);
  creep(dt);
  rod(dt);
  pendulum(dt);
}
