// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/planar_march.hpp"

#include <limits>

#include "clack/impact/energetic_tolerances.hpp"

namespace clack {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The march of one event; see march_event.
class Marcher {
 public:
  Marcher(const Delassus& delassus, const std::vector<ContactMaterial>& materials,
          const PlanarEvent& event, MarchWorkspace& work)
      : delassus_(delassus),
        materials_(materials),
        event_(event),
        work_(work),
        c_(delassus.contacts),
        n_(static_cast<int>(event.members.size())),
        slowest_slip_(energetic_tolerances.slip * event.reference_speed) {}

  EventMarch march(const Eigen::VectorXd& motion) {
    work_.motion = motion;
    work_.segment_count = 0;
    work_.pulled.clear();
    set_first_states();
    if (!choose_states()) return out_;
    double normal_work = 0.0;
    for (int k = 0; k < energetic_tolerances.segments; ++k) {
      MarchSegment& segment = begin_segment(normal_work);
      if (k == 0 && !(segment.slope < 0.0)) return ended(MarchEnd::no_compression);
      const double stop = first_stop(segment);
      if (stop == never && segment.slope == 0.0 && segment.curve == 0.0) {
        out_.is_locked = true;
        return finished();
      }
      const double end = event_.restitution >= 0.0 ? end_of_event(segment, stop)
                                                   : end_of_compression(segment, stop);
      if (end <= stop && end < never) {
        segment.length = end;
        if (event_.restitution < 0.0) cut_short();
        return finished();
      }
      if (stop == never) return ended(MarchEnd::no_end);
      advance(segment, stop);
      normal_work = work_at(segment, stop);
      if (!choose_states()) return out_;
    }
    return ended(MarchEnd::no_state);
  }

 private:
  double tangent(int i) const { return work_.motion[c_ + event_.members[i]]; }
  std::vector<SlipState>& states() { return work_.question.states; }
  EventMarch ended(MarchEnd end) {
    out_.end = end;
    return out_;
  }

  // 1. Slip states.

  void set_first_states() {
    DirectionQuestion& question = work_.question;
    question.delassus = &delassus_;
    question.materials = &materials_;
    question.members = event_.members;
    question.closure = event_.closure;
    if (question.ratios.size() < n_) question.ratios.resize(n_);
    question.ratios.head(n_).setOnes();
    question.states.resize(n_);
    for (int i = 0; i < n_; ++i) {
      const bool is_rough = materials_[event_.members[i]].static_friction > 0.0;
      states()[i] = !is_rough                                 ? SlipState::frictionless
                    : !(std::abs(tangent(i)) > slowest_slip_) ? SlipState::stick
                    : tangent(i) > 0.0                        ? SlipState::forward
                                                              : SlipState::backward;
    }
  }

  /// States of the points at rest, and the direction that goes with them; false: out_ says why not.
  bool choose_states() {
    work_.resting.clear();
    for (int i = 0; i < n_; ++i)
      if (states()[i] == SlipState::stick) work_.resting.push_back(i);
    if (work_.resting.empty()) return take_only_state();
    const int resting = static_cast<int>(work_.resting.size());
    const bool counts_all = resting <= energetic_tolerances.counted_transitions;
    tried_ = found_ = 0;
    for (int sticking = resting; sticking >= 0 && (counts_all || found_ == 0); --sticking) {
      tried_sticking_ = sticking;
      try_states(0, sticking);
    }
    if (found_ == 0) {
      out_.end = MarchEnd::no_state;
      return false;
    }
    out_.states_counted = std::max(out_.states_counted, found_);
    out_.is_count_complete = out_.is_count_complete && counts_all;
    for (int k = 0; k < resting; ++k) states()[work_.resting[k]] = work_.chosen[k];
    return true;
  }

  /// Every point slips or is frictionless: nothing to choose.
  bool take_only_state() {
    if (!find_direction(work_.question, work_.chosen_direction)) {
      out_.end = MarchEnd::no_state;
      return false;
    }
    const double least = -energetic_tolerances.tension * largest_normal(work_.chosen_direction);
    for (int i = 0; i < n_; ++i) {
      const double x = work_.chosen_direction[event_.members[i]];
      if (x >= least) continue;
      work_.pulled.push_back(i);
      out_.pull = std::min(out_.pull, x);
    }
    if (!work_.pulled.empty()) {
      out_.end = MarchEnd::tension;
      return false;
    }
    move(work_.chosen_direction, work_.chosen_change);
    return true;
  }

