// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/constraint_rows.hpp"

#include "clack/error.hpp"

namespace clack {
namespace {

void check_linear(const Model& model, const Constraint& constraint, const MotionSymbols& motion,
                  Expression coefficient) {
  for (int k = 0; k < motion.speeds(); ++k)
    if (depends_on(coefficient, motion.speed(k)))
      throw ModelError(
          "constraint " + constraint.name + ": its formula is not linear in the speeds",
          model.where(constraint.place), "write motion constraints as a sum of formula * speed");
}

}  // namespace

std::vector<std::vector<ConstraintRow>> derive_constraints(const Model& model,
                                                           const MotionSymbols& motion) {
  std::vector<std::vector<ConstraintRow>> constraints;
  for (const Constraint& constraint : model.constraints) {
    auto& rows = constraints.emplace_back();
    for (std::size_t r = 0; r < constraint.rows.size(); ++r) {
      const Expression formula = constraint.rows[r];
      const bool is_configuration = constraint.kind_of(r) == ConstraintKind::configuration;
      ConstraintRow row;
      row.value = is_configuration ? formula : motion.zero();
      row.rate = !is_configuration          ? formula
                 : constraint.rates.empty() ? motion.rate(formula)
                                            : constraint.rates[r];
      row.bias = constraint.biases.empty() ? motion.rate(row.rate) : constraint.biases[r];
      for (int j = 0; j < motion.speeds(); ++j) {
        row.row.push_back(motion.speed_derivative(row.rate, j));
        check_linear(model, constraint, motion, row.row.back());
      }
      rows.push_back(std::move(row));
    }
  }
  return constraints;
}

}  // namespace clack
