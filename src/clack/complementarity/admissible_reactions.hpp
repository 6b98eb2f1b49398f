// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

namespace clack {

/// What one contact asks of its reactions: N >= 0 and, where it sticks, |T| <= mu N.
struct ReactionCone {
  int normal = 0;    // place of N among the unknowns
  int tangent = -1;  // of its first tangential reaction; -1: a sign only
  double mu = 0.0;
};

/// Reactions x + Z z that do the same to the rows of a mode: x the smallest of them, Z orthonormal. Unknowns without a
/// cone (joints) may have any sign.
struct ReactionFamily {
  Eigen::VectorXd smallest;  // x, N
  Eigen::MatrixXd free;      // Z; no columns: x is the only one
  std::vector<ReactionCone> cones;
  int tangents = 1;  // per sticking contact
  double zero =
      0.0;  // N: what a sign or a cone may be missed by; 0: a part of the largest reaction

  double zero_reaction() const;
};

struct AdmissibleReactionTolerances {
  double zero =
      1e-11;  // part of the largest reaction that a sign or a cone may be missed by: rounding of the rows
  // Where no member is admissible: the room beyond the least violation in which the smallest is looked for.
  double beyond = 1e-9;
  double unbounded =
      1e2;  // times the largest reaction: a margin beyond it is infinite (wedged bodies)
  // From an answer nearby: Newton steps, and part of `zero` to which their equations hold.
  int nearby_steps = 8;
  double nearby = 0.1;
};
inline constexpr AdmissibleReactionTolerances admissible_reaction_tolerances{};

/// min over contacts of (N_i, mu_i N_i - |T_i|), N; infinite without contacts.
double margin_of(const ReactionFamily& family, const Eigen::Ref<const Eigen::VectorXd>& reaction);

/// The member with the largest margin.
struct WidestMember {
  double margin = 0.0;       // N
  Eigen::VectorXd reaction;  // empty: the program was not solved, or it has no bound
};

/// max over z of the same: how far the family is from having no admissible member. A second-order cone program, exact
/// in plane and space; infinite where reactions may grow without bound.
WidestMember widest_member(const ReactionFamily& family);
double largest_margin(const ReactionFamily& family);

/// A lower bound of the largest margin without a program: that of the member nearest to a reaction `near`, such as the
/// widest member of a family nearby:  x + Z Z^T (near - x).
double margin_bound(const ReactionFamily& family, const Eigen::Ref<const Eigen::VectorXd>& near);

struct AdmissibleReactions {
  Eigen::VectorXd reaction;  // the smallest |x + Z z| in the cones
  bool is_admissible =
      true;  // false: none is; `reaction` breaks its cones by as little as possible
};

/// max over z of one unknown of x + Z z, over the admissible members (cones widened by what a reaction may miss them by).
/// Nothing where the program was not solved: it has no bound, or no member is admissible.
std::optional<double> largest_unknown(const ReactionFamily& family, int unknown);

/// The admissible member of least norm; unique, and it changes continuously with the family, also where the last
/// admissible one is lost.
AdmissibleReactions smallest_admissible(const ReactionFamily& family);
/// The same, tried first from an answer to a family nearby (reactions_nearby.hpp); an empty one is none.
AdmissibleReactions smallest_admissible(const ReactionFamily& family,
                                        const Eigen::Ref<const Eigen::VectorXd>& near);

}  // namespace clack
