// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/domain_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "clack/hybrid/outline_guards.hpp"
#include "clack/hybrid/scales.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/index.hpp"

namespace clack {

std::string BrokenRow::text() const {
  return fmt::format("t = {:.9g} s, {}: the mode is not admissible here", t, what);
}
namespace {

/// Friction coefficients that may be in force at a contact: its own and those of its zones.
std::vector<Coefficients> possible_coefficients(const Contact& contact) {
  std::vector<Coefficients> all = {contact.coefficients};
  for (const Zone& zone : contact.zones) all.push_back(zone.coefficients);
  return all;
}

double largest_static_friction(const Contact& contact) {
  double mu = std::max(0.0, contact.coefficients.static_friction);
  for (const Zone& zone : contact.zones) mu = std::max(mu, zone.coefficients.static_friction);
  return mu;
}

/// One contact at a row: what the trace holds of it, and the rates and slips that it does not hold.
struct ContactState {
  double gap = 0.0, gap_rate = 0.0, normal = 0.0;
  Eigen::VectorXd tangent, slip;
};

/// Rows of a trace, contact by contact: those that the model fixes, and those of pairs that have touched.
class DomainChecker {
 public:
  DomainChecker(const Model& model, const Trace& trace, double tolerance)
      : model_(model), trace_(trace), tolerance_(tolerance), mechanism_(make_mechanism(model)) {
    k_ = mechanism_->tangents();
    nq_ = mechanism_->coordinates();
    n_ = mechanism_->speeds();
    for (int i = 0; i < number_of(trace.contacts); ++i)
      if (const auto key = contact_named(model, trace.contacts[i])) number_[*key] = i;
    for (const auto& [key, number] : number_) all_.contacts.push_back(key);
    evaluator_ = mechanism_->evaluator(all_);
    gaps_.resize(all_.contacts.size());
    snapshot_ = Snapshot(n_, k_, number_of(all_.contacts), 0);
  }

  DomainReport check() {
    for (std::size_t r = 0; r < trace_.row_count(); ++r) measure(r);
    // At rest all speeds are rounding; a length per run is a speed as well.
    if (trace_.until > 0.0) speed_ = std::max(speed_, length_ / trace_.until);
    std::size_t mode = 0;
    for (std::size_t r = 0; r < trace_.row_count() && !trace_.modes.empty(); ++r) {
      while (mode + 1 < trace_.modes.size() && trace_.modes[mode + 1].first_row <= r) ++mode;
      check_row(r, trace_.modes[mode]);
      ++report_.rows;
    }
    return std::move(report_);
  }

 private:
  const double* row(std::size_t r) const { return trace_.rows.data() + r * trace_.columns.size(); }
  std::vector<ContactState> contacts_at(std::size_t r) {
    const double *q = row(r) + 1, *v = q + nq_, t = row(r)[0];
    evaluator_->evaluate(t, q, v, snapshot_);
    mechanism_->gap_motion(t, q, v, nullptr, all_.contacts, gaps_);
    std::vector<ContactState> states(all_.contacts.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      ContactState& state = states[i];
      state.gap = gaps_[i].gap;
      state.gap_rate = gaps_[i].rate;
      state.slip = snapshot_.slip().segment(i * k_, k_);
      state.tangent = Eigen::VectorXd::Zero(k_);
      const SourceIndex source = all_.contacts[i].source;
      if (source_kind(model_, model_.contacts[source]) == SourceKind::pair) continue;
      const double* c = row(r) + 1 + nq_ + n_ + source.value * (2 + k_);  // gap, normal, tangents
      state.gap = c[0];
      state.normal = c[1];
      state.tangent = Eigen::Map<const Eigen::VectorXd>(c + 2, k_);
    }
    return states;
  }

  void measure(std::size_t r) {
    for (int i = 0; i < nq_; ++i) length_ = std::max(length_, std::abs(row(r)[1 + i]));
    for (int i = 0; i < n_; ++i) speed_ = std::max(speed_, std::abs(row(r)[1 + nq_ + i]));
    for (const ContactState& c : contacts_at(r)) {
      length_ = std::max(length_, std::abs(c.gap));
      speed_ = std::max({speed_, std::abs(c.gap_rate), c.slip.norm()});
      force_ = std::max({force_, std::abs(c.normal), c.tangent.lpNorm<Eigen::Infinity>()});
    }
  }

  void add(double t, const ContactKey& contact, const char* condition, double violation,
           double scale) {
    const double size = scale > 0.0 ? violation / scale : 0.0;
    report_.worst = std::max(report_.worst, size);
    if (size > tolerance_) report_.violations.push_back({t, contact, condition, size});
  }

