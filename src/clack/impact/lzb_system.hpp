// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "clack/contact/delassus.hpp"
#include "clack/contact/problem.hpp"

namespace clack {

/// How an expanding contact unloads.
///   mono  along its loading curve, until E = (1 - e^2) E_c: what is left is lost at once
///   bi    dd/ds = -v/e^2, to d = 0: e^2 of the work comes back
enum class Unloading { mono, bi };

/// An impact problem in the units of law lzb (lzb_tolerances.hpp): speeds are divided by
/// `speed_unit`, the rows of G by `mobility_unit`, stiffnesses by the largest. Rows: all normals,
/// then the tangents of the contacts that have friction.
struct LzbSystem {
  int contacts = 0;
  int tangents = 1;       // per contact
  double eta = 1.5;       // F = k d^eta
  bool is_whole = false;  // eta is a whole number
  Unloading unloading = Unloading::mono;
  double speed_unit = 1.0;     // m/s
  double mobility_unit = 1.0;  // 1/kg
  double slip_zero = 0.0;      // slower slips are none
  double approach = 0.0;       // slower approach is none
  Eigen::MatrixXd G;           // rows x rows
  Eigen::VectorXd start;       // rows: relative velocities at the start
  Eigen::VectorXd stiffness, restitution, static_friction, dynamic_friction;  // contacts
  std::vector<int> tangent_row;   // per contact: its first tangential row, -1 without friction
  std::vector<int> delassus_row;  // per row: its row in the Delassus matrix

  int rows() const { return static_cast<int>(start.size()); }
  bool has_friction(int i) const { return tangent_row[i] >= 0; }
  double impulse_unit() const { return speed_unit / mobility_unit; }
  double energy_unit() const { return speed_unit * speed_unit / mobility_unit; }
  /// k d^eta, without `pow` for the exponents 1 and 3/2.
  double force(int i, double d) const {
    if (!(d > 0.0)) return 0.0;
    if (eta == 1.5) return stiffness[i] * d * std::sqrt(d);
    return stiffness[i] * (eta == 1.0 ? d : std::pow(d, eta));
  }
  /// The same beyond the end of a contact, d < 0, so that a step across it sees no kink: whole
  /// exponents as they are, others odd.
  double continued_force(int i, double d) const {
    if (!(d < 0.0)) return force(i, d);
    return is_whole && std::fmod(eta, 2.0) == 0.0 ? force(i, -d) : -force(i, -d);
  }
  /// k d^(eta+1)/(eta+1)
  double stored(int i, double d) const { return d > 0.0 ? force(i, d) * d / (eta + 1.0) : 0.0; }
};

/// Largest relative speed of a contact row, m/s: what approach and slip are compared with.
double largest_contact_speed(const Eigen::VectorXd& contact_motion);

/// `speed_unit` is the largest approach speed in `free` (> 0); `approach_limit` in m/s. The memory of
/// `system` is used again.
void make_lzb_system(const ImpactProblem& problem, const Delassus& delassus, const FreeMotion& free,
                     double eta, Unloading unloading, double approach_limit, LzbSystem& system);

/// Tangential rows of G of contacts `a` and columns of contacts `b`, in the upper left corner of `out`,
/// which grows and never shrinks.
void gather_tangents(const LzbSystem& system, std::span<const int> a, std::span<const int> b,
                     Eigen::MatrixXd& out);

}  // namespace clack
