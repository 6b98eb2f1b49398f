// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cmath>

/// The embedded equations of a chain of N uniform rods (mass 1, length 1) with its tip at a fixed height, the last speed
/// dependent, the way a careful person writes them: mass matrix and force of the free chain
///
///   M_ij = (N - max(i, j) + 1/2 - [i = j]/6) cos(q_i - q_j)      (indices from 1)
///   f_i  = -sum_j (N - max(i, j) + 1/2) sin(q_i - q_j) u_j^2 - g (N - i + 1/2) sin(q_i)
///
/// then  D_j = -sin(q_j)/sin(q_N),  gamma = -sum_j cos(q_j) u_j^2 / sin(q_N),  M~ = T^T M T,  f~ = T^T (f - M gamma).
template <int N>
struct ChainByHand {
  static constexpr int p = N - 1;
  std::array<double, N> speeds = {};
  std::array<double, p* p> mass = {};
  std::array<double, p> force = {};

  /// q (N), w: the first N - 1 speeds.
  __attribute__((noinline)) void evaluate(const double* q, const double* w, double g) {
    double sine[N], cosine[N], M[N][N], f[N], D[p];
    for (int i = 0; i < N; ++i) sine[i] = std::sin(q[i]), cosine[i] = std::cos(q[i]);
    const double pivot = 1.0 / sine[N - 1];
    speeds[N - 1] = 0.0;
    for (int j = 0; j < p; ++j) {
      D[j] = -sine[j] * pivot;
      speeds[j] = w[j];
      speeds[N - 1] += D[j] * w[j];
    }
    double gamma = 0.0;
    for (int j = 0; j < N; ++j) gamma -= cosine[j] * speeds[j] * speeds[j];
    gamma *= pivot;
    for (int i = 0; i < N; ++i) f[i] = -g * (N - i - 0.5) * sine[i];
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j) {
        const double weight = N - i - 0.5;
        const double c = cosine[i] * cosine[j] + sine[i] * sine[j],
                     s = sine[i] * cosine[j] - cosine[i] * sine[j];
        M[i][j] = M[j][i] = i == j ? weight - 1.0 / 6.0 : weight * c;
        if (i == j) continue;
        f[i] -= weight * s * speeds[j] * speeds[j];
        f[j] += weight * s * speeds[i] * speeds[i];
      }
    for (int i = 0; i < N; ++i) f[i] -= M[i][N - 1] * gamma;
    for (int j = 0; j < p; ++j) {
      force[j] = f[j] + D[j] * f[N - 1];
      for (int k = 0; k <= j; ++k)
        mass[j * p + k] = mass[k * p + j] =
            M[j][k] + M[j][N - 1] * D[k] + D[j] * (M[N - 1][k] + M[N - 1][N - 1] * D[k]);
    }
  }
};
