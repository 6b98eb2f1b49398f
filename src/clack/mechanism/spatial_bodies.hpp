// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/mechanism/body_kinematics.hpp"
#include "clack/mechanism/snapshot.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

struct Energies {
  double kinetic = 0.0, potential = 0.0;  // J
};

/// Free rigid bodies in space: seven coordinates (centre, unit quaternion) and six speeds (velocity
/// of the centre, angular velocity; world frame) per body.
///
///   M = blockdiag(m 1, J),  J = R J_body R^T,   h = (forces + m g, torques - w x J w)
///   (qw, qv)' = ((-w . qv), qw w + w x qv)/2
class SpatialBodies {
 public:
  SpatialBodies(const Model& model, const MotionSymbols& motion);

  /// Values of gravity, springs and forces; before any of the next four. `inputs`: t, coordinates, speeds.
  void load(const double* inputs) { applied_(inputs, values_.data()); }
  /// Mass matrix, smooth force and applied power; what can differ from zero is written. `bodies` as placed.
  void write(const BodyKinematics& kinematics, const double* v, Snapshot& snapshot) const;
  Energies energies(const BodyKinematics& kinematics) const;
  bool has_applied_power() const { return has_applied_power_; }

  int coordinates() const { return 7 * static_cast<int>(bodies_.size()); }
  void coordinate_rates(const double* q, const double* v, double* dqdt) const;
  void displace(double* q, const double* speeds_displacement) const;
  void normalise(double* q) const;

 private:
  struct FreeBody {
    BodyIndex index;
    double mass = 0.0;
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // body frame
    int q = -1, v = -1;                                 // first coordinate and speed
  };
  struct Spring {
    Attachment first, second;
    Eigen::Vector3d first_point, second_point;  // body frames
    int value = -1;                             // stiffness, damping, rest
    bool is_conservative = false;
  };
  struct Push {
    BodyIndex body;
    Eigen::Vector3d point;  // body frame
    int value = -1;
  };
  void gather_formulas(const Model& model, const MotionSymbols& motion);
  static Eigen::Matrix3d world_inertia(const FreeBody& body, const BodyMotion& motion);
  double add_gravity(const BodyKinematics& kinematics, double* h) const;
  struct Powers {
    double applied = 0.0, drive = 0.0;  // W, as in Equations
  };
  Powers add_spring(const Spring& spring, const BodyKinematics& kinematics, double* h) const;

  std::vector<FreeBody> bodies_;
  std::vector<Spring> springs_;
  std::vector<Push> point_forces_;
  std::vector<std::pair<int, int>> generalised_;  // speed, value
  bool has_applied_power_ = false, is_gravity_constant_ = true;
  symbolic::Program applied_;
  std::vector<double> values_;
};

}  // namespace clack
