// SPDX-License-Identifier: Apache-2.0
#include "clack/impact/smith_contact.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "clack/contact/tolerances.hpp"
#include "clack/impact/known_normal_friction.hpp"
#include "clack/impact/smith_tolerances.hpp"
#include "clack/linalg/pseudo_inverse.hpp"

namespace clack {
namespace {

/// The sliding branch as a function of rho = tau/nu.
class SlidingRule {
 public:
  SlidingRule(const SmithContact& contact, double friction) : c_(contact), mu_(friction) {}

  double normal(const Tangential& rho) const {
    return -(1.0 + c_.restitution) * c_.gap_rate / (c_.normal_mobility + c_.coupling.dot(rho));
  }
  Tangential slip_after(const Tangential& rho) const {
    return c_.slip + (c_.tangential_mobility * rho + c_.coupling) * normal(rho);
  }
  /// rho + mu w(s, s'(rho)).
  Tangential residual(const Tangential& rho) const {
    const Tangential after = slip_after(rho);
    const double before = c_.slip.norm(), size = after.norm();
    return rho + mu_ * (before * c_.slip + size * after) / (before * before + size * size);
  }
  TangentialMatrix derivative(const Tangential& rho) const {
    const int k = c_.tangents();
    const double nu = normal(rho);
    const Tangential after = slip_after(rho), push = c_.tangential_mobility * rho + c_.coupling;
    const TangentialMatrix slips =
        c_.tangential_mobility * nu -
        push * c_.coupling.transpose() * (nu / (c_.normal_mobility + c_.coupling.dot(rho)));
    const double before = c_.slip.norm(), size = after.norm();
    const double sum = before * before + size * size;
    TangentialMatrix directions = size * TangentialMatrix::Identity(k, k);
    if (size > 0.0) directions += after * after.transpose() / size;
    directions -= (before * c_.slip + size * after) * (2.0 / sum) * after.transpose();
    return TangentialMatrix::Identity(k, k) + mu_ / sum * directions * slips;
  }