  void check_row(std::size_t r, const TraceMode& mode) {
    const std::vector<ContactState> states = contacts_at(r);
    const double t = row(r)[0];
    for (const OutlineSource& outlines : mechanism_->outlines()) {
      const double gap = outline_gap(*mechanism_, outlines, t, row(r) + 1, row(r) + 1 + nq_);
      const bool is_known = !std::isnan(gap);  // else they cross
      add(t, {.source = outlines.source}, "outlines: g >= 0", is_known ? -gap : length_, length_);
    }
    for (std::size_t i = 0; i < states.size(); ++i) {
      const ContactKey& key = all_.contacts[i];
      const ContactState& c = states[i];
      const ContactStatus status = mode.status_of(number_.at(key));
      if (status == ContactStatus::open) {
        // Beyond its edge a line is no border: outlines are held against their own gap.
        if (mechanism_->outlines_of_source(key.source)) continue;
        if (mechanism_->is_resting(key.source, row(r) + 1)) continue;
        add(t, key, "open: g_N >= 0", -c.gap, length_);
        continue;
      }
      const bool is_pair = source_kind(model_, model_.contacts[key.source]) == SourceKind::pair;
      // The gap of a feature beyond its border is another one's: pairs are held against theirs.
      const double gap = is_pair ? snapshot_.gap()[i] : c.gap;
      add(t, key, "closed: g_N = 0", std::abs(gap), length_);
      add(t, key, "closed: gamma_N = 0", std::abs(c.gap_rate), speed_);
      if (is_pair) continue;
      add(t, key, "closed: phi_N >= 0", -c.normal, force_);
      check_friction(t, key, c, status);
    }
  }

  void check_friction(double t, const ContactKey& key, const ContactState& c,
                      ContactStatus status) {
    double outside = std::numeric_limits<double>::infinity(), unequal = outside;
    bool has_friction = false;
    for (const Coefficients& friction : possible_coefficients(model_.contacts[key.source])) {
      outside = std::min(outside, c.tangent.norm() - friction.static_friction * c.normal);
      unequal = std::min(unequal, std::abs(c.tangent.norm() -
                                           friction.dynamic_friction * std::max(c.normal, 0.0)));
      has_friction = has_friction || friction.static_friction > 0.0;
    }
    if (status == ContactStatus::stick) {
      if (has_friction) add(t, key, "stick: gamma_T = 0", c.slip.norm(), speed_);
      add(t, key, "stick: |phi_T| <= mu phi_N", outside, force_);
      return;
    }
    add(t, key, "slip: |phi_T| = mu phi_N", unequal, force_);
    add(t, key, "slip: phi_T . gamma_T <= 0", c.tangent.dot(c.slip), force_ * speed_);
  }

  const Model& model_;
  const Trace& trace_;
  double tolerance_;
  std::unique_ptr<Mechanism> mechanism_;
  std::map<ContactKey, int> number_;
  RowSelection all_;
  std::unique_ptr<SnapshotEvaluator> evaluator_;
  Snapshot snapshot_;
  std::vector<GapMotion> gaps_;
  int k_ = 1, nq_ = 0, n_ = 0;
  double length_ = 0.0, speed_ = 0.0, force_ = 0.0;
  DomainReport report_;
};

/// What of `count` coordinates or speeds is measured in metres: of free bodies their places, not how they are turned (an
/// angle of 1 rad is no metre), and all of a model's own. `first`: of a body.
template <class Look>
void each_place(const Model& model, int Body::*first, int count, const Look& look) {
  const bool is_speed = first == &Body::first_speed;
  const int places = model.dimension, all = model.dimension == 2 ? 3 : is_speed ? 6 : 7;
  int next = 0;
  for (const Body& body : model.bodies) {
    const int begin = body.*first;
    if (begin < next) continue;  // not free
    for (; next < begin + places; ++next) look(next);
    next = begin + all;
  }
  for (; next < count; ++next) look(next);
}

void grow(const Model& model, const ModeDynamics& dynamics, const double* y,
          std::span<const GapMotion> gaps, DomainScales& scales) {
  const Snapshot& snapshot = dynamics.snapshot();
  const auto take = [](double& scale, double value) { scale = std::max(scale, std::abs(value)); };
  if (scales.length ==
      0.0) {  // gaps of bodies that touch at the origin are rounding: sizes, or 1 m
    each_place(model, &Body::first_coordinate, dynamics.coordinates(),
               [&](int i) { take(scales.length, dynamics.q(y)[i]); });
    take(scales.length, smallest_size(model));
    if (scales.length == 0.0) scales.length = 1.0;
  }
  for (const GapMotion& gap : gaps) {
    take(scales.length, gap.gap);
    take(scales.speed, gap.rate);
  }
  const int nq = dynamics.coordinates(), n = dynamics.speeds();
  each_place(model, &Body::first_coordinate, nq,
             [&](int i) { take(scales.length, dynamics.q(y)[i]); });
  each_place(model, &Body::first_speed, n, [&](int i) { take(scales.speed, dynamics.v(y)[i]); });
  for (const double force : snapshot.smooth_force()) take(scales.force, force);
  for (const double slip : snapshot.slip()) take(scales.speed, slip);
  for (int i = 0; i < snapshot.contacts(); ++i)
    take(scales.force, dynamics.forces().normal_force[i]);
  // At rest all speeds are rounding; a length per run is a speed as well.
  if (model.run.until > 0.0) take(scales.speed, scales.length / model.run.until);
}

/// One state inside a mode.
class StateDomain {
 public:
  StateDomain(const Model& model, const ModeDynamics& dynamics, const double* y,
              const ContactSet& contacts, std::span<const GapMotion> gaps,
              const DomainScales& scales)
      : model_(model),
        dynamics_(dynamics),
        q_(dynamics.q(y)),
        snapshot_(dynamics.snapshot()),
        forces_(dynamics.forces()),
        contacts_(contacts),
        gaps_(gaps),
        k_(dynamics.tangents()),
        length_(scales.length),
        speed_(scales.speed),
        force_(scales.force) {}

