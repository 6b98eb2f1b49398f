// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cmath>

#include "clack/impact/outgoing_slip.hpp"
#include "clack/impact/star_direction.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

class StarMarch {
 public:
  StarMarch(const SpatialEvent& event, SpatialMarch& march, SpatialAnswer& answer)
      : event_(event),
        march_(march),
        answer_(answer),
        m_(event.members()),
        star_(event),
        is_stuck_(m_, false),
        is_kept_(m_, false),
        direction_(m_, Vector2d::Zero()) {}

  void run() {
    march();
    if (std::find(is_kept_.begin(), is_kept_.end(), true) == is_kept_.end()) return;
    std::string names;
    for (int i = 0; i < m_; ++i)
      if (is_kept_[i]) names += (names.empty() ? "" : ", ") + event_.names[i];
    answer_.flags.emplace_back("stick-kept");
    answer_.notes.push_back(
        names + ": needs more friction than it has, but no slip of it can grow: it sticks");
  }

 private:
  void march() {
    std::vector<bool> at_rest(m_);
    for (int i = 0; i < m_; ++i) at_rest[i] = is_rough(i) && is_slow(i);
    if (!decide(at_rest, {})) return;
    if (!(rate() < 0.0)) {
      answer_ = march_.answer(EventEnd::not_begun);
      return;
    }
    for (int change = 0; change < spatial_tolerances.changes; ++change) {
      if (!stretch()) return;
      if (march_.has_ended()) {
        answer_ = march_.answer();
        return;
      }
    }
    fail(EventEnd::endless, "stick and slip of the points change for ever");
  }
  bool is_rough(int i) const { return event_.static_friction[i] > 0.0; }
  /// At rest, with what the search for its stop left.
  bool is_slow(int i) const {
    return march_.slip(i).norm() <= 2.0 * spatial_tolerances.stop * event_.speed;
  }
  double rate() const {
    double v = 0.0;
    for (int i = 0; i < m_; ++i) v += f_[3 * i + 2] * march_.motion()[3 * i + 2];
    return v;
  }

  void fail(EventEnd end, const std::string& note) {
    answer_ = march_.answer(end);
    answer_.notes.push_back(note);
  }
  bool solve() {
    if (star_.solve(is_stuck_, direction_, f_)) return true;
    fail(EventEnd::infeasible, star_.failure());
    return false;
  }

  void set_directions() {
    for (int i = 0; i < m_; ++i) {
      if (is_stuck_[i]) continue;
      const Vector2d slip = march_.slip(i);
      if (!is_rough(i))
        direction_[i].setZero();
      else if (!is_slow(i))
        direction_[i] = slip.normalized();
    }
  }

  /// Part of its reserve that a stuck point needs, 1: all.
  double demand(int i) const {
    const double bound = event_.static_friction[i] * f_[3 * i + 2];
    return f_.segment<2>(3 * i).norm() / std::max(bound, std::numeric_limits<double>::min());
  }

  /// Which of the points at rest stick: those that need more than they have are released, the worst
  /// first, equal ones together. `spent` are those whose reserve has just been used up.
  bool decide(std::vector<bool> at_rest, const std::vector<bool>& spent) {
    std::vector<int> released;
    for (;;) {
      is_stuck_ = at_rest;
      set_directions();
      if (!released.empty() && !aim(released)) return false;
      if (!solve()) return false;
      if (keep(released, at_rest)) continue;
      double worst = 0.0;
      for (int i = 0; i < m_; ++i)
        if (is_stuck_[i] && !is_kept_[i]) worst = std::max(worst, demand(i));
      const bool is_spent = !spent.empty() && released.empty();
      if (worst <=
          (is_spent ? 1.0 - spatial_tolerances.together : 1.0 + spatial_tolerances.rounding))
        return true;
      for (int i = 0; i < m_; ++i) {
        if (!is_stuck_[i] || is_kept_[i] || demand(i) < worst * (1.0 - spatial_tolerances.together))
          continue;
        at_rest[i] = false;
        direction_[i] = -f_.segment<2>(3 * i).normalized();
        released.push_back(i);
      }
    }
  }

