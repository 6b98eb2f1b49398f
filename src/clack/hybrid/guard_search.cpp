// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "clack/hybrid/guards.hpp"
#include "clack/hybrid/tolerances.hpp"

// The first crossing of a step: what is certain from its ends, and the search on its dense output.

namespace clack {
namespace {

std::span<double> span_of(std::vector<double>& v) { return {v.data(), v.size()}; }

}  // namespace

/// Whether a guard stays positive over the step for sure, from its ends alone.
bool GuardSet::is_certain(std::size_t i, double h) const {
  const Guard& guard = memory_.guards[i];
  const Sample a = memory_.start[i].sample, b = memory_.end[i].sample;
  if (!guard.is_armed || !(a.value > 0.0) || !(b.value > 0.0)) return false;
  const double lowest = std::min(a.value, b.value);
  const auto is_far_by_rate = [&] {
    return lowest > h * std::max(std::abs(a.rate), std::abs(b.rate));
  };
  // Second difference over this and the last step: how far the quantity may bend away from its chord.
  const auto is_far_by_value = [&] {
    if (!memory_.has_before) return false;
    const double here = (b.value - a.value) / h,
                 before = (a.value - memory_.value_before[i]) / memory_.step_before;
    const double bend = std::abs(here - before) / (h + memory_.step_before) * h * h;
    return lowest > std::abs(b.value - a.value) + bend;
  };
  switch (guard.kind) {
    case GuardKind::gap:
      return certainly_positive(a, memory_.start[i].second_rate, b, memory_.end[i].second_rate, h);
    case GuardKind::slip:
    case GuardKind::formula:
    case GuardKind::border:
      return is_far_by_rate();
    case GuardKind::foot:
      return std::isnan(a.rate) ? is_far_by_value() : is_far_by_rate();
    case GuardKind::outlines:
      return true;  // search_outlines
    case GuardKind::normal_force:
    case GuardKind::stick_reserve:
    case GuardKind::admissible:
      return !is_timed_ && is_far_by_value();
  }
  return false;
}

bool GuardSet::is_force(const Guard& guard) const {
  return guard.kind == GuardKind::normal_force || guard.kind == GuardKind::stick_reserve ||
         guard.kind == GuardKind::admissible;
}

/// A bound of the margin at the end of the step decides where it keeps a margin at zero that began there; else the
/// program does.
bool GuardSet::holds_at_zero(std::size_t i) const {
  const Guard& guard = memory_.guards[i];
  const double start = memory_.start[i].sample.value, end = memory_.end[i].sample.value;
  return !guard.is_armed && end >= std::min(0.0, start) - floor_of(guard);
}

std::optional<GuardCrossing> GuardSet::first_crossing(Integrator& integrator) {
  const double a = integrator.time_before(), h = integrator.time() - a;
  follow_neighbours(integrator);
  look_count_ = 0;
  next_piece_ = std::numeric_limits<double>::infinity();
  piece_end_.t = std::numeric_limits<double>::quiet_NaN();
  look_times_.resize(hybrid_tolerances.kept_looks);
  looks_.resize(look_times_.size() * (memory_.guards.size() - memory_.open.size()));
  sample_all(integrator.time(), integrator.state().data(), integrator.rate().data(), memory_.end);
  memory_.end_spin = mechanism_.largest_spin();
  const double spin = std::max(memory_.start_spin, memory_.end_spin);
  const double turn_time = hybrid_tolerances.searched_turn / spin;  // infinite where nothing turns
  std::optional<GuardCrossing> first;
  double b = integrator.time();
  for (std::size_t i = 0; i < memory_.guards.size(); ++i) {
    const bool is_gap = memory_.guards[i].kind == GuardKind::gap;
    if (memory_.guards[i].kind == GuardKind::outlines || is_constant(memory_.guards[i])) continue;
    const double longest = is_gap && turn_time < h ? turn_time : h;
    if (longest == h && is_certain(i, h)) continue;
    if (memory_.guards[i].kind == GuardKind::admissible) {
      if (holds_at_zero(i)) continue;
      memory_.end[i].sample =
          sample(memory_.guards[i], integrator.time(), integrator.state().data());
      if (is_certain(i, h)) continue;
    }
    const bool is_timed = is_timed_ && is_force(memory_.guards[i]);
    const auto root = !memory_.guards[i].is_armed ? search_unarmed(integrator, i, a, b, longest)
                      : is_timed                  ? search_timed(integrator, i, a, b)
                                                  : search_armed(integrator, i, a, b, longest);
    if (root && (!first || *root < first->t)) {
      first = GuardCrossing{*root, i};
      b = *root;
    }
  }
  search_outlines(integrator, first);
  search_solids(integrator, first);
  return first;
}

std::size_t GuardSet::open_guard_of(const ContactKey& contact) {
  const auto found = std::ranges::lower_bound(memory_.open, contact);
  const std::ptrdiff_t i = found - memory_.open.begin();
  if (found != memory_.open.end() && *found == contact) return i;
  memory_.open.insert(found, contact);
  memory_.guards.insert(memory_.guards.begin() + i,
                        Guard{.kind = GuardKind::gap, .contact = contact});
  memory_.start.insert(memory_.start.begin() + i, GuardSample{});
  memory_.end.insert(memory_.end.begin() + i, GuardSample{});
  memory_.value_before.insert(memory_.value_before.begin() + i, 0.0);
  return i;
}

void GuardSet::search_solids(Integrator& integrator, std::optional<GuardCrossing>& first) {
  bool is_taken = false;
  const double* slow = memory_.slow.data() + mechanism_.outlines().size();
  for (const SolidSource& solids : mechanism_.solids()) {
    const double slowest = *slow++;
    const auto is_theirs = [&](const ContactKey& c) { return c.source == solids.source; };
    if (std::ranges::any_of(memory_.closed, is_theirs))
      continue;  // their other features have guards
    if (!is_taken) solids_.take(integrator);
    is_taken = true;
    const auto touch = solids_.first(solids, first ? first->t : integrator.time(), slowest);
    if (touch) first = GuardCrossing{touch->t, open_guard_of(touch->contact), touch->gave_up};
  }
}

void GuardSet::search_outlines(Integrator& integrator, std::optional<GuardCrossing>& first) {
  if (outlines_.empty()) return;
  const auto touch = outlines_.first(integrator, first ? first->t : integrator.time(),
                                     memory_.quiet, memory_.slow);
  if (!touch) return;
  for (std::size_t i = 0; i < memory_.guards.size(); ++i)
    if (memory_.guards[i].kind == GuardKind::outlines) {
      memory_.guards[i].contact = touch->contact;
      first = GuardCrossing{touch->t, i, touch->gave_up};
    }
}

Sample GuardSet::sample_inside(Integrator& integrator, std::size_t i, double t) {
  const auto is_of_modes = [](const Guard& guard) {
    return guard.kind == GuardKind::normal_force || guard.kind == GuardKind::stick_reserve ||
           guard.kind == GuardKind::slip;
  };
  if (!is_of_modes(memory_.guards[i])) {
    integrator.dense(t, span_of(state_));
    return sample(memory_.guards[i], t, state_.data());
  }
  const std::size_t gaps = memory_.open.size(), width = memory_.guards.size() - gaps;
  for (std::size_t l = 0; l < look_count_; ++l)
    if (look_times_[l] == t) return looks_[l * width + i - gaps];
  integrator.dense(t, span_of(state_));
  if (look_count_ == look_times_.size()) look_count_ = 0;
  look_times_[look_count_] = t;
  Sample* const look = &looks_[look_count_++ * width];
  for (std::size_t g = gaps; g < memory_.guards.size(); ++g)
    if (is_of_modes(memory_.guards[g]))
      look[g - gaps] = sample(memory_.guards[g], t, state_.data());
  return look[i - gaps];
}

Sample GuardSet::sample_at_end(Integrator& integrator, std::size_t i, double t) {
  if (piece_end_.guard != i || piece_end_.t != t)
    piece_end_ = {i, t, sample_inside(integrator, i, t)};
  return piece_end_.sample;
}

std::optional<double> GuardSet::search(Integrator& integrator, std::size_t i, double a, double b) {
  const auto at = [&](double t) { return sample_inside(integrator, i, t); };
  const auto at_end = [&](double t) { return sample_at_end(integrator, i, t); };
  const Sample from = a == integrator.time_before() ? memory_.start[i].sample : at_end(a);
  const Sample to = b == integrator.time() ? memory_.end[i].sample : at_end(b);
  if (std::isnan(from.rate)) {
    const auto value = [&](double t) { return at(t).value; };
    const auto root =
        first_falling_root_of_values(value, a, from.value, b, to.value, RootOptions{});
    return root ? std::optional(root->t) : std::nullopt;
  }
  const auto root = first_falling_root(at, a, from, b, to, RootOptions{});
  return root ? std::optional(root->t) : std::nullopt;
}

std::optional<double> GuardSet::search_armed(Integrator& integrator, std::size_t i, double a,
                                             double b, double longest) {
  for (double left = a, right = a; right < b; left = right) {
    right = b - left <= longest ? b : left + longest;
    if (!(right > left)) return std::nullopt;
    if (const auto root = search(integrator, i, left, right)) return root;
  }
  return std::nullopt;
}

/// Steps are as long as the motion allows: where it rests they resolve nothing of a force that follows t. A piece is
/// resolved whose first five values tell what it does.
std::optional<double> GuardSet::search_timed(Integrator& integrator, std::size_t i, double a,
                                             double b) {
  constexpr int first_looks = 3;
  const double least = hybrid_tolerances.least_piece * (b - a);
  double piece = std::max(memory_.piece, least);
  Sample from = memory_.start[i].sample;
  for (double left = a; left < b;) {
    const double end = left + piece, right = end < b && end > left ? end : b;
    const Sample to =
        right == integrator.time() ? memory_.end[i].sample : sample_inside(integrator, i, right);
    int looks = 0;
    const auto value = [&](double t) {
      ++looks;
      return sample_inside(integrator, i, t).value;
    };
    if (const auto root =
            first_falling_root_of_values(value, left, from.value, right, to.value, RootOptions{}))
      return root->t;
    piece = looks <= first_looks ? std::max(piece, hybrid_tolerances.piece_growth * (right - left))
                                 : std::max(least, (right - left) / hybrid_tolerances.piece_growth);
    left = right;
    from = to;
  }
  next_piece_ = std::min(next_piece_, piece);
  return std::nullopt;
}

/// A time after the start of the step by which a gap that rises from zero has surely left it, and long before it can
/// come back: where its parabola passes twice the floor, or a quarter of its flight if that is sooner. Nothing: it does
/// not rise.
std::optional<double> GuardSet::leaving_time(std::size_t i) const {
  if (memory_.guards[i].kind != GuardKind::gap) return std::nullopt;
  const double rise = memory_.start[i].sample.rate, bend = memory_.start[i].second_rate;
  const double height =
      2.0 * floor_of(memory_.guards[i]) - std::min(0.0, memory_.start[i].sample.value);
  if (!(rise > 0.0)) return std::nullopt;
  const double straight = height / rise;
  return bend < 0.0 ? std::min(2.0 * straight, -0.5 * rise / bend) : straight;
}

/// A guard that starts at zero: from the first time at which it is positive the rest of the step is searched. That time
/// follows from its motion at the start, or else by halving the step towards its start.
std::optional<double> GuardSet::search_unarmed(Integrator& integrator, std::size_t i, double a,
                                               double b, double longest) {
  const auto value_at = [&](double t) { return sample_at_end(integrator, i, t).value; };
  if (std::isfinite(memory_.guards[i].landing))
    return memory_.guards[i].landing <= b ? std::optional(std::max(a, memory_.guards[i].landing))
                                          : std::nullopt;
  const double floor = floor_of(memory_.guards[i]);
  const double lowest = std::min(0.0, memory_.start[i].sample.value) - floor;
  // Where the mode has ended that never left zero.
  const auto fallen = [&]() -> std::optional<double> {
    if (!(value_at(b) < lowest)) return std::nullopt;
    double holds = a, ended = b;
    for (double middle = 0.5 * (holds + ended); middle > holds && middle < ended;
         middle = 0.5 * (holds + ended))
      (value_at(middle) < lowest ? ended : holds) = middle;
    return ended;
  };
  // A margin is zero all the time where a contact cannot push (a sphere at rest in a corner): the end of the step tells.
  if (memory_.guards[i].kind == GuardKind::admissible && !(memory_.end[i].sample.value > floor))
    return memory_.end[i].sample.value < lowest ? fallen() : std::nullopt;
  if (memory_.guards[i].kind ==
      GuardKind::slip) {  // within the floor all the step, by the rates at its ends
    const Sample from = memory_.start[i].sample, to = memory_.end[i].sample;
    const double way = (integrator.time() - a) * std::max(std::abs(from.rate), std::abs(to.rate));
    if (std::max(from.value, to.value) + way <= floor) return fallen();
  }
  double positive = b, h = b - a;
  int halvings = 0;
  const auto leaving = leaving_time(i);
  const bool has_left =
      leaving && a + *leaving > a && *leaving < h && value_at(a + *leaving) > floor;
  if (has_left) positive = a + *leaving;
  while (!has_left && !(value_at(positive) > floor)) {
    if (++halvings > hybrid_tolerances.unarmed_halvings || a + 0.5 * h <= a) return fallen();
    h *= 0.5;
    positive = a + h;
  }
  double from = positive;  // a little further towards the start, while it stays positive
  for (int extra = 0; !has_left && extra < hybrid_tolerances.unarmed_extra_halvings; ++extra) {
    const double earlier = a + 0.5 * (from - a);
    if (!(value_at(earlier) > floor)) break;
    from = earlier;
  }
  for (double left = from; left < b;) {
    const double right = std::min({b, a + 2.0 * (left - a), left + longest});
    if (const auto root = search(integrator, i, left, right)) return root;
    if (right <= left) break;
    left = right;
  }
  return std::nullopt;
}

}  // namespace clack
