// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "clack/formulation/mode_rows.hpp"
#include "clack/formulation/speed_choice.hpp"

namespace clack {

/// When the programs of a mode are made: when it is first needed, or before the motion begins (P2, designs IV and III).
enum class EmbeddingTime { online, offline };

/// Formulation `embedding` (P2, designs III and IV; docs/theories/embedding.md): the dependent speeds are eliminated, and p =
/// n - rank independent ones u_I are integrated.
///
///   B_D u_D + B_I u_I + C = 0:   D = -B_D^-1 B_I,   u = T u_I + e,   T_I = 1, T_D = D,   e_D = -B_D^-1 C
///   u' = T u_I' + gamma,         gamma_D = -B_D^-1 c  at the full speeds
///   M~ u_I' = f~:                M~ = T^T M T,   f~ = T^T (f - M gamma)
///   forces by auxiliary speeds:  x = T_a^T (M u' - f) = B_D^-T [M u' - f]_D
///
/// Sliding friction couples x to the motion: with F^T x in the equations (ModeRows) and ui = M~^-1 (f~ + T^T F^T x)
///
///   S x = T_a^T (M (T M~^-1 f~ + gamma) - f),   S = T_a^T F^T - T_a^T M T M~^-1 T^T F^T
///
/// Rows that depend on others are left out; forces then are the smallest ones. M may be singular where the rows determine
/// what carries no inertia: only M~ must be positive definite.
class EmbeddingFormulation final : public Formulation, public MinimalSpeeds {
 public:
  static FormulationPart part();
  explicit EmbeddingFormulation(EmbeddingTime time = EmbeddingTime::online) : time_(time) {}
  std::string_view name() const override { return "embedding"; }
  void enter(const ModeShape& shape) override;
  void solve(const Snapshot& snapshot, ModeForces& forces) override;
  MinimalSpeeds* minimal() override { return this; }

  const SpeedChoice& choice() const override { return choice_; }
  bool has_choice() const override { return has_choice_; }
  void choose(const Snapshot& snapshot) override;
  void choose(const Snapshot& snapshot, const std::vector<int>& independent) override;
  void restore(const SpeedChoice& choice) override { take(choice); }
  void complete(const Snapshot& snapshot, double* v) override;
  double growth() const override { return growth_; }
  bool is_built_before() const override { return time_ == EmbeddingTime::offline; }
  long choices() const override { return choices_; }

  /// Of the last call of `solve`: D (r x p) and M~ (p x p), in the order of the choice.
  const Eigen::MatrixXd& dependence() const { return dependence_; }
  const Eigen::MatrixXd& embedded_mass() const { return embedded_mass_; }

 private:
  void take(SpeedChoice choice);
  void eliminate();
  void embed();
  void move_freely();
  void accelerate();
  bool distribute(ModeForces& forces);
  void couple();
  bool solve_coupled();
  double missed_rows() const;

  EmbeddingTime time_;
  double cutoff_ = 0.0;
  bool has_choice_ = false;
  ModeRows mode_;
  SpeedChoice choice_;
  double growth_ = 0.0;                                             // largest |S_D^-1 D S_I|
  Eigen::MatrixXd pivot_block_, turned_block_, tied_, dependence_;  // B_D, its transpose, B_I, D
  Eigen::MatrixXd mass_tied_, mass_dependent_, motion_inertia_, embedded_mass_;
  Eigen::VectorXd gamma_, bias_, rest_, along_;  // r numbers each
  Eigen::VectorXd embedded_force_, free_, pushed_, acceleration_, unit_, x_;
  // Sliding friction: what the unknown forces do to dependent speeds and motions, S, and what it is made of.
  Eigen::MatrixXd on_dependent_, on_motion_, system_, answer_, turned_answer_;
  Eigen::PartialPivLU<Eigen::MatrixXd> pivot_, turned_;  // of B_D and its transpose
  Eigen::FullPivLU<Eigen::MatrixXd> coupled_;            // of S
  Eigen::LDLT<Eigen::MatrixXd> inertia_;
  bool is_positive_ = true;
  long choices_ = 0;
};

}  // namespace clack