  VectorXd turning(const std::vector<int>& released, const VectorXd& change) const {
    VectorXd r(released.size());
    for (std::size_t k = 0; k < released.size(); ++k) {
      const Vector2d& e = direction_[released[k]];
      const Vector2d a = change.segment<2>(3 * released[k]);
      r[k] = e.x() * a.y() - e.y() * a.x();
    }
    return r;
  }

  /// The slip of a released point grows in its direction.
  double growth(int i, const VectorXd& change) const {
    return direction_[i].dot(change.segment<2>(3 * i));
  }
  /// Released points whose slip cannot grow are held after all. True: there was one.
  bool keep(std::vector<int>& released, std::vector<bool>& at_rest) {
    const VectorXd change = event_.beta * f_;
    const auto cannot = [&](int i) { return m_ > 1 && !(growth(i, change) > 0.0); };
    const auto first = std::find_if(released.begin(), released.end(), cannot);
    if (first == released.end()) return false;
    is_kept_[*first] = at_rest[*first] = true;
    released.erase(first);
    return true;
  }

  /// Directions of points that leave rest: no turning, a growing slip.
  bool aim(const std::vector<int>& released) {
    if (m_ == 1) {
      const auto slip = outgoing_slip(event_.beta.topLeftCorner<2, 2>(),
                                      event_.beta.block<2, 1>(0, 2), event_.dynamic_friction[0]);
      if (slip) direction_[0] = slip->direction;
      return true;
    }
    const std::vector<Vector2d> first = direction_;
    if (!turn_to_rest(released)) return false;
    VectorXd change = event_.beta * f_;
    bool grows = true;
    for (const int i : released) grows = grows && growth(i, change) > 0.0;
    if (grows) return true;
    // Another of the directions without turning: point after point around the circle.
    direction_ = first;
    for (const int i : released) scan(i);
    return turn_to_rest(released);
  }

  /// Of all directions of point i without turning, others fixed, the one in which its slip grows
  /// fastest; unchanged where there is none.
  void scan(int i) {
    constexpr int parts = 72;
    const Vector2d own = direction_[i];
    const auto at = [&](double angle, double& along) {
      direction_[i] = Eigen::Rotation2Dd(angle) * own;
      const bool is_solved = star_.solve(is_stuck_, direction_, f_);
      const Vector2d a = (event_.beta * f_).segment<2>(3 * i);
      along = is_solved ? direction_[i].dot(a) : -1.0;
      return direction_[i].x() * a.y() - direction_[i].y() * a.x();
    };
    double best = 0.0, found = 0.0, along = 0.0;
    for (int k = 0; k < parts; ++k) {
      double low = 2.0 * EIGEN_PI * k / parts, high = 2.0 * EIGEN_PI * (k + 1) / parts;
      const double left = at(low, along);
      if ((left > 0.0) == (at(high, along) > 0.0)) continue;
      for (int n = 0; n < 40; ++n) {
        const double middle = 0.5 * (low + high);
        ((at(middle, along) > 0.0) == (left > 0.0) ? low : high) = middle;
      }
      (void)at(low, along);
      if (along > best) best = along, found = low;
    }
    direction_[i] = Eigen::Rotation2Dd(found) * own;
  }

