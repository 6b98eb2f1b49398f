// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/complementarity/contact_words.hpp"

namespace clack {

/// The linear systems of the words of one problem (contact_words.hpp): r = map x + fixed, and the
/// motions `rows` vanish.
class WordSystem {
 public:
  explicit WordSystem(const FrictionProblem& problem);

  /// How a word ended. `miss`: by how much it fails, relative to the motion scale; infinite when it
  /// fails by far, 0 when that cannot be said.
  struct Verdict {
    std::optional<WordAnswer> answer;
    double miss = 0.0;
  };
  Verdict solve(const Word& word, ForceNorm norm) const;

  /// Motions across the slip directions of `contacts` and the determinant of the word's matrix (0
  /// when it is singular: motions of the smallest reactions); no value when they are not finite.
  struct CrossSlip {
    Eigen::VectorXd motion;  // e_i x u_T,i
    double determinant = 0.0;
  };
  std::optional<CrossSlip> cross_slip(const Word& word, const std::vector<int>& contacts) const;

  const FrictionProblem& problem() const { return problem_; }

 private:
  struct Unknowns {
    Eigen::MatrixXd map;    // d c x m
    Eigen::VectorXd fixed;  // d c
    std::vector<int> rows;  // m
  };
  struct Equations {
    Eigen::MatrixXd matrix;   // m x m, rows and columns scaled to unit diagonal
    Eigen::VectorXd right;    // m
    Eigen::VectorXd scaling;  // m
  };
  /// x with zero motion in the rows, and the directions in which x is free.
  struct Particular {
    Eigen::VectorXd x;
    Eigen::MatrixXd free;  // m x k, columns orthonormal in the chosen norm
    double miss = 0.0;     // of the equations, relative to the motion scale
  };
  /// force * r + motion * u + room >= -tolerance; in space the three rows of a sticking contact are
  /// (mu r_N + offset, r_T) in Lorentz's cone.
  struct Limits {
    Eigen::MatrixXd force, motion;
    Eigen::VectorXd room, tolerance;
    std::vector<int> cones;  // rows of each condition
  };
  Unknowns unknowns(const Word& word) const;
  Equations equations(const Unknowns& unknowns) const;
  Particular particular(const Unknowns& unknowns, ForceNorm norm) const;
  Limits limits(const Word& word) const;
  double cone_excess(const Word& word, const Eigen::VectorXd& reaction) const;
  double mobility(int row) const { return W_(row, row) > 0.0 ? W_(row, row) : 1.0; }

  const FrictionProblem& problem_;
  Eigen::MatrixXd W_;
  double scale_;
};

}  // namespace clack
