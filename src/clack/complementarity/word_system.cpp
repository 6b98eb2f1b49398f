// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/word_system.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <limits>

#include "clack/complementarity/cone_program.hpp"
#include "clack/complementarity/friction_tolerances.hpp"
#include "clack/index.hpp"
#include "clack/linalg/non_negative_least_squares.hpp"

namespace clack {
namespace {

constexpr double far_off = std::numeric_limits<double>::infinity();

/// The shortest y with  rows y + slack >= 0; empty when none was found, which is a proof that there is none or is not.
struct Shift {
  std::optional<Eigen::VectorXd> y = {};
  bool is_refuted = false;
};

/// Rows are scaled to length one.
Shift admissible_shift(Eigen::MatrixXd rows, Eigen::VectorXd slack) {
  const double largest = rows.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const double length = rows.row(k).norm();
    if (length <= friction_tolerances.rank * largest) {  // y cannot mend this one
      if (slack[k] < 0.0) return {.is_refuted = true};
      rows.row(k).setZero();
      continue;
    }
    rows.row(k) /= length;
    slack[k] /= length;
  }
  const double size = slack.cwiseAbs().maxCoeff();
  const ShortestVector nearest = shortest_vector(rows, -slack / size);
  if (!nearest.is_feasible) return {.is_refuted = nearest.is_refuted};
  const Eigen::VectorXd left = rows * nearest.y + slack / size;
  if (left.minCoeff() < -friction_tolerances.residual) return {};
  return {.y = Eigen::VectorXd(nearest.y * size)};
}

/// The same with Lorentz cones among the conditions, each scaled to rows of length one at most; proves nothing.
Shift admissible_shift(Eigen::MatrixXd rows, Eigen::VectorXd slack, const std::vector<int>& cones) {
  const double largest = rows.cwiseAbs().maxCoeff();
  int at = 0;
  for (const int size : cones) {
    auto own = rows.middleRows(at, size);
    auto room = slack.segment(at, size);
    at += size;
    const double length = own.rowwise().norm().maxCoeff();
    if (length > friction_tolerances.rank * largest) {
      own /= length;
      room /= length;
      continue;
    }
    const double side = size == 1 ? 0.0 : room.tail(size - 1).norm();
    if (!(room[0] >= side)) return {};  // y cannot mend this one
    own.setZero();
    room.setZero();
    room[0] = 1.0;
  }
  const double size = slack.cwiseAbs().maxCoeff();
  ConeProgram program{.weight = 1.0,
                      .c = Eigen::VectorXd::Zero(rows.cols()),
                      .G = std::move(rows),
                      .h = slack / size,
                      .cones = cones,
                      .start = {}};
  const ConeAnswer answer = solve_cone_program(program);
  if (!answer.is_solved) return {};
  return {.y = Eigen::VectorXd(answer.x * size)};
}

}  // namespace

WordSystem::WordSystem(const FrictionProblem& problem)
    : problem_(problem), W_(dense_delassus(problem)), scale_(problem.motion_scale()) {}

WordSystem::Unknowns WordSystem::unknowns(const Word& word) const {
  const int c = problem_.contacts(), d = problem_.dimension, k = d - 1;
  int m = 0;
  for (const WordLetter& letter : word)
    m += (letter.is_closed ? 1 : 0) + (letter.tangent == ContactStatus::stick ? k : 0);
  Unknowns out;
  out.map = Eigen::MatrixXd::Zero(d * c, m);
  out.fixed = Eigen::VectorXd::Zero(d * c);
  int column = 0;
  for (int i = 0; i < c; ++i) {
    const WordLetter& letter = word[i];
    const bool is_slip = letter.tangent == ContactStatus::slip;
    for (int a = 0; a < k && is_slip; ++a)
      out.fixed[d * i + 1 + a] = -letter.direction[a] * problem_.offset_of(i);
    if (letter.is_closed) {
      out.map(d * i, column) = 1.0;
      for (int a = 0; a < k; ++a) {
        const double e = is_slip                  ? letter.direction[a]
                         : problem_.is_sliding(i) ? problem_.direction[i * k + a]
                                                  : 0.0;
        out.map(d * i + 1 + a, column) = -e * problem_.dynamic_mu_of(i);
      }
      out.rows.push_back(d * i);
      ++column;
    }
    for (int a = 0; a < k && letter.tangent == ContactStatus::stick; ++a) {
      out.map(d * i + 1 + a, column) = 1.0;
      out.rows.push_back(d * i + 1 + a);
      ++column;
    }
  }
  return out;
}

