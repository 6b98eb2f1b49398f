// SPDX-License-Identifier: Apache-2.0
// The stories in Bullet, with its sequential impulse solver as it comes.
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "stories.hpp"

using namespace stories;

namespace {

class World {
 public:
  explicit World(double gravity) {
    world_.setGravity(btVector3(0, 0, static_cast<float>(-gravity)));
  }
  btRigidBody* add(btCollisionShape* shape, double mass, const btTransform& at, double friction,
                   double restitution, bool turns = true) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0 && turns) shape->calculateLocalInertia(static_cast<float>(mass), inertia);
    motions_.push_back(std::make_unique<btDefaultMotionState>(at));
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<float>(mass), motions_.back().get(),
                                                  shape, inertia);
    info.m_friction = static_cast<float>(friction);
    info.m_restitution = static_cast<float>(restitution);
    shapes_.emplace_back(shape);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }
  void floor(double friction, double restitution, double slope = 0.0) {
    btTransform at = btTransform::getIdentity();
    at.setRotation(btQuaternion(btVector3(0, 1, 0), static_cast<float>(slope)));
    add(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, at, friction, restitution);
  }
  void step(double dt) { world_.stepSimulation(static_cast<float>(dt), 0); }
  btDiscreteDynamicsWorld& get() { return world_; }
  ~World() {
    for (auto& joint : joints) world_.removeConstraint(joint.get());
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  std::vector<std::unique_ptr<btTypedConstraint>> joints;

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btDefaultMotionState>> motions_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

btTransform at(double x, double y, double z, double angle = 0.0) {
  btTransform pose = btTransform::getIdentity();
  pose.setOrigin(btVector3(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
  pose.setRotation(btQuaternion(btVector3(0, 1, 0), static_cast<float>(angle)));
  return pose;
}
btBoxShape* box(double x, double y, double z) {
  return new btBoxShape(
      btVector3(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)));
}

void ball(double dt) {
  const Ball s;
  World world(g);
  world.floor(0, 1);  // restitutions are multiplied
  btRigidBody* ball = world.add(new btSphereShape(static_cast<float>(s.radius)), 1,
                                at(0, 0, s.height + s.radius), 0, s.restitution);
  Bounces seen;
  for (double t = 0; t < 10; t += dt) {
    world.step(dt);
    seen.see(t + dt, ball->getCenterOfMassPosition().z() - s.radius, ball->getLinearVelocity().z());
  }
  std::printf("ball apex %.4f rest %.3f\n", seen.apex, seen.rest);
}

void cradle(double dt, double apart) {
  const Cradle s;
  World world(0);
  btRigidBody* balls[3];
  for (int k = 0; k < 3; ++k)
    balls[k] = world.add(new btSphereShape(static_cast<float>(s.radius)), 1,
                         at(s.place(k, apart), 0, 0), 0, 1);
  balls[0]->setLinearVelocity(btVector3(static_cast<float>(s.speed), 0, 0));
  for (double t = 0; t < 1; t += dt) world.step(dt);
  std::printf("cradle apart %.0e speeds %.3f %.3f %.3f\n", apart, balls[0]->getLinearVelocity().x(),
              balls[1]->getLinearVelocity().x(), balls[2]->getLinearVelocity().x());
}

void directions(double dt) {
  const Slide s;
  Spread spread;
  for (int k = 0; k < s.directions; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / s.directions;
    World world(g);
    world.floor(1, 0);  // frictions are multiplied
    btRigidBody* block =
        world.add(box(s.half, s.half, s.half), 1, at(0, 0, s.half), s.friction, 0, false);
    for (int settle = 0; settle < 100; ++settle) world.step(dt);
    const btVector3 from = block->getCenterOfMassPosition();
    block->setLinearVelocity(btVector3(static_cast<float>(s.speed * std::cos(angle)),
                                       static_cast<float>(s.speed * std::sin(angle)), 0));
    for (double t = 0; t < 2; t += dt) world.step(dt);
    const btVector3 way = block->getCenterOfMassPosition() - from;
    spread.see(angle, way.x(), way.y());
  }
  std::printf("directions least %.4f most %.4f turn %.2f\n", spread.least, spread.most,
              spread.turn);
}

void creep(double dt) {
  const Creep s;
  World world(g);
  world.floor(1, 0, s.slope());
  btRigidBody* block = world.add(
      box(s.half, s.half, s.half), 1,
      at(s.half * std::sin(s.slope()), 0, s.half * std::cos(s.slope()), s.slope()), s.friction, 0);
  for (double t = 0; t < 1; t += dt) world.step(dt);
  const btVector3 from = block->getCenterOfMassPosition();
  for (double t = 0; t < s.seconds; t += dt) world.step(dt);
  std::printf("creep %.3e\n",
              static_cast<double>((block->getCenterOfMassPosition() - from).length()));
}

void rod(double dt) {
  const Rod s;
  World world(g);
  world.floor(1, 0);
  const double thin = 0.05;  // Bullet's margin is 0.04
  btRigidBody* rod =
      world.add(box(0.5 * s.length, thin, thin), s.mass,
                at(0, 0, 0.5 * s.length * std::sin(s.angle) + thin * std::cos(s.angle), s.angle),
                s.friction, 0);
  rod->setLinearVelocity(btVector3(static_cast<float>(s.speed), 0, 0));
  for (int k = 0; k < 2; ++k) world.step(dt);
  std::printf("rod slip %.3f\n",
              s.slip(rod->getLinearVelocity().x(), -rod->getAngularVelocity().y()));
}

void pendulum(double dt) {
  const Pendulum s;
  World world(g);
  btRigidBody* rods[2];
  double x = 0, z = 0;
  const double thin = 0.01;
  for (int k = 0; k < 2; ++k) {
    const double a = k == 0 ? s.first : s.second, dx = 0.5 * s.length * std::sin(a),
                 dz = -0.5 * s.length * std::cos(a);
    rods[k] = world.add(box(thin, thin, 0.5 * s.length), s.mass, at(x + dx, 0, z + dz), 0, 0);
    const auto inertia = static_cast<float>(s.inertia());
    rods[k]->setMassProps(static_cast<float>(s.mass), btVector3(inertia, inertia, inertia));
    rods[k]->setDamping(0, 0);
    rods[k]->setCollisionFlags(rods[k]->getCollisionFlags() |
                               btCollisionObject::CF_NO_CONTACT_RESPONSE);
    const auto fx = static_cast<float>(dx), fz = static_cast<float>(dz);
    const btVector3 upper(-fx, 0, -fz), axis(0, 1, 0);
    if (k == 0)
      world.joints.push_back(std::make_unique<btHingeConstraint>(*rods[0], upper, axis));
    else
      world.joints.push_back(std::make_unique<btHingeConstraint>(
          *rods[0], *rods[1],
          btVector3(static_cast<float>(0.5 * s.length * std::sin(s.first)), 0,
                    static_cast<float>(-0.5 * s.length * std::cos(s.first))),
          upper, axis, axis));
    world.get().addConstraint(world.joints.back().get(), true);
    x += 2 * dx;
    z += 2 * dz;
  }
  for (double t = 0; t < s.seconds; t += dt) world.step(dt);
  double energy = 0.0;
  for (const btRigidBody* rod : rods)
    energy += s.energy(rod->getCenterOfMassPosition().z(), rod->getLinearVelocity().x(),
                       rod->getLinearVelocity().z(), rod->getAngularVelocity().y());
  std::printf("pendulum %.3e\n", (energy - s.start()) / s.largest_kinetic());
}

}  // namespace

int main(int argc, char** argv) {
  const double dt = step_of(argc, argv);
  ball(dt);
  for (const double apart : {0.0, 1e-6}) cradle(dt, apart);
  directions(dt);
  creep(dt);
  rod(dt);
  pendulum(dt);
}
