// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clack/complementarity/planar_lcp.hpp"
#include "clack/contact/history_rows.hpp"
#include "clack/index.hpp"

namespace clack {

/// Coefficients of one contact. Which part reads which: newton, poisson: dynamic friction only; all
/// decisions: static in stick tests, dynamic while slipping. `restitution` is read by the law that runs
/// (velocity ratio or impulse ratio).
struct ContactMaterial {
  double dynamic_friction = 0.0;
  double static_friction = 0.0;         // >= dynamic_friction
  double restitution = 0.0;             // in the range that the law states, at most 1
  double tangential_restitution = 0.0;  // [-1, 1]
  double reversibility = 0.0;           // [0, 1]
  double stiffness = 1.0;               // > 0, relative to the other contacts; law lzb
};

/// Where a contact is; only needed by laws that reason about rigid bodies.
struct ContactGeometry {
  std::string body_a = "ground", body_b;  // the normal points from a to b; empty: not known
  std::optional<Eigen::Vector3d> point;   // in the plane z is 0
  std::optional<Eigen::Vector3d> normal;  // of unit length
  std::vector<Eigen::Vector3d> tangents;  // d - 1 of unit length; empty: not known
  std::optional<Eigen::Vector3d> center_a, center_b;
};

/// The part that impacts and contact decisions have in common: n speeds, c contacts, d = dimension.
///   gap_rate = normal_jacobian v - normal_surface_velocity        (c)
///   slip     = tangent_jacobian v - tangent_surface_velocity      (c (d-1), contact by contact)
struct ContactSystem {
  int dimension = 2;
  Eigen::MatrixXd mass_matrix;               // n x n, symmetric positive definite
  Eigen::VectorXd velocity;                  // n
  Eigen::MatrixXd bilateral;                 // b x n; rows may be dependent
  Eigen::MatrixXd normal_jacobian;           // c x n
  Eigen::MatrixXd tangent_jacobian;          // c (d-1) x n
  Eigen::VectorXd normal_surface_velocity;   // c, m/s
  Eigen::VectorXd tangent_surface_velocity;  // c (d-1), m/s
  std::vector<ContactMaterial> materials;    // c
  std::vector<std::string> names;            // c
  std::vector<ContactGeometry> geometry;     // c, or empty

