#include <Eigen/QR>

#include "clack/contact/planar_friction.hpp"
#include "clack/contact/tolerances.hpp"
#include "clack/linalg/non_negative_least_squares.hpp"

namespace clack {
namespace {

using Tangent = WordLetter::Tangent;

/// The linear system of one word: force = map * u + fixed, and the motions `rows` vanish.
struct WordSystem {
  Eigen::MatrixXd map;     // 2c x m
  Eigen::VectorXd fixed;   // 2c
  std::vector<int> rows;   // m: rows of G whose motion is zero
  Eigen::MatrixXd limits;  // inequalities  limits * force + motion_limits * motion + room >= 0
  Eigen::MatrixXd motion_limits;
  Eigen::VectorXd room;       // given offsets
  Eigen::VectorXd tolerance;  // what may be missing
};

double diagonal(const PlanarFriction& problem, int row) {
  const double value = problem.G(row, row);
  return value > 0.0 ? value : 1.0;
}

int count_unknowns(const Word& word) {
  int m = 0;
  for (const WordLetter& letter : word)
    m += (letter.is_closed ? 1 : 0) + (letter.tangent == Tangent::stick ? 1 : 0);
  return m;
}

void fill_map(const PlanarFriction& problem, const Word& word, WordSystem& system) {
  const int c = problem.contacts(), m = count_unknowns(word);
  system.map = Eigen::MatrixXd::Zero(2 * c, m);
  system.fixed = Eigen::VectorXd::Zero(2 * c);
  int column = 0;
  for (int i = 0; i < c; ++i) {
    const WordLetter letter = word[static_cast<std::size_t>(i)];
    const double sign = letter.tangent == Tangent::forward    ? -1.0
                        : letter.tangent == Tangent::backward ? 1.0
                                                              : 0.0;
    system.fixed[c + i] = sign * problem.offset_of(i);
    if (letter.is_closed) {
      system.map(i, column) = 1.0;
      system.map(c + i, column) = sign != 0.0 ? sign * problem.dynamic_friction[i]
                                              : -problem.slide_of(i) * problem.dynamic_friction[i];
      system.rows.push_back(i);
      ++column;
    }
    if (letter.tangent == Tangent::stick) {
      system.map(c + i, column) = 1.0;
      system.rows.push_back(c + i);
      ++column;
    }
  }
}

/// Admissible: l_N >= 0 and |l_T| <= R where it sticks; xi_N >= 0 where open; xi_T in its
/// direction.
void fill_limits(const PlanarFriction& problem, const Word& word, WordSystem& system) {
  const int c = problem.contacts();
  system.limits = Eigen::MatrixXd::Zero(3 * c, 2 * c);
  system.motion_limits = Eigen::MatrixXd::Zero(3 * c, 2 * c);
  system.room = Eigen::VectorXd::Zero(3 * c);
  system.tolerance = Eigen::VectorXd::Zero(3 * c);
  const double motion = contact_tolerances.motion * problem.scale;
  int row = 0;
  for (int i = 0; i < c; ++i) {
    const WordLetter letter = word[static_cast<std::size_t>(i)];
    if (letter.is_closed) {
      system.limits(row, i) = 1.0;
      system.tolerance[row++] = contact_tolerances.force * problem.scale / diagonal(problem, i);
    } else {
      system.motion_limits(row, i) = 1.0;
      system.tolerance[row++] = motion;
    }
    if (letter.tangent == Tangent::stick) {
      for (const double sign : {1.0, -1.0}) {
        system.limits(row, i) = problem.static_friction[i];
        system.limits(row, c + i) = sign;
        system.room[row] = problem.offset_of(i);
        system.tolerance[row++] =
            contact_tolerances.force * problem.scale / diagonal(problem, c + i);
      }
    } else if (letter.tangent != Tangent::none) {
      system.motion_limits(row, c + i) = letter.tangent == Tangent::forward ? 1.0 : -1.0;
      system.tolerance[row++] = motion;
    }
  }
  system.limits.conservativeResize(row, Eigen::NoChange);
  system.motion_limits.conservativeResize(row, Eigen::NoChange);
  system.room.conservativeResize(row);
  system.tolerance.conservativeResize(row);
}

/// u with  S u = right side  (rows scaled to unit diagonal), and the directions in which u is free.
struct Particular {
  Eigen::VectorXd u;
  Eigen::MatrixXd free;    // m x k, columns orthonormal in the chosen norm
  Eigen::VectorXd weight;  // m: norm = |weight * u|
};

std::optional<Particular> solve_rows(const PlanarFriction& problem, const WordSystem& system,
                                     ForceNorm norm) {
  const int m = static_cast<int>(system.rows.size());
  if (m == 0) return Particular{Eigen::VectorXd(0), Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)};
  Eigen::VectorXd scaling(m);
  Eigen::MatrixXd matrix(m, m);
  Eigen::VectorXd right(m);
  for (int k = 0; k < m; ++k) {
    const int row = system.rows[static_cast<std::size_t>(k)];
    scaling[k] = 1.0 / std::sqrt(diagonal(problem, row));
    matrix.row(k) = problem.G.row(row) * system.map;
    right[k] = -(problem.b[row] + problem.G.row(row).dot(system.fixed));
  }
  matrix = scaling.asDiagonal() * matrix * scaling.asDiagonal();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor;
  factor.setThreshold(contact_tolerances.rank);
  factor.compute(matrix);
  const Eigen::VectorXd scaled_right = scaling.cwiseProduct(right);
  Eigen::VectorXd y = factor.solve(scaled_right);
  const Eigen::VectorXd miss = (matrix * y - scaled_right).cwiseQuotient(scaling);
  if (!(miss.cwiseAbs().maxCoeff() <= contact_tolerances.motion * 10.0 * problem.scale))
    return std::nullopt;
  Particular result;
  result.u = scaling.cwiseProduct(y);
  result.weight = norm == ForceNorm::kinetic ? Eigen::VectorXd(scaling.cwiseInverse())
                                             : Eigen::VectorXd::Ones(m);
  const int dimension = m - static_cast<int>(factor.rank());
  result.free.resize(m, dimension);
  if (dimension == 0) return result;
  // The null space of the scaled matrix is spanned by the last rows of its orthogonal factor Z
  // P^-1.
  const Eigen::MatrixXd z = factor.matrixZ() * factor.colsPermutation().transpose();
  const Eigen::MatrixXd null = scaling.asDiagonal() * z.bottomRows(dimension).transpose();
  const Eigen::MatrixXd weighted = result.weight.asDiagonal() * null;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(weighted);
  const Eigen::MatrixXd basis = qr.householderQ() * Eigen::MatrixXd::Identity(m, dimension);
  const Eigen::VectorXd weighted_u = result.weight.cwiseProduct(result.u);
  result.u = (weighted_u - basis * (basis.transpose() * weighted_u)).cwiseQuotient(result.weight);
  result.free = result.weight.cwiseInverse().asDiagonal() * basis;
  return result;
}

/// The shortest y with  rows y + slack >= 0; empty when there is none. Rows are scaled to length
/// one.
std::optional<Eigen::VectorXd> admissible_shift(Eigen::MatrixXd rows, Eigen::VectorXd slack) {
  const double largest = rows.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    const double length = rows.row(k).norm();
    if (length <= contact_tolerances.rank * largest) {  // y cannot mend this one
      if (slack[k] < 0.0) return std::nullopt;
      rows.row(k).setZero();
      continue;
    }
    rows.row(k) /= length;
    slack[k] /= length;
  }
  const double size = slack.cwiseAbs().maxCoeff();
  const ShortestVector nearest = shortest_vector(rows, -slack / size);
  if (!nearest.is_feasible) return std::nullopt;
  const Eigen::VectorXd left = rows * nearest.y + slack / size;
  if (left.minCoeff() < -contact_tolerances.residual) return std::nullopt;
  return Eigen::VectorXd(nearest.y * size);
}

