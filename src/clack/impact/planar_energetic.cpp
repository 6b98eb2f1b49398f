// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/planar_energetic.hpp"

#include <numeric>

#include "clack/contact/report.hpp"
#include "clack/impact/approach.hpp"
#include "clack/impact/history.hpp"
#include "clack/impact/planar_march.hpp"
#include "clack/impact/reused_result.hpp"

namespace clack {
namespace {

using Eigen::VectorXd;

/// A member that was left out of an event, and why.
struct Dropped {
  int event = 0, contact = 0;
  MarchEnd why = MarchEnd::tension;
  double pull = 0.0;
};

/// One event that took place.
struct PastEvent {
  std::vector<int> members;
  double restitution = 0.0;
  EventMarch march;
  VectorXd impulse;  // 2c, after it
};

/// Memory only: every impact starts afresh.
struct ChainWorkspace {
  Delassus delassus;
  FreeMotion free;
  PlanarPlaces places;
  ClosureRows closure;
  MarchWorkspace march;
  VectorXd motion, impulse;  // 2c, rows as in Delassus
  VectorXd start, momentum;  // n
  std::vector<int> members;
  std::vector<bool> is_member;
  std::vector<PastEvent> events;
  int event_count = 0;
  std::vector<Dropped> dropped;
  // Of the history.
  VectorXd state, state_change, drawn_impulse;
  std::vector<InnerStatus> status;
};

/// The chain of events of one impact.
class EventChain {
 public:
  EventChain(const ImpactProblem& problem, const EnergeticOptions& options, ChainWorkspace& work)
      : problem_(problem), options_(options), work_(work), c_(problem.contacts()) {
    make_delassus(problem, problem.options.rank_cutoff, work.delassus);
    free_velocity(work.delassus, problem, work.free);
    find_places(problem, work.places);
    work.motion = work.free.contact;
    work.impulse.setZero(2 * c_);
    work.event_count = 0;
    work.dropped.clear();
    reference_speed_ = c_ > 0 ? work.motion.lpNorm<Eigen::Infinity>() : 0.0;
    limit_ = approach_limit_of(problem, work.motion, energetic_tolerances.approach);
  }

  /// Until nothing approaches, or the cap.
  SolveStatus run(HistoryWriter* history) {
    const int cap = std::min(options_.max_events, energetic_tolerances.plane_events);
    while (find_members()) {
      if (work_.event_count >= cap) {
        is_cut_ = cap < energetic_tolerances.plane_events;
        return is_cut_ ? SolveStatus::solved : SolveStatus::unfinished;
      }
      const double restitution = coefficient();
      const EventMarch march = march_members(restitution);
      if (march.end != MarchEnd::done) {
        failure_ = march.end;
        return march.end == MarchEnd::no_end ? SolveStatus::none_exists
                                             : SolveStatus::not_converged;
      }
      if (history != nullptr) record(*history);
      keep(restitution, march);
    }
    return SolveStatus::solved;
  }

  void report(SolveStatus status, ImpactResult& result) const;

 private:
  /// Contacts of the next event; false when none approaches.
  bool find_members() {
    int first = -1;
    for (int i = 0; i < c_; ++i)
      if (work_.motion[i] < -limit_ && (first < 0 || work_.motion[i] < work_.motion[first]))
        first = i;
    if (first < 0) return false;
    work_.members.assign(1, first);
    if (!options_.simultaneous) return true;
    work_.is_member.assign(c_, false);
    work_.is_member[first] = true;
    for (std::size_t k = 0; k < work_.members.size(); ++k)
      for (int i = 0; i < c_; ++i) {
        if (work_.is_member[i] || work_.motion[i] > limit_) continue;
        if (!are_connected(work_.places, work_.members[k], i)) continue;
        work_.is_member[i] = true;
        work_.members.push_back(i);
      }
    std::sort(work_.members.begin(), work_.members.end());
    return true;
  }

  double coefficient() const {
    const std::vector<double>& sequence = options_.restitution_sequence;
    if (sequence.empty()) return problem_.materials[work_.members[0]].restitution;
    return sequence[std::min<std::size_t>(work_.event_count, sequence.size() - 1)];
  }

  /// The event, without the members that it cannot have.
  EventMarch march_members(double restitution) {
    for (;;) {
      if (options_.closure_rows.empty())
        close_event(problem_, work_.places, options_.closure, work_.members, work_.closure);
      else
        close_event(options_.closure_rows, work_.members, work_.closure);
      const PlanarEvent event{work_.members, &work_.closure, restitution, reference_speed_};
      const EventMarch march =
          march_event(work_.delassus, problem_.materials, event, work_.motion, work_.march);
      const bool is_final = march.end == MarchEnd::done || march.end == MarchEnd::no_end;
      if (is_final || work_.members.size() == 1) return march;
      drop(march);
    }
  }