  int speeds() const { return number_of(velocity); }
  int contacts() const { return normal_jacobian.rows(); }
  int tangents() const { return dimension - 1; }
  Eigen::VectorXd gap_rates(const Eigen::VectorXd& v) const {
    return normal_jacobian * v - normal_surface_velocity;
  }
  Eigen::VectorXd slips(const Eigen::VectorXd& v) const {
    return tangent_jacobian * v - tangent_surface_velocity;
  }
};

/// What concerns every impact law and decision; options of single ones are declared by them.
struct ContactOptions {
  double rank_cutoff = 0.0;  // relative to the largest singular value; 0: max(rows, cols) * eps * 8
  bool record_history = false;  // fill ImpactResult::history (for plots; costs allocations)
  bool record_path = false;     // fill `path` of the results (node traces; costs memory)
  double slip_tolerance =
      1e-9;         // a contact slips when |slip| exceeds this part of the largest speed
  int threads = 1;  // that may be used; results do not depend on it
};

/// Speeds before an impact. All contacts in it touch (gap = 0).
struct ImpactProblem : ContactSystem {
  Eigen::VectorXd
      bilateral_velocity;  // b: prescribed value of bilateral * v after the impact (empty: 0)
  Eigen::VectorXd external_impulse;  // n, N s (empty: none)
  /// m/s: a contact approaches when its gap rate is below -approach_limit. Laws that chain events end
  /// by it, so that who asks and who answers agree (nothing: approach_limit_of).
  std::optional<double> approach_limit;
  ContactOptions options;
};

/// Forces at an instant. All contacts in it touch (gap = 0) and do not approach.
///   gap_acceleration  = normal_jacobian  dv/dt + gap_bias
///   slip_acceleration = tangent_jacobian dv/dt + slip_bias
///   bilateral dv/dt + bilateral_bias = 0
struct ContactProblem : ContactSystem {
  Eigen::VectorXd force;           // n: smooth force
  Eigen::VectorXd bilateral_bias;  // b (empty: 0)
  Eigen::VectorXd gap_bias;        // c (empty: 0)
  Eigen::VectorXd slip_bias;       // c (d-1) (empty: 0)
  ContactOptions options;
};

/// Largest violation of each law, recomputed from the answer; impact: velocities, contact: accelerations.
struct Certificate {
  double penetration = 0.0;      // largest -gap_rate (or -gap_acceleration) after, >= 0
  double adhesion = 0.0;         // largest -normal impulse (force), >= 0
  double complementarity = 0.0;  // largest |impulse * what the law makes complementary to it|
  double cone = 0.0;             // largest excess of |tangent| over friction * normal, >= 0
  double bilateral = 0.0;        // largest |bilateral row| violation
  double residual = 0.0;         // the solver's own unit-free residual
};

/// One stage of a law that resolves an impact in several (chains).
struct ImpactEvent {
  std::vector<int> contacts;  // of the problem, ascending
  double restitution = 0.0;
  double normal_work = 0.0;       // J, of the normal impulses over the event
  double compression_work = 0.0;  // J, of the normal impulses at the end of compression, <= 0
  double tangential_work = 0.0;   // J, of friction over the event
  double terminal_impulse = 0.0;  // N s, normal impulse of the first of `contacts` over the event
  double energy_after = 0.0;      // J, kinetic
  Eigen::VectorXd velocity;       // n, after it
};

/// What a law may record for plotting: one row per instant inside the impact. Laws that follow the
/// inside of an impact fill it by a HistoryWriter (impact/history.hpp).
struct ImpactHistory {
  std::vector<std::string> columns;
  HistoryRows rows;
};

struct [[nodiscard]] ImpactResult {
  SolveStatus status = SolveStatus::solved;
  Eigen::VectorXd velocity;                         // n, after
  Eigen::VectorXd normal_impulse;                   // c, N s, totals over the whole impact
  Eigen::VectorXd tangent_impulse;                  // c (d-1)
  Eigen::VectorXd bilateral_impulse;                // b, minimum norm
  std::vector<ContactStatus> statuses;              // open: separates; stick/slip by the slip after
  double energy_before = 0.0, energy_after = 0.0;   // J, kinetic
  double normal_work = 0.0, tangential_work = 0.0;  // J, of the contact impulses
  double joint_work = 0.0;                          // J, of bilateral rows and external impulses
  bool is_consistent = true;                        // speaks of energy
  Certificate certificate;
  int iterations = 0;  // pivots, sweeps or sets tried
  std::vector<ImpactEvent> events;
  ImpactHistory history;
  std::vector<SolverStep> path;  // law newton: what its sweeps did, with options.record_path
  std::vector<std::string> flags, notes;
};

struct [[nodiscard]] ContactResult {
  SolveStatus status = SolveStatus::solved;
  Eigen::VectorXd acceleration;       // n
  Eigen::VectorXd normal_force;       // c, N
  Eigen::VectorXd friction_force;     // c (d-1), N
  Eigen::VectorXd bilateral_force;    // b, minimum norm
  Eigen::VectorXd gap_acceleration;   // c
  Eigen::VectorXd slip_acceleration;  // c (d-1)
  std::vector<ContactStatus> statuses;
  Certificate certificate;
  int iterations = 0;
  std::optional<int> solutions;  // number of different ones, where the decision counts them
  std::vector<SolverStep> path;  // decision prox: what its sweeps did, with options.record_path
  std::vector<std::string> flags, notes;
};

}  // namespace clack
