// SPDX-License-Identifier: Apache-2.0
// The stories in ODE, with its big-matrix step and its default error reduction.
#include <ode/ode.h>

#include "stories.hpp"

using namespace stories;

namespace {

struct World {
  dWorldID world = dWorldCreate();
  dSpaceID space = dSimpleSpaceCreate(nullptr);
  dJointGroupID contacts = dJointGroupCreate(0);
  double friction = 0.0, restitution = 0.0;
  explicit World(double gravity) { dWorldSetGravity(world, 0, 0, static_cast<dReal>(-gravity)); }
  ~World() {
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
  }
  World(const World&) = delete;
  dBodyID body(dGeomID geom, double mass, double x, double y, double z, bool turns = true) const {
    dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetZero(&m);
    if (geom != nullptr && dGeomGetClass(geom) == dBoxClass) {
      dVector3 sides;
      dGeomBoxGetLengths(geom, sides);
      dMassSetBoxTotal(&m, static_cast<dReal>(mass), sides[0], sides[1], sides[2]);
    } else {
      dMassSetSphereTotal(&m, static_cast<dReal>(mass), 0.1F);
    }
    if (!turns) dMassSetParameters(&m, m.mass, 0, 0, 0, 1e9F, 1e9F, 1e9F, 0, 0, 0);
    dBodySetMass(body, &m);
    if (geom != nullptr) dGeomSetBody(geom, body);
    dBodySetPosition(body, static_cast<dReal>(x), static_cast<dReal>(y), static_cast<dReal>(z));
    return body;
  }
  static void collide(void* data, dGeomID a, dGeomID b) {
    auto& self = *static_cast<World*>(data);
    dContact contact[8];
    const int n = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int k = 0; k < n; ++k) {
      contact[k].surface = {};
      contact[k].surface.mode = dContactBounce | dContactApprox1;
      contact[k].surface.mu = static_cast<dReal>(self.friction);
      contact[k].surface.bounce = static_cast<dReal>(self.restitution);
      contact[k].surface.bounce_vel = 0;
      dJointAttach(dJointCreateContact(self.world, self.contacts, &contact[k]), dGeomGetBody(a),
                   dGeomGetBody(b));
    }
  }
  void step(double dt) {
    dSpaceCollide(space, this, &collide);
    dWorldStep(world, static_cast<dReal>(dt));
    dJointGroupEmpty(contacts);
  }
};

void turn(dBodyID body, double angle) {
  dMatrix3 r;
  dRFromAxisAndAngle(r, 0, 1, 0, static_cast<dReal>(angle));
  dBodySetRotation(body, r);
}
dReal f(double x) { return static_cast<dReal>(x); }

void ball(double dt) {
  const Ball s;
  World w(g);
  w.restitution = s.restitution;
  dCreatePlane(w.space, 0, 0, 1, 0);
  dBodyID ball = w.body(dCreateSphere(w.space, f(s.radius)), 1, 0, 0, s.height + s.radius);
  Bounces seen;
  for (double t = 0; t < 10; t += dt) {
    w.step(dt);
    seen.see(t + dt, dBodyGetPosition(ball)[2] - s.radius, dBodyGetLinearVel(ball)[2]);
  }
  std::printf("ball apex %.4f rest %.3f\n", seen.apex, seen.rest);
}

void cradle(double dt, double apart) {
  const Cradle s;
  World w(0);
  w.restitution = 1.0;
  dBodyID balls[3];
  for (int k = 0; k < 3; ++k)
    balls[k] = w.body(dCreateSphere(w.space, f(s.radius)), 1, s.place(k, apart), 0, 0);
  dBodySetLinearVel(balls[0], f(s.speed), 0, 0);
  for (double t = 0; t < 1; t += dt) w.step(dt);
  std::printf("cradle apart %.0e speeds %.3f %.3f %.3f\n", apart,
              double(dBodyGetLinearVel(balls[0])[0]), double(dBodyGetLinearVel(balls[1])[0]),
              double(dBodyGetLinearVel(balls[2])[0]));
}