  /// Tensile members; otherwise the one with the largest gap rate, the last of equals. One that
  /// approaches stays.
  void drop(const EventMarch& march) {
    const std::vector<int>& members = work_.members;
    int fastest = members[0], slowest = members[0];
    for (const int i : members) {
      if (work_.motion[i] < work_.motion[fastest]) fastest = i;
      if (work_.motion[i] >= work_.motion[slowest]) slowest = i;
    }
    work_.is_member.assign(c_, false);
    if (march.end == MarchEnd::tension)
      for (const int k : work_.march.pulled) work_.is_member[members[k]] = true;
    else
      work_.is_member[slowest] = true;
    const auto stays = [&](int i) { return !work_.is_member[i]; };
    const bool is_hit = std::any_of(members.begin(), members.end(),
                                    [&](int i) { return stays(i) && work_.motion[i] < -limit_; });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < work_.members.size(); ++k) {
      const int i = work_.members[k];
      if (is_hit ? stays(i) : i == fastest)
        work_.members[kept++] = i;
      else
        work_.dropped.push_back({work_.event_count, i, march.end, march.pull});
    }
    work_.members.resize(kept);
  }

  void keep(double restitution, const EventMarch& march) {
    for (int k = 0; k < work_.march.segment_count; ++k) {
      const MarchSegment& segment = work_.march.segments[k];
      work_.impulse += segment.length * segment.direction;
    }
    work_.motion = work_.march.motion;
    if (work_.event_count == static_cast<int>(work_.events.size())) work_.events.emplace_back();
    PastEvent& event = work_.events[work_.event_count++];
    event.members = work_.members;
    event.restitution = restitution;
    event.march = march;
    event.impulse = work_.impulse;
    works_.normal += march.normal_work;
    works_.tangential += march.tangential_work;
    segments_ += work_.march.segment_count;
    states_counted_ = std::max(states_counted_, march.states_counted);
    is_count_complete_ = is_count_complete_ && march.is_count_complete;
  }

  /// Rows of the segments of the event that has just been marched.
  void record(HistoryWriter& history);
  void add_rows(const MarchSegment& segment, double begin, HistoryWriter& history);
  void report_flags(SolveStatus status, ImpactResult& result) const;
  void report_dropped(ImpactResult& result) const;
  std::string names_of(const std::vector<int>& contacts) const {
    std::string names;
    for (const int i : contacts) names += (names.empty() ? "" : ", ") + problem_.names[i];
    return names;
  }

