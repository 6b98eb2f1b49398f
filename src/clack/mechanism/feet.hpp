// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "clack/geometry/closest_point.hpp"
#include "clack/mechanism/planar_kinematics.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

/// Selects a foot of a model.
using FootIndex = Index<struct FootTag>;

/// What may end the smooth motion of a foot; all values are positive inside of it.
enum class FootLimit {
  begin,    // the first parameter comes to its `from`
  end,      //   and to its `to`
  begin_2,  // the same for the second one of a surface
  end_2,
  nearer,   // another minimum becomes nearer: their difference, m
  regular,  // H loses its definiteness: a centre of curvature is reached
  returns,  // of a foot that rests: the nearest point leaves the end, or is on the free side again, m
};

/// The closest points that contacts of a model follow, in numbers (model/path.hpp). Lengths in m.
class Feet {
 public:
  Feet(const Model& model, const MotionSymbols& motion);

  int count() const { return feet_.size(); }
  bool empty() const { return feet_.empty(); }
  std::optional<FootIndex> of_source(SourceIndex source) const;
  SourceIndex source(FootIndex foot) const { return feet_[foot].source; }
  const Foot& foot(FootIndex foot) const { return model_.feet[foot.value]; }
  const Path& path(FootIndex foot) const { return model_.paths[foot_path(foot)]; }
  double size(FootIndex foot) const { return feet_[foot].patch.size(); }

  /// It has come to an end of its path, or the path is not known yet: there is no contact.
  bool rests(FootIndex foot, const double* q) const;
  /// The rates of the coordinates of feet that rest are zero.
  void hold(const double* q, double* rates) const;
  std::array<double, 2> parameters(FootIndex foot, const double* q) const;
  void place(FootIndex foot, const std::array<double, 2>& s, double* q) const;
  /// The same parameters, moved off the ends by a last digit.
  std::array<double, 2> inside(FootIndex foot, std::array<double, 2> s) const;

  /// The state that everything below is at: t, coordinates, speeds and what formulas take besides.
  void load(const double* inputs);
  /// All minima of the distance, the nearest first.
  std::vector<PatchFoot> minima(FootIndex foot) const;
  /// Newton's method from where the foot is.
  PatchFoot polished(FootIndex foot, const double* q) const;
  /// The nearest minimum on the free side that is not the foot's.
  std::optional<PatchFoot> other(FootIndex foot, const double* q) const;
  /// On the side of the normal at a place of the path.
  double gap_at(FootIndex foot, const std::array<double, 2>& s) const;
  /// From the place of the foot, without a side.
  double distance(FootIndex foot, const double* q) const;
  Eigen::Vector3d world_point(FootIndex foot, const double* q) const;
  Eigen::Vector3d world_normal(FootIndex foot, const double* q) const;

  /// What a limit says, with its rate where that is known (else NaN); `rates`: of the coordinates.
  struct Value {
    double value = 1.0, rate = 0.0;
  };
  std::vector<FootLimit> limits(FootIndex foot, const double* q) const;
  Value limit(FootIndex foot, FootLimit limit, const double* q, const double* rates) const;
  /// How far the minimum that the foot follows is from an end along parameter k.
  Value to_end(FootIndex foot, int k, bool is_end, const double* q, const double* rates) const;
  int parameters_of(FootIndex foot) const { return feet_[foot].patch.parameters(); }
  bool is_closed(FootIndex foot, int k) const { return feet_[foot].patch.is_closed(k); }

 private:
  struct Piece {
    SourceIndex source;
    std::array<int, 2> coordinates{-1, -1};
    double radius = 0.0, known_from = 0.0;
    bool has_speed = false, is_two_sided = false;
    Patch patch;
  };
  int foot_path(FootIndex foot) const { return model_.feet[foot.value].path; }
  Eigen::Vector3d centre(FootIndex foot) const;
  PatchPoint at(FootIndex foot, const double* q) const;
  Eigen::Vector3d normal_at(FootIndex foot, const PatchPoint& point) const;
  Eigen::Vector3d in_world(FootIndex foot, const Eigen::Vector3d& direction) const;
  double rest(FootIndex foot) const;

  const Model& model_;
  Indexed<Piece, FootIndex> feet_;
  symbolic::Program
      places_;  // per foot: c in the frame of its path, then its frame: position and rotation
  std::vector<double> values_;
  double time_ = 0.0;
};

}  // namespace clack
