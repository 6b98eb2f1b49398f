// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/json.hpp"

#include <nlohmann/json.hpp>

#include "clack/contact/problem_json.hpp"
#include "clack/json_output.hpp"

namespace clack {
namespace {

using Json = nlohmann::ordered_json;

Json names_of(const Trace& trace, const std::vector<int>& contacts) {
  Json names = Json::array();
  for (const int contact : contacts) names.push_back(trace.contacts.at(contact));
  return names;
}

Json certificate_json(const Certificate& c) {
  return {{"penetration", c.penetration},
          {"adhesion", c.adhesion},
          {"complementarity", c.complementarity},
          {"cone", c.cone},
          {"bilateral", c.bilateral},
          {"residual", c.residual}};
}

Json event_json(const Trace& trace, const TraceEvent& event) {
  Json from = Json::object(), to = Json::object();
  for (const StatusChange& change : event.changes) {
    const std::string& name = trace.contacts.at(change.contact);
    from[name] = std::string(to_string(change.from));
    to[name] = std::string(to_string(change.to));
  }
  Json json = {{"t", event.t},
               {"kind", std::string(to_string(event.kind))},
               {"contacts", names_of(trace, event.contacts)},
               {"from", from},
               {"to", to},
               {"iterations", event.iterations},
               {"residual", event.residual},
               {"certificate", certificate_json(event.certificate)}};
  for (const FeatureChange& change : event.features) {
    Json& feature = json["features"].emplace_back();
    feature = {{"contact", trace.contacts.at(change.contact)},
               {"after", names_of(trace, change.after)}};
    if (change.place) feature["s"] = *change.place;
    if (change.turn) feature["turn"] = *change.turn;
  }
  if (!event.label.empty()) json["label"] = event.label;
  if (event.kind == EventKind::reselect) json["independent"] = event.independent;
  if (event.drift != 0.0) json["drift"] = event.drift;
  return json;
}

Json impact_json(const Trace& trace, const TraceImpact& impact) {
  Json json = {{"t", impact.t},
               {"contacts", names_of(trace, impact.contacts)},
               {"v_before", impact.v_before},
               {"v_after", impact.v_after},
               {"normal_impulse", impact.normal_impulse},
               {"tangent_impulse", impact.tangent_impulse},
               {"energy_before", impact.energy_before},
               {"energy_after", impact.energy_after},
               {"normal_work", impact.normal_work},
               {"tangential_work", impact.tangential_work},
               {"joint_work", impact.joint_work},
               {"iterations", impact.iterations},
               {"residual", impact.certificate.residual},
               {"certificate", certificate_json(impact.certificate)},
               {"flags", impact.flags}};
  for (const ConstraintImpulse& impulse : impact.constraint_impulses)
    json["constraint_impulses"][trace.constraints.at(impulse.constraint)] = impulse.rows;
  for (const ImpactEvent& event : impact.events)
    json["events"].push_back(to_json(event, trace.contacts));
  return json;
}

Json jam_json(const Trace& trace, const TraceJam& jam) {
  return {{"t", jam.t},
          {"bodies", jam.bodies},
          {"contacts", names_of(trace, jam.contacts)},
          {"by", std::string(to_string(jam.by))},
          {"load_factor", jam.load_factor ? Json(*jam.load_factor) : Json(nullptr)}};
}

Json energy_json(const EnergyLedger& energy) {
  Json json = {{"initial", energy.initial},
               {"final", energy.final},
               {"dissipated", energy.dissipated},
               {"ledger_error", energy.ledger_error},
               {"check", energy.check},
               {"work_of_forces", energy.work_of_forces},
               {"work_of_drives", energy.work_of_drives},
               {"work_of_friction", energy.work_of_friction},
               {"work_of_impacts", energy.work_of_impacts},
               {"work_of_normal_impacts", energy.work_of_normal_impacts},
               {"work_of_tangential_impacts", energy.work_of_tangential_impacts},
               {"corrections", energy.corrections},
               {"exchanged", energy.exchanged}};
  if (energy.work_of_corners != 0.0) json["work_of_corners"] = energy.work_of_corners;
  if (energy.open)
    json["open"] = {{"begin", energy.open->begin},
                    {"end", energy.open->end},
                    {"change", energy.open->change},
                    {"corrections", energy.open->corrections},
                    {"limit", energy.open->limit}};
  return json;
}

Json realtime_json(const TraceRealtime& realtime) {
  Json embeddings = Json::array();
  for (const TraceEmbedding& e : realtime.embeddings)
    embeddings.push_back({{"rows", e.rows},
                          {"known_at", e.known_at},
                          {"ready_at", e.ready_at},
                          {"blocked_seconds", e.blocked_seconds}});
  return {{"rate", realtime.rate},
          {"ticks", realtime.ticks},
          {"overruns", realtime.overruns},
          {"late_max", realtime.late_max},
          {"step_seconds",
           {{"p50", realtime.p50},
            {"p99", realtime.p99},
            {"p999", realtime.p999},
            {"max", realtime.max}}},
          {"embeddings", embeddings}};
}

/// The document line by line, so that a long list is never held as a tree.
class Document {
 public:
  void add(const std::string& key, const Json& value) { begin(key) += to_json_text(value, -1); }

