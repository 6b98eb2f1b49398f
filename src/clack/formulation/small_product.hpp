// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

namespace clack {

/// y = A x, A constant and stored column by column; `rows` is known to the compiler, which keeps y in registers.
template <int rows>
void multiply_columns(const double* matrix, const double* x, int columns, double* y) {
  double sum[rows] = {};
  for (int j = 0; j < columns; ++j, matrix += rows)
    for (int i = 0; i < rows; ++i) sum[i] += matrix[i] * x[j];
  for (int i = 0; i < rows; ++i) y[i] = sum[i];
}

using Multiply = void (*)(const double*, const double*, int, double*);
inline constexpr std::array<Multiply, 7> multiply_pairs = {  // by half the number of rows
    nullptr,
    multiply_columns<2>,
    multiply_columns<4>,
    multiply_columns<6>,
    multiply_columns<8>,
    multiply_columns<10>,
    multiply_columns<12>};

}  // namespace clack