/// Letters a contact may have.
std::vector<WordLetter> alphabet(const PlanarFriction& problem, int i) {
  if (!problem.has_tangent_law(i)) return {{true, Tangent::none}, {false, Tangent::none}};
  std::vector<WordLetter> letters = {
      {true, Tangent::stick}, {true, Tangent::forward}, {true, Tangent::backward}};
  if (problem.offset_of(i) > 0.0) {
    for (const Tangent t : {Tangent::stick, Tangent::forward, Tangent::backward})
      letters.push_back({false, t});
  } else {
    letters.push_back({false, Tangent::none});
  }
  return letters;
}

int count_sticking(const Word& word) {
  int count = 0;
  for (const WordLetter& letter : word)
    count += letter.is_closed && letter.tangent == Tangent::stick ? 1 : 0;
  return count;
}

/// `slipping` and `sticking` differ only in contacts that slip in one and stick in the other, and
/// static exceeds dynamic friction at each of them.
bool is_stuck_variant(const PlanarFriction& problem, const Word& slipping, const Word& sticking) {
  bool differs = false;
  for (std::size_t i = 0; i < slipping.size(); ++i) {
    if (slipping[i] == sticking[i]) continue;
    const auto k = static_cast<Eigen::Index>(i);
    if (!slipping[i].is_closed || !sticking[i].is_closed) return false;
    if (sticking[i].tangent != Tangent::stick) return false;
    if (problem.static_friction[k] <= problem.dynamic_friction[k]) return false;
    differs = true;
  }
  return differs;
}

}  // namespace

