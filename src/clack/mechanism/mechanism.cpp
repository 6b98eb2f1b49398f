// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/mechanism.hpp"

#include <algorithm>

#include "clack/error.hpp"
#include "clack/index.hpp"
#include "clack/mechanism/copy_few.hpp"
#include "clack/mechanism/tolerances.hpp"
#include "clack/model/own_formulas.hpp"

namespace clack {
namespace {

using Eigen::Vector3d;
using symbolic::Program;

/// Nothing but free bodies moves by forces: their equations are written in numbers.
bool has_free_bodies_only(const Model& model) {
  const auto is = [&](BodyKind kind) {
    return std::ranges::count(model.bodies, kind, &Body::kind);
  };
  const auto free = static_cast<std::size_t>(is(BodyKind::free));
  std::size_t of_feet = 0;
  for (const Foot& foot : model.feet) of_feet += model.paths[foot.path].parameters;
  return model.dimension == 3 && free > 0 && is(BodyKind::placed) == 0 &&
         model.coordinates.size() == 7 * free + of_feet && model.speeds.size() == 6 * free &&
         model.torques.empty() && std::ranges::none_of(model.springs, [](const Spring& spring) {
           return spring.along.is_valid();
         });
}

void append_signal(std::vector<double>& inputs, const Signal& signal) {
  inputs.insert(inputs.end(), {signal.value, signal.rate, signal.acceleration, signal.since});
}

std::vector<double> start_inputs(const Model& model, const Switching& switching) {
  std::vector<double> inputs{0.0};
  for (const Coordinate& c : model.coordinates) inputs.push_back(c.start);
  for (const Speed& s : model.speeds) inputs.push_back(s.start);
  for (const Input& input : model.inputs) append_signal(inputs, input.start);
  inputs.resize(inputs.size() + switching.count());
  switching.load(inputs.data());
  return inputs;
}

BodyKinematics placed_at_start(const Model& model, const MotionSymbols& motion,
                               const Switching& switching) {
  BodyKinematics kinematics(model, motion);
  kinematics.place(start_inputs(model, switching).data());
  return kinematics;
}

/// Two edges seem to overlap: their bodies tell whether they do (geometry/solid_distance.hpp).
void part_edges_of_parted(const SolidSource& solids, const ContactKey& contact,
                          const BodyKinematics& kinematics, TouchMotion& touch) {
  const SolidContact key{static_cast<SolidOwner>(contact.owner), contact.first, contact.second};
  if (key.owner != SolidOwner::edges || !(touch.gap < 0.0)) return;
  const SpatialDistance d = distance_of(solids.pair(), key, kinematics.body(solids.first_body).pose,
                                        kinematics.body(solids.second_body).pose);
  if (d.is_candidate) return;
  touch.gap = d.distance;
  touch.gap_rate *= d.normal.dot(touch.normal);
  touch.gap_bias = 0.0;
  touch.normal = d.normal;
}

}  // namespace

Mechanism::Mechanism(const Model& shared)
    : switched_(split_switches(with_own_formulas(shared))),
      model_(switched_.model),
      coordinates_(number_of(model_.coordinates)),
      speeds_(number_of(model_.speeds)),
      tangents_(model_.dimension - 1),
      motion_(model_, switched_.branches()),
      switching_(switched_.switches, motion_.inputs()),
      spatial_(has_free_bodies_only(model_) ? std::optional(SpatialBodies(model_, motion_))
                                            : std::nullopt),
      equations_(spatial_ ? std::nullopt : std::optional(derive_equations(model_, motion_))),
      sides_(model_),
      rows_(model_, motion_, equations_),
      kinematics_(placed_at_start(model_, motion_, switching_)),
      neighbourhood_(model_, kinematics_.bodies()),
      formula_neighbourhood_(model_, motion_),
      outlines_(outline_sources(model_)),
      solids_(solid_sources(model_)),
      outline_neighbours_(outlines_),
      outline_bounds_(model_, motion_),
      watched_(model_, switched_.switches, motion_),
      feet_(model_, motion_) {
  const Model& model = model_;
  inputs_.resize(motion_.inputs().size() + speeds_);
  std::vector<Signal> signals;
  for (const Input& input : model.inputs) signals.push_back(input.start);
  set_signals(signals);
  if (equations_) {
    const std::array<Expression, 2> energies{equations_->kinetic, equations_->potential};
    energies_ = Program(motion_.inputs(), energies);
  }
  if ((equations_ && !rates_are_speeds()) || !feet_.empty())
    coordinate_rates_ = Program(motion_.inputs(), model.rates);
  moved_.resize(coordinates_);
  resting_.resize(coordinates_);
  for (const BodyMotion& body : kinematics_.bodies()) start_.push_back(body.pose);
  for (const SourceIndex source : indices(model.contacts)) {
    const bool is_fixed = source_kind(model, model.contacts[source]) == SourceKind::fixed;
    source_frames_.push_back(is_fixed ? frame_of(sides_.of({.source = source})) : ContactFrame());
  }
  for (const Body& body : model.bodies)
    if (spatial_ && body.kind == BodyKind::free)
      for (int k = 0; k < 6; ++k)  // translation: a diagonal, rotation: a block
        mass_begin_.push_back(body.first_speed + (k < 3 ? k : 3));
  for (int j = 0; equations_ && j < speeds_; ++j) {
    const std::vector<Expression>& row = equations_->mass_matrix[j];
    const auto first = std::find_if(row.begin(), row.begin() + j,
                                    [&](const Expression& e) { return e != motion_.zero(); });
    mass_begin_.push_back(first - row.begin());
  }
  gather_surfaces(model);
  refuse_deep_solids(model);
}

bool Mechanism::has_applied_power() const {
  if (spatial_) return spatial_->has_applied_power();
  return equations_->applied_power != motion_.zero() || equations_->drive_power != motion_.zero();
}

Snapshot Mechanism::snapshot(const RowSelection& rows) const {
  Snapshot made(speeds_, tangents_, number_of(rows.contacts), constraint_rows(rows.constraints),
                rows_.constant_mass());
  made.set_mass_begin(mass_begin_);
  return made;
}

/// Surface velocities of contacts between bodies and their rates, formulas of t.
void Mechanism::gather_surfaces(const Model& model) {
  std::vector<Expression> outputs;
  for (const Contact& contact : model.contacts) {
    const bool has_surface = contact.between() && !contact.surface_velocity.empty();
    surface_value_.push_back(has_surface ? number_of(outputs) : -1);
    if (!has_surface) continue;
    for (const Expression& e : contact.surface_velocity) outputs.push_back(e);
    for (const Expression& e : contact.surface_velocity) outputs.push_back(motion_.rate(e));
  }
  surfaces_ = Program(motion_.inputs(), outputs);
  surface_values_.resize(outputs.size());
}

int Mechanism::constraint_rows(std::span<const int> constraints) const {
  int rows = 0;
  for (const int c : constraints) rows += constraint_rows(c);
  return rows;
}

const double* Mechanism::load(double t, const double* q, const double* v) {
  inputs_[0] = t;
  if (v == q + coordinates_) {  // as the states of runs have them
    copy_few(q, coordinates_ + speeds_, inputs_.data() + 1);
  } else {
    copy_few(q, coordinates_, inputs_.data() + 1);
    copy_few(v, speeds_, inputs_.data() + 1 + coordinates_);
  }
  if (switching_.count() > 0) switching_.load(inputs_.data());
  return inputs_.data();
}

const double* Mechanism::place(double t, const double* q, const double* v) {
  const double* inputs = load(t, q, v);
  kinematics_.place(inputs);
  if (!surface_values_.empty()) surfaces_(inputs, surface_values_.data());
  return inputs;
}

const double* Mechanism::place_for(std::span<const ContactKey> contacts, double t, const double* q,
                                   const double* v) {
  const bool is_worth_it =
      contacts.size() == 1 && kinematics_.free_bodies() >= mechanism_tolerances.many_bodies &&
      !neighbourhood_.is_trivial();  // else nobody places all bodies before they are compared
  if (!is_worth_it) return place(t, q, v);
  const double* inputs = load(t, q, v);
  const ContactSides sides = sides_.of(contacts[0]);
  if (!kinematics_.place_alone(inputs, sides.first_body) ||
      !kinematics_.place_alone(inputs, sides.second_body))
    kinematics_.place(inputs);
  if (!surface_values_.empty()) surfaces_(inputs, surface_values_.data());
  return inputs;
}

const BodyMotions& Mechanism::bodies(double t, const double* q, const double* v) {
  place(t, q, v);
  return kinematics_.bodies();
}

double Mechanism::largest_spin() const {
  double spin = 0.0;
  for (const BodyMotion& body : kinematics_.bodies()) spin = std::max(spin, body.spin.norm());
  return spin;
}

ContactFrame Mechanism::frame_of(const ContactSides& sides) const {
  if (tangents_ == 1) return ContactFrame();
  return ContactFrame(signed_distance(*sides.first, start_[sides.first_body], *sides.second,
                                      start_[sides.second_body])
                          .normal);
}

/// At the state placed last.
TouchMotion Mechanism::touch(SourceIndex source, const ContactSides& sides,
                             const ContactFrame& frame, Reach reach) const {
  const BodyMotion &a = kinematics_.body(sides.first_body),
                   &b = kinematics_.body(sides.second_body);
  TouchMotion touch =
      tangents_ == 1 ? planar_touch(sides, a, b) : spatial_touch(sides, frame, a, b, reach);
  if (surface_value_[source] < 0) return touch;
  const double* surface = surface_values_.data() + surface_value_[source];
  for (int k = 0; k < tangents_; ++k) {
    touch.slip[k] -= surface[k];
    touch.slip_bias[k] -= surface[tangents_ + k];
  }
  return touch;
}

std::unique_ptr<SnapshotEvaluator> Mechanism::evaluator(const RowSelection& rows) {
  std::unique_ptr<SnapshotEvaluator> made(new SnapshotEvaluator(*this));
  FormulaSelection formulas{{}, rows.constraints};
  for (int local = 0; local < number_of(rows.contacts); ++local) {
    const ContactKey& key = rows.contacts[local];
    if (rows_.has_contact(key.source)) {
      formulas.sources.push_back(key.source);
      made->formula_local_.push_back(local);
    } else {
      const ContactSides sides = sides_.of(key);
      made->touching_.push_back({local, key.source, sides, frame_of(sides)});
    }
  }
  const bool has_formulas =
      equations_ || !formulas.sources.empty() || !formulas.constraints.empty();
  if (!has_formulas) return made;
  made->formulas_ = rows_.compiled(formulas);
  made->formula_rows_ = Snapshot(speeds_, tangents_, made->formulas_->contacts,
                                 made->formulas_->constraint_rows, rows_.constant_mass());
  for (const auto& [at, value] : made->formulas_->constant_rows)
    made->formula_rows_.data()[at - CompiledRows::shift_in(made->formula_rows_)] = value;
  return made;
}

void Mechanism::gap_motion(double t, const double* q, const double* v, const double* a,
                           std::span<const ContactKey> contacts, std::span<GapMotion> motion) {
  const GapOrder order = a != nullptr ? GapOrder::acceleration : GapOrder::rate;
  if (rows_.are_most(contacts.size())) {
    const double* inputs = load(t, q, v);
    if (a != nullptr) std::copy_n(a, speeds_, inputs_.data() + motion_.inputs().size());
    rows_.most_gap_motions(inputs, order, contacts, motion);
    return tell_resting(t, q, v, contacts, motion);
  }
  if (contacts.size() == 1 && rows_.has_contact(contacts[0].source)) {  // a guard that is searched
    const double* inputs = load(t, q, v);
    if (a != nullptr) std::copy_n(a, speeds_, inputs_.data() + motion_.inputs().size());
    rows_.gap_motion(inputs, order, {&contacts[0].source, 1}, motion);
    return tell_resting(t, q, v, contacts, motion);
  }
  sources_.clear();
  bool has_bodies = false;
  for (const ContactKey& key : contacts) {
    if (rows_.has_contact(key.source))
      sources_.push_back(key.source);
    else
      has_bodies = true;
  }
  const double* inputs = has_bodies ? place_for(contacts, t, q, v) : load(t, q, v);
  if (!sources_.empty()) {
    if (a != nullptr) std::copy_n(a, speeds_, inputs_.data() + motion_.inputs().size());
    formula_gaps_.resize(sources_.size());
    rows_.gap_motion(inputs, order, sources_, formula_gaps_);
  }
  std::size_t formula = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (rows_.has_contact(contacts[i].source)) {
      motion[i] = formula_gaps_[formula++];
      continue;
    }
    const ContactSides sides = sides_.of(contacts[i]);
    TouchMotion touch =
        this->touch(contacts[i].source, sides, source_frames_[contacts[i].source], Reach::free);
    if (const SolidSource* solids = solids_of_source(contacts[i].source))
      part_edges_of_parted(*solids, contacts[i], kinematics_, touch);
    motion[i] = {touch.gap, touch.gap_rate, touch.gap_bias};
    if (a == nullptr) continue;
    motion[i].acceleration += acceleration_at(sides.first_body, touch.normal, touch.first_arm, a);
    motion[i].acceleration -= acceleration_at(sides.second_body, touch.normal, touch.second_arm, a);
  }
  tell_resting(t, q, v, contacts, motion);
}

