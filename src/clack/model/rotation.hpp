// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "clack/symbolic/expression.hpp"

namespace clack {

using SpatialVector = std::array<symbolic::Expression, 3>;
using SpatialMatrix = std::array<SpatialVector, 3>;  // rows

/// A simple rotation about one of the axes x, y, z (0, 1, 2) as already turned.
struct Turn {
  int axis = 0;
  symbolic::Expression angle;
};
/// A quaternion of any length but zero, scalar first.
using QuaternionFormulas = std::array<symbolic::Expression, 4>;
/// One of the rotations that lead, one after the other, from the world to a frame.
using RotationStep = std::variant<Turn, QuaternionFormulas>;

SpatialVector operator+(const SpatialVector& a, const SpatialVector& b);
SpatialVector operator-(const SpatialVector& a, const SpatialVector& b);
SpatialVector operator*(symbolic::Expression s, const SpatialVector& a);
symbolic::Expression dot(const SpatialVector& a, const SpatialVector& b);
SpatialVector cross(const SpatialVector& a, const SpatialVector& b);
SpatialVector operator*(const SpatialMatrix& m, const SpatialVector& a);
SpatialMatrix operator*(const SpatialMatrix& a, const SpatialMatrix& b);
SpatialMatrix transposed(const SpatialMatrix& m);

/// R of the frame to which the steps lead: world components = R * frame components. With a quaternion p:
///   R = (pw^2 - pv.pv) 1 + 2 pv pv^T + 2 pw [pv]x, divided by |p|^2.
SpatialMatrix rotation_matrix(symbolic::Graph& graph, std::span<const RotationStep> steps);

/// Angular velocity of that frame, in its own components: each step turns what came before into its frame and adds
///   axis * angle',   or for a quaternion   2 Im(p* p')/|p|^2   (Kane: simple rotations add up).
SpatialVector frame_spin(symbolic::Graph& graph, std::span<const RotationStep> steps,
                         const std::function<symbolic::Expression(symbolic::Expression)>& rate);

}  // namespace clack
