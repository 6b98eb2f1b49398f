#include "clack/hybrid/guards.hpp"

#include <cmath>

#include "clack/hybrid/admissible_forces.hpp"

namespace clack {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr int unarmed_halvings = 60;

std::span<double> span_of(std::vector<double>& v) { return {v.data(), v.size()}; }

}  // namespace

GuardSet::GuardSet(Mechanism& mechanism, ModeDynamics& dynamics, int contacts,
                   const Tolerances& tolerances)
    : mechanism_(mechanism), dynamics_(dynamics), tolerances_(tolerances) {
  const auto c = static_cast<std::size_t>(contacts);
  gap_.resize(c);
  gap_rate_.resize(c);
  gap_acceleration_.resize(c);
  no_acceleration_.assign(static_cast<std::size_t>(mechanism.speeds()), 0.0);
  state_.resize(static_cast<std::size_t>(dynamics.size()));
  formulas_.resize(static_cast<std::size_t>(mechanism.formulas()));
}

void GuardSet::enter(const Mode& mode, std::span<const ContactMaterial> materials,
                     const std::vector<bool>& is_released,
                     const std::vector<bool>& is_formula_fired, double t, const double* y,
                     const double* dydt) {
  guards_.clear();
  static_friction_.clear();
  force_floor_ = 0.0;
  has_before_ = false;
  const ModeShape& shape = dynamics_.shape();
  const RowSelection& rows = dynamics_.rows();
  dynamics_.evaluate(t, y);
  for (int i = 0; i < static_cast<int>(gap_.size()); ++i)
    if (!mode.is_closed(i))
      guards_.push_back({.kind = GuardKind::gap,
                         .contact = i,
                         .is_armed = !is_released[static_cast<std::size_t>(i)]});
  for (const int c : rows.contacts)
    static_friction_.push_back(materials[static_cast<std::size_t>(c)].static_friction);
  const bool is_hyperstatic = dynamics_.forces().is_hyperstatic && !rows.contacts.empty();
  if (is_hyperstatic)
    guards_.push_back({.kind = GuardKind::admissible, .contact = rows.contacts[0], .local = 0});
  for (int local = 0; local < static_cast<int>(rows.contacts.size()); ++local) {
    const auto l = static_cast<std::size_t>(local);
    const int contact = rows.contacts[l];
    if (!is_hyperstatic)
      guards_.push_back({.kind = GuardKind::normal_force, .contact = contact, .local = local});
    if (shape.statuses[l] == ContactStatus::stick) {
      if (!is_hyperstatic)
        guards_.push_back({.kind = GuardKind::stick_reserve, .contact = contact, .local = local});
    } else if (shape.friction[l] > 0.0 || static_friction_[l] > 0.0) {
      guards_.push_back({.kind = GuardKind::slip, .contact = contact, .local = local});
    }
  }
  for (const double force : dynamics_.forces().normal_force)
    force_floor_ = std::max(force_floor_, tolerances_.force * std::abs(force));
  for (Eigen::Index j = 0; j < dynamics_.snapshot().smooth_force().size(); ++j)
    force_floor_ = std::max(force_floor_,
                            tolerances_.force * std::abs(dynamics_.snapshot().smooth_force()[j]));
  mechanism_.formula_motion(t, dynamics_.q(y), dynamics_.v(y), formulas_.data());
  for (std::size_t f = 0; f < formulas_.size(); ++f) {
    Guard guard{.kind = GuardKind::formula, .formula = static_cast<int>(f)};
    const bool is_fired = is_formula_fired[f];
    const double decisive =
        is_fired || formulas_[f].value == 0.0 ? formulas_[f].rate : formulas_[f].value;
    guard.sign = decisive < 0.0 ? -1.0 : 1.0;
    guard.is_armed = !is_fired && formulas_[f].value != 0.0;
    guards_.push_back(guard);
  }
  start_.resize(guards_.size());
  end_.resize(guards_.size());
  value_before_.resize(guards_.size());
  sample_all(t, y, dydt, start_);
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    const GuardKind kind = guards_[i].kind;
    const double rise = start_[i].sample.rate, fall = -start_[i].second_rate;
    if (kind == GuardKind::gap && !guards_[i].is_armed && rise > 0.0 && fall > 0.0 &&
        rise * rise < tolerances_.unseen_flight * 2.0 * fall * tolerances_.rearm_gap)
      guards_[i].landing = t + 2.0 * rise / fall;
    if (kind != GuardKind::gap && kind != GuardKind::formula &&
        !(start_[i].sample.value > floor_of(guards_[i])))
      guards_[i].is_armed = false;
    if (kind == GuardKind::slip) {  // a slip that has only just begun
      double speed = 0.0;
      const int k = dynamics_.tangents();
      for (int a = 0; a < k; ++a)
        speed = std::max(speed, std::abs(dynamics_.snapshot().slip()[guards_[i].local * k + a]));
      if (speed <= dynamics_.shape().slip_floor) guards_[i].is_armed = false;
    }
  }
}

