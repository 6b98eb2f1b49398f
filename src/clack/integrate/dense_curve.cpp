// SPDX-License-Identifier: Apache-2.0
#include "clack/integrate/dense_curve.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace clack {
namespace {

constexpr int curve_count = DenseCurve::degree + 1;
using CurveSquare = Eigen::Matrix<double, curve_count, curve_count>;

double curve_node(int k) { return 0.5 - 0.5 * std::cos(std::numbers::pi * k / DenseCurve::degree); }

/// From values at the nodes to coefficients.
CurveSquare curve_conversion() {
  using Extended = Eigen::Matrix<long double, curve_count, curve_count>;
  Extended basis;
  for (int k = 0; k < curve_count; ++k) {
    long double binomial = 1.0L;
    const long double u = curve_node(k);
    for (int j = 0; j < curve_count; ++j) {
      basis(k, j) = binomial * std::pow(u, j) * std::pow(1.0L - u, DenseCurve::degree - j);
      binomial = binomial * (DenseCurve::degree - j) / (j + 1);
    }
  }
  return Extended(basis.inverse()).cast<double>();
}

template <int Level>
void cut_levels(DenseCurve::Coefficients& b, double u) {
#pragma GCC unroll 8
  for (int j = 0; j < Level; ++j) b[j] += u * (b[j + 1] - b[j]);
  if constexpr (Level > 1) cut_levels<Level - 1>(b, u);
}

/// The value of a polynomial of this degree, given by its coefficients (de Casteljau, in registers).
template <int Degree>
double curve_value(DenseCurve::Coefficients b, double u) {
  cut_levels<Degree>(b, u);
  return b[0];
}

/// The part on [u, 1], or on [0, u].
void keep_upper_part(DenseCurve::Coefficients& b, int degree, double u) {
  for (int level = degree; level > 0; --level)
    for (int j = 0; j < level; ++j) b[j] += u * (b[j + 1] - b[j]);
}
void keep_lower_part(DenseCurve::Coefficients& b, int degree, double u) {
  for (int level = 1; level <= degree; ++level)
    for (int j = degree; j >= level; --j) b[j] = b[j - 1] + u * (b[j] - b[j - 1]);
}

/// Rounding of coefficients.
double coefficient_rounding(const DenseCurve::Coefficients& b) {
  double size = 0.0;
  for (const double x : b) size = std::max(size, std::abs(x));
  return 64 * std::numeric_limits<double>::epsilon() * size;
}

/// The derivative, one degree lower.
void differentiate_curve(DenseCurve::Coefficients& b, int degree, double step) {
  for (int j = 0; j < degree; ++j) b[j] = degree * (b[j + 1] - b[j]) / step;
  b[degree] = 0.0;
}

}  // namespace

void DenseCurve::take(Integrator& integrator, int components) {
  static const CurveSquare to_coefficients = curve_conversion();
  begin_ = integrator.time_before();
  step_ = integrator.time() - begin_;
  curves_.assign(components, Coefficients{});
  sample_.resize(integrator.state().size());
  for (int k = 0; k < curve_count; ++k) {
    integrator.dense(k == degree ? integrator.time() : begin_ + curve_node(k) * step_, sample_);
    for (int i = 0; i < components; ++i)
      for (int j = 0; j < curve_count; ++j) curves_[i][j] += to_coefficients(j, k) * sample_[i];
  }
}

double DenseCurve::value(int component, double t) const {
  return curve_value<degree>(curves_[component], (t - begin_) / step_);
}

double DenseCurve::rate(int component, double t) const {
  Coefficients slope = curves_[component];
  differentiate_curve(slope, degree, step_);
  return curve_value<degree - 1>(slope, (t - begin_) / step_);
}

double DenseCurve::rate_rounding(int component) const {
  return 2 * degree / step_ * coefficient_rounding(curves_[component]);
}

void DenseCurve::values(double t, double* y) const {
  for (int i = 0; i < static_cast<int>(curves_.size()); ++i) y[i] = value(i, t);
}

void DenseCurve::rates(double t, double* dydt) const {
  for (int i = 0; i < static_cast<int>(curves_.size()); ++i) dydt[i] = rate(i, t);
}

/// Between the smallest and the largest coefficient of the part, and a little more: their rounding.
DenseCurve::Range DenseCurve::range(int component, int order, double from, double to) const {
  Coefficients b = curves_[component];
  double rounding = coefficient_rounding(b);
  for (int k = 0; k < order; ++k) {
    differentiate_curve(b, degree - k, step_);
    rounding *= 2 * (degree - k) / step_;
  }
  const int n = degree - order;
  const double low = std::clamp((from - begin_) / step_, 0.0, 1.0),
               high = std::clamp((to - begin_) / step_, 0.0, 1.0);
  keep_lower_part(b, n, high);
  if (high > 0.0) keep_upper_part(b, n, low / high);
  const auto [least, most] = std::minmax_element(b.begin(), b.begin() + n + 1);
  return {*least - rounding, *most + rounding};
}

}  // namespace clack