void directions(double dt) {
  const Slide s;
  Spread spread;
  for (int k = 0; k < s.directions; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / s.directions;
    World w(g);
    w.friction = s.friction;
    dCreatePlane(w.space, 0, 0, 1, 0);
    dBodyID block = w.body(dCreateBox(w.space, f(2 * s.half), f(2 * s.half), f(2 * s.half)), 1, 0,
                           0, s.half, false);
    for (int settle = 0; settle < 100; ++settle) w.step(dt);
    const double x = dBodyGetPosition(block)[0], y = dBodyGetPosition(block)[1];
    dBodySetLinearVel(block, f(s.speed * std::cos(angle)), f(s.speed * std::sin(angle)), 0);
    for (double t = 0; t < 2; t += dt) w.step(dt);
    spread.see(angle, dBodyGetPosition(block)[0] - x, dBodyGetPosition(block)[1] - y);
  }
  std::printf("directions least %.4f most %.4f turn %.2f\n", spread.least, spread.most,
              spread.turn);
}

void creep(double dt) {
  const Creep s;
  World w(g);
  w.friction = s.friction;
  dCreatePlane(w.space, f(std::sin(s.slope())), 0, f(std::cos(s.slope())), 0);
  dBodyID block = w.body(dCreateBox(w.space, f(2 * s.half), f(2 * s.half), f(2 * s.half)), 1,
                         s.half * std::sin(s.slope()), 0, s.half * std::cos(s.slope()));
  turn(block, s.slope());
  for (double t = 0; t < 1; t += dt) w.step(dt);
  const double x = dBodyGetPosition(block)[0], z = dBodyGetPosition(block)[2];
  for (double t = 0; t < s.seconds; t += dt) w.step(dt);
  std::printf("creep %.3e\n",
              std::hypot(dBodyGetPosition(block)[0] - x, dBodyGetPosition(block)[2] - z));
}

void rod(double dt) {
  const Rod s;
  World w(g);
  w.friction = s.friction;
  dCreatePlane(w.space, 0, 0, 1, 0);
  const double thin = 0.01;
  dBodyID rod = w.body(dCreateBox(w.space, f(s.length), f(2 * thin), f(2 * thin)), s.mass, 0, 0,
                       0.5 * s.length * std::sin(s.angle) + thin * std::cos(s.angle));
  turn(rod, s.angle);
  dBodySetLinearVel(rod, f(s.speed), 0, 0);
  for (int k = 0; k < 2; ++k) w.step(dt);
  std::printf("rod slip %.3f\n",
              s.slip(double(dBodyGetLinearVel(rod)[0]), -double(dBodyGetAngularVel(rod)[1])));
}

void pendulum(double dt) {
  const Pendulum s;
  World w(g);
  dBodyID rods[2], last = nullptr;
  double x = 0, z = 0;
  for (int k = 0; k < 2; ++k) {
    const double a = k == 0 ? s.first : s.second, dx = 0.5 * s.length * std::sin(a),
                 dz = -0.5 * s.length * std::cos(a);
    rods[k] = w.body(nullptr, s.mass, x + dx, 0, z + dz);
    dMass m;
    dMassSetParameters(&m, f(s.mass), 0, 0, 0, f(s.inertia()), f(s.inertia()), f(s.inertia()), 0, 0,
                       0);
    dBodySetMass(rods[k], &m);
    dJointID joint = dJointCreateHinge(w.world, nullptr);
    dJointAttach(joint, rods[k], last);
    dJointSetHingeAnchor(joint, f(x), 0, f(z));
    dJointSetHingeAxis(joint, 0, 1, 0);
    x += 2 * dx;
    z += 2 * dz;
    last = rods[k];
  }
  for (double t = 0; t < s.seconds; t += dt) w.step(dt);
  double energy = 0.0;
  for (dBodyID rod : rods)
    energy += s.energy(dBodyGetPosition(rod)[2], dBodyGetLinearVel(rod)[0],
                       dBodyGetLinearVel(rod)[2], dBodyGetAngularVel(rod)[1]);
  std::printf("pendulum %.3e\n", (energy - s.start()) / s.largest_kinetic());
}

}  // namespace

int main(int argc, char** argv) {
  const double dt = step_of(argc, argv);
  dInitODE();
  ball(dt);
  for (const double apart : {0.0, 1e-6}) cradle(dt, apart);
  directions(dt);
  creep(dt);
  rod(dt);
  pendulum(dt);
  dCloseODE();
}
