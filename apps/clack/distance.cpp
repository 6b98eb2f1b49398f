// SPDX-License-Identifier: Apache-2.0
// clack distance PAIR.json: gap, closest features and first touch of two outlines; distance of two polyhedra.
#include <iostream>

#include "clack/error.hpp"
#include "clack/geometry/first_touch.hpp"
#include "clack/geometry/outline_gap.hpp"
#include "clack/json_input.hpp"
#include "clack/json_output.hpp"
#include "commands.hpp"
#include "distance_solids.hpp"

namespace clack::command {
namespace {

using nlohmann::ordered_json;

struct DistanceRequest {
  std::string file;
  bool is_json = false;
};

/// The question: two polygons at two poses, and, with T, how they move.
struct DistanceQuestion {
  Outline first, second;
  FreeFlight first_flight, second_flight;
  double skin = 0.0;
  std::optional<double> duration;

  OutlinePair pair() const { return {first, second}; }
};

/// [x, y], or [x, y, bulge] where an arc to the next one begins.
OutlineLoop read_loop(const nlohmann::json& rows, const std::string& place,
                      const std::string& file) {
  if (!rows.is_array())
    throw InputError(
        fmt::format("{} is {}, a list of vertices is expected", place, json_excerpt(rows)), file,
        "write [[x, y], ...]");
  OutlineLoop loop;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::string at = fmt::format("{}[{}]", place, k);
    const Eigen::VectorXd vertex = as_vector(rows[k], -1, at, file);
    if (vertex.size() != 2 && vertex.size() != 3)
      throw InputError(fmt::format("{} has {} numbers", at, vertex.size()), file,
                       "write [x, y], or [x, y, bulge] where an arc begins");
    loop.points.emplace_back(vertex.head<2>());
    loop.bulges.push_back(vertex.size() == 3 ? vertex[2] : 0.0);
  }
  return loop;
}

/// Vertices; {"vertices": [...], "holes": [[...], ...]}; {"disk": {"radius": r, "at": [x, y]}}.
std::vector<OutlineLoop> read_loops(const nlohmann::json& shape, const std::string& key,
                                    const std::string& file) {
  if (!shape.is_object()) return {read_loop(shape, key, file)};
  static constexpr std::array<std::string_view, 3> known{"vertices", "holes", "disk"};
  check_keys(shape, key, known, file);
  if (shape.contains("disk")) {
    static constexpr std::array<std::string_view, 2> sizes{"radius", "at"};
    const nlohmann::json& disk = shape["disk"];
    check_keys(disk, key + ".disk", sizes, file);
    const double radius = get_number(disk, "radius", key + ".disk", file);
    if (!(radius > 0.0) || shape.contains("vertices") || shape.contains("holes"))
      throw InputError(fmt::format("{}: a disk has a radius > 0 and no vertices", key), file,
                       "write {\"disk\": {\"radius\": 0.1, \"at\": [0, 0]}}");
    const Eigen::Vector2d at = disk.contains("at")
                                   ? Eigen::Vector2d(get_vector(disk, "at", 2, key + ".disk", file))
                                   : Eigen::Vector2d(Eigen::Vector2d::Zero());
    return {{.kind = LoopKind::circle, .points = {at}, .radius = radius}};
  }
  std::vector<OutlineLoop> loops{
      read_loop(get_value(shape, "vertices", key, file), key + ".vertices", file)};
  if (!shape.contains("holes")) return loops;
  const nlohmann::json& holes = shape["holes"];
  if (!holes.is_array())
    throw InputError(
        fmt::format("{}.holes is {}, a list of holes is expected", key, json_excerpt(holes)), file,
        "write [[[x, y], ...], ...]");
  for (std::size_t k = 0; k < holes.size(); ++k)
    loops.push_back(read_loop(holes[k], fmt::format("{}.holes[{}]", key, k), file));
  return loops;
}

Outline read_outline(const nlohmann::json& document, const char* key, const std::string& file) {
  const std::vector<OutlineLoop> loops = read_loops(get_value(document, key, "", file), key, file);
  const bool is_circle = loops[0].kind == LoopKind::circle;
  if (const auto fault = is_circle ? std::nullopt : outline_fault(loops)) {
    const std::string loop = fault->loop > 0 ? fmt::format(" hole {}", fault->loop - 1) : "";
    throw InputError(fmt::format("polygon {}{}: {}", key, loop, fault->what), file,
                     fault->is_clockwise ? "reverse the order of the vertices" : fault->remedy);
  }
  return make_outline(loops);
}

FreeFlight read_flight(const nlohmann::json& document, const std::string& name,
                       const std::string& file) {
  const auto numbers = [&](const std::string& key, Eigen::Index size) -> Eigen::VectorXd {
    if (!document.contains(key + name)) return Eigen::VectorXd::Zero(size);
    return get_vector(document, key + name, size, "", file);
  };
  FreeFlight flight;
  const Eigen::VectorXd pose = numbers("pose", 3), velocity = numbers("vel", 3);
  flight.position = pose.head<2>();
  flight.angle = pose[2];
  flight.velocity = velocity.head<2>();
  flight.spin = velocity[2];
  flight.acceleration = numbers("acc", 2);
  return flight;
}

DistanceQuestion read_question(const nlohmann::json& document, const std::string& file) {
  static constexpr std::array<std::string_view, 10> known{"A",    "B",    "poseA", "poseB", "skin",
                                                          "velA", "velB", "accA",  "accB",  "T"};
  check_keys(document, "", known, file);
  DistanceQuestion question;
  question.first = read_outline(document, "A", file);
  question.second = read_outline(document, "B", file);
  question.first_flight = read_flight(document, "A", file);
  question.second_flight = read_flight(document, "B", file);
  question.skin = get_number_or(document, "skin", 0.0, "", file);
  if (question.skin < 0.0)
    throw InputError(fmt::format("skin is {:.6g}, must not be negative", question.skin), file,
                     "give a length in m");
  if (document.contains("T")) {
    question.duration = get_number(document, "T", "", file);
    if (*question.duration < 0.0)
      throw InputError(fmt::format("T is {:.6g}, must not be negative", *question.duration), file,
                       "the motion is looked at from 0 to T");
  }
  for (const char* key : {"velA", "velB", "accA", "accB"})
    if (!question.duration && document.contains(key))
      throw InputError(fmt::format("{} is given, but no T", key), file,
                       "add \"T\", the time up to which the motion is looked at");
  return question;
}

ordered_json point_json(const Eigen::Vector2d& p) { return to_json_list(p); }
std::string owner_name(const Candidate& c) { return c.owner == PairSide::first ? "A" : "B"; }

/// The round of a candidate: "vertex", or null and the number of the edge that is an arc.
void add_round(const OutlinePair& pair, const Candidate& c, ordered_json& document) {
  const bool is_vertex = pair.is_vertex(c);
  document["vertex_of"] = owner_name(c);
  document["vertex"] = is_vertex ? ordered_json(c.vertex.value) : ordered_json();
  if (!is_vertex) document["arc"] = c.vertex.value - pair.owner(c).vertices.size();
  document["edge"] = c.edge.value;
}
std::string round_words(const OutlinePair& pair, const Candidate& c) {
  const bool is_vertex = pair.is_vertex(c);
  return fmt::format("{} {} of {}", is_vertex ? "vertex" : "arc",
                     is_vertex ? c.vertex.value : c.vertex.value - pair.owner(c).vertices.size(),
                     owner_name(c));
}

ordered_json contact_json(const OutlinePair& pair, const ClosestPair& c) {
  ordered_json document;
  add_round(pair, c.candidate, document);
  document.update(ordered_json{{"g", c.gap},
                               {"line_gap", c.line_gap},
                               {"u", c.place},
                               {"point", point_json(c.vertex)},
                               {"foot", point_json(c.foot)},
                               {"normal", point_json(c.normal)},
                               {"at_end", c.is_at_end}});
  return document;
}

ordered_json gap_json(const DistanceQuestion& question, const PairGap& gap, const PlanarMotion& a,
                      const PlanarMotion& b, const std::string& file) {
  TreeWorkspace work;
  std::vector<Candidate> near;
  try {
    candidates_within(question.pair(), a.pose, b.pose, question.skin, VertexChoice::all, work,
                      near);
  } catch (const std::length_error&) {
    throw InputError(
        fmt::format("skin {:.6g} is too large: more than 1e6 candidates", question.skin), file,
        "take a thinner skin");
  }
  const auto of_first = std::count_if(
      near.begin(), near.end(), [](const Candidate& c) { return c.owner == PairSide::first; });
  ordered_json contacts = ordered_json::array();
  for (const ClosestPair& contact : gap.contacts)
    contacts.push_back(contact_json(question.pair(), contact));
  ordered_json document{{"status", to_string(gap.status)}};
  document["gap"] = gap.gap ? ordered_json(*gap.gap) : ordered_json();
  document["kind"] = to_string(gap.kind);
  document["contacts"] = contacts;
  document["raw_within"] = {of_first, static_cast<std::ptrdiff_t>(near.size()) - of_first};
  document["valid_within"] =
      gap.status == PairStatus::disjoint
          ? ordered_json(count_valid(question.pair(), a.pose, b.pose, question.skin, near))
          : ordered_json();
  document["box_tests"] = work.box_tests;
  document["pair_tests"] = work.pair_tests;
  return document;
}

FirstTouch find_touch(const DistanceQuestion& question, const PairTrajectory& motion,
                      const PairGap& start, const std::string& file) {
  if (start.status != PairStatus::disjoint) {
    const bool is_overlap = start.status == PairStatus::overlap;
    throw InputError(
        is_overlap ? fmt::format("the polygons overlap by {:.6g} m at the start", -*start.gap)
                   : "the polygons cross each other at the start",
        file, "a motion starts with the polygons apart; leave T out to ask for the gap");
  }
  const OutlinePair pair = question.pair();
  const PairBounds bounds = motion.bounds(0.0, *question.duration);
  const double speed = bounds.speed + bounds.first_spin * pair.first.radius +
                       bounds.second_spin * pair.second.radius;
  TreeWorkspace work;
  const FirstTouch touch =
      first_touch(pair, motion, 0.0, *question.duration, touch_search(pair, speed), work);
  if (touch.outcome == TouchOutcome::gave_up)
    throw NoAnswer(fmt::format("the search for the first touch gave up at t = {:.10g} s after {} "
                               "evaluations",
                               touch.t, touch.evaluations),
                   file, "the polygons slide along each other: ask up to a shorter T");
  return touch;
}

void add_touch(const DistanceQuestion& question, const PairTrajectory& motion,
               const FirstTouch& touch, ordered_json& document) {
  const bool touches = touch.outcome == TouchOutcome::touches;
  document["contact"] = touches;
  if (!touches) {
    for (const char* key : {"t", "vertex_of", "vertex", "edge", "point", "normal"})
      document[key] = nullptr;
    return;
  }
  PlanarMotion a, b;
  motion.at(touch.t, a, b);
  const Candidate& first = touch.candidates.front();
  const CandidateGap place = candidate_gap(question.pair(), first, a.pose, b.pose);
  document["t"] = touch.t;
  add_round(question.pair(), first, document);
  document["point"] = point_json(place.vertex);
  document["normal"] = point_json(place.normal);
}

void print_words(const DistanceQuestion& question, const PairGap& gap,
                 const std::optional<FirstTouch>& touch) {
  if (gap.gap)
    fmt::print("{}: gap {:.12g} m, {}\n", to_string(gap.status), *gap.gap, to_string(gap.kind));
  else
    fmt::print("crossing: the polygons overlap, but no vertex is inside\n");
  for (const ClosestPair& c : gap.contacts)
    fmt::print("  {} at ({:.9g}, {:.9g}), edge {} of {} at ({:.9g}, {:.9g}), {:.6g} m\n",
               round_words(question.pair(), c.candidate), c.vertex.x(), c.vertex.y(),
               c.candidate.edge.value, c.candidate.owner == PairSide::first ? "B" : "A", c.foot.x(),
               c.foot.y(), c.gap);
  if (!touch) return;
  if (touch->outcome == TouchOutcome::misses) {
    fmt::print("no touch up to t = {:.6g} s\n", *question.duration);
    return;
  }
  for (const Candidate& c : touch->candidates)
    fmt::print("first touch at t = {:.12g} s: {} on edge {} of {}\n", touch->t,
               round_words(question.pair(), c), c.edge.value,
               c.owner == PairSide::first ? "B" : "A");
}

int run_distance(const DistanceRequest& request) {
  const nlohmann::json document_asked = read_json_file(request.file);
  if (asks_for_solids(document_asked)) {
    print_solid_distance(document_asked, request.file, request.is_json);
    return 0;
  }
  const DistanceQuestion question = read_question(document_asked, request.file);
  const PairTrajectory motion = free_flights(question.first_flight, question.second_flight);
  PlanarMotion a, b;
  motion.at(0.0, a, b);
  TreeWorkspace work;
  const PairGap gap = signed_gap(question.pair(), a.pose, b.pose, work);
  std::optional<FirstTouch> touch;
  if (question.duration) touch = find_touch(question, motion, gap, request.file);
  if (!request.is_json) {
    print_words(question, gap, touch);
    return 0;
  }
  ordered_json document = gap_json(question, gap, a, b, request.file);
  if (touch) add_touch(question, motion, *touch, document);
  fmt::print("{}\n", to_json_text(document));
  return 0;
}

}  // namespace

void add_distance(CLI::App& program, int& exit_code) {
  auto request = std::make_shared<DistanceRequest>();
  CLI::App* distance = program.add_subcommand(
      "distance", "gap, closest features and first touch of two bodies as they are drawn");
  distance
      ->add_option(
          "pair", request->file,
          "JSON: outlines A and B (lines, arcs, holes, disks), poseA, poseB, skin; velA, velB, "
          "accA, accB and T for a motion; hulls A and B in space")
      ->required();
  distance->add_flag("--json", request->is_json, "print one JSON document");
  distance->footer(
      "Examples:\n"
      "  clack distance docs/problems/two-polygons.json\n"
      "  clack distance docs/problems/bullet.json --json\n"
      "Exit code 0 for every status and for a miss; 2: a polygon that is none, or a motion that "
      "starts overlapping.");
  distance->callback([request, &exit_code] { exit_code = run_distance(*request); });
}

}  // namespace clack::command
