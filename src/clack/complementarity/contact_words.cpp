// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/contact_words.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <complex>
#include <limits>
#include <numbers>

#include "clack/complementarity/friction_tolerances.hpp"
#include "clack/complementarity/word_system.hpp"
#include "clack/index.hpp"

namespace clack {
namespace {

constexpr ContactStatus open = ContactStatus::open, stick = ContactStatus::stick,
                        slip = ContactStatus::slip;

/// Letters a contact may have; in space the direction of a slip is found later.
std::vector<WordLetter> alphabet(const FrictionProblem& problem, int i) {
  if (!problem.has_tangent_law(i)) return {{true, open}, {false, open}};
  std::vector<WordLetter> letters;
  const auto add = [&](bool is_closed) {
    letters.push_back({is_closed, stick});
    letters.push_back({is_closed, slip, {1.0, 0.0}});
    if (problem.dimension == 2) letters.push_back({is_closed, slip, {-1.0, 0.0}});
  };
  add(true);
  if (problem.offset_of(i) > 0.0)
    add(false);
  else
    letters.push_back({false, open});
  return letters;
}

/// `slipping` and `sticking` differ only in contacts that slip in one and stick in the other, and
/// static exceeds dynamic friction at each of them.
bool is_stuck_variant(const FrictionProblem& problem, const Word& slipping, const Word& sticking) {
  bool differs = false;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (slipping[i] == sticking[i]) continue;
    if (!slipping[i].is_closed || !sticking[i].is_closed) return false;
    if (sticking[i].tangent != stick) return false;
    if (problem.mu[i] <= problem.dynamic_mu_of(i)) return false;
    differs = true;
  }
  return differs;
}

void turn(Word& word, int contact, double angle) {
  word[contact].direction = {std::cos(angle), std::sin(angle)};
}

/// Roots of a trigonometric polynomial  h = sum_k a_k e^{i k t}, k = -2 ... 2, real: coefficients
/// a_0, a_1, a_2 by five values, roots of z^2 h as a polynomial of degree 4 (2 when a_2 vanishes).
std::optional<std::vector<double>> roots_on_circle(const std::array<double, 5>& values,
                                                   double first) {
  constexpr int count = 5;
  std::array<std::complex<double>, 3> a{};
  double largest = 0.0;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < count; ++j)
      a[k] +=
          values[j] * std::polar(1.0 / count, -k * (first + 2.0 * std::numbers::pi * j / count));
    largest = std::max(largest, std::abs(a[k]));
  }
  if (largest == 0.0) return std::nullopt;
  const double zero = friction_tolerances.motion * largest;
  const int degree = std::abs(a[2]) > zero ? 2 : std::abs(a[1]) > zero ? 1 : 0;
  if (degree == 0) return std::vector<double>{};
  const int n = 2 * degree;
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    const int power = k - degree;  // coefficient of z^k is a_power
    const std::complex<double> coefficient = power >= 0 ? a[power] : std::conj(a[-power]);
    companion(k, n - 1) = -coefficient / a[degree];
    if (k > 0) companion(k, k - 1) = 1.0;
  }
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(companion, false);
  std::vector<double> angles;
  for (const std::complex<double>& z : solver.eigenvalues())
    if (std::abs(std::abs(z) - 1.0) <= friction_tolerances.on_circle) angles.push_back(std::arg(z));
  std::sort(angles.begin(), angles.end());
  return angles;
}

/// All words of one problem, one after the other.
class Search {
 public:
  Search(const FrictionProblem& problem, ForceNorm norm) : system_(problem), norm_(norm) {}

  WordSearch run() {
    const int c = problem().contacts();
    std::vector<std::vector<WordLetter>> letters;
    for (int i = 0; i < c; ++i) letters.push_back(alphabet(problem(), i));
    std::vector<std::size_t> digits(c, 0);
    Word word(c);
    for (bool more = true; more;) {
      for (int i = 0; i < c; ++i) word[i] = letters[i][digits[i]];
      try_word(word);
      more = false;
      for (int i = 0; i < c && !more; ++i) {
        more = ++digits[i] < letters[i].size();
        if (!more) digits[i] = 0;
      }
    }
    return finish();
  }