  bool turn_to_rest(const std::vector<int>& released) {
    const auto turn = [&](const std::vector<Vector2d>& from, const VectorXd& by) {
      for (std::size_t k = 0; k < released.size(); ++k)
        direction_[released[k]] = Eigen::Rotation2Dd(by[k]) * from[released[k]];
    };
    const auto size = static_cast<Eigen::Index>(released.size());
    for (int step = 0; step < 50; ++step) {
      if (!solve()) return false;
      const VectorXd change = event_.beta * f_;
      const VectorXd miss = turning(released, change);
      const double scale = change.lpNorm<Eigen::Infinity>();
      if (miss.lpNorm<Eigen::Infinity>() <= 1e-14 * scale) break;
      MatrixXd slope(size, size);
      const std::vector<Vector2d> from = direction_;
      constexpr double h = 1e-6;
      for (Eigen::Index k = 0; k < size; ++k) {
        turn(from, h * VectorXd::Unit(size, k));
        if (!solve()) return false;
        const VectorXd more = turning(released, event_.beta * f_);
        turn(from, -h * VectorXd::Unit(size, k));
        if (!solve()) return false;
        slope.col(k) = (more - turning(released, event_.beta * f_)) / (2.0 * h);
      }
      VectorXd by = -slope.completeOrthogonalDecomposition().solve(miss);
      const double largest = by.lpNorm<Eigen::Infinity>();
      if (largest > 0.5) by *= 0.5 / largest;
      turn(from, by);
      if (largest < 1e-15) break;
    }
    return true;
  }

  std::vector<InnerStatus> status() const {
    std::vector<InnerStatus> out;
    for (int i = 0; i < m_; ++i)
      out.push_back(is_stuck_[i] ? InnerStatus::stick : InnerStatus::slip);
    return out;
  }

  /// One stretch with the present statuses. False: the event has come to an end of its own.
  bool stretch() {
    set_directions();
    if (!solve()) return false;
    const VectorXd change = event_.beta * f_;
    const VectorXd terms = event_.beta.cwiseAbs() * f_.cwiseAbs();
    bool is_straight = true, is_leaving = false;
    double limit = std::numeric_limits<double>::infinity();
    double growth = std::numeric_limits<double>::infinity();
    for (int i = 0; i < m_; ++i) {
      if (is_stuck_[i] || !is_rough(i)) continue;
      const Vector2d a = change.segment<2>(3 * i), e = direction_[i];
      const double along = e.dot(a), size = terms.segment<2>(3 * i).maxCoeff();
      if (is_slow(i)) {
        is_leaving = true;
        growth = std::min(growth, along);
        continue;
      }
      // The direction of a slow slip is known to the rounding of the speeds only.
      const double unknown =
          spatial_tolerances.slip_rounding * event_.speed / march_.slip(i).norm();
      if (std::abs(e.x() * a.y() - e.y() * a.x()) >
              (spatial_tolerances.straight + unknown) * size &&
          event_.dynamic_friction[i] > 0.0)
        is_straight = false;
      if (along < 0.0) limit = std::min(limit, march_.slip(i).norm() / -along);
    }
    if (is_straight) return straight(limit, change, terms);
    if (is_leaving && !(growth > 0.0)) {
      fail(EventEnd::endless, "a point at rest must slip, but no slip of it grows");
      return false;
    }
    if (is_leaving) {
      if (!march_.straight(f_, spatial_tolerances.kick * event_.speed / growth, status()))
        return false;
      if (march_.has_ended()) return true;
    }
    return curved();
  }

  /// Impulses that balance each other (beta f = 0, so J^T f = 0) move nothing and, where nothing
  /// slips, do no work: V = f.J u - f_t.slip = 0. Such an event can go on for ever.
  bool is_locked(const VectorXd& change, const VectorXd& terms) const {
    for (Eigen::Index r = 0; r < change.size(); ++r)
      if (std::abs(change[r]) > spatial_tolerances.motionless * terms[r]) return false;
    return std::abs(rate()) <= spatial_tolerances.workless * event_.speed;
  }

  /// Nothing moves faster than an approach that is none: the points creep to rest for ever.
  bool is_motionless() const {
    return march_.motion().lpNorm<Eigen::Infinity>() <= spatial_tolerances.approach * event_.speed;
  }

