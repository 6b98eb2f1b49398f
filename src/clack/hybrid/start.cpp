// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/start.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "clack/error.hpp"
#include "clack/hybrid/start_check.hpp"
#include "clack/hybrid/tolerances.hpp"
#include "clack/mechanism/inertia.hpp"

namespace clack {
namespace {

/// Constraints determine what carries no inertia: not every formulation can use that.
void refuse_massless(const NodeTools& tools, const Snapshot& s) {
  std::string names;
  for (int j = 0; j < s.speeds(); ++j)
    if (s.mass_matrix()(j, j) == 0.0)
      names += (names.empty() ? "" : ", ") + tools.model.speeds[j].name;
  Circumstances now{.dimension = tools.model.dimension};
  now.massless_motion = names.empty() ? "a combination of speeds" : names;
  if (const std::string refusal = tools.parts.formulations.refusal(tools.theory.formulation, now);
      !refusal.empty())
    throw ModelError(refusal, tools.model.file, "set run: formulation: embedding");
}

void refuse_equations(const NodeTools& tools, const Instant& at) {
  const Snapshot& s = tools.dynamics.snapshot_of(at.mode.rows_with({}), at.t, at.y.data());
  for (std::size_t i = 0; i < Snapshot::size(s.speeds(), s.tangents(), 0, 0); ++i)
    if (!std::isfinite(s.data()[i]))
      throw ModelError(
          "the equations of motion are not finite at the start", tools.model.file,
          "look for a division by zero or a root of a negative number in its formulas");
  if (s.speeds() == 0) return;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::MatrixXd(s.mass_matrix()),
                                                             Eigen::EigenvaluesOnly);
  if (eigen.eigenvalues()[0] > 0.0 && inertia_of(s).added == 0.0) return;
  if (inertia_of(s).added > 0.0) return refuse_massless(tools, s);
  throw ModelError(
      fmt::format("the mass matrix is not positive definite at the start: smallest eigenvalue "
                  "{:.6g}",
                  eigen.eigenvalues()[0]),
      tools.model.file, "give every coordinate a mass or an inertia");
}

/// All pairs that penetrate, with their depths, in one message; the place is the first one's.
void refuse_penetration(const Model& model, const ContactSet& contacts,
                        const std::vector<GapMotion>& motions, double length) {
  const int shown = hybrid_tolerances.named_penetrations;
  std::string pairs;
  int count = 0;
  const Contact* first = nullptr;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (motions[i].gap >= -model.tolerances.penetration * length) continue;
    const Contact& c = source_of(model, contacts[i]);
    if (!first) first = &c;
    if (++count > shown) continue;
    pairs += (count > 1 ? ", contact " : "") + contact_name(model, contacts[i]);
    if (const Between* between = c.between())
      pairs += " (" + model.bodies[between->first.body].name + " and " +
               model.bodies[between->second.body].name + ")";
    pairs += fmt::format("{} by {:.6g} m", count > 1 ? "" : ": penetrates", -motions[i].gap);
  }
  if (!first) return;
  if (count > shown) pairs += fmt::format(" and {} more", count - shown);
  throw ModelError(fmt::format("contact {} at the start", pairs), model.where(first->place),
                   "move the bodies apart by that much, or set start values with --set NAME_0=...");
}

/// Largest contact speed, and what the free motion gains over the length scale.
double start_speed(const NodeTools& tools, const Instant& at, const ContactSet& contacts,
                   const std::vector<GapMotion>& motions, double length) {
  double speed = 0.0, acceleration = 0.0;
  for (const GapMotion& g : motions) speed = std::max(speed, std::abs(g.rate));
  const std::size_t at_once = hybrid_tolerances.start_rows;
  for (std::size_t begin = 0; begin < contacts.size(); begin += at_once) {
    const auto first = contacts.begin() + begin;
    const ContactSet some(first, first + std::min(at_once, contacts.size() - begin));
    const Snapshot& s = tools.snapshot(at, some);
    const Eigen::VectorXd free =
        inertia_of(s).matrix.llt().solve(Eigen::VectorXd(s.smooth_force()));
    for (int i = 0; i < s.contacts(); ++i)
      acceleration =
          std::max(acceleration, std::abs(s.normal_jacobian().row(i).dot(free) + s.gap_bias()[i]));
    for (int i = 0; i < s.contacts() * s.tangents(); ++i)
      speed = std::max(speed, std::abs(s.slip()[i]));
  }
  return std::max(speed, std::sqrt(acceleration * length));
}

}  // namespace

Scales check_start(const NodeTools& tools, const Instant& at) {
  refuse_equations(tools, at);
  const ContactSet contacts = possible_contacts(tools.model);
  GapMotions motions;
  gap_motion_of(tools.mechanism, contacts, at.t, tools.q(at.y), tools.v(at.y), nullptr, motions);
  std::vector<double> gaps;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const GapMotion& g = motions.of[i];
    gaps.push_back(g.gap);
    if (!std::isfinite(g.gap) || !std::isfinite(g.rate))
      throw ModelError("contact " + contact_name(tools.model, contacts[i]) +
                           ": its gap is not finite at the start",
                       tools.model.where(source_of(tools.model, contacts[i]).place),
                       "check the gap formula and the start values");
  }
  Scales scales;
  scales.length = length_scale(gaps, {at.y.data(), at.y.data() + tools.dynamics.coordinates()});
  scales.speed = start_speed(tools, at, contacts, motions.of, scales.length);
  refuse_penetration(tools.model, contacts, motions.of, scales.length);
  return scales;
}

}  // namespace clack
