// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// A smooth function and its derivative at one time.
struct Sample {
  double value = 0.0, rate = 0.0;
};

struct RootOptions {
  double time_tolerance = 0.0;  // s; 0: brackets shrink to adjacent doubles
  int depth_limit = 40;         // halvings of the interval
  int piece_limit = 1000;       // pieces looked at (rounding noise around zero has no end of turns)
  double zero = 0.0;            // values up to this count as zero: a touch, and not yet armed again
  bool armed = true;            // false: the function must first rise above zero
};

struct Root {
  double t = 0.0;         // the value is <= 0 here and > 0 just before (a touch: the lowest value)
  bool is_graze = false;  // touches zero to rounding without passing it
};

}  // namespace clack
