// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "clack/error.hpp"
#include "clack/nearest_name.hpp"

namespace clack {
namespace {

template <class List>
int index_of(const List& list, std::string_view name, const char* kind) {
  std::vector<std::string> known;
  for (const auto& entry : list) {
    if (entry.name == name) return number_of(known);
    known.push_back(entry.name);
  }
  const std::string nearest = nearest_name(std::string(name), std::span<const std::string>(known));
  throw InputError(fmt::format("the model has no {} {}", kind, name), "",
                   !nearest.empty() ? "did you mean " + nearest + "?"
                   : known.empty()  ? fmt::format("it has no {} at all", kind)
                                    : "known are " + list_names(known));
}

void require_finite(const std::string& what, std::initializer_list<double> values) {
  for (const double value : values)
    if (!std::isfinite(value))
      throw InputError(fmt::format("{} is {}, must be finite", what, value), "",
                       "give a finite number");
}

/// Coordinates, speeds and parameters agree; entries that came from outside may differ.
bool is_same_mechanism(const Model& a, const Model& b) {
  const auto is_named_alike = [](const auto& x, const auto& y) { return x.name == y.name; };
  return a.name == b.name && std::ranges::equal(a.coordinates, b.coordinates, is_named_alike) &&
         std::ranges::equal(a.speeds, b.speeds, is_named_alike) &&
         std::ranges::equal(a.parameters, b.parameters, [](const Parameter& x, const Parameter& y) {
           return x.name == y.name && x.value == y.value;
         });
}

/// The rows of feet that are coordinates are numbered behind all others: nothing can arrive behind them.
void refuse_beside_feet(const Model& model, const std::vector<ModelAddition>& additions) {
  if (!std::ranges::any_of(model.feet, &Foot::has_speed)) return;
  for (const ModelAddition& addition : additions)
    if (addition.section == "constraints" || addition.section == "contacts")
      throw InputError(fmt::format("{}: a model with parameter in a contact takes no constraints "
                                   "and contacts from outside",
                                   addition.origin),
                       "", "put it into the model file and switch it by an event");
}

/// Policy `embedding: offline`: nothing is built after the start, so nothing can be taken in that has equations.
void refuse_after_building(const Model& model, const RunOptions& options,
                           const std::vector<ModelAddition>& additions) {
  const Theory theory = choose_theory(model.run, options.parts, model.dimension);
  const auto formulation =
      options.parts.formulations.make(theory.formulation, model.options[PartKind::formulation]);
  if (!formulation->minimal() || !formulation->minimal()->is_built_before()) return;
  throw InputError(fmt::format("{}: all modes were built before the start (embedding: offline), "
                               "nothing can be added to them",
                               additions.front().origin),
                   "", "use policies: embedding: online");
}

/// What begins with the entries, where the model has it.
Newcomers newcomers_of(const Model& model, const std::vector<ModelAddition>& additions) {
  Newcomers newcomers;
  for (const ModelAddition& addition : additions) {
    if (addition.section == "constraints")
      newcomers.constraints.push_back(index_of(model.constraints, addition.name, "constraint"));
    if (addition.section != "contacts") continue;
    const SourceIndex source(index_of(model.contacts, addition.name, "contact"));
    if (model.contacts[source].formulas()) newcomers.contacts.push_back({.source = source});
  }
  return newcomers;
}

/// Entries of the sections that a run has numbers for.
Arrivals with(Arrivals arrived, const std::vector<ModelAddition>& additions) {
  for (const ModelAddition& addition : additions) {
    arrived.contacts += addition.section == "contacts" ? 1 : 0;
    arrived.constraints += addition.section == "constraints" ? 1 : 0;
    arrived.inputs += addition.section == "inputs" ? 1 : 0;
  }
  return arrived;
}

/// What begins with the entries.
OutsideChange beginning_of(const Model& model, const std::vector<ModelAddition>& additions) {
  OutsideChange change;
  for (const ModelAddition& addition : additions) {
    if (addition.section == "contacts") change.arrivals.push_back("contact " + addition.name);
    if (addition.section != "constraints") continue;
    change.arrivals.push_back("constraint " + addition.name);
    const int c = index_of(model.constraints, addition.name, "constraint");
    change.switches.push_back({c, model.constraints[c].is_active});
  }
  return change;
}

}  // namespace

Simulation::Simulation(Model model, const RunOptions& options)
    : first_(std::make_shared<const Model>(std::move(model))),
      model_(first_),
      run_(std::make_unique<Run>(*model_, options)) {}

int Simulation::input_index(std::string_view name) const {
  return index_of(model_->inputs, name, "input");
}

Signal Simulation::input(std::string_view name) const { return run_->signals()[input_index(name)]; }

void Simulation::set_input(std::string_view name, const Signal& signal) {
  set_inputs({{std::string(name), signal}});
}

void Simulation::set_inputs(const std::vector<std::pair<std::string, Signal>>& signals) {
  OutsideChange change;
  for (const auto& [name, signal] : signals) {
    require_finite("input " + name, {signal.value, signal.rate, signal.acceleration});
    change.signals.push_back({input_index(name), signal});
  }
  if (!change.signals.empty()) run_->change(change);
}

void Simulation::switch_constraint(std::string_view name, bool is_on) {
  const int constraint = index_of(model_->constraints, name, "constraint");
  if (model_->constraints[constraint].active.is_valid())
    throw InputError(fmt::format("constraint {} is switched by its formula (active)", name), "",
                     "leave it to the formula, or use an input in it");
  run_->change({.switches = {{constraint, is_on}}});
}

void Simulation::stop() { run_->change({.is_stop = true}); }

/// The input behind a force is made when the force is first set, at zero; then the signal changes.
void Simulation::set_outside_force(const std::string& input, const Signal& signal,
                                   const ModelAddition& addition) {
  if (is_over()) run_->change({});  // throws
  const auto has_input = [&] {
    return std::ranges::any_of(model_->inputs, [&](const Input& i) { return i.name == input; });
  };
  if (!has_input()) take_in(prepare({{"inputs", input, "0", "force from outside"}, addition}));
  if (!is_over()) set_input(input, signal);
}

void Simulation::set_force(std::string_view coordinate, double force) {
  require_finite(fmt::format("the force on {}", coordinate), {force});
  std::string input = fmt::format("force_from_outside_{}", coordinate);
  std::ranges::replace(input, '.', '_');
  set_outside_force(input, {.value = force},
                    {"forces", "", fmt::format("{{coordinate: {}, force: {}}}", coordinate, input),
                     fmt::format("force on {}", coordinate)});
}

void Simulation::set_body_force(std::string_view body, const std::array<double, 3>& force) {
  require_finite(fmt::format("the force on body {}", body), {force[0], force[1], force[2]});
  index_of(model_->bodies, body, "body");
  const auto name = [&](char axis) {
    return fmt::format("body_force_from_outside_{}_{}", body, axis);
  };
  const std::string origin = fmt::format("force on body {}", body);
  const bool is_plane = model_->dimension == 2;
  const std::string components = is_plane
                                     ? fmt::format("[{}, {}]", name('x'), name('y'))
                                     : fmt::format("[{}, {}, {}]", name('x'), name('y'), name('z'));
  std::vector<ModelAddition> entries;
  std::vector<std::pair<std::string, Signal>> signals;
  for (int axis = 0; axis < model_->dimension; ++axis) {
    const std::string input = name("xyz"[axis]);
    entries.push_back({"inputs", input, "0", origin});
    signals.push_back({input, {.value = force[axis]}});
  }
  const bool is_known = std::ranges::any_of(
      model_->inputs, [&](const Input& i) { return i.name == signals[0].first; });
  entries.push_back({"forces", "", fmt::format("{{on: {}, force: {}}}", body, components), origin});
  if (!is_known) take_in(prepare(std::move(entries)));
  if (!is_over() || is_known) set_inputs(signals);
}

void Simulation::set_body_torque(std::string_view body, const std::array<double, 3>& torque) {
  require_finite(fmt::format("the torque on body {}", body), {torque[0], torque[1], torque[2]});
  index_of(model_->bodies, body, "body");
  const std::string origin = fmt::format("torque on body {}", body);
  const auto name = [&](char axis) { return fmt::format("torque_from_outside_{}_{}", body, axis); };
  const bool is_plane = model_->dimension == 2;
  const std::string value =
      is_plane ? name('z') : fmt::format("[{}, {}, {}]", name('x'), name('y'), name('z'));
  std::vector<ModelAddition> entries;
  std::vector<std::pair<std::string, Signal>> signals;
  for (int axis = is_plane ? 2 : 0; axis < 3; ++axis) {
    entries.push_back({"inputs", name("xyz"[axis]), "0", origin});
    signals.push_back({name("xyz"[axis]), {.value = torque[axis]}});
  }
  const bool is_known = std::ranges::any_of(
      model_->inputs, [&](const Input& i) { return i.name == signals[0].first; });
  entries.push_back({"torques", "", fmt::format("{{on: {}, torque: {}}}", body, value), origin});
  if (!is_known) take_in(prepare(std::move(entries)));
  if (!is_over() || is_known) set_inputs(signals);
}

void Simulation::add_constraint(const std::string& name, const std::string& entry) {
  take_in(prepare({{"constraints", name, entry, "constraint " + name + " from outside"}}));
}

void Simulation::add_contact(const std::string& name, const std::string& entry) {
  take_in(prepare({{"contacts", name, entry, "contact " + name + " from outside"}}));
}

Simulation::Prepared Simulation::read_additions(const Growth& growth, const RunOptions& options,
                                                std::vector<ModelAddition> additions) {
  refuse_after_building(*growth.first, options, additions);
  refuse_beside_feet(*growth.first, additions);
  Prepared prepared;
  prepared.growth = growth;
  for (const ModelAddition& addition : additions) prepared.growth.additions.push_back(addition);
  prepared.model = std::make_shared<const Model>(
      extend_model(*growth.first, prepared.growth.additions, options.parts));
  if (prepared.model->feet.size() > growth.first->feet.size())
    throw InputError(
        "a contact that follows a path cannot arrive: its closest point is a part of the state",
        "contact " + prepared.model->contacts[prepared.model->feet.back().source].name,
        "give it in the model file; its path may say known_from");
  prepared.options = options;
  prepared.options.arrived = with(options.arrived, additions);
  prepared.additions = std::move(additions);
  return prepared;
}

void Simulation::make_run(Prepared& prepared, const Mode& near) {
  prepared.run = Run::waiting(*prepared.model, prepared.options);
  prepared.run->build_ahead(near, newcomers_of(*prepared.model, prepared.additions));
}

Simulation::Prepared Simulation::prepare(std::vector<ModelAddition> additions) const {
  Prepared prepared = read_additions(growth(), run_->options(), std::move(additions));
  make_run(prepared, run_->mode());
  return prepared;
}

void Simulation::take_in(Prepared prepared) {
  if (is_over()) run_->change({});  // throws
  const RunOptions& options = run_->options();
  const Arrivals now = with(options.arrived, prepared.additions), then = prepared.options.arrived;
  const bool is_outdated = now.contacts != then.contacts || now.constraints != then.constraints ||
                           now.inputs != then.inputs;
  if (is_outdated) prepared = prepare(std::move(prepared.additions));
  prepared.run->succeed(*run_, beginning_of(*prepared.model, prepared.additions));
  run_ = std::move(prepared.run);
  model_ = std::move(prepared.model);
  for (ModelAddition& addition : prepared.additions) additions_.push_back(std::move(addition));
}

Simulation::Saved Simulation::save() const {
  return {model_, additions_, run_->options().arrived, run_->save()};
}

void Simulation::restore(const Saved& saved) {
  if (saved.model != model_) {
    if (!is_same_mechanism(*saved.model, *model_))
      throw InputError(fmt::format("the saved state is one of model {}, not of {}",
                                   saved.model->name, model_->name),
                       "", "restore it in a simulation of the model that it was saved from");
    RunOptions options = run_->options();
    options.arrived = saved.arrived;
    std::unique_ptr<Run> run = Run::waiting(*saved.model, options);
    run_ = std::move(run);
    model_ = saved.model;
    additions_ = saved.additions;
  }
  run_->restore(saved.run);
}

std::unique_ptr<Simulation> Simulation::clone() const {
  std::unique_ptr<Simulation> twin(new Simulation(Empty{}));
  twin->first_ = first_;
  twin->model_ = model_;
  twin->run_ = run_->clone();
  twin->additions_ = additions_;
  return twin;
}

std::unique_ptr<Simulation> Simulation::resumed(Model model, const RunOptions& options,
                                                const std::vector<ModelAddition>& additions,
                                                const SavedRun& saved, const SavedRecord& record) {
  std::unique_ptr<Simulation> twin(new Simulation(Empty{}));
  RunOptions own = options;
  own.arrived = with({}, additions);
  twin->first_ = std::make_shared<const Model>(std::move(model));
  twin->model_ =
      additions.empty()
          ? twin->first_
          : std::make_shared<const Model>(extend_model(*twin->first_, additions, options.parts));
  twin->additions_ = additions;
  twin->run_ = Run::waiting(*twin->model_, own);
  twin->run_->restore(saved, record);
  return twin;
}

}  // namespace clack
