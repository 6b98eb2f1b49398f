// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Dense>
#include <optional>
#include <string>
#include <vector>

namespace clack::robot {

/// Where a frame stands in another one: x = rotation x' + position.
struct Pose {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Pose operator*(const Pose& inner) const {
    return {rotation * inner.rotation, rotation * inner.position + position};
  }
  Eigen::Vector3d operator*(const Eigen::Vector3d& point) const {
    return rotation * point + position;
  }
};

enum class GeometryKind { sphere, box, capsule, plane };

/// What may touch the ground. Size: radius; half extents; radius and half length (along z); plane: none.
struct Geometry {
  std::string name;
  GeometryKind kind = GeometryKind::sphere;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Pose at;  // in the frame of its link
};

struct Link {
  std::string name;
  double mass = 0.0;                                  // kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   // of mass, in the frame of the link
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // kg m2, about the centre, axes of the link
  std::vector<Geometry> geometries;
  bool is_ground = false;
  bool is_between = false;  // without mass, between two joints of one body
};

/// Two rigid parts as one: mass, centre, inertia by Steiner's rule; all in the frame of the link.
void add_mass(Link& link, double mass, const Eigen::Vector3d& centre,
              const Eigen::Matrix3d& inertia);

enum class JointKind { fixed, hinge, slide, ball, floating, planar };

struct Joint {
  std::string name;
  JointKind kind = JointKind::fixed;
  int parent = 0, child = 0;  // links
  Pose origin;                // of the child's frame in the parent's, where the joint is at zero
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  // in the child's frame
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();   // in the child's frame
  std::optional<std::pair<double, double>> limits;   // rad or m
  double damping = 0.0, stiffness = 0.0, rest = 0.0;
  double friction = 0.0;  // dry, N or N m
};

/// A joint that follows another one: its position is `ratio` times that one's.
struct Follower {
  std::string joint, leader;
  double ratio = 1.0;
};

/// A tree of rigid bodies as robotics formats describe it, and what of the file is not in it.
struct Robot {
  std::string name;
  std::vector<Link> links;  // parents before their children
  std::vector<Joint> joints;
  std::vector<Follower> followers;
  Eigen::Vector3d gravity{0.0, 0.0, -9.81};
  std::vector<std::string> notes;    // what became of things, one sentence each
  std::vector<std::string> dropped;  // what has no counterpart, by name
};

/// Throw InputError for text that is no robot of this format. `file` is named in messages.
Robot read_urdf(const std::string& text, const std::string& file);
Robot read_mjcf(const std::string& text, const std::string& file);

struct ModelOptions {
  bool has_ground =
      false;  // a floor at z = 0 that geometries touch; a plane of the file brings one as well
  double friction = 0.5;  // at the floor
  double height = 0.0;    // m, that the root is lifted
  bool is_fixed = false;  // the root is part of the ground
};

/// The robot as a model file. Every moving link is a free body whose axes are parallel to the world's where all joints are at
/// zero, so that angles and positions of joints are those of the robot; joints are constraints of the same name. Links that fixed
/// joints hold together are one body; a root without mass is the ground. Adds to notes and dropped.
std::string model_text(Robot& robot, const ModelOptions& options, const std::string& file);

}  // namespace clack::robot
