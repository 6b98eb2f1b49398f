// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/accumulation.hpp"

#include <algorithm>
#include <cmath>

#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {

void Accumulation::add(double t, const ContactSet& contacts, double speed) {
  impacts_.push_back({t, contacts, speed, false});
  if (number_of(impacts_) > hybrid_tolerances.remembered_impacts) impacts_.pop_front();
}

void Accumulation::collapse(const Completion& completion) {
  const double speed = impacts_.back().speed;
  const auto belongs = [&](const Impact& impact) {
    return !impact.is_completion &&
           std::includes(completion.contacts.begin(), completion.contacts.end(),
                         impact.contacts.begin(), impact.contacts.end());
  };
  while (!impacts_.empty() && belongs(impacts_.back())) impacts_.pop_back();
  impacts_.push_back({completion.time, completion.contacts, speed, true});
}

/// Ratio of the last two durations of a pattern when it repeats and contracts steadily.
std::optional<double> Accumulation::contraction(int pattern) const {
  const int n = number_of(impacts_), repeats = hybrid_tolerances.pattern_repeats;
  if (n < repeats * pattern) return std::nullopt;
  for (int i = n - 1; i >= n - (repeats - 1) * pattern; --i)
    if (impacts_[i].contacts != impacts_[i - pattern].contacts ||
        impacts_[i].is_completion != impacts_[i - pattern].is_completion)
      return std::nullopt;
  const auto time = [&](int back) { return impacts_[n - 1 - back * pattern].t; };
  const double last = time(0) - time(1), before = time(1) - time(2), first = time(2) - time(3);
  if (!(last > 0.0 && before > 0.0 && first > 0.0)) return std::nullopt;
  const double ratio = last / before, ratio_before = before / first;
  const bool is_steady =
      std::abs(ratio - ratio_before) <= hybrid_tolerances.steady_ratio * (1.0 - ratio);
  if (!(ratio < tolerances_.zeno_ratio) || !is_steady) return std::nullopt;
  return ratio;
}

bool Accumulation::is_chatter(double speed_limit) const {
  const std::size_t wanted = tolerances_.chatter;
  if (impacts_.size() < wanted) return false;
  return std::all_of(impacts_.end() - tolerances_.chatter, impacts_.end(),
                     [&](const Impact& i) { return i.speed <= speed_limit && !i.is_completion; });
}

ContactSet Accumulation::contacts_of_last(int impacts) const {
  ContactSet contacts;
  for (auto i = impacts_.end() - impacts; i != impacts_.end(); ++i)
    contacts = united(contacts, i->contacts);
  return contacts;
}

std::optional<Accumulation::Completion> Accumulation::completed(double speed_scale) const {
  const double speed_limit = tolerances_.zeno_speed * speed_scale;
  if (impacts_.empty() || impacts_.back().speed > speed_limit) return std::nullopt;
  for (int pattern = 1; pattern <= hybrid_tolerances.longest_pattern; ++pattern) {
    const auto ratio = contraction(pattern);
    if (!ratio) continue;
    const int n = number_of(impacts_);
    const double last = impacts_[n - 1].t - impacts_[n - 1 - pattern].t;
    return Completion{impacts_[n - 1].t + last * *ratio / (1.0 - *ratio), *ratio,
                      contacts_of_last(pattern)};
  }
  if (is_chatter(speed_limit))
    return Completion{impacts_.back().t, 1.0,
                      contacts_of_last(2 * hybrid_tolerances.longest_pattern)};
  return std::nullopt;
}

}  // namespace clack
