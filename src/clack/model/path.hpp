// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <vector>

#include "clack/model/contact_key.hpp"
#include "clack/model/rotation.hpp"

namespace clack {

/// An entry of `paths:` or `surfaces:`: points S(s1) or S(s1, s2) in a frame, without a change of shape.
struct Path {
  std::string name;
  int parameters = 1;  // 1: a curve, 2: a surface
  std::array<std::string, 2> parameter_names;
  std::array<symbolic::Expression, 2> symbols;  // of the parameters, in `point`
  std::array<symbolic::Expression, 3> point;    // in its frame; plane: z = 0
  std::array<double, 2> from{}, to{};
  std::array<symbolic::Expression, 3>
      position;                        // of its frame in the world, formulas of coordinates and t
  symbolic::Expression angle;          // plane
  std::vector<RotationStep> rotation;  // space
  double known_from = 0.0;             // s
  int line = 0, column = 0;            // of the entry in the model file
};

/// The closest point of a path to the centre c of a disk or sphere, or to a point, as part of the state: coordinates s whose
/// rates follow from   F_i = (c - S) . S_i = 0   (in the frame of the path, with S_i = dS/ds_i, S_ij and c' there):
///
///   s' = H^-1 (S_i . c' + k F_i),    H_ij = S_i . S_j - (c - S) . S_ij                    (P2, section 5.2)
///
/// k F stabilises. The contact's gap (c - S) . n - radius and its slip are formulas of s; rows and biases, with the curvature,
/// follow by differentiating them along the motion. A foot that has come to an end rests there: s is then exactly `from`
/// or `to`, its rate is zero, and there is no contact.
struct Foot {
  SourceIndex source;
  int path = 0;
  std::array<int, 2> coordinates{-1, -1};  // of the model
  bool has_speed = false;  // `parameter`: its rate is a speed, a constraint determines it
  double radius = 0.0;     // m; 0: a point
  std::string body;        // the end that touches, as the user wrote it
  std::array<symbolic::Expression, 3> centre;  // c in the frame of the path; plane: z = 0
};

}  // namespace clack
