// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "clack/contact/problem.hpp"

namespace clack {

enum class ClosureRule { rigid_body, as_signed };

/// Relations between the impulses of an event, carried over from the velocity constraints of rigid
/// bodies (P4, 3.15 to 3.22; docs/theories/energetic.md).
///
/// Two points i, j of one body keep their distance, d = (P_i - P_j)/|P_i - P_j|:
///
///   (t_i.d) v_ti + (n_i.d) v_ni - (t_j.d) v_tj - (n_j.d) v_nj = 0,    the same for the impulses,
///
/// with n and t as they push that body (reversed for body a of a contact). Every moving body with
/// two or more members gives the rows of its first member with each further one. `rigid_body`:
/// where the normal entries have one sign, that of the later point is changed ("take magnitudes",
/// B.22 to B.23; errata P4 E3), so that the impulses can both push; `as_signed` leaves it. A row of
/// frictionless tangents alone says nothing and becomes p_ni = p_nj, its limit for equal friction.
///
/// Rows are written over t1 n1 t2 n2 ... of the members.
struct ClosureRows {
  Eigen::MatrixXd rows;  // at least count x 2n; grows only
  int count = 0;
};

/// Where the contacts of a planar problem are, ready for rows. Bodies are numbers; ground is -1.
struct PlanarPlaces {
  struct Place {
    int body_a = -1, body_b = -1;
    Eigen::Vector2d point, normal, tangent;
  };
  std::vector<Place> of;  // per contact; empty: nothing is known, all contacts are connected
  std::vector<std::string_view> bodies;  // the moving ones, by number
};
/// `problem` has the geometry of every contact, or of none that matters (see missing_geometry).
void find_places(const ImpactProblem& problem, PlanarPlaces& places);

/// Do two contacts share a moving body?
bool are_connected(const PlanarPlaces& places, int a, int b);

/// Rows for the members (ascending) of an event.
void close_event(const ImpactProblem& problem, const PlanarPlaces& places, ClosureRule rule,
                 std::span<const int> members, ClosureRows& closure);
/// Rows that the user gave over all contacts; those with a point outside of the event are left out.
void close_event(const std::vector<std::vector<double>>& given, std::span<const int> members,
                 ClosureRows& closure);

/// The first contact without bodies, point or normal and the key that is missing; empty: none.
struct MissingGeometry {
  std::string contact, key;
};
std::optional<MissingGeometry> missing_geometry(const ImpactProblem& problem);
/// Two contacts that touch one body at one point; nothing: none do.
struct DuplicatePoint {
  int first = 0, second = 0;
  std::string body;
};
std::optional<DuplicatePoint> duplicate_point(const ImpactProblem& problem);

}  // namespace clack
