// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/draw.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "clack/hybrid/drawn_parts.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/mechanism.hpp"
#include "clack/mechanism/spatial_kinematics.hpp"
#include "clack/model/contact_source.hpp"
#include "clack/model/own_formulas.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {
namespace {

constexpr std::size_t even_frames = 1200;  // in time
constexpr std::size_t most_frames = 4000;  // with those of the events
constexpr std::size_t most_numbers =
    100'000;  // of poses and contacts: keeps a page of many bodies small
constexpr std::size_t numbers_per_contact = 11;
constexpr std::size_t most_impulses = 4000;

std::array<double, 3> scaled(double force, const Eigen::Vector3d& direction) {
  return {force * direction.x(), force * direction.y(), force * direction.z()};
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
    const bool is_event =
        (row > 0 && time(row - 1) == time(row)) || (row + 1 < count && time(row + 1) == time(row));
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

/// Where things are: formulas of t, coordinates and speeds, evaluated together. In the plane three numbers each
/// (x, y, angle), in space twelve (place, rotation by rows).
class Places {
 public:
  explicit Places(const Model& model) : model_(model), is_planar_(model.dimension == 2) {}
  std::size_t add(const std::array<Expression, 3>& position, Expression angle,
                  const SpatialMatrix& rotation) {
    const Expression zero = model_.graph->number(0.0);
    const auto put = [&](Expression e) { formulas_.push_back(e.is_valid() ? e : zero); };
    put(position[0]);
    put(position[1]);
    put(is_planar_ ? angle : position[2]);
    if (!is_planar_)
      for (const SpatialVector& row : rotation)
        for (const Expression e : row) put(e);
    return count_++;
  }
  void compile() {
    std::vector<Expression> inputs{model_.time};
    for (const Coordinate& coordinate : model_.coordinates) inputs.push_back(coordinate.symbol);
    for (const Speed& speed : model_.speeds) inputs.push_back(speed.symbol);
    for (const Input& input : model_.inputs)
      inputs.insert(inputs.end(), input.symbols.begin(), input.symbols.end());
    program_ = symbolic::Program(inputs, formulas_);
    values_.resize(formulas_.size());
  }
  void evaluate(const double* row) {
    program_(row, values_.data());
  }  // t, coordinates, speeds, inputs

  DrawnPose pose(std::size_t at) const {
    const double* v = begin(at);
    if (is_planar_) return {v[0], v[1], v[2]};
    const Eigen::Quaterniond q(rotation(at));
    return {v[0], v[1], v[2], q.w(), q.x(), q.y(), q.z()};
  }
  /// The first three numbers as they are: of a direction.
  Eigen::Vector3d vector(std::size_t at) const {
    const double* v = begin(at);
    return {v[0], v[1], is_planar_ ? 0.0 : v[2]};
  }
  /// World place of a point of the frame.
  std::array<double, 3> point(std::size_t at, const Eigen::Vector3d& local) const {
    const double* v = begin(at);
    const double z = is_planar_ ? 0.0 : v[2];
    const Eigen::Vector3d world = Eigen::Vector3d(v[0], v[1], z) + rotation(at) * local;
    return {world.x(), world.y(), world.z()};
  }

 private:
  const double* begin(std::size_t at) const { return values_.data() + (is_planar_ ? 3 : 12) * at; }
  Eigen::Matrix3d rotation(std::size_t at) const {
    const double* v = begin(at);
    if (!is_planar_) return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(v + 3);
    return Eigen::AngleAxisd(v[2], Eigen::Vector3d::UnitZ()).toRotationMatrix();
  }
  const Model& model_;
  bool is_planar_ = true;
  std::size_t count_ = 0;
  std::vector<Expression> formulas_;
  symbolic::Program program_;
  std::vector<double> values_;
};

class Draughtsman {
 public:
  /// `model`: with formulas of its own.
  Draughtsman(const Model& model, const Trace& trace)
      : model_(model), trace_(trace), places_(model) {
    drawing_.dimension = model.dimension;
    for (const Body& body : model.bodies) add(body);
    for (const Spring& spring : model.springs)
      if (!spring.is_torsion) drawing_.links.push_back(DrawnLink::spring);
    for (const Sketch& sketch : model.sketches) add(sketch);
    places_.compile();
    find_contacts();
  }

  Drawing drawing() {
    if (drawing_.parts.empty() && drawing_.links.empty()) return {};
    Mechanism mechanism(model_);
    const std::size_t numbers =
        drawing_.pose_size() * std::max<std::size_t>(drawing_.parts.size(), 1) +
        numbers_per_contact * mean_contacts();
    const std::size_t limit = std::clamp<std::size_t>(most_numbers / numbers, 50, most_frames);
    for (const std::size_t row : chosen_rows(trace_, limit))
      drawing_.frames.push_back(frame(mechanism, row));
    add_impulses(mechanism);
    return std::move(drawing_);
  }

 private:
  /// Where a contact of the trace comes from, and its first force in a row (0: in contact_rows).
  struct Source {
    std::optional<ContactKey> key;
    std::size_t column = 0;
    std::optional<std::size_t> drawn =
        {};  // of a formula: its place among places_, when `draw:` gives one
  };

  /// Closed contacts per row.
  std::size_t mean_contacts() const {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < trace_.modes.size(); ++k) {
      const std::size_t end =
          k + 1 < trace_.modes.size() ? trace_.modes[k + 1].first_row : trace_.row_count();
      sum += trace_.modes[k].closed.size() * (end - std::min(end, trace_.modes[k].first_row));
    }
    return sum / std::max<std::size_t>(trace_.row_count(), 1);
  }

  void add(const Body& body) {
    SpatialMatrix rotation;
    if (model_.dimension == 3) rotation = rotation_matrix(*model_.graph, steps_to(model_, body));
    const std::size_t place = places_.add(body.position, body.angle, rotation);
    if (!body.shape && body.kind == BodyKind::fixed && body.points.empty()) return;
    drawing_.parts.push_back(drawn_body(body, model_.dimension));
    placed_at_.push_back(place);
    if (model_.dimension == 2) return;
    for (DrawnPart& line : drawn_points(body, DrawnPart(drawing_.parts.back()))) {
      drawing_.parts.push_back(std::move(line));
      placed_at_.push_back(place);
    }
  }
  void add(const Sketch& sketch) {
    if (sketch.ends.empty()) {
      drawing_.parts.push_back(drawn_sketch(sketch));
      placed_at_.push_back(places_.add(sketch.position, sketch.angle, sketch.rotation));
      return;
    }
    if (sketch.kind == Sketch::Kind::contact)
      drawn_contacts_.emplace_back(sketch.contact, ends_.size());
    for (const auto& end : sketch.ends) ends_.push_back(places_.add(end, {}, {}));
    if (sketch.kind == Sketch::Kind::contact) {
      drawing_.links.push_back(DrawnLink::gap);
      return;
    }
    drawing_.links.insert(drawing_.links.end(), sketch.ends.size() - 1,
                          sketch.kind == Sketch::Kind::spring ? DrawnLink::spring : DrawnLink::rod);
  }
  void find_contacts() {
    for (const std::string& name : trace_.contacts) {
      Source source{contact_named(model_, name), 0};
      const auto column = std::ranges::find(trace_.columns, "normal_" + name);
      if (column != trace_.columns.end()) source.column = column - trace_.columns.begin();
      for (const auto& [drawn, end] : drawn_contacts_)
        if (drawn == name) source.drawn = end;
      sources_.push_back(source);
    }
  }

  std::array<double, 3> place_of(const Attachment& end) const {
    const auto point = end.point();
    return places_.point(end.body.value, point ? model_.bodies[end.body].points[*point].position
                                               : Eigen::Vector3d::Zero());
  }
  static void add_link(DrawnFrame& frame, const std::array<double, 3>& a,
                       const std::array<double, 3>& b) {
    frame.links.push_back({a[0], a[1], a[2], b[0], b[1], b[2]});
  }

  DrawnFrame frame(Mechanism& mechanism, std::size_t row) {
    const double* numbers = trace_.rows.data() + row * trace_.columns.size();
    place(mechanism, row, numbers);
    DrawnFrame frame{.t = numbers[0]};
    for (const std::size_t place : placed_at_) frame.poses.push_back(places_.pose(place));
    for (const Spring& spring : model_.springs)
      if (!spring.is_torsion) add_link(frame, place_of(spring.first), place_of(spring.second));
    std::size_t end = 0;
    for (const Sketch& sketch : model_.sketches) {
      if (sketch.kind == Sketch::Kind::contact) add_gap(sketch, end, numbers, frame);
      for (std::size_t k = 0; k + 1 < sketch.ends.size() && sketch.contact.empty(); ++k)
        add_link(frame, places_.point(ends_[end + k], Eigen::Vector3d::Zero()),
                 places_.point(ends_[end + k + 1], Eigen::Vector3d::Zero()));
      end += sketch.ends.size();
    }
    add_contacts(mechanism, numbers, frame);
    return frame;
  }

  /// From the place of a contact to what it would touch: -gap along the normal.
  void add_gap(const Sketch& sketch, std::size_t end, const double* numbers,
               DrawnFrame& frame) const {
    const auto column = std::ranges::find(trace_.columns, "gap_" + sketch.contact);
    const double gap =
        column == trace_.columns.end() ? 0.0 : numbers[column - trace_.columns.begin()];
    const Eigen::Vector3d from = places_.vector(ends_[end]);
    const Eigen::Vector3d to = from - gap * places_.vector(ends_[end + 1]);
    add_link(frame, scaled(1.0, from), scaled(1.0, to));
  }

  /// All formulas at a row, which begins with t, coordinates, speeds; inputs are those of its mode.
  void place(Mechanism& mechanism, std::size_t row, const double* numbers) {
    while (mode_ + 1 < trace_.modes.size() && trace_.modes[mode_ + 1].first_row <= row) ++mode_;
    if (model_.inputs.empty() || trace_.modes.empty()) {
      places_.evaluate(numbers);
      return;
    }
    std::vector<double> held = trace_.modes[mode_].signals;
    for (std::size_t i = held.size() / Input::numbers; i < model_.inputs.size(); ++i) {  // to come
      const Signal& s = model_.inputs[i].start;
      held.insert(held.end(), {s.value, s.rate, s.acceleration, s.since});
    }
    std::vector<double> in(numbers, numbers + 1 + model_.coordinates.size() + model_.speeds.size());
    in.insert(in.end(), held.begin(), held.end());
    places_.evaluate(in.data());
    std::vector<Signal> signals;
    for (std::size_t i = 0; i + 3 < held.size(); i += Input::numbers)
      signals.push_back({held[i], held[i + 1], held[i + 2], held[i + 3]});
    mechanism.set_signals(signals);
  }

  void add_contacts(Mechanism& mechanism, const double* numbers, DrawnFrame& frame) {
    if (trace_.modes.empty()) return;
    const double *q = numbers + 1, *v = q + model_.coordinates.size();
    for (const TraceStatus& closed : trace_.modes[mode_].closed) {
      const Source& source = sources_.at(closed.contact);
      if (is_formula(source) && !source.drawn) continue;
      if (source.column > 0 && source.key) {
        const ContactPlace place = place_of(mechanism, source, numbers[0], q, v);
        add_contact(
            closed, place, numbers[source.column],
            {numbers[source.column + 1], model_.dimension == 3 ? numbers[source.column + 2] : 0.0},
            frame);
        continue;
      }
      if (const ContactRow* recorded = row_of(closed, frame.t))
        add_pair_contact(mechanism, closed, *recorded, q, v, frame);
    }
  }
  bool is_formula(const Source& source) const {
    return source.key && !model_.contacts[source.key->source].between();
  }
  /// Where a contact is at the state that the formulas were evaluated at. In the plane the first of `tangents` is that of
  /// the slip; in space contacts of formulas have none.
  ContactPlace place_of(Mechanism& mechanism, const Source& source, double t, const double* q,
                        const double* v) const {
    ContactPlace place;
    if (source.drawn) {
      const std::size_t end = *source.drawn;
      place.point = places_.vector(ends_[end]);
      place.normal = places_.vector(ends_[end + 1]);
      place.tangents.setZero();
      if (model_.dimension == 2) place.tangents.col(0) = places_.vector(ends_[end + 2]);
      return place;
    }
    place = mechanism.place_of(t, q, v, *source.key);
    if (model_.dimension == 2) set_planar_tangent(place);
    return place;
  }
  static void set_planar_tangent(ContactPlace& place) {
    place.tangents.setZero();
    place.tangents.col(0) = Eigen::Vector3d(place.normal.y(), -place.normal.x(), 0.0);
  }
  void add_contact(const TraceStatus& closed, const ContactPlace& place, double normal,
                   const std::array<double, 2>& tangent, DrawnFrame& frame) {
    const Eigen::Vector3d friction = place.tangents * Eigen::Vector2d(tangent[0], tangent[1]);
    frame.contacts.push_back({closed.contact, closed.status, scaled(1.0, place.point),
                              scaled(normal, place.normal), scaled(1.0, friction)});
  }
  /// At every impact the impulses of its contacts, at the places of the row before it.
  void add_impulses(Mechanism& mechanism) {
    mode_ = 0;
    std::size_t row = 0;
    const std::size_t width = trace_.columns.size();
    for (const TraceImpact& impact : trace_.impacts) {
      while (row + 1 < trace_.row_count() && trace_.rows[row * width] < impact.t) ++row;
      const double* numbers = trace_.rows.data() + row * width;
      if (numbers[0] != impact.t) continue;
      place(mechanism, row, numbers);
      const double *q = numbers + 1, *v = q + model_.coordinates.size();
      for (std::size_t k = 0; k < impact.contacts.size(); ++k) {
        if (drawing_.impulses.size() >= most_impulses) return;
        const Source& source = sources_.at(impact.contacts[k]);
        if (!source.key || (is_formula(source) && !source.drawn)) continue;
        const ContactPlace at = place_of(mechanism, source, impact.t, q, v);
        Eigen::Vector2d tangent = Eigen::Vector2d::Zero();
        for (std::size_t i = 0; i < impact.tangent_impulse[k].size() && i < 2; ++i)
          tangent[static_cast<Eigen::Index>(i)] = impact.tangent_impulse[k][i];
        drawing_.impulses.push_back({impact.t, impact.contacts[k], scaled(1.0, at.point),
                                     scaled(impact.normal_impulse[k], at.normal),
                                     scaled(1.0, at.tangents * tangent)});
      }
    }
  }
  /// Contacts of pairs are recorded with their places; of two rows at one time the later one has the later numbers.
  const ContactRow* row_of(const TraceStatus& closed, double t) const {
    for (const ContactRow& row :
         std::ranges::equal_range(trace_.contact_rows, t, {}, &ContactRow::t))
      if (row.contact == closed.contact && row.status == closed.status) return &row;
    return nullptr;
  }
  void add_pair_contact(Mechanism& mechanism, const TraceStatus& closed, const ContactRow& row,
                        const double* q, const double* v, DrawnFrame& frame) {
    ContactPlace place;
    if (const auto& key = sources_.at(closed.contact).key; key && model_.dimension == 3)
      place.tangents = mechanism.place_of(row.t, q, v, *key).tangents;
    place.point = Eigen::Vector3d(row.point[0], row.point[1], row.point[2]);
    place.normal = Eigen::Vector3d(row.direction[0], row.direction[1], row.direction[2]);
    if (model_.dimension == 2) set_planar_tangent(place);
    add_contact(closed, place, row.normal, row.tangent, frame);
  }

  const Model& model_;
  const Trace& trace_;
  Drawing drawing_;
  Places places_;
  std::vector<std::size_t> placed_at_, ends_;  // places of the parts, of the ends of links
  std::vector<std::pair<std::string, std::size_t>>
      drawn_contacts_;           // of formulas: name, first of its ends_
  std::vector<Source> sources_;  // per contact of the trace
  std::size_t mode_ = 0;
};

}  // namespace

Drawing draw_run(const Model& model, const Trace& trace) {
  const Model own = with_own_formulas(model);
  return Draughtsman(own, trace).drawing();
}

}  // namespace clack
