#include "clack/geometry/spatial_distance.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace clack {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d to_world(const Pose& pose, const Vector3d& local) {
  return pose.position + pose.rotation * local;
}

LocalSurface face() { return {Matrix3d::Identity(), Matrix3d::Zero()}; }
LocalSurface corner() { return {Matrix3d::Zero(), Matrix3d::Identity()}; }
LocalSurface edge(const Vector3d& along) {
  const Matrix3d e = along * along.transpose();
  return {e, Matrix3d::Identity() - e};
}

Witness round_witness(const Vector3d& point, double radius) {
  return {point,
          {radius * Matrix3d::Identity(), Matrix3d::Identity()},
          radius > 0.0 ? Feature::smooth : Feature::corner};
}

SpatialDistance swapped(SpatialDistance d) {
  std::swap(d.first, d.second);
  d.normal = -d.normal;
  return d;
}

/// Support of a round or ellipsoidal body: h(n) = n . centre + radius + sqrt(n^T shape n).
struct Smooth {
  Vector3d centre = Vector3d::Zero();
  Matrix3d shape = Matrix3d::Zero();
  double radius = 0.0;
  bool is_round = true;

  /// Point of the surface with the outward normal n.
  Vector3d point(const Vector3d& n) const {
    if (is_round) return centre + radius * n;
    const Vector3d a = shape * n;
    return centre + a / std::sqrt(n.dot(a));
  }
  /// Second derivative of the support: radii of curvature on the tangent plane.
  Matrix3d bend(const Vector3d& n) const {
    if (is_round) return radius * Matrix3d::Identity();
    const Vector3d a = shape * n;
    const double s = std::sqrt(n.dot(a));
    return shape / s - a * a.transpose() / (s * s * s);
  }
  Witness witness(const Vector3d& n) const {
    if (is_round) return round_witness(point(n), radius);
    return {point(n), {bend(n), Matrix3d::Identity()}, Feature::smooth};
  }
};

Smooth smooth(const RoundSide& side, const Pose& pose) {
  return {to_world(pose, side.centre), Matrix3d::Zero(), side.radius, true};
}

Smooth smooth(const Ellipsoid& side, const Pose& pose) {
  const Matrix3d axes = pose.rotation * side.semi_axes.asDiagonal();
  return {pose.position, axes * axes.transpose(), 0.0, false};
}

Eigen::Matrix<double, 3, 2> tangents(const Vector3d& n) {
  Eigen::Matrix<double, 3, 2> t;
  t.col(0) = n.unitOrthogonal();
  t.col(1) = n.cross(t.col(0));
  return t;
}

/// The unit normal that maximises f, see the header.
Vector3d best_normal(const Smooth& a, const Smooth& b) {
  const Vector3d d = a.centre - b.centre;
  Vector3d n = d.norm() > 0.0 ? Vector3d(d.normalized()) : Vector3d::UnitZ();
  const auto apart = [&](const Vector3d& u) -> Vector3d { return a.point(-u) - b.point(u); };
  Vector3d gap = apart(n);
  double f = n.dot(gap);
  const double size = d.norm() + gap.norm();
  constexpr int limit = 200;
  int refinements = 0;  // steps taken when f can no longer tell better from worse
  for (int iteration = 0; iteration < limit && refinements < 4; ++iteration) {
    const auto t = tangents(n);
    const Eigen::Vector2d slope = t.transpose() * gap;
    if (slope.norm() <= std::numeric_limits<double>::epsilon() * size) break;
    const Eigen::Matrix2d bend = t.transpose() * (a.bend(-n) + b.bend(n)) * t;
    const double radius = 0.5 * bend.trace();
    // Newton's step; where f is not concave (deep overlap) curvatures count by their size.
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> curvature(bend +
                                                                   f * Eigen::Matrix2d::Identity());
    const Eigen::Vector2d size_of =
        curvature.eigenvalues().cwiseAbs().cwiseMax(1e-9 * (radius + std::abs(f)));
    Eigen::Vector2d step = curvature.eigenvectors() *
                           (curvature.eigenvectors().transpose() * slope).cwiseQuotient(size_of);
    if (step.norm() > 0.5) step *= 0.5 / step.norm();
    const bool is_tiny = slope.norm() <= 1e-8 * size;
    if (is_tiny) ++refinements;
    for (int halving = 0; halving < 40; ++halving, step *= 0.5) {
      const Vector3d tried = (n + t * step).normalized();
      const Vector3d tried_gap = apart(tried);
      const double tried_f = tried.dot(tried_gap);
      if (!is_tiny && tried_f < f + 1e-4 * slope.dot(step)) continue;
      n = tried;
      gap = tried_gap;
      f = tried_f;
      break;
    }
  }
  return n;
}

