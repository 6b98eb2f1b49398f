// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/lzb_march.hpp"

#include "clack/impact/history.hpp"
#include "clack/impact/lzb_friction.hpp"
#include "clack/impact/lzb_guards.hpp"
#include "clack/impact/lzb_tolerances.hpp"

namespace clack {

using Eigen::VectorXd;

class LzbMarch::Phases {
 public:
  Phases()
      : phase_(system_),
        guards_(system_, phase_),
        grips_(system_),
        integrator_(
            make_integrator("dop853", {.relative_tolerance = lzb_tolerances.integration,
                                       .absolute_tolerance = lzb_tolerances.integration_floor,
                                       .step_limit = lzb_tolerances.steps})) {}

  LzbSystem& system() { return system_; }

  const LzbOutcome& run(double kinetic_energy, bool records) {
    begin(kinetic_energy, records);
    for (out_.phases = 0; out_.phases < lzb_tolerances.phases; ++out_.phases) {
      begin_phase();
      if (is_over()) {
        out_.end = LzbEnd::finished;
        break;
      }
      if (is_locked_) {
        out_.end = LzbEnd::locked;
        break;
      }
      if (out_.evaluations > lzb_tolerances.evaluations || !integrate_phase()) {
        out_.end = is_spent() ? LzbEnd::finished : LzbEnd::failed;
        break;
      }
    }
    for (int i = 0; i < system_.contacts; ++i) {
      book(i);
      out_.normal_work += engagements_[i].normal_work;
    }
    for (const LzbEngagement& done : out_.engagements) out_.normal_work += done.normal_work;
    return out_;
  }

 private:
  void begin(double kinetic_energy, bool records) {
    least_energy_ = lzb_tolerances.energy * kinetic_energy;
    records_ = records;
    phase_.resize();
    const int c = system_.contacts;
    states_.assign(c, {});
    engagements_.assign(c, {});
    for (VectorXd* vector : {&stored_mark_, &normal_force_, &load_, &out_.state.compression})
      vector->setZero(c);
    for (std::vector<bool>* facts : {&is_stopped_, &must_slip_, &at_rest_}) facts->assign(c, false);
    motion_ = system_.start;
    for (VectorXd* vector :
         {&stick_force_, &acceleration_, &slip_, &slip_impulse_, &out_.state.impulse})
      vector->setZero(system_.rows());
    y_.resize(phase_.size());
    rate_.resize(phase_.size());
    time_ = 0.0;
    step_ = lzb_tolerances.first_step;
    is_decided_ = true;
    is_locked_ = false;
    out_.end = LzbEnd::unfinished;
    out_.state.tangential_work = out_.normal_work = 0.0;
    out_.phases = 0;
    out_.evaluations = 0;
    out_.engagements.clear();
    out_.samples.clear();
  }

  double stored(int i) const { return system_.stored(i, out_.state.compression[i]); }

  bool is_over() const {
    for (int i = 0; i < system_.contacts; ++i)
      if (motion_[i] < -system_.approach || stored(i) > least_energy_) return false;
    return true;
  }

  /// What is stored moves nothing by more than an approach that is none. Speeds are rounding then, and
  /// an integrator may find no way through them.
  bool is_spent() const {
    for (int i = 0; i < system_.contacts; ++i)
      if (motion_[i] < -system_.approach || stored(i) > 0.5 * system_.approach * system_.approach)
        return false;
    return true;
  }

  /// Work since the load of contact i changed last: dE = -v dP, except when unloading `bi`.
  void book(int i) {
    const LzbContactState& state = states_[i];
    if (state.load == Load::idle) return;
    const double energy = stored(i), e = system_.restitution[i];
    const bool gives_less = state.load == Load::expanding && system_.unloading == Unloading::bi;
    const double work = (stored_mark_[i] - energy) * (gives_less ? e * e : 1.0);
    engagements_[i].normal_work += work;
    if (state.load == Load::compressing) engagements_[i].compression_work += work;
    stored_mark_[i] = energy;
  }

