// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/guards.hpp"

#include <cmath>

#include "clack/hybrid/admissible_forces.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::span<double> span_of(std::vector<double>& v) { return {v.data(), v.size()}; }

}  // namespace

GuardSet::GuardSet(const Model& model, Mechanism& mechanism, ModeDynamics& dynamics)
    : mechanism_(mechanism),
      dynamics_(dynamics),
      tolerances_(model.tolerances),
      outlines_(mechanism) {
  state_.resize(dynamics.size());
  formulas_.resize(mechanism.formulas());
}

void GuardSet::enter(const Mode& mode, std::span<const ContactMaterial> materials,
                     const ContactSet& released, std::span<const int> fired_formulas,
                     const ContactSet& at_border, double t, const double* y, const double* dydt) {
  memory_.guards.clear();
  memory_.static_friction.clear();
  memory_.force_floor = 0.0;
  memory_.has_before = false;
  memory_.begin.assign(y, y + dynamics_.size());
  memory_.begin_rate.assign(dydt, dydt + dynamics_.size());
  for (const ContactMaterial& material : materials)
    memory_.static_friction.push_back(material.static_friction);
  dynamics_.evaluate(t, y);
  mechanism_.nearby({t, t, dynamics_.q(y), dynamics_.v(y), dynamics_.q(y), dynamics_.v(y)}, near_);
  add_contact_guards(mode, released);
  for (const double force : dynamics_.forces().normal_force)
    memory_.force_floor = std::max(memory_.force_floor, tolerances_.force * std::abs(force));
  for (const double force : dynamics_.snapshot().smooth_force())
    memory_.force_floor = std::max(memory_.force_floor, tolerances_.force * std::abs(force));
  add_formula_guards(fired_formulas, t, y);
  add_border_guards(at_border, t, y);
  memory_.quiet = outlines_.quiet_contacts(memory_.closed, t, dynamics_.q(y), dynamics_.v(y));
  for (const OutlineSource& source : mechanism_.outlines())
    memory_.guards.push_back({.kind = GuardKind::outlines, .contact = {.source = source.source}});
  memory_.start.assign(memory_.guards.size(), {});
  memory_.end.assign(memory_.guards.size(), {});
  memory_.value_before.resize(memory_.guards.size());
  sample_all(t, y, dydt, memory_.start);
  disarm_at_zero(t);
}

/// Gaps of open contacts first, then forces and slips of closed ones.
void GuardSet::add_contact_guards(const Mode& mode, const ContactSet& released) {
  std::vector<Guard>& guards = memory_.guards;
  memory_.open.clear();
  memory_.closed = mode.contacts();
  for (const ContactKey& contact : near_) {
    if (mode.is_closed(contact)) continue;
    memory_.open.push_back(contact);
    guards.push_back(
        {.kind = GuardKind::gap, .contact = contact, .is_armed = !contains(released, contact)});
  }
  const ModeShape& shape = dynamics_.shape();
  const bool is_hyperstatic = dynamics_.forces().is_hyperstatic && !mode.closed.empty();
  if (is_hyperstatic)
    guards.push_back(
        {.kind = GuardKind::admissible, .contact = mode.closed[0].contact, .local = 0});
  for (int local = 0; local < static_cast<int>(mode.closed.size()); ++local) {
    const ContactKey contact = mode.closed[local].contact;
    if (!is_hyperstatic)
      guards.push_back({.kind = GuardKind::normal_force, .contact = contact, .local = local});
    if (shape.statuses[local] == ContactStatus::stick) {
      if (!is_hyperstatic)
        guards.push_back({.kind = GuardKind::stick_reserve, .contact = contact, .local = local});
    } else if (shape.friction[local] > 0.0 || memory_.static_friction[local] > 0.0) {
      guards.push_back({.kind = GuardKind::slip, .contact = contact, .local = local});
    }
  }
}

void GuardSet::add_formula_guards(std::span<const int> fired_formulas, double t, const double* y) {
  mechanism_.formula_motion(t, dynamics_.q(y), dynamics_.v(y), formulas_.data());
  for (int f = 0; f < static_cast<int>(formulas_.size()); ++f) {
    Guard guard{.kind = GuardKind::formula, .formula = f};
    const bool is_fired = std::ranges::binary_search(fired_formulas, f);
    const double decisive =
        is_fired || formulas_[f].value == 0.0 ? formulas_[f].rate : formulas_[f].value;
    guard.sign = decisive < 0.0 ? -1.0 : 1.0;
    guard.is_armed = !is_fired && formulas_[f].value != 0.0;
    memory_.guards.push_back(guard);
  }
}

