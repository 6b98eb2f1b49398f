// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Clack, the C++ library: this page is its front door.
///
///   find_package(clack REQUIRED)
///   target_link_libraries(mine PRIVATE clack::clack)
///
/// What the headers named here declare is meant for others, and changes only with CLACK_VERSION. All headers that these include in
/// turn are installed because the compiler wants them; they are internal and may change at any time.
///
/// User mistakes throw InputError or ModelError, with `where()` and `remedy()`; everything else that can happen is a value.

// 1. Versions and errors.
#include "clack/error.hpp"
#include "clack/library/version.hpp"

// 2. A model: read from a file or from text (load_model, load_model_text, Override), or built in code as plain data
//    (Data, Map, List, build_model). `Model` is validated, constant data; any number of runs may share it.
#include "clack/hybrid/theory.hpp"
#include "clack/library/data.hpp"
#include "clack/model/model.hpp"

// 3. A run, from start to end: run(model) gives a Trace.
#include "clack/hybrid/executor.hpp"

// 4. A run that is steered while it goes on: Simulation.
#include "clack/hybrid/simulation.hpp"

// 5. The trace: rows, events, impacts, energy as plain data; a column of it (column), its files (save_run).
#include "clack/library/results.hpp"
#include "clack/trace/csv.hpp"
#include "clack/trace/trace.hpp"

// 6. Single questions, without a model: speeds after one impact (solve_impact), forces and next statuses of closed contacts
//    (solve_contact), a linear complementarity problem (solve_lcp), a friction problem (solve_friction), the oblique
//    projector of a set of rows (make_projector).
#include "clack/complementarity/friction_solver.hpp"
#include "clack/library/questions.hpp"
#include "clack/linalg/projector.hpp"
