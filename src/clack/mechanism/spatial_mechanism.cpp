#include "clack/mechanism/spatial_mechanism.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "clack/error.hpp"
#include "clack/model/own_formulas.hpp"

namespace clack {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using symbolic::Program;

namespace {

Vector3d vector_at(const double* values) { return {values[0], values[1], values[2]}; }

Matrix3d rotation_at(const double* q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

}  // namespace

/// Fills the rows of one selection; only what can differ from zero is written.
class SpatialEvaluator final : public SnapshotEvaluator {
 public:
  SpatialEvaluator(SpatialMechanism& mechanism, const RowSelection& rows, int constraint_rows)
      : mechanism_(mechanism), rows_(rows) {
    const int n = mechanism.speeds_;
    const Snapshot full(n, 2, static_cast<int>(rows.contacts.size()), constraint_rows);
    std::vector<Expression> outputs;
    const auto put = [&](int at, Expression e) {
      if (e == mechanism.motion_.zero()) return;
      outputs.push_back(e);
      places_.push_back(at);
    };
    const auto put_row = [&](int at, const std::vector<Expression>& row) {
      for (std::size_t j = 0; j < row.size(); ++j) put(at + static_cast<int>(j), row[j]);
    };
    for (int i = 0; i < full.contacts(); ++i) {
      const auto c = static_cast<std::size_t>(rows.contacts[static_cast<std::size_t>(i)]);
      if (mechanism.formula_contact_[c] < 0) continue;
      const ContactFormulas& f =
          mechanism.contact_formulas_[static_cast<std::size_t>(mechanism.formula_contact_[c])];
      put_row(full.at_normal() + i * n, f.normal_row);
      put(full.at_gap() + i, f.gap);
      put(full.at_gap() + full.contacts() + i, f.gap_rate);
      put(full.at_gap() + 2 * full.contacts() + i, f.gap_bias);
      for (int a = 0; a < 2; ++a) {
        const auto s = static_cast<std::size_t>(a);
        put_row(full.at_tangent() + (2 * i + a) * n, f.tangent_rows[s]);
        put(full.at_slip() + 2 * i + a, f.slip[s]);
        put(full.at_slip() + 2 * full.contacts() + 2 * i + a, f.slip_bias[s]);
      }
    }
    int row = 0;
    for (const int c : rows.constraints)
      for (const auto& r : mechanism.constraints_[static_cast<std::size_t>(c)]) {
        put_row(full.at_constraint() + row * n, r.row);
        put(full.at_value() + row, r.value);
        put(full.at_value() + constraint_rows + row, r.rate);
        put(full.at_value() + 2 * constraint_rows + row, r.bias);
        ++row;
      }
    if (!outputs.empty()) formulas_ = Program(mechanism.motion_.inputs(), outputs);
    values_.resize(outputs.size());
  }

  void evaluate(double t, const double* q, const double* v, Snapshot& snapshot) override {
    mechanism_.place(t, q, v);
    if (mechanism_.evaluated_ != rows_.contacts) mechanism_.evaluated_ = rows_.contacts;
    const int n = mechanism_.speeds_;
    double* out = snapshot.data();
    for (std::size_t b = 0; b < mechanism_.bodies_.size(); ++b) {
      const auto& body = mechanism_.bodies_[b];
      if (body.kind != BodyKind::free) continue;
      const Matrix3d J = mechanism_.world_inertia(b);
      for (int i = 0; i < 3; ++i) {
        out[(body.v + i) * n + body.v + i] = body.mass;
        for (int j = 0; j < 3; ++j) out[(body.v + 3 + i) * n + body.v + 3 + j] = J(i, j);
      }
    }
    double* h = out + snapshot.at_force();
    std::fill_n(h, n, 0.0);
    out[snapshot.at_power()] = mechanism_.add_forces(v, h);
    for (int i = 0; i < snapshot.contacts(); ++i) write_contact(i, snapshot);
    if (places_.empty()) return;
    formulas_(mechanism_.inputs_.data(), values_.data());
    for (std::size_t k = 0; k < places_.size(); ++k) out[places_[k]] = values_[k];
  }

