// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "clack/model/model.hpp"
#include "clack/trace/drawing.hpp"

namespace clack {

/// What a body looks like: its shape. Without one, in the plane lines through its named points; in space the uniform
/// solid with its mass and inertia (a sphere, a cylinder or a box, by how many principal moments are equal).
/// A body without extent is a disk or sphere of radius 0, which viewers draw as a dot.
DrawnPart drawn_body(const Body& body, int dimension);

/// In space: lines from the mass centre to the named points; nothing when they lie inside the body (corners of a box).
std::vector<DrawnPart> drawn_points(const Body& body, const DrawnPart& drawn);

/// An entry of `draw:` that is no spring and no rod.
DrawnPart drawn_sketch(const Sketch& sketch);

}  // namespace clack
