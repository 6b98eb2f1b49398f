// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/mechanism/planar_kinematics.hpp"
#include "clack/model/rotation.hpp"

namespace clack {

/// Orientation and angular velocity of a body in space, as formulas.
struct BodyTurning {
  SpatialMatrix rotation;  // world = rotation * body
  SpatialVector spin;      // in the body's own components
};

/// The rotations that lead to a body in space: its steps, its quaternion among the coordinates, or numbers.
std::vector<RotationStep> steps_to(const Model& model, const Body& body);

/// Of a placed or prescribed body by its steps, of a free one by its quaternion and speeds, of a fixed one as numbers.
BodyTurning turning_of(const Model& model, const Body& body, const MotionSymbols& motion);

/// Where an attachment is: a named point or the mass centre.
SpatialVector spatial_point(const Model& model, const Attachment& attachment,
                            const MotionSymbols& motion);

}  // namespace clack
