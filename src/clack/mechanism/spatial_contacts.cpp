#include "clack/mechanism/spatial_contacts.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "clack/error.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;

Side side_of(const Model& model, const Contact& contact, const Attachment& end) {
  const Body& body = model.bodies[static_cast<std::size_t>(end.body)];
  if (end.point >= 0) return RoundSide{body.points[static_cast<std::size_t>(end.point)].position};
  if (!body.shape)
    throw ModelError("contact " + contact.name + ": body " + body.name + " has no shape",
                     model.where(contact.place), "give it a shape, or name one of its points");
  if (const auto* ball = std::get_if<Ball>(&*body.shape))
    return RoundSide{Vector3d::Zero(), ball->radius};
  if (const auto* plane = std::get_if<HalfSpace>(&*body.shape)) return *plane;
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&*body.shape)) return *ellipsoid;
  const Box& box = std::get<Box>(*body.shape);
  if (end.point < -1) return edge_of(box, -2 - end.point);
  return box;
}

/// Against a box a point is a corner: of its own box, or (no faces) on its own.
void meet_box(const Model& model, const Attachment& end, Side& side, const Side& other) {
  const auto* point = std::get_if<RoundSide>(&side);
  if (!point || point->radius > 0.0 || !std::holds_alternative<Box>(other)) return;
  const auto& shape = model.bodies[static_cast<std::size_t>(end.body)].shape;
  constexpr int corners = 8;  // they come first among the points of a box
  const bool is_corner = shape && std::holds_alternative<Box>(*shape) && end.point < corners;
  side = is_corner ? corner_of(point->centre) : CornerSide{point->centre, Eigen::Matrix3d::Zero()};
}

double box_size(const Side& side) {
  if (const auto* box = std::get_if<Box>(&side)) return box->half_extents.maxCoeff();
  if (const auto* edge = std::get_if<EdgeSide>(&side)) return edge->half_length;
  return 0.0;
}

/// Rates of the witnesses and of the normal, see the header.
struct WitnessRates {
  Vector3d first, second, normal;
};

WitnessRates witness_rates(const SpatialDistance& d, const Eigen::Matrix<double, 3, 2>& t,
                           const BodyMotion& a, const BodyMotion& b, const Eigen::Vector2d& slip,
                           const Vector3d& first_velocity, const Vector3d& second_velocity) {
  const Eigen::Vector2d o1 = t.transpose() * a.spin.cross(d.normal);
  const Eigen::Vector2d o2 = t.transpose() * b.spin.cross(d.normal);
  const auto on_plane = [&](const Eigen::Matrix3d& m) -> Eigen::Matrix2d {
    return t.transpose() * m * t;
  };
  const Eigen::Matrix2d P1 = on_plane(d.first.surface.slide), Q1 = on_plane(d.first.surface.turn);
  const Eigen::Matrix2d P2 = on_plane(d.second.surface.slide), Q2 = on_plane(d.second.surface.turn);
  Eigen::Matrix4d system;
  system << Q1, Q2, P1 + d.distance * Q1, -P2;
  Eigen::Vector4d right;
  right << o1 - o2, d.distance * o1 - slip;
  const Eigen::Vector4d w = system.partialPivLu().solve(right);
  WitnessRates rates;
  rates.first = first_velocity + t * (P1 * w.head<2>());
  rates.second = second_velocity + t * (P2 * w.tail<2>());
  rates.normal = t * (o1 - Q1 * w.head<2>());
  return rates;
}

}  // namespace

ContactFrame::ContactFrame(const Vector3d& normal) : start_normal(normal) {
  Eigen::Index largest = 0;
  normal.cwiseAbs().maxCoeff(&largest);
  const Vector3d axis = Vector3d::Unit((largest + 1) % 3);
  start_tangents.col(0) = (axis - normal.dot(axis) * normal).normalized();
  start_tangents.col(1) = normal.cross(start_tangents.col(0));
}

