// SPDX-License-Identifier: Apache-2.0
#include "clack/model/moving.hpp"

namespace clack {

using symbolic::Expression;

MovingScalar operator+(const MovingScalar& a, const MovingScalar& b) {
  return {a.value + b.value, a.rate + b.rate, a.bias + b.bias};
}
MovingScalar operator-(const MovingScalar& a, const MovingScalar& b) {
  return {a.value - b.value, a.rate - b.rate, a.bias - b.bias};
}
MovingScalar operator*(const MovingScalar& a, const MovingScalar& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.bias * b.value + 2.0 * a.rate * b.rate + a.value * b.bias};
}
MovingScalar operator*(double a, const MovingScalar& b) {
  return {a * b.value, a * b.rate, a * b.bias};
}
MovingScalar operator+(const MovingScalar& a, double b) { return {a.value + b, a.rate, a.bias}; }

MovingScalar inverse(const MovingScalar& x) {
  const Expression y = 1.0 / x.value, squared = y * y;
  return {y, -(x.rate * squared), 2.0 * x.rate * x.rate * squared * y - x.bias * squared};
}

MovingScalar sqrt(const MovingScalar& x) {
  const Expression y = sqrt(x.value), half = 0.5 / y, rate = x.rate * half;
  return {y, rate, (x.bias - 2.0 * rate * rate) * half};
}

MovingVector operator+(const MovingVector& a, const MovingVector& b) {
  return {a.value + b.value, a.rate + b.rate, a.bias + b.bias};
}
MovingVector operator-(const MovingVector& a, const MovingVector& b) {
  return {a.value - b.value, a.rate - b.rate, a.bias - b.bias};
}
MovingVector operator*(const MovingScalar& a, const MovingVector& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.bias * b.value + (2.0 * a.rate) * b.rate + a.value * b.bias};
}
MovingVector operator*(double a, const MovingVector& b) {
  const auto times = [a](const SpatialVector& v) {
    return SpatialVector{a * v[0], a * v[1], a * v[2]};
  };
  return {times(b.value), times(b.rate), times(b.bias)};
}
MovingScalar dot(const MovingVector& a, const MovingVector& b) {
  return {dot(a.value, b.value), dot(a.rate, b.value) + dot(a.value, b.rate),
          dot(a.bias, b.value) + 2.0 * dot(a.rate, b.rate) + dot(a.value, b.bias)};
}
MovingVector cross(const MovingVector& a, const MovingVector& b) {
  const SpatialVector mixed = cross(a.rate, b.rate);
  return {cross(a.value, b.value), cross(a.rate, b.value) + cross(a.value, b.rate),
          cross(a.bias, b.value) + (mixed + mixed) + cross(a.value, b.bias)};
}

MovingRate operator+(const MovingRate& a, const MovingRate& b) {
  return {a.value + b.value, a.bias + b.bias};
}
MovingRate operator-(const MovingRate& a, const MovingRate& b) {
  return {a.value - b.value, a.bias - b.bias};
}
MovingRate cross(const MovingRate& a, const MovingVector& b) {
  return {cross(a.value, b.value), cross(a.bias, b.value) + cross(a.value, b.rate)};
}

}  // namespace clack
