// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/steered_run.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "clack/error.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

template <class List>
void require_name(const List& known, const std::string& name, const char* kind,
                  const std::string& where) {
  if (std::ranges::find(known, name) != known.end()) return;
  const std::vector<std::string> names(known.begin(), known.end());
  const std::string nearest = nearest_name(name, std::span<const std::string>(names));
  throw InputError(fmt::format("the model has no {} {}", kind, name), where,
                   !nearest.empty() ? "did you mean " + nearest + "?"
                   : names.empty()  ? fmt::format("it has no {} at all", kind)
                                    : "known are " + list_names(names));
}

}  // namespace

SteeredRun::SteeredRun(std::unique_ptr<Simulation> simulation)
    : simulation_(std::move(simulation)) {
  std::promise<Base> now;
  now.set_value({simulation_->growth(), simulation_->shared_model(), simulation_->run().options()});
  announced_ = now.get_future().share();
  for (const Constraint& c : simulation_->model().constraints) constraint_names_.push_back(c.name);
}

void SteeredRun::check_names(const InputLine& line, const Model& known) const {
  std::vector<std::string> inputs;
  for (const Input& input : known.inputs) inputs.push_back(input.name);
  for (const auto& input : line.inputs) require_name(inputs, input.first, "input", line.where);
  for (const std::string& name : {line.on, line.off}) {
    if (name.empty()) continue;
    require_name(constraint_names_, name, "constraint", line.where);
    const auto found = std::ranges::find(known.constraints, name, &Constraint::name);
    if (found != known.constraints.end() && found->active.is_valid())
      throw InputError("constraint " + name + " is switched by its formula (active)", line.where,
                       "leave it to the formula, or use an input in it");
  }
}

/// The base of what is announced next: with these entries, or without them when they were refused.
std::shared_future<SteeredRun::Base> SteeredRun::with(
    const std::shared_future<Ready>& prepared) const {
  return std::async(std::launch::deferred,
                    [prepared, before = announced_] {
                      try {
                        return prepared.get().base;
                      } catch (const InputError&) {
                        return before.get();
                      }
                    })
      .share();
}

/// The larger model is read here, so that a mistake is told to whoever put the line; what takes longer, its equations and
/// programs, is made by the worker.
void SteeredRun::put(InputLine line) {
  check_names(line, *announced_.get().model);
  std::shared_future<Ready> prepared;
  if (!line.additions.empty()) {
    const Base& before = announced_.get();
    const auto larger = std::make_shared<Simulation::Prepared>(
        Simulation::read_additions(before.growth, before.options, line.additions));
    prepared = std::async(std::launch::async, [larger, near = simulation_->run().mode()] {
                 Simulation::make_run(*larger, near);
                 return Ready{larger, {larger->growth, larger->model, larger->options}};
               }).share();
  }
  add(std::move(line), std::move(prepared));
}

void SteeredRun::announce(InputLine line) {
  check_names(line, simulation_->model());
  std::shared_future<Ready> prepared;
  if (!line.additions.empty())
    prepared = std::async(std::launch::async, [before = announced_, additions = line.additions,
                                               near = simulation_->run().mode()] {
                 const Base& base = before.get();
                 const auto larger = std::make_shared<Simulation::Prepared>(
                     Simulation::read_additions(base.growth, base.options, additions));
                 Simulation::make_run(*larger, near);
                 return Ready{larger, {larger->growth, larger->model, larger->options}};
               }).share();
  add(std::move(line), std::move(prepared));
}

void SteeredRun::add(InputLine line, std::shared_future<Ready> prepared) {
  Announced next;
  const bool has_time = line.t && *line.t >= simulation_->time();
  next.t = has_time ? *line.t : simulation_->time();
  next.known_at = simulation_->time();
  if (prepared.valid()) announced_ = with(prepared);
  for (const ModelAddition& addition : line.additions)
    if (addition.section == "constraints") constraint_names_.push_back(addition.name);
  next.prepared = std::move(prepared);
  next.line = std::move(line);
  if (!has_time) {
    untimed_.push_back(std::move(next));
    return;
  }
  const auto place = std::ranges::upper_bound(waiting_, next.t, {}, &Announced::t);
  waiting_.insert(place, std::move(next));
}

double SteeredRun::next_action() const {
  return waiting_.empty() ? std::numeric_limits<double>::infinity() : waiting_.front().t;
}

std::vector<std::string> SteeredRun::waiting() const {
  std::vector<std::string> lines;
  for (const Announced& next : waiting_) lines.push_back(next.line.at(next.t));
  return lines;
}

bool SteeredRun::Announced::is_ready() const {
  return !prepared.valid() ||
         prepared.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// Lines without a time, in their order, as far as they are ready.
void SteeredRun::act_on_untimed() {
  while (!untimed_.empty() && untimed_.front().is_ready() && !is_over()) {
    Announced next = std::move(untimed_.front());
    untimed_.pop_front();
    act_or_refuse(next);
  }
}

/// A line may name a constraint that is still being made.
void SteeredRun::wait_for(const InputLine& line) {
  const std::string& name = line.on.empty() ? line.off : line.on;
  const auto is_known = [&] {
    return name.empty() || std::ranges::any_of(simulation_->model().constraints,
                                               [&](const Constraint& c) { return c.name == name; });
  };
  while (!is_known() && !untimed_.empty() && !is_over()) {
    Announced next = std::move(untimed_.front());
    untimed_.pop_front();
    act_or_refuse(next);
  }
}

void SteeredRun::act(Announced& next) {
  const InputLine& line = next.line;
  wait_for(line);
  if (is_over()) return;
  const double t = simulation_->time();
  if (!line.inputs.empty()) simulation_->set_inputs(line.inputs);
  if (!line.on.empty()) simulation_->switch_constraint(line.on, true);
  if (!line.off.empty()) simulation_->switch_constraint(line.off, false);
  if (line.is_stop) simulation_->stop();
  if (!line.additions.empty()) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const std::shared_ptr<Simulation::Prepared> prepared = next.prepared.get().prepared;
    TraceEmbedding embedding;
    embedding.blocked_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    for (const ModelAddition& addition : line.additions) embedding.rows.push_back(addition.name);
    embedding.known_at = next.known_at;
    embedding.ready_at = next.ready_at.value_or(t);
    simulation_->take_in(std::move(*prepared));
    embeddings_.push_back(std::move(embedding));
  }
  acted_.push_back(line.at(t));
}

void SteeredRun::act_or_refuse(Announced& next) {
  try {
    act(next);
  } catch (const InputError& e) {
    refused_.emplace_back(e.what(), e.where().empty() ? next.line.where : e.where(), e.remedy());
  }
}

void SteeredRun::advance_until(double t) {
  if (!untimed_.empty()) act_on_untimed();
  while (!waiting_.empty() && waiting_.front().t <= t && !is_over()) {
    simulation_->advance_until(waiting_.front().t);
    if (is_over()) break;
    Announced next = std::move(waiting_.front());
    waiting_.pop_front();
    act_or_refuse(next);
  }
  simulation_->advance_until(t);
  for (Announced& next : waiting_)
    if (next.prepared.valid() && !next.ready_at && next.is_ready())
      next.ready_at = simulation_->time();
}

void SteeredRun::advance_to_end() {
  while (!waiting_.empty() && !is_over()) advance_until(waiting_.front().t);
  simulation_->advance_to_end();
}

}  // namespace clack