  std::string broken() const {
    for (std::size_t i = 0; i < gaps_.size(); ++i)
      if (!(gaps_[i].gap >= -part * length_) &&
          !dynamics_.mechanism().is_resting(contacts_[i].source, q_))
        return fmt::format("contact {}: the gap is {:.6g} m", name(contacts_[i]), gaps_[i].gap);
    for (int i = 0; i < snapshot_.contacts(); ++i) {
      const ContactKey contact = dynamics_.rows().contacts[i];
      std::string what = closed(i);
      if (what.empty())
        what = dynamics_.shape().statuses[i] == ContactStatus::stick ? stick(i, contact) : slip(i);
      if (!what.empty()) return fmt::format("contact {}: {}", name(contact), what);
    }
    return "";
  }

 private:
  static constexpr double part = hybrid_tolerances.domain;

  std::string name(ContactKey contact) const { return contact_name(model_, contact); }

  /// On its own features: near a border the distance may be that of others.
  std::string closed(int i) const {
    const double gap = snapshot_.gap()[i], rate = snapshot_.gap_rate()[i];
    if (!(std::abs(gap) <= part * length_))
      return fmt::format("closed with a gap of {:.6g} m", gap);
    if (!(std::abs(rate) <= part * speed_))
      return fmt::format("closed with a gap rate of {:.6g} m/s", rate);
    if (!(forces_.normal_force[i] >= -part * force_))
      return fmt::format("it pulls with {:.6g} N", -forces_.normal_force[i]);
    return "";
  }

  std::string stick(int i, ContactKey contact) const {
    const double mu = largest_static_friction(source_of(model_, contact));
    if (mu == 0.0) return "";
    const double speed = snapshot_.slip().segment(i * k_, k_).norm();
    const double force = forces_.friction_force.segment(i * k_, k_).norm();
    if (!(speed <= part * speed_)) return fmt::format("it sticks and slips with {:.6g} m/s", speed);
    if (!(force <= mu * forces_.normal_force[i] + part * force_))
      return fmt::format("it sticks with a friction of {:.6g} N above {:.6g} N", force,
                         mu * forces_.normal_force[i]);
    return "";
  }

  std::string slip(int i) const {
    const auto tangent = forces_.friction_force.segment(i * k_, k_);
    const double bound = dynamics_.shape().friction[i] * forces_.normal_force[i];
    if (!(std::abs(tangent.norm() - std::abs(bound)) <= part * force_))
      return fmt::format("it slips with a friction of {:.6g} N instead of {:.6g} N", tangent.norm(),
                         bound);
    const double power = tangent.dot(snapshot_.slip().segment(i * k_, k_));
    // Up to thrice the floor the direction of friction is frozen, or on its way to the slip's.
    const double frozen = 3.0 * dynamics_.shape().slip_floor * std::abs(bound);
    if (!(power <= part * force_ * speed_ + frozen))
      return fmt::format("friction drives the slip with {:.6g} W", power);
    return "";
  }

  const Model& model_;
  const ModeDynamics& dynamics_;
  const double* q_;
  const Snapshot& snapshot_;
  const ModeForces& forces_;
  const ContactSet& contacts_;
  std::span<const GapMotion> gaps_;
  int k_ = 1;
  double length_ = 0.0, speed_ = 0.0, force_ = 0.0;
};

}  // namespace

DomainReport check_domains(const Model& model, const Trace& trace, double tolerance) {
  return DomainChecker(model, trace, tolerance).check();
}

std::string broken_domain(const Model& model, const ModeDynamics& dynamics, const double* y,
                          const ContactSet& contacts, std::span<const GapMotion> gaps,
                          DomainScales& scales) {
  grow(model, dynamics, y, gaps, scales);
  return StateDomain(model, dynamics, y, contacts, gaps, scales).broken();
}

std::string left_feature(Mechanism& mechanism, const ContactSet& closed, double t, const double* q,
                         const double* v, const DomainScales& scales) {
  for (const ContactKey& contact : closed) {
    const BorderMotion border = mechanism.border(t, q, v, contact);
    if (border.is_left() && !(border.margin >= -hybrid_tolerances.domain * scales.length))
      return fmt::format("contact {}: closed {:.6g} m beyond the border of its feature",
                         contact_name(mechanism.model(), contact), -border.margin);
  }
  return "";
}

}  // namespace clack
