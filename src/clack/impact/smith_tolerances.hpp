// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// Thresholds of law `smith`, with reason.
struct SmithTolerances {
  double step = 4e-16;  // of mu: steps of the root below this are rounding
  double residual =
      1e-9;  // of mu (slide) and of the wanted speeds (stick): beyond it there is no answer yet
  int iterations = 400;  // of the root; Newton's method needs about six, averaging a few dozen
  double smallest_part = 1e-6;  // of a Newton step that is still tried
  double averaging = 0.5;       // how far averaging goes towards -mu w
  int stages =
      2000;  // struck contacts in one impact; a flat box at rest on four corners needs about a hundred
};
inline constexpr SmithTolerances smith_tolerances;

}  // namespace clack
