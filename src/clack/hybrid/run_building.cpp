// SPDX-License-Identifier: Apache-2.0
// When the programs of modes are made: before the start, by a worker for what is announced, else where they are needed.
#include <fmt/ranges.h>

#include <chrono>
#include <limits>

#include "clack/hybrid/run.hpp"
#include "clack/hybrid/speed_choice_report.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {

/// Policy `embedding: offline`.
void Run::build_before_start() {
  const MinimalSpeeds* speeds = formulation_->minimal();
  if (!speeds || !speeds->is_built_before()) return;
  build_modes(model_, *mechanism_,
              plan_all_modes(model_, *mechanism_, hybrid_tolerances.modes_before_start),
              options_.threads);
}

/// What the model lets be known later is built while what it knows now moves.
void Run::announce() {
  const MinimalSpeeds* speeds = formulation_->minimal();
  if (!speeds || speeds->is_built_before()) return;
  Newcomers newcomers;
  TraceEmbedding embedding;
  announced_from_ = std::numeric_limits<double>::infinity();
  for (int c = 0; c < number_of(model_.constraints); ++c) {
    const Constraint& constraint = model_.constraints[c];
    if (!(constraint.known_from > 0.0) || constraint.known_from > model_.run.until) continue;
    newcomers.constraints.push_back(c);
    embedding.rows.push_back(constraint.name);
    announced_from_ = std::min(announced_from_, constraint.known_from);
  }
  if (newcomers.constraints.empty()) return;
  embedding.known_at = announced_from_;
  embeddings_.push_back(std::move(embedding));
  Mode near;
  near.constraints = surroundings_.constraints_at_start();
  announced_ = std::make_unique<BuildAhead>(model_, [near, newcomers](const Model& model,
                                                                      const Mechanism& mechanism) {
    return plan_modes_ahead(model, mechanism, near, newcomers, hybrid_tolerances.programs_ahead);
  });
}

/// Where something of it can act for the first time simulated time waits for the worker.
void Run::take_announced() {
  if (!announced_ || state_.t < announced_from_) return;
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  mechanism_->take(announced_->take());
  announced_.reset();
  embeddings_.back().ready_at = state_.t;
  embeddings_.back().blocked_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
}

void Run::build_ahead(const Mode& near, const Newcomers& newcomers) {
  ModePrograms programs;
  for (const ModePlan& plan :
       plan_modes_ahead(model_, *mechanism_, near, newcomers, hybrid_tolerances.programs_ahead))
    mechanism_->build(plan, programs);
}

/// Why the run cannot go on in a mode that was to be built before the start.
std::optional<Stop> Run::unbuilt_mode() const {
  const MinimalSpeeds* speeds = dynamics_.minimal();
  if (!speeds || !speeds->is_built_before() || dynamics_.is_embedding_built()) return std::nullopt;
  std::vector<std::string> rows;
  for (const ContactKey& contact : dynamics_.rows().contacts)
    rows.push_back(contact_name(model_, contact));
  for (const int c : dynamics_.rows().constraints) rows.push_back(model_.constraints[c].name);
  return Stop{fmt::format("t = {:.9g} s: the mode with {} and the dependent speeds {} was not "
                          "built before the start",
                          state_.t, fmt::join(rows, ", "),
                          fmt::join(speed_names(model_, speeds->choice().dependent), ", ")),
              "nothing in the model says that it can be reached; use policies: embedding: online"};
}

}  // namespace clack