  void engage(int i) {
    states_[i] = {.load = Load::compressing};
    out_.state.compression[i] = stored_mark_[i] = 0.0;
    engagements_[i] = {.contact = i,
                       .impulse = -out_.state.impulse[i],
                       .tangential_work = -out_.state.tangential_work};
  }

  void disengage(int i) {
    book(i);
    LzbEngagement& done = engagements_[i];
    if (-done.compression_work > least_energy_) {
      done.impulse += out_.state.impulse[i];
      done.tangential_work += out_.state.tangential_work;
      out_.engagements.push_back(done);
      if (out_.impulses.size() < out_.engagements.size()) out_.impulses.emplace_back();
      out_.impulses[out_.engagements.size() - 1] = out_.state.impulse;
    } else {
      out_.normal_work += done.normal_work;
    }
    states_[i] = {};
    engagements_[i] = {};
    out_.state.compression[i] = stored_mark_[i] = 0.0;
  }

  /// End of compression: from here the contact gives back.
  void expand(int i) {
    const double e = system_.restitution[i], d = out_.state.compression[i];
    if (e == 0.0 || !(stored(i) > least_energy_)) return disengage(i);
    book(i);
    states_[i].load = Load::expanding;
    states_[i].end = system_.unloading == Unloading::bi
                         ? 0.0
                         : d * std::pow((1.0 - e) * (1.0 + e), 1.0 / (system_.eta + 1.0));
  }

  void apply(const std::vector<LzbGuard>& events) {
    is_stopped_.assign(system_.contacts, false);
    must_slip_.assign(system_.contacts, false);
    for (const LzbGuard& event : events)
      if (event.kind == LzbGuard::Kind::end) disengage(event.contact);
    for (const LzbGuard& event : events) {
      const int i = event.contact;
      switch (event.kind) {
        case LzbGuard::Kind::end:
          break;
        case LzbGuard::Kind::start:
          engage(i);
          break;
        case LzbGuard::Kind::turn:
          if (states_[i].load == Load::compressing) {
            expand(i);
          } else if (states_[i].load == Load::expanding) {
            book(i);
            states_[i].load = Load::compressing;
          }
          break;
        case LzbGuard::Kind::stop:
          is_stopped_[i] = states_[i].load != Load::idle;
          break;
        case LzbGuard::Kind::reserve:
          must_slip_[i] = states_[i].load != Load::idle;
          break;
      }
    }
  }

  /// Slips that have stopped are brought to zero by the small impulse that is missing.
  void finish_slips() {
    const int k = system_.tangents;
    stopped_.clear();
    for (int i = 0; i < system_.contacts; ++i)
      if (at_rest_[i] && states_[i].load != Load::idle) stopped_.push_back(i);
    if (stopped_.empty()) return;
    const auto contacts = static_cast<Eigen::Index>(stopped_.size()), rows = contacts * k;
    gather_tangents(system_, stopped_, stopped_, stopped_own_);
    for (Eigen::Index n = 0; n < contacts; ++n)
      slip_.segment(n * k, k) = motion_.segment(system_.tangent_row[stopped_[n]], k);
    stick_.factor(stopped_own_.topLeftCorner(rows, rows), k);
    load_.setOnes();
    stick_.forces(slip_.head(rows), load_.head(contacts), slip_impulse_.head(rows));
    for (Eigen::Index n = 0; n < contacts; ++n)
      out_.state.impulse.segment(system_.tangent_row[stopped_[n]], k) +=
          slip_impulse_.segment(n * k, k);
    motion_ = system_.start;
    motion_.noalias() += system_.G * out_.state.impulse;
    for (const int i : stopped_) motion_.segment(system_.tangent_row[i], k).setZero();
  }

