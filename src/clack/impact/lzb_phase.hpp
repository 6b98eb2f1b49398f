// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/impact/known_normal_friction.hpp"
#include "clack/impact/lzb_system.hpp"

namespace clack {

enum class Load { idle, compressing, expanding };
enum class Grip { none, sliding, sticking };

/// What a contact does during one phase.
struct LzbContactState {
  Load load = Load::idle;
  Grip grip = Grip::none;
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();  // of sliding; plane: (+-1, 0); space: at
                                                        // the start of the phase
  double end = 0.0;                                     // compression at which an expansion ends
};

/// Where the impact stands: impulses per row (normals, then tangents), compressions, friction work.
struct LzbState {
  Eigen::VectorXd impulse;      // rows
  Eigen::VectorXd compression;  // contacts
  double tangential_work = 0.0;
};

/// The motion inside one phase (contacts active or idle, compressing or expanding, sticking or
/// sliding: all fixed), in impact time s:
///
///   lam_i = k_i d_i^eta,   dP/ds = l = (lam, f),   v = v_0 + G (P - P_0)
///   dd_i/ds = -v_i  (expanding and bi: -v_i/e_i^2)
///   f_i = -mu_i lam_i w_i/|w_i|  sliding,   G_ZZ f_Z = -(G l without f_Z)_Z  sticking
///
/// The state of the differential equation is (P - P_0, d, tangential work, s).
///
/// Where eta is no whole number, k d^eta has few derivatives at d = 0: at the start of a contact, and
/// at the end of one that unloads to nothing. There the variable is not s but x with
///
///   ds = x dx_bar,   d_r = x^2,   dx/dx_bar = -v_r/2  (bi: -v_r/(2 e_r^2)),   lam_r ds ~ x^(2 eta+1)
///
/// for one contact r, the `root`: smooth through x = 0, which is met with a slope that does not vanish.
class LzbPhase {
 public:
  explicit LzbPhase(const LzbSystem& system) : system_(&system) {}
  /// Fits the memory to the system, which may have changed.
  void resize();
  /// Starts a phase; `motion` are the relative velocities there, exactly 0 where a slip has stopped.
  void begin(const std::vector<LzbContactState>& states, const Eigen::VectorXd& motion,
             const Eigen::VectorXd& compression);

  int size() const { return rows_ + contacts_ + 2; }
  /// The state at impulses P_0, with compressions as given, at impact time s.
  void start(const Eigen::VectorXd& compression, double s, Eigen::VectorXd& y) const;
  /// The right-hand side; fills motion, force and rate.
  void evaluate(const double* y, double* dydt);
  /// A step of the variable of integration, at the start, that is about `h` of impact time.
  double step_of(double h) const;
  /// Of the last evaluation: impact time per unit of the variable of integration.
  double pace() const { return pace_; }
  bool is_root(int contact) const { return contact == root_; }
  /// d_i; below zero beyond the end of a contact.
  double compression(const double* y, int i) const {
    const double d = y[rows_ + i];
    return i == root_ ? d * std::abs(d) : d;
  }
  /// dd_i/ds of the last evaluation, of a contact that expands.
  double compression_rate(int i) const {
    const double e = system_->restitution[i];
    return system_->unloading == Unloading::mono ? -motion_[i] : -motion_[i] / (e * e);
  }
  double tangential_work(const Eigen::VectorXd& y) const { return y[rows_ + contacts_]; }
  double impact_time(const Eigen::VectorXd& y) const { return y[rows_ + contacts_ + 1]; }
  const Eigen::VectorXd& motion() const { return motion_; }  // relative velocities
  const Eigen::VectorXd& force() const { return force_; }    // per unit impact time

 private:
  int choose_root(const Eigen::VectorXd& compression) const;
  void add_sliding_friction();
  void add_sticking_friction();

  const LzbSystem* system_;
  int rows_ = 0, contacts_ = 0, tangents_ = 1;
  int root_ = -1;  // -1: the variable is s
  double root_start_ = 0.0, pace_ = 1.0;
  const std::vector<LzbContactState>* states_ = nullptr;
  Eigen::VectorXd motion_start_, motion_, force_;
  std::vector<int> sliding_, sticking_;
  StickForces stick_;
  Eigen::MatrixXd stick_rows_,
      stick_own_;  // rows of G of the sticking contacts come first; their G
  Eigen::VectorXd stick_drive_, stick_weight_, stick_force_;
};

}  // namespace clack
