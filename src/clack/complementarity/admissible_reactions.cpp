// SPDX-License-Identifier: Apache-2.0
#include "clack/complementarity/admissible_reactions.hpp"

#include <cmath>
#include <limits>

#include "clack/complementarity/cone_program.hpp"
#include "clack/complementarity/reactions_nearby.hpp"

namespace clack {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double size_of(const ReactionFamily& family) {
  return family.smallest.size() == 0 ? 0.0 : family.smallest.lpNorm<Eigen::Infinity>();
}

/// The cones of a family in units of its largest reaction, in the unknowns z and, for the margin, one more.
struct FamilyCones {
  ConeProgram program;
  double scale;

  FamilyCones(const ReactionFamily& family, int further) : scale(size_of(family)) {
    const int p = static_cast<int>(family.free.cols()), k = family.tangents;
    int rows = further;
    for (const ReactionCone& cone : family.cones) rows += cone.tangent < 0 ? 1 : 2 + k;
    program.c = Eigen::VectorXd::Zero(p + further);
    program.G = Eigen::MatrixXd::Zero(rows, p + further);
    program.h = Eigen::VectorXd::Zero(rows);
    int at = 0;
    const auto add = [&](int unknown, double factor) {
      program.G.block(at, 0, 1, p) = factor * family.free.row(unknown);
      program.h[at++] = factor * family.smallest[unknown] / scale;
    };
    for (const ReactionCone& cone : family.cones) {
      program.cones.push_back(1);
      add(cone.normal, 1.0);
      if (cone.tangent < 0) continue;
      program.cones.push_back(1 + k);
      add(cone.normal, cone.mu);
      for (int a = 0; a < k; ++a) add(cone.tangent + a, 1.0);
    }
  }

  /// Every cone is widened by as much, N.
  void relax(double margin) {
    int at = 0;
    for (const int rows : program.cones) {
      program.h[at] += margin / scale;
      at += rows;
    }
  }
};

/// The smallest member in the widened cones, or how near to it the program came.
struct SmallestMember {
  Eigen::VectorXd reaction;
  bool is_found = false;
};

SmallestMember smallest_within(const ReactionFamily& family, double margin) {
  FamilyCones cones(family, 0);
  cones.relax(margin);
  cones.program.weight = 1.0;
  const ConeAnswer answer = solve_cone_program(cones.program);
  if (answer.x.size() == 0 || !answer.x.allFinite()) return {};
  return {family.smallest + family.free * (cones.scale * answer.x), answer.is_solved};
}

/// Takes away what the widening of the cones has left.
void tidy(const ReactionFamily& family, double zero, Eigen::VectorXd& x) {
  for (const ReactionCone& cone : family.cones) {
    double& normal = x[cone.normal];
    if (std::abs(normal) <= zero) normal = 0.0;
    if (cone.tangent < 0) continue;
    auto tangent = x.segment(cone.tangent, family.tangents);
    const double bound = cone.mu * normal, size = tangent.norm();
    if (size > bound && size <= bound + 2.0 * zero) tangent *= size > 0.0 ? bound / size : 0.0;
  }
}

}  // namespace

double ReactionFamily::zero_reaction() const {
  return zero > 0.0 ? zero : admissible_reaction_tolerances.zero * size_of(*this);
}

double margin_of(const ReactionFamily& family, const Eigen::Ref<const Eigen::VectorXd>& x) {
  double margin = infinite;
  const auto take = [&](double value) {
    if (!(value >= margin)) margin = value;
  };
  for (const ReactionCone& cone : family.cones) {
    take(x[cone.normal]);
    if (cone.tangent >= 0)
      take(cone.mu * x[cone.normal] - x.segment(cone.tangent, family.tangents).norm());
  }
  return margin;
}

