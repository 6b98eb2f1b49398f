// SPDX-License-Identifier: Apache-2.0
#include "clack/mechanism/embedded_equations.hpp"

#include <algorithm>

#include "clack/mechanism/unrolled_gram_schmidt.hpp"
#include "clack/mechanism/unrolled_lu.hpp"

namespace clack {
namespace {

using Row = std::vector<Expression>;
using Table = std::vector<Row>;

Row negated(Row x) {
  for (Expression& e : x) e = -e;
  return x;
}

/// What is known of one mode while its equations are put together.
template <class Solver>
struct Embedder {
  const MotionSymbols& motion;
  const Equations& equations;
  std::span<const EmbeddedRow> rows;
  const Elimination& order;
  Solver block;                               // B_D
  Row speed_symbols = {}, speed_values = {};  // u_D and what they are
  EmbeddedEquations out = {};

  std::size_t r() const { return order.dependent.size(); }
  std::size_t p() const { return order.independent.size(); }

  void dependent_speeds() {
    out.dependence.assign(r(), Row(p(), motion.zero()));
    for (std::size_t j = 0; j < p(); ++j) {
      Row column;
      for (const int row : order.rows) column.push_back(rows[row].row[order.independent[j]]);
      const Row entries = negated(block.solve(std::move(column)));
      for (std::size_t i = 0; i < r(); ++i) out.dependence[i][j] = entries[i];
    }
    std::vector<Expression> speeds;
    for (int j = 0; j < motion.speeds(); ++j) speeds.push_back(motion.speed(j));
    const std::vector<Expression> none(speeds.size(), motion.zero());
    for (const int row : order.rows) out.drive.push_back(substitute(rows[row].rate, speeds, none));
    out.dependent_speeds = negated(block.solve(out.drive));
    for (std::size_t i = 0; i < r(); ++i) {
      for (std::size_t j = 0; j < p(); ++j)
        out.dependent_speeds[i] =
            out.dependent_speeds[i] + out.dependence[i][j] * motion.speed(order.independent[j]);
      speed_symbols.push_back(motion.speed(order.dependent[i]));
    }
    speed_values = out.dependent_speeds;
  }

  /// A formula of all speeds as one of the independent ones.
  Expression of_independent(Expression e) const {
    return r() == 0 ? e : substitute(e, speed_symbols, speed_values);
  }

  void accelerations() {
    Row bias;
    for (const int row : order.rows) bias.push_back(of_independent(rows[row].bias));
    out.gamma = negated(block.solve(std::move(bias)));
  }

  void equations_of_motion() {
    const int n = motion.speeds();
    const Table& M = equations.mass_matrix;
    Table MT(n, Row(p(), motion.zero()));
    Row rest;  // f - M gamma
    for (int a = 0; a < n; ++a) {
      Expression value = of_independent(equations.force[a]);
      for (std::size_t i = 0; i < r(); ++i) value = value - M[a][order.dependent[i]] * out.gamma[i];
      rest.push_back(value);
      for (std::size_t j = 0; j < p(); ++j) {
        Expression& entry = MT[a][j];
        entry = M[a][order.independent[j]];
        for (std::size_t i = 0; i < r(); ++i)
          entry = entry + M[a][order.dependent[i]] * out.dependence[i][j];
      }
    }
    out.mass.assign(p(), Row(p(), motion.zero()));
    for (std::size_t j = 0; j < p(); ++j) {
      Expression force = rest[order.independent[j]];
      for (std::size_t i = 0; i < r(); ++i)
        force = force + out.dependence[i][j] * rest[order.dependent[i]];
      out.force.push_back(force);
      for (std::size_t k = 0; k <= j; ++k) {
        Expression entry = MT[order.independent[j]][k];
        for (std::size_t i = 0; i < r(); ++i)
          entry = entry + out.dependence[i][j] * MT[order.dependent[i]][k];
        out.mass[j][k] = out.mass[k][j] = entry;
      }
    }
    reactions(MT, rest);
  }

  void reactions(const Table& MT, const Row& rest) {
    out.reaction_inertia.assign(r(), Row(p(), motion.zero()));
    const auto dependent_part = [&](auto entry) {
      Row part;
      for (const int d : order.dependent) part.push_back(entry(d));
      return block.solve_transposed(std::move(part));
    };
    for (std::size_t j = 0; j < p(); ++j) {
      const Row column = dependent_part([&](int d) { return MT[d][j]; });
      for (std::size_t i = 0; i < r(); ++i) out.reaction_inertia[i][j] = column[i];
    }
    out.reaction_force = dependent_part([&](int d) { return rest[d]; });
    out.applied_power = of_independent(equations.applied_power);
    out.drive_power = of_independent(equations.drive_power);
    for (int k = 0; k < motion.coordinates() && !motion.rates_are_speeds(); ++k)
      out.coordinate_rates.push_back(of_independent(motion.coordinate_rate(k)));
  }
};

Table dependent_block(std::span<const EmbeddedRow> rows, const Elimination& order) {
  Table block;
  for (const int row : order.rows) {
    Row& line = block.emplace_back();
    for (const int speed : order.dependent) line.push_back(rows[row].row[speed]);
  }
  return block;
}

template <class Solver>
EmbeddedEquations embed_by(const MotionSymbols& motion, const Equations& equations,
                           std::span<const EmbeddedRow> rows, const Elimination& order) {
  Embedder<Solver> embedder{motion, equations, rows, order, Solver(dependent_block(rows, order))};
  embedder.dependent_speeds();
  embedder.accelerations();
  embedder.equations_of_motion();
  return std::move(embedder.out);
}

}  // namespace

Elimination without_order(Elimination elimination) {
  std::ranges::sort(elimination.rows);
  std::ranges::sort(elimination.dependent);
  std::ranges::sort(elimination.independent);
  return elimination;
}

EmbeddedEquations embed_equations(const MotionSymbols& motion, const Equations& equations,
                                  std::span<const EmbeddedRow> rows, const Elimination& order,
                                  EliminationMethod method) {
  return method == EliminationMethod::orthogonal
             ? embed_by<UnrolledGramSchmidt>(motion, equations, rows, order)
             : embed_by<UnrolledLu>(motion, equations, rows, order);
}

}  // namespace clack
