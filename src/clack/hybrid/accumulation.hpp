// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <optional>
#include <vector>

#include "clack/hybrid/contact_set.hpp"
#include "clack/model/model.hpp"

namespace clack {

/// One impact instant, as an accumulation remembers it.
struct Knock {
  double t = 0.0;  // s
  ContactSet contacts = {};
  double speed = 0.0;  // the largest approach in it, in parts of its contact's speed scale
  double loss = 0.0;   // of kinetic energy, J
  std::vector<double> slip = {};  // per contact, after it, in the same parts
  bool is_completion = false;     // stands for a completed accumulation
};

/// Accumulating impacts (Zeno), recognised by contraction.
///
/// Impacts whose contacts repeat in a pattern of p (1: a bouncing ball, 2: a rocking pair, ...)
/// have durations D_k = t_k - t_(k-p). When the last durations shrink by nearly the same ratio r <
/// 1 and *every* impact of the pattern is slow against the speed scale and slower than the one a pattern
/// before, the rest of the geometric series is summed:
///
///   t_infinity = t_k + D_k r / (1 - r)                    (bouncing ball: r = e)
///   energy     = L_k r² / (1 - r²)                        L_k: lost in the last pattern
///
/// The energy is what the remaining impacts would take away. A slip that shrinks with the pattern vanishes
/// with it.
///
/// Many contacts can also chatter for ever: each small impact kicks a neighbour, and what gravity
/// feeds in, restitution takes out. When `chatter` impacts in a row are that small and nothing
/// contracts, the contacts of the last ones are closed where they are (ratio 1).
///
/// A plain value: a copy remembers the same impacts.
class Accumulation {
 public:
  explicit Accumulation(const Tolerances& tolerances) : tolerances_(tolerances) {}

  struct Completion {
    double time = 0.0;    // t_infinity, s
    double ratio = 0.0;   // r; 1: chatter
    double energy = 0.0;  // of the accumulating motion, J
    ContactSet contacts;  // that are closed there
    ContactSet at_rest;   // of these, whose slip vanishes as well
  };

  void add(Knock knock);
  /// The impacts of a completed accumulation become one entry, so that accumulations that
  /// accumulate themselves (a corner that bounces to rest between the knocks of a rocking block)
  /// are recognised as well.
  void collapse(const Completion& completion);
  std::optional<Completion> completed() const;
  /// Whether a contact has taken part in `chatter` of the remembered impacts below `zeno_speed`.
  bool rattles(const ContactKey& contact) const;
  /// Whether any can: there were as many.
  bool has_chattered() const;
  /// Whether the latest impact was one of these.
  bool is_slow() const { return !impacts_.empty() && is_slow(impacts_.back()); }
  /// What it remembers, to be given to another one later.
  const std::deque<Knock>& impacts() const { return impacts_; }
  void remember(std::deque<Knock> impacts) { impacts_ = std::move(impacts); }
  /// A contact goes on under another name (at the end of an edge): its impacts were those of the other.
  void hand_over(const ContactKey& from, const ContactKey& to);

 private:
  std::optional<double> contraction(int pattern, double speed_limit) const;
  bool is_chatter() const;
  bool is_slow(const Knock& knock) const {
    return knock.speed <= tolerances_.zeno_speed && !knock.is_completion;
  }
  ContactSet contacts_of_last(int impacts) const;
  double loss_of_last(int impacts) const;
  /// Slip of a contact after its latest impact that is at least `back` impacts ago.
  double slip_of(const ContactKey& contact, int back) const;
  ContactSet vanishing_slips(const ContactSet& contacts, int pattern, double ratio) const;

  Tolerances tolerances_;
  std::deque<Knock> impacts_;
};

}  // namespace clack
