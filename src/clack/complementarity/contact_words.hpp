// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "clack/complementarity/friction_problem.hpp"
#include "clack/complementarity/friction_tolerances.hpp"

namespace clack {

/// State of one contact in a word: the normal is closed (u_N = 0) or open (r_N = 0); the tangent
/// sticks (u_T = 0), slips (u_T = s e with s >= 0, r_T = -R e) or has no law of its own (`open`:
/// known slip, no friction, or apart without offset).
struct WordLetter {
  bool is_closed = false;
  ContactStatus tangent = ContactStatus::open;
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // e of a slip; plane: (+-1, 0)
  bool operator==(const WordLetter&) const = default;
};
using Word = std::vector<WordLetter>;

/// Which norm singles out one of many reactions of a hyperstatic word.
///   euclidean: sum r_k^2;   kinetic: sum W_kk r_k^2 (twice the energy each impulse would cause
///   alone)
enum class ForceNorm { euclidean, kinetic };

struct WordAnswer : FrictionResult {
  Word word;
};

/// Solves the linear system of a word. Empty when it has no solution or none with admissible
/// reactions and motions (within the tolerances). Singular systems: the smallest admissible
/// reactions.
std::optional<WordAnswer> solve_word(const FrictionProblem& problem, const Word& word,
                                     ForceNorm norm);

/// The word in which every contact is closed and sticks (where it has a tangential law).
Word rest_word(const FrictionProblem& problem);

/// The word that an answer belongs to, motions below `zero` of the motion scale counting as zero;
/// doubtful contacts count as closed and sticking.
Word word_of(const FrictionProblem& problem, const FrictionResult& answer,
             double zero = friction_tolerances.motion);

/// Every word over {stick, slip, open} that has a solution.
///
/// In the plane e is +1 or -1 and each word is a linear system. In space the unknown slip directions
/// of a word are roots of  g_i(e) = e_i x u_T,i:
///   one of them   det A(e) g(e) is a trigonometric polynomial of degree 2 in the angle (the matrix
///                 is affine in e): five values determine it, its companion matrix has all roots
///   several       Newton's method from a grid of starts: what it finds, no more
/// So the search is complete in the plane and, in space, where no word has several unknown
/// directions. `refutes`: it is complete, and every word without an answer misses by more than
/// FrictionTolerances::near_miss. Then an empty list is a proof that nothing solves the problem.
struct WordSearch {
  std::vector<WordAnswer> answers;  // in the order of the words, the first contact fastest
  bool refutes = true;
  int tried = 0;  // linear systems
};
/// Where static exceeds dynamic friction, a word in which a contact slips is dropped if the same
/// word with that contact sticking also has a solution.
WordSearch solve_all_words(const FrictionProblem& problem, ForceNorm norm);

/// One answer per different motion, in order of preference: most contacts sticking first, then the
/// smallest forces in the kinetic metric (r^T W r), then the order of the words.
std::vector<WordAnswer> distinct_answers(const FrictionProblem& problem,
                                         std::vector<WordAnswer> answers);

}  // namespace clack
