// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/outline_edge.hpp"

#include <array>
#include <numbers>

#include "clack/geometry/tolerances.hpp"

namespace clack {
namespace {

using Eigen::Vector2d;
constexpr double pi = std::numbers::pi, unbounded = std::numeric_limits<double>::infinity();

Vector2d turned_by(const Vector2d& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * v.x() - s * v.y(), s * v.x() + c * v.y()};
}

Vector2d left_of(const Vector2d& v) { return {-v.y(), v.x()}; }

bool is_on(const OutlineEdge& edge, double along, double tolerance) {
  return along >= edge.lowest() - tolerance && along <= edge.length + tolerance;
}

/// Points of the circle of an arc in the two directions +-u that lie on the arc.
template <class Visit>
void visit_extremes(const OutlineEdge& arc, const Vector2d& u, Visit&& visit) {
  for (const double sign : {1.0, -1.0})
    if (is_on(arc, along_towards(arc, sign * u), 0.0))
      visit(Vector2d(arc.centre + sign * std::abs(arc.radius) * u));
}

void add_meeting(const OutlineEdge& a, const OutlineEdge& b, const Vector2d& point,
                 double tolerance, std::vector<EdgeMeeting>& found) {
  const auto place = [&](const OutlineEdge& e) {
    return e.is_straight() ? e.tangent.dot(point - e.start) : along_towards(e, point - e.centre);
  };
  const EdgeMeeting meeting{place(a), place(b)};
  if (is_on(a, meeting.on_first, tolerance) && is_on(b, meeting.on_second, tolerance))
    found.push_back(meeting);
}

/// Where a circle meets a point set at the distance `height` from its centre along u, spread across.
template <class Add>
void meet_circle(const Vector2d& centre, double radius, const Vector2d& u, double height,
                 double tolerance, Add&& add) {
  const double rest = (radius - height) * (radius + height);
  if (rest < 0.0) {  // a touch within rounding is a meeting
    if (std::abs(height) - radius <= tolerance)
      add(Vector2d(centre + std::copysign(radius, height) * u));
    return;
  }
  const Vector2d across = std::sqrt(rest) * left_of(u);
  add(Vector2d(centre + height * u + across));
  add(Vector2d(centre + height * u - across));
}

}  // namespace

Vector2d OutlineEdge::point_at(double along) const {
  if (is_straight()) return start + along * tangent;
  return centre + turned_by(start - centre, along / radius);
}

Vector2d OutlineEdge::tangent_at(double along) const {
  return is_straight() ? tangent : turned_by(tangent, along / radius);
}

OutlineEdge placed(const OutlineEdge& edge, const RigidPose<2>& pose) {
  OutlineEdge seen = edge;
  seen.start = pose.position + pose.rotation * edge.start;
  seen.tangent = pose.rotation * edge.tangent;
  seen.normal = pose.rotation * edge.normal;
  seen.centre = pose.position + pose.rotation * edge.centre;
  return seen;
}

double along_towards(const OutlineEdge& arc, const Vector2d& direction) {
  const Vector2d from = arc.start - arc.centre;
  double angle = std::atan2(cross2(from, direction), from.dot(direction));
  if (arc.radius < 0.0) angle = -angle;
  const double r = std::abs(arc.radius), middle = 0.5 * arc.length / r;
  if (angle < middle - pi) angle += 2.0 * pi;
  if (angle > middle + pi) angle -= 2.0 * pi;
  return angle * r;
}

double clipped_foot(const OutlineEdge& edge, const Vector2d& point) {
  if (edge.is_straight())
    return std::clamp(edge.tangent.dot(point - edge.start), edge.lowest(), edge.length);
  const double along = along_towards(edge, point - edge.centre);
  if (along >= 0.0 && along <= edge.length) return along;
  return (point - edge.start).squaredNorm() <= (point - edge.end()).squaredNorm() ? 0.0
                                                                                  : edge.length;
}

double edge_distance(const OutlineEdge& edge, const Vector2d& point) {
  if (edge.is_line()) return std::abs(edge.normal.dot(point - edge.start));
  if (edge.is_straight())
    return (point - (edge.start + clipped_foot(edge, point) * edge.tangent)).norm();
  const double along = along_towards(edge, point - edge.centre);
  if (along >= 0.0 && along <= edge.length)
    return std::abs((point - edge.centre).norm() - std::abs(edge.radius));
  return std::min((point - edge.start).norm(), (point - edge.end()).norm());
}

