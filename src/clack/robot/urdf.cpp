// SPDX-License-Identifier: Apache-2.0
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <console_bridge/console.h>

#include <map>

#include "clack/error.hpp"
#include "clack/robot/robot.hpp"

namespace clack::robot {
namespace {

/// What the parser complains about while it reads.
class Complaints : public console_bridge::OutputHandler {
 public:
  Complaints() { console_bridge::useOutputHandler(this); }
  ~Complaints() override { console_bridge::restorePreviousOutputHandler(); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_WARN) lines.push_back(text);
  }
  std::vector<std::string> lines;
};

Pose pose_of(const urdf::Pose& pose) {
  const urdf::Rotation& r = pose.rotation;
  return {Eigen::Quaterniond(r.w, r.x, r.y, r.z).normalized().toRotationMatrix(),
          {pose.position.x, pose.position.y, pose.position.z}};
}

void add_geometry(const urdf::Collision& collision, Link& link, Robot& robot) {
  const std::string name = collision.name.empty()
                               ? fmt::format("collision{}", link.geometries.size() + 1)
                               : collision.name;
  const Pose at = pose_of(collision.origin);
  if (const auto* sphere = dynamic_cast<const urdf::Sphere*>(collision.geometry.get())) {
    link.geometries.push_back({name, GeometryKind::sphere, {sphere->radius, 0, 0}, at});
  } else if (const auto* box = dynamic_cast<const urdf::Box*>(collision.geometry.get())) {
    link.geometries.push_back(
        {name, GeometryKind::box, 0.5 * Eigen::Vector3d(box->dim.x, box->dim.y, box->dim.z), at});
  } else {
    const bool is_mesh = dynamic_cast<const urdf::Mesh*>(collision.geometry.get()) != nullptr;
    robot.dropped.push_back(fmt::format("collision {} of link {}: {}", name, link.name,
                                        is_mesh ? "a mesh" : "a cylinder"));
  }
}

Link link_of(const urdf::Link& given, bool is_root, Robot& robot) {
  Link link;
  link.name = given.name;
  if (given.inertial) {
    const urdf::Inertial& i = *given.inertial;
    const Pose at = pose_of(i.origin);
    Eigen::Matrix3d inertia;
    inertia << i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz;
    link.mass = i.mass;
    link.centre = at.position;
    link.inertia = at.rotation * inertia * at.rotation.transpose();
  }
  link.is_ground = is_root && link.mass == 0.0;
  for (const auto& collision : given.collision_array) add_geometry(*collision, link, robot);
  if (!given.visual_array.empty()) robot.dropped.push_back("visual of link " + given.name);
  return link;
}

JointKind kind_of(const urdf::Joint& joint, const std::string& file) {
  switch (joint.type) {
    case urdf::Joint::REVOLUTE:
    case urdf::Joint::CONTINUOUS:
      return JointKind::hinge;
    case urdf::Joint::PRISMATIC:
      return JointKind::slide;
    case urdf::Joint::FLOATING:
      return JointKind::floating;
    case urdf::Joint::PLANAR:
      return JointKind::planar;
    case urdf::Joint::FIXED:
      return JointKind::fixed;
    default:
      throw InputError("joint " + joint.name + " has an unknown type", file,
                       "known are revolute, continuous, prismatic, fixed, floating, planar");
  }
}

void add_joint(const urdf::Joint& given, int parent, int child, Robot& robot,
               const std::string& file) {
  Joint joint;
  joint.name = given.name;
  joint.kind = kind_of(given, file);
  joint.parent = parent;
  joint.child = child;
  joint.origin = pose_of(given.parent_to_joint_origin_transform);
  joint.axis = {given.axis.x, given.axis.y, given.axis.z};
  const bool has_range =
      given.type == urdf::Joint::REVOLUTE || given.type == urdf::Joint::PRISMATIC;
  if (given.limits && has_range) joint.limits = {given.limits->lower, given.limits->upper};
  if (given.limits && (given.limits->effort > 0.0 || given.limits->velocity > 0.0))
    robot.dropped.push_back("limits of effort and velocity of joint " + given.name);
  if (given.dynamics) {
    joint.damping = given.dynamics->damping;
    joint.friction = given.dynamics->friction;
  }
  if (given.safety) robot.dropped.push_back("safety controller of joint " + given.name);
  if (given.calibration) robot.dropped.push_back("calibration of joint " + given.name);
  if (given.mimic) {
    robot.followers.push_back({given.name, given.mimic->joint_name, given.mimic->multiplier});
    if (given.mimic->offset != 0.0)
      robot.dropped.push_back("offset of the mimic of joint " + given.name);
  }
  robot.joints.push_back(joint);
}

void add_tree(const urdf::Link& link, int index, Robot& robot, const std::string& file) {
  for (const auto& joint : link.child_joints) {
    const urdf::Link* child = nullptr;
    for (const auto& candidate : link.child_links)
      if (candidate->name == joint->child_link_name) child = candidate.get();
    if (child == nullptr) continue;
    const int number = static_cast<int>(robot.links.size());
    robot.links.push_back(link_of(*child, false, robot));
    add_joint(*joint, index, number, robot, file);
    add_tree(*child, number, robot, file);
  }
}

}  // namespace

Robot read_urdf(const std::string& text, const std::string& file) {
  Complaints complaints;
  const urdf::ModelInterfaceSharedPtr given = urdf::parseURDF(text);
  if (!given || !given->getRoot())
    throw InputError("this is no URDF: " + (complaints.lines.empty() ? "it has no root link"
                                                                     : complaints.lines.front()),
                     file, "check_urdf of liburdfdom-tools says more");
  Robot robot;
  robot.name = given->getName();
  robot.links.push_back(link_of(*given->getRoot(), true, robot));
  add_tree(*given->getRoot(), 0, robot, file);
  for (const std::string& line : complaints.lines)
    robot.notes.push_back("the reader of URDF says: " + line);
  for (const char* tag : {"<transmission", "<gazebo", "<sensor", "<ros2_control"})
    if (text.find(tag) != std::string::npos)
      robot.dropped.push_back(std::string(tag + 1) + " elements");
  return robot;
}

}  // namespace clack::robot
