// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/guards.hpp"

#include <cmath>

#include "clack/hybrid/admissible_forces.hpp"
#include "clack/hybrid/timed_loads.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

GuardSet::GuardSet(const Model& model, Mechanism& mechanism, ModeDynamics& dynamics)
    : mechanism_(mechanism),
      dynamics_(dynamics),
      tolerances_(model.tolerances),
      outlines_(mechanism),
      solids_(mechanism),
      is_timed_(has_timed_loads(model)),
      forces_(model) {
  state_.resize(dynamics.size());
  formulas_.resize(mechanism.formulas());
  before_.resize(formulas_.size());
}

void GuardSet::enter(const Mode& mode, std::span<const ContactMaterial> materials,
                     const ContactSet& released, const FormulaSides& formulas,
                     const ContactSet& at_border, const Scales& scales, double t, const double* y,
                     const double* dydt) {
  remember_formulas();
  memory_.guards.clear();
  memory_.static_friction.clear();
  memory_.force_floor = 0.0;
  memory_.has_before = false;
  memory_.widest.clear();
  memory_.begin.assign(y, y + dynamics_.size());
  memory_.begin_rate.assign(dydt, dydt + dynamics_.size());
  for (const ContactMaterial& material : materials)
    memory_.static_friction.push_back(material.static_friction);
  memory_.slow.clear();
  for (const OutlineSource& source : mechanism_.outlines())
    memory_.slow.push_back(tolerances_.gap_rate * scales.speed_of({.source = source.source}));
  for (const SolidSource& source : mechanism_.solids())
    memory_.slow.push_back(tolerances_.gap_rate * scales.speed_of({.source = source.source}));
  dynamics_.evaluate(t, y);
  mechanism_.nearby({t, t, dynamics_.q(y), dynamics_.v(y), dynamics_.q(y), dynamics_.v(y)}, near_);
  memory_.rearm.assign(scales.contacts.size(), 0.0);
  for (const ContactKey& contact : near_)
    memory_.rearm[contact.source] = rearm_limit(tolerances_, scales.of(contact), t);
  add_contact_guards(mode, released);
  for (const double force : dynamics_.forces().normal_force)
    memory_.force_floor = std::max(memory_.force_floor, tolerances_.force * std::abs(force));
  for (const double force : dynamics_.snapshot().smooth_force())
    memory_.force_floor = std::max(memory_.force_floor, tolerances_.force * std::abs(force));
  add_formula_guards(formulas, t, y);
  add_border_guards(at_border, t, y);
  add_foot_guards(t, y);
  memory_.quiet = outlines_.quiet_contacts(memory_.closed, t, dynamics_.q(y), dynamics_.v(y));
  if (!outlines_.empty()) memory_.guards.push_back({.kind = GuardKind::outlines});
  memory_.start.assign(memory_.guards.size(), {});
  memory_.end.assign(memory_.guards.size(), {});
  memory_.value_before.resize(memory_.guards.size());
  sample_all(t, y, dydt, memory_.start);
  memory_.start_spin = mechanism_.largest_spin();
  disarm_at_zero(t);
}