 private:
  void write_contact(int i, Snapshot& s) const {
    const int c = rows_.contacts[static_cast<std::size_t>(i)];
    if (mechanism_.formula_contact_[static_cast<std::size_t>(c)] >= 0) return;
    const SpatialContact& contact = mechanism_.contacts_[static_cast<std::size_t>(c)];
    const TouchMotion touch = mechanism_.touch(c, true);
    double* out = s.data();
    const int n = s.speeds(), count = s.contacts();
    out[s.at_gap() + i] = touch.gap;
    out[s.at_gap() + count + i] = touch.gap_rate;
    out[s.at_gap() + 2 * count + i] = touch.gap_bias;
    const auto write_row = [&](double* row, const Vector3d& direction) {
      const auto half = [&](int body, const Vector3d& arm, double sign) {
        const int at = mechanism_.bodies_[static_cast<std::size_t>(body)].v;
        if (at < 0) return;
        const Vector3d moment = arm.cross(direction);
        for (int k = 0; k < 3; ++k) {
          row[at + k] = sign * direction[k];
          row[at + 3 + k] = sign * moment[k];
        }
      };
      half(contact.first_body, touch.first_arm, 1.0);
      half(contact.second_body, touch.second_arm, -1.0);
    };
    write_row(out + s.at_normal() + i * n, touch.normal);
    for (int a = 0; a < 2; ++a) {
      write_row(out + s.at_tangent() + (2 * i + a) * n, touch.tangents.col(a));
      out[s.at_slip() + 2 * i + a] = touch.slip[a];
      out[s.at_slip() + 2 * count + 2 * i + a] = touch.slip_bias[a];
    }
  }

  SpatialMechanism& mechanism_;
  RowSelection rows_;
  std::vector<int> places_;
  Program formulas_;
  std::vector<double> values_;
};

SpatialMechanism::SpatialMechanism(const Model& shared)
    : model_(with_own_formulas(shared)),
      coordinates_(static_cast<int>(model_.coordinates.size())),
      speeds_(static_cast<int>(model_.speeds.size())),
      motion_(model_) {
  const Model& model = model_;
  for (const Body& body : model.bodies) {
    if (body.kind == BodyKind::placed)
      throw ModelError("body " + body.name + ": a model with free bodies in space has no others",
                       model.where(body.place),
                       "let it be free, fixed or of prescribed motion, or give all by coordinates");
    bodies_.push_back(
        {body.kind, body.mass, body.inertia, body.first_coordinate, body.first_speed, -1});
    auto& points = points_.emplace_back();
    for (const BodyPoint& point : body.points) points.push_back(point.position);
  }
  int owned = 0;
  for (const SpatialBody& body : bodies_) owned += body.kind == BodyKind::free ? 7 : 0;
  if (owned != coordinates_)
    throw ModelError("free bodies in space do not go with coordinates of the model's own",
                     model.file, "remove the coordinates, or give all bodies by them");
  motions_.resize(bodies_.size());
  inputs_.resize(motion_.inputs().size());
  gather_formulas(model);
  derive_constraints(model);
  place_resting(model);
  gather_contacts(model);
  watched_ = WatchedFormulas(model, motion_);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    if (contacts_[i].box_size > 0.0) bordered_.push_back(static_cast<int>(i));
  evaluated_.reserve(contacts_.size());
}

/// Everything given by formulas that the equations of motion need, in one program.
void SpatialMechanism::gather_formulas(const Model& model) {
  std::vector<Expression> outputs(model.gravity.begin(), model.gravity.end());
  const auto add = [&](Expression e) {
    outputs.push_back(e);
    return static_cast<int>(outputs.size()) - 1;
  };
  const auto is_constant = [](Expression e) { return symbolic::symbols_of(e).empty(); };
  for (const Expression& g : model.gravity) is_gravity_constant_ &= is_constant(g);
  has_applied_power_ = !is_gravity_constant_;
  for (const Spring& spring : model.springs) {
    const bool is_conservative = is_constant(spring.stiffness) && is_constant(spring.rest);
    springs_.push_back({spring.first, spring.second, add(spring.stiffness), is_conservative});
    add(spring.damping);
    add(spring.rest);
    has_applied_power_ |= !is_conservative || spring.damping != motion_.zero();
    for (const Attachment& end : {spring.first, spring.second})
      has_applied_power_ |=
          model.bodies[static_cast<std::size_t>(end.body)].kind == BodyKind::moving;
  }
  for (const PointForce& force : model.forces) {
    point_forces_.emplace_back(force.on, add(force.components[0]));
    add(force.components[1]);
    add(force.components[2]);
  }
  for (const GeneralisedForce& force : model.generalised_forces)
    generalised_.emplace_back(force.speed, add(force.value));
  has_applied_power_ |= !point_forces_.empty() || !generalised_.empty();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].kind != BodyKind::moving) continue;
    std::array<Expression, 3> place = model.bodies[b].position;
    for (int order = 0; order < 3; ++order)
      for (Expression& e : place) {
        const int at = add(e);
        if (bodies_[b].value < 0) bodies_[b].value = at;
        e = derivative(e, model.time);
      }
  }
  for (const Contact& contact : model.contacts) {
    surface_value_.push_back(-1);
    if (contact.is_formula || contact.surface_velocity.empty()) continue;
    surface_value_.back() = add(contact.surface_velocity[0]);
    add(contact.surface_velocity[1]);
    for (int a = 0; a < 2; ++a)
      add(motion_.rate(contact.surface_velocity[static_cast<std::size_t>(a)]));
  }
  applied_ = Program(motion_.inputs(), outputs);
  values_.resize(outputs.size());
}

