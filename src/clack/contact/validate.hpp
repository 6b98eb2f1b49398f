// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/contact/problem.hpp"

namespace clack {

/// What may be asked.
struct ValidationLimits {
  double lowest_restitution = 0.0;  // what the law states (Needs); -1 where nobody reads it
  int speeds = 1000;  // dense matrices: larger problems belong to `clack solve friction`
  int contacts = 500;
  int bilateral_rows = 1000;
};

/// Throws InputError (naming the quantity, the contact and the numbers) unless
/// - all sizes agree and all numbers are finite,
/// - the mass matrix is symmetric and positive definite (the message gives its smallest eigenvalue),
/// - friction >= 0, static >= dynamic, restitution in [lowest, 1], tangential restitution in
///   [-1, 1], reversibility in [0, 1], stiffness > 0, names are given and different,
/// - normals and tangents have unit length and are orthogonal, contacts are between two bodies.
void validate(const ContactSystem& system, const std::string& where = "",
              const ValidationLimits& limits = {});
void validate(const ImpactProblem& problem, const std::string& where = "",
              const ValidationLimits& limits = {});
void validate(const ContactProblem& problem, const std::string& where = "",
              const ValidationLimits& limits = {});

}  // namespace clack
