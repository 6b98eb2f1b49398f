// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/draw.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "clack/index.hpp"
#include "clack/geometry/outline.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {
namespace {

constexpr std::size_t even_frames = 1200;  // in time
constexpr std::size_t most_frames = 4000;  // with those of the events
constexpr std::size_t most_numbers = 150'000;  // of poses: keeps a page of many bodies small

std::array<double, 2> pair_of(const Eigen::Vector3d& v) { return {v.x(), v.y()}; }

/// The boundary as one path: arcs in short chords, loops one after another and back (a cut without width), open chains
/// there and back. Half-planes among several shapes are left out.
std::vector<std::array<double, 2>> drawn_points(const Outline& outline) {
  constexpr double chord = 0.05;  // rad, of an arc
  std::vector<std::array<double, 2>> path, loop;
  std::optional<std::array<double, 2>> home;
  const auto add = [&](const Eigen::Vector2d& p) { loop.push_back({p.x(), p.y()}); };
  const auto close = [&] {
    const bool is_chain = loop.size() > 1 && loop.front() != loop.back();
    if (is_chain) loop.insert(loop.end(), loop.rbegin() + 1, loop.rend());
    path.insert(path.end(), loop.begin(), loop.end());
    if (!loop.empty() && home) path.push_back(*home);
    if (!home && !loop.empty()) home = loop.front();
    loop.clear();
  };
  OutlineVertexIndex first;
  for (const OutlineEdge& edge : outline.edges) {
    if (edge.is_line()) continue;
    if (loop.empty()) {
      add(edge.start);
      first = edge.from;
    }
    const int pieces =
        edge.is_straight() ? 1 : 1 + static_cast<int>(edge.length / (chord * std::abs(edge.radius)));
    for (int k = 1; k < pieces; ++k) add(edge.point_at(edge.length * k / pieces));
    const bool is_closed = !edge.has_ends() || edge.to == first;
    if (is_closed)
      loop.push_back(loop.front());
    else
      add(outline.vertices[edge.to].point);
    const bool is_end = !is_closed && !outline.vertices[edge.to].after.is_valid();
    if (is_closed || is_end) close();
  }
  if (path.size() > 1 && path.front() == path.back()) path.pop_back();
  return path;
}

DrawnPart part_of(const std::string& name, const Shape& shape) {
  const auto made = [&](DrawnKind kind, double radius, std::vector<std::array<double, 2>> points) {
    return DrawnPart{name, kind, radius, std::move(points)};
  };
  return std::visit(
      ShapeCases{
          [&](const Ball& ball) { return made(DrawnKind::disk, ball.radius, {}); },
          [&](const HalfSpace& half) {
            return made(DrawnKind::half_plane, 0.0,
                        {pair_of(half.offset * half.normal), pair_of(half.normal)});
          },
          [&](const Box& box) {
            const double a = box.half_extents.x(), b = box.half_extents.y();
            return made(DrawnKind::polygon, 0.0, {{-a, -b}, {a, -b}, {a, b}, {-a, b}});
          },
          [&](const Outline& outline) {
            return made(DrawnKind::polygon, 0.0, drawn_points(outline));
          },
          [&](const SmoothShape&) { return made(DrawnKind::disk, 0.0, {}); }},  // space only
      shape);
}

/// A body without a shape: its mass centre, tied to its points.
DrawnPart rod_of(const Body& body) {
  DrawnPart part{body.name, DrawnKind::line, 0.0, {}};
  if (body.points.empty()) {
    part.kind = DrawnKind::disk;
    return part;
  }
  if (body.points.size() == 1) part.points.push_back({0.0, 0.0});
  for (const BodyPoint& point : body.points) part.points.push_back(pair_of(point.position));
  return part;
}

std::array<double, 2> moved(const std::array<double, 3>& pose, const std::array<double, 2>& p) {
  const double c = std::cos(pose[2]), s = std::sin(pose[2]);
  return {pose[0] + c * p[0] - s * p[1], pose[1] + s * p[0] + c * p[1]};
}

/// Rows evenly in time and at both sides of every event, ascending.
std::vector<std::size_t> chosen_rows(const Trace& trace, std::size_t limit) {
  const std::size_t width = trace.columns.size(), count = trace.row_count();
  const auto time = [&](std::size_t row) { return trace.rows[row * width]; };
  std::vector<std::size_t> chosen;
  if (count == 0) return chosen;
  const double step = (time(count - 1) - time(0)) / static_cast<double>(even_frames);
  double next = time(0);
  for (std::size_t row = 0; row < count; ++row) {
    const bool is_event = (row > 0 && time(row - 1) == time(row)) ||
                          (row + 1 < count && time(row + 1) == time(row));
    if (!is_event && time(row) < next && row + 1 < count) continue;
    chosen.push_back(row);
    while (next <= time(row) && step > 0.0) next += step;
  }
  if (chosen.size() <= limit) return chosen;
  std::vector<std::size_t> thinned;
  for (std::size_t k = 0; k < limit; ++k)
    thinned.push_back(chosen[k * (chosen.size() - 1) / std::max<std::size_t>(limit - 1, 1)]);
  return thinned;
}

class Draughtsman {
 public:
  Draughtsman(const Model& model, const Trace& trace) : model_(model), trace_(trace) {
    for (const BodyIndex i : indices(model.bodies)) {
      const Body& body = model.bodies[i];
      const bool is_bare = !body.shape && body.kind == BodyKind::fixed && body.points.empty();
      if (!is_bare)
        drawing_.parts.push_back(body.shape ? part_of(body.name, *body.shape) : rod_of(body));
      drawn_at_.push_back(is_bare ? -1 : number_of(drawing_.parts) - 1);
      add_formulas(body.position[0], body.position[1], body.angle);
    }
    for (const Spring& spring : model.springs)
      if (!spring.is_torsion) drawing_.links.push_back(DrawnLink::spring);
    for (const Sketch& sketch : model.sketches) add(sketch);
    program_ = symbolic::Program(inputs(), formulas_);
    values_.resize(formulas_.size());
  }

