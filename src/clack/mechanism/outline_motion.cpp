// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/outline_motion.hpp"

#include <algorithm>
#include <cmath>

#include "clack/mechanism/mechanism.hpp"

namespace clack {

using symbolic::Interval;

std::vector<OutlineSource> outline_sources(const Model& model) {
  std::vector<OutlineSource> found;
  for (const SourceIndex source : indices(model.contacts)) {
    const auto pair = outlines_of(model, model.contacts[source]);
    if (!pair) continue;
    const Between& between = *model.contacts[source].between();
    found.push_back({source, between.first.body, between.second.body, &pair->first, &pair->second});
  }
  return found;
}

PlanarMotion planar_motion(const BodyMotion& body) {
  PlanarMotion motion;
  motion.pose.position = body.pose.position.head<2>();
  motion.pose.rotation = body.pose.rotation.topLeftCorner<2, 2>();
  motion.velocity = body.velocity.head<2>();
  motion.spin = body.spin.z();
  return motion;
}

BorderMotion outline_border(const OutlinePair& pair, const Candidate& candidate, int border,
                            const PlanarMotion& first, const PlanarMotion& second) {
  const CandidateGap gap = candidate_gap(pair, candidate, first.pose, second.pose);
  const CandidateRate rate = candidate_rate(pair, candidate, gap, first, second);
  const PlanarPose& owner = candidate.owner == PairSide::first ? first.pose : second.pose;
  const auto borders = candidate_borders(pair, candidate, gap, rate, owner);
  const CandidateBorder &start = borders[2 * border], &end = borders[2 * border + 1];
  if (start.is_border && end.is_border) {
    const double length = border == 0 ? pair.edge(candidate).length : start.margin + end.margin;
    // Their sum is constant, so that one rate is minus the other.
    return {start.margin * end.margin / length, start.rate * (end.margin - start.margin) / length};
  }
  if (start.is_border) return {start.margin, start.rate};
  if (end.is_border) return {end.margin, end.rate};
  return {};
}

OutlineMotionBounds::OutlineMotionBounds(const Model& model, const MotionSymbols& motion)
    : speeds_(model.speeds.size()) {
  Indexed<bool, BodyIndex> is_needed(model.bodies.size(), false);
  for (const OutlineSource& source : outline_sources(model))
    is_needed[source.first_body] = is_needed[source.second_body] = true;
  for (const BodyIndex b : indices(model.bodies)) {
    const Body& body = model.bodies[b];
    const bool is_free = body.kind == BodyKind::free;
    first_coordinate_.push_back(is_free ? body.first_coordinate : -1);
    if (!is_needed[b] || is_free || body.kind == BodyKind::fixed) continue;
    const std::array<Expression, 3> pose{body.position[0], body.position[1],
                                         body.angle.is_valid() ? body.angle : motion.zero()};
    Formulas formulas;
    formulas.body = b;
    std::vector<Expression> along{motion.time()}, outputs;
    for (int i = 0; i < number_of(model.coordinates); ++i) {
      const Expression& symbol = model.coordinates[i].symbol;
      if (std::ranges::none_of(pose, [&](const Expression& e) { return depends_on(e, symbol); }))
        continue;
      formulas.coordinates.push_back(i);
      along.push_back(symbol);
    }
    for (const Expression& symbol : along)
      for (const Expression& e : pose) outputs.push_back(symbolic::derivative(e, symbol));
    formulas.first = symbolic::Program(motion.inputs(), outputs);
    for (std::size_t i = 0; i < along.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        for (std::size_t k = 0; k < 3; ++k)
          outputs.push_back(symbolic::derivative(outputs[3 * i + k], along[j]));
    formulas.program = symbolic::IntervalProgram(motion.inputs(), outputs);
    formulas.inputs = motion.inputs().size();
    formulas.outputs = outputs.size();
    formulas_.push_back(std::move(formulas));
  }
}

const OutlineMotionBounds::Formulas* OutlineMotionBounds::formulas_of(BodyIndex body) const {
  const auto found = std::ranges::find(formulas_, body, &Formulas::body);
  return found != formulas_.end() ? &*found : nullptr;
}

OutlineMotionBounds::BodyRange OutlineMotionBounds::range_of(BodyIndex body,
                                                             const MotionRanges& ranges) const {
  BodyRange range;
  if (const int at = first_coordinate_[body]; at >= 0) {
    for (const int k : {0, 1}) {
      range.velocity[k] = ranges.rate[at + k];
      range.acceleration[k] = ranges.acceleration[at + k];
    }
    range.spin = ranges.rate[at + 2];
    range.spin_rate = ranges.acceleration[at + 2];
    return range;
  }
  const Formulas* formulas = formulas_of(body);
  if (!formulas) return range;
  std::vector<Interval> inputs{ranges.t}, values(formulas->outputs);
  inputs.insert(inputs.end(), ranges.q.begin(), ranges.q.end());
  inputs.resize(inputs.size() + speeds_, {-1.0, 1.0});  // in no pose
  for (const double number : signals_) inputs.push_back({number, number});
  inputs.resize(formulas->inputs, {-1.0, 1.0});  // branches of formulas: any
  formulas->program(inputs.data(), values.data());
  // Along (t, q_1, q_2, ...): rates 1, q_i' and their rates 0, q_i''.
  std::vector<Interval> rate{{1.0, 1.0}}, acceleration{{0.0, 0.0}};
  for (const int i : formulas->coordinates) {
    rate.push_back(ranges.rate[i]);
    acceleration.push_back(ranges.acceleration[i]);
  }
  const std::size_t n = rate.size();
  std::array<Interval, 3> velocity{}, change{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0, at = 3 * n; i < n; ++i) {
      velocity[k] = velocity[k] + values[3 * i + k] * rate[i];
      change[k] = change[k] + values[3 * i + k] * acceleration[i];
      for (std::size_t j = 0; j <= i; ++j, at += 3)
        change[k] = change[k] + Interval{i == j ? 1.0 : 2.0, i == j ? 1.0 : 2.0} *
                                    (values[at + k] * (rate[i] * rate[j]));
    }
  }
  for (const int k : {0, 1}) {
    range.velocity[k] = velocity[k];
    range.acceleration[k] = change[k];
  }
  range.spin = velocity[2];
  range.spin_rate = change[2];
  return range;
}

double OutlineMotionBounds::speed_of(BodyIndex body, const MotionRanges& ranges) const {
  const BodyRange range = range_of(body, ranges);
  return std::hypot(range.velocity[0].largest(), range.velocity[1].largest());
}

void OutlineMotionBounds::set_velocity(BodyIndex body, const double* inputs, const double* rates,
                                       PlanarMotion& motion) const {
  const Formulas* formulas = formulas_of(body);
  if (!formulas) return;
  std::vector<double> values(3 * (1 + formulas->coordinates.size()));
  formulas->first(inputs, values.data());
  Eigen::Vector3d velocity = vector_at(values.data());
  for (std::size_t i = 0; i < formulas->coordinates.size(); ++i)
    velocity += rates[formulas->coordinates[i]] * vector_at(values.data() + 3 + 3 * i);
  motion.velocity = velocity.head<2>();
  motion.spin = velocity.z();
}

PairBounds OutlineMotionBounds::of(BodyIndex first_body, BodyIndex second_body,
                                   const MotionRanges& ranges) const {
  const BodyRange a = range_of(first_body, ranges), b = range_of(second_body, ranges);
  const auto largest = [](const Interval(&x)[2], const Interval(&y)[2]) {
    return std::hypot((x[0] - y[0]).largest(), (x[1] - y[1]).largest());
  };
  PairBounds bounds;
  bounds.speed = largest(a.velocity, b.velocity);
  bounds.acceleration = largest(a.acceleration, b.acceleration);
  bounds.first_spin = a.spin.largest();
  bounds.second_spin = b.spin.largest();
  bounds.first_spin_rate = a.spin_rate.largest();
  bounds.second_spin_rate = b.spin_rate.largest();
  return bounds;
}

BorderMotion Mechanism::border(double t, const double* q, const double* v,
                               const ContactKey& contact, int border) {
  if (const auto foot = feet_.of_source(contact.source)) {
    feet(t, q, v);
    return foot_border(*foot, q);
  }
  if (!has_border(contact)) return {};
  place(t, q, v);
  const ContactSides sides = sides_.of(contact);
  if (const OutlineSource* outlines = outlines_of_source(contact.source))
    return outline_border(outlines->pair(), candidate_of(contact), border,
                          planar_motion(kinematics_.body(sides.first_body)),
                          planar_motion(kinematics_.body(sides.second_body)));
  return border_motion(sides, kinematics_.body(sides.first_body),
                       kinematics_.body(sides.second_body));
}

int Mechanism::borders(const ContactKey& contact) const {
  if (feet_.of_source(contact.source)) return 1;
  if (rows_.has_contact(contact.source)) return 0;
  if (const OutlineSource* outlines = outlines_of_source(contact.source))
    return outlines->first->has_arcs || outlines->second->has_arcs ? outline_borders : 1;
  return sides_.of(contact).has_border ? 1 : 0;
}

const OutlineSource* Mechanism::outlines_of_source(SourceIndex source) const {
  const auto found = std::ranges::lower_bound(outlines_, source, {}, &OutlineSource::source);
  return found != outlines_.end() && found->source == source ? &*found : nullptr;
}

const std::vector<int>& Mechanism::outlines_near(double t, const double* q, const double* v,
                                                 double margin) {
  if (outline_neighbours_.is_trivial()) return outline_neighbours_.find(margin);
  place(t, q, v);
  const std::vector<BodyIndex>& bodies = outline_neighbours_.bodies();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Eigen::Vector2d at = kinematics_.body(bodies[k]).pose.position.head<2>();
    outline_neighbours_.place(k, at, at);
  }
  return outline_neighbours_.find(margin);
}

PlanarMotion Mechanism::motion_along(BodyIndex body, double t, const double* q,
                                     const double* rates) {
  const Body& of = model_.bodies[body];
  PlanarMotion motion;
  if (of.kind == BodyKind::free) {
    const double *at = q + of.first_coordinate, *rate = rates + of.first_coordinate;
    motion.pose = planar_pose(at[0], at[1], at[2]);
    motion.velocity = {rate[0], rate[1]};
    motion.spin = rate[2];
    return motion;
  }
  if (of.kind == BodyKind::fixed) return planar_motion(kinematics_.body(body));
  still_.assign(speeds_, 0.0);
  const double* inputs = place(t, q, still_.data());
  motion = planar_motion(kinematics_.body(body));
  outline_bounds_.set_velocity(body, inputs, rates, motion);
  return motion;
}

}  // namespace clack
