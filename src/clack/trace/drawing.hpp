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
  disk,        // `radius` around the origin
  polygon,     // closed, through `points`
  line,        // open, through `points`
  half_plane,  // material behind points[0], which lies on its border; points[1] is the outward normal
};
std::string_view to_string(DrawnKind kind);  // "half-plane"

struct DrawnPart {
  std::string name;
  DrawnKind kind = DrawnKind::line;
  double radius = 0.0;
  std::vector<std::array<double, 2>> points = {};
};

/// A closed contact; the force on the first body is normal * direction + tangent * (direction turned by -90 degrees).
struct DrawnContact {
  int contact = 0;  // Trace::contacts
  ContactStatus status = ContactStatus::stick;
  std::array<double, 2> point{}, direction{};
  double normal = 0.0, tangent = 0.0;  // N
};

/// A straight connection of two places.
enum class DrawnLink { spring, rod };

struct DrawnFrame {
  double t = 0.0;
  std::vector<std::array<double, 3>> poses = {};    // x, y, angle per part
  std::vector<std::array<double, 4>> links = {};    // from x, y to x, y
  std::vector<DrawnContact> contacts = {};
};

/// A planar motion as pictures, at chosen rows of the trace: evenly in time, and both sides of every event.
struct Drawing {
  std::vector<DrawnPart> parts;
  std::vector<DrawnLink> links;
  std::vector<DrawnFrame> frames;
  bool empty() const { return (parts.empty() && links.empty()) || frames.empty(); }
};

}  // namespace clack