void SpatialMechanism::derive_constraints(const Model& model) {
  for (const Constraint& constraint : model.constraints) {
    auto& rows = constraints_.emplace_back();
    for (const Expression& formula : constraint.rows) {
      ConstraintRow row;
      const bool is_configuration = constraint.kind == ConstraintKind::configuration;
      row.value = is_configuration ? formula : motion_.zero();
      row.rate = is_configuration ? motion_.rate(formula) : formula;
      row.bias = motion_.rate(row.rate);
      for (int j = 0; j < speeds_; ++j) row.row.push_back(motion_.speed_derivative(row.rate, j));
      rows.push_back(std::move(row));
    }
  }
}

/// Fixed bodies do not move: their poses are computed once.
void SpatialMechanism::place_resting(const Model& model) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = model.bodies[b];
    motions_[b].pose.rotation = rotation_at(body.orientation.data());
    if (body.kind != BodyKind::fixed) continue;
    const Program place({}, body.position, symbolic::Backend::tape);
    place(nullptr, motions_[b].pose.position.data());
  }
}

void SpatialMechanism::gather_contacts(const Model& model) {
  std::vector<double> q, v;
  for (const Coordinate& c : model.coordinates) q.push_back(c.start);
  for (const Speed& s : model.speeds) v.push_back(s.start);
  place(0.0, q.data(), v.data());
  std::vector<Expression> outputs;
  for (const Contact& contact : model.contacts) {
    contacts_.emplace_back();
    formula_contact_.push_back(-1);
    if (!contact.is_formula) {
      contacts_.back() =
          spatial_contact(model, contact, motions_[static_cast<std::size_t>(contact.first.body)],
                          motions_[static_cast<std::size_t>(contact.second.body)]);
      continue;
    }
    formula_contact_.back() = static_cast<int>(contact_formulas_.size());
    const ContactFormulas& f =
        contact_formulas_.emplace_back(contact_formulas(model, contact, motion_));
    outputs.insert(outputs.end(), {f.gap, f.gap_rate, f.gap_bias});
    outputs.insert(outputs.end(), f.normal_row.begin(), f.normal_row.end());
  }
  formula_gaps_ = Program(motion_.inputs(), outputs);
  outputs_.resize(outputs.size());
  refuse_deep_boxes(model);
}

