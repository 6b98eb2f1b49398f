// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <vector>

#include "clack/integrate/integrator.hpp"

namespace clack {

/// The first components of the dense output over the last step of an integrator, as polynomials in Bernstein form:
///
///   y(u) = sum_j b_j B_j(u),   B_j(u) = (n over j) u^j (1-u)^(n-j),   u = (t - t_begin)/h,   n = 7
///
/// No dense output here has a higher degree (dop853: 7, cvode: 5, dopri5: 4, rk4: 3), so eight samples give it to
/// rounding, whatever the integrator. A polynomial lies between the smallest and the largest of its coefficients, on any
/// part of the step after cutting (de Casteljau); so do its derivatives with theirs, n (b_(j+1) - b_j)/h.
class DenseCurve {
 public:
  static constexpr int degree = 7;
  using Coefficients = std::array<double, degree + 1>;
  struct Range {
    double low = 0.0, high = 0.0;
  };

  void take(Integrator& integrator, int components);
  double begin() const { return begin_; }
  double end() const { return begin_ + step_; }

  void values(double t, double* y) const;
  void rates(double t, double* dydt) const;
  /// Of one component.
  double value(int component, double t) const;
  double rate(int component, double t) const;
  /// What a rate is not known better than: the rounding of the component over the length of the step.
  double rate_rounding(int component) const;
  /// All values of a component on [from, to]; `order` 1, 2: of its first or second derivative.
  Range range(int component, int order, double from, double to) const;

 private:
  double begin_ = 0.0, step_ = 1.0;
  std::vector<Coefficients> curves_;
  std::vector<double> sample_;
};

}  // namespace clack
