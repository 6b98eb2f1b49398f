#include "clack/hybrid/accumulation.hpp"

#include <algorithm>
#include <cmath>

namespace clack {

void Accumulation::add(double t, const std::vector<int>& contacts, double speed) {
  impacts_.push_back({t, contacts, speed, false});
  if (impacts_.size() > memory) impacts_.pop_front();
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
std::optional<double> Accumulation::contraction(std::size_t pattern) const {
  const std::size_t n = impacts_.size();
  if (n < repeats * pattern) return std::nullopt;
  for (std::size_t i = n - 1; i >= n - (repeats - 1) * pattern; --i)
    if (impacts_[i].contacts != impacts_[i - pattern].contacts ||
        impacts_[i].is_completion != impacts_[i - pattern].is_completion)
      return std::nullopt;
  const auto time = [&](std::size_t back) { return impacts_[n - 1 - back * pattern].t; };
  const double last = time(0) - time(1), before = time(1) - time(2), first = time(2) - time(3);
  if (!(last > 0.0 && before > 0.0 && first > 0.0)) return std::nullopt;
  const double ratio = last / before, ratio_before = before / first;
  const bool is_steady = std::abs(ratio - ratio_before) <= 0.1 * (1.0 - ratio);
  if (!(ratio < tolerances_.zeno_ratio) || !is_steady) return std::nullopt;
  return ratio;
}

std::optional<Accumulation::Completion> Accumulation::completed(double speed_scale) const {
  if (impacts_.empty() || impacts_.back().speed > tolerances_.zeno_speed * speed_scale)
    return std::nullopt;
  for (std::size_t pattern = 1; pattern <= longest_pattern; ++pattern) {
    const auto ratio = contraction(pattern);
    if (!ratio) continue;
    const std::size_t n = impacts_.size();
    const double last = impacts_[n - 1].t - impacts_[n - 1 - pattern].t;
    Completion completion{impacts_[n - 1].t + last * *ratio / (1.0 - *ratio), *ratio, {}};
    for (std::size_t i = n - pattern; i < n; ++i)
      for (const int c : impacts_[i].contacts) completion.contacts.push_back(c);
    std::sort(completion.contacts.begin(), completion.contacts.end());
    completion.contacts.erase(std::unique(completion.contacts.begin(), completion.contacts.end()),
                              completion.contacts.end());
    return completion;
  }
  return std::nullopt;
}

}  // namespace clack