/// Boxes so deep in each other that no pair of their features shows it.
void SpatialMechanism::refuse_deep_boxes(const Model& model) const {
  for (const Contact& contact : model.contacts) {
    constexpr int first_edge = -2;  // one contact for each pair of boxes
    if (contact.first.point != first_edge || contact.second.point != first_edge) continue;
    const auto a = static_cast<std::size_t>(contact.first.body),
               b = static_cast<std::size_t>(contact.second.body);
    const Box &first = std::get<Box>(*model.bodies[a].shape),
              &second = std::get<Box>(*model.bodies[b].shape);
    const double gap = shadow_gap(first, motions_[a].pose, second, motions_[b].pose);
    const double size = std::max(first.half_extents.maxCoeff(), second.half_extents.maxCoeff());
    if (gap >= -model.tolerances.penetration * size) continue;
    throw ModelError(fmt::format("contact {} ({} and {}): penetrates by {:.6g} m at the start",
                                 contact.name.substr(0, contact.name.rfind(".edge1.edge1")),
                                 model.bodies[a].name, model.bodies[b].name, -gap),
                     model.where(contact.place), "move the boxes apart by that much");
  }
}

int SpatialMechanism::constraint_rows(int constraint) const {
  return static_cast<int>(constraints_[static_cast<std::size_t>(constraint)].size());
}

void SpatialMechanism::load(double t, const double* q, const double* v) {
  inputs_[0] = t;
  std::copy_n(q, coordinates_, inputs_.data() + 1);
  std::copy_n(v, speeds_, inputs_.data() + 1 + coordinates_);
}

const std::vector<BodyMotion>& SpatialMechanism::place(double t, const double* q, const double* v) {
  load(t, q, v);
  applied_(inputs_.data(), values_.data());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const SpatialBody& body = bodies_[b];
    BodyMotion& motion = motions_[b];
    if (body.kind == BodyKind::free) {
      motion.pose.position = vector_at(q + body.q);
      motion.pose.rotation = rotation_at(q + body.q + 3);
      motion.velocity = vector_at(v + body.v);
      motion.spin = vector_at(v + body.v + 3);
    } else if (body.kind == BodyKind::moving) {
      motion.pose.position = vector_at(values_.data() + body.value);
      motion.velocity = vector_at(values_.data() + body.value + 3);
      motion.drive = vector_at(values_.data() + body.value + 6);
    }
  }
  return motions_;
}

TouchMotion SpatialMechanism::touch(int contact, bool may_be_closed) const {
  const auto c = static_cast<std::size_t>(contact);
  const SpatialContact& sides = contacts_[c];
  TouchMotion touch =
      touch_motion(sides, motions_[static_cast<std::size_t>(sides.first_body)],
                   motions_[static_cast<std::size_t>(sides.second_body)], may_be_closed);
  if (surface_value_[c] < 0) return touch;
  const double* surface = values_.data() + surface_value_[c];
  for (int a = 0; a < 2; ++a) {
    touch.slip[a] -= surface[a];
    touch.slip_bias[a] -= surface[2 + a];
  }
  return touch;
}

Matrix3d SpatialMechanism::world_inertia(std::size_t body) const {
  const Matrix3d& R = motions_[body].pose.rotation;
  const Matrix3d& J = bodies_[body].inertia;
  const bool is_round = J(0, 0) == J(1, 1) && J(1, 1) == J(2, 2) && J.isDiagonal(0.0);
  return is_round ? J : Matrix3d(R * J * R.transpose());
}

Vector3d SpatialMechanism::point_of(const Attachment& end) const {
  const auto b = static_cast<std::size_t>(end.body);
  const Pose& pose = motions_[b].pose;
  if (end.point < 0) return pose.position;
  return pose.position + pose.rotation * points_[b][static_cast<std::size_t>(end.point)];
}

void SpatialMechanism::push(int body, const Vector3d& point, const Vector3d& force,
                            double* h) const {
  const auto b = static_cast<std::size_t>(body);
  const int at = bodies_[b].v;
  if (at < 0) return;
  const Vector3d torque = (point - motions_[b].pose.position).cross(force);
  for (int k = 0; k < 3; ++k) {
    h[at + k] += force[k];
    h[at + 3 + k] += torque[k];
  }
}

