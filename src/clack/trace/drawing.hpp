// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "clack/complementarity/contact_status.hpp"

namespace clack {

/// What a part of a picture looks like, in its own frame, m.
enum class DrawnKind {
  disk,     // `radius` around the origin; in space about the z axis
  polygon,  // closed, through `points`
  line,     // open, through `points`
  half_plane,  // half-space: material behind points[0], which lies on its border; points[1] is the outward normal
  sphere,    // `radius` around the origin
  box,       // points[0] are half of its edges
  cylinder,  // `radius` about the z axis, from -points[0][2] to points[0][2]
  grid,  // a closed convex surface: `points` by rings from the north pole to the south pole (drawn_grid)
};
std::string_view to_string(DrawnKind kind);  // "half-plane"

/// Rings between the poles of a grid, and points on each.
struct DrawnGrid {
  int rings = 15, around = 24;
};
inline constexpr DrawnGrid drawn_grid;

struct DrawnPart {
  std::string name;
  DrawnKind kind = DrawnKind::line;
  double radius = 0.0;
  std::vector<std::array<double, 3>> points = {};  // in the plane z = 0
};

/// Plane: x, y, angle. Space: x, y, z and the unit quaternion w, x, y, z.
using DrawnPose = std::array<double, 7>;

/// A closed contact with the forces on its first body, N, world.
struct DrawnContact {
  int contact = 0;  // Trace::contacts
  ContactStatus status = ContactStatus::stick;
  std::array<double, 3> point{}, normal_force{}, friction_force{};
};

/// The impulses of an impact at one of its contacts, on its first body, N s, world.
struct DrawnImpulse {
  double t = 0.0;
  int contact = 0;  // Trace::contacts
  std::array<double, 3> point{}, normal_impulse{}, friction_impulse{};
};

/// A straight connection of two places; gap: from a contact that is given by a formula to what it would touch.
enum class DrawnLink { spring, rod, gap };

struct DrawnFrame {
  double t = 0.0;
  std::vector<DrawnPose> poses = {};              // per part
  std::vector<std::array<double, 6>> links = {};  // from x, y, z to x, y, z
  std::vector<DrawnContact> contacts = {};
};

/// A motion as pictures, at chosen rows of the trace: evenly in time, and both sides of every event.
struct Drawing {
  int dimension = 2;
  std::vector<DrawnPart> parts;
  std::vector<DrawnLink> links;
  std::vector<DrawnFrame> frames;
  std::vector<DrawnImpulse> impulses =
      {};  // by time; of the first impacts when there are very many
  bool empty() const { return (parts.empty() && links.empty()) || frames.empty(); }
  /// Numbers of a pose, and of a place.
  std::size_t pose_size() const { return dimension == 2 ? 3 : 7; }
  std::size_t place_size() const { return dimension == 2 ? 2 : 3; }
};

}  // namespace clack
