// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>

#include "clack/mechanism/embedded_equations.hpp"
#include "clack/symbolic/program.hpp"

namespace clack {

/// The embedded equations of one mode and one choice of speeds, made executable: t, q and w in, dependent speeds, M~, f~ and
/// what works need out, in one call. Owns its workspaces; one thread at a time.
class EmbeddedProgram {
 public:
  EmbeddedProgram(const MotionSymbols& motion, const EmbeddedEquations& equations,
                  Elimination order);

  /// The numbers of the inputs from now on.
  void set_signals(std::span<const double> numbers);
  /// `v`: the independent speeds in their places; the dependent ones are written. `inputs`: room for t, q and v.
  void complete(double t, const double* q, double* v);
  /// Speeds as in `complete`, then w' (p) and the powers: of applied forces, and of driven rows and prescribed motion, W.
  struct Powers {
    double forces = 0.0, drives = 0.0;
  };
  Powers rates(double t, const double* q, double* v, double* w_rate);

  /// dq/dt of the last call, whose full speeds are `v`.
  void write_coordinate_rates(const double* v, double* dqdt) const;

  const Elimination& order() const { return order_; }
  /// How long the recombination on the graph and the compilation took, s.
  double embed_seconds = 0.0, compile_seconds = 0.0;
  std::size_t operations() const { return program_.operation_count(); }
  int independent() const { return p_; }
  int dependent() const { return r_; }
  /// Of the last call, row by row.
  const double* mass() const { return out_.data() + r_; }
  const double* force() const { return mass() + p_ * p_; }

 private:
  void evaluate(double t, const double* q, double* v);
  bool solve(double* w_rate);

  Elimination order_;
  int p_ = 0, r_ = 0, coordinates_ = 0, speeds_ = 0;
  bool is_driven_ = false, rates_are_speeds_ = true;
  symbolic::Program program_;
  std::vector<double> in_, out_, system_;
};

}  // namespace clack
