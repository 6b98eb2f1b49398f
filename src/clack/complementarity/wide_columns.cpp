// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/wide_columns.hpp"

#include "clack/complementarity/wide.hpp"

namespace clack::wide {

CLACK_WIDE void scale_column(double factor, const double* scale, const double* column,
                             double* result, Eigen::Index n) {
  Eigen::Index k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane s, c;
    load(s, scale + k);
    load(c, column + k);
    store(result + k, factor * s * c);
  }
  for (; k < n; ++k) result[k] = factor * scale[k] * column[k];
}

CLACK_WIDE void drop_noise(double* u, double share, Eigen::Index n) {
  Lane largest{};
  Eigen::Index k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane c;
    load(c, u + k);
    make_positive(c);
    largest = c > largest ? c : largest;
  }
  double bound = 0.0;
  for (int l = 0; l < lanes; ++l) bound = largest[l] > bound ? largest[l] : bound;
  for (; k < n; ++k) bound = std::max(bound, std::abs(u[k]));
  bound *= share;
  for (k = 0; k + lanes <= n; k += lanes) {
    Lane c;
    load(c, u + k);
    Lane size = c;
    make_positive(size);
    store(u + k, size > bound ? c : Lane{});
  }
  for (; k < n; ++k)
    if (!(std::abs(u[k]) > bound)) u[k] = 0.0;
}

CLACK_WIDE void combine(const double* u, double s, const double* g, double* result,
                        Eigen::Index n) {
  Eigen::Index k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane a, b;
    load(a, u + k);
    load(b, g + k);
    store(result + k, a + s * b);
  }
  for (; k < n; ++k) result[k] = u[k] + s * g[k];
}

CLACK_WIDE void advance(double a, double b, double t, const double* u, double* h, double* g,
                        double* x, Eigen::Index n) {
  Eigen::Index k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane uk, hk, gk;
    load(uk, u + k);
    load(hk, h + k);
    load(gk, g + k);
    hk -= a * uk;
    gk -= b * uk;
    store(h + k, hk);
    store(g + k, gk);
    store(x + k, hk + t * gk);
  }
  for (; k < n; ++k) {
    h[k] -= a * u[k];
    g[k] -= b * u[k];
    x[k] = h[k] + t * g[k];
  }
}

CLACK_WIDE void add_column(double z, const double* column, double* w, double* magnitude,
                           Eigen::Index n) {
  Eigen::Index k = 0;
  for (; k + lanes <= n; k += lanes) {
    Lane c, sum, size;
    load(c, column + k);
    load(sum, w + k);
    load(size, magnitude + k);
    c *= z;
    store(w + k, sum + c);
    make_positive(c);
    store(magnitude + k, size + c);
  }
  for (; k < n; ++k) {
    const double c = z * column[k];
    w[k] += c;
    magnitude[k] += std::abs(c);
  }
}

}  // namespace clack::wide
