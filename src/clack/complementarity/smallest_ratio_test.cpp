// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/smallest_ratio.hpp"

#include <random>

using namespace clack;

TEST(SmallestRatio, AgreesWithAPlainLoopAtEverySize) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> small(-3, 3);
  for (int n = 1; n <= 40; ++n)
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> x(n), a(n);
      std::vector<int> tied(n);
      for (int k = 0; k < n; ++k) x[k] = std::max(0, small(random)), a[k] = small(random);
      const RatioTest test = ratio_test(x.data(), a.data(), n, 1e-11, 1e-8, tied.data());
      int row = -1;
      for (int k = 0; k < n; ++k)
        if (a[k] > 0 && (row < 0 || x[k] / a[k] < x[row] / a[row])) row = k;
      ASSERT_EQ(test.row, row) << n;
      if (row < 0) continue;
      EXPECT_EQ(test.ratio, x[row] / a[row]);
      std::vector<int> expected;
      for (int k = 0; k < n; ++k)
        if (a[k] > 0 && x[k] - test.ratio * a[k] <= 1e-8 * 3) expected.push_back(k);
      EXPECT_EQ(std::vector<int>(tied.begin(), tied.begin() + test.ties), expected);
    }
}

TEST(SmallestRatio, TakesNegativeValuesAsZeroAndTinyEntriesAsNone) {
  const double x[] = {1.0, -1e-17, 0.0}, a[] = {1.0, 1.0, 1e-12};
  int tied[3];
  const RatioTest test = ratio_test(x, a, 3, 1e-11, 1e-8, tied);
  EXPECT_EQ(test.row, 1);
  EXPECT_EQ(test.ratio, 0.0);
  EXPECT_EQ(test.ties, 1);
}
