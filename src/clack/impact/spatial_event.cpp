// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/spatial_event.hpp"

#include <cmath>

#include "clack/index.hpp"
#include "clack/integrate/root_finding.hpp"

namespace clack {

using Eigen::VectorXd;

SpatialMarch::SpatialMarch(const SpatialEvent& event, const SpatialRecord& record)
    : event_(event),
      record_(record),
      impulse_(VectorXd::Zero(3 * event.members())),
      motion_(event.theta) {}

double SpatialMarch::rate(const VectorXd& f) const {
  double v = 0.0;
  for (int i = 0; i < event_.members(); ++i) v += f[3 * i + 2] * motion_[3 * i + 2];
  return v;
}

double SpatialMarch::target() const {
  const double e = event_.restitution;
  return (1.0 - e) * (1.0 + e) * compression_work_;
}

void SpatialMarch::begin_restitution() {
  compression_work_ = work_;
  is_restituting_ = true;
  has_ended_ = ends_with_compression_ || event_.restitution == 0.0;
}

void SpatialMarch::tell(const std::vector<InnerStatus>& status) const {
  if (record_) record_(impulse_, work_, tangential_work_, status);
}

void SpatialMarch::move(const VectorXd& f, double x, const std::vector<InnerStatus>& status) {
  const VectorXd change = event_.beta * f;
  const VectorXd from = impulse_;
  const double work = work_, tangential = tangential_work_;
  const int rows = record_ ? HistoryWriter::rows_per_stretch : 1;
  double normal_rate = 0.0, normal_growth = 0.0, tangent_rate = 0.0, tangent_growth = 0.0;
  for (Eigen::Index r = 0; r < f.size(); ++r) {
    (r % 3 == 2 ? normal_rate : tangent_rate) += f[r] * motion_[r];
    (r % 3 == 2 ? normal_growth : tangent_growth) += f[r] * change[r];
  }
  tell(status);
  for (int n = 1; n <= rows; ++n) {
    const double part = x * n / rows;
    impulse_ = from + part * f;
    work_ = work + part * (normal_rate + 0.5 * part * normal_growth);
    tangential_work_ = tangential + part * (tangent_rate + 0.5 * part * tangent_growth);
    tell(status);
  }
  motion_ = event_.theta + event_.beta * impulse_;
}

bool SpatialMarch::straight(const VectorXd& f, double limit,
                            const std::vector<InnerStatus>& status) {
  const VectorXd change = event_.beta * f;
  double growth = 0.0, size = 0.0;  // dV/dx
  for (int i = 0; i < event_.members(); ++i) {
    growth += f[3 * i + 2] * change[3 * i + 2];
    size += f[3 * i + 2];
  }
  const double start = rate(f);
  // x >= 0 at which W = goal while V has the sign `branch`; without cancellation
  const auto reach = [&](double v, double goal, double branch) -> std::optional<double> {
    const double square = v * v + 2.0 * growth * (goal - work_);
    const double denominator = v + branch * std::sqrt(std::max(square, 0.0));
    if (square < 0.0 || denominator == 0.0) return std::nullopt;
    const double x = 2.0 * (goal - work_) / denominator;
    return x >= 0.0 ? std::optional(x) : std::nullopt;
  };
  const auto end_at = [&](std::optional<double> x) {
    if (!x || !(*x <= limit)) return false;
    move(f, *x, status);
    has_ended_ = true;
    return true;
  };
  if (cut_) {
    if (end_at(start < 0.0 ? reach(start, *cut_, -1.0) : std::optional(0.0))) return true;
  } else {
    turn_by(start, spatial_tolerances.rounding * size * event_.speed);
    if (has_ended_) return true;
    if (!is_restituting_ && growth > 0.0 && -start / growth <= limit) {
      move(f, -start / growth, status);
      begin_restitution();
      return has_ended_ || straight(f, limit + start / growth, status);
    }
    if (is_restituting_ && end_at(reach(std::max(start, 0.0), target(), 1.0))) return true;
  }
  if (limit == std::numeric_limits<double>::infinity()) return false;
  move(f, limit, status);
  return true;
}

/// A stretch whose direction depends on the motion: the integrator, and where work and guards lead.
class CurvedStretch {
 public:
  CurvedStretch(const SpatialEvent& event, const SpatialMarch::Curve& curve, const VectorXd& motion)
      : event_(event),
        curve_(curve),
        rows_(motion.size()),
        start_(motion),
        motion_(motion),
        f_(rows_),
        y_(VectorXd::Zero(rows_ + 2)),
        integrator_(make_integrator(
            "dop853", {.relative_tolerance = spatial_tolerances.integration,
                       .absolute_tolerance = spatial_tolerances.integration_floor * event.speed /
                                             event.beta.diagonal().maxCoeff(),
                       .step_limit = spatial_tolerances.steps})) {
    has_direction_ = evaluate(y_.data());
    restart(0.0);
    const double impulse = event.speed / event.beta.diagonal().maxCoeff();
    integrator_->suggest_step(spatial_tolerances.first_step * impulse /
                              f_.lpNorm<Eigen::Infinity>());
    look(0.0);
    remember();
  }

