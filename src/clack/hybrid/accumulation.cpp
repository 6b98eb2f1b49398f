// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/accumulation.hpp"

#include <algorithm>
#include <cmath>

#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

/// Half way between the ratio of an accumulation and none: what shrinks slower does not belong to it.
double slowest_shrinking(double ratio) { return 0.5 * (1.0 + ratio); }

}  // namespace

void Accumulation::add(Knock knock) {
  impacts_.push_back(std::move(knock));
  if (number_of(impacts_) > hybrid_tolerances.remembered_impacts) impacts_.pop_front();
}

void Accumulation::collapse(const Completion& completion) {
  Knock whole{.t = completion.time, .contacts = completion.contacts, .is_completion = true};
  for (const ContactKey& c : completion.contacts)
    whole.slip.push_back(contains(completion.at_rest, c) ? 0.0 : slip_of(c, 0));
  const auto belongs = [&](const Knock& knock) {
    return !knock.is_completion &&
           std::includes(completion.contacts.begin(), completion.contacts.end(),
                         knock.contacts.begin(), knock.contacts.end());
  };
  for (; !impacts_.empty() && belongs(impacts_.back()); impacts_.pop_back()) {
    whole.speed = std::max(whole.speed, impacts_.back().speed);
    whole.loss += impacts_.back().loss;
  }
  impacts_.push_back(std::move(whole));
}

void Accumulation::hand_over(const ContactKey& from, const ContactKey& to) {
  for (Knock& knock : impacts_) {
    if (!contains(knock.contacts, from) || contains(knock.contacts, to)) continue;
    const auto at = std::ranges::lower_bound(knock.contacts, from) - knock.contacts.begin();
    const double slip = knock.slip[at];
    knock.contacts.erase(knock.contacts.begin() + at);
    knock.slip.erase(knock.slip.begin() + at);
    const auto place = std::ranges::lower_bound(knock.contacts, to) - knock.contacts.begin();
    knock.contacts.insert(knock.contacts.begin() + place, to);
    knock.slip.insert(knock.slip.begin() + place, slip);
  }
}

/// Ratio of the last two durations of a pattern when it repeats and contracts steadily, every impact of it.
std::optional<double> Accumulation::contraction(int pattern, double speed_limit) const {
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
  for (int i = n - pattern; i < n; ++i)
    if (!(impacts_[i].speed <= speed_limit) ||
        !(impacts_[i].speed <= slowest_shrinking(ratio) * impacts_[i - pattern].speed))
      return std::nullopt;
  return ratio;
}

bool Accumulation::is_chatter() const {
  const std::size_t wanted = tolerances_.chatter;
  if (impacts_.size() < wanted) return false;
  return std::all_of(impacts_.end() - tolerances_.chatter, impacts_.end(),
                     [&](const Knock& k) { return is_slow(k); });
}

bool Accumulation::has_chattered() const {
  const auto slow = std::ranges::count_if(impacts_, [&](const Knock& k) { return is_slow(k); });
  return slow >= tolerances_.chatter;
}

bool Accumulation::rattles(const ContactKey& contact) const {
  int slow = 0;
  for (auto knock = impacts_.rbegin(); knock != impacts_.rend(); ++knock)
    if (is_slow(*knock) && contains(knock->contacts, contact) && ++slow >= tolerances_.chatter)
      return true;
  return false;
}

ContactSet Accumulation::contacts_of_last(int impacts) const {
  ContactSet contacts;
  for (auto i = impacts_.end() - impacts; i != impacts_.end(); ++i)
    contacts = united(contacts, i->contacts);
  return contacts;
}

double Accumulation::loss_of_last(int impacts) const {
  double loss = 0.0;
  for (auto i = impacts_.end() - impacts; i != impacts_.end(); ++i) loss += i->loss;
  return loss;
}

double Accumulation::slip_of(const ContactKey& contact, int back) const {
  for (int i = number_of(impacts_) - 1 - back; i >= 0; --i) {
    const ContactSet& contacts = impacts_[i].contacts;
    const auto at = std::ranges::lower_bound(contacts, contact);
    if (at != contacts.end() && *at == contact) return impacts_[i].slip[at - contacts.begin()];
  }
  return std::numeric_limits<double>::infinity();
}

/// Contacts whose slip shrinks with the pattern, or is none already.
ContactSet Accumulation::vanishing_slips(const ContactSet& contacts, int pattern,
                                         double ratio) const {
  const double none = tolerances_.slip, shrinking = slowest_shrinking(ratio);
  ContactSet found;
  for (const ContactKey& c : contacts) {
    const double now = slip_of(c, 0), before = slip_of(c, pattern), first = slip_of(c, 2 * pattern);
    if (now <= none || (now <= shrinking * before && before <= shrinking * first))
      found.push_back(c);
  }
  return found;
}

std::optional<Accumulation::Completion> Accumulation::completed() const {
  const double speed_limit = tolerances_.zeno_speed;
  if (impacts_.empty() || impacts_.back().speed > speed_limit) return std::nullopt;
  for (int pattern = 1; pattern <= hybrid_tolerances.longest_pattern; ++pattern) {
    const auto ratio = contraction(pattern, speed_limit);
    if (!ratio) continue;
    const int n = number_of(impacts_);
    const double r = *ratio, last = impacts_[n - 1].t - impacts_[n - 1 - pattern].t;
    const ContactSet contacts = contacts_of_last(pattern);
    return Completion{.time = impacts_[n - 1].t + last * r / (1.0 - r),
                      .ratio = r,
                      .energy = loss_of_last(pattern) * r * r / (1.0 - r * r),
                      .contacts = contacts,
                      .at_rest = vanishing_slips(contacts, pattern, r)};
  }
  if (!is_chatter()) return std::nullopt;
  const int last = 2 * hybrid_tolerances.longest_pattern;
  Completion chatter{.time = impacts_.back().t,
                     .ratio = 1.0,
                     .energy = loss_of_last(tolerances_.chatter),
                     .contacts = contacts_of_last(last),
                     .at_rest = {}};
  for (const ContactKey& c : chatter.contacts)
    if (slip_of(c, 0) <= speed_limit) chatter.at_rest.push_back(c);
  return chatter;
}

}  // namespace clack