std::optional<WordAnswer> solve_word(const PlanarFriction& problem, const Word& word,
                                     ForceNorm norm) {
  WordSystem system;
  fill_map(problem, word, system);
  const auto particular = solve_rows(problem, system, norm);
  if (!particular) return std::nullopt;
  fill_limits(problem, word, system);
  WordAnswer answer;
  answer.word = word;
  answer.is_hyperstatic = particular->free.cols() > 0;
  const Eigen::MatrixXd limits = system.limits + system.motion_limits * problem.G;
  answer.force = system.map * particular->u + system.fixed;
  const Eigen::VectorXd slack =
      limits * answer.force + system.motion_limits * problem.b + system.room;
  if (slack.size() > 0 && !((slack + system.tolerance).minCoeff() >= 0.0)) {
    if (particular->free.cols() == 0) return std::nullopt;
    const Eigen::MatrixXd freedom = limits * system.map * particular->free;
    auto shift = admissible_shift(freedom, slack);
    if (!shift) shift = admissible_shift(freedom, slack + system.tolerance);
    if (!shift) return std::nullopt;
    answer.force = system.map * (particular->u + particular->free * *shift) + system.fixed;
  }
  answer.motion = problem.G * answer.force + problem.b;
  answer.residual = planar_residual(problem, answer.force);
  return answer;
}

Word rest_word(const PlanarFriction& problem) {
  Word word(static_cast<std::size_t>(problem.contacts()));
  for (int i = 0; i < problem.contacts(); ++i)
    word[static_cast<std::size_t>(i)] = {
        true, problem.has_tangent_law(i) ? Tangent::stick : Tangent::none};
  return word;
}

Word word_of(const PlanarFriction& problem, const PlanarAnswer& answer) {
  const int c = problem.contacts();
  const double zero = contact_tolerances.motion * problem.scale;
  Word word(static_cast<std::size_t>(c));
  for (int i = 0; i < c; ++i) {
    WordLetter& letter = word[static_cast<std::size_t>(i)];
    letter.is_closed = answer.motion[i] <= zero;
    if (!problem.has_tangent_law(i)) continue;
    if (!letter.is_closed && problem.offset_of(i) == 0.0) continue;
    const double slip = answer.motion[c + i];
    letter.tangent = std::abs(slip) <= zero ? Tangent::stick
                     : slip > 0.0           ? Tangent::forward
                                            : Tangent::backward;
  }
  return word;
}

std::vector<WordAnswer> solve_all_words(const PlanarFriction& problem, ForceNorm norm) {
  const auto c = static_cast<std::size_t>(problem.contacts());
  std::vector<std::vector<WordLetter>> letters(c);
  for (std::size_t i = 0; i < c; ++i) letters[i] = alphabet(problem, static_cast<int>(i));
  std::vector<std::size_t> digits(c, 0);
  std::vector<WordAnswer> found;
  int tried = 0;
  for (bool more = true; more;) {
    Word word(c);
    for (std::size_t i = 0; i < c; ++i) word[i] = letters[i][digits[i]];
    ++tried;
    if (auto answer = solve_word(problem, word, norm)) found.push_back(std::move(*answer));
    more = false;
    for (std::size_t i = 0; i < c && !more; ++i) {
      more = ++digits[i] < letters[i].size();
      if (!more) digits[i] = 0;
    }
  }
  std::vector<WordAnswer> kept;
  for (const WordAnswer& answer : found) {
    const bool is_superseded = std::any_of(found.begin(), found.end(), [&](const auto& other) {
      return is_stuck_variant(problem, answer.word, other.word);
    });
    if (!is_superseded) kept.push_back(answer);
  }
  for (WordAnswer& answer : kept) answer.iterations = tried;
  return kept;
}

std::vector<WordAnswer> distinct_answers(const PlanarFriction& problem,
                                         std::vector<WordAnswer> answers) {
  const auto energy = [&](const WordAnswer& a) { return a.force.dot(problem.G * a.force); };
  std::stable_sort(answers.begin(), answers.end(), [&](const WordAnswer& a, const WordAnswer& b) {
    const int sticking_a = count_sticking(a.word), sticking_b = count_sticking(b.word);
    if (sticking_a != sticking_b) return sticking_a > sticking_b;
    return energy(a) < energy(b);
  });
  std::vector<WordAnswer> distinct;
  for (WordAnswer& answer : answers) {
    const bool is_known = std::any_of(distinct.begin(), distinct.end(), [&](const auto& other) {
      return answer.motion.size() == 0 || (answer.motion - other.motion).cwiseAbs().maxCoeff() <=
                                              contact_tolerances.distinct * problem.scale;
    });
    if (!is_known) distinct.push_back(std::move(answer));
  }
  return distinct;
}

}  // namespace clack
