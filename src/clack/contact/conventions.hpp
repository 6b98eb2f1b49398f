// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Sign conventions of Clack, stated once.
///
/// - SI units, radians, doubles.
/// - gap > 0 apart, = 0 touching, < 0 overlapping; gap_rate < 0 approaching.
/// - The contact normal points from body A to body B; relative velocity is B minus A; a positive
///   normal impulse pushes B along the normal and A against it. Admissible means normal_impulse >= 0.
/// - Planar tangent: the normal turned by -90 degrees (ground normal (0,1) has tangent (1,0)). In space
///   (t1, t2, n) is right-handed. Positive rotation is counter-clockwise.
/// - Motion:  mass_matrix * dv/dt = smooth_force + J_N^T normal_force + J_T^T friction_force.
/// - Jacobians have contacts as rows; the papers' W is our J^T.
/// - At an event both states are recorded at the same t, before first.