  const ImpactProblem& problem_;
  const EnergeticOptions& options_;
  ChainWorkspace& work_;
  int c_;
  double reference_speed_ = 0.0, limit_ = 0.0;
  bool is_cut_ = false;
  MarchEnd failure_ = MarchEnd::done;
  MarchedWorks works_;
  int segments_ = 0, states_counted_ = 1;
  bool is_count_complete_ = true;
};

void EventChain::record(HistoryWriter& history) {
  work_.drawn_impulse = work_.impulse;
  double begin = 0.0;
  for (int k = 0; k < work_.march.segment_count; ++k) {
    const MarchSegment& segment = work_.march.segments[k];
    add_rows(segment, begin, history);
    work_.drawn_impulse += segment.length * segment.direction;
    begin += segment.length;
  }
}

void EventChain::add_rows(const MarchSegment& segment, double begin, HistoryWriter& history) {
  work_.status.assign(c_, InnerStatus::idle);
  for (std::size_t k = 0; k < work_.members.size(); ++k) {
    const int i = work_.members[k];
    const bool is_at_rest =
        segment.states[k] == SlipState::stick ||
        (segment.states[k] == SlipState::frictionless &&
         std::abs(segment.motion[c_ + i]) <= energetic_tolerances.slip * reference_speed_);
    work_.status[i] = is_at_rest ? InnerStatus::stick : InnerStatus::slip;
  }
  work_.state = work_.free.state;
  work_.state.noalias() += work_.delassus.reduced_rows.transpose() * work_.drawn_impulse;
  work_.state_change.noalias() = work_.delassus.reduced_rows.transpose() * segment.direction;
  const double kinetic = 0.5 * work_.state.squaredNorm();
  const double slope = work_.state.dot(work_.state_change);
  const double curve = 0.5 * work_.state_change.squaredNorm();
  constexpr int last = HistoryWriter::rows_per_stretch - 1;
  // The row nearest to the end of compression stands exactly there.
  const double bottom = segment.slope < 0.0 && segment.curve > 0.0
                            ? -segment.slope / (2.0 * segment.curve) / segment.length * last
                            : -1.0;
  for (int k = 0; k <= last; ++k) {
    const bool is_bottom = k > 0 && k < last && std::abs(bottom - k) <= 0.5;
    const double y = segment.length * (is_bottom ? bottom : k) / last;
    double* out = history.next_row();
    *out++ = work_.event_count;
    *out++ = begin + y;
    *out++ = segment.work + (segment.slope + segment.curve * y) * y;
    *out++ = kinetic + (slope + curve * y) * y;
    for (int i = 0; i < c_; ++i) {
      *out++ = work_.drawn_impulse[i] + y * segment.direction[i];
      *out++ = work_.drawn_impulse[c_ + i] + y * segment.direction[c_ + i];
      *out++ = segment.motion[i] + y * segment.change[i];
      *out++ = segment.motion[c_ + i] + y * segment.change[c_ + i];
      *out++ = static_cast<double>(work_.status[i]);
    }
  }
}

void EventChain::report_dropped(ImpactResult& result) const {
  for (const Dropped& drop : work_.dropped) {
    add_flag(result.flags, "points-dropped");
    if (drop.why == MarchEnd::tension) add_flag(result.flags, "tension");
    const char* why = drop.why == MarchEnd::no_compression
                          ? "its event would not compress"
                          : "no slip state of its event is admissible";
    result.notes.push_back(
        drop.why == MarchEnd::tension
            ? fmt::format("event {}: contact {} was left out, the closure asks for tension "
                          "(direction {:.6g})",
                          drop.event + 1, problem_.names[drop.contact], drop.pull)
            : fmt::format("event {}: contact {} was left out, {}", drop.event + 1,
                          problem_.names[drop.contact], why));
  }
}

void EventChain::report_flags(SolveStatus status, ImpactResult& result) const {
  report_dropped(result);
  if (states_counted_ > 1) {
    add_flag(result.flags, "several-slip-states");
    result.notes.push_back(fmt::format(
        "{}{} slip states were admissible at one instant; the one with most sticking points counts",
        is_count_complete_ ? "" : "at least ", states_counted_));
  }
  for (int k = 0; k < work_.event_count; ++k) {
    if (!work_.events[k].march.is_locked) continue;
    add_flag(result.flags, "locked");
    result.notes.push_back(
        fmt::format("event {}: the impulses at {} balance each other; no work is given back", k + 1,
                    names_of(work_.events[k].members)));
  }
  if (is_cut_) {
    const double approach = std::max(0.0, -problem_.gap_rates(result.velocity).minCoeff());
    add_flag(result.flags, "chain-cut");
    result.notes.push_back(
        fmt::format("the chain was cut after {} events; contacts still approach with {:.6g} m/s",
                    work_.event_count, approach));
  }
  if (status == SolveStatus::unfinished) add_flag(result.flags, "chain-unfinished");
  if (status == SolveStatus::none_exists) {
    add_flag(result.flags, "no-solution");
    result.notes.insert(result.notes.begin(),
                        fmt::format("event {}: compression does not end (the work of the normal "
                                    "impulses at {} falls for ever)",
                                    work_.event_count + 1, names_of(work_.members)));
  }
  if (status == SolveStatus::not_converged) {
    add_flag(result.flags, "not-converged");
    result.notes.insert(result.notes.begin(),
                        fmt::format("event {}: no admissible slip state at {}",
                                    work_.event_count + 1, names_of(work_.members)));
  }
}

void EventChain::report(SolveStatus status, ImpactResult& result) const {
  result.status = status;
  apply_impulses(problem_, work_.delassus, work_.free, work_.impulse, result);
  const bool has_jump = problem_.bilateral.rows() > 0 || problem_.external_impulse.size() > 0;
  if (has_jump) work_.start = motion_under(work_.delassus, work_.free, VectorXd::Zero(2 * c_));
  if (!has_jump && work_.event_count == 0) result.velocity = problem_.velocity;  // to the last bit
  complete_marched_impact(problem_, has_jump ? work_.start : problem_.velocity, works_, result);
  const double energy = std::max(result.energy_before, result.energy_after);
  if (energy > 0.0)
    result.certificate.residual =
        std::abs(result.energy_after - result.energy_before - result.normal_work -
                 result.tangential_work - result.joint_work) /
        energy;
  result.iterations = segments_;
  result.events.resize(work_.event_count);
  for (int k = 0; k < work_.event_count; ++k) {
    const PastEvent& past = work_.events[k];
    ImpactEvent& event = result.events[k];
    event.contacts = past.members;
    event.restitution = past.restitution;
    event.normal_work = past.march.normal_work;
    event.compression_work = past.march.compression_work;
    event.tangential_work = past.march.tangential_work;
    event.terminal_impulse = past.march.terminal_impulse;
    event.velocity = work_.free.state;
    event.velocity.noalias() += work_.delassus.reduced_rows.transpose() * past.impulse;
    work_.delassus.mass.matrixU().solveInPlace(event.velocity);
    work_.momentum.noalias() = problem_.mass_matrix * event.velocity;
    event.energy_after = 0.5 * event.velocity.dot(work_.momentum);
  }
  report_flags(status, result);
}

}  // namespace

void resolve_planar_energetic(const ImpactProblem& problem, const EnergeticOptions& options,
                              ImpactResult& result) {
  static thread_local ChainWorkspace workspace;
  begin_again(result);
  EventChain chain(problem, options, workspace);
  std::optional<HistoryWriter> history;
  if (problem.options.record_history) history.emplace(problem, "impulse", result.history);
  const SolveStatus status = chain.run(history ? &*history : nullptr);
  chain.report(status, result);
}

}  // namespace clack