  Drawing drawing() {
    if (drawing_.parts.empty() && drawing_.links.empty()) return {};
    Mechanism mechanism(model_);
    const std::size_t numbers = 3 * std::max<std::size_t>(drawing_.parts.size(), 1);
    const std::size_t limit = std::clamp<std::size_t>(most_numbers / numbers, 50, most_frames);
    for (const std::size_t row : chosen_rows(trace_, limit)) drawing_.frames.push_back(frame(mechanism, row));
    return std::move(drawing_);
  }

 private:
  std::vector<Expression> inputs() const {
    std::vector<Expression> inputs{model_.time};
    for (const Coordinate& coordinate : model_.coordinates) inputs.push_back(coordinate.symbol);
    for (const Speed& speed : model_.speeds) inputs.push_back(speed.symbol);
    return inputs;
  }
  void add_formulas(Expression x, Expression y, Expression angle) {
    const Expression zero = model_.graph->number(0.0);
    for (const Expression e : {x, y, angle}) formulas_.push_back(e.is_valid() ? e : zero);
  }
  void add(const Sketch& sketch) {
    if (!sketch.ends.empty()) {
      for (const auto& end : sketch.ends) add_formulas(end[0], end[1], {});
      drawing_.links.insert(
          drawing_.links.end(), sketch.ends.size() - 1,
          sketch.kind == Sketch::Kind::spring ? DrawnLink::spring : DrawnLink::rod);
      return;
    }
    DrawnPart part{sketch.name, DrawnKind::disk, sketch.radius, {}};
    if (sketch.kind != Sketch::Kind::disk)
      part.kind = sketch.kind == Sketch::Kind::polygon ? DrawnKind::polygon : DrawnKind::line;
    for (const Eigen::Vector2d& point : sketch.points) part.points.push_back({point.x(), point.y()});
    drawing_.parts.push_back(std::move(part));
    add_formulas(sketch.position[0], sketch.position[1], sketch.angle);
  }
  std::array<double, 3> pose(std::size_t at) const {
    return {values_[3 * at], values_[3 * at + 1], values_[3 * at + 2]};
  }
  std::array<double, 2> place_of(const Attachment& end) const {
    const std::array<double, 3> at = pose(end.body.value);
    const auto point = end.point();
    return point ? moved(at, pair_of(model_.bodies[end.body].points[*point].position))
                 : std::array<double, 2>{at[0], at[1]};
  }