/// Gaps of open contacts first, then forces and slips of closed ones.
void GuardSet::add_contact_guards(const Mode& mode, const ContactSet& released) {
  std::vector<Guard>& guards = memory_.guards;
  memory_.open.clear();
  memory_.closed.clear();
  for (const ClosedContact& c : mode.closed) memory_.closed.push_back(c.contact);
  for (const ContactKey& contact : near_) {
    if (contains(memory_.closed, contact)) continue;
    memory_.open.push_back(contact);
    guards.push_back({.kind = GuardKind::gap,
                      .contact = contact,
                      .is_armed = !contains(released, contact),
                      .floor = memory_.rearm[contact.source]});
  }
  const ModeShape& shape = dynamics_.shape();
  const bool is_hyperstatic = dynamics_.forces().is_hyperstatic && !mode.closed.empty();
  if (is_hyperstatic)
    guards.push_back(
        {.kind = GuardKind::admissible, .contact = mode.closed[0].contact, .local = 0});
  for (int local = 0; local < number_of(mode.closed); ++local) {
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

void GuardSet::add_border_guards(const ContactSet& at_border, double t, const double* y) {
  for (int local = 0; local < number_of(memory_.closed); ++local) {
    const ContactKey& contact = memory_.closed[local];
    if (!mechanism_.has_border(contact) || mechanism_.feet().of_source(contact.source)) continue;
    if (const OutlineSource* outlines = mechanism_.outlines_of_source(contact.source)) {
      // Inside of its edge the margin is positive; it may begin at an end.
      const double floor = 2.0 * hybrid_tolerances.outline_band * outlines->pair().size();
      for (int k = 0; k < mechanism_.borders(contact); ++k) {
        const BorderMotion border =
            mechanism_.border(t, dynamics_.q(y), dynamics_.v(y), contact, k);
        memory_.guards.push_back({.kind = GuardKind::border,
                                  .contact = contact,
                                  .local = local,
                                  .is_armed = border.margin > floor,
                                  .floor = floor,
                                  .border = k});
      }
      continue;
    }
    const BorderMotion border = mechanism_.border(t, dynamics_.q(y), dynamics_.v(y), contact);
    const bool is_fired = contains(at_border, contact);
    // What is in the band waits there, unless it is on its way out faster than drift is.
    const bool goes_out =
        border.margin > 0.0 && border.rate < -hybrid_tolerances.border_drift * border.band;
    const bool is_at_border = is_fired || (std::abs(border.margin) <= border.band && !goes_out);
    const double decisive = is_at_border ? border.rate : border.margin;
    memory_.guards.push_back({.kind = GuardKind::border,
                              .contact = contact,
                              .local = local,
                              .sign = !border.ends_at_border && decisive < 0.0 ? -1.0 : 1.0,
                              .is_armed = !is_at_border,
                              .floor = border.band});
  }
}

/// Guards that begin at zero are quiet; flights too low to be seen land where their parabola does.
void GuardSet::disarm_at_zero(double t) {
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    Guard& guard = memory_.guards[i];
    const GuardSample& start = memory_.start[i];
    const double rise = start.sample.rate, fall = -start.second_rate;
    if (guard.kind == GuardKind::gap && !guard.is_armed && rise > 0.0 && fall > 0.0 &&
        rise * rise < tolerances_.unseen_flight * 2.0 * fall * guard.floor)
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
      evaluate_formulas(t, y);
      const FormulaValue& f = formulas_[guard.formula];
      return {guard.sign * f.value, guard.sign * f.rate};
    }
    case GuardKind::border: {
      const BorderMotion border =
          mechanism_.border(t, dynamics_.q(y), dynamics_.v(y), guard.contact, guard.border);
      return {guard.sign * border.margin, guard.sign * border.rate};
    }
    case GuardKind::outlines:
      return {1.0, 0.0};  // searched by itself
    case GuardKind::foot:
      return foot_sample(guard, t, y);
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
      return {std::min(
                  admissible_margin(dynamics_.forces(), dynamics_.shape(), memory_.static_friction),
                  largest_known_margin()),
              unknown};
    case GuardKind::slip:
      dynamics_.evaluate(t, y);
      return slip_sample(guard);
  }
  return {};
}

/// An unbounded margin is as far from zero as the search need know.
double GuardSet::largest_known_margin() const { return memory_.force_floor / tolerances_.force; }

double GuardSet::renew_margin(double t, const double* y) {
  dynamics_.evaluate(t, y);
  const WidestMember widest =
      widest_forces(dynamics_.forces(), dynamics_.shape(), memory_.static_friction);
  memory_.widest.assign(widest.reaction.begin(), widest.reaction.end());
  memory_.widest_margin = std::min(widest.margin, largest_known_margin());
  return memory_.widest_margin;
}

