// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "clack/impact/spatial_event.hpp"

namespace clack {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double without_limit = std::numeric_limits<double>::infinity();

/// The tangential motion of a plane set: v_t,i = T_i w with w = (two speeds, turning rate).
struct PlaneField {
  MatrixXd T;     // 2m x 3, each point in its own tangents
  Matrix3d N, A;  // sum T_i^T T_i;  S M^-1 S^T
  MatrixXd k;     // 3 x m: S M^-1 J_n,i^T
  MatrixXd L;     // 3 x 2m: w = L v_t

  explicit PlaneField(const SpatialEvent& event) {
    const int m = event.members();
    const Matrix3d& axes = event.frames[0];
    const Vector3d normal = axes.row(2);
    Vector3d centre = Vector3d::Zero();
    for (const Vector3d& point : event.points) centre += point / m;
    T.resize(2 * m, 3);
    for (int i = 0; i < m; ++i) {
      const auto own = event.frames[i].topRows<2>();
      T.block<2, 1>(2 * i, 0) = own * axes.row(0).transpose();
      T.block<2, 1>(2 * i, 1) = own * axes.row(1).transpose();
      T.block<2, 1>(2 * i, 2) = own * normal.cross(event.points[i] - centre);
    }
    N = T.transpose() * T;
    L = N.inverse() * T.transpose();
    MatrixXd tt(2 * m, 2 * m), tn(2 * m, m);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        tt.block<2, 2>(2 * i, 2 * j) = event.beta.block<2, 2>(3 * i, 3 * j);
        tn.block<2, 1>(2 * i, j) = event.beta.block<2, 1>(3 * i, 3 * j + 2);
      }
    A = L * tt * L.transpose();
    k = L * tn;
  }
  double slip(const Vector3d& w, int i) const { return (T.middleRows<2>(2 * i) * w).norm(); }
};

class CoplanarMarch {
 public:
  CoplanarMarch(const SpatialEvent& event, SpatialMarch& march, SpatialAnswer& answer)
      : event_(event), march_(march), answer_(answer), m_(event.members()), field_(event) {}

  void run() {
    const int smooth = static_cast<int>((event_.dynamic_friction.array() == 0.0).count());
    if (smooth > 0) return frictionless(smooth < m_);
    double fastest = 0.0, rate = 0.0, size = 0.0;
    for (int i = 0; i < m_; ++i) {
      const double slip = march_.slip(i).norm(), share = slip / event_.dynamic_friction[i];
      fastest = std::max(fastest, slip);
      rate += share * march_.motion()[3 * i + 2];
      size += share;
    }
    if (fastest <= spatial_tolerances.stop * event_.speed) return rest(VectorXd::Ones(m_));
    if (!(rate < -spatial_tolerances.rounding * size * event_.speed))
      return finish(EventEnd::not_begun);
    slide();
  }

 private:
  void finish(EventEnd end) {
    const std::vector<std::string> flags = answer_.flags, notes = answer_.notes;
    answer_ = march_.answer(end);
    answer_.flags = flags;
    answer_.notes = notes;
  }

  /// Only the points without friction carry impulse (the limit of s/mu), in equal shares.
  void frictionless(bool is_mixed) {
    VectorXd f = VectorXd::Zero(3 * m_);
    std::string names;
    for (int i = 0; i < m_; ++i) {
      if (event_.dynamic_friction[i] == 0.0)
        f[3 * i + 2] = 1.0;
      else
        names += (names.empty() ? "" : ", ") + event_.names[i];
    }
    if (is_mixed)
      answer_.notes.push_back(
          fmt::format("contacts without friction carry the whole impact in equal shares; {} (with "
                      "friction, same plane) none",
                      names));
    constant(f, InnerStatus::slip);
  }

  /// A direction that holds to the end of the event.
  void constant(const VectorXd& f, InnerStatus status) {
    double rate = 0.0;
    for (int i = 0; i < m_; ++i) rate += f[3 * i + 2] * march_.motion()[3 * i + 2];
    if (march_.is_compressing() && !(rate < 0.0) && !has_slid_) return finish(EventEnd::not_begun);
    const bool ends = march_.straight(f, without_limit, std::vector<InnerStatus>(m_, status));
    finish(ends ? EventEnd::ended : EventEnd::endless);
  }

