// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/product_form.hpp"

#include <Eigen/LU>
#include <random>

using namespace clack;

// Exchanging columns one by one, also twice in the same row, gives the inverse that LU gives.
TEST(ProductForm, AgreesWithTheInverseOfTheBasis) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const int n : {1, 2, 5, 15, 16, 17, 33}) {
    ProductForm form;
    form.clear(n);
    Eigen::MatrixXd basis = Eigen::MatrixXd::Identity(n, n);
    for (int exchange = 0; exchange < 2 * n; ++exchange) {
      Eigen::VectorXd column = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
      const Eigen::VectorXd entering = column;
      form.apply(column.data());
      int row = exchange % n;
      if (std::abs(column[row]) < 0.1) column.cwiseAbs().maxCoeff(&row);
      form.append(column.data(), row);
      basis.col(row) = entering;
    }
    EXPECT_EQ(form.count(), 2 * n);
    const Eigen::MatrixXd inverse = basis.inverse();
    const double size = inverse.cwiseAbs().maxCoeff();
    for (int k = 0; k < n; ++k) {
      Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k), row(n);
      form.apply(unit.data());
      EXPECT_LE((unit - inverse.col(k)).cwiseAbs().maxCoeff(), 1e-8 * size) << n;
      form.row_of_inverse(k, row.data());
      EXPECT_LE((row - inverse.row(k).transpose()).cwiseAbs().maxCoeff(), 1e-8 * size) << n;
    }
  }
}