  /// All states of the resting points from number k on with so many of them sticking, in the order
  /// stick, forward, backward. Of the admissible ones with most sticking points the one is kept that
  /// changes the motion least, in the kinetic norm |D^T x|: that is so in every frame and for
  /// tangents the other way round. Of equals (symmetric scenes) the first.
  void try_states(int k, int sticking) {
    const int resting = static_cast<int>(work_.resting.size());
    if (tried_ >= energetic_tolerances.tried_states) return;
    if (k == resting) {
      ++tried_;
      if (!is_admissible()) return;
      ++found_;
      const double size = work_.state_change.norm();
      const bool is_less =
          chosen_size_ - size > energetic_tolerances.equal_change * terms_of(work_.direction);
      if (found_ > 1 && !(tried_sticking_ == chosen_sticking_ && is_less)) return;
      chosen_sticking_ = tried_sticking_;
      chosen_size_ = size;
      work_.chosen.resize(resting);
      for (int i = 0; i < resting; ++i) work_.chosen[i] = states()[work_.resting[i]];
      std::swap(work_.direction, work_.chosen_direction);
      std::swap(work_.change, work_.chosen_change);
      return;
    }
    SlipState& state = states()[work_.resting[k]];
    if (sticking > 0) {
      state = SlipState::stick;
      try_states(k + 1, sticking - 1);
    }
    if (sticking < resting - k)
      for (const SlipState slip : {SlipState::forward, SlipState::backward}) {
        state = slip;
        try_states(k + 1, sticking);
      }
    state = SlipState::stick;
  }

  /// G x as D (D^T x): impulses that nearly balance each other keep the digits of what they move,
  /// and x . G x is the square that the kinetic energy changes by.
  void move(const Eigen::VectorXd& direction, Eigen::VectorXd& change) {
    work_.state_change.noalias() = delassus_.reduced_rows.transpose() * direction;
    change.noalias() = delassus_.reduced_rows * work_.state_change;
  }

  /// What |D^T x| is when no impulse balances another.
  double terms_of(const Eigen::VectorXd& direction) const {
    return direction.cwiseAbs().dot(delassus_.matrix.diagonal().cwiseSqrt());
  }

  double largest_normal(const Eigen::VectorXd& direction) const {
    return direction.head(c_).lpNorm<Eigen::Infinity>();
  }

  bool is_admissible() {
    if (!find_direction(work_.question, work_.direction)) return false;
    const double largest = work_.direction.lpNorm<Eigen::Infinity>();
    for (int i = 0; i < n_; ++i)
      if (work_.direction[event_.members[i]] < -energetic_tolerances.tension * largest)
        return false;
    move(work_.direction, work_.change);
    for (const int i : work_.resting) {
      const int contact = event_.members[i];
      const double normal = work_.direction[contact], friction = work_.direction[c_ + contact];
      if (states()[i] == SlipState::stick) {
        const double bound = materials_[contact].static_friction * normal;
        if (std::abs(friction) > bound + energetic_tolerances.cone * largest) return false;
      } else if (!(static_cast<double>(states()[i]) * work_.change[c_ + contact] > 0.0)) {
        return false;
      }
    }
    return true;
  }

  // 2. Segments.

  MarchSegment& begin_segment(double normal_work) {
    if (work_.segment_count == static_cast<int>(work_.segments.size()))
      work_.segments.emplace_back();
    MarchSegment& s = work_.segments[work_.segment_count++];
    s.direction = work_.chosen_direction;
    s.change = work_.chosen_change;
    s.motion = work_.motion;
    s.states = states();
    s.length = 0.0;
    s.work = normal_work;
    s.slope = s.direction.head(c_).dot(s.motion.head(c_));
    s.curve = 0.5 * s.direction.head(c_).dot(s.change.head(c_));
    const double terms = 0.5 * s.direction.head(c_).cwiseAbs().dot(s.change.head(c_).cwiseAbs());
    if (std::abs(s.curve) <= energetic_tolerances.not_convex * terms) s.curve = 0.0;
    if (is_balanced(s.direction, s.change)) {
      s.change.setZero();
      s.curve = 0.0;
      const double size = s.direction.head(c_).cwiseAbs().sum() * event_.reference_speed;
      if (std::abs(s.slope) <= energetic_tolerances.locked * size) s.slope = 0.0;
    }
    for (int i = 0; i < n_; ++i) work_.question.ratios[i] = s.direction[event_.members[i]];
    return s;
  }

  /// Impulses that move nothing.
  bool is_balanced(const Eigen::VectorXd& direction, const Eigen::VectorXd& change) const {
    double moved = 0.0, terms = 0.0;
    for (int i = 0; i < n_; ++i)
      for (const int row : {event_.members[i], c_ + event_.members[i]}) {
        double sum = 0.0;
        for (int j = 0; j < n_; ++j)
          for (const int column : {event_.members[j], c_ + event_.members[j]})
            sum += std::abs(delassus_.matrix(row, column) * direction[column]);
        terms = std::max(terms, sum);
        moved = std::max(moved, std::abs(change[row]));
      }
    return moved <= energetic_tolerances.locked * terms;
  }

  static double work_at(const MarchSegment& s, double y) {
    return s.work + (s.slope + s.curve * y) * y;
  }