  template <class Items, class ToJson>
  void add_list(const std::string& key, const Items& items, const ToJson& to_json) {
    std::string& text = begin(key);
    text += '[';
    bool is_first = true;
    for (const auto& item : items) {
      text += is_first ? "\n    " : ",\n    ";
      is_first = false;
      text += to_json_text(to_json(item), -1);
    }
    text += is_first ? "]" : "\n  ]";
  }

  std::string end() { return std::move(text_) + "\n}\n"; }

 private:
  std::string& begin(const std::string& key) {
    text_ += text_.empty() ? "{\n  " : ",\n  ";
    return text_ += Json(key).dump() + ": ";
  }
  std::string text_;
};

}  // namespace

std::string histories_json(const Trace& trace) {
  std::string text;
  for (std::size_t k = 0; k < trace.impacts.size(); ++k) {
    const TraceImpact& impact = trace.impacts[k];
    if (impact.history.rows.empty()) continue;
    text += text.empty() ? "[\n" : ",\n";
    text += to_json_text(Json{{"impact", k},
                              {"t", impact.t},
                              {"columns", impact.history.columns},
                              {"rows", impact.history.rows}},
                         -1);
  }
  return text.empty() ? text : text + "\n]\n";
}

std::string events_json(const Trace& trace, WallTime wall_time) {
  Document document;
  document.add("model", trace.model);
  document.add("theory", trace.theory);
  document.add("formulation", trace.formulation);
  document.add("decision", trace.decision);
  document.add("impact", trace.impact);
  document.add("integrator", trace.integrator);
  document.add("tolerance", trace.tolerance);
  document.add("until", trace.until);
  document.add("status", std::string(to_string(trace.status)));
  document.add("reason", trace.reason);
  if (!trace.remedy.empty()) document.add("remedy", trace.remedy);
  document.add("coordinates", trace.coordinates);
  document.add("speeds", trace.speeds);
  document.add("contacts", trace.contacts);
  if (!trace.pairs.empty()) document.add("pairs", trace.pairs);
  if (!trace.constraints.empty()) document.add("constraints", trace.constraints);
  if (!trace.inputs.empty()) document.add("inputs", trace.inputs);
  document.add_list("events", trace.events,
                    [&](const TraceEvent& e) { return event_json(trace, e); });
  document.add_list("impacts", trace.impacts,
                    [&](const TraceImpact& i) { return impact_json(trace, i); });
  if (!trace.pairs.empty() || !trace.jams.empty())
    document.add_list("jams", trace.jams,
                      [&](const TraceJam& jam) { return jam_json(trace, jam); });
  if (!trace.node_visits.empty())
    document.add_list("node_trace", trace.node_visits, [](const NodeVisit& visit) {
      return Json{{"t", visit.t}, {"node", visit.node}, {"location", visit.location}};
    });
  document.add("final", {{"t", trace.final_time}, {"q", trace.final_q}, {"v", trace.final_v}});
  document.add("energy", energy_json(trace.energy));
  document.add("certificates", {{"impacts", certificate_json(trace.worst_impact)},
                                {"decisions", certificate_json(trace.worst_decision)}});
  document.add("counts", {{"steps", trace.counts.steps},
                          {"evaluations", trace.counts.evaluations},
                          {"events", trace.counts.events},
                          {"impacts", trace.counts.impacts}});
  if (trace.cycle)
    document.add("cycle", {{"period", trace.cycle->period},
                           {"drop", trace.cycle->drop},
                           {"multiplier", trace.cycle->multiplier}});
  if (trace.realtime && wall_time == WallTime::included)
    document.add("realtime", realtime_json(*trace.realtime));
  document.add("flags", trace.flags);
  document.add("notes", trace.notes);
  if (wall_time == WallTime::included) document.add("wall_seconds", trace.wall_seconds);
  return document.end();
}

}  // namespace clack
