// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "clack/complementarity/friction_problem.hpp"

namespace clack {

/// Does the content start with HDF5's signature?
bool is_hdf5(std::string_view bytes);

/// A friction problem of fclib: group `fclib_local` (matrix W, vectors/q, vectors/mu, spacedim) or
/// `fclib_global` (M, H, vectors/f, vectors/w, vectors/mu, spacedim). A matrix is a group {m, n,
/// nz, nzmax, i, p, x}; nz >= 0: triplets, -1: compressed columns, -2: compressed rows. Bilateral
/// parts (G; V, R) are refused, `guesses` and `solution` ignored. Not yet checked by
/// check_friction_problem.
FrictionProblem read_friction_hdf5(const std::string& path);

}  // namespace clack
