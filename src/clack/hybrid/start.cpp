// SPDX-License-Identifier: Apache-2.0
#include "clack/hybrid/start.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "clack/error.hpp"
#include "clack/hybrid/start_check.hpp"
#include "clack/hybrid/tolerances.hpp"

namespace clack {
namespace {

void refuse_equations(const NodeTools& tools, const Instant& at) {
  const Snapshot& s = tools.dynamics.snapshot_of({}, at.t, at.y.data());
  for (std::size_t i = 0; i < Snapshot::size(s.speeds(), s.tangents(), 0, 0); ++i)
    if (!std::isfinite(s.data()[i]))
      throw ModelError(
          "the equations of motion are not finite at the start", tools.model.file,
          "look for a division by zero or a root of a negative number in its formulas");
  if (s.speeds() == 0) return;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(Eigen::MatrixXd(s.mass_matrix()),
                                                             Eigen::EigenvaluesOnly);
  if (eigen.eigenvalues()[0] > 0.0) return;
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
    if (outlines_of(model, source_of(model, contacts[i]))) continue;  // refuse_overlap
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
        Eigen::MatrixXd(s.mass_matrix()).llt().solve(Eigen::VectorXd(s.smooth_force()));
    for (int i = 0; i < s.contacts(); ++i)
      acceleration =
          std::max(acceleration, std::abs(s.normal_jacobian().row(i).dot(free) + s.gap_bias()[i]));
    for (int i = 0; i < s.contacts() * s.tangents(); ++i)
      speed = std::max(speed, std::abs(s.slip()[i]));
  }
  return std::max(speed, std::sqrt(acceleration * length));
}

/// Two outlines that overlap at the start, with the features and the depth.
void refuse_overlap(const Model& model, const OutlineSource& source, const PairGap& gap) {
  const double size = source.pair().size();
  const bool is_fine = gap.gap && *gap.gap >= -model.tolerances.penetration * size;
  if (is_fine) return;
  const Contact& contact = model.contacts[source.source];
  const std::string bodies =
      fmt::format("contact {} ({} and {})", contact.name, model.bodies[source.first_body].name,
                  model.bodies[source.second_body].name);
  if (!gap.gap)
    throw ModelError(bodies + ": the polygons cross each other at the start",
                     model.where(contact.place), "move them apart");
  std::string features;
  for (const ClosestPair& closest : gap.contacts)
    if (closest.gap <= *gap.gap && features.empty())
      features = contact_name(model, contact_key(source.source, closest.candidate));
  throw ModelError(
      fmt::format("{}: penetrates by {:.6g} m at {} at the start", bodies, -*gap.gap, features),
      model.where(contact.place), fmt::format("move them apart by {:.6g} m", -*gap.gap));
}

/// Outlines: none may overlap. Adds their nearest contacts; returns the size of the smallest outline.
double add_outlines(const NodeTools& tools, const Instant& at, ContactSet& contacts) {
  double size = 0.0;
  for (const OutlineSource& source : tools.mechanism.outlines()) {
    const double smaller = std::min(source.first->radius, source.second->radius);
    size = size > 0.0 ? std::min(size, smaller) : smaller;
    const PairGap gap =
        outline_start_gap(tools.mechanism, source, at.t, tools.q(at.y), tools.v(at.y));
    refuse_overlap(tools.model, source, gap);
    for (const ClosestPair& closest : gap.contacts)
      insert(contacts, contact_key(source.source, closest.candidate));
  }
  return size;
}

}  // namespace

Scales check_start(const NodeTools& tools, const Instant& at) {
  refuse_equations(tools, at);
  ContactSet contacts = possible_contacts(tools.model);
  const double size = add_outlines(tools, at, contacts);
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
  scales.length =
      std::max(size, length_scale(gaps, {at.y.data(), at.y.data() + tools.dynamics.coordinates()}));
  scales.speed = start_speed(tools, at, contacts, motions.of, scales.length);
  refuse_penetration(tools.model, contacts, motions.of, scales.length);
  return scales;
}

}  // namespace clack