  bool step() {
    before_ = after_;
    return integrator_->step(1e30) == StepStatus::ok;
  }
  /// Steps to x inside the last step anew: dense output is good for finding the place, the state
  /// itself keeps the accuracy of a step.
  bool arrive(double x) {
    if (x == begin() || x == end()) return true;
    const std::span<const double> before = integrator_->state_before();
    std::copy(before.begin(), before.end(), y_.data());
    const double from = begin(), next = integrator_->next_step();
    restart(from);
    integrator_->suggest_step(x - from);
    while (end() < x)
      if (integrator_->step(x) != StepStatus::ok) return false;
    integrator_->suggest_step(next);
    has_looked_ = false;
    look(x);
    remember();
    return true;
  }
  double begin() const { return integrator_->time_before(); }
  double end() const { return integrator_->time(); }
  /// The closure has an answer at the end of the step.
  bool ends_well() {
    look(end());
    return has_direction_;
  }

  void look(double x) {
    if (x == looked_at_ && has_looked_) return;
    integrator_->dense(x, {y_.data(), static_cast<std::size_t>(y_.size())});
    has_direction_ = evaluate(y_.data());
    looked_at_ = x;
    has_looked_ = true;
  }
  auto impulse() const { return y_.head(rows_); }
  const VectorXd& direction() const { return f_; }
  double work() const { return y_[rows_]; }
  double tangential_work() const { return y_[rows_ + 1]; }
  double rate() const {  // V
    double sum = 0.0;
    for (Eigen::Index r = 2; r < rows_; r += 3) sum += f_[r] * motion_[r];
    return sum;
  }
  double normal_impulse() const {  // of all points since the start of the stretch
    double sum = 0.0;
    for (Eigen::Index r = 2; r < rows_; r += 3) sum += y_[r];
    return sum;
  }
  double normal_size() const {
    double sum = 0.0;
    for (Eigen::Index r = 2; r < rows_; r += 3) sum += f_[r];
    return sum;
  }

  /// The first guard that falls to zero inside the step. Guards are clear of it, and not looked at
  /// closely, while they keep a part of what they were.
  std::optional<double> first_guard() {
    has_looked_ = false;
    look(end());
    remember();
    std::optional<double> first;
    for (std::size_t g = 0; g < curve_.guards.size(); ++g) {
      if (before_[g] <= 0.0) continue;
      if (after_[g] > 1e-2 * before_[g] && after_[g] > curve_.near[g]) continue;
      const auto value = [&](double x) {
        look(x);
        return curve_.guards[g](motion_, f_);
      };
      const auto root =
          first_falling_root_of_values(value, begin(), before_[g], end(), after_[g], {});
      if (root && (!first || root->t < *first)) first = root->t;
    }
    return first;
  }

