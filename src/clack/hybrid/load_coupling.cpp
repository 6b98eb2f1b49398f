// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/load_coupling.hpp"

#include <numeric>

#include "clack/index.hpp"

namespace clack {

LoadCoupling::LoadCoupling(const Model& model, const Snapshot& snapshot) {
  const int coordinates = number_of(model.coordinates), speeds = number_of(model.speeds);
  first_speed_ = coordinates;
  time_ = coordinates + speeds;
  int nodes = time_ + 1;
  for (const Body& body : model.bodies)
    body_.push_back(body.kind == BodyKind::fixed ? -1 : nodes++);
  parent_.resize(nodes);
  std::iota(parent_.begin(), parent_.end(), 0);
  symbol_[symbolic::symbol_name(model.time)] = time_;
  for (int c = 0; c < coordinates; ++c)
    symbol_[symbolic::symbol_name(model.coordinates[c].symbol)] = c;
  for (int j = 0; j < speeds; ++j)
    symbol_[symbolic::symbol_name(model.speeds[j].symbol)] = first_speed_ + j;
  for (int c = 0; c < number_of(model.rates); ++c) formula(model.rates[c], c);
  add_bodies(model);
  add_loads(model);
  add_contacts(model);
  add_rows(snapshot);
}

int LoadCoupling::root(int node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void LoadCoupling::formula(const Expression& e, int node) {
  if (!e.is_valid() || node < 0) return;
  for (const Expression& symbol : symbolic::symbols_of(e))
    if (const auto found = symbol_.find(symbolic::symbol_name(symbol)); found != symbol_.end())
      join(found->second, node);
}

void LoadCoupling::formulas(std::span<const Expression> all, int node) {
  for (const Expression& e : all) formula(e, node);
}

void LoadCoupling::add_bodies(const Model& model) {
  for (const BodyIndex b : indices(model.bodies)) {
    const Body& body = model.bodies[b];
    const int node = node_of(b);
    if (node < 0) continue;
    if (body.kind == BodyKind::free) {
      const int rates = model.dimension == 2 ? 3 : 6, places = model.dimension == 2 ? 3 : 7;
      for (int k = 0; k < places; ++k) join(body.first_coordinate + k, node);
      for (int k = 0; k < rates; ++k) join(first_speed_ + body.first_speed + k, node);
    }
    formulas(body.position, node);
    formula(body.angle, node);
    for (const RotationStep& step : body.rotation) {
      if (const auto* turn = std::get_if<Turn>(&step))
        formula(turn->angle, node);
      else
        formulas(std::get<QuaternionFormulas>(step), node);
    }
    if (body.mass > 0.0) formulas(model.gravity, node);
  }
}

void LoadCoupling::add_loads(const Model& model) {
  const auto pair = [&](BodyIndex a, BodyIndex b) {
    if (a.is_valid() && b.is_valid() && node_of(a) >= 0 && node_of(b) >= 0)
      join(node_of(a), node_of(b));
  };
  for (const Spring& spring : model.springs) {
    pair(spring.first.body, spring.second.body);
    for (const BodyIndex body : {spring.first.body, spring.second.body})
      for (const Expression& e : {spring.stiffness, spring.damping, spring.rest})
        formula(e, node_of(body));
  }
  for (const PointForce& force : model.forces) formulas(force.components, node_of(force.on.body));
  for (const Torque& torque : model.torques) {
    pair(torque.body, torque.reaction);
    formula(torque.value, node_of(torque.body));
    formulas(torque.components, node_of(torque.body));
  }
  for (const GeneralisedForce& force : model.generalised_forces)
    formula(force.value, force.speed >= 0 ? first_speed_ + force.speed : force.coordinate);
  for (const Constraint& constraint : model.constraints)
    for (const Expression& row : constraint.rows) {
      const std::vector<Expression> symbols = symbolic::symbols_of(row);
      for (const Expression& symbol : symbols)
        if (const auto found = symbol_.find(symbolic::symbol_name(symbol)); found != symbol_.end())
          formula(row, found->second);
    }
  if (model.mass_matrix.empty()) return;
  for (int node = 1; node < time_; ++node) join(node, 0);
  formulas(model.force, 0);
  for (const auto& row : model.mass_matrix) formulas(row, 0);
}

/// Who may be touched by a prescribed body, or has a gap that moves by itself, is not left alone for good.
void LoadCoupling::add_contacts(const Model& model) {
  for (const Contact& contact : model.contacts) {
    if (const GapFormulas* given = contact.formulas()) {
      if (!symbolic::depends_on(given->gap, model.time)) continue;
      formula(given->gap, time_);
      continue;
    }
    const BodyIndex a = contact.between()->first.body, b = contact.between()->second.body;
    const auto is_moving = [&](BodyIndex body) {
      return model.bodies[body].kind == BodyKind::moving;
    };
    if (is_moving(a) && node_of(b) >= 0) join(node_of(b), time_);
    if (is_moving(b) && node_of(a) >= 0) join(node_of(a), time_);
  }
}

void LoadCoupling::add_rows(const Snapshot& s) {
  const int n = s.speeds();
  const auto row = [&](const double* values) {
    int first = -1;
    for (int j = 0; j < n; ++j) {
      if (values[j] == 0.0) continue;
      if (first >= 0) join(first_speed_ + j, first_speed_ + first);
      first = first < 0 ? j : first;
    }
  };
  for (int i = 0; i < n; ++i)
    for (int j = s.mass_begin(i); j < i; ++j)
      if (s.data()[i * n + j] != 0.0) join(first_speed_ + i, first_speed_ + j);
  for (int r = 0; r < s.contacts() * (1 + s.tangents()); ++r) row(s.data() + s.at_normal() + r * n);
  for (int b = 0; b < s.constraint_rows(); ++b) row(s.data() + s.at_constraint() + b * n);
}

}  // namespace clack