  DrawnFrame frame(Mechanism& mechanism, std::size_t row) {
    const double* numbers = trace_.rows.data() + row * trace_.columns.size();
    program_(numbers, values_.data());  // a row begins with t, coordinates, speeds
    DrawnFrame frame{.t = numbers[0]};
    for (const BodyIndex i : indices(model_.bodies))
      if (drawn_at_[i.value] >= 0) frame.poses.push_back(pose(i.value));
    for (const Spring& spring : model_.springs) {
      if (spring.is_torsion) continue;
      const auto a = place_of(spring.first), b = place_of(spring.second);
      frame.links.push_back({a[0], a[1], b[0], b[1]});
    }
    std::size_t at = model_.bodies.size();
    for (const Sketch& sketch : model_.sketches) {
      if (sketch.ends.empty()) {
        frame.poses.push_back(pose(at++));
        continue;
      }
      for (std::size_t k = 0; k + 1 < sketch.ends.size(); ++k) {
        const auto a = pose(at + k), b = pose(at + k + 1);
        frame.links.push_back({a[0], a[1], b[0], b[1]});
      }
      at += sketch.ends.size();
    }
    add_contacts(mechanism, row, numbers, frame);
    return frame;
  }

  void add_contacts(Mechanism& mechanism, std::size_t row, const double* numbers,
                    DrawnFrame& frame) {
    while (mode_ + 1 < trace_.modes.size() && trace_.modes[mode_ + 1].first_row <= row) ++mode_;
    if (trace_.modes.empty()) return;
    const double *q = numbers + 1, *v = q + model_.coordinates.size();
    for (const TraceStatus& closed : trace_.modes[mode_].closed) {
      const std::string& name = trace_.contacts[closed.contact];
      const auto source = std::ranges::find(model_.contacts, name, &Contact::name);
      if (source == model_.contacts.end()) {
        add_pair_contact(closed, frame);
        continue;
      }
      if (!source->between()) continue;
      const SourceIndex index(static_cast<int>(source - model_.contacts.begin()));
      const ContactPlace place = mechanism.place_of(numbers[0], q, v, {.source = index});
      frame.contacts.push_back({closed.contact, closed.status, pair_of(place.point),
                                pair_of(place.normal), number(numbers, "normal_" + name),
                                number(numbers, "tangent_" + name)});
    }
  }
  /// Contacts of pairs are recorded with their places; of two rows at one time the later one has the later numbers.
  void add_pair_contact(const TraceStatus& closed, DrawnFrame& frame) {
    const auto rows = std::ranges::equal_range(trace_.contact_rows, frame.t, {}, &ContactRow::t);
    for (const ContactRow& row : rows) {
      if (row.contact != closed.contact || row.status != closed.status) continue;
      frame.contacts.push_back({closed.contact, closed.status, {row.point[0], row.point[1]},
                                {row.direction[0], row.direction[1]}, row.normal, row.tangent[0]});
      return;
    }
  }
  double number(const double* numbers, const std::string& column) const {
    const auto found = std::ranges::find(trace_.columns, column);
    return found == trace_.columns.end() ? 0.0 : numbers[found - trace_.columns.begin()];
  }

  const Model& model_;
  const Trace& trace_;
  Drawing drawing_;
  std::vector<int> drawn_at_;  // per body: its part, or -1
  std::vector<Expression> formulas_;
  symbolic::Program program_;
  std::vector<double> values_;
  std::size_t mode_ = 0;
};

}  // namespace

Drawing draw_run(const Model& model, const Trace& trace) {
  if (model.dimension != 2) return {};
  return Draughtsman(model, trace).drawing();
}

}  // namespace clack
