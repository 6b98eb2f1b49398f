// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/spatial_event.hpp"

namespace clack {

/// The impulse direction f of a state (each point slides in a direction, or sticks) of points tied to
/// a hub: unknown c and the stick forces tau; equations: the closures d.f_i = sigma d.f_hub, zero
/// slip rates, and the sum of all c is 1. (With c_hub = 1 a point that takes over the whole impulse
/// would be a pole; so it is where the hub begins to pull.)
class StarDirection {
 public:
  explicit StarDirection(const SpatialEvent& event);
  /// False: a point would have to pull (`failure` says which); f goes on smoothly there.
  bool solve(const std::vector<bool>& is_stuck, const std::vector<Eigen::Vector2d>& direction,
             Eigen::VectorXd& f);
  /// Every share of the normal impulse is at least `least`; otherwise `failure` names the pair.
  bool pushes(const Eigen::VectorXd& f, double least = 0.0);
  std::string failure() const;

 private:
  struct Tie {
    Eigen::Vector3d line = Eigen::Vector3d::Zero();  // d, from the hub to the point
    double sign = 1.0;                               // sigma
  };
  bool slide(const std::vector<Eigen::Vector2d>& direction, Eigen::VectorXd& f);
  void assemble(const std::vector<bool>& is_stuck, const std::vector<Eigen::Vector2d>& direction);

  const SpatialEvent& event_;
  int m_;
  std::vector<Tie> ties_;
  Eigen::MatrixXd map_, matrix_;
  Eigen::VectorXd right_;
  int failed_ = 0;
  double ratio_ = 0.0;
};

}  // namespace clack