/// direction . (acceleration of the material point at the end of the arm), the part that dv/dt gives.
double Mechanism::acceleration_at(BodyIndex body, const Vector3d& direction, const Vector3d& arm,
                                  const double* a) const {
  const int at = kinematics_.free_speed(body);
  if (at >= 0 && tangents_ == 2)
    return direction.dot(vector_at(a + at) + vector_at(a + at + 3).cross(arm));
  if (at >= 0)
    return direction.x() * (a[at] - a[at + 2] * arm.y()) +
           direction.y() * (a[at + 1] + a[at + 2] * arm.x());
  double sum = 0.0;
  for (const SpeedEffect& effect : kinematics_.effects(body))
    sum += direction.dot(effect.velocity + effect.spin.cross(arm)) * a[effect.speed];
  return sum;
}

/// Adds sign * d(direction . velocity of the material point at the end of the arm)/dv to a row.
void Mechanism::add_row(BodyIndex body, const Vector3d& direction, const Vector3d& arm, double sign,
                        double* row) const {
  const int at = kinematics_.free_speed(body);
  if (at >= 0 && tangents_ == 2) {
    const Vector3d moment = arm.cross(direction);
    for (int k = 0; k < 3; ++k) {
      row[at + k] += sign * direction[k];
      row[at + 3 + k] += sign * moment[k];
    }
  } else if (at >= 0) {
    row[at] += sign * direction.x();
    row[at + 1] += sign * direction.y();
    row[at + 2] += sign * (arm.x() * direction.y() - arm.y() * direction.x());
  } else {
    for (const SpeedEffect& effect : kinematics_.effects(body))
      row[effect.speed] += sign * direction.dot(effect.velocity + effect.spin.cross(arm));
  }
}