SpatialDistance smooth_smooth(const Smooth& a, const Smooth& b) {
  SpatialDistance result;
  if (a.is_round && b.is_round) {
    const Vector3d d = a.centre - b.centre;
    const double length = d.norm();
    result.normal = length > 0.0 ? Vector3d(d / length) : Vector3d::UnitZ();
    result.distance = length - (a.radius + b.radius);
  } else {
    result.normal = best_normal(a, b);
    result.distance = result.normal.dot(a.point(-result.normal) - b.point(result.normal));
  }
  result.first = a.witness(-result.normal);
  result.second = b.witness(result.normal);
  return result;
}

SpatialDistance smooth_plane(const Smooth& body, const HalfSpace& plane, const Pose& pose) {
  SpatialDistance result;
  result.normal = pose.rotation * plane.normal;
  result.first = body.witness(-result.normal);
  const Vector3d origin = to_world(pose, plane.offset * plane.normal);
  if (body.is_round)  // without the detour over the witness, which would cost digits
    result.distance = result.normal.dot(body.centre - origin) - body.radius;
  else
    result.distance = result.normal.dot(result.first.point - origin);
  result.second = {result.first.point - result.distance * result.normal, face(), Feature::face};
  return result;
}

/// An overshoot below this part of the box counts as on the face: the normal of a point on a face
/// is the face's, whatever the last digits of the point say.
constexpr double on_face = 1e-9;

SpatialDistance round_box(const Smooth& ball, const Box& box, const Pose& pose) {
  const Vector3d x = pose.rotation.transpose() * (ball.centre - pose.position);
  const Vector3d h = box.half_extents;
  Vector3d outside = Vector3d::Zero();
  int count = 0, free_axis = 0, nearest = 0;
  for (int k = 0; k < 3; ++k) {
    const double over = std::abs(x[k]) - h[k];
    if (over > std::abs(x[nearest]) - h[nearest]) nearest = k;
    if (over > on_face * h.maxCoeff()) {
      outside[k] = std::copysign(over, x[k]);
      ++count;
    } else {
      free_axis = k;
    }
  }
  SpatialDistance result;
  Vector3d normal = Vector3d::Zero();
  double depth = 0.0;  // of the ball's centre above the box
  if (count == 0) {
    normal[nearest] = x[nearest] < 0.0 ? -1.0 : 1.0;
    depth = std::abs(x[nearest]) - h[nearest];
  } else {
    depth = outside.norm();
    normal = outside / depth;
  }
  result.distance = depth - ball.radius;
  result.normal = pose.rotation * normal;
  result.first = round_witness(ball.centre - ball.radius * result.normal, ball.radius);
  result.second.point = ball.centre - depth * result.normal;
  if (count <= 1) {
    result.second.surface = face();
    result.second.feature = Feature::face;
  } else if (count == 2) {
    result.second.surface = edge(pose.rotation.col(free_axis));
    result.second.feature = Feature::edge;
  } else {
    result.second.surface = corner();
    result.second.feature = Feature::corner;
  }
  return result;
}

/// Closest points of two segments, as places along them.
std::array<double, 2> closest_places(const Vector3d& w, const Vector3d& e1, double h1,
                                     const Vector3d& e2, double h2) {
  const double b = e1.dot(e2), d = e1.dot(w), e = e2.dot(w), denominator = 1.0 - b * b;
  const auto clamp = [](double value, double bound) { return std::clamp(value, -bound, bound); };
  double s = denominator > 1e-14 ? clamp((b * e - d) / denominator, h1) : clamp(-d, h1);
  const double t = clamp(e + b * s, h2);
  s = clamp(b * t - d, h1);
  return {s, t};
}

