// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loops over columns in which a pivoting method spends its time, several numbers at once. The
// order of operations on each entry is that of the plain loop, so the bits are the same everywhere.
#include <Eigen/Core>

namespace clack::wide {

/// result = factor * scale * column, entry by entry.
void scale_column(double factor, const double* scale, const double* column, double* result,
                  Eigen::Index n);
/// Entries that are small against the largest one were left by cancellation: zero.
void drop_noise(double* u, double share, Eigen::Index n);
/// result = u + s g.
void combine(const double* u, double s, const double* g, double* result, Eigen::Index n);
/// h -= a u, g -= b u, x = h + t g.
void advance(double a, double b, double t, const double* u, double* h, double* g, double* x,
             Eigen::Index n);
/// w += z column, magnitude += |z column|.
void add_column(double z, const double* column, double* w, double* magnitude, Eigen::Index n);

}  // namespace clack::wide