Eigen::Matrix<double, 3, 2> ContactFrame::tangents(const Vector3d& n) const {
  const double c = 1.0 + start_normal.dot(n);
  if (!(c > 1e-12)) return ContactFrame(n).start_tangents;
  const Eigen::RowVector2d along = n.transpose() * start_tangents / c;
  return start_tangents - (start_normal + n) * along;
}

Eigen::Matrix<double, 3, 2> ContactFrame::tangent_rates(const Vector3d& n,
                                                        const Vector3d& rate) const {
  const double c = 1.0 + start_normal.dot(n);
  if (!(c > 1e-12)) return Eigen::Matrix<double, 3, 2>::Zero();
  const Eigen::RowVector2d along = n.transpose() * start_tangents / c;
  const Eigen::RowVector2d change =
      (rate.transpose() * start_tangents - start_normal.dot(rate) * along) / c;
  return -(start_normal + n) * change - rate * along;
}

TouchMotion touch_motion(const SpatialContact& contact, const BodyMotion& a, const BodyMotion& b,
                         bool may_be_closed) {
  SpatialDistance d = signed_distance(contact.first, a.pose, contact.second, b.pose);
  if (may_be_closed && contact.box_size > 0.0)
    d = touching_distance(contact.first, a.pose, contact.second, b.pose, d,
                          a.velocity_at(d.border) - b.velocity_at(d.border));
  TouchMotion touch;
  touch.gap = d.distance;
  touch.normal = d.normal;
  touch.tangents = contact.frame.tangents(d.normal);
  touch.first_arm = d.first.point - a.pose.position;
  touch.second_arm = d.second.point - b.pose.position;
  const Vector3d v1 = a.velocity + a.spin.cross(touch.first_arm);
  const Vector3d v2 = b.velocity + b.spin.cross(touch.second_arm);
  const Vector3d relative = v1 - v2;
  touch.gap_rate = d.leaving_rate > 0.0 ? d.leaving_rate : d.normal.dot(relative);
  touch.slip = touch.tangents.transpose() * relative;
  if (!d.is_candidate) return touch;
  const WitnessRates rates = witness_rates(d, touch.tangents, a, b, touch.slip, v1, v2);
  const Vector3d turning = a.drive + a.spin.cross(rates.first - a.velocity) - b.drive -
                           b.spin.cross(rates.second - b.velocity);
  touch.gap_bias = rates.normal.dot(relative) + d.normal.dot(turning);
  touch.slip_bias = contact.frame.tangent_rates(d.normal, rates.normal).transpose() * relative +
                    touch.tangents.transpose() * turning;
  return touch;
}

BorderMotion border_motion(const SpatialContact& contact, const BodyMotion& a,
                           const BodyMotion& b) {
  if (!(contact.box_size > 0.0)) return {};
  SpatialDistance d = signed_distance(contact.first, a.pose, contact.second, b.pose);
  d = touching_distance(contact.first, a.pose, contact.second, b.pose, d, Vector3d::Zero());
  if (!d.is_candidate) return {};
  return {d.margin, d.inward.dot(a.velocity_at(d.border) - b.velocity_at(d.border))};
}

SpatialContact spatial_contact(const Model& model, const Contact& contact, const BodyMotion& first,
                               const BodyMotion& second) {
  SpatialContact result;
  result.first_body = contact.first.body;
  result.second_body = contact.second.body;
  result.first = side_of(model, contact, contact.first);
  result.second = side_of(model, contact, contact.second);
  meet_box(model, contact.first, result.first, result.second);
  meet_box(model, contact.second, result.second, result.first);
  result.box_size = std::max(box_size(result.first), box_size(result.second));
  if (!has_distance(result.first, result.second))
    throw ModelError("contact " + contact.name + ": there is no distance between these two shapes",
                     model.where(contact.place),
                     "spheres and points go with every shape, ellipsoids with spheres, half-spaces "
                     "and ellipsoids, boxes with half-spaces, spheres and boxes");
  result.frame =
      ContactFrame(signed_distance(result.first, first.pose, result.second, second.pose).normal);
  return result;
}

}  // namespace clack