  void begin_phase() {
    const int k = system_.tangents;
    motion_ = system_.start;
    motion_.noalias() += system_.G * out_.state.impulse;
    at_rest_.assign(system_.contacts, false);
    bool has_stopped = false;
    for (int i = 0; i < system_.contacts; ++i) {
      if (!system_.has_friction(i)) continue;
      const double slip = motion_.segment(system_.tangent_row[i], k).norm();
      at_rest_[i] =
          states_[i].grip == Grip::sticking || is_stopped_[i] || slip <= system_.slip_zero;
      has_stopped = has_stopped || (is_stopped_[i] && slip > 0.0);
    }
    if (has_stopped) finish_slips();
    for (int i = 0; i < system_.contacts; ++i) {
      if (states_[i].load == Load::idle && motion_[i] <= lzb_tolerances.zero) engage(i);
      if (at_rest_[i]) motion_.segment(system_.tangent_row[i], k).setZero();
    }
    decide();
  }

  /// Compressions that stand for the forces right after now: at the very start, where all are zero,
  /// those of a moment later, d_i ~ max(-v_i, 0).
  void find_load() {
    const VectorXd& d = out_.state.compression;
    load_ = d;
    for (int i = 0; i < system_.contacts; ++i)
      if (stored(i) > 0.0) return;
    load_ = (-motion_.head(system_.contacts)).cwiseMax(0.0);
  }

  void decide() {
    find_load();
    for (int i = 0; i < system_.contacts; ++i) normal_force_[i] = system_.force(i, load_[i]);
    is_decided_ =
        grips_.decide({motion_, normal_force_, at_rest_, must_slip_, stick_force_}, states_);
    phase_.begin(states_, motion_, out_.state.compression);
    phase_.start(load_, time_, y_);
    // A contact at rest without force that the others are about to open takes no part.
    phase_.evaluate(y_.data(), rate_.data());
    acceleration_.noalias() = system_.G * phase_.force();
    bool has_changed = false;
    for (int i = 0; i < system_.contacts; ++i) {
      const bool is_untouched = states_[i].load == Load::compressing &&
                                out_.state.compression[i] == 0.0 &&
                                std::abs(motion_[i]) <= lzb_tolerances.zero;
      if (!is_untouched || !(acceleration_[i] > lzb_tolerances.zero)) continue;
      states_[i] = {};
      has_changed = true;
    }
    if (has_changed) phase_.begin(states_, motion_, out_.state.compression);
    is_locked_ = holds_still();
  }

  /// Loaded contacts that neither move nor are about to: a corner locked by friction.
  bool holds_still() const {
    bool is_loaded = false;
    for (int i = 0; i < system_.contacts; ++i) {
      if (motion_[i] < -system_.approach) return false;
      if (!(stored(i) > least_energy_)) continue;
      const double terms = system_.G.row(i).cwiseAbs().dot(phase_.force().cwiseAbs().transpose());
      if (std::abs(motion_[i]) > lzb_tolerances.locked ||
          std::abs(acceleration_[i]) > lzb_tolerances.slip_acceleration * terms)
        return false;
      is_loaded = true;
    }
    return is_loaded;
  }

  /// At the start of a phase, at ends of steps that moved on, and in its last step as often as is
  /// missing to the rows that a stretch has.
  void record(double from, double to, bool is_last) {
    constexpr double least = 0.02;  // of impact time, which is of the order 1
    const int ended = static_cast<int>(out_.engagements.size());
    const bool is_first = out_.samples.empty() || out_.samples.back().phase != out_.phases;
    if (is_first) phase_rows_ = 0;
    integrator_->dense(to, {y_.data(), static_cast<std::size_t>(y_.size())});
    if (!is_first && !is_last && phase_.impact_time(y_) - out_.samples.back().time < least) return;
    const int rows = is_last ? std::max(HistoryWriter::rows_per_stretch - 1 - phase_rows_, 1) : 1;
    phase_rows_ += rows;
    for (int n = is_first ? 0 : 1; n <= rows; ++n) {
      const double s = n == rows ? to : from + (to - from) * n / rows;
      integrator_->dense(s, {y_.data(), static_cast<std::size_t>(y_.size())});
      LzbSample sample{.time = phase_.impact_time(y_), .phase = out_.phases, .ended = ended};
      sample.tangential_work = out_.state.tangential_work + phase_.tangential_work(y_);
      sample.impulse = out_.state.impulse + y_.head(system_.rows());
      sample.compression.resize(system_.contacts);
      for (int i = 0; i < system_.contacts; ++i)
        sample.compression[i] = std::max(0.0, phase_.compression(y_.data(), i));
      for (const LzbContactState& state : states_) {
        sample.grips.push_back(state.grip);
        sample.loads.push_back(state.load);
      }
      out_.samples.push_back(std::move(sample));
    }
  }