WidestMember widest_member(const ReactionFamily& family) {
  const double own = margin_of(family, family.smallest), scale = size_of(family);
  if (family.free.cols() == 0 || family.cones.empty() || !(scale > 0.0))
    return {own, family.smallest};
  FamilyCones cones(family, 1);
  ConeProgram& program = cones.program;
  const int s = static_cast<int>(program.c.size()) - 1,
            last = static_cast<int>(program.h.size()) - 1;
  int at = 0;
  for (const int rows : program.cones) {
    program.G(at, s) = -1.0;
    at += rows;
  }
  program.cones.push_back(1);  // s <= unbounded
  program.G(last, s) = -1.0;
  program.h[last] = admissible_reaction_tolerances.unbounded;
  program.c[s] = -1.0;
  program.start = Eigen::VectorXd::Zero(s + 1);  // inside all cones
  program.start[s] = own / scale - 1.0;
  const ConeAnswer answer = solve_cone_program(program);
  if (!answer.is_solved) {  // as far as it came: every member bounds the margin from below
    if (answer.x.size() != s + 1 || !answer.x.allFinite()) return {own, {}};
    Eigen::VectorXd reached = family.smallest + family.free * (scale * answer.x.head(s));
    const double margin = margin_of(family, reached);
    if (!(margin > own)) return {own, {}};
    return {margin, std::move(reached)};
  }
  const double margin = answer.x[s];
  if (margin > 0.5 * admissible_reaction_tolerances.unbounded) return {infinite, {}};
  return {scale * margin, family.smallest + family.free * (scale * answer.x.head(s))};
}

double largest_margin(const ReactionFamily& family) { return widest_member(family).margin; }

double margin_bound(const ReactionFamily& family, const Eigen::Ref<const Eigen::VectorXd>& near) {
  const double own = margin_of(family, family.smallest);
  if (family.free.cols() == 0 || near.size() != family.smallest.size()) return own;
  static thread_local Eigen::VectorXd away, z, other;
  away = near - family.smallest;
  z.resize(family.free.cols());
  z.noalias() = family.free.transpose() * away;
  other.resize(family.smallest.size());
  other.noalias() = family.free * z;
  other += family.smallest;
  return std::max(own, margin_of(family, other));
}

std::optional<double> largest_unknown(const ReactionFamily& family, int unknown) {
  if (family.free.cols() == 0 || !(size_of(family) > 0.0)) return family.smallest[unknown];
  FamilyCones cones(family, 0);
  cones.relax(family.zero_reaction());
  cones.program.c = -family.free.row(unknown).transpose();
  const ConeAnswer answer = solve_cone_program(cones.program);
  if (!answer.is_solved) return std::nullopt;
  return family.smallest[unknown] + cones.scale * family.free.row(unknown).dot(answer.x);
}

AdmissibleReactions smallest_admissible(const ReactionFamily& family) {
  AdmissibleReactions out{family.smallest};
  const double zero = family.zero_reaction();
  const double own = margin_of(family, family.smallest);
  if (own >= -zero) return out;
  out.is_admissible = false;
  if (family.free.cols() == 0) return out;
  const SmallestMember smallest = smallest_within(family, zero);
  out.is_admissible = smallest.is_found;
  Eigen::VectorXd found = smallest.is_found ? smallest.reaction : Eigen::VectorXd();
  if (!out.is_admissible) {
    // Beyond the least violation the set is thin; where the program finds no inside, its widest member is all there is.
    const WidestMember widest = widest_member(family);
    out.is_admissible = widest.margin >= -zero;
    for (const Eigen::VectorXd* guess : {&smallest.reaction, &widest.reaction})
      if (auto inside = admissible_on_borders(family, *guess)) return {std::move(*inside), true};
    const double room = admissible_reaction_tolerances.beyond * size_of(family);
    const SmallestMember beyond = smallest_within(family, std::max(0.0, -widest.margin) + room);
    found = beyond.is_found ? beyond.reaction : widest.reaction;
  }
  if (found.size() == 0) return out;
  out.reaction = std::move(found);
  if (out.is_admissible) tidy(family, 2.0 * zero, out.reaction);
  return out;
}

AdmissibleReactions smallest_admissible(const ReactionFamily& family,
                                        const Eigen::Ref<const Eigen::VectorXd>& near) {
  if (near.size() > 0 && margin_of(family, family.smallest) < -family.zero_reaction())
    if (std::optional<Eigen::VectorXd> found = smallest_nearby(family, near)) {
      tidy(family, 2.0 * family.zero_reaction(), *found);
      return {std::move(*found), true};
    }
  return smallest_admissible(family);
}

}  // namespace clack
