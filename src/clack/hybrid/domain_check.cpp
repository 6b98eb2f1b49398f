#include "clack/hybrid/domain_check.hpp"

#include <algorithm>
#include <cmath>

namespace clack {
namespace {

/// Friction coefficients that may be in force at a contact: its own and those of its zones.
std::vector<Coefficients> possible_coefficients(const Contact& contact) {
  std::vector<Coefficients> all = {contact.coefficients};
  for (const Zone& zone : contact.zones) all.push_back(zone.coefficients);
  return all;
}

/// Rows of a trace with what the trace does not hold: rates and slips.
class DomainChecker {
 public:
  DomainChecker(const Model& model, const Trace& trace, double tolerance)
      : model_(model), trace_(trace), tolerance_(tolerance), mechanism_(make_mechanism(model)) {
    k_ = mechanism_->tangents();
    nq_ = static_cast<std::size_t>(mechanism_->coordinates());
    n_ = static_cast<std::size_t>(mechanism_->speeds());
    for (int i = 0; i < static_cast<int>(model.contacts.size()); ++i) all_.contacts.push_back(i);
    evaluator_ = mechanism_->evaluator(all_);
    snapshot_ = Snapshot(mechanism_->speeds(), k_, static_cast<int>(all_.contacts.size()), 0);
    has_unique_forces_ =
        std::find(trace.flags.begin(), trace.flags.end(), "hyperstatic") == trace.flags.end();
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
  const double* contact(std::size_t r, std::size_t i) const {  // gap, normal, tangents
    return row(r) + 1 + nq_ + n_ + i * static_cast<std::size_t>(2 + k_);
  }
  void load(std::size_t r) {
    evaluator_->evaluate(row(r)[0], row(r) + 1, row(r) + 1 + nq_, snapshot_);
  }
  double slip(std::size_t i) const {
    return snapshot_.slip().segment(static_cast<Eigen::Index>(i) * k_, k_).norm();
  }

  void measure(std::size_t r) {
    for (std::size_t i = 0; i < nq_; ++i) length_ = std::max(length_, std::abs(row(r)[1 + i]));
    for (std::size_t i = 0; i < n_; ++i) speed_ = std::max(speed_, std::abs(row(r)[1 + nq_ + i]));
    load(r);
    for (std::size_t i = 0; i < all_.contacts.size(); ++i) {
      const double* c = contact(r, i);
      length_ = std::max(length_, std::abs(c[0]));
      speed_ =
          std::max({speed_, std::abs(snapshot_.gap_rate()[static_cast<Eigen::Index>(i)]), slip(i)});
      for (int a = 0; a <= k_; ++a) force_ = std::max(force_, std::abs(c[1 + a]));
    }
  }

  void add(double t, std::size_t i, const char* condition, double violation, double scale) {
    const double size = scale > 0.0 ? violation / scale : 0.0;
    report_.worst = std::max(report_.worst, size);
    if (size > tolerance_) report_.violations.push_back({t, static_cast<int>(i), condition, size});
  }

  void check_row(std::size_t r, const TraceMode& mode) {
    load(r);
    const double t = row(r)[0];
    for (std::size_t i = 0; i < mode.statuses.size(); ++i) {
      const double* c = contact(r, i);
      if (mode.statuses[i] == ContactStatus::open) {
        add(t, i, "open: g_N >= 0", -c[0], length_);
        continue;
      }
      add(t, i, "closed: g_N = 0", std::abs(c[0]), length_);
      add(t, i, "closed: gamma_N = 0", std::abs(snapshot_.gap_rate()[static_cast<Eigen::Index>(i)]),
          speed_);
      if (!has_unique_forces_) continue;
      add(t, i, "closed: phi_N >= 0", -c[1], force_);
      check_friction(t, i, c, mode.statuses[i]);
    }
  }

  void check_friction(double t, std::size_t i, const double* c, ContactStatus status) {
    const Eigen::Map<const Eigen::VectorXd> tangent(c + 2, k_);
    double outside = std::numeric_limits<double>::infinity(), unequal = outside;
    bool has_friction = false;
    for (const Coefficients& friction : possible_coefficients(model_.contacts[i])) {
      outside = std::min(outside, tangent.norm() - friction.static_friction * c[1]);
      unequal = std::min(
          unequal, std::abs(tangent.norm() - friction.dynamic_friction * std::max(c[1], 0.0)));
      has_friction = has_friction || friction.static_friction > 0.0;
    }
    if (status == ContactStatus::stick) {
      if (has_friction) add(t, i, "stick: gamma_T = 0", slip(i), speed_);
      add(t, i, "stick: |phi_T| <= mu phi_N", outside, force_);
      return;
    }
    add(t, i, "slip: |phi_T| = mu phi_N", unequal, force_);
    add(t, i, "slip: phi_T . gamma_T <= 0",
        tangent.dot(snapshot_.slip().segment(static_cast<Eigen::Index>(i) * k_, k_)),
        force_ * speed_);
  }

  const Model& model_;
  const Trace& trace_;
  double tolerance_;
  std::unique_ptr<Mechanism> mechanism_;
  std::unique_ptr<SnapshotEvaluator> evaluator_;
  RowSelection all_;
  Snapshot snapshot_;
  int k_ = 1;
  std::size_t nq_ = 0, n_ = 0;
  double length_ = 0.0, speed_ = 0.0, force_ = 0.0;
  bool has_unique_forces_ = true;
  DomainReport report_;
};

}  // namespace

DomainReport check_domains(const Model& model, const Trace& trace, double tolerance) {
  return DomainChecker(model, trace, tolerance).check();
}

std::string broken_domain(const ModeDynamics& dynamics, std::span<const double> gaps) {
  constexpr double part = 1e-6;
  const ModeForces& forces = dynamics.forces();
  const Snapshot& snapshot = dynamics.snapshot();
  const int k = dynamics.tangents();
  double length = 1.0;
  for (const double gap : gaps) length = std::max(length, std::abs(gap));
  for (const double gap : gaps)
    if (gap < -part * length) return fmt::format("g_N = {} m", gap);
  if (snapshot.contacts() == 0 || forces.is_hyperstatic) return "";
  const double force = std::max(1.0, forces.normal_force.lpNorm<Eigen::Infinity>());
  const double speed = std::max(1.0, snapshot.slip().lpNorm<Eigen::Infinity>());
  for (int i = 0; i < snapshot.contacts(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double normal = forces.normal_force[i];
    const Eigen::VectorXd tangent = forces.friction_force.segment(i * k, k),
                          slip = snapshot.slip().segment(i * k, k);
    if (normal < -part * force) return fmt::format("phi_N = {} N", normal);
    if (dynamics.shape().statuses[at] != ContactStatus::slip) continue;
    const double bound = dynamics.shape().friction[at] * normal;
    if (std::abs(tangent.norm() - std::abs(bound)) > part * force)
      return fmt::format("slip with |phi_T| = {} N instead of {} N", tangent.norm(), bound);
    if (tangent.dot(slip) > part * force * speed) return "friction along the slip";
  }
  return "";
}

}  // namespace clack