double SpatialMechanism::add_forces(const double* v, double* h) const {
  double power = 0.0;
  const Vector3d gravity = vector_at(values_.data());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].kind != BodyKind::free) continue;
    const BodyMotion& motion = motions_[b];
    const Vector3d weight = bodies_[b].mass * gravity;
    const Vector3d spin = motion.spin, turning = -spin.cross(world_inertia(b) * spin);
    for (int k = 0; k < 3; ++k) {
      h[bodies_[b].v + k] += weight[k];
      h[bodies_[b].v + 3 + k] += turning[k];
    }
    if (!is_gravity_constant_) power += weight.dot(motion.velocity);
  }
  for (const SpatialSpring& spring : springs_) {
    const double* value = values_.data() + spring.value;
    const Vector3d first = point_of(spring.first), second = point_of(spring.second);
    const Vector3d d = first - second;
    const BodyMotion& a = motions_[static_cast<std::size_t>(spring.first.body)];
    const BodyMotion& b = motions_[static_cast<std::size_t>(spring.second.body)];
    const Vector3d relative = a.velocity_at(first) - b.velocity_at(second);
    const double length = d.norm();
    const Vector3d along = length > 0.0 ? Vector3d(d / length) : Vector3d::Zero();
    const Vector3d elastic = -value[0] * (d - value[2] * along);
    const Vector3d damped = -value[1] * along.dot(relative) * along;
    const Vector3d force = elastic + damped;
    push(spring.first.body, first, force, h);
    push(spring.second.body, second, -force, h);
    const auto power_of = [&](const Vector3d& f) {
      double sum = 0.0;
      if (bodies_[static_cast<std::size_t>(spring.first.body)].v >= 0)
        sum += f.dot(a.velocity_at(first));
      if (bodies_[static_cast<std::size_t>(spring.second.body)].v >= 0)
        sum -= f.dot(b.velocity_at(second));
      return sum;
    };
    power += power_of(force);  // what the potential does not give back
    if (spring.is_conservative) power -= elastic.dot(relative);
  }
  for (const auto& [end, value] : point_forces_) {
    const Vector3d force = vector_at(values_.data() + value), point = point_of(end);
    push(end.body, point, force, h);
    const auto b = static_cast<std::size_t>(end.body);
    if (bodies_[b].v >= 0) power += force.dot(motions_[b].velocity_at(point));
  }
  for (const auto& [speed, value] : generalised_) {
    h[speed] += values_[static_cast<std::size_t>(value)];
    power += values_[static_cast<std::size_t>(value)] * v[speed];
  }
  return power;
}

std::unique_ptr<SnapshotEvaluator> SpatialMechanism::evaluator(const RowSelection& rows) {
  int b = 0;
  for (const int c : rows.constraints) b += constraint_rows(c);
  return std::make_unique<SpatialEvaluator>(*this, rows, b);
}

void SpatialMechanism::gap_motion(double t, const double* q, const double* v, const double* a,
                                  double* gap, double* gap_rate, double* gap_acceleration) {
  place(t, q, v);
  if (!contact_formulas_.empty()) formula_gaps_(inputs_.data(), outputs_.data());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (formula_contact_[i] >= 0) {
      const double* f = outputs_.data() + formula_contact_[i] * (3 + speeds_);
      gap[i] = f[0];
      gap_rate[i] = f[1];
      gap_acceleration[i] = f[2];
      for (int j = 0; j < speeds_; ++j) gap_acceleration[i] += f[3 + j] * a[j];
      continue;
    }
    const SpatialContact& contact = contacts_[i];
    const TouchMotion touch = this->touch(static_cast<int>(i));
    gap[i] = touch.gap;
    gap_rate[i] = touch.gap_rate;
    gap_acceleration[i] = touch.gap_bias;
    const auto add = [&](int body, const Vector3d& arm, double sign) {
      const int at = bodies_[static_cast<std::size_t>(body)].v;
      if (at < 0) return;
      const Vector3d push = vector_at(a + at) + vector_at(a + at + 3).cross(arm);
      gap_acceleration[i] += sign * touch.normal.dot(push);
    };
    add(contact.first_body, touch.first_arm, 1.0);
    add(contact.second_body, touch.second_arm, -1.0);
  }
}