  bool straight(double limit, const VectorXd& change, const VectorXd& terms) {
    std::vector<bool> at_rest = is_stuck_;
    for (int i = 0; i < m_; ++i) {
      const double along = direction_[i].dot(change.segment<2>(3 * i));
      if (is_stuck_[i] || !is_rough(i) || is_slow(i) || !(along < 0.0)) continue;
      at_rest[i] = march_.slip(i).norm() / -along <= limit * (1.0 + spatial_tolerances.together);
    }
    if (is_locked(change, terms)) {
      answer_ = march_.answer(EventEnd::locked);
      return false;
    }
    if (!march_.straight(f_, limit, status())) {
      fail(EventEnd::endless, "compression does not end");
      return false;
    }
    return march_.has_ended() || decide(at_rest, {});
  }

  /// Stops of sliding points, reserves of stuck ones, and a point that is about to pull.
  void watch(SpatialMarch::Curve& curve) const {
    for (int i = 0; i < m_; ++i) {
      if (is_stuck_[i])
        curve.guards.push_back([this, i](const VectorXd&, const VectorXd& force) {
          return 1.0 -
                 force.segment<2>(3 * i).norm() / (event_.static_friction[i] * force[3 * i + 2]);
        }),
            curve.near.push_back(0.3);
      else if (is_rough(i))
        curve.guards.push_back([this, i](const VectorXd& motion, const VectorXd&) {
          return motion.segment<2>(3 * i).norm() - spatial_tolerances.stop * event_.speed;
        }),
            curve.near.push_back(100.0 * spatial_tolerances.stop * event_.speed);
    }
    if (m_ > 1) {
      curve.guards.push_back([this](const VectorXd&, const VectorXd& force) {
        double least = force[2], sum = force[2];
        for (int i = 1; i < m_; ++i) {
          least = std::min(least, force[3 * i + 2]);
          sum += force[3 * i + 2];
        }
        return least / sum - 0.5 * spatial_tolerances.rounding;
      });
      curve.near.push_back(0.1);
    }
  }

  bool curved() {
    VectorXd f;
    std::vector<Vector2d> direction = direction_;
    SpatialMarch::Curve curve;
    curve.direction = [&](const VectorXd& motion, VectorXd& out) {
      double slowness = 0.0;
      for (int i = 0; i < m_; ++i) {
        if (is_stuck_[i] || !is_rough(i)) continue;
        const Vector2d slip = motion.segment<2>(3 * i);
        const double s = slip.norm();
        if (s > 0.0) direction[i] = slip / s;
        slowness += event_.speed / std::max(s, std::numeric_limits<double>::min());
      }
      const bool is_solved = star_.solve(is_stuck_, direction, f);
      out = f / std::max(slowness, 1.0);
      return is_solved;
    };
    watch(curve);
    const SpatialMarch::CurveEnd end = march_.curved(curve, status());
    if (end == SpatialMarch::CurveEnd::event) return true;
    if (end != SpatialMarch::CurveEnd::guard) {
      if (end == SpatialMarch::CurveEnd::no_direction)
        fail(EventEnd::infeasible, star_.failure());
      else if (is_motionless())
        answer_ = march_.answer(EventEnd::locked);
      else
        fail(EventEnd::endless, "the integration inside the event gave up");
      return false;
    }
    if (!star_.pushes(f, spatial_tolerances.rounding)) {
      fail(EventEnd::infeasible, star_.failure());
      return false;
    }
    std::vector<bool> at_rest = is_stuck_;
    bool has_stopped = false;
    for (int i = 0; i < m_; ++i) {
      const bool stops = !is_stuck_[i] && is_rough(i) && is_slow(i);
      at_rest[i] = at_rest[i] || stops;
      has_stopped = has_stopped || stops;
    }
    return decide(at_rest, has_stopped ? std::vector<bool>{} : is_stuck_);
  }

  const SpatialEvent& event_;
  SpatialMarch& march_;
  SpatialAnswer& answer_;
  int m_;
  StarDirection star_;
  std::vector<bool> is_stuck_, is_kept_;  // kept: although it needs more friction than it has
  std::vector<Vector2d> direction_;
  VectorXd f_;
};

}  // namespace

void march_star(const SpatialEvent& event, SpatialMarch& march, SpatialAnswer& answer) {
  StarMarch(event, march, answer).run();
}

}  // namespace clack
