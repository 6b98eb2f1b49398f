// SPDX-License-Identifier: Apache-2.0
#include "clack/geometry/ellipsoid.hpp"

namespace clack {

// One line per shape.
SmoothShapes smooth_shapes() {
  return {
      Ellipsoid::kind(),
  };
}

}  // namespace clack