double edge_distance(const OutlineEdge& a, const OutlineEdge& b) {
  double best = unbounded;
  for (const auto& [mine, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (mine->is_line()) continue;
    best = std::min(best, segment_distance(*other, mine->start));
    if (mine->has_ends()) best = std::min(best, segment_distance(*other, mine->end()));
  }
  if (a.is_straight() || b.is_straight()) {
    const OutlineEdge &arc = a.is_straight() ? b : a, &straight = a.is_straight() ? a : b;
    if (!is_on(straight, straight.tangent.dot(arc.centre - straight.start), 0.0)) return best;
    visit_extremes(arc, straight.normal, [&](const Vector2d& p) {
      best = std::min(best, std::abs(straight.normal.dot(p - straight.start)));
    });
    return best;
  }
  const Vector2d way = b.centre - a.centre;
  if (!(way.norm() > 0.0)) return best;
  const Vector2d u = way.normalized();
  visit_extremes(a, u, [&](const Vector2d& p) {
    visit_extremes(b, u, [&](const Vector2d& r) { best = std::min(best, (p - r).norm()); });
  });
  return best;
}

std::vector<EdgeMeeting> edge_meetings(const OutlineEdge& a, const OutlineEdge& b,
                                       double tolerance) {
  std::vector<EdgeMeeting> found;
  const auto add = [&](const Vector2d& p) { add_meeting(a, b, p, tolerance, found); };
  if (a.is_straight() && b.is_straight()) {
    const double sine = cross2(a.tangent, b.tangent);
    if (std::abs(sine) > outline_tolerances.same_normal)
      add(a.start + cross2(b.start - a.start, b.tangent) / sine * a.tangent);
    return found;
  }
  if (a.is_straight() || b.is_straight()) {
    const OutlineEdge &arc = a.is_straight() ? b : a, &straight = a.is_straight() ? a : b;
    meet_circle(arc.centre, std::abs(arc.radius), straight.normal,
                straight.normal.dot(straight.start - arc.centre), tolerance, add);
    return found;
  }
  const Vector2d way = b.centre - a.centre;
  const double d = way.norm(), ra = std::abs(a.radius), rb = std::abs(b.radius);
  if (d <= tolerance) return found;  // one circle, or circles that never meet
  meet_circle(a.centre, ra, way / d, 0.5 * (d + (ra - rb) * (ra + rb) / d), tolerance, add);
  return found;
}

OutlineEdge make_edge(const Vector2d& from, const Vector2d& to, double bulge) {
  OutlineEdge edge;
  edge.start = from;
  const Vector2d way = to - from;
  const double chord = way.norm();
  edge.length = chord;
  edge.tangent = way / chord;
  if (bulge != 0.0) {
    // chord = 2 r sin(angle/2); the centre is left of the chord for arcs below a half circle that run counter-clockwise.
    const double angle = 4.0 * std::atan(bulge);
    edge.radius = chord * (1.0 + bulge * bulge) / (4.0 * bulge);
    edge.centre =
        0.5 * (from + to) + chord * (1.0 - bulge * bulge) / (4.0 * bulge) * left_of(edge.tangent);
    edge.length = edge.radius * angle;
    edge.tangent = turned_by(edge.tangent, -0.5 * angle);
  }
  edge.normal = {edge.tangent.y(), -edge.tangent.x()};
  return edge;
}

OutlineEdge make_circle(const Vector2d& centre, double radius) {
  OutlineEdge edge;
  const double r = std::abs(radius), sign = std::copysign(1.0, radius);
  edge.start = centre + Vector2d(r, 0.0);
  edge.tangent = {0.0, sign};
  edge.normal = {sign, 0.0};
  edge.length = 2.0 * pi * r;
  edge.radius = radius;
  edge.centre = centre;
  return edge;
}

OutlineEdge make_line(const Vector2d& normal, double offset) {
  OutlineEdge edge;
  edge.start = offset * normal;
  edge.normal = normal;
  edge.tangent = left_of(normal);
  edge.length = unbounded;
  return edge;
}

EdgeBox box_of(const OutlineEdge& edge) {
  if (edge.is_line()) {
    EdgeBox box{edge.start, edge.start};
    for (const int k : {0, 1}) {
      if (edge.tangent[k] == 0.0) continue;
      box.low[k] = -unbounded;
      box.high[k] = unbounded;
    }
    return box;
  }
  const Vector2d end = edge.end();
  EdgeBox box{edge.start.cwiseMin(end), edge.start.cwiseMax(end)};
  if (edge.is_straight()) return box;
  const double slack = outline_tolerances.rounding * (std::abs(edge.radius) + edge.centre.norm());
  for (const Vector2d& axis : {Vector2d(1, 0), Vector2d(0, 1)})
    visit_extremes(edge, axis, [&](const Vector2d& p) {
      box.low = box.low.cwiseMin(p);
      box.high = box.high.cwiseMax(p);
    });
  box.low.array() -= slack;
  box.high.array() += slack;
  return box;
}

}  // namespace clack
