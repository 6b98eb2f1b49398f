// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/wide_columns.hpp"

namespace clack {
namespace {

Eigen::VectorXd drawn(Eigen::Index n, double phase) {
  Eigen::VectorXd x(n);
  for (Eigen::Index k = 0; k < n; ++k) x[k] = std::sin(phase + 1.7 * static_cast<double>(k));
  return x;
}

/// The plain loops give the same bits, whatever is left over after steps of four.
TEST(WideColumns, AreTheLoopsTheyReplaceForEveryLength) {
  for (Eigen::Index n = 0; n <= 11; ++n) {
    const Eigen::VectorXd u = drawn(n, 0.3), g = drawn(n, 0.8), s = drawn(n, 2.1);
    Eigen::VectorXd scaled(n), sum(n), h = s, moved = g, x(n), w = u, size = g.cwiseAbs();
    wide::scale_column(0.7, s.data(), u.data(), scaled.data(), n);
    wide::combine(u.data(), -1.3, g.data(), sum.data(), n);
    wide::advance(0.4, -0.2, 1.1, u.data(), h.data(), moved.data(), x.data(), n);
    wide::add_column(-0.9, s.data(), w.data(), size.data(), n);
    for (Eigen::Index k = 0; k < n; ++k) {
      EXPECT_EQ(scaled[k], 0.7 * s[k] * u[k]);
      EXPECT_EQ(sum[k], u[k] + -1.3 * g[k]);
      EXPECT_EQ(h[k], s[k] - 0.4 * u[k]);
      EXPECT_EQ(moved[k], g[k] - -0.2 * u[k]);
      EXPECT_EQ(x[k], h[k] + 1.1 * moved[k]);
      EXPECT_EQ(w[k], u[k] + -0.9 * s[k]);
      EXPECT_EQ(size[k], std::abs(g[k]) + std::abs(-0.9 * s[k]));
    }
  }
}

TEST(WideColumns, DropNoiseKeepsWhatIsLargeAgainstTheLargest) {
  Eigen::VectorXd u(6);
  u << 1e-15, -3.0, 1e-9, 0.0, -1e-14, 2.0;
  wide::drop_noise(u.data(), 1e-14, u.size());
  EXPECT_EQ(u, (Eigen::VectorXd(6) << 0.0, -3.0, 1e-9, 0.0, 0.0, 2.0).finished());
}

}  // namespace
}  // namespace clack
