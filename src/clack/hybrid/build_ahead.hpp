// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <future>
#include <vector>

#include "clack/mechanism/mechanism.hpp"

namespace clack {

/// Programs of modes that a worker derives and compiles while a run goes on, with formulas of its own: the run shares nothing
/// with it until it takes them.
class BuildAhead {
 public:
  using Planner = std::function<std::vector<ModePlan>(const Model&, const Mechanism&)>;

  /// The worker begins; `plan` is asked there.
  BuildAhead(const Model& model, Planner plan);
  bool is_ready() const;
  /// Waits for the worker. Once.
  ModePrograms take();

 private:
  std::future<ModePrograms> programs_;
};

/// Everything of the plans, by up to `threads` threads; the mechanism has it afterwards.
void build_modes(const Model& model, Mechanism& mechanism, const std::vector<ModePlan>& plans,
                 int threads);

}  // namespace clack
