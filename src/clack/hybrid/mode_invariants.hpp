// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/hybrid/dynamics.hpp"
#include "clack/integrate/integrator.hpp"

namespace clack {

/// What a mode keeps, for integrators that keep it themselves (`ida`): gaps of closed contacts and configurations of
/// constraints, their rates, slips of what sticks and motion rows. With scaled rows J S, S = diag(1/sqrt(M_jj)),
///
///   g = (positions, rates),      D mu = (W S^2 J_P^T mu_P,  S^2 J_R^T mu_R,  0)
///
/// where dq/dt = W v + X. Rows that depend on others where the mode begins are left out.
class ModeInvariants {
 public:
  explicit ModeInvariants(ModeDynamics& dynamics) : dynamics_(dynamics) {}
  /// For the mode that was entered last, at a state of it.
  Invariants begin(double t, const double* y);

 private:
  struct Row {
    int row = 0;    // of the rows of the snapshot
    int value = 0;  // where its value is in the snapshot
  };
  static void values(void* self, double t, const double* y, double* g);
  static void directions(void* self, double t, const double* y, const double* mu, double* dy);
  std::vector<Row> independent(const std::vector<Row>& rows) const;

  ModeDynamics& dynamics_;
  std::vector<Row> positions_, rates_;
  std::vector<double> squared_scale_, speeds_;
};

}  // namespace clack
