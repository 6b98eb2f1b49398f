// SPDX-License-Identifier: Apache-2.0
#include "clack/trace/json.hpp"

#include <nlohmann/json.hpp>

#include "clack/contact/problem_json.hpp"
#include "clack/trace/json_line.hpp"

namespace clack {
namespace {

using Json = nlohmann::ordered_json;

/// Events and impacts are many and are written as text at once; all else is a tree.
template <class Items, class Write>
void append_list(std::string& text, const Items& items, const Write& write) {
  text += '[';
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) text += ", ";
    is_first = false;
    write(text, item);
  }
  text += ']';
}

auto names_of(const Trace& trace, const std::vector<int>& contacts) {
  return [&](std::string& text) {
    append_list(text, contacts,
                [&](std::string& to, int contact) { append_json(to, trace.contacts.at(contact)); });
  };
}

void append_certificate(std::string& text, const Certificate& c) {
  JsonLine line(text);
  line.put("penetration", c.penetration);
  line.put("adhesion", c.adhesion);
  line.put("complementarity", c.complementarity);
  line.put("cone", c.cone);
  line.put("bilateral", c.bilateral);
  line.put("residual", c.residual);
}

auto certificate_text(const Certificate& c) {
  return [&](std::string& text) { append_certificate(text, c); };
}

auto statuses_text(const Trace& trace, const TraceEvent& event,
                   ContactStatus StatusChange::*status) {
  return [&trace, &event, status](std::string& text) {
    JsonLine line(text);
    for (const StatusChange& change : event.changes)
      line.put(trace.contacts.at(change.contact), to_string(change.*status));
  };
}

void append_feature(std::string& text, const Trace& trace, const FeatureChange& change) {
  JsonLine line(text);
  line.put("contact", trace.contacts.at(change.contact));
  line.put("after", names_of(trace, change.after));
  if (change.place) line.put("s", *change.place);
  if (change.turn) line.put("turn", *change.turn);
}

void append_event(std::string& text, const Trace& trace, const TraceEvent& event) {
  JsonLine line(text);
  line.put("t", event.t);
  line.put("kind", to_string(event.kind));
  line.put("contacts", names_of(trace, event.contacts));
  line.put("from", statuses_text(trace, event, &StatusChange::from));
  line.put("to", statuses_text(trace, event, &StatusChange::to));
  line.put("iterations", event.iterations);
  line.put("residual", event.residual);
  line.put("certificate", certificate_text(event.certificate));
  if (!event.features.empty())
    line.put("features", [&](std::string& to) {
      append_list(to, event.features, [&](std::string& one, const FeatureChange& change) {
        append_feature(one, trace, change);
      });
    });
  if (!event.label.empty()) line.put("label", event.label);
  if (event.kind == EventKind::reselect) line.put("independent", event.independent);
  if (event.drift != 0.0) line.put("drift", event.drift);
}

void append_impact(std::string& text, const Trace& trace, const TraceImpact& impact) {
  JsonLine line(text);
  line.put("t", impact.t);
  line.put("contacts", names_of(trace, impact.contacts));
  line.put("v_before", impact.v_before);
  line.put("v_after", impact.v_after);
  line.put("normal_impulse", impact.normal_impulse);
  line.put("tangent_impulse", impact.tangent_impulse);
  line.put("energy_before", impact.energy_before);
  line.put("energy_after", impact.energy_after);
  line.put("normal_work", impact.normal_work);
  line.put("tangential_work", impact.tangential_work);
  line.put("joint_work", impact.joint_work);
  line.put("iterations", impact.iterations);
  line.put("residual", impact.certificate.residual);
  line.put("certificate", certificate_text(impact.certificate));
  line.put("flags", impact.flags);
  if (!impact.constraint_impulses.empty())
    line.put("constraint_impulses", [&](std::string& to) {
      JsonLine rows(to);
      for (const ConstraintImpulse& impulse : impact.constraint_impulses)
        rows.put(trace.constraints.at(impulse.constraint), impulse.rows);
    });
  if (!impact.events.empty())
    line.put("events", [&](std::string& to) {
      append_list(to, impact.events, [&](std::string& one, const ImpactEvent& event) {
        one += to_json_text(to_json(event, trace.contacts), -1);
      });
    });
}

void append_visit(std::string& text, const NodeVisit& visit) {
  JsonLine line(text);
  line.put("t", visit.t);
  line.put("node", visit.node);
  line.put("location", visit.location);
}

Json jam_json(const Trace& trace, const TraceJam& jam) {
  Json contacts = Json::array();
  for (const int contact : jam.contacts) contacts.push_back(trace.contacts.at(contact));
  return {{"t", jam.t},
          {"bodies", jam.bodies},
          {"contacts", contacts},
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
  template <class Fill>
  void add_line(const std::string& key, const Fill& fill) {
    JsonLine line(begin(key));
    fill(line);
  }

  template <class Items, class Write>
  void add_list(const std::string& key, const Items& items, const Write& write) {
    std::string& text = begin(key);
    text += '[';
    bool is_first = true;
    for (const auto& item : items) {
      text += is_first ? "\n    " : ",\n    ";
      is_first = false;
      write(text, item);
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
    Json rows = Json::array();
    for (const auto row : impact.history.rows)
      rows.push_back(std::vector<double>(row.begin(), row.end()));
    text += to_json_text(Json{{"impact", k},
                              {"t", impact.t},
                              {"columns", impact.history.columns},
                              {"rows", std::move(rows)}},
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
  document.add_list("events", trace.events, [&](std::string& text, const TraceEvent& event) {
    append_event(text, trace, event);
  });
  document.add_list("impacts", trace.impacts, [&](std::string& text, const TraceImpact& impact) {
    append_impact(text, trace, impact);
  });
  if (!trace.pairs.empty() || !trace.jams.empty())
    document.add_list("jams", trace.jams, [&](std::string& text, const TraceJam& jam) {
      append_json_text(text, jam_json(trace, jam), -1, 0);
    });
  if (!trace.node_visits.empty()) document.add_list("node_trace", trace.node_visits, append_visit);
  document.add("final", {{"t", trace.final_time}, {"q", trace.final_q}, {"v", trace.final_v}});
  document.add("energy", energy_json(trace.energy));
  document.add_line("certificates", [&](JsonLine& line) {
    line.put("impacts", certificate_text(trace.worst_impact));
    line.put("decisions", certificate_text(trace.worst_decision));
  });
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