  void slide() {
    SpatialMarch::Curve curve;
    curve.direction = [&](const VectorXd& motion, VectorXd& f) {
      for (int i = 0; i < m_; ++i) {
        f.segment<2>(3 * i) = -motion.segment<2>(3 * i);
        f[3 * i + 2] = motion.segment<2>(3 * i).norm() / event_.dynamic_friction[i];
      }
      return true;
    };
    curve.guards.push_back([&](const VectorXd& motion, const VectorXd&) {
      double fastest = 0.0;
      for (int i = 0; i < m_; ++i) fastest = std::max(fastest, motion.segment<2>(3 * i).norm());
      return fastest - spatial_tolerances.stop * event_.speed;
    });
    curve.near.push_back(100.0 * spatial_tolerances.stop * event_.speed);
    has_slid_ = true;
    switch (march_.curved(curve, std::vector<InnerStatus>(m_, InnerStatus::slip))) {
      case SpatialMarch::CurveEnd::event:
        return finish(EventEnd::ended);
      case SpatialMarch::CurveEnd::guard:
        break;
      case SpatialMarch::CurveEnd::failed:
      case SpatialMarch::CurveEnd::no_direction:
        answer_.notes.emplace_back("the integration inside the event gave up");
        return finish(EventEnd::endless);
    }
    // The rest of the way to the stop is straight: all slips fall by the same factor.
    VectorXd f(3 * m_), c(m_);
    curve.direction(march_.motion(), f);
    const Vector3d w = field_.L * slips();
    const Vector3d change = flow(w);
    const double fall = -w.dot(change) / w.squaredNorm();
    // The shares at the stop are those of the field that falls last, freed from rounding.
    Vector3d last = w.normalized();
    if (!polish(last) || (last - w.normalized()).norm() > 0.1) last = w.normalized();
    for (int i = 0; i < m_; ++i) c[i] = field_.slip(last, i) / event_.dynamic_friction[i];
    if (fall > 0.0) {
      (void)march_.straight(f, 1.0 / fall, std::vector<InnerStatus>(m_, InnerStatus::slip));
      if (march_.has_ended()) return finish(EventEnd::ended);
    }
    rest(c / c.maxCoeff());
  }

  VectorXd slips() const {
    VectorXd v(2 * m_);
    for (int i = 0; i < m_; ++i) v.segment<2>(2 * i) = march_.slip(i);
    return v;
  }

  /// dw/dlambda = -A N w + sum_i k_i |T_i w|/mu_i
  Vector3d flow(const Vector3d& w) const {
    Vector3d change = -field_.A * (field_.N * w);
    for (int i = 0; i < m_; ++i)
      change += field_.k.col(i) * field_.slip(w, i) / event_.dynamic_friction[i];
    return change;
  }

  /// All points are at rest, with normal shares c: stick, or the outgoing field.
  void rest(const VectorXd& c) {
    const Vector3d drive = field_.k * c;
    const Vector3d a = field_.N.inverse() * field_.A.inverse() * drive;
    bool sticks = true;
    for (int i = 0; i < m_; ++i)
      sticks = sticks && field_.slip(a, i) <= event_.static_friction[i] * c[i] *
                                                      (1.0 + spatial_tolerances.rounding) +
                                                  spatial_tolerances.rounding * c.maxCoeff();
    VectorXd f(3 * m_);
    Vector3d w = drive.normalized();
    if (!sticks && !leave(w)) {
      sticks = true;
      answer_.flags.emplace_back("stick-kept");
      answer_.notes.emplace_back(
          "the points need more friction than they have, but no common slip can grow: they stick");
    }
    for (int i = 0; i < m_; ++i) {
      f.segment<2>(3 * i) = -field_.T.middleRows<2>(2 * i) * (sticks ? a : w);
      f[3 * i + 2] = sticks ? c[i] : field_.slip(w, i) / event_.dynamic_friction[i];
    }
    constant(f, sticks ? InnerStatus::stick : InnerStatus::slip);
  }

