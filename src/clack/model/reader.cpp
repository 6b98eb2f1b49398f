// SPDX-License-Identifier: Apache-2.0
#include "clack/model/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "clack/error.hpp"
#include "clack/input_file.hpp"
#include "clack/model/parameters_reader.hpp"
#include "clack/model/repeat.hpp"
#include "clack/model/section_readers.hpp"
#include "clack/model/settings.hpp"
#include "clack/nearest_name.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {
namespace {

const std::vector<std::string> top_keys = {
    "clack",       "name",        "about",     "source",      "dimension", "parameters", "inputs",
    "gravity",     "frames",      "bodies",    "coordinates", "speeds",    "kinematics", "starts",
    "mass_matrix", "force",       "potential", "springs",     "dampers",   "forces",     "torques",
    "joints",      "constraints", "contacts",  "exclusive",   "paths",     "surfaces",   "events",
    "cycle",       "draw",        "run",       "policies",    "tolerances"};

const std::vector<std::string> repeatable = {"bodies",  "coordinates", "contacts", "constraints",
                                             "springs", "dampers",     "forces",   "torques",
                                             "events",  "draw",        "joints"};

yaml::Node& child(yaml::Node& map, const std::string& key) {
  if (yaml::Node* found = map.find(key)) return *found;
  map.entries.push_back({key, {}, {}});
  return map.entries.back().value;
}

void set_text(yaml::Node& map, const std::string& key, const Override& override) {
  if (map.kind == yaml::Kind::null) map.kind = yaml::Kind::map;
  yaml::Node& value = child(map, key);
  value = yaml::text_node(override.formula);
  value.origin = "--set " + printable(override.name, 60);
}

const std::vector<std::string> setting_sections = {"run", "policies", "tolerances"};

/// A theory that is asked for from outside brings its own parts; those that the file names give
/// way.
void let_theory_decide(yaml::Node& root, const std::vector<Override>& overrides) {
  const bool is_asked_for = std::any_of(overrides.begin(), overrides.end(),
                                        [](const Override& o) { return o.name == "run.theory"; });
  yaml::Node* run = root.find("run");
  if (!is_asked_for || run == nullptr) return;
  for (const PartKind kind : {PartKind::formulation, PartKind::decision, PartKind::impact_law})
    std::erase_if(run->entries,
                  [kind](const yaml::Entry& entry) { return entry.key == run_key(kind); });
}

/// A model in space that names no theory gets the first one whose parts can do space.
void choose_theory_for_space(yaml::Node& root, const std::vector<Override>& overrides,
                             const PartCatalogue& catalogue) {
  const bool is_asked_for = std::any_of(overrides.begin(), overrides.end(),
                                        [](const Override& o) { return o.name == "run.theory"; });
  if (is_asked_for || !choice_in(root).theory.empty()) return;
  const auto is_able = [&](PartKind kind, std::string_view name) {
    const PartDescription* part = catalogue.part(kind, name);
    return part != nullptr && !part->needs.plane;
  };
  for (const TheoryPreset& theory : catalogue.theories) {
    if (!is_able(PartKind::formulation, theory.formulation) ||
        !is_able(PartKind::decision, theory.decision) ||
        !is_able(PartKind::impact_law, theory.impact))
      continue;
    yaml::Node& run = child(root, "run");
    if (run.kind == yaml::Kind::null) run.kind = yaml::Kind::map;
    child(run, "theory") = yaml::text_node(std::string(theory.name));
    return;
  }
}

/// `run.KEY`, `policies.KEY`, `tolerances.KEY`: settings of the run.
void apply_settings(yaml::Node& root, const std::vector<Override>& overrides,
                    const PartCatalogue& catalogue, std::vector<bool>& is_used) {
  for (std::size_t k = 0; k < overrides.size(); ++k)
    for (const std::string& section : setting_sections)
      for (const std::string& key : section_keys(section, catalogue))
        if (overrides[k].name == section + "." + key) {
          set_text(child(root, section), key, overrides[k]);
          is_used[k] = true;
        }
}

/// `policies.TYPO`: a key that its section does not have.
void refuse_unknown_setting(const Override& override, const PartCatalogue& catalogue) {
  for (const std::string& section : setting_sections) {
    if (override.name.rfind(section + ".", 0) != 0) continue;
    yaml::Node map;
    map.kind = yaml::Kind::map;
    map.entries.push_back({override.name.substr(section.size() + 1), {}, {}});
    yaml::check_keys(map, section, section_keys(section, catalogue),
                     "--set " + printable(override.name, 60));
  }
}

/// `NAME_0`: start values. They are collected under `starts`, where resolved files keep them.
void apply_starts(Reading& reading, yaml::Node& root, const std::vector<Override>& overrides,
                  const PartCatalogue& catalogue, std::vector<bool>& is_used) {
  const Model& model = reading.model;
  std::unordered_map<std::string, std::string> meanings;
  std::vector<std::string> known;
  const auto add = [&](const std::string& option, const std::string& name) {
    if (meanings.emplace(option, name).second) known.push_back(option);
  };
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  for (const Coordinate& coordinate : model.coordinates)
    add(coordinate.name + "_0", coordinate.name);
  for (const Speed& speed : model.speeds) add(speed.name + "_0", speed.name);
  for (std::size_t k = 0; k < reading.definitions.size(); ++k) {
    add(reading.rate_names[k] + "_0", reading.rate_names[k]);
    add(model.coordinates[k].name + "_dot_0", reading.rate_names[k]);
  }
  for (std::size_t k = 0; k < model.coordinates.size(); ++k)
    if (symbolic::is_symbol(model.rates[k]))
      add(model.coordinates[k].name + "_dot_0", symbolic::symbol_name(model.rates[k]));
  for (const Parameter& parameter : model.parameters)
    if (meanings.contains(parameter.name))
      reading.fail(*root.find("parameters"),
                   fmt::format("parameter {} has the name of a start value", parameter.name),
                   "choose another name");
  for (std::size_t k = 0; k < overrides.size(); ++k) {
    if (is_used[k]) continue;
    const auto found = meanings.find(overrides[k].name);
    if (found == meanings.end()) {
      refuse_unknown_setting(overrides[k], catalogue);
      const std::string nearest =
          nearest_name(overrides[k].name, std::span<const std::string>(known));
      constexpr std::size_t most_listed = 40;
      if (known.size() > most_listed) known.resize(most_listed);
      throw ModelError(
          "the model has no parameter or start value " + printable(overrides[k].name, 60),
          "--set " + printable(overrides[k].name, 60),
          (nearest.empty() ? "" : "did you mean " + nearest + "? ") +
              (known.empty() ? "the model has none" : "known are " + list_names(known)));
    }
    set_text(child(root, "starts"), found->second, overrides[k]);
  }
}

void read_header(Reading& reading, const yaml::Node& root) {
  Model& model = reading.model;
  const yaml::Node* version = root.find("clack");
  if (!version)
    reading.fail(root, "the format version is missing", "start the file with the line  clack: 1");
  if (version->text != "1")
    reading.fail(*version,
                 fmt::format("clack: format version {} is unknown", printable(version->text, 20)),
                 "this program reads version 1: write clack: 1");
  model.name = std::filesystem::path(model.file).stem().string();
  if (const yaml::Node* name = root.find("name")) model.name = reading.text(*name, "name");
  if (const yaml::Node* about = root.find("about")) model.about = reading.text(*about, "about");
  if (const yaml::Node* source = root.find("source"))
    model.source = reading.text(*source, "source");
  if (const yaml::Node* dimension = root.find("dimension")) {
    if (dimension->text != "2" && dimension->text != "3")
      reading.fail(*dimension,
                   fmt::format("dimension is {}, must be 2 or 3", printable(dimension->text, 20)),
                   "write dimension: 2 for the plane, 3 for space");
    model.dimension = dimension->text == "2" ? 2 : 3;
  }
}

/// The model's own names, for counts and braces of repeat.
symbolic::Names parameter_names(Reading& reading) {
  symbolic::Names names;
  for (const Parameter& parameter : reading.model.parameters)
    names.known_names.push_back(parameter.name);
  names.resolve = [&reading](std::string_view name) -> Expression {
    const auto value = reading.formulas.parameter(std::string(name));
    return value ? reading.formulas.graph().number(*value) : Expression{};
  };
  return names;
}

void read_mechanism(Reading& reading, yaml::Node& root, const std::vector<Override>& overrides,
                    const PartCatalogue& catalogue, std::vector<bool>& is_used) {
  Model& model = reading.model;
  reading.has_rows = root.find("constraints") || root.find("joints");
  read_coordinates(reading, root.find("coordinates"), root.find("speeds"), root.find("kinematics"));
  if (const yaml::Node* frames = root.find("frames")) read_frames(reading, *frames);
  if (const yaml::Node* bodies = root.find("bodies"))
    read_bodies(reading, *bodies, root.find("coordinates"));
  if (model.coordinates.empty())
    reading.fail(root, "nothing in this model moves",
                 "give bodies that are not fixed, or coordinates");
  complete_rates(reading);
  apply_starts(reading, root, overrides, catalogue, is_used);
  if (const yaml::Node* starts = root.find("starts")) read_starts(reading, *starts);
  finish_speeds(reading);
  read_independent(reading, root);
  finish_orientations(reading);
  model.gravity = {reading.zero(), reading.zero(), reading.zero()};
  if (const yaml::Node* gravity = root.find("gravity"))
    model.gravity = reading.vector_formula(*gravity, "gravity", allow_time);
  read_mass_matrix(reading, root);
  check_mass_matrix(reading, root);
  check_placed_masses(reading, root);
  if (const yaml::Node* potential = root.find("potential")) {
    if (model.mass_matrix.empty())
      reading.fail(*potential, "potential belongs to models given by mass_matrix and force",
                   "remove it: bodies, gravity and springs have their own");
    model.potential = reading.formulas.formula(*potential, "potential", allow_position);
  }
}

void read_laws(Reading& reading, const yaml::Node& root) {
  const yaml::Node* joints = root.find("joints");
  if (const yaml::Node* paths = root.find("paths")) read_paths(reading, *paths, 1);
  if (const yaml::Node* surfaces = root.find("surfaces")) read_paths(reading, *surfaces, 2);
  if (joints) read_joints(reading, *joints);
  if (const yaml::Node* constraints = root.find("constraints"))
    read_constraints(reading, *constraints, EntryOrigin::file);
  add_joint_constraints(reading);
  if (const yaml::Node* constraints = root.find("constraints"))
    read_constraints(reading, *constraints, EntryOrigin::outside);
  solve_guesses(reading, root);
  if (const yaml::Node* springs = root.find("springs")) read_springs(reading, *springs, false);
  if (const yaml::Node* dampers = root.find("dampers")) read_springs(reading, *dampers, true);
  if (const yaml::Node* forces = root.find("forces")) read_forces(reading, *forces);
  if (const yaml::Node* torques = root.find("torques")) read_torques(reading, *torques);
  const yaml::Node* contacts = root.find("contacts");
  if (contacts) read_contacts(reading, *contacts, EntryOrigin::file);
  add_joint_limits(reading);
  add_joint_frictions(reading);
  if (contacts) read_contacts(reading, *contacts, EntryOrigin::outside);
  add_foot_constraints(reading);
  place_feet(reading);
  name_forces(reading);
  name_joint_forces(reading);
  if (const yaml::Node* constraints = root.find("constraints"))
    read_activities(reading, *constraints);
  if (joints) read_joint_activities(reading, *joints);
  if (const yaml::Node* exclusive = root.find("exclusive")) read_exclusive(reading, *exclusive);
  if (const yaml::Node* events = root.find("events")) read_events(reading, *events);
  if (joints) check_joint_switches(reading, *joints);
  keep_watched_forces(reading);
  if (const yaml::Node* cycle = root.find("cycle")) read_cycle(reading, *cycle);
  if (const yaml::Node* draw = root.find("draw")) read_draw(reading, *draw);
  draw_paths(reading);
}

/// All formulas at once at t = 0 in the start state: a formula that is not finite there cannot run.
void check_finite_at_start(const Reading& reading) {
  const Model& model = reading.model;
  std::vector<Expression> inputs{model.time}, outputs;
  std::vector<double> start{0.0};
  for (const Coordinate& coordinate : model.coordinates) {
    inputs.push_back(coordinate.symbol);
    start.push_back(coordinate.start);
  }
  for (const Speed& speed : model.speeds) {
    inputs.push_back(speed.symbol);
    start.push_back(speed.start);
  }
  for (const WatchedForce& force : model.watched_forces) {
    inputs.push_back(force.symbol);
    start.push_back(0.0);
  }
  add_input_symbols(model, inputs, start);
  for (const auto& read : reading.formulas.formulas()) outputs.push_back(read.formula);
  if (outputs.empty()) return;
  std::vector<double> values(outputs.size());
  symbolic::Program(inputs, outputs, symbolic::Backend::tape)(start.data(), values.data());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      throw ModelError(fmt::format("{} is {} at the start, must be finite",
                                   reading.formulas.formulas()[k].what, values[k]),
                       reading.formulas.formulas()[k].where,
                       "check the formula at t = 0 and the start values");
}

/// The file as it was given, with the values that were used.
std::string resolve(const Reading& reading, const yaml::Node& root, const yaml::Node& expanded) {
  const Model& model = reading.model;
  yaml::Node resolved = root;
  if (yaml::Node* parameters = resolved.find("parameters")) {
    parameters->entries.clear();
    for (const Parameter& parameter : model.parameters)
      parameters->entries.push_back({parameter.name, {}, yaml::number_node(parameter.value)});
  }
  if (const yaml::Node* starts = expanded.find("starts")) {
    yaml::Node& target = child(resolved, "starts");
    target.kind = yaml::Kind::map;
    target.entries.clear();
    const auto is_given = [&](const std::string& name) { return starts->find(name) != nullptr; };
    const auto add = [&](const std::string& name, double value) {
      target.entries.push_back({name, {}, yaml::number_node(value)});
    };
    // A quaternion is scaled as a whole, so its four parts are written together.
    std::vector<bool> is_written(model.coordinates.size(), false);
    for (const Body& body : model.bodies) {
      if (body.kind != BodyKind::free || model.dimension == 2) continue;
      const std::size_t first = body.first_coordinate + 3;
      bool is_any = false;
      for (std::size_t k = 0; k < 4; ++k) is_any |= is_given(model.coordinates[first + k].name);
      for (std::size_t k = 0; k < 4; ++k) is_written[first + k] = is_any;
    }
    for (std::size_t k = 0; k < model.coordinates.size(); ++k)
      if (is_written[k] || is_given(model.coordinates[k].name))
        add(model.coordinates[k].name, model.coordinates[k].start);
    for (const Speed& speed : model.speeds)
      if (is_given(speed.name)) add(speed.name, speed.start);
    for (const auto& [k, value] : reading.rate_overrides) add(reading.rate_names[k], value);
  }
  return yaml::to_yaml(resolved);
}

}  // namespace