 private:
  const SmithContact& c_;
  double mu_;
};

/// Without slip before: friction opposes the slip that begins, s'/|s'|, or holds the contact. Per unit of
/// normal impulse that is the question of known normal forces, with the radius mu.
Tangential onset(const SmithContact& contact, double friction) {
  Tangential rho(contact.tangents()), motion(contact.tangents());
  (void)KnownNormalFriction{}.solve(contact.tangential_mobility, contact.coupling,
                                    Eigen::VectorXd::Constant(1, friction), contact.tangents(), rho,
                                    motion);
  return rho;
}

/// The plane: the left side rises from <= 0 at -mu to >= 0 at mu. Newton's method inside a bracket that
/// shrinks.
Tangential planar_root(const SlidingRule& rule, double friction, double slip, int& iterations) {
  double low = -friction, high = friction;
  Tangential rho = Tangential::Constant(1, slip > 0.0 ? -friction : friction);
  for (; iterations < smith_tolerances.iterations; ++iterations) {
    const double value = rule.residual(rho)[0];
    if (value == 0.0) return rho;
    (value < 0.0 ? low : high) = rho[0];
    double next = rho[0] - value / rule.derivative(rho)(0, 0);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == rho[0] || std::abs(next - rho[0]) <= smith_tolerances.step * friction) {
      rho[0] = next;
      return rho;
    }
    rho[0] = next;
  }
  return rho;
}

Tangential in_disc(Tangential rho, double friction) {
  const double size = rho.norm();
  if (size > friction) rho *= friction / size;
  return rho;
}

/// Space: Newton's method damped until the residual falls, from the direction of the slip; where it does not get
/// on, a mean of rho and -mu w.
Tangential spatial_root(const SlidingRule& rule, double friction, const Tangential& slip,
                        int& iterations) {
  Tangential rho = -friction * slip.normalized();
  double size = rule.residual(rho).norm();
  for (; iterations < smith_tolerances.iterations; ++iterations) {
    if (size <= smith_tolerances.step * friction) return rho;
    const Tangential value = rule.residual(rho);
    const Tangential step = Eigen::Matrix2d(rule.derivative(rho)).inverse() * value;
    bool is_better = false;
    for (double part = 1.0; part >= smith_tolerances.smallest_part && !is_better; part *= 0.5) {
      const Tangential next = in_disc(rho - part * step, friction);
      const double left = rule.residual(next).norm();
      if (!(left < size)) continue;
      rho = next;
      size = left;
      is_better = true;
    }
    if (is_better) continue;
    if (size <= smith_tolerances.residual * friction) return rho;
    rho = in_disc(rho - smith_tolerances.averaging * value, friction);
    size = rule.residual(rho).norm();
  }
  return rho;
}

SmithImpulse jam(const SmithContact& contact, double friction) {
  SmithImpulse out;
  out.status = SolveStatus::none_exists;
  out.tangent = Tangential::Zero(contact.tangents());
  out.reason = fmt::format(
      "the contact jams: the law needs g_nn > mu |g_tn|, but g_nn = {:.9g} and mu |g_tn| = {:.9g} "
      "1/kg",
      contact.normal_mobility, friction * contact.coupling.norm());
  return out;
}

SmithImpulse slide(const SmithContact& contact, double friction) {
  if (!(contact.normal_mobility > friction * contact.coupling.norm()))
    return jam(contact, friction);
  const SlidingRule rule(contact, friction);
  SmithImpulse out;
  out.branch = SmithBranch::slide;
  out.friction = friction;
  Tangential rho = Tangential::Zero(contact.tangents());
  if (friction > 0.0 && contact.slip.norm() > contact.zero_slip) {
    rho = contact.tangents() == 1 ? planar_root(rule, friction, contact.slip[0], out.iterations)
                                  : spatial_root(rule, friction, contact.slip, out.iterations);
    out.residual = rule.residual(rho).norm() / friction;
    if (!(out.residual <= smith_tolerances.residual)) {
      out.status = SolveStatus::not_converged;
      out.reason =
          fmt::format("the direction of friction was not found: residual {:.3g} after {} steps",
                      out.residual, out.iterations);
    }
  } else if (friction > 0.0) {
    rho = onset(contact, friction);
  }
  out.normal = rule.normal(rho);
  out.tangent = rho * out.normal;
  return out;
}

/// The impulse that ends the slip, and whether there is one: G may be singular where joints leave the contact
/// less freedom.
bool stick(const SmithContact& contact, SmithImpulse& out) {
  const int k = contact.tangents();
  Eigen::MatrixXd mobility(k + 1, k + 1);
  mobility(0, 0) = contact.normal_mobility;
  mobility.bottomLeftCorner(k, 1) = contact.coupling;
  mobility.topRightCorner(1, k) = contact.coupling.transpose();
  mobility.bottomRightCorner(k, k) = contact.tangential_mobility;
  Eigen::VectorXd wanted(k + 1);
  wanted[0] = -(1.0 + contact.restitution) * contact.gap_rate;
  wanted.tail(k) = -contact.slip;
  const Eigen::VectorXd scale =
      mobility.diagonal().unaryExpr([](double g) { return g > 0.0 ? 1.0 / std::sqrt(g) : 0.0; });
  const Eigen::MatrixXd unit = scale.asDiagonal() * mobility * scale.asDiagonal();
  const Eigen::VectorXd impulse =
      scale.cwiseProduct(pseudo_inverse(unit, {.relative_cutoff = contact_tolerances.rank}) *
                         scale.cwiseProduct(wanted));
  if ((mobility * impulse - wanted).cwiseAbs().maxCoeff() >
      smith_tolerances.residual * wanted.cwiseAbs().maxCoeff())
    return false;
  out.branch = SmithBranch::stick;
  out.normal = impulse[0];
  out.tangent = impulse.tail(k);
  return true;
}

/// Kinetic energy that a stick adds, in the frame of the struck surface; rounding is none.
double stick_gain(const SmithContact& contact, const SmithImpulse& impulse) {
  const double along = 0.5 * impulse.tangent.dot(contact.slip);
  const double into = 0.5 * impulse.normal * contact.gap_rate * (1.0 - contact.restitution);
  const double effort = std::abs(along) + 0.5 * std::abs(impulse.normal * contact.gap_rate) *
                                              (1.0 + contact.restitution);
  const double gain = along + into;
  const double rounding = contact_tolerances.rounding * std::numeric_limits<double>::epsilon();
  return gain > rounding * effort ? gain : 0.0;
}

}  // namespace

SmithImpulse strike(const SmithContact& contact, bool has_stick_branch) {
  const bool has_slip = contact.slip.norm() > contact.zero_slip;
  const double bound = has_stick_branch ? contact.static_friction : contact.dynamic_friction;
  SmithImpulse out;
  if ((!has_stick_branch && has_slip) || !(bound > 0.0))
    return slide(contact, contact.dynamic_friction);
  const bool sticks =
      stick(contact, out) && out.normal > 0.0 && out.tangent.norm() <= bound * out.normal;
  if (!sticks) return slide(contact, contact.dynamic_friction);
  out.friction = bound;
  const double gain = stick_gain(contact, out);
  if (!(gain > 0.0)) return out;
  SmithImpulse slid = slide(contact, bound);
  slid.branch = SmithBranch::stick_discarded;
  slid.stick_gain = gain;
  return slid;
}

}  // namespace clack