  /// kappa w = flow(w), kappa > 0: the flow from w while renormalising, then Newton's method.
  bool leave(Vector3d& w) const {
    const double step = 0.2 / (field_.A * field_.N).norm();
    for (int n = 0; n < 20000; ++n) {
      const Vector3d next = (w + step * flow(w)).normalized();
      const double moved = (next - w).norm();
      w = next;
      if (moved < 1e-9) break;
    }
    return polish(w) && w.dot(flow(w)) > 0.0;
  }

  /// Newton's method for kappa w = flow(w), |w| = 1. False: it did not get there.
  bool polish(Vector3d& w) const {
    for (int n = 0; n < 30; ++n) {
      const double kappa = w.dot(flow(w));
      Eigen::Matrix4d jacobian = Eigen::Matrix4d::Zero();
      jacobian.topLeftCorner<3, 3>() = -field_.A * field_.N - kappa * Matrix3d::Identity();
      for (int i = 0; i < m_; ++i) {
        const double s = field_.slip(w, i);
        const auto Ti = field_.T.middleRows<2>(2 * i);
        if (s > 0.0)
          jacobian.topLeftCorner<3, 3>() += field_.k.col(i) *
                                            (w.transpose() * Ti.transpose() * Ti) /
                                            (s * event_.dynamic_friction[i]);
      }
      jacobian.topRightCorner<3, 1>() = -w;
      jacobian.bottomLeftCorner<1, 3>() = w.transpose();
      Eigen::Vector4d right = Eigen::Vector4d::Zero();
      right.head<3>() = kappa * w - flow(w);
      if (right.norm() <= 1e-15 * flow(w).norm()) break;
      const Eigen::Vector4d step = jacobian.fullPivLu().solve(right);
      w = (w + step.head<3>()).normalized();
    }
    return (flow(w) - w.dot(flow(w)) * w).norm() <= 1e-9 * flow(w).norm();
  }

  const SpatialEvent& event_;
  SpatialMarch& march_;
  SpatialAnswer& answer_;
  int m_;
  PlaneField field_;
  bool has_slid_ = false;
};

}  // namespace

bool is_coplanar(const SpatialEvent& event) {
  const int m = event.members();
  if (m < 2) return false;
  double longest = 0.0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < i; ++j)
      longest = std::max(longest, (event.points[i] - event.points[j]).norm());
  const Vector3d normal = event.frames[0].row(2);
  for (int i = 1; i < m; ++i)
    if ((event.frames[i].row(2).transpose() - normal).norm() > spatial_tolerances.plane ||
        std::abs(normal.dot(event.points[i] - event.points[0])) >
            spatial_tolerances.plane * longest)
      return false;
  return true;
}

void march_coplanar(const SpatialEvent& event, SpatialMarch& march, SpatialAnswer& answer) {
  CoplanarMarch(event, march, answer).run();
}

SpatialAnswer resolve_spatial_event(const SpatialEvent& event, const SpatialRecord& record) {
  const bool is_plane = is_coplanar(event);
  const auto go = [&](SpatialMarch& march) {
    SpatialAnswer answer;
    if (is_plane)
      march_coplanar(event, march, answer);
    else
      march_star(event, march, answer);
    return answer;
  };
  SpatialMarch march(event, record);
  if (event.restitution >= 0.0) return go(march);
  // Cut during compression: first its work, then again up to the part that is taken.
  const SpatialRecord silent;
  SpatialMarch first(event, silent);
  first.end_with_compression();
  const SpatialAnswer whole = go(first);
  if (whole.end != EventEnd::ended) return whole;
  const double e = event.restitution;
  march.cut_at((1.0 - e) * (1.0 + e) * whole.compression_work);
  SpatialAnswer answer = go(march);
  answer.compression_work = whole.compression_work;
  return answer;
}

}  // namespace clack
