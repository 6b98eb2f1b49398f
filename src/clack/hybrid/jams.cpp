// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/jams.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "clack/complementarity/load_factor.hpp"
#include "clack/hybrid/load_coupling.hpp"
#include "clack/hybrid/recorder.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/linalg/non_negative_least_squares.hpp"
#include "clack/model/own_formulas.hpp"
#include "clack/trace/event_table.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// A push of a contact on a body.
struct Push {
  int local = 0;  // the contact
  BodyIndex on, by;
  Vector3d direction = Vector3d::Zero();  // onto the body
};

bool is_along(const Vector3d& a, const Vector3d& b) {
  return a.cross(b).norm() <= hybrid_tolerances.jam_direction;
}
bool is_same_direction(const Vector3d& a, const Vector3d& b) {
  return is_along(a, b) && a.dot(b) > 0.0;
}

/// Everything that is coupled, seen alone, in units in which kinetic energy is 1/2 v.v.
struct CoupledPart {
  std::vector<int> speeds, contacts;  // ascending
  MatrixXd root;                      // L of M = L L^T
  VectorXd load;                      // L^-1 f
  bool is_definite = true;

  CoupledPart(const Snapshot& s, std::vector<int> speeds_in) : speeds(std::move(speeds_in)) {
    const int n = number_of(speeds);
    MatrixXd mass(n, n);
    VectorXd f(n);
    for (int i = 0; i < n; ++i) {
      f[i] = s.smooth_force()[speeds[i]];
      for (int j = 0; j < n; ++j) mass(i, j) = s.mass_matrix()(speeds[i], speeds[j]);
    }
    const Eigen::LLT<MatrixXd> factor(mass);
    is_definite = factor.info() == Eigen::Success;
    root = factor.matrixL();
    load = scaled(f);
  }
  /// L^-1 of forces on the speeds of the part.
  VectorXd scaled(const VectorXd& force) const {
    return root.triangularView<Eigen::Lower>().solve(force);
  }
  template <class Row>
  VectorXd column(const Row& row) const {
    VectorXd force(number_of(speeds));
    for (int i = 0; i < number_of(speeds); ++i) force[i] = row[speeds[i]];
    return scaled(force);
  }
  /// L^T of motions.
  VectorXd motion(const double* all) const {
    VectorXd part(number_of(speeds));
    for (int i = 0; i < number_of(speeds); ++i) part[i] = all[speeds[i]];
    return root.transpose() * part;
  }
};

/// Reactions of a part as columns: normals, friction of the contacts that stick, joints.
HeldLoad held_load(const CoupledPart& part, const Snapshot& s, const ModeShape& shape) {
  const int c = number_of(part.contacts), k = s.tangents();
  HeldLoad held;
  held.tangents = k;
  std::vector<VectorXd> columns;
  for (const int i : part.contacts) columns.push_back(part.column(s.normal_jacobian().row(i)));
  for (int p = 0; p < c; ++p) {
    const int i = part.contacts[p];
    const bool has_friction = shape.statuses[i] == ContactStatus::stick;
    held.cones.push_back(
        {p, has_friction ? number_of(columns) : -1, has_friction ? shape.static_friction[i] : 0.0});
    for (int a = 0; has_friction && a < k; ++a)
      columns.push_back(part.column(s.tangent_jacobian().row(i * k + a)));
  }
  for (int b = 0; b < s.constraint_rows(); ++b) {
    const VectorXd column = part.column(s.constraint_jacobian().row(b));
    if (column.norm() > 0.0) columns.push_back(column);
  }
  held.reactions.resize(number_of(part.speeds), number_of(columns));
  for (int j = 0; j < number_of(columns); ++j) held.reactions.col(j) = columns[j];
  return held;
}

/// Whether normal forces and joints alone balance the load.
bool stays_without_friction(const CoupledPart& part, const Snapshot& s) {
  std::vector<VectorXd> joints;
  for (int b = 0; b < s.constraint_rows(); ++b)
    joints.push_back(part.column(s.constraint_jacobian().row(b)));
  const int free = number_of(joints);
  MatrixXd columns(number_of(part.speeds), free + number_of(part.contacts));
  for (int j = 0; j < free; ++j) columns.col(j) = joints[j];
  for (int p = 0; p < number_of(part.contacts); ++p)
    columns.col(free + p) = part.column(s.normal_jacobian().row(part.contacts[p]));
  const NonNegativeLeastSquares answer = solve_non_negative(columns, -part.load, free);
  return answer.is_converged && answer.residual <= hybrid_tolerances.jam_balance * part.load.norm();
}

bool has_gravity(const Model& model) {
  return std::ranges::any_of(model.gravity, [](const Expression& g) {
    return g.is_valid() && symbolic::number_value(g).value_or(1.0) != 0.0;
  });
}
bool has_other_loads(const Model& model) {
  return !model.springs.empty() || !model.forces.empty() || !model.torques.empty() ||
         !model.generalised_forces.empty() || !model.force.empty();
}