 private:
  const FrictionProblem& problem() const { return system_.problem(); }

  void try_word(Word& word) {
    std::vector<int> turning;
    for (int i = 0; i < problem().contacts() && problem().dimension == 3; ++i)
      if (word[i].tangent == slip) turning.push_back(i);
    if (turning.empty())
      judge(word);
    else if (turning.size() == 1)
      one_direction(word, turning[0]);
    else
      several_directions(word, turning);
  }

  void judge(const Word& word) {
    ++tried_;
    WordSystem::Verdict verdict = system_.solve(word, norm_);
    if (verdict.answer)
      found_.answers.push_back(std::move(*verdict.answer));
    else if (!(verdict.miss > friction_tolerances.near_miss))
      found_.refutes = false;
  }

  /// A word whose directions are roots, unless rounding has left some motion across them.
  void judge_directions(const Word& word, const std::vector<int>& turning) {
    const auto across = system_.cross_slip(word, turning);
    const double zero = friction_tolerances.cross_slip * problem().motion_scale();
    if (!across || across->motion.cwiseAbs().maxCoeff() > zero) {
      found_.refutes = false;  // a double root, perhaps
      return;
    }
    for (const WordAnswer& known : found_.answers) {
      if (known.word.size() != word.size()) continue;
      double distance = 0.0;
      for (std::size_t i = 0; i < word.size(); ++i) {
        if (known.word[i].is_closed != word[i].is_closed ||
            known.word[i].tangent != word[i].tangent)
          distance = 2.0;
        else
          distance = std::max(distance, (known.word[i].direction - word[i].direction).norm());
      }
      if (distance <= friction_tolerances.distinct) return;
    }
    judge(word);
  }

  void one_direction(Word& word, int contact) {
    constexpr int count = 5;
    constexpr double first = friction_tolerances.first_angle;
    std::array<double, count> values;
    double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
    for (int j = 0; j < count; ++j) {
      turn(word, contact, first + 2.0 * std::numbers::pi * j / count);
      ++tried_;
      const auto across = system_.cross_slip(word, {contact});
      if (!across || across->determinant == 0.0) return several_directions(word, {contact});
      values[j] = across->motion[0] * across->determinant;
      smallest = std::min(smallest, std::abs(across->determinant));
      largest = std::max(largest, std::abs(across->determinant));
    }
    const auto angles = roots_on_circle(values, first);
    if (!angles || smallest <= friction_tolerances.distinct * largest)
      return several_directions(word, {contact});
    for (const double angle : *angles) {
      Eigen::VectorXd refined = Eigen::VectorXd::Constant(1, angle);
      refine(word, {contact}, refined);
      judge_directions(word, {contact});
    }
  }

  void several_directions(Word& word, const std::vector<int>& turning) {
    found_.refutes = false;
    const int m = number_of(turning);
    const int per_angle = friction_tolerances.starts[m - 1];
    long starts = 1;
    for (int k = 0; k < m; ++k) starts *= per_angle;
    Eigen::VectorXd angles(m);
    for (long start = 0; start < starts; ++start) {
      long rest = start;
      for (int k = 0; k < m; ++k, rest /= per_angle)
        angles(k) = 2.0 * std::numbers::pi * (double(rest % per_angle) + 0.25) / per_angle;
      if (refine(word, turning, angles)) judge_directions(word, turning);
    }
  }

  std::optional<Eigen::VectorXd> across(Word& word, const std::vector<int>& turning,
                                        const Eigen::VectorXd& angles) {
    for (std::size_t k = 0; k < turning.size(); ++k) turn(word, turning[k], angles(k));
    ++tried_;
    auto value = system_.cross_slip(word, turning);
    if (!value) return std::nullopt;
    return std::move(value->motion);
  }