Sample GuardSet::sample(const Guard& guard, double t, const double* y, bool has_gaps,
                        bool has_formulas) {
  switch (guard.kind) {
    case GuardKind::gap: {
      if (!has_gaps)
        mechanism_.gap_motion(t, dynamics_.q(y), dynamics_.v(y), no_acceleration_.data(),
                              gap_.data(), gap_rate_.data(), gap_acceleration_.data());
      const auto i = static_cast<std::size_t>(guard.contact);
      return {gap_[i], gap_rate_[i]};
    }
    case GuardKind::formula: {
      if (!has_formulas)
        mechanism_.formula_motion(t, dynamics_.q(y), dynamics_.v(y), formulas_.data());
      const FormulaValue& f = formulas_[static_cast<std::size_t>(guard.formula)];
      return {guard.sign * f.value, guard.sign * f.rate};
    }
    case GuardKind::normal_force:
      dynamics_.evaluate(t, y);
      return {dynamics_.forces().normal_force[guard.local], unknown};
    case GuardKind::stick_reserve:
      dynamics_.evaluate(t, y);
      return {stick_reserve(dynamics_.forces(), dynamics_.tangents(), guard.local,
                            static_friction_[static_cast<std::size_t>(guard.local)]),
              unknown};
    case GuardKind::admissible:
      dynamics_.evaluate(t, y);
      return {admissible_margin(dynamics_.forces(), dynamics_.shape(), static_friction_), unknown};
    case GuardKind::slip: {
      dynamics_.evaluate(t, y);
      const Snapshot& s = dynamics_.snapshot();
      const int k = dynamics_.tangents(), n = dynamics_.speeds();
      Sample result{0.0, 0.0};
      for (int a = 0; a < k; ++a) {
        const int row = guard.local * k + a;
        const double direction = dynamics_.slip_reference(row);
        double acceleration = s.slip_bias()[row];
        const double* tangent = s.data() + s.at_tangent() + row * n;
        for (int j = 0; j < n; ++j) acceleration += tangent[j] * dynamics_.forces().acceleration[j];
        result.value += direction * s.slip()[row];
        result.rate += direction * acceleration;
      }
      return result;
    }
  }
  return {};
}

void GuardSet::sample_all(double t, const double* y, const double* dydt,
                          std::vector<GuardSample>& samples) {
  if (!gap_.empty())
    mechanism_.gap_motion(t, dynamics_.q(y), dynamics_.v(y), dynamics_.a(dydt), gap_.data(),
                          gap_rate_.data(), gap_acceleration_.data());
  mechanism_.formula_motion(t, dynamics_.q(y), dynamics_.v(y), formulas_.data());
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    samples[i].sample = sample(guards_[i], t, y, true, true);
    if (guards_[i].kind == GuardKind::gap)
      samples[i].second_rate = gap_acceleration_[static_cast<std::size_t>(guards_[i].contact)];
  }
}

double GuardSet::value(const Guard& guard, double t, const double* y) {
  return sample(guard, t, y, false, false).value;
}

double GuardSet::floor_of(const Guard& guard) const {
  switch (guard.kind) {
    case GuardKind::gap:
      return tolerances_.rearm_gap;
    case GuardKind::normal_force:
    case GuardKind::stick_reserve:
    case GuardKind::admissible:
      return force_floor_;
    case GuardKind::slip:
      return dynamics_.shape().slip_floor;
    case GuardKind::formula:
      return 0.0;
  }
  return 0.0;
}

/// Whether a guard stays positive over the step for sure, from its ends alone.
bool GuardSet::is_certain(std::size_t i, double h) const {
  const Guard& guard = guards_[i];
  const Sample a = start_[i].sample, b = end_[i].sample;
  if (!guard.is_armed || !(a.value > 0.0) || !(b.value > 0.0)) return false;
  const double lowest = std::min(a.value, b.value);
  switch (guard.kind) {
    case GuardKind::gap:
      return certainly_positive(a, start_[i].second_rate, b, end_[i].second_rate, h);
    case GuardKind::slip:
    case GuardKind::formula:
      return lowest > h * std::max(std::abs(a.rate), std::abs(b.rate));
    case GuardKind::normal_force:
    case GuardKind::stick_reserve:
    case GuardKind::admissible: {
      if (!has_before_) return false;
      // Second difference over this and the last step: how far the quantity may bend away from its
      // chord.
      const double here = (b.value - a.value) / h,
                   before = (a.value - value_before_[i]) / step_before_;
      const double bend = std::abs(here - before) / (h + step_before_) * h * h;
      return lowest > std::abs(b.value - a.value) + bend;
    }
  }
  return false;
}