 private:
  void restart(double x) {
    const RightHandSide right{[](void* self, double, const double* y, double* dydt) {
                                static_cast<CurvedStretch*>(self)->rates(y, dydt);
                              },
                              this};
    integrator_->reset(right, x, {y_.data(), static_cast<std::size_t>(y_.size())}, 0.0);
  }
  bool evaluate(const double* y) {
    motion_ = start_;
    motion_.noalias() += event_.beta * Eigen::Map<const VectorXd>(y, rows_);
    return curve_.direction(motion_, f_);
  }
  void rates(const double* y, double* dydt) {
    (void)evaluate(y);  // a trial may go too far; what counts is where the step ends
    double tangential = 0.0;
    for (Eigen::Index r = 0; r < rows_; ++r) {
      dydt[r] = f_[r];
      if (r % 3 != 2) tangential += f_[r] * motion_[r];
    }
    dydt[rows_] = rate();
    dydt[rows_ + 1] = tangential;
  }
  void remember() {
    after_.resize(curve_.guards.size());
    for (std::size_t g = 0; g < after_.size(); ++g) after_[g] = curve_.guards[g](motion_, f_);
  }

  const SpatialEvent& event_;
  const SpatialMarch::Curve& curve_;
  Eigen::Index rows_;
  VectorXd start_, motion_, f_, y_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<double> before_, after_;
  bool has_direction_ = true, has_looked_ = false;
  double looked_at_ = 0.0;
};

/// Where a curved stretch is told of: at ends of steps that moved on, at changes of the work, and in
/// the last step as often as is missing to the rows that a stretch has.
class RowPlaces {
 public:
  /// `scale`: impulse that changes the motion of the points, N s.
  explicit RowPlaces(double scale) : least_(0.01 * scale) {}
  void add(double x) { places_.push_back(x); }
  const std::vector<double>& of_step(double begin, double end, double impulse, bool is_last) {
    if (is_taken_) places_.erase(places_.begin(), places_.begin() + static_cast<long>(taken_));
    const int missing = HistoryWriter::rows_per_stretch - 1 - rows_ - number_of(places_);
    if (is_last || impulse - told_ >= least_) {
      const int rows = is_last ? std::max(missing, 1) : 1;
      for (int n = 1; n <= rows; ++n)
        places_.push_back(n == rows ? end : begin + (end - begin) * n / rows);
      told_ = impulse;
    }
    std::sort(places_.begin(), places_.end());
    places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
    rows_ += number_of(places_);
    taken_ = places_.size();
    is_taken_ = true;
    return places_;
  }

