// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "clack/hybrid/theory.hpp"
#include "clack/model/model.hpp"
#include "clack/trace/trace.hpp"

namespace clack {

/// Entries at the end of a model's lists that came while the run went on: the record has no columns for them.
struct Arrivals {
  int contacts = 0, constraints = 0, inputs = 0;
};

struct RunOptions {
  std::function<void(double t)> progress;  // called now and then with the simulated time
  /// Asked at every step: why the run is to stop here (empty: it is not).
  std::function<std::string()> interruption;
  bool node_trace = false;  // log every location of the computation nodes
  bool project = false;     // move onto constraints that do not hold where they begin
  bool fine_rows = true;    // record states inside the steps, for drawing (Trace::fine_rows)
  int histories = 0;        // impacts whose inside is recorded, from the first on
  int threads = 1;          // that solvers may use; results do not depend on it
  Arrivals arrived;
  TheoryParts parts = standard_parts();  // what the names in the model stand for
};

/// Runs a model from its start to `model.run.until`, event by event (docs/executor.md). Numerical
/// and physical endings are in the trace (status, reason, remedy); throws InputError when the model
/// and the chosen theory do not go together or the start is impossible.
Trace run(const Model& model, const RunOptions& options = {});

}  // namespace clack