void Mechanism::write_touch(const SnapshotEvaluator::Touching& contact, Snapshot& s) const {
  const TouchMotion touch = this->touch(contact.source, contact.sides, contact.frame, Reach::held);
  const int n = s.speeds(), count = s.contacts(), k = tangents_, i = contact.local;
  double* out = s.data();
  out[s.at_gap() + i] = touch.gap;
  out[s.at_gap() + count + i] = touch.gap_rate;
  out[s.at_gap() + 2 * count + i] = touch.gap_bias;
  const auto write_row = [&](double* row, const Vector3d& direction) {
    std::fill_n(row, n, 0.0);
    add_row(contact.sides.first_body, direction, touch.first_arm, 1.0, row);
    add_row(contact.sides.second_body, direction, touch.second_arm, -1.0, row);
  };
  write_row(out + s.at_normal() + i * n, touch.normal);
  for (int a = 0; a < k; ++a) {
    write_row(out + s.at_tangent() + (k * i + a) * n, touch.tangents.col(a));
    out[s.at_slip() + k * i + a] = touch.slip[a];
    out[s.at_slip() + k * count + k * i + a] = touch.slip_bias[a];
  }
}

ContactPlace Mechanism::place_of(double t, const double* q, const double* v,
                                 const ContactKey& contact) {
  if (rows_.has_contact(contact.source)) return {};
  place(t, q, v);
  const ContactSides sides = sides_.of(contact);
  const TouchMotion touch = this->touch(contact.source, sides, frame_of(sides), Reach::held);
  ContactPlace place{.first_body = sides.first_body, .second_body = sides.second_body};
  place.first_centre = kinematics_.body(sides.first_body).pose.position;
  place.second_centre = kinematics_.body(sides.second_body).pose.position;
  place.point = place.first_centre + touch.first_arm;
  place.normal = touch.normal;
  place.tangents = touch.tangents;
  return place;
}

Energies Mechanism::energies(double t, const double* q, const double* v) {
  if (spatial_) {
    spatial_->load(place(t, q, v));
    return spatial_->energies(kinematics_);
  }
  std::array<double, 2> values{};
  energies_(load(t, q, v), values.data());
  return {values[0], values[1]};
}

void Mechanism::formula_motion(double t, const double* q, const double* v,
                               std::span<const double> forces, FormulaValue* values) {
  watched_.evaluate(load(t, q, v), forces, values);
}

std::unique_ptr<Mechanism> make_mechanism(const Model& model) {
  return std::make_unique<Mechanism>(model);
}

}  // namespace clack