void GuardSet::add_border_guards(const ContactSet& at_border, double t, const double* y) {
  for (int local = 0; local < static_cast<int>(memory_.closed.size()); ++local) {
    const ContactKey& contact = memory_.closed[local];
    if (!mechanism_.has_border(contact)) continue;
    const BorderMotion border = mechanism_.border(t, dynamics_.q(y), dynamics_.v(y), contact);
    if (const OutlineSource* outlines = mechanism_.outlines_of_source(contact.source)) {
      // Inside of its edge the margin is positive; it may begin at an end.
      const double floor = 2.0 * hybrid_tolerances.outline_band * outlines->pair().size();
      memory_.guards.push_back({.kind = GuardKind::border,
                                .contact = contact,
                                .local = local,
                                .floor = floor,
                                .is_armed = border.margin > floor});
      continue;
    }
    const bool is_fired = contains(at_border, contact);
    const double decisive = is_fired || border.margin == 0.0 ? border.rate : border.margin;
    memory_.guards.push_back({.kind = GuardKind::border,
                              .contact = contact,
                              .local = local,
                              .sign = decisive < 0.0 ? -1.0 : 1.0,
                              .is_armed = !is_fired && border.margin != 0.0});
  }
}

/// Guards that begin at zero are quiet; flights too low to be seen land where their parabola does.
void GuardSet::disarm_at_zero(double t) {
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    Guard& guard = memory_.guards[i];
    const GuardSample& start = memory_.start[i];
    const double rise = start.sample.rate, fall = -start.second_rate;
    if (guard.kind == GuardKind::gap && !guard.is_armed && rise > 0.0 && fall > 0.0 &&
        rise * rise < tolerances_.unseen_flight * 2.0 * fall * tolerances_.rearm_gap)
      guard.landing = t + 2.0 * rise / fall;
    const bool is_preset = guard.kind == GuardKind::gap || guard.kind == GuardKind::formula ||
                           guard.kind == GuardKind::border || guard.kind == GuardKind::outlines;
    if (!is_preset && !(start.sample.value > floor_of(guard))) guard.is_armed = false;
    if (guard.kind == GuardKind::slip) {  // a slip that has only just begun
      double speed = 0.0;
      const int k = dynamics_.tangents();
      for (int a = 0; a < k; ++a)
        speed = std::max(speed, std::abs(dynamics_.snapshot().slip()[guard.local * k + a]));
      if (speed <= dynamics_.shape().slip_floor) guard.is_armed = false;
    }
  }
}

Sample GuardSet::sample(const Guard& guard, double t, const double* y) {
  switch (guard.kind) {
    case GuardKind::gap:
      gap_motion_of(mechanism_, {&guard.contact, 1}, t, dynamics_.q(y), dynamics_.v(y), nullptr,
                    gaps_);
      return {gaps_.of[0].gap, gaps_.of[0].rate};
    case GuardKind::formula: {
      mechanism_.formula_motion(t, dynamics_.q(y), dynamics_.v(y), formulas_.data());
      const FormulaValue& f = formulas_[guard.formula];
      return {guard.sign * f.value, guard.sign * f.rate};
    }
    case GuardKind::border: {
      const BorderMotion border =
          mechanism_.border(t, dynamics_.q(y), dynamics_.v(y), guard.contact);
      return {guard.sign * border.margin, guard.sign * border.rate};
    }
    case GuardKind::outlines:
      return {1.0, 0.0};  // searched by itself
    case GuardKind::normal_force:
      dynamics_.evaluate(t, y);
      return {dynamics_.forces().normal_force[guard.local], unknown};
    case GuardKind::stick_reserve:
      dynamics_.evaluate(t, y);
      return {stick_reserve(dynamics_.forces(), dynamics_.tangents(), guard.local,
                            memory_.static_friction[guard.local]),
              unknown};
    case GuardKind::admissible:
      dynamics_.evaluate(t, y);
      return {admissible_margin(dynamics_.forces(), dynamics_.shape(), memory_.static_friction),
              unknown};
    case GuardKind::slip:
      dynamics_.evaluate(t, y);
      return slip_sample(guard);
  }
  return {};
}

