#pragma once
#include "clack/complementarity/friction_problem.hpp"

namespace clack {

struct FrictionEnumerationOptions {
  double tolerance = 1e-8;  // on the unit-free residual of every listed solution
  int planar_limit = 8;     // contacts: 4^n combinations
  int spatial_limit = 4;    // contacts: 3^n combinations, slip directions searched
};

/// Can the enumeration take a problem of this size?
bool is_enumerable(const FrictionProblem& problem, const FrictionEnumerationOptions& options = {});

/// Every combination of open, stick and slip, for few contacts.
///
///   open   r = 0,    u_N >= 0
///   stick  u = 0,    r in the cone
///   slip   u_N = 0,  r_T = -mu r_N e,  u_T = s e,  s >= 0
///
/// In the plane e is +1 or -1 and each combination is a linear system: complete, all isolated
/// solutions are listed, and `unsolvable` is proved when no combination has one and none of them is
/// singular and consistent. In space the slip directions e are found by Newton's method from a grid
/// of starts: a list of solutions found, no proof. Solutions are ordered by combination; several:
/// flag "not-unique". `reaction` is the first. Too many contacts: status `limit`.
FrictionResult enumerate_friction(const FrictionProblem& problem,
                                  const FrictionEnumerationOptions& options = {});

}  // namespace clack
