// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack::bench {

/// The ratchet of models/polygons in Box2D: lengths in cm, as its manual proposes for small parts, wheel and pawl cut into
/// convex pieces (it takes no others), 8 velocity and 3 position iterations.
struct Box2dRatchet {
  double first_impact = 0.0;  // s, the end of the first step with a normal impulse
  double wheel_angle = 0.0;   // rad, at the end
};
Box2dRatchet box2d_ratchet(double step, double until);

}  // namespace clack::bench