 private:
  double least_, told_ = 0.0;
  std::vector<double> places_;
  std::size_t taken_ = 0;
  bool is_taken_ = false;
  int rows_ = 0;
};

std::optional<double> SpatialMarch::next_change(CurvedStretch& at, double from, double until,
                                                double work) {
  const auto v = [&](double x) {
    at.look(x);
    return at.rate();
  };
  const auto w = [&](double x) {
    at.look(x);
    return work + at.work();
  };
  if (cut_) {
    const auto above = [&](double x) { return w(x) - *cut_; };
    const double last = above(until);
    if (last > 0.0) return std::nullopt;
    const auto root = first_falling_root_of_values(above, from, above(from), until, last, {});
    has_ended_ = root.has_value();
    return root ? std::optional(root->t) : std::nullopt;
  }
  if (!is_restituting_) {
    const auto closing = [&](double x) { return -v(x); };
    const double first = closing(from), last = closing(until);
    if (last > 0.01 * first && last > 0.0) return std::nullopt;
    const auto root =
        first_falling_root_of_values(closing, from, first, until, last, {.armed = false});
    if (!root) return std::nullopt;
    compression_work_ = w(root->t);
    is_restituting_ = true;
    has_ended_ = ends_with_compression_ || event_.restitution == 0.0;
    return root->t;
  }
  const auto below = [&](double x) { return target() - w(x); };
  const double last = below(until), rate_first = v(from), rate_last = v(until);
  std::optional<Root> root, turned;
  if (!(rate_last > 0.01 * rate_first))
    turned = first_falling_root_of_values(v, from, rate_first, until, rate_last, {.armed = false});
  if (last <= 0.0 || turned)
    root = first_falling_root_of_values(below, from, below(from), until, last, {});
  if (turned && (!root || turned->t < root->t)) {
    is_restituting_ = false;
    is_recompressed_ = true;
    return turned->t;
  }
  has_ended_ = root.has_value();
  return root ? std::optional(root->t) : std::nullopt;
}

void SpatialMarch::turn_by(double rate, double rounding) {
  if (rate < -rounding && is_restituting_) is_restituting_ = false, is_recompressed_ = true;
  if (!is_restituting_ && !cut_ && !(rate < 0.0)) begin_restitution();
}

SpatialMarch::CurveEnd SpatialMarch::curved(const Curve& curve,
                                            const std::vector<InnerStatus>& status) {
  CurvedStretch at(event_, curve, motion_);
  const double work = work_, tangential = tangential_work_;
  const VectorXd from = impulse_;
  const auto take = [&](double x) {
    at.look(x);
    impulse_ = from + at.impulse();
    work_ = work + at.work();
    tangential_work_ = tangential + at.tangential_work();
    motion_ = event_.theta + event_.beta * impulse_;
  };
  turn_by(at.rate(), spatial_tolerances.rounding * at.normal_size() * event_.speed);
  if (has_ended_) return CurveEnd::event;
  tell(status);
  RowPlaces places(event_.speed / event_.beta.diagonal().maxCoeff());
  while (at.step()) {
    const std::optional<double> stop = at.first_guard();
    if (!stop && !at.ends_well()) return CurveEnd::no_direction;
    const bool was_restituting = is_restituting_;
    const double end = stop.value_or(at.end());
    const std::optional<double> change = next_change(at, at.begin(), end, work);
    const double until = change.value_or(end);
    const bool has_stopped = stop && !change;
    if (record_) {
      if (change) places.add(until);
      at.look(until);
      for (const double place :
           places.of_step(at.begin(), until, at.normal_impulse(), has_ended_ || has_stopped)) {
        take(place);
        tell(status);
      }
    }
    if (!at.arrive(until)) return CurveEnd::failed;
    take(until);
    if (is_restituting_ && !was_restituting) compression_work_ = work_;
    if (has_ended_) {
      if (was_restituting || cut_) meet(cut_ ? *cut_ : target(), at.direction());
      return CurveEnd::event;
    }
    if (has_stopped) return CurveEnd::guard;
  }
  return CurveEnd::failed;
}

/// From a work that misses its goal by the error of the search straight to it.
void SpatialMarch::meet(double goal, const VectorXd& f) {
  const double v = rate(f), x = (goal - work_) / v;
  const double size = event_.speed / event_.beta.diagonal().maxCoeff();
  if (!(std::abs(x) * f.lpNorm<Eigen::Infinity>() <= spatial_tolerances.together * size)) return;
  for (Eigen::Index r = 0; r < f.size(); ++r)
    if (r % 3 != 2) tangential_work_ += x * f[r] * motion_[r];
  impulse_ += x * f;
  motion_ = event_.theta + event_.beta * impulse_;
  work_ = goal;
}

SpatialAnswer SpatialMarch::answer() const { return answer(EventEnd::ended); }

SpatialAnswer SpatialMarch::answer(EventEnd end) const {
  SpatialAnswer out;
  out.end = end;
  out.impulse = impulse_;
  out.normal_work = work_;
  out.compression_work = is_restituting_ || cut_ ? (cut_ ? *cut_ : compression_work_) : work_;
  out.tangential_work = tangential_work_;
  out.is_recompressed = is_recompressed_;
  return out;
}

}  // namespace clack