/// d . slip and its rate, d the direction of slip that the mode (space: the step) began with.
Sample GuardSet::slip_sample(const Guard& guard) const {
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

/// All guards at a state with known rates: all gaps and all formulas in one go.
void GuardSet::sample_all(double t, const double* y, const double* dydt,
                          std::vector<GuardSample>& samples) {
  gap_motion_of(mechanism_, memory_.open, t, dynamics_.q(y), dynamics_.v(y), dynamics_.a(dydt),
                gaps_);
  for (std::size_t i = 0; i < memory_.open.size(); ++i)
    samples[i] = {{gaps_.of[i].gap, gaps_.of[i].rate}, gaps_.of[i].acceleration};
  mechanism_.formula_motion(t, dynamics_.q(y), dynamics_.v(y), formulas_.data());
  for (std::size_t i = memory_.open.size(); i < memory_.guards.size(); ++i) {
    const Guard& guard = memory_.guards[i];
    if (guard.kind != GuardKind::formula) {
      samples[i].sample = sample(guard, t, y);
      continue;
    }
    const FormulaValue& f = formulas_[guard.formula];
    samples[i].sample = {guard.sign * f.value, guard.sign * f.rate};
  }
}

double GuardSet::floor_of(const Guard& guard) const {
  switch (guard.kind) {
    case GuardKind::gap:
      return tolerances_.rearm_gap;
    case GuardKind::normal_force:
    case GuardKind::stick_reserve:
    case GuardKind::admissible:
      return memory_.force_floor;
    case GuardKind::slip:
      return dynamics_.shape().slip_floor;
    case GuardKind::border:
      return guard.floor;
    case GuardKind::formula:
    case GuardKind::outlines:
      return 0.0;
  }
  return 0.0;
}

/// Whether a guard stays positive over the step for sure, from its ends alone.
bool GuardSet::is_certain(std::size_t i, double h) const {
  const Guard& guard = memory_.guards[i];
  const Sample a = memory_.start[i].sample, b = memory_.end[i].sample;
  if (!guard.is_armed || !(a.value > 0.0) || !(b.value > 0.0)) return false;
  const double lowest = std::min(a.value, b.value);
  switch (guard.kind) {
    case GuardKind::gap:
      return certainly_positive(a, memory_.start[i].second_rate, b, memory_.end[i].second_rate, h);
    case GuardKind::slip:
    case GuardKind::formula:
    case GuardKind::border:
      return lowest > h * std::max(std::abs(a.rate), std::abs(b.rate));
    case GuardKind::outlines:
      return true;
    case GuardKind::normal_force:
    case GuardKind::stick_reserve:
    case GuardKind::admissible: {
      if (!memory_.has_before) return false;
      // Second difference over this and the last step: how far the quantity may bend away from its
      // chord.
      const double here = (b.value - a.value) / h,
                   before = (a.value - memory_.value_before[i]) / memory_.step_before;
      const double bend = std::abs(here - before) / (h + memory_.step_before) * h * h;
      return lowest > std::abs(b.value - a.value) + bend;
    }
  }
  return false;
}

std::optional<GuardCrossing> GuardSet::first_crossing(Integrator& integrator) {
  const double a = integrator.time_before(), h = integrator.time() - a;
  follow_neighbours(integrator);
  sample_all(integrator.time(), integrator.state().data(), integrator.rate().data(), memory_.end);
  std::optional<GuardCrossing> first;
  double b = integrator.time();
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    if (is_certain(i, h)) continue;
    const auto root = memory_.guards[i].is_armed ? search(integrator, i, a, b)
                                                 : search_unarmed(integrator, i, a, b);
    if (root && (!first || *root < first->t)) {
      first = GuardCrossing{*root, i};
      b = *root;
    }
  }
  if (outlines_.empty()) return first;
  const double slow = tolerances_.gap_rate / tolerances_.slip * dynamics_.shape().slip_floor;
  const auto touch = outlines_.first(integrator, b, memory_.quiet, slow);
  if (!touch) return first;
  for (std::size_t i = 0; i < memory_.guards.size(); ++i)
    if (memory_.guards[i].kind == GuardKind::outlines &&
        memory_.guards[i].contact.source == touch->contact.source) {
      memory_.guards[i].contact = touch->contact;
      first = GuardCrossing{touch->t, i, touch->gave_up};
    }
  return first;
}

std::optional<double> GuardSet::search(Integrator& integrator, std::size_t i, double a, double b) {
  const auto at = [&](double t) {
    integrator.dense(t, span_of(state_));
    return sample(memory_.guards[i], t, state_.data());
  };
  const Sample from = a == integrator.time_before() ? memory_.start[i].sample : at(a);
  const Sample to = b == integrator.time() ? memory_.end[i].sample : at(b);
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
    return sample(memory_.guards[i], t, state_.data()).value;
  };
  if (std::isfinite(memory_.guards[i].landing))
    return memory_.guards[i].landing <= b ? std::optional(std::max(a, memory_.guards[i].landing))
                                          : std::nullopt;
  const double floor = floor_of(memory_.guards[i]);
  double positive = b, h = b - a;
  int halvings = 0;
  while (!(value_at(positive) > floor)) {
    if (++halvings > hybrid_tolerances.unarmed_halvings || a + 0.5 * h <= a) {
      // It never left zero: the mode holds if it ends there, and has ended where it went below.
      const double lowest = std::min(0.0, memory_.start[i].sample.value) - floor;
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
  for (int extra = 0; extra < hybrid_tolerances.unarmed_extra_halvings; ++extra) {
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
  memory_.has_before = true;
  memory_.step_before = integrator.time() - integrator.time_before();
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    memory_.value_before[i] = memory_.start[i].sample.value;
    Guard& guard = memory_.guards[i];
    const double floor = floor_of(guard);
    if (memory_.end[i].sample.value > floor && !std::isfinite(guard.landing)) guard.is_armed = true;
  }
  std::swap(memory_.start, memory_.end);
  memory_.begin.assign(integrator.state().begin(), integrator.state().end());
  memory_.begin_rate.assign(integrator.rate().begin(), integrator.rate().end());
  if (dynamics_.tangents() != 2) return;
  const double* state = integrator.state().data();
  dynamics_.align_slip_reference(integrator.time(), state);
  for (std::size_t i = 0; i < memory_.guards.size(); ++i)
    if (memory_.guards[i].kind == GuardKind::slip)
      memory_.start[i].sample = sample(memory_.guards[i], integrator.time(), state);
}

}  // namespace clack
