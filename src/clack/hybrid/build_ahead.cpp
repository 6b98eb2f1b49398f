// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/build_ahead.hpp"

#include <chrono>
#include <memory>

#include "clack/complementarity/threads.hpp"
#include "clack/model/own_formulas.hpp"

namespace clack {

BuildAhead::BuildAhead(const Model& model, Planner plan)
    : programs_(
          std::async(std::launch::async, [own = with_own_formulas(model), plan = std::move(plan)] {
            Mechanism mechanism(own);
            ModePrograms programs;
            for (const ModePlan& mode : plan(own, mechanism)) mechanism.build(mode, programs);
            return programs;
          })) {}

bool BuildAhead::is_ready() const {
  return programs_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

ModePrograms BuildAhead::take() { return programs_.get(); }

/// One mechanism builds with its own formulas; more share the modes, each with formulas of its own.
void build_modes(const Model& model, Mechanism& mechanism, const std::vector<ModePlan>& plans,
                 int threads) {
  std::size_t programs = 2 * FormulaRows::program_bound;
  for (const ModePlan& plan : plans) programs += 1 + plan.choices.size();
  mechanism.keep_programs(programs);
  if (threads < 2) {
    ModePrograms built;
    for (const ModePlan& plan : plans) mechanism.build(plan, built);
    return;
  }
  std::vector<Model> models;
  for (int k = 0; k < threads; ++k) models.push_back(with_own_formulas(model));
  std::vector<ModePrograms> built(threads);
  for_each_in_threads(threads, threads, [&](int k) {
    Mechanism own(models[k]);
    for (std::size_t i = k; i < plans.size(); i += threads) own.build(plans[i], built[k]);
  });
  for (const ModePrograms& part : built) mechanism.take(part);
}

}  // namespace clack