double GuardSet::margin_at_end(double t, const double* y) {
  if (memory_.widest.empty()) return renew_margin(t, y);
  dynamics_.evaluate(t, y);
  return std::min(
      margin_bound(dynamics_.forces(), dynamics_.shape(), memory_.static_friction, memory_.widest),
      largest_known_margin());
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
  evaluate_formulas(t, y);
  for (std::size_t i = memory_.open.size(); i < memory_.guards.size(); ++i) {
    const Guard& guard = memory_.guards[i];
    if (guard.kind == GuardKind::admissible) {
      samples[i].sample = {margin_at_end(t, y), unknown};
      continue;
    }
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
    case GuardKind::border:
    case GuardKind::foot:
      return guard.floor;
    case GuardKind::normal_force:
    case GuardKind::stick_reserve:
      return memory_.force_floor;
    case GuardKind::admissible:
      return hybrid_tolerances.margin_rounding * memory_.force_floor;
    case GuardKind::slip:
      return dynamics_.shape().slip_floor;
    case GuardKind::formula:
    case GuardKind::outlines:
      return 0.0;
  }
  return 0.0;
}

void GuardSet::advance(Integrator& integrator) {
  memory_.has_before = true;
  memory_.step_before = integrator.time() - integrator.time_before();
  if (std::isfinite(next_piece_)) memory_.piece = next_piece_;
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    memory_.value_before[i] = memory_.start[i].sample.value;
    Guard& guard = memory_.guards[i];
    const double floor = floor_of(guard);
    if (memory_.end[i].sample.value > floor && !std::isfinite(guard.landing)) guard.is_armed = true;
  }
  std::swap(memory_.start, memory_.end);
  // A bound that has lost half of the margin makes room for the margin itself.
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    const Guard& guard = memory_.guards[i];
    double& margin = memory_.start[i].sample.value;
    if (guard.kind == GuardKind::admissible &&
        margin < hybrid_tolerances.margin_kept * memory_.widest_margin - floor_of(guard))
      margin = renew_margin(integrator.time(), integrator.state().data());
  }
  memory_.start_spin = memory_.end_spin;
  memory_.begin.assign(integrator.state().begin(), integrator.state().end());
  memory_.begin_rate.assign(integrator.rate().begin(), integrator.rate().end());
  if (dynamics_.tangents() != 2) return;
  const double* state = integrator.state().data();
  align_slips(integrator.time(), state);
  for (std::size_t i = 0; i < memory_.guards.size(); ++i)
    if (memory_.guards[i].kind == GuardKind::slip)
      memory_.start[i].sample = sample(memory_.guards[i], integrator.time(), state);
}

void GuardSet::align_slips(double t, const double* y) {
  references_ = dynamics_.slip_references();
  if (!dynamics_.align_slip_reference(t, y) || references_ == dynamics_.slip_references()) return;
  if (!start_with_forces(t, y)) dynamics_.return_slow_references(references_);
}

bool GuardSet::start_with_forces(double t, const double* y) {
  const auto is_of_forces = [](const Guard& guard) {
    return guard.kind == GuardKind::normal_force || guard.kind == GuardKind::stick_reserve ||
           guard.kind == GuardKind::admissible;
  };
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    const Guard& guard = memory_.guards[i];
    if (!is_of_forces(guard)) continue;
    const double floor = floor_of(guard);
    const double lowest =
        guard.is_armed ? floor : std::min(0.0, memory_.start[i].sample.value) - floor;
    Sample& now = memory_.end[i].sample;
    now = guard.kind == GuardKind::admissible ? Sample{margin_at_end(t, y), unknown}
                                              : sample(guard, t, y);
    if (!(now.value >= lowest) && guard.kind == GuardKind::admissible) now = sample(guard, t, y);
    if (!(now.value >= lowest)) return false;
  }
  for (std::size_t i = 0; i < memory_.guards.size(); ++i)
    if (is_of_forces(memory_.guards[i])) memory_.start[i].sample = memory_.end[i].sample;
  return true;
}

}  // namespace clack