std::optional<GuardCrossing> GuardSet::first_crossing(Integrator& integrator) {
  const double a = integrator.time_before(), h = integrator.time() - a;
  sample_all(integrator.time(), integrator.state().data(), integrator.rate().data(), end_);
  std::optional<GuardCrossing> first;
  double b = integrator.time();
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    if (is_certain(i, h)) continue;
    const auto root =
        guards_[i].is_armed ? search(integrator, i, a, b) : search_unarmed(integrator, i, a, b);
    if (root && (!first || *root < first->t)) {
      first = GuardCrossing{*root, i};
      b = *root;
    }
  }
  return first;
}

std::optional<double> GuardSet::search(Integrator& integrator, std::size_t i, double a, double b) {
  const auto at = [&](double t) {
    integrator.dense(t, span_of(state_));
    return sample(guards_[i], t, state_.data(), false, false);
  };
  const Sample from = a == integrator.time_before() ? start_[i].sample : at(a);
  const Sample to = b == integrator.time() ? end_[i].sample : at(b);
  if (std::isnan(from.rate)) {
    const auto value = [&](double t) { return at(t).value; };
    const auto root =
        first_falling_root_of_values(value, a, from.value, b, to.value, RootOptions{});
    return root ? std::optional(root->t) : std::nullopt;
  }
  const auto root = first_falling_root(at, a, from, b, to, RootOptions{});
  return root ? std::optional(root->t) : std::nullopt;
}

/// A guard that starts at zero: halve the step towards its start until it is positive, then search
/// from there on.
std::optional<double> GuardSet::search_unarmed(Integrator& integrator, std::size_t i, double a,
                                               double b) {
  const auto value_at = [&](double t) {
    integrator.dense(t, span_of(state_));
    return sample(guards_[i], t, state_.data(), false, false).value;
  };
  if (std::isfinite(guards_[i].landing))
    return guards_[i].landing <= b ? std::optional(std::max(a, guards_[i].landing)) : std::nullopt;
  const double floor = floor_of(guards_[i]);
  double positive = b, h = b - a;
  int halvings = 0;
  while (!(value_at(positive) > floor)) {
    if (++halvings > unarmed_halvings || a + 0.5 * h <= a) {
      // It never left zero: the mode holds if it ends there, and has ended where it went below.
      const double lowest = std::min(0.0, start_[i].sample.value) - floor;
      if (!(value_at(b) < lowest)) return std::nullopt;
      double holds = a, ended = b;
      for (double middle = 0.5 * (holds + ended); middle > holds && middle < ended;
           middle = 0.5 * (holds + ended))
        (value_at(middle) < lowest ? ended : holds) = middle;
      return ended;
    }
    h *= 0.5;
    positive = a + h;
  }
  double from = positive;  // a little further towards the start, while it stays positive
  for (int extra = 0; extra < 3; ++extra) {
    const double earlier = a + 0.5 * (from - a);
    if (!(value_at(earlier) > floor)) break;
    from = earlier;
  }
  for (double left = from; left < b;) {
    const double right = std::min(b, a + 2.0 * (left - a));
    if (const auto root = search(integrator, i, left, right)) return root;
    if (right <= left) break;
    left = right;
  }
  return std::nullopt;
}

void GuardSet::advance(Integrator& integrator) {
  has_before_ = true;
  step_before_ = integrator.time() - integrator.time_before();
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    value_before_[i] = start_[i].sample.value;
    Guard& guard = guards_[i];
    const double floor = floor_of(guard);
    if (end_[i].sample.value > floor && !std::isfinite(guard.landing)) guard.is_armed = true;
  }
  std::swap(start_, end_);
  if (dynamics_.tangents() != 2) return;
  const double* state = integrator.state().data();
  dynamics_.align_slip_reference(integrator.time(), state);
  for (std::size_t i = 0; i < guards_.size(); ++i)
    if (guards_[i].kind == GuardKind::slip)
      start_[i].sample = sample(guards_[i], integrator.time(), state, true, true);
}

}  // namespace clack