/// The smooth force without gravity.
VectorXd force_without_gravity(const Model& model, const RowSelection& rows, double t,
                               const double* q, const double* v) {
  Model weightless = with_own_formulas(model);
  for (Expression& g : weightless.gravity)
    if (g.is_valid()) g = weightless.graph->number(0.0);
  weightless.graph->seal();
  const auto mechanism = make_mechanism(weightless);
  Snapshot snapshot = mechanism->snapshot(rows);
  mechanism->evaluator(rows)->evaluate(t, q, v, snapshot);
  return snapshot.smooth_force();
}

/// The search at one state.
class JamSearch {
 public:
  JamSearch(const Model& model, Mechanism& mechanism, ModeDynamics& dynamics, double t,
            const double* y)
      : model_(model), dynamics_(dynamics), t_(t), y_(y), s_(dynamics.snapshot()) {
    gather_pushes(mechanism);
  }

  std::vector<Jam> find(double exchanged, double duration) {
    std::vector<Jam> jams;
    std::vector<std::vector<int>> groups = wedged_groups();
    if (groups.empty()) return jams;
    LoadCoupling coupling(model_, s_);
    for (const std::vector<int>& contacts : groups) {
      const std::optional<CoupledPart> part =
          part_at_rest(coupling, contacts[0], exchanged, duration);
      if (part) jams.push_back(jam_of(*part, contacts));
    }
    return jams;
  }

 private:
  /// Contacts that push on bodies, from both sides.
  void gather_pushes(Mechanism& mechanism) {
    const ModeForces& forces = dynamics_.forces();
    const ContactSet& closed = dynamics_.rows().contacts;
    const double largest = closed.empty() ? 0.0 : forces.normal_force.lpNorm<Eigen::Infinity>();
    for (int i = 0; i < number_of(closed); ++i) {
      if (!(forces.normal_force[i] > hybrid_tolerances.jam_force * largest)) continue;
      const ContactPlace place =
          mechanism.place_of(t_, dynamics_.q(y_), dynamics_.v(y_), closed[i]);
      if (!place.first_body.is_valid()) continue;
      pushes_.push_back({i, place.first_body, place.second_body, place.normal});
      pushes_.push_back({i, place.second_body, place.first_body, -place.normal});
    }
  }
  bool is_held(BodyIndex body) const {
    return model_.bodies[body].kind == BodyKind::free ||
           model_.bodies[body].kind == BodyKind::placed;
  }

  /// Contacts of bodies that push on each other, where they do so from two directions.
  std::vector<std::vector<int>> wedged_groups() const {
    Indexed<int, BodyIndex> group(model_.bodies.size(), -1);
    for (const BodyIndex b : indices(model_.bodies)) group[b] = b.value;
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (const Push& push : pushes_) {
        if (!is_held(push.on) || !is_held(push.by) || group[push.on] <= group[push.by]) continue;
        group[push.on] = group[push.by];
        is_changed = true;
      }
    }
    std::vector<std::vector<int>> found;
    for (const BodyIndex b : indices(model_.bodies)) {
      if (!is_held(b) || group[b] != b.value) continue;
      std::vector<Push> mine;
      for (const Push& push : pushes_)
        if (is_held(push.on) && group[push.on] == b.value) mine.push_back(push);
      if (!is_wedged(mine)) continue;
      std::vector<int>& contacts = found.emplace_back();
      for (const Push& push : mine) contacts.push_back(push.local);
      std::ranges::sort(contacts);
      contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());
    }
    return found;
  }
  /// A stack is pushed up and down along one line, but by fixed bodies from one direction only.
  bool is_wedged(const std::vector<Push>& pushes) const {
    for (const Push& a : pushes)
      for (const Push& b : pushes) {
        if (a.on == b.on && !is_along(a.direction, b.direction)) return true;
        if (!is_held(a.by) && !is_held(b.by) && !is_same_direction(a.direction, b.direction))
          return true;
      }
    return false;
  }

  /// What is coupled to a contact, if it rests and nothing of it depends on t.
  std::optional<CoupledPart> part_at_rest(LoadCoupling& coupling, int contact, double exchanged,
                                          double duration) const {
    const auto group_of_contact = [&](int i) {
      for (int j = 0; j < s_.speeds(); ++j)
        if (s_.normal_jacobian()(i, j) != 0.0) return coupling.group_of(j);
      return -1;
    };
    const int group = group_of_contact(contact);
    if (group < 0 || coupling.is_timed(group)) return std::nullopt;
    std::vector<int> speeds;
    for (int j = 0; j < s_.speeds(); ++j)
      if (coupling.group_of(j) == group) speeds.push_back(j);
    CoupledPart part(s_, speeds);
    if (!part.is_definite) return std::nullopt;
    const double rest = hybrid_tolerances.jam_rest;
    const double fast = std::sqrt(2.0 * std::max(0.0, exchanged)) + part.load.norm() * duration;
    if (!(part.motion(dynamics_.v(y_)).norm() <= rest * fast)) return std::nullopt;
    if (!(part.motion(dynamics_.forces().acceleration.data()).norm() <= rest * part.load.norm()))
      return std::nullopt;
    const ModeShape& shape = dynamics_.shape();
    for (int i = 0; i < s_.contacts(); ++i) {
      if (group_of_contact(i) != group) continue;
      if (shape.statuses[i] != ContactStatus::stick && shape.static_friction[i] > 0.0)
        return std::nullopt;
      part.contacts.push_back(i);
    }
    return part;
  }

  Jam jam_of(const CoupledPart& part, const std::vector<int>& pushing) {
    const ContactSet& closed = dynamics_.rows().contacts;
    Jam jam;
    jam.speeds = part.speeds;
    for (const int i : part.contacts) jam.resting.push_back(closed[i]);
    for (const int i : pushing) jam.contacts.push_back(closed[i]);
    for (const Push& push : pushes_)
      if (is_held(push.on) && std::ranges::binary_search(pushing, push.local))
        jam.bodies.push_back(push.on);
    std::ranges::sort(jam.bodies);
    jam.bodies.erase(std::unique(jam.bodies.begin(), jam.bodies.end()), jam.bodies.end());
    jam.by = stays_without_friction(part, s_) ? JamCause::shape : JamCause::friction;
    if (!has_gravity(model_) || !has_other_loads(model_)) return jam;  // all of it is live
    if (without_gravity_.size() == 0)
      without_gravity_ =
          force_without_gravity(model_, dynamics_.rows(), t_, dynamics_.q(y_), dynamics_.v(y_));
    HeldLoad held = held_load(part, s_, dynamics_.shape());
    held.live = part.column(without_gravity_);
    held.dead = part.load - held.live;
    const double zero = hybrid_tolerances.jam_balance * part.load.norm();
    if (held.live.norm() <= zero || held.dead.norm() <= zero) return jam;
    const LoadFactor factor = largest_load_factor(held);
    jam.is_factor_known = factor.limit != LoadLimit::not_solved;
    if (factor.limit == LoadLimit::largest) jam.load_factor = std::max(1.0, factor.factor);
    return jam;
  }

  const Model& model_;
  ModeDynamics& dynamics_;
  double t_;
  const double* y_;
  const Snapshot& s_;
  std::vector<Push> pushes_;
  VectorXd without_gravity_;
};

}  // namespace

