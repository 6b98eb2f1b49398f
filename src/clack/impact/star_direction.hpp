// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/spatial_event.hpp"

namespace clack {

/// The impulse direction f of a state (each point slides in a direction, or sticks) of points tied to
/// a hub: unknown c (hub: 1) and the stick forces tau; equations: the closures
/// d.f_i = sigma d.f_hub and zero slip rates.
class StarDirection {
 public:
  explicit StarDirection(const SpatialEvent& event);
  /// False: a point would have to pull, or a denominator vanishes (`failure` says where).
  bool solve(const std::vector<bool>& is_stuck, const std::vector<Eigen::Vector2d>& direction,
             Eigen::VectorXd& f);
  std::string failure() const;
  /// The last direction is so near to a vanishing denominator that it will not be passed.
  bool is_near_failure();

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
  int largest_ = 0;  // member with the largest share, and that share
  double largest_share_ = 0.0;
};

}  // namespace clack
