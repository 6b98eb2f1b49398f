// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "clack/complementarity/friction_problem.hpp"
#include "clack/complementarity/matrix_text.hpp"

namespace clack {

/// A friction problem from a file in any of these forms, told apart by content, never by name:
///
///   HDF5 (file signature)     fclib_local {W, vectors/q, vectors/mu},
///                             fclib_global {M, H, vectors/f, vectors/w, ...}
///   JSON (first character {)  {"dimension", "W": {"format": "dense" | "coo" | "block", ...}, "q", "mu"}
///   text, local               d, nc, W, q, mu
///   text, global              d, nc, M, H, f, b, mu
///
/// A text file is local when the rows of its first matrix are d nc and d nc + nc numbers (or one
/// more) remain after it. The answer has passed check_friction_problem. Mistakes throw InputError
/// with the place.
FrictionProblem read_friction_file(const std::string& path);

/// The same for JSON or text that is already in memory; `file` is only named in messages.
FrictionProblem parse_friction(const std::string& text, const std::string& file);

/// Global form  M v = f + H r,  u = H^T v + b  with M (m x m) regular and H (m x d nc).
struct GlobalFriction {
  int dimension = 3;
  SparseEntries M, H;
  Eigen::VectorXd f, b, mu;
};
/// W = H^T M^-1 H,  q = H^T M^-1 f + b, by a sparse LU factorisation of M. A singular M throws
/// InputError.
FrictionProblem condense(const GlobalFriction& global, const std::string& file);

}  // namespace clack