std::vector<Jam> find_jams(const Model& model, Mechanism& mechanism, ModeDynamics& dynamics,
                           double t, const double* y, double exchanged, double duration) {
  dynamics.evaluate_shown(t, y);
  if (dynamics.rows().contacts.empty()) return {};
  return JamSearch(model, mechanism, dynamics, t, y).find(exchanged, duration);
}

std::vector<double> rest_speeds(const Snapshot& snapshot, const Jam& jam, double exchanged,
                                double duration) {
  const CoupledPart part(snapshot, jam.speeds);
  const double fast = std::sqrt(2.0 * std::max(0.0, exchanged)) + part.load.norm() * duration;
  std::vector<double> speeds;
  for (const int j : jam.speeds)
    speeds.push_back(hybrid_tolerances.jam_rest * fast / std::sqrt(snapshot.mass_matrix()(j, j)));
  return speeds;
}

double begin_of_jam(const Trace& trace, const Jam& jam, const std::vector<int>& numbers,
                    const std::vector<double>& rest_speeds) {
  const TraceMode& last = trace.modes.back();
  double begin = last.begin;
  for (std::size_t k = trace.modes.size(); k-- > 0;) {
    const TraceMode& mode = trace.modes[k];
    const bool is_same =
        std::ranges::all_of(numbers, [&](int c) { return mode.status_of(c) == last.status_of(c); });
    if (!is_same || mode.first_row >= trace.row_count()) {
      if (!is_same) break;
      continue;
    }
    const double* row = trace.rows.data() + mode.first_row * trace.columns.size();
    const double* v = row + 1 + trace.coordinates.size();
    bool is_at_rest = true;
    for (std::size_t j = 0; j < jam.speeds.size(); ++j)
      is_at_rest = is_at_rest && std::abs(v[jam.speeds[j]]) <= rest_speeds[j];
    if (!is_at_rest) break;
    begin = mode.begin;
  }
  return begin;
}

void Recorder::add_jams(double t, const double* y) {
  const double exchanged = trace_.energy.exchanged;
  for (const Jam& jam : find_jams(model_, mechanism_, dynamics_, t, y, exchanged, t)) {
    TraceJam written;
    written.t = begin_of_jam(trace_, jam, numbers(jam.resting),
                             rest_speeds(dynamics_.snapshot(), jam, exchanged, t));
    for (const BodyIndex body : jam.bodies) written.bodies.push_back(model_.bodies[body].name);
    written.contacts = numbers(jam.contacts);
    written.by = jam.by;
    written.load_factor = jam.load_factor;
    flag("jam");
    note(fmt::format("t = {:.9g} s: jam, {}", written.t, describe_jam(written)));
    if (!jam.is_factor_known)
      note("the load factor of this jam is not known: its program was not solved");
    trace_.jams.push_back(std::move(written));
  }
}

}  // namespace clack
