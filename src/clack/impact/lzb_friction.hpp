// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/lzb_phase.hpp"

namespace clack {

/// Contacts of which the grip is asked, at one instant.
struct GripQuestion {
  const Eigen::VectorXd& motion;        // rows: relative velocities
  const Eigen::VectorXd& normal_force;  // contacts, per unit impact time (at first: limits)
  const std::vector<bool>& at_rest;     // contacts without slip
  const std::vector<bool>& must_slip;   // contacts whose stick reserve is used up,
  const Eigen::VectorXd& stick_force;   // with the forces that did it (rows)
};

/// Decides sticking and sliding of all active contacts with friction.
///  1. Friction under known normal forces with static friction: where the slip acceleration vanishes
///     the contact sticks.
///  2. The others are released together, in the direction of their slip acceleration with dynamic
///     friction while the remaining ones are held. Then 1 again for what remains.
/// Keeps its memory from question to question.
class LzbGrips {
 public:
  explicit LzbGrips(const LzbSystem& system) : system_(&system) {}
  /// Writes the grips into `states`. False: the convex question was not answered to its tolerance.
  bool decide(const GripQuestion& question, std::vector<LzbContactState>& states);

 private:
  void slide_or_ask(const GripQuestion& question, std::vector<LzbContactState>& states);
  void hold(const GripQuestion& question);
  void release(const GripQuestion& question, std::vector<LzbContactState>& states);
  void hold_while_released(Eigen::Index rows);
  void fill_drive(const std::vector<int>& contacts);
  void fill_radii(const std::vector<int>& contacts, const Eigen::VectorXd& friction);
  double vanishing(int contact) const;

  const LzbSystem* system_;
  StickForces stick_;
  KnownNormalFriction friction_;
  std::vector<int> resting_, released_, held_;
  Eigen::MatrixXd own_, held_own_, crossing_;  // their upper left corners
  // The rest: heads of these.
  Eigen::VectorXd force_, drive_, held_drive_, radius_, equal_, answer_, acceleration_, held_force_;
  Eigen::VectorXd trial_;  // slip accelerations of the released contacts under static friction
  bool is_answered_ = true;
};

}  // namespace clack
