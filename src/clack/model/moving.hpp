// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/model/rotation.hpp"

namespace clack {

/// A quantity along the motion: its value, its rate, and what is left of its second derivative at dv/dt = 0.
///
///   (x y)' = x' y + x y',    (x y)'' = x'' y + 2 x' y' + x y''
///
/// Rates are taken from the motion of rigid bodies (omega x r), not by differentiating their orientation: they are
/// exact and short.
struct MovingScalar {
  symbolic::Expression value, rate, bias;
};

MovingScalar operator+(const MovingScalar& a, const MovingScalar& b);
MovingScalar operator-(const MovingScalar& a, const MovingScalar& b);
MovingScalar operator*(const MovingScalar& a, const MovingScalar& b);
MovingScalar operator*(double a, const MovingScalar& b);
MovingScalar operator+(const MovingScalar& a, double b);
/// y = 1/x:  y' = -x' y^2,  y'' = -x'' y^2 + 2 x'^2 y^3
MovingScalar inverse(const MovingScalar& x);
/// y = sqrt(x):  y' = x'/(2 y),  y'' = (x'' - 2 y'^2)/(2 y)
MovingScalar sqrt(const MovingScalar& x);

struct MovingVector {
  SpatialVector value, rate, bias;
};

MovingVector operator+(const MovingVector& a, const MovingVector& b);
MovingVector operator-(const MovingVector& a, const MovingVector& b);
MovingVector operator*(const MovingScalar& a, const MovingVector& b);
MovingVector operator*(double a, const MovingVector& b);
MovingScalar dot(const MovingVector& a, const MovingVector& b);
MovingVector cross(const MovingVector& a, const MovingVector& b);

/// A velocity or an angular velocity: its value, and what is left of its rate at dv/dt = 0.
struct MovingRate {
  SpatialVector value, bias;
};

MovingRate operator+(const MovingRate& a, const MovingRate& b);
MovingRate operator-(const MovingRate& a, const MovingRate& b);
/// omega x r with its product rule.
MovingRate cross(const MovingRate& a, const MovingVector& b);

}  // namespace clack
