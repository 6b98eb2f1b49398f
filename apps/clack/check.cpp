// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <exception>
#include <optional>

#include "clack/automaton/automaton_export.hpp"
#include "clack/error.hpp"
#include "clack/hybrid/run.hpp"
#include "clack/hybrid/start_check.hpp"
#include "clack/hybrid/theory.hpp"
#include "clack/json_output.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/terminal_text.hpp"
#include "commands.hpp"
#include "settings.hpp"

namespace clack::command {
namespace {

struct CheckRequest {
  std::string model;
  std::vector<std::string> settings;
  bool is_json = false;
};

using CheckJson = nlohmann::ordered_json;

/// The contacts that the consistency of restitution speaks of, in its order.
std::vector<std::string> closed_names(const Model& model, const StartReport& report) {
  std::vector<std::string> names;
  for (const ContactStart& start : report.contacts)
    if (start.status == StartStatus::closed) names.push_back(contact_name(model, start.contact));
  return names;
}

/// Bodies as they are drawn, and pairs of them at the start.
struct OutlineCount {
  int convex = 0, reflex = 0, collinear = 0, arcs = 0;
};

OutlineCount count_corners(const Outline& outline) {
  OutlineCount count;
  for (const OutlineVertex& vertex : outline.vertices) {
    const Corner corner = corner_kind(vertex.turn);
    ++(corner == Corner::convex   ? count.convex
       : corner == Corner::reflex ? count.reflex
                                  : count.collinear);
  }
  for (const OutlineEdge& edge : outline.edges) count.arcs += edge.is_straight() ? 0 : 1;
  return count;
}

CheckJson outlines_json(const Model& model) {
  CheckJson outlines = CheckJson::array();
  for (const Body& body : model.bodies) {
    const Outline* outline = body.shape ? std::get_if<Outline>(&*body.shape) : nullptr;
    if (!outline) continue;
    const OutlineCount count = count_corners(*outline);
    outlines.push_back({{"body", body.name},
                        {"vertices", outline->vertices.size()},
                        {"convex", count.convex},
                        {"reflex", count.reflex},
                        {"collinear", count.collinear},
                        {"arcs", count.arcs},
                        {"area", area_moments(*outline).area},
                        {"mass", body.mass},
                        {"inertia", body.inertia(2, 2)}});
  }
  return outlines;
}

CheckJson pairs_json(const Model& model, const StartReport& report) {
  CheckJson pairs = CheckJson::array();
  for (const OutlineStart& start : report.outlines) {
    CheckJson closest = CheckJson::array();
    for (const ClosestPair& c : start.gap.contacts)
      closest.push_back(contact_name(model, contact_key(start.source, c.candidate)));
    CheckJson pair = {{"name", model.contacts[start.source].name},
                      {"status", std::string(to_string(start.gap.status))},
                      {"gap", nullptr},
                      {"closest", closest}};
    if (start.gap.gap) pair["gap"] = *start.gap.gap;
    pairs.push_back(pair);
  }
  return pairs;
}

std::string outlines_text(const Model& model, const StartReport& report) {
  std::string text;
  for (const CheckJson& o : outlines_json(model))
    text += fmt::format(
        "outline      {}: {} vertices ({} convex, {} reflex, {} collinear){}, area {:.9g} m2, mass "
        "{:.9g} kg\n",
        o["body"].get<std::string>(), o["vertices"].get<int>(), o["convex"].get<int>(),
        o["reflex"].get<int>(), o["collinear"].get<int>(),
        o["arcs"].get<int>() > 0 ? fmt::format(", {} arcs", o["arcs"].get<int>()) : "",
        o["area"].get<double>(), o["mass"].get<double>());
  for (const CheckJson& p : pairs_json(model, report)) {
    text += fmt::format("pair         {}: {}", p["name"].get<std::string>(),
                        p["status"].get<std::string>());
    if (!p["gap"].is_null()) text += fmt::format(", gap {:.9g} m", p["gap"].get<double>());
    for (const CheckJson& name : p["closest"]) text += " " + name.get<std::string>();
    text += "\n";
  }
  return text;
}

/// Overlaps of outlines at the start, as errors.
void complain_of_overlaps(const Model& model, const StartReport& report) {
  for (const OutlineStart& start : report.outlines) {
    if (start.may_start) continue;
    const Contact& contact = model.contacts[start.source];
    const std::string what = start.gap.gap ? fmt::format("penetrates by {:.6g} m", -*start.gap.gap)
                                           : std::string("the polygons cross each other");
    fmt::print(stderr, "error: contact {}: {} at the start ({})\nhelp: move the bodies apart\n",
               contact.name, what, model.where(contact.place));
  }
}

CheckJson check_json(const Model& model, const StartReport& report, const AutomatonCounts& counts) {
  CheckJson coordinates = CheckJson::array(), speeds = CheckJson::array(),
            contacts = CheckJson::array(), constraints = CheckJson::array();
  for (const Coordinate& c : model.coordinates)
    coordinates.push_back({{"name", c.name}, {"start", c.start}});
  for (const Speed& s : model.speeds) speeds.push_back({{"name", s.name}, {"start", s.start}});
  for (const ContactStart& start : report.contacts) {
    const Coefficients& c = model.contacts[start.contact.source].coefficients;
    contacts.push_back({{"name", contact_name(model, start.contact)},
                        {"gap", start.gap},
                        {"gap_rate", start.gap_rate},
                        {"status", std::string(to_string(start.status))},
                        {"approaching", start.is_approaching},
                        {"dynamic_friction", c.dynamic_friction},
                        {"static_friction", c.static_friction},
                        {"restitution", c.restitution}});
  }
  for (const Constraint& c : model.constraints) constraints.push_back(c.name);
  CheckJson joints = CheckJson::array();
  for (const Joint& j : model.joints)
    joints.push_back({{"name", j.name},
                      {"kind", std::string(to_string(j.kind))},
                      {"rows", model.constraints[j.constraint].rows.size()}});
  CheckJson theory = {{"name", report.theory.name}};
  for (const TheoryPart& part : report.parts)
    theory[part.kind] = {
        {"name", part.name}, {"fits", part.refusal.empty()}, {"reason", part.refusal}};
  CheckJson json = {{"model", model.name},
                    {"dimension", model.dimension},
                    {"coordinates", coordinates},
                    {"speeds", speeds},
                    {"contacts", contacts},
                    {"constraints", constraints},
                    {"joints", joints},
                    {"freedom",
                     {{"degrees", report.freedom.degrees},
                      {"independent", report.freedom.independent},
                      {"redundant", report.freedom.redundant}}},
                    {"theory", theory},
                    {"ready", report.is_ready()},
                    {"automaton", counts_json(counts)}};
  if (has_unlisted_pairs(model)) {
    json.erase("automaton");  // contacts are made while running
    json["pairs"] = pairs_json(model, report);
  }
  if (const CheckJson outlines = outlines_json(model); !outlines.empty())
    json["outlines"] = outlines;
  if (report.consistency) {
    const RestitutionConsistency& found = *report.consistency;
    json["restitution"] = {{"contacts", closed_names(model, report)},
                           {"consistent", found.is_consistent},
                           {"t_max", nullptr},
                           {"nearest", to_json_list(found.nearest)}};
    if (found.t_max) json["restitution"]["t_max"] = *found.t_max;
  }
  json["notes"] = model.notes;
  return json;
}

std::string restitution_text(const Model& model, const StartReport& report) {
  const RestitutionConsistency& found = *report.consistency;
  const std::string t_max =
      found.t_max ? fmt::format("t_max {:.6g} (largest factor that is safe)", *found.t_max)
                  : std::string("any factor is safe");
  if (found.is_consistent)
    return fmt::format(
        "restitution  consistent: no impact of the closed contacts gains energy by Newton's law; "
        "{}\n",
        t_max);
  std::string text = fmt::format(
      "restitution  INCONSISTENT: an impact of the closed contacts can gain energy by Newton's "
      "law; {}, nearest consistent",
      t_max);
  const std::vector<std::string> names = closed_names(model, report);
  for (std::size_t k = 0; k < names.size(); ++k)
    text += fmt::format("{} {} {:.6g}", k > 0 ? "," : "", names[k], found.nearest[k]);
  return text + "\n";
}

std::string freedom_text(const StartFreedom& freedom) {
  std::string text = fmt::format("freedom      {} degrees; independent speeds: {}\n",
                                 freedom.degrees, fmt::join(freedom.independent, ", "));
  if (!freedom.redundant.empty())
    text += fmt::format("redundant    {}: depend on the other rows\n",
                        fmt::join(freedom.redundant, ", "));
  return text;
}

std::string automaton_text(const AutomatonCounts& counts) {
  std::string text = fmt::format(
      "automaton    {} contact combinations, {} inclusions, {} locations, {} computation nodes "
      "({} locations, {} edges inside)\nedges       ",
      counts.vertices.to_short_string(), counts.combination_edges.to_short_string(),
      counts.locations.to_short_string(), counts.nodes.to_short_string(),
      counts.node_locations.to_short_string(), counts.node_edges.to_short_string());
  for (std::size_t f = 0; f < counts.edges.size(); ++f) {
    const FamilyCount& family = counts.edges[f];
    text +=
        fmt::format(" F{} {}", f + 1,
                    f < 7 ? family.first.to_short_string()
                          : family.first.to_short_string() + "+" + family.second.to_short_string());
  }
  return text + "\n";
}

std::string check_text(const Model& model, const StartReport& report,
                       const AutomatonCounts& counts) {
  std::string text = fmt::format("model        {} ({}D)\n", model.name, model.dimension);
  for (const Coordinate& c : model.coordinates)
    text += fmt::format("coordinate   {} = {:.9g}\n", c.name, c.start);
  for (const Speed& s : model.speeds)
    text += fmt::format("speed        {} = {:.9g}\n", s.name, s.start);
  for (const ContactStart& start : report.contacts) {
    const Coefficients& c = model.contacts[start.contact.source].coefficients;
    text += fmt::format(
        "contact      {}: gap {:.9g} m, {}{}, friction {:.6g}, restitution {:.6g}\n",
        contact_name(model, start.contact), start.gap, to_string(start.status),
        start.is_approaching ? " and approaching" : "", c.dynamic_friction, c.restitution);
  }
  text += outlines_text(model, report);
  const std::size_t own = model.constraints.size() - model.joints.size();
  for (std::size_t i = 0; i < own; ++i)
    text += fmt::format("constraint   {}\n", model.constraints[i].name);
  for (const Joint& j : model.joints)
    text += fmt::format("joint        {}: {}, {} rows\n", j.name, to_string(j.kind),
                        model.constraints[j.constraint].rows.size());
  if (!model.constraints.empty()) text += freedom_text(report.freedom);
  text += fmt::format("theory       {}\n", report.theory.name);
  for (const TheoryPart& part : report.parts)
    text += fmt::format("{:<12} {}: {}\n", part.kind, part.name,
                        part.refusal.empty() ? "fits" : part.refusal);
  if (report.consistency) text += restitution_text(model, report);
  for (const std::string& note : model.notes) text += "note         " + note + "\n";
  if (has_unlisted_pairs(model))
    return text +
           "automaton    contacts of polygons and polyhedra are made while running: clack "
           "automaton --visited\n";
  return text + automaton_text(counts);
}

/// A run that begins and takes no step: whatever it refuses or stops at, `clack run` does, too.
struct FirstInstant {
  std::exception_ptr refusal = {};  // an InputError
  std::optional<Stop> stop = {};
};

FirstInstant first_instant(const Model& model) {
  try {
    return {.stop = Run(model).stop()};
  } catch (const InputError&) {
    return {.refusal = std::current_exception()};
  }
}

int execute_check(const CheckRequest& request) {
  const Model model = load_model(request.model, parse_settings(request.settings));
  const StartReport report = inspect_start(model);
  const AutomatonCounts counts = count_automaton(contact_list(model));
  const FirstInstant first = report.is_ready() ? first_instant(model) : FirstInstant{};
  std::string text;
  if (request.is_json) {
    CheckJson json = check_json(model, report, counts);
    json["ready"] = report.is_ready() && !first.refusal;
    if (first.stop) json["stops_at_start"] = first.stop->reason;
    text = to_json_text(json) + "\n";
  } else {
    text = check_text(model, report, counts);
    if (first.stop)
      text += fmt::format("start        a run stops at once: {}\n", first.stop->reason);
    text = for_terminal(text);
  }
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  if (first.refusal) std::rethrow_exception(first.refusal);
  if (report.is_ready()) return 0;
  for (const ContactStart& start : report.contacts)
    if (start.status == StartStatus::penetrating)
      fmt::print(stderr,
                 "error: contact {}: penetrates by {:.6g} m at the start ({})\nhelp: move the "
                 "bodies apart by that much\n",
                 contact_name(model, start.contact), -start.gap,
                 model.where(model.contacts[start.contact.source].place));
  complain_of_overlaps(model, report);
  for (const TheoryPart& part : report.parts)
    if (!part.refusal.empty())
      fmt::print(stderr,
                 "error: {} ({})\nhelp: choose another {}; clack parts shows what each needs\n",
                 part.refusal, model.file, part.kind);
  return 2;
}

}  // namespace

void add_check(CLI::App& program, int& exit_code) {
  const auto request = std::make_shared<CheckRequest>();
  CLI::App* command = program.add_subcommand(
      "check", "read and validate a model; what it starts with and how large its automaton is");
  command->add_option("MODEL", request->model, "model file (YAML)")->required();
  command->add_option("--set", request->settings, "NAME=FORMULA; may be repeated")
      ->allow_extra_args(false);
  command->add_flag("--json", request->is_json, "print one JSON document");
  command->footer(
      "Examples:\n"
      "  clack check models/woodpecker/three-dof.yaml\n"
      "  clack check models/projection/block.yaml --set e1=0.8 --set e2=0.7");
  command->callback([request, &exit_code] { exit_code = execute_check(*request); });
}

}  // namespace clack::command
