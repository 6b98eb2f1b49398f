// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// A gap along the motion.
struct GapMotion {
  double gap = 0.0, rate = 0.0, acceleration = 0.0;  // m, m/s, m/s2
};

/// Accelerations along a motion cost a second derivative; who does not need them says so.
enum class GapOrder { rate, acceleration };

}  // namespace clack
