// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/neighbourhood.hpp"

#include <algorithm>
#include <numeric>

#include "clack/index.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;

/// Radius of the ball around the origin of the body that holds the shape; half-spaces have none.
double ball_radius(const Shape& shape) {
  return std::visit(
      ShapeCases{[](const Ball& ball) { return ball.radius; }, [](const HalfSpace&) { return 0.0; },
                 [](const Box& box) { return box.half_extents.norm(); },
                 [](const SmoothShape& smooth) { return smooth.body->outer_radius(); },
                 [](const Outline& outline) { return outline.radius; },
                 [](const Solid& solid) { return solid.body->outer_radius; }},
      shape);
}

const HalfSpace* half_space(const Model& model, const Attachment& end) {
  const auto& shape = model.bodies[end.body].shape;
  return !end.point() && shape ? std::get_if<HalfSpace>(&*shape) : nullptr;
}

}  // namespace

double size_of(const Model& model, const Attachment& end) {
  const Body& body = model.bodies[end.body];
  if (const auto point = end.point()) return body.points[*point].position.norm();
  return body.shape ? ball_radius(*body.shape) : 0.0;
}

Neighbourhood::Neighbourhood(const Model& model, const BodyMotions& bodies)
    : all_(possible_contacts(model)), solids_(solid_sources(model)) {
  is_trivial_ = all_.size() <= few && solids_.empty();
  if (is_trivial_) return;
  for (SourceIndex source : indices(model.contacts)) {
    const auto begin = std::lower_bound(all_.begin(), all_.end(), ContactKey{.source = source});
    const auto end =
        std::lower_bound(begin, all_.end(), ContactKey{.source = SourceIndex(source.value + 1)});
    range_.push_back({begin - all_.begin(), end - all_.begin()});
    add_source(model, source, bodies);
  }
  is_trivial_ = planes_.empty() && pairs_.empty();  // formulas do not tell where they are
  if (is_trivial_) return;
  std::sort(pairs_.begin(), pairs_.end());
  begin_.resize(balls_.size());
  end_.resize(balls_.size());
  middle_.resize(balls_.size());
  reach_.resize(balls_.size());
  order_.resize(balls_.size());
  std::iota(order_.begin(), order_.end(), 0);
  near_.reserve(model.contacts.size());
}

void Neighbourhood::add_source(const Model& model, SourceIndex source, const BodyMotions& bodies) {
  const Between* between = model.contacts[source].between();
  if (!between) {
    always_.push_back(source);
    return;
  }
  if (outlines_of(model, model.contacts[source])) return;  // hybrid/outline_guards.hpp
  const Attachment *round = &between->first, *other = &between->second;
  if (half_space(model, *round)) std::swap(round, other);
  if (const HalfSpace* plane = half_space(model, *other)) {
    if (model.bodies[other->body].kind != BodyKind::fixed) {
      always_.push_back(source);
      return;
    }
    const Pose& pose = bodies[other->body].pose;
    const Vector3d normal = pose.rotation * plane->normal;
    planes_.push_back(
        {source, ball_of(model, *round), normal, plane->offset + normal.dot(pose.position)});
    return;
  }
  const int a = ball_of(model, *round), b = ball_of(model, *other);
  pairs_.push_back({std::min(a, b), std::max(a, b), source});
}

int Neighbourhood::ball_of(const Model& model, const Attachment& end) {
  const Body& body = model.bodies[end.body];
  const auto point = end.point();
  const struct Ball ball {
    end.body, point ? body.points[*point].position : Vector3d(Vector3d::Zero()),
        point || !body.shape ? 0.0 : ball_radius(*body.shape)
  };
  for (int i = 0; i < number_of(balls_); ++i)
    if (balls_[i].body == ball.body && balls_[i].centre == ball.centre &&
        balls_[i].radius == ball.radius)
      return i;
  balls_.push_back(ball);
  return number_of(balls_) - 1;
}

void Neighbourhood::sample(const BodyMotions& bodies, std::vector<Place>& places) const {
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const BodyMotion& body = bodies[balls_[i].body];
    places[i].centre = body.pose.position + body.pose.rotation * balls_[i].centre;
    places[i].velocity = body.velocity_at(places[i].centre);
  }
}

void Neighbourhood::find(double h, ContactSet& contacts) {
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const Vector3d way = end_[i].centre - begin_[i].centre;
    middle_[i] = 0.5 * (begin_[i].centre + end_[i].centre);
    reach_[i] = balls_[i].radius + 0.5 * way.norm() + (h * begin_[i].velocity - way).norm() +
                (h * end_[i].velocity - way).norm() +
                slack * (balls_[i].radius + middle_[i].norm());
  }
  near_.assign(always_.begin(), always_.end());
  for (const PlaneSource& plane : planes_)
    if (!(plane.normal.dot(middle_[plane.ball]) - plane.offset > reach_[plane.ball]))
      near_.push_back(plane.source);
  sweep_pairs();
  std::sort(near_.begin(), near_.end());
  contacts.clear();
  for (const SourceIndex source : near_)
    if (!add_solids(source, h, contacts))
      contacts.insert(contacts.end(), all_.begin() + range_[source].first,
                      all_.begin() + range_[source].second);
}

bool Neighbourhood::add_solids(SourceIndex source, double duration, ContactSet& contacts) {
  const auto solid = std::ranges::lower_bound(solids_, source, {}, &SolidSource::source);
  if (solid == solids_.end() || solid->source != source) return false;
  const double skin =
      approach(*solid, begin_bodies_, end_bodies_, duration) + slack * solid->size();
  contacts_within(solid->pair(), begin_bodies_[solid->first_body].pose,
                  begin_bodies_[solid->second_body].pose, skin, work_, near_features_);
  for (const SolidContact& contact : near_features_)
    contacts.push_back(contact_key(source, contact));
  return true;
}

/// Pairs of balls whose shadows on the axis overlap along which they spread farthest are looked at; all others are
/// apart.
void Neighbourhood::sweep_pairs() {
  if (pairs_.empty()) return;
  Vector3d least = middle_[0], most = middle_[0];
  for (const Vector3d& centre : middle_) {
    least = least.cwiseMin(centre);
    most = most.cwiseMax(centre);
  }
  int axis = 0;
  (most - least).maxCoeff(&axis);
  const auto low = [&](int i) { return middle_[i][axis] - reach_[i]; };
  // Nearly sorted from the step before: insertion.
  for (std::size_t i = 1; i < order_.size(); ++i)
    for (std::size_t j = i; j > 0 && low(order_[j]) < low(order_[j - 1]); --j)
      std::swap(order_[j], order_[j - 1]);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const int a = order_[i];
    const double high = middle_[a][axis] + reach_[a];
    for (std::size_t j = i + 1; j < order_.size() && !(low(order_[j]) > high); ++j) {
      const int b = order_[j];
      if ((middle_[a] - middle_[b]).norm() > reach_[a] + reach_[b]) continue;
      const PairSource wanted{std::min(a, b), std::max(a, b), SourceIndex()};
      for (auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), wanted);
           pair != pairs_.end() && pair->first == wanted.first && pair->second == wanted.second;
           ++pair)
        near_.push_back(pair->source);
    }
  }
}

}  // namespace clack