WordSystem::Equations WordSystem::equations(const Unknowns& unknowns) const {
  const int m = number_of(unknowns.rows);
  Equations out{Eigen::MatrixXd(m, m), Eigen::VectorXd(m), Eigen::VectorXd(m)};
  for (int k = 0; k < m; ++k) {
    const int row = unknowns.rows[k];
    out.scaling[k] = 1.0 / std::sqrt(mobility(row));
    out.matrix.row(k) = W_.row(row) * unknowns.map;
    out.right[k] = -(problem_.q[row] + W_.row(row).dot(unknowns.fixed));
  }
  out.matrix = out.scaling.asDiagonal() * out.matrix * out.scaling.asDiagonal();
  out.right = out.scaling.cwiseProduct(out.right).eval();
  return out;
}

WordSystem::Particular WordSystem::particular(const Unknowns& unknowns, ForceNorm norm) const {
  const int m = number_of(unknowns.rows);
  Particular result{Eigen::VectorXd(m), Eigen::MatrixXd(m, 0)};
  if (m == 0) return result;
  const auto [matrix, right, scaling] = equations(unknowns);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(friction_tolerances.rank);
  factor.compute(matrix);
  const Eigen::VectorXd y = factor.solve(right);
  const double miss = (matrix * y - right).cwiseQuotient(scaling).cwiseAbs().maxCoeff();
  result.miss = miss > 0.0 ? miss / scale_ : miss == 0.0 ? 0.0 : far_off;
  result.x = scaling.cwiseProduct(y);
  const Eigen::VectorXd weight = norm == ForceNorm::kinetic
                                     ? Eigen::VectorXd(scaling.cwiseInverse())
                                     : Eigen::VectorXd::Ones(m);
  const int dimension = m - static_cast<int>(factor.rank());
  if (dimension == 0) return result;
  // The null space of the scaled matrix is spanned by the last rows of its orthogonal factor Z
  // P^-1.
  const Eigen::MatrixXd z = factor.matrixZ() * factor.colsPermutation().transpose();
  const Eigen::MatrixXd null = scaling.asDiagonal() * z.bottomRows(dimension).transpose();
  const Eigen::MatrixXd weighted = weight.asDiagonal() * null;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(weighted);
  const Eigen::MatrixXd basis = qr.householderQ() * Eigen::MatrixXd::Identity(m, dimension);
  const Eigen::VectorXd weighted_x = weight.cwiseProduct(result.x);
  result.x = (weighted_x - basis * (basis.transpose() * weighted_x)).cwiseQuotient(weight);
  result.free = weight.cwiseInverse().asDiagonal() * basis;
  return result;
}

/// Admissible: r_N >= 0 and |r_T| <= R where it sticks (plane: two sides; space: a cone); u_N >= 0
/// where open; u_T along its direction.
WordSystem::Limits WordSystem::limits(const Word& word) const {
  const int c = problem_.contacts(), d = problem_.dimension;
  Limits out;
  const int most = 4 * c;
  out.force = out.motion = Eigen::MatrixXd::Zero(most, d * c);
  out.room = out.tolerance = Eigen::VectorXd::Zero(most);
  const double motion = friction_tolerances.motion * scale_;
  const auto force = [&](int k) { return friction_tolerances.force * scale_ / mobility(k); };
  int row = 0;
  for (int i = 0; i < c; ++i) {
    const WordLetter& letter = word[i];
    (letter.is_closed ? out.force : out.motion)(row, d * i) = 1.0;
    out.tolerance[row++] = letter.is_closed ? force(d * i) : motion;
    out.cones.push_back(1);
    if (letter.tangent == ContactStatus::slip) {
      for (int a = 1; a < d; ++a) out.motion(row, d * i + a) = letter.direction[a - 1];
      out.tolerance[row++] = motion;
      out.cones.push_back(1);
    }
    if (letter.tangent != ContactStatus::stick) continue;
    const int rows = d == 2 ? 2 : 3;
    for (int s = 0; s < rows; ++s) {
      const bool is_bound = d == 2 || s == 0;  // of r_T; else r_T itself
      if (is_bound) {
        out.force(row, d * i) = problem_.mu[i];
        out.room[row] = problem_.offset_of(i);
        out.tolerance[row] = force(d * i + 1);
      }
      if (d == 2) out.force(row, d * i + 1) = s == 0 ? 1.0 : -1.0;
      if (d == 3 && s > 0) out.force(row, d * i + s) = 1.0;
      ++row;
    }
    out.cones.insert(out.cones.end(), d == 2 ? 2 : 1, d == 2 ? 1 : 3);
  }
  out.force.conservativeResize(row, Eigen::NoChange);
  out.motion.conservativeResize(row, Eigen::NoChange);
  out.room.conservativeResize(row);
  out.tolerance.conservativeResize(row);
  return out;
}

