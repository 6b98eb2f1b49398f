// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "clack/hybrid/dynamics.hpp"
#include "clack/integrate/integrator.hpp"

namespace clack {

/// States inside the steps of the integrator, for drawing (Trace::fine_rows). It evaluates nothing: where the dense
/// output of a step was not asked for by the run itself, the end of the step is all there is. When there are too many,
/// every second one is dropped, and from then on only so many are taken.
class FineRows {
 public:
  /// Of the last step, up to `until`; none when `samples` rows of the trace lie inside it and are enough.
  void step(Integrator& integrator, double until, int samples, const ModeDynamics& dynamics,
            std::vector<double>& rows);

  /// Memory for so many steps.
  void reserve(std::size_t steps, const ModeDynamics& dynamics, std::vector<double>& rows);

 private:
  void add(double t, const double* y, const ModeDynamics& dynamics, std::vector<double>& rows);

  std::vector<double> state_;
  long stride_ = 1, seen_ = 0;
};

}  // namespace clack