  /// Newton's method on the angles; leaves the directions in `word`. False when it ran into a
  /// singular system.
  bool refine(Word& word, const std::vector<int>& turning, Eigen::VectorXd& angles) {
    const FrictionTolerances& tol = friction_tolerances;
    const double end = std::numeric_limits<double>::epsilon() * problem().motion_scale();
    const int m = number_of(turning);
    for (int step = 0; step < tol.angle_steps; ++step) {
      const auto g = across(word, turning, angles);
      if (!g) return false;
      if (g->cwiseAbs().maxCoeff() <= end) return true;
      Eigen::MatrixXd slope(m, m);
      for (int k = 0; k < m; ++k) {
        Eigen::VectorXd moved = angles;
        moved(k) += tol.difference;
        const auto shifted = across(word, turning, moved);
        if (!shifted) return false;
        slope.col(k) = (*shifted - *g) / tol.difference;
      }
      Eigen::VectorXd change = -slope.fullPivLu().solve(*g);
      if (!change.allFinite()) return false;
      const double largest = change.cwiseAbs().maxCoeff();
      if (largest > tol.angle_step) change *= tol.angle_step / largest;
      angles += change;
      if (largest < tol.angle_end) break;
    }
    for (int k = 0; k < m; ++k) turn(word, turning[k], angles(k));
    return true;
  }

  WordSearch finish() {
    std::vector<WordAnswer> kept;
    for (const WordAnswer& answer : found_.answers) {
      const bool is_superseded = std::any_of(
          found_.answers.begin(), found_.answers.end(),
          [&](const auto& other) { return is_stuck_variant(problem(), answer.word, other.word); });
      if (!is_superseded) kept.push_back(answer);
    }
    for (WordAnswer& answer : kept) answer.iterations = tried_;
    found_.answers = std::move(kept);
    found_.tried = tried_;
    return std::move(found_);
  }

  WordSystem system_;
  ForceNorm norm_;
  WordSearch found_;
  int tried_ = 0;
};

}  // namespace

std::optional<WordAnswer> solve_word(const FrictionProblem& problem, const Word& word,
                                     ForceNorm norm) {
  return WordSystem(problem).solve(word, norm).answer;
}

Word rest_word(const FrictionProblem& problem) {
  Word word(problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i)
    word[i] = {true, problem.has_tangent_law(i) ? stick : open};
  return word;
}

Word word_of(const FrictionProblem& problem, const FrictionResult& answer, double part) {
  const int d = problem.dimension;
  const double zero = part * problem.motion_scale();
  Word word(problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i) {
    WordLetter& letter = word[i];
    letter.is_closed = answer.velocity[d * i] <= zero;
    if (!problem.has_tangent_law(i)) continue;
    if (!letter.is_closed && problem.offset_of(i) == 0.0) continue;
    const auto motion = answer.velocity.segment(d * i + 1, d - 1);
    const double speed = motion.norm();
    letter.tangent = speed <= zero ? stick : slip;
    if (letter.tangent == slip) letter.direction.head(d - 1) = motion / speed;
  }
  return word;
}

WordSearch solve_all_words(const FrictionProblem& problem, ForceNorm norm) {
  return Search(problem, norm).run();
}

std::vector<WordAnswer> distinct_answers(const FrictionProblem& problem,
                                         std::vector<WordAnswer> answers) {
  const auto sticking = [](const WordAnswer& a) {
    return std::count_if(a.word.begin(), a.word.end(), [](const WordLetter& letter) {
      return letter.is_closed && letter.tangent == stick;
    });
  };
  const auto energy = [&](const WordAnswer& a) { return a.reaction.dot(a.velocity - problem.q); };
  std::stable_sort(answers.begin(), answers.end(), [&](const WordAnswer& a, const WordAnswer& b) {
    if (sticking(a) != sticking(b)) return sticking(a) > sticking(b);
    return energy(a) < energy(b);
  });
  std::vector<WordAnswer> distinct;
  for (WordAnswer& answer : answers) {
    const bool is_known = std::any_of(distinct.begin(), distinct.end(), [&](const auto& other) {
      return answer.velocity.size() == 0 ||
             (answer.velocity - other.velocity).cwiseAbs().maxCoeff() <=
                 friction_tolerances.distinct * problem.motion_scale();
    });
    if (!is_known) distinct.push_back(std::move(answer));
  }
  return distinct;
}

}  // namespace clack