  /// The state at an event inside the last step, by a step that ends there: dense output is good for
  /// finding the instant, the state itself keeps the accuracy of a step.
  bool arrive(double event) {
    out_.evaluations += integrator_->counts().evaluations;
    const std::span<const double> before = integrator_->state_before();
    std::copy(before.begin(), before.end(), y_.data());
    restart(integrator_->time_before(), event - integrator_->time_before());
    while (integrator_->time() < event)
      if (integrator_->step(event) != StepStatus::ok) return false;
    const std::span<const double> state = integrator_->state();
    std::copy(state.begin(), state.end(), y_.data());
    return true;
  }

  void restart(double time, double first_step) {
    const RightHandSide right{[](void* phase, double, const double* y, double* dydt) {
                                static_cast<LzbPhase*>(phase)->evaluate(y, dydt);
                              },
                              &phase_};
    integrator_->reset(right, time, {y_.data(), static_cast<std::size_t>(y_.size())}, first_step);
  }

  bool integrate_phase() {
    if (!is_decided_) return false;
    phase_.start(out_.state.compression, time_, y_);
    guards_.begin(states_, y_.data());
    restart(0.0, 0.0);
    integrator_->suggest_step(phase_.step_of(step_));
    const double longest = lzb_tolerances.longest;
    while (integrator_->step(longest) == StepStatus::ok && integrator_->time() < longest) {
      const std::optional<double> event = guards_.first_event(*integrator_);
      const double until = event.value_or(integrator_->time());
      if (records_) record(integrator_->time_before(), until, event.has_value());
      if (!event) {
        guards_.pass(*integrator_);
        step_ =
            std::clamp(integrator_->next_step() * phase_.pace(), lzb_tolerances.first_step, 10.0);
        continue;
      }
      const std::vector<LzbGuard>& events = guards_.events_at(*integrator_, *event);
      stick_force_ = phase_.force();
      if (!arrive(*event)) return false;
      out_.state.impulse += y_.head(system_.rows());
      for (int i = 0; i < system_.contacts; ++i)
        out_.state.compression[i] = std::max(0.0, phase_.compression(y_.data(), i));
      out_.state.tangential_work += phase_.tangential_work(y_);
      out_.evaluations += integrator_->counts().evaluations;
      time_ = phase_.impact_time(y_);
      apply(events);
      return true;
    }
    return false;
  }

  LzbSystem system_;
  double least_energy_ = 0.0;
  bool records_ = false;
  LzbPhase phase_;
  LzbGuards guards_;
  LzbGrips grips_;
  StickForces stick_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<LzbContactState> states_;
  std::vector<LzbEngagement> engagements_;  // under way
  std::vector<bool> is_stopped_, must_slip_, at_rest_;
  std::vector<int> stopped_;
  Eigen::MatrixXd stopped_own_;
  VectorXd stored_mark_, normal_force_, load_;                          // contacts
  VectorXd motion_, acceleration_, stick_force_, slip_, slip_impulse_;  // rows
  VectorXd y_, rate_;
  double time_ = 0.0;
  double step_ = lzb_tolerances.first_step;  // impact time, tried by the next phase
  int phase_rows_ = 0;
  bool is_decided_ = true, is_locked_ = false;
  LzbOutcome out_;
};

LzbMarch::LzbMarch() : phases_(std::make_unique<Phases>()) {}
LzbMarch::~LzbMarch() = default;
LzbSystem& LzbMarch::system() { return phases_->system(); }
const LzbOutcome& LzbMarch::march(double kinetic_energy, bool records) {
  return phases_->run(kinetic_energy, records);
}

}  // namespace clack