Model read_model_tree(yaml::Node root, const std::string& file,
                      const std::vector<Override>& overrides, const PartCatalogue& catalogue,
                      const SmoothShapes& shapes) {
  Model model;
  model.graph = std::make_shared<symbolic::Graph>();
  model.file = file;
  model.time = model.graph->symbol("t");
  FormulaReader formulas(*model.graph, file);
  Reading reading{model, formulas, shapes, {}, {}, {}, {}, {}};
  yaml::check_keys(root, "", top_keys, file);
  read_header(reading, root);
  std::vector<bool> is_used(overrides.size(), false);
  for (const std::string& section : setting_sections)
    if (const yaml::Node* node = root.find(section))
      reading.check_keys(*node, section, section_keys(section, catalogue));
  if (model.dimension == 3) choose_theory_for_space(root, overrides, catalogue);
  const PartChoice own = choice_in(root);
  let_theory_decide(root, overrides);
  apply_settings(root, overrides, catalogue, is_used);
  model.notes = settle_parts(root, own, catalogue, file);
  read_parameters(reading, root.find("parameters"), overrides, is_used);
  if (const yaml::Node* inputs = root.find("inputs")) read_inputs(reading, *inputs);
  yaml::Node expanded = root;
  const symbolic::Names names = parameter_names(reading);
  for (const std::string& section : repeatable)
    if (yaml::Node* node = expanded.find(section)) expand_repeats(*node, section, formulas, names);
  if (const yaml::Node* run = expanded.find("run")) read_run(reading, *run);
  if (const yaml::Node* policies = expanded.find("policies")) read_policies(reading, *policies);
  if (const yaml::Node* tolerances = expanded.find("tolerances"))
    read_tolerances(reading, *tolerances);
  read_part_options(reading, expanded, catalogue);
  read_mechanism(reading, expanded, overrides, catalogue, is_used);
  read_laws(reading, expanded);
  check_finite_at_start(reading);
  add_remarks(reading, root);
  model.resolved_yaml = resolve(reading, root, expanded);
  model.graph->seal();
  return model;
}

Model read_model_text(const std::string& yaml, const std::string& file,
                      const std::vector<Override>& overrides, const PartCatalogue& catalogue,
                      const SmoothShapes& shapes) {
  yaml::Node root = yaml::parse(yaml, file);
  if (root.kind == yaml::Kind::null)
    throw ModelError("the file is empty", file, "start it with the line  clack: 1");
  return read_model_tree(std::move(root), file, overrides, catalogue, shapes);
}

Model read_model(const std::string& path, const std::vector<Override>& overrides,
                 const PartCatalogue& catalogue, const SmoothShapes& shapes) {
  std::string text;
  try {
    text = read_input_file(path);
  } catch (const InputError& e) {
    throw ModelError(e.what(), e.where(), e.remedy());
  }
  return read_model_text(text, path, overrides, catalogue, shapes);
}

}  // namespace clack
