// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clack {

/// A signal from outside between two changes:  value + rate (t - since) + acceleration (t - since)^2 / 2.
struct Signal {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
  double since = 0.0;  // s, the time of the last change
  double at(double t) const {
    const double passed = t - since;
    return value + rate * passed + 0.5 * acceleration * passed * passed;
  }
  double rate_at(double t) const { return rate + acceleration * (t - since); }
  friend bool operator==(const Signal&, const Signal&) = default;
};

}  // namespace clack
