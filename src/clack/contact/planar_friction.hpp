#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

#include "clack/complementarity/lcp.hpp"
#include "clack/complementarity/lemke.hpp"
#include "clack/contact/lcp_size.hpp"
#include "clack/contact/problem.hpp"

namespace clack {

/// Unilateral contact with Coulomb friction in the plane, as impacts and decisions meet it:
///
///   xi = G l + b,   l = (l_N, l_T),  xi = (xi_N, xi_T)
///   0 <= l_N _|_ xi_N >= 0
///   |l_T| <= R := offset + mu l_N,   xi_T > 0 => l_T = -R,   xi_T < 0 => l_T = +R
///
/// xi is the relative velocity after (impact) or the relative acceleration (decision). A contact
/// whose slip is known (`slide` = sign of its slip) has l_T = -slide * dynamic friction * l_N
/// instead and xi_T is free. While the direction is open, `static_friction` bounds sticking and
/// `dynamic_friction` is what acts once the contact slips.
/// Contacts without any friction and without offset have no tangential law at all (l_T = 0).
struct PlanarFriction {
  Eigen::MatrixXd G;                 // 2c x 2c, symmetric positive semidefinite
  Eigen::VectorXd b;                 // 2c
  Eigen::VectorXd dynamic_friction;  // c
  Eigen::VectorXd static_friction;   // c
  Eigen::VectorXd offset;            // c, >= 0: tangential bound without normal force (empty: 0)
  std::vector<int> slide;            // c: -1, 0, +1 (empty: 0)
  double scale = 0.0;                // motion scale, see ContactTolerances

  int contacts() const { return static_cast<int>(dynamic_friction.size()); }
  int slide_of(int i) const { return slide.empty() ? 0 : slide[static_cast<std::size_t>(i)]; }
  double offset_of(int i) const { return offset.size() == 0 ? 0.0 : offset[i]; }
  /// The contact has a tangential law whose direction is still to be found.
  bool has_tangent_law(int i) const {
    return slide_of(i) == 0 && (static_friction[i] > 0.0 || offset_of(i) > 0.0);
  }
};

/// An answer; `motion` = G force + b recomputed.
struct PlanarAnswer {
  Eigen::VectorXd force, motion;  // 2c each
  double residual = 0.0;          // unit-free, see planar_residual
  int iterations = 0;
};

/// Largest violation of the laws above as motions, relative to max |b|:
///   |min(G_ii l_N, xi_N)|  and  |G_tt l_T - clamp(G_tt l_T - xi_T, -G_tt R, G_tt R)|.
double planar_residual(const PlanarFriction& problem, const Eigen::VectorXd& force);

/// docs/theories/poisson.md: `full` has c + 4 h unknowns (l_N, l+, l-, kappa+, kappa-), `compact`
/// c + 2 h unknowns (l_N, l_T + R, xi_T^-), h = contacts with a tangential law. Static friction
/// bounds the tangential forces.
Lcp make_planar_lcp(const PlanarFriction& problem, LcpSize size);

/// The forces (l_N, l_T) in a solution z of that LCP.
Eigen::VectorXd forces_from_lcp(const PlanarFriction& problem, LcpSize size,
                                const Eigen::Ref<const Eigen::VectorXd>& z);

/// Lemke on the LCP above; empty on a ray, a limit or a residual above the tolerance. The solver is
/// a workspace: hand the same one to several problems of a size.
std::optional<PlanarAnswer> solve_planar_lcp(const PlanarFriction& problem, LcpSize size,
                                             LemkeSolver& solver);
std::optional<PlanarAnswer> solve_planar_lcp(const PlanarFriction& problem, LcpSize size);

/// State of one contact in a word: the normal is closed (xi_N = 0) or open (l_N = 0); the tangent
/// sticks (xi_T = 0), moves forward (xi_T >= 0, l_T = -R), backward (xi_T <= 0, l_T = +R) or has no
/// law of its own (`none`: known slip, no friction, or open without offset).
struct WordLetter {
  bool is_closed = false;
  enum class Tangent { none, stick, forward, backward } tangent = Tangent::none;
  bool operator==(const WordLetter&) const = default;
};
using Word = std::vector<WordLetter>;

/// Which norm singles out one of many force distributions of a hyperstatic word.
///   euclidean: sum l_k^2
///   kinetic:   sum G_kk l_k^2   (twice the energy each impulse would cause alone)
enum class ForceNorm { euclidean, kinetic };

struct WordAnswer : PlanarAnswer {
  Word word;
  bool is_hyperstatic = false;  // other forces give the same motion; these have the smallest norm
};

/// Solves the linear system of a word. Empty when it has no solution or none with admissible forces
/// and motions (within the tolerances). Singular systems: the smallest admissible forces.
std::optional<WordAnswer> solve_word(const PlanarFriction& problem, const Word& word,
                                     ForceNorm norm);

/// The word in which every contact is closed and sticks (where it has a tangential law).
Word rest_word(const PlanarFriction& problem);

/// The word that an answer belongs to, motions and forces below the tolerances counting as zero;
/// doubtful contacts count as closed and sticking.
Word word_of(const PlanarFriction& problem, const PlanarAnswer& answer);

/// All words that have a solution. Where static exceeds dynamic friction, a word in which a contact
/// slips is dropped if the same word with that contact sticking also has a solution.
std::vector<WordAnswer> solve_all_words(const PlanarFriction& problem, ForceNorm norm);

/// One answer per different motion, in order of preference: most contacts sticking first, then the
/// smallest forces in the kinetic metric (l^T G l), then the order of the words.
std::vector<WordAnswer> distinct_answers(const PlanarFriction& problem,
                                         std::vector<WordAnswer> answers);

}  // namespace clack
