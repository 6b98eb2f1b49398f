// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/mode_formulas.hpp"

#include <fmt/format.h>

#include "clack/mechanism/constraint_rows.hpp"
#include "clack/mechanism/contact_formulas.hpp"
#include "clack/mechanism/unrolled_lu.hpp"
#include "clack/model/contact_source.hpp"

namespace clack {
namespace {

using Formulas = std::vector<Expression>;

/// Of sliding: what is given, or the coefficient of the first zone that the contact is in, or its own.
Expression friction_of(const Model& model, const MotionSymbols& motion, const ModeContact& c) {
  if (c.friction) return motion.number(*c.friction);
  const Contact& contact = model.contacts[c.contact.source];
  Expression friction = motion.number(contact.coefficients.dynamic_friction);
  for (std::size_t k = contact.zones.size(); k-- > 0;) {
    const Zone& zone = contact.zones[k];
    if (!zone.features.empty()) continue;  // of outlines, which have no formulas
    friction = select(less(motion.zero(), zone.where),
                      motion.number(zone.coefficients.dynamic_friction), friction);
  }
  return friction;
}

/// J_N - mu e . J_T
Formulas sliding_row(const ContactFormulas& f, const Expression& friction) {
  Formulas row = f.normal_row;
  if (symbolic::is_number(friction) && symbolic::number_value(friction) == 0.0) return row;
  Expression squared;
  for (const Expression& slip : f.slip)
    squared = squared.is_valid() ? squared + slip * slip : slip * slip;
  for (std::size_t a = 0; a < f.slip.size(); ++a) {
    const Expression direction = f.slip.size() == 1 ? sign(f.slip[0]) : f.slip[a] / sqrt(squared);
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = row[j] - friction * direction * f.tangent_rows[a][j];
  }
  return row;
}

}  // namespace

std::vector<ModeRow> mode_rows(const Model& model, const MotionSymbols& motion,
                               const std::vector<ModeContact>& contacts,
                               const std::vector<int>& constraints) {
  std::vector<ModeRow> rows;
  std::vector<ContactFormulas> formulas;
  for (const ModeContact& c : contacts) {
    formulas.push_back(contact_formulas(model, c.contact, motion));
    const ContactFormulas& f = formulas.back();
    const Expression friction = c.is_stick ? motion.zero() : friction_of(model, motion, c);
    rows.push_back({contact_name(model, c.contact),
                    {f.normal_row, f.gap_rate, f.gap_bias},
                    f.gap,
                    sliding_row(f, friction)});
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactFormulas& f = formulas[i];
    const std::size_t tangents = f.slip.size();
    for (std::size_t a = 0; a < tangents && contacts[i].is_stick; ++a)
      rows.push_back({contact_name(model, contacts[i].contact) +
                          (tangents == 1 ? " tangent" : fmt::format(" tangent {}", a + 1)),
                      {f.tangent_rows[a], f.slip[a], f.slip_bias[a]},
                      {},
                      f.tangent_rows[a]});
  }
  const auto derived = derive_constraints(model, motion);
  for (const int c : constraints) {
    for (std::size_t r = 0; r < derived[c].size(); ++r) {
      const bool is_configuration =
          model.constraints[c].kind_of(r) == ConstraintKind::configuration;
      const ConstraintRow& row = derived[c][r];
      const std::string& name = model.constraints[c].name;
      rows.push_back({derived[c].size() == 1 ? name : fmt::format("{} {}", name, r + 1),
                      {row.row, row.rate, row.bias},
                      is_configuration ? row.value : Expression(),
                      row.row});
    }
  }
  return rows;
}

EmbeddedSolution solve_embedded(const MotionSymbols& motion, const std::vector<ModeRow>& rows,
                                const Elimination& order, const EmbeddedEquations& embedded) {
  const int n = motion.speeds(), p = number_of(order.independent), r = number_of(order.dependent);
  EmbeddedSolution out;
  out.transform.assign(n, Formulas(p, motion.zero()));
  out.gamma.assign(n, motion.zero());
  for (int j = 0; j < p; ++j) out.transform[order.independent[j]][j] = motion.number(1.0);
  std::vector<Formulas> pivots;
  for (int i = 0; i < r; ++i) {
    out.transform[order.dependent[i]] = embedded.dependence[i];
    out.gamma[order.dependent[i]] = embedded.gamma[i];
    auto& line = pivots.emplace_back();
    for (const int speed : order.dependent) line.push_back(rows[order.rows[i]].equation.row[speed]);
  }
  const UnrolledLu lu(pivots);
  // Unknowns: w', then x in the order of elimination.
  std::vector<Formulas> system(p + r, Formulas(p + r, motion.zero()));
  Formulas right = embedded.force;
  right.insert(right.end(), embedded.reaction_force.begin(), embedded.reaction_force.end());
  for (int j = 0; j < p; ++j)
    for (int k = 0; k < p; ++k) system[j][k] = embedded.mass[j][k];
  for (int i = 0; i < r; ++i) {
    for (int k = 0; k < p; ++k) system[p + i][k] = embedded.reaction_inertia[i][k];
    system[p + i][p + i] = motion.number(-1.0);
  }
  for (int i = 0; i < r; ++i) {
    const ModeRow& row = rows[order.rows[i]];
    Formulas change, dependent;  // dF
    for (int j = 0; j < n; ++j) change.push_back(row.force_row[j] - row.equation.row[j]);
    for (const int d : order.dependent) dependent.push_back(change[d]);
    const Formulas along = lu.solve_transposed(dependent);
    for (int k = 0; k < r; ++k) system[p + k][p + i] = system[p + k][p + i] - along[k];
    for (int j = 0; j < p; ++j)
      for (int a = 0; a < n; ++a)
        system[j][p + i] = system[j][p + i] - out.transform[a][j] * change[a];
  }
  const Formulas solved = UnrolledLu(system).solve(right);
  for (int a = 0; a < n; ++a) {
    Expression value = out.gamma[a];
    for (int j = 0; j < p; ++j) value = value + out.transform[a][j] * solved[j];
    out.acceleration.push_back(value);
  }
  out.forces.assign(rows.size(), motion.zero());
  for (int i = 0; i < r; ++i) out.forces[order.rows[i]] = solved[p + i];
  return out;
}

}  // namespace clack
