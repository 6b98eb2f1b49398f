// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <map>
#include <optional>
#include <string>

#include "clack/model/joint_rows.hpp"
#include "clack/model/section_readers.hpp"

namespace clack {

/// What others may ask of a joint.
struct JointMotion {
  std::optional<MovingScalar> angle, position;
};

/// `joints: {NAME: {KIND: [a.point, b.point], ...}}`. A joint becomes one constraint (joint_rows.hpp), its spring a spring
/// along its angle or position, its limits and friction contacts. All of it follows from where the bodies are at the start.
class JointsReader {
 public:
  explicit JointsReader(Reading& reading) : reading_(reading), model_(reading.model) {}

  void read(const yaml::Node& joints);

 private:
  static bool is_dependent(JointKind kind);

  void declare(const yaml::Entry& entry);

  void make(const yaml::Entry& entry, Joint& joint, Constraint& constraint);

  /// fx, fy(, fz) and, in space or where a row has one, the moment.
  void add_columns(Joint& joint, const JointRows& rows);

  JointRows own_rows(const yaml::Node& node, Joint& joint);

  void refuse_dimension(const yaml::Node& node, JointKind kind) const;

  Eigen::Vector3d read_direction(const yaml::Node& node, const std::string& what);

  /// In the first body's frame.
  Eigen::Vector3d read_axis(const yaml::Node& node);

  Eigen::Matrix3d at_start(const SpatialMatrix& rotation) const;

  KeptOrientation orientation_at_start(const JointBodies& bodies) const;

  void add_pin_axis(const yaml::Node& node, Joint& joint, const JointBodies& bodies,
                    const KeptOrientation& start, JointRows& rows);

  /// In space the angle is a coordinate of its own, so that it counts turns: its rate is that of the bodies about the
  /// axis, its start the part of the relative orientation that turns about the axis.
  void name_angle_in_space(Joint& joint, const JointBodies& bodies, const Eigen::Vector3d& first,
                           const KeptOrientation& start);

  void refuse_taken(const std::string& name, const Joint& joint) const;

  void name(const Joint& joint, const std::string& what, const MovingScalar& motion);
  void name_angle(const Joint& joint, const MovingScalar& motion);
  void name_position(const Joint& joint, const MovingScalar& motion);

  void add_axes(const yaml::Node& node, const JointBodies& bodies, JointRows& rows);

  void add_length(const yaml::Node& node, const JointBodies& bodies, JointRows& rows);

  void add_rolling_rows(const yaml::Node& node, Joint& joint, JointBodies bodies, JointRows& rows);

  RollingGround rolling_ground(const yaml::Node& node, const Body& under, JointBodies& bodies,
                               double radius, bool is_thin);

  const MovingScalar& motion_named(const yaml::Node& node, const std::string& what, bool is_angle);

  JointRows dependent_rows(const yaml::Node& node, Joint& joint);

  JointRows drive_rows(const yaml::Node& node);

  void add_limits(const yaml::Node& node, const yaml::Node& limits, Joint& joint,
                  const MovingScalar& along);

  void add_spring(const yaml::Node& node, Joint& joint, const MovingScalar& along);
  /// Dry friction of constant size: a pressed contact.
  void add_friction(const yaml::Node& node, Joint& joint, const MovingScalar& along);

  Reading& reading_;
  Model& model_;
  std::string thing_;
  std::map<std::string, JointMotion> motions_;
};

}  // namespace clack