  /// The impulse at which the first slip vanishes.
  double first_stop(const MarchSegment& s) const {
    double first = never;
    for (int i = 0; i < n_; ++i)
      if (is_slowing(s, i)) {
        const int row = c_ + event_.members[i];
        first = std::min(first, -s.motion[row] / s.change[row]);
      }
    return first;
  }
  bool is_slowing(const MarchSegment& s, int i) const {
    const bool is_slipping =
        s.states[i] == SlipState::forward || s.states[i] == SlipState::backward;
    return is_slipping && static_cast<double>(s.states[i]) * s.change[c_ + event_.members[i]] < 0.0;
  }

  /// To the end y of a segment. Slips that vanish there are rests by their state; their rounding
  /// stays in the motion, because large impulses do work on it.
  void advance(MarchSegment& s, double y) {
    s.length = y;
    work_.motion = s.motion + y * s.change;
    for (int i = 0; i < n_; ++i) {
      const int row = c_ + event_.members[i];
      if (!is_slowing(s, i)) continue;
      const double own = -s.motion[row] / s.change[row];
      if (own > y * (1.0 + energetic_tolerances.tie) && std::abs(work_.motion[row]) > slowest_slip_)
        continue;
      states()[i] = SlipState::stick;
    }
    add_friction(s);
  }

  void add_friction(MarchSegment& s) {
    const double y = s.length;
    s.tangential_work =
        y * s.direction.tail(c_).dot(s.motion.tail(c_) + 0.5 * y * s.change.tail(c_));
    out_.tangential_work += s.tangential_work;
    out_.terminal_impulse += y;
  }

  // 3. The end.

  /// e >= 0: where dW/dp >= 0 and W = (1 - e^2) W_c; the lowest work so far is kept up to `stop`.
  double end_of_event(const MarchSegment& s, double stop) {
    const double e = event_.restitution, a = s.curve, b = s.slope;
    double& lowest = out_.compression_work;
    if (b < 0.0) {
      const double bottom = a > 0.0 ? -b / (2.0 * a) : never;
      if (bottom > stop || bottom == never) {
        if (stop < never) lowest = std::min(lowest, work_at(s, stop));
        return never;
      }
      const double least = work_at(s, bottom);
      lowest = std::min(lowest, least);
      return bottom + std::sqrt(std::max(0.0, (1.0 - e * e) * lowest - least) / a);
    }
    const double rise = (1.0 - e * e) * lowest - s.work;
    if (!(rise > 0.0)) return 0.0;
    const double root = b * b + 4.0 * a * rise;
    const double end = root >= 0.0 ? 2.0 * rise / (b + std::sqrt(root)) : never;
    if (!(end <= stop) && stop < never) lowest = std::min(lowest, work_at(s, stop));
    return end;
  }

  /// e < 0: the first minimum of W.
  double end_of_compression(const MarchSegment& s, double stop) {
    if (!(s.slope < 0.0)) {
      out_.compression_work = s.work;
      return 0.0;
    }
    const double bottom = s.curve > 0.0 ? -s.slope / (2.0 * s.curve) : never;
    if (bottom <= stop && bottom < never) out_.compression_work = work_at(s, bottom);
    return bottom;
  }

  /// e < 0: back to the first place on the way down with W = (1 - e^2) W_c.
  void cut_short() {
    const double e = event_.restitution, wanted = (1.0 - e * e) * out_.compression_work;
    out_.tangential_work = out_.terminal_impulse = 0.0;
    for (int k = 0; k < work_.segment_count; ++k) {
      MarchSegment& s = work_.segments[k];
      const double fall = s.work - wanted, root = s.slope * s.slope - 4.0 * s.curve * fall;
      const double end = 2.0 * fall / (-s.slope + std::sqrt(std::max(0.0, root)));
      if (end <= s.length || k + 1 == work_.segment_count) {
        s.length = std::min(end, s.length);
        work_.segment_count = k + 1;
        return;
      }
      add_friction(s);
    }
  }

  EventMarch finished() {
    MarchSegment& s = work_.segments[work_.segment_count - 1];
    work_.motion = s.motion + s.length * s.change;
    add_friction(s);
    out_.normal_work = work_at(s, s.length);
    return out_;
  }

  const Delassus& delassus_;
  const std::vector<ContactMaterial>& materials_;
  const PlanarEvent& event_;
  MarchWorkspace& work_;
  int c_, n_;
  double slowest_slip_;
  int tried_ = 0, found_ = 0;
  int tried_sticking_ = 0, chosen_sticking_ = 0;  // points
  double chosen_size_ = 0.0;                      // |D^T x| of the chosen states
  EventMarch out_;
};

}  // namespace

EventMarch march_event(const Delassus& delassus, const std::vector<ContactMaterial>& materials,
                       const PlanarEvent& event, const Eigen::VectorXd& motion,
                       MarchWorkspace& work) {
  return Marcher(delassus, materials, event, work).march(motion);
}

}  // namespace clack
