// SPDX-License-Identifier: Apache-2.0
#include "clack/model/rotation.hpp"

namespace clack {

using symbolic::Expression;

SpatialVector operator+(const SpatialVector& a, const SpatialVector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
SpatialVector operator-(const SpatialVector& a, const SpatialVector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
SpatialVector operator*(Expression s, const SpatialVector& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
Expression dot(const SpatialVector& a, const SpatialVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
SpatialVector cross(const SpatialVector& a, const SpatialVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
SpatialVector operator*(const SpatialMatrix& m, const SpatialVector& a) {
  return {dot(m[0], a), dot(m[1], a), dot(m[2], a)};
}
SpatialMatrix transposed(const SpatialMatrix& m) {
  SpatialMatrix turned;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) turned[i][j] = m[j][i];
  return turned;
}
SpatialMatrix operator*(const SpatialMatrix& a, const SpatialMatrix& b) {
  const SpatialMatrix columns = transposed(b);
  SpatialMatrix product;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) product[i][j] = dot(a[i], columns[j]);
  return product;
}

namespace {

SpatialMatrix identity(symbolic::Graph& graph) {
  const Expression one = graph.number(1.0), zero = graph.number(0.0);
  return {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
}

SpatialMatrix step_matrix(symbolic::Graph& graph, const RotationStep& step) {
  if (const auto* turn = std::get_if<Turn>(&step)) {
    SpatialMatrix m = identity(graph);
    const Expression c = cos(turn->angle), s = sin(turn->angle);
    const std::size_t i = (turn->axis + 1) % 3, j = (turn->axis + 2) % 3;
    m[i][i] = m[j][j] = c;
    m[i][j] = -s;
    m[j][i] = s;
    return m;
  }
  const QuaternionFormulas& p = std::get<QuaternionFormulas>(step);
  const Expression squared = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  const Expression scale = 2.0 / squared;
  SpatialMatrix m = identity(graph);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      if (i == j) {
        const Expression a = p[1 + (i + 1) % 3], b = p[1 + (i + 2) % 3];
        m[i][j] = 1.0 - scale * (a * a + b * b);
        continue;
      }
      const Expression third = p[0] * p[1 + (3 - i - j)], both = p[1 + i] * p[1 + j];
      m[i][j] = scale * ((j == (i + 1) % 3) ? both - third : both + third);
    }
  return m;
}

SpatialVector step_spin(symbolic::Graph& graph, const RotationStep& step,
                        const std::function<Expression(Expression)>& rate) {
  const Expression zero = graph.number(0.0);
  if (const auto* turn = std::get_if<Turn>(&step)) {
    SpatialVector spin{zero, zero, zero};
    spin[turn->axis] = rate(turn->angle);
    return spin;
  }
  const QuaternionFormulas& p = std::get<QuaternionFormulas>(step);
  const Expression scale = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  QuaternionFormulas r;
  for (std::size_t k = 0; k < 4; ++k) r[k] = rate(p[k]);
  const SpatialVector v{p[1], p[2], p[3]}, w{r[1], r[2], r[3]};
  return scale * (p[0] * w - r[0] * v - cross(v, w));
}

}  // namespace

SpatialMatrix rotation_matrix(symbolic::Graph& graph, std::span<const RotationStep> steps) {
  if (steps.empty()) return identity(graph);
  SpatialMatrix m = step_matrix(graph, steps[0]);
  for (const RotationStep& step : steps.subspan(1)) m = m * step_matrix(graph, step);
  return m;
}

SpatialVector frame_spin(symbolic::Graph& graph, std::span<const RotationStep> steps,
                         const std::function<Expression(Expression)>& rate) {
  const Expression zero = graph.number(0.0);
  SpatialVector spin{zero, zero, zero};
  for (const RotationStep& step : steps)
    spin = transposed(step_matrix(graph, step)) * spin + step_spin(graph, step, rate);
  return spin;
}

}  // namespace clack
