// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/outline_motion.hpp"

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
    return {start.margin * end.margin / length,
            start.rate * (end.margin - start.margin) / length};
  }
  if (start.is_border) return {start.margin, start.rate};
  if (end.is_border) return {end.margin, end.rate};
  return {};
}

OutlineMotionBounds::OutlineMotionBounds(const Model& model, const MotionSymbols& motion) {
  Indexed<bool, BodyIndex> is_needed(model.bodies.size(), false);
  for (const OutlineSource& source : outline_sources(model))
    is_needed[source.first_body] = is_needed[source.second_body] = true;
  for (const BodyIndex b : indices(model.bodies)) {
    const Body& body = model.bodies[b];
    const bool is_free = body.kind == BodyKind::free;
    first_speed_.push_back(is_free ? body.first_speed : -1);
    if (!is_needed[b] || is_free || body.kind == BodyKind::fixed) continue;
    Formulas formulas;
    formulas.body = b;
    std::vector<Expression> rates, outputs;
    for (const Expression& e :
         {body.position[0], body.position[1], body.angle.is_valid() ? body.angle : motion.zero()})
      rates.push_back(motion.rate(e));
    outputs = rates;
    for (const Expression& e : rates) outputs.push_back(motion.rate(e));
    for (int j = 0; j < motion.speeds(); ++j) {
      formulas.speeds.push_back(j);
      for (const Expression& e : rates) outputs.push_back(motion.speed_derivative(e, j));
    }
    formulas.program = symbolic::IntervalProgram(motion.inputs(), outputs);
    formulas.inputs = motion.inputs().size();
    formulas.outputs = outputs.size();
    formulas_.push_back(std::move(formulas));
  }
}

OutlineMotionBounds::BodyRange OutlineMotionBounds::range_of(BodyIndex body,
                                                             const MotionRanges& ranges) const {
  BodyRange range;
  if (const int at = first_speed_[body]; at >= 0) {
    for (const int k : {0, 1}) {
      range.velocity[k] = ranges.v[at + k];
      range.acceleration[k] = ranges.a[at + k];
    }
    range.spin = ranges.v[at + 2];
    range.spin_rate = ranges.a[at + 2];
    return range;
  }
  for (const Formulas& formulas : formulas_) {
    if (formulas.body != body) continue;
    std::vector<Interval> inputs{ranges.t}, values(formulas.outputs);
    inputs.insert(inputs.end(), ranges.q.begin(), ranges.q.end());
    inputs.insert(inputs.end(), ranges.v.begin(), ranges.v.end());
    inputs.resize(formulas.inputs, {-1.0, 1.0});  // branches of formulas: any
    formulas.program(inputs.data(), values.data());
    for (std::size_t j = 0; j < formulas.speeds.size(); ++j)
      for (std::size_t k = 0; k < 3; ++k)
        values[3 + k] = values[3 + k] + values[6 + 3 * j + k] * ranges.a[formulas.speeds[j]];
    for (const int k : {0, 1}) {
      range.velocity[k] = values[k];
      range.acceleration[k] = values[3 + k];
    }
    range.spin = values[2];
    range.spin_rate = values[5];
  }
  return range;
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
  if (rows_.has_contact(contact.source)) return 0;
  if (const OutlineSource* outlines = outlines_of_source(contact.source))
    return outlines->first->has_arcs || outlines->second->has_arcs ? outline_borders : 1;
  return sides_.of(contact).has_border ? 1 : 0;
}

const OutlineSource* Mechanism::outlines_of_source(SourceIndex source) const {
  for (const OutlineSource& outlines : outlines_)
    if (outlines.source == source) return &outlines;
  return nullptr;
}

}  // namespace clack
