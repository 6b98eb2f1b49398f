// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clack::report {

/// Points of a line that a viewer needs to draw it at any zoom: some of the given ones, so that between two of them the
/// straight line stays within `error` of all that were left out. Both sides of a jump and of a gap (a value that is not
/// finite) are kept. x ascends. Whoever has no use for more than `most` points gets no more than one more.
std::vector<std::size_t> points_within(std::span<const double> x, std::span<const double> y,
                                       double error,
                                       std::size_t most = std::numeric_limits<std::size_t>::max());

/// What the error of a line may be, in parts of its range: as small as its share of the page allows.
struct CurveLimits {
  double finest = 2e-6, coarser = 4.0;  // first try, and the factor of the next
  double bytes_per_point = 16.0;        // 12 in base64
};
inline constexpr CurveLimits curve_limits;

/// The lines of a page as they were recorded, for zooming: base64 of times (double) and values (single, from `mid` on).
class CurveStore {
 public:
  /// `budget`: bytes of the page for each line.
  explicit CurveStore(double budget) : budget_(budget) {}
  /// Stores a line once; its number. Lines of the same name are one.
  int add(const std::string& name, std::span<const double> x, std::span<const double> y);
  /// Largest error of all lines, in parts of their range.
  double error() const { return error_; }
  /// <script type="application/json" id="curves">...
  std::string script() const;

 private:
  double budget_ = 0.0, error_ = 0.0;
  std::vector<std::string> names_, texts_;
};

std::string base64(std::string_view bytes);

}  // namespace clack::report
