// SPDX-License-Identifier: Apache-2.0
// What a run mends between events: drift, and the choice of the speeds that are integrated; and what it cannot mend.
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/formulation/mode_rows.hpp"
#include "clack/formulation/tolerances.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/hybrid/speed_choice_report.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

/// Whether the rows of a choice determine all speeds but these: B_D is regular, speeds in units of kinetic energy.
bool determines_others(const ModeRows& rows, const SpeedChoice& choice,
                       const std::vector<int>& independent) {
  std::vector<int> dependent;
  for (int j = 0; j < rows.speeds(); ++j)
    if (std::ranges::find(independent, j) == independent.end()) dependent.push_back(j);
  const Eigen::MatrixXd scaled = rows.rows() * rows.scale().asDiagonal();
  if (dependent.empty()) return true;
  Eigen::FullPivLU<Eigen::MatrixXd> lu;
  lu.setThreshold(formulation_tolerances.row_rank);
  lu.compute(scaled(choice.rows, dependent));
  return lu.isInvertible();
}

}  // namespace

/// Projects drift out between events when it exceeds its tolerance.
void Run::correct_drift() {
  if (model_.policies.drift == DriftPolicy::leave) return;
  if (dynamics_.rows().contacts.empty() && dynamics_.rows().constraints.empty()) return;
  dynamics_.evaluate(state_.t, state_.y.data());
  double allowed = 1.0;  // of Tolerances::drift
  if (integrator_
          ->has_history())  // every correction costs it hundreds of steps: what it leaves itself may stay
    allowed = std::max(allowed, hybrid_tolerances.drift_with_history * model_.run.tolerance /
                                    model_.tolerances.drift);
  if (!(drift_excess(dynamics_.snapshot(), dynamics_.rows().contacts, dynamics_.is_stick(),
                     model_.tolerances, state_.scales)
            .largest() > allowed))
    return;
  const DriftProjection& projection = drift_.project(tools_, state_);
  if (projection.stop) return end(projection.stop);
  state_.y = projection.y;
  recorder_.drift(projection);
  const double next = integrator_->next_step();
  recorder_.add_counts(integrator_->counts());
  integrator_->reset(dynamics_.right_hand_side(), state_.t, state_.y, next);
  take_integrator_state();  // dependent speeds to the last bit
}

/// The speeds that the model wants to begin with.
void Run::take_given_speeds() {
  if (model_.independent.empty() || std::exchange(state_.has_chosen_speeds, true)) return;
  MinimalSpeeds* speeds = dynamics_.minimal();
  const auto wrong = [&](const std::string& what, const std::vector<int>& instead) {
    throw ModelError(
        "run: independent: " + what, model_.where(model_.independent_place),
        fmt::format("name for example {}", fmt::join(speed_names(model_, instead), ", ")));
  };
  std::vector<int> chosen = speeds ? speeds->choice().independent : std::vector<int>();
  for (int j = 0; !speeds && j < dynamics_.speeds(); ++j) chosen.push_back(j);
  if (chosen.size() != model_.independent.size())
    wrong(fmt::format("{} speeds are named, the rows that hold at the start leave {}",
                      model_.independent.size(), chosen.size()),
          chosen);
  if (!speeds) return;
  ModeRows rows;
  rows.enter(dynamics_.shape());
  rows.gather(dynamics_.snapshot());
  if (!determines_others(rows, speeds->choice(), model_.independent))
    wrong(fmt::format("at the start {} do not determine the other speeds",
                      fmt::join(speed_names(model_, model_.independent), ", ")),
          chosen);
  speeds->choose(dynamics_.snapshot(), model_.independent);
}

/// A mode of minimal speeds begins: its first choice, and what stands in its way.
void Run::check_embedding() {
  MinimalSpeeds* speeds = dynamics_.minimal();
  if (!speeds) return take_given_speeds();
  dynamics_.evaluate(state_.t, state_.y.data());
  take_given_speeds();
  if (std::optional<Stop> stop = embedding_failure(model_, dynamics_, state_.t))
    return end(std::move(stop));
  if (std::optional<Stop> stop = unbuilt_mode()) return end(std::move(stop));
  if (const std::string note = redundancy_note(model_, dynamics_, state_.t, speeds->choice());
      !note.empty())
    recorder_.remark("rows-redundant", note);
}

/// Where the choice of independent speeds becomes singular a new one is taken; nothing else changes.
void Run::reselect_speeds() {
  MinimalSpeeds* speeds = dynamics_.minimal();
  if (!speeds) return;
  dynamics_.evaluate(state_.t, state_.y.data());
  if (!(speeds->growth() > formulation_tolerances.growth)) return;
  const int rank = speeds->choice().rank();
  speeds->choose(dynamics_.snapshot());
  if (speeds->choice().rank() < rank)
    return end(rank_failure(model_, dynamics_, state_.t, rank, speeds->choice()));
  if (std::optional<Stop> stop = unbuilt_mode()) return end(std::move(stop));
  const double next = integrator_->next_step();
  recorder_.add_counts(integrator_->counts());
  recorder_.row(state_.t, state_.y.data());
  integrator_->reset(dynamics_.right_hand_side(), state_.t, state_.y, next);
  take_integrator_state();
  recorder_.reselect(state_.t, speed_names(model_, speeds->choice().independent));
  recorder_.row(state_.t, state_.y.data());
  ++state_.events;
}

/// Ends the run at the first row outside the domain of its mode: such a motion is never integrated on. Where drift is to
/// be left alone the row is only named: rows that are let go need not hold.
bool Run::stop_outside_domain() {
  const std::optional<BrokenRow>& broken = recorder_.broken();
  if (!broken || state_.is_over || model_.policies.drift == DriftPolicy::leave) return false;
  if (broken->t > state_.t) {  // a sample of the pending step
    state_.t = broken->t;
    integrator_->dense(state_.t, state_.y);
    mechanism_->normalise(state_.y.data());
    recorder_.add_counts(integrator_->counts());
  }
  end(Stop{
      broken->text(),
      "another --decision or --formulation may find an admissible mode; please report the model"});
  return true;
}

}  // namespace clack
