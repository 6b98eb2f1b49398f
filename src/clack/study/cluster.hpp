// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "clack/study/sweep.hpp"

namespace clack::study {

/// Whether this process was started by mpirun beside others.
bool is_in_cluster();

/// What one process of a cluster does; the function is the same in all of them.
class Cluster {
 public:
  /// Joins the others. MPI is a module of its own (mpi_module.cpp), loaded here; throws InputError when the program was
  /// built without it.
  Cluster();
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  bool is_first() const { return rank_ == 0; }
  int size() const { return size_; }

  /// The same as `sweep`, shared among the processes. The first one hands out lanes as the others become free, receives
  /// their results and calls `finished`; the others compute, with `threads` threads each. `results` is what is finished
  /// already, in the first process; at its end it holds everything there. The table does not depend on who computed what.
  void sweep(const Study& study, std::vector<CaseResult>& results, const SweepOptions& options);
  /// Tells all that the first process gave up before the sweep, or hears it: true when all go on.
  bool all_go_on(bool is_ready);

 private:
  int rank_ = 0, size_ = 1;
};

}  // namespace clack::study
