// SPDX-License-Identifier: Apache-2.0
// Law lzb against the march of its paper (Liu, Zhao and Brogliato 2008), written here on its own: the
// limit is the same, and the march comes to it with its order.
#include <gtest/gtest.h>

#include <iostream>

#include "clack/impact/body_impacts.hpp"
#include "clack/impact/lzb.hpp"

namespace clack {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::chain;
using testing::material;

/// Frictionless chains in increments of the impulse of the primary contact, the one that stores most:
///
///   dP_i : dP_j = (k_i E_i^eta)^(1/(1+eta)) : (k_j E_j^eta)^(1/(1+eta)),   dE_i = -v_i dP_i
///
/// A contact starts with a seed of energy, because E = 0 stays 0 in these equations, and ends where
/// E = (1 - e^2) E_c; the increment in which one ends is cut there. First order in the increment.
class PublishedMarch {
 public:
  PublishedMarch(const ImpactProblem& problem, double increment)
      : problem_(problem),
        increment_(increment),
        spread_(problem.mass_matrix.inverse() * problem.normal_jacobian.transpose()),
        G_(problem.normal_jacobian * spread_),
        velocity_(problem.velocity),
        energy_(VectorXd::Zero(problem.contacts())),
        end_(energy_),
        share_(energy_) {}

  VectorXd run() {
    while (find_shares()) step();
    return velocity_;
  }

 private:
  static constexpr double eta = 1.5;
  static constexpr double seed = 1e-18;       // J, of masses of 1 kg at 1 m/s
  static constexpr double approaches = 1e-9;  // m/s

  /// False: no contact stores energy or approaches.
  bool find_shares() {
    rate_ = problem_.normal_jacobian * velocity_;
    for (int i = 0; i < problem_.contacts(); ++i) {
      const ContactMaterial& material = problem_.materials[i];
      if (energy_[i] == 0.0 && rate_[i] < -approaches) energy_[i] = seed;
      if (rate_[i] < 0.0) end_[i] = (1 - material.restitution * material.restitution) * energy_[i];
      share_[i] =
          std::pow(material.stiffness, 1 / (1 + eta)) * std::pow(energy_[i], eta / (1 + eta));
    }
    return share_.maxCoeff() > 0.0;
  }

  void step() {
    const VectorXd impulse = increment_ * share_ / share_.maxCoeff(), change = G_ * impulse;
    double part = 1.0;
    int ended = -1;
    for (int i = 0; i < problem_.contacts(); ++i) {
      if (energy_[i] == 0.0 || !(rate_[i] > 0.0)) continue;
      // E - x I (v + x dv/2) = E_end
      const double a = 0.5 * change[i] * impulse[i], b = rate_[i] * impulse[i];
      const double left = energy_[i] - end_[i];
      if (left > a + b) continue;
      const double x = 2 * left / (b + std::sqrt(std::max(0.0, b * b + 4 * a * left)));
      if (ended >= 0 && x >= part) continue;
      part = std::min(1.0, x);
      ended = i;
    }
    for (int i = 0; i < problem_.contacts(); ++i)
      if (energy_[i] > 0.0)
        energy_[i] =
            std::max(seed, energy_[i] - part * impulse[i] * (rate_[i] + 0.5 * part * change[i]));
    if (ended >= 0) energy_[ended] = end_[ended] = 0.0;
    velocity_ += part * spread_ * impulse;
  }

  const ImpactProblem& problem_;
  double increment_;
  MatrixXd spread_, G_;
  VectorXd velocity_, energy_, end_, share_, rate_;
};

// Measured: 0.486 to 0.505 at each halving.
TEST(LzbPublished, HalvingTheIncrementOfThePublishedMarchHalvesItsDistanceFromTheLaw) {
  const ImpactProblem chains[] = {
      chain({1, 1, 1}, {material(1)}),
      chain({1, 1, 1}, {material(0.85)}),
      chain({1, 1, 1, 1, 1}, {material(1)}),
      chain({1, 1, 1, 1, 1}, {material(0.9)}),
      chain({1, 2, 1}, {material(0.9), material(0.7, 0, 0, 3)}),
      chain({0.5, 2, 1, 3}, {material(0.6), material(0.7, 0, 0, 0.3), material(1)})};
  for (const ImpactProblem& p : chains) {
    const VectorXd exact = LzbLaw{}.resolve(p).velocity;
    double before = 0.0;
    for (const double increment : {4e-4, 2e-4, 1e-4, 5e-5}) {
      const double miss = (PublishedMarch(p, increment).run() - exact).norm();
      EXPECT_LT(miss, 4 * increment);
      if (before > 0.0) {
        EXPECT_NEAR(miss / before, 0.5, 0.03) << p.contacts() << " contacts, " << increment;
      }
      before = miss;
    }
    std::cout << p.contacts() << " contacts: " << before << " left at an increment of 5e-5\n";
  }
}

}  // namespace
}  // namespace clack