/// Largest excess of sticking reactions over their cones, in units of the tolerance.
double WordSystem::cone_excess(const Word& word, const Eigen::VectorXd& reaction) const {
  const int d = problem_.dimension;
  double worst = 0.0;
  for (int i = 0; i < problem_.contacts(); ++i) {
    if (word[i].tangent != ContactStatus::stick) continue;
    const double over = reaction.segment(d * i + 1, d - 1).norm() -
                        (problem_.offset_of(i) + problem_.mu[i] * reaction[d * i]);
    const double excess = over * mobility(d * i + 1) / (friction_tolerances.force * scale_);
    if (!(excess <= worst)) worst = excess;
  }
  return worst;
}

WordSystem::Verdict WordSystem::solve(const Word& word, ForceNorm norm) const {
  const Unknowns system = unknowns(word);
  const Particular found = particular(system, norm);
  if (!(found.miss <= friction_tolerances.motion * friction_tolerances.rest_miss))
    return {std::nullopt, found.miss};
  const Limits bounds = limits(word);
  WordAnswer answer;
  answer.word = word;
  answer.is_hyperstatic = found.free.cols() > 0;
  const Eigen::MatrixXd rows = bounds.force + bounds.motion * W_;
  answer.reaction = system.map * found.x + system.fixed;
  const Eigen::VectorXd slack = rows * answer.reaction + bounds.motion * problem_.q + bounds.room;
  const bool is_space = problem_.dimension == 3;
  double violation = is_space ? cone_excess(word, answer.reaction) : 0.0;
  int k = 0;
  for (const int size : bounds.cones) {
    const double miss = -slack[k] / bounds.tolerance[k];
    if (size == 1 && !(slack[k] >= 0.0) && !(miss <= violation)) violation = miss;
    k += size;
  }
  if (!(violation <= 1.0)) {
    if (!answer.is_hyperstatic) return {std::nullopt, violation * friction_tolerances.motion};
    const Eigen::MatrixXd freedom = rows * system.map * found.free;
    const auto shift_within = [&](const Eigen::VectorXd& room) {
      return is_space ? admissible_shift(freedom, room, bounds.cones)
                      : admissible_shift(freedom, room);
    };
    Shift shift = shift_within(slack);
    if (!shift.y) shift = shift_within(slack + bounds.tolerance);
    if (!shift.y) {
      const double wider = friction_tolerances.near_miss / friction_tolerances.motion;
      const bool is_refuted =
          !is_space && admissible_shift(freedom, slack + wider * bounds.tolerance).is_refuted;
      return {std::nullopt, is_refuted ? far_off : 0.0};
    }
    answer.reaction = system.map * (found.x + found.free * *shift.y) + system.fixed;
  }
  answer.velocity = contact_velocity(problem_, answer.reaction);
  const FrictionResidual residual = friction_residual(problem_, answer.reaction, answer.velocity);
  if (!std::isfinite(residual.value)) return {std::nullopt, 0.0};
  answer.residual = residual.value;
  answer.worst = residual.worst;
  answer.worst_contact = residual.worst_contact;
  answer.status = SolveStatus::solved;
  answer.method = FrictionMethod::enumeration;
  return {std::move(answer), 0.0};
}

std::optional<WordSystem::CrossSlip> WordSystem::cross_slip(
    const Word& word, const std::vector<int>& contacts) const {
  const Unknowns system = unknowns(word);
  const Equations linear = equations(system);
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(linear.matrix);
  CrossSlip out;
  out.determinant = factor.determinant();
  Eigen::VectorXd y;
  if (std::abs(out.determinant) > friction_tolerances.rank) {
    y = factor.solve(linear.right);
  } else {  // hyperstatic: the smallest of many
    out.determinant = 0.0;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> general;
    general.setThreshold(friction_tolerances.rank);
    y = general.compute(linear.matrix).solve(linear.right);
  }
  const Eigen::VectorXd x = linear.scaling.cwiseProduct(y);
  const Eigen::VectorXd u = W_ * (system.map * x + system.fixed) + problem_.q;
  out.motion.resize(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Eigen::Vector2d& e = word[contacts[k]].direction;
    out.motion[k] = e[0] * u[3 * contacts[k] + 2] - e[1] * u[3 * contacts[k] + 1];
  }
  if (!out.motion.allFinite()) return std::nullopt;
  return out;
}

}  // namespace clack