SpatialDistance edge_edge(const EdgeSide& a, const Pose& pa, const EdgeSide& b, const Pose& pb) {
  const Vector3d e1 = pa.rotation * a.direction, e2 = pb.rotation * b.direction;
  const Vector3d c1 = to_world(pa, a.centre), c2 = to_world(pb, b.centre), w = c1 - c2;
  SpatialDistance result;
  const Vector3d cross = e1.cross(e2);
  const double b12 = e1.dot(e2), sine = cross.norm();
  constexpr double parallel = 1e-8;
  if (sine > parallel) {
    const double s = (b12 * e2.dot(w) - e1.dot(w)) / (sine * sine);
    const double t = (e2.dot(w) - b12 * e1.dot(w)) / (sine * sine);
    Vector3d n = cross / sine;
    const Vector3d f2 = pb.rotation * b.first_face, g2 = pb.rotation * b.second_face;
    if (n.dot(f2) < 0.0) n = -n;
    const Vector3d f1 = pa.rotation * a.first_face, g1 = pa.rotation * a.second_face;
    const bool is_crossing = std::abs(s) <= a.half_length && std::abs(t) <= b.half_length;
    if (is_crossing && n.dot(f2) > parallel && n.dot(g2) > parallel && n.dot(f1) < -parallel &&
        n.dot(g1) < -parallel) {
      result.normal = n;
      result.first = {c1 + s * e1, edge(e1), Feature::edge};
      result.second = {c2 + t * e2, edge(e2), Feature::edge};
      result.distance = n.dot(w);
      if (result.distance > -std::min(a.depth, b.depth)) return result;  // else the far edges
    }
  }
  const auto [s, t] = closest_places(w, e1, a.half_length, e2, b.half_length);
  result.is_candidate = false;
  result.first = {c1 + s * e1, corner(), Feature::edge};
  result.second = {c2 + t * e2, corner(), Feature::edge};
  const Vector3d d = result.first.point - result.second.point;
  const double length = d.norm();
  result.normal = length > 0.0 ? Vector3d(d / length) : Vector3d(pb.rotation * b.first_face);
  result.distance = length + a.half_length + b.half_length;
  return result;
}

bool is_smooth(const Side& side) {
  return std::holds_alternative<RoundSide>(side) || std::holds_alternative<Ellipsoid>(side);
}

Smooth smooth(const Side& side, const Pose& pose) {
  if (const auto* ball = std::get_if<RoundSide>(&side)) return smooth(*ball, pose);
  return smooth(std::get<Ellipsoid>(side), pose);
}

bool is_point(const Side& side) {
  const auto* ball = std::get_if<RoundSide>(&side);
  return ball != nullptr && ball->radius <= 0.0;
}

}  // namespace

EdgeSide edge_of(const Box& box, int edge) {
  assert(edge >= 0 && edge < 12);
  const int axis = edge / 4, corner = edge % 4, u = (axis + 1) % 3, v = (axis + 2) % 3;
  constexpr std::array<std::array<double, 2>, 4> around{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  const auto [su, sv] = around[static_cast<std::size_t>(corner)];
  EdgeSide side;
  side.direction = Vector3d::Unit(axis);
  side.half_length = box.half_extents[axis];
  side.depth = box.half_extents.minCoeff();
  side.first_face = su * Vector3d::Unit(u);
  side.second_face = sv * Vector3d::Unit(v);
  side.centre = box.half_extents[u] * side.first_face + box.half_extents[v] * side.second_face;
  return side;
}

bool has_distance(const Side& first, const Side& second) {
  const bool is_first = is_smooth(first), is_second = is_smooth(second);
  if (is_first && is_second) return !(is_point(first) && is_point(second));
  const auto is_edge = [](const Side& s) { return std::holds_alternative<EdgeSide>(s); };
  if (is_edge(first) || is_edge(second)) return is_edge(first) && is_edge(second);
  if (!is_first && !is_second) return false;
  const Side &round = is_first ? first : second, &other = is_first ? second : first;
  return std::holds_alternative<HalfSpace>(other) || std::holds_alternative<RoundSide>(round);
}

SpatialDistance signed_distance(const Side& first, const Pose& pa, const Side& second,
                                const Pose& pb) {
  assert(has_distance(first, second));
  if (const auto* edge = std::get_if<EdgeSide>(&first))
    return edge_edge(*edge, pa, std::get<EdgeSide>(second), pb);
  if (!is_smooth(first)) return swapped(signed_distance(second, pb, first, pa));
  const Smooth body = smooth(first, pa);
  if (is_smooth(second)) return smooth_smooth(body, smooth(second, pb));
  if (const auto* plane = std::get_if<HalfSpace>(&second)) return smooth_plane(body, *plane, pb);
  return round_box(body, std::get<Box>(second), pb);
}

}  // namespace clack