void SpatialMechanism::coordinate_rates(const double* q, const double* v, double* dqdt) const {
  for (const SpatialBody& body : bodies_) {
    if (body.kind != BodyKind::free) continue;
    for (int k = 0; k < 3; ++k) dqdt[body.q + k] = v[body.v + k];
    const double qw = q[body.q + 3];
    const Vector3d qv = vector_at(q + body.q + 4), w = vector_at(v + body.v + 3);
    const Vector3d rate = 0.5 * (qw * w + w.cross(qv));
    dqdt[body.q + 3] = -0.5 * w.dot(qv);
    for (int k = 0; k < 3; ++k) dqdt[body.q + 4 + k] = rate[k];
  }
}

void SpatialMechanism::displace(double* q, const double* move) const {
  for (const SpatialBody& body : bodies_) {
    if (body.kind != BodyKind::free) continue;
    for (int k = 0; k < 3; ++k) q[body.q + k] += move[body.v + k];
    const Vector3d turn = vector_at(move + body.v + 3);
    const double angle = turn.norm();
    const double part = angle > 0.0 ? std::sin(0.5 * angle) / angle : 0.5;
    const Eigen::Quaterniond by(std::cos(0.5 * angle), part * turn[0], part * turn[1],
                                part * turn[2]);
    const Eigen::Quaterniond at(q[body.q + 3], q[body.q + 4], q[body.q + 5], q[body.q + 6]);
    const Eigen::Quaterniond to = (by * at).normalized();
    q[body.q + 3] = to.w();
    q[body.q + 4] = to.x();
    q[body.q + 5] = to.y();
    q[body.q + 6] = to.z();
  }
}

void SpatialMechanism::normalise(double* q) const {
  for (const SpatialBody& body : bodies_) {
    if (body.kind != BodyKind::free) continue;
    Eigen::Map<Eigen::Vector4d> quaternion(q + body.q + 3);
    quaternion.normalize();
  }
}

Energies SpatialMechanism::energies(double t, const double* q, const double* v) {
  place(t, q, v);
  Energies e;
  const Vector3d gravity = vector_at(values_.data());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_[b].kind != BodyKind::free) continue;
    const BodyMotion& motion = motions_[b];
    e.kinetic += 0.5 * bodies_[b].mass * motion.velocity.squaredNorm() +
                 0.5 * motion.spin.dot(world_inertia(b) * motion.spin);
    if (is_gravity_constant_) e.potential -= bodies_[b].mass * gravity.dot(motion.pose.position);
  }
  for (const SpatialSpring& spring : springs_) {
    if (!spring.is_conservative) continue;
    const double* value = values_.data() + spring.value;
    const double stretch = (point_of(spring.first) - point_of(spring.second)).norm() - value[2];
    e.potential += 0.5 * value[0] * stretch * stretch;
  }
  return e;
}

void SpatialMechanism::formula_motion(double t, const double* q, const double* v,
                                      FormulaValue* values) {
  load(t, q, v);
  watched_.evaluate(inputs_.data(), values);
  FormulaValue* borders = values + watched_.count();
  std::fill_n(borders, bordered_.size(), FormulaValue{1.0, 0.0});
  if (bordered_.empty()) return;
  place(t, q, v);
  for (const int closed : evaluated_) {
    const auto found = std::lower_bound(bordered_.begin(), bordered_.end(), closed);
    if (found == bordered_.end() || *found != closed) continue;
    const SpatialContact& contact = contacts_[static_cast<std::size_t>(closed)];
    const BorderMotion border =
        border_motion(contact, motions_[static_cast<std::size_t>(contact.first_body)],
                      motions_[static_cast<std::size_t>(contact.second_body)]);
    borders[found - bordered_.begin()] = {border.margin, border.rate};
  }
}

}  // namespace clack
